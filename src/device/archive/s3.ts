// An archive in a store that speaks S3: conditional writes, checksums, a lock where one is wanted.
import { open } from 'node:fs/promises'
import { AwsV4Signer } from 'aws4fetch'
import { sha256 } from '../../lib/hash.js'
import { childOf, parseXml } from '../../lib/xml-read.js'
import { type OutboundCall, OutboundError, type OutboundResponse } from '../outbound.js'
import { type Archive, ArchiveError, type GivenFile } from './archive.js'

export interface S3Place {
  /** `https://host:port`, without a path. */
  origin: string
  bucket: string
  /** Before every name; '' or words that end with `/`. */
  prefix: string
  region: string
  keyId: string
  secret: string
  /** Objects cannot be removed for so many years. Left out: the bucket decides. */
  lock?: { mode: 'COMPLIANCE' | 'GOVERNANCE'; years: number }
}

export interface S3Tools {
  fetch: OutboundCall
  now(): Date
}

/** Larger files travel in parts of this size, one at a time; 10,000 parts are the most. */
export const PART_BYTES = 16 * 1024 * 1024
const CALL_MS = 120_000
const ANSWER_BYTES = 1024 * 1024

export function s3Archive(place: S3Place, tools: S3Tools): Archive {
  return new S3(place, tools)
}

interface Sent {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Behind the bucket, with its question mark. */
  query?: string
  headers?: Record<string, string>
  body?: Buffer
  /** Longest body of the answer. */
  most?: number
  /** Answers that are told rather than thrown. */
  taken?: readonly number[]
}

class S3 implements Archive {
  private readonly at: S3Place
  private readonly tools: S3Tools

  constructor(at: S3Place, tools: S3Tools) {
    this.at = at
    this.tools = tools
  }

  get place(): string {
    const { origin, bucket, prefix } = this.at
    return `${origin}/${bucket}/${prefix}`
  }

  async put(name: string, file: GivenFile): Promise<void> {
    if (file.bytes > PART_BYTES) return await this.putParts(name, file)
    const handle = await open(file.path)
    try {
      const body = await piece(handle, 0, file.bytes)
      const headers = { ...ONCE, ...this.locked(), ...checksum(Buffer.from(file.sha256, 'hex')) }
      await this.ask(name, { method: 'PUT', headers, body, taken: TAKEN })
    } finally {
      await handle.close()
    }
  }

  async read(name: string): Promise<AsyncIterable<Uint8Array> | undefined> {
    const first = await this.range(name, 0)
    return first === undefined ? undefined : this.pieces(name, first)
  }

  /** What every put needs is asked without leaving anything behind. */
  async check(): Promise<void> {
    await this.ask('', { method: 'GET', query: '?list-type=2&max-keys=0' })
  }

  // -------------------------------------------------------------------------- large files

  private async putParts(name: string, file: GivenFile): Promise<void> {
    const begun = await this.ask(name, {
      ...{ method: 'POST', query: '?uploads=' },
      headers: { ...this.locked(), 'x-amz-checksum-algorithm': 'SHA256' },
    })
    const upload = textIn(begun, 'UploadId')
    const query = `?uploadId=${encodeURIComponent(upload)}`
    try {
      const body = Buffer.from(await this.parts(name, file, upload))
      const sent = { method: 'POST', query, headers: ONCE, body, taken: TAKEN } as const
      const { status, body: answer } = await this.ask(name, sent)
      // a fault after the first byte of a 200 stands in the answer
      if (status === 200 && answer.includes('<Error>')) throw saysNo(status, answer)
      if (status !== 200) await this.ask(name, { method: 'DELETE', query })
    } catch (error) {
      await Promise.allSettled([this.ask(name, { method: 'DELETE', query })])
      throw error
    }
  }

  private async parts(name: string, file: GivenFile, upload: string): Promise<string> {
    const handle = await open(file.path)
    const told: string[] = []
    try {
      for (let from = 0; from < file.bytes; from += PART_BYTES) {
        const number = told.length + 1
        const body = await piece(handle, from, Math.min(PART_BYTES, file.bytes - from))
        const sum = checksum(sha256(body))
        const query = `?partNumber=${number}&uploadId=${encodeURIComponent(upload)}`
        const { etag = '' } = await this.ask(name, { method: 'PUT', query, headers: sum, body })
        told.push(
          `<Part><PartNumber>${number}</PartNumber><ETag>${etag.replaceAll('"', '&quot;')}</ETag>` +
            `<ChecksumSHA256>${sum['x-amz-checksum-sha256']}</ChecksumSHA256></Part>`,
        )
      }
    } finally {
      await handle.close()
    }
    const uri = 'http://s3.amazonaws.com/doc/2006-03-01/'
    return `<CompleteMultipartUpload xmlns="${uri}">${told.join('')}</CompleteMultipartUpload>`
  }

  private async *pieces(name: string, first: Buffer): AsyncGenerator<Uint8Array> {
    let last = first
    for (let at = first.length; ; at += last.length) {
      yield last
      if (last.length < PART_BYTES) return
      const next = await this.range(name, at)
      if (next === undefined || next.length === 0) return
      last = next
    }
  }

  /** Undefined: there is no such object, or nothing of it from there on. */
  private async range(name: string, from: number): Promise<Buffer | undefined> {
    const { status, body } = await this.ask(name, {
      ...{ method: 'GET', most: PART_BYTES, taken: [404, 416] },
      headers: { range: `bytes=${from}-${from + PART_BYTES - 1}` },
    })
    return status < 300 ? body : undefined
  }

  // ------------------------------------------------------------------------------ one call

  private locked(): Record<string, string> {
    const { lock } = this.at
    if (lock === undefined) return {}
    const until = new Date(this.tools.now())
    until.setUTCFullYear(until.getUTCFullYear() + lock.years)
    return {
      'x-amz-object-lock-mode': lock.mode,
      'x-amz-object-lock-retain-until-date': until.toISOString(),
    }
  }

  private async ask(name: string, sent: Sent): Promise<OutboundResponse> {
    const { origin, bucket, prefix, region, keyId, secret } = this.at
    const { method, query = '', headers = {}, body, most = ANSWER_BYTES, taken = [] } = sent
    const path = name === '' ? '' : `/${encoded(prefix + name)}`
    const content = sha256(body ?? '').toString('hex')
    const signed = await new AwsV4Signer({
      ...{ method, url: `${origin}/${encoded(bucket)}${path}${query}`, service: 's3', region },
      headers: { ...headers, 'x-amz-content-sha256': content },
      ...{ accessKeyId: keyId, secretAccessKey: secret },
      datetime: this.tools
        .now()
        .toISOString()
        .replace(/[:-]|\.\d{3}/g, ''),
    }).sign()
    const answer = await this.sent(String(signed.url), {
      ...{ method, headers: Object.fromEntries(signed.headers), named: true },
      ...{ timeoutMs: CALL_MS, maxBytes: most, repeatable: method === 'GET' },
      ...(body === undefined ? {} : { body }),
    })
    if (answer.status < 300 || taken.includes(answer.status)) return answer
    throw saysNo(answer.status, answer.body)
  }

  private async sent(...call: Parameters<OutboundCall>): Promise<OutboundResponse> {
    try {
      return await this.tools.fetch(...call)
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error
      throw new ArchiveError('away', `the store does not answer (${error.message})`, error)
    }
  }
}

/** Nothing is overwritten: 412 says that the name is taken, 409 that somebody else writes it. */
const ONCE = { 'if-none-match': '*' }
const TAKEN = [412]

const checksum = (hash: Buffer) => ({ 'x-amz-checksum-sha256': hash.toString('base64') })

/** As S3 wants names in addresses: everything but these letters by its bytes, and `/` stays. */
const encoded = (name: string): string =>
  name
    .split('/')
    .map((word) =>
      encodeURIComponent(word).replace(/[!'()*]/g, (letter) => {
        return `%${letter.charCodeAt(0).toString(16).toUpperCase()}`
      }),
    )
    .join('/')

async function piece(
  handle: Awaited<ReturnType<typeof open>>,
  from: number,
  length: number,
): Promise<Buffer> {
  const bytes = Buffer.alloc(length)
  let at = 0
  while (at < length) {
    const { bytesRead } = await handle.read(bytes, at, length - at, from + at)
    if (bytesRead === 0) throw new Error('the file has become shorter')
    at += bytesRead
  }
  return bytes
}

function textIn({ body }: OutboundResponse, name: string): string {
  const text = childOf(parseXml(body.toString('utf8')), name)?.text ?? ''
  if (text === '') throw new ArchiveError('refused', `the store names no ${name}`)
  return text
}

const BUSY = new Set([429, 500, 502, 503, 504])

/** The code of the store, such as AccessDenied, which names neither key nor object. */
function saysNo(status: number, body: Buffer): ArchiveError {
  const code = /<Code>([A-Za-z0-9.]{1,64})<\/Code>/.exec(body.toString('utf8'))?.[1]
  const reason = BUSY.has(status) ? 'away' : 'refused'
  return new ArchiveError(reason, `the store answers ${status}${code ? ` ${code}` : ''}`)
}
