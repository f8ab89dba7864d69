// A store that speaks S3 and is strict: signatures by the text of AWS (Signature Version 4),
// checksums of every body, names that are taken stay taken. Nothing of the product is in it.
import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Signed {
  method: string
  path: string
  /** As it stands in the address, in order. */
  query: string
  headers: Readonly<Record<string, string>>
}

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest()
const hmac = (key: string | Buffer, data: string) => createHmac('sha256', key).update(data).digest()

/** The signature that a request must have, told by the names in its Authorization header. */
export function signatureOf({ method, path, query, headers }: Signed, secret: string): string {
  const { names, scope } = authorization(headers.authorization ?? '')
  const sorted = query
    .split('&')
    .filter((one) => one !== '')
    .map((one) => (one.includes('=') ? one : `${one}=`))
    .sort()
    .join('&')
  const told = names.map((name) => `${name}:${(headers[name] ?? '').trim()}\n`).join('')
  const content = headers['x-amz-content-sha256'] ?? ''
  const canonical = [method, path, sorted, told, names.join(';'), content].join('\n')
  const date = headers['x-amz-date'] ?? ''
  const text = ['AWS4-HMAC-SHA256', date, scope, sha256(canonical).toString('hex')].join('\n')
  const [day = '', region = '', service = '', end = ''] = scope.split('/')
  const key = [day, region, service, end].reduce<Buffer | string>(hmac, `AWS4${secret}`)
  return hmac(key, text).toString('hex')
}

function authorization(text: string) {
  const told = (name: string) => new RegExp(`${name}=([^, ]+)`).exec(text)?.[1] ?? ''
  const [keyId = '', ...scoped] = told('Credential').split('/')
  const [scope, names, signature] = [scoped.join('/'), told('SignedHeaders'), told('Signature')]
  return { keyId, scope, names: names.split(';'), signature }
}

export interface Kept {
  bytes: Buffer
  lock: { mode: string; until: string } | undefined
}

export interface S3Store {
  url: string
  objects: Map<string, Kept>
  /** Unfinished uploads in parts. */
  uploads: Map<string, { key: string; parts: Map<number, Buffer>; lock: Kept['lock'] }>
  calls: string[]
  /** Answers the next calls in its place. */
  misbehave: ((request: IncomingMessage, response: ServerResponse) => boolean) | undefined
  close(): Promise<void>
}

const PART = new RegExp(
  '<PartNumber>(\\d+)</PartNumber><ETag>&quot;([0-9a-f]{32})&quot;</ETag>' +
    '<ChecksumSHA256>([^<]+)<',
  'g',
)

export const KEY = { id: 'AKIAEXAMPLE', secret: 'not/so+secret=' }

export async function openS3Store(bucket: string, keyOf = KEY): Promise<S3Store> {
  const store: Omit<S3Store, 'url' | 'close'> = {
    ...{ objects: new Map(), uploads: new Map(), calls: [], misbehave: undefined },
  }
  const server: Server = createServer((request, response) => {
    void bodyOf(request).then((body) => {
      if (store.misbehave?.(request, response) === true) return
      answer({ store, bucket, keyOf }, { request, body }, response)
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  const close = () =>
    new Promise<void>((done) => {
      server.close(() => done())
      server.closeAllConnections()
    })
  return Object.assign(store, { url: `http://127.0.0.1:${port}`, close })
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  return Buffer.concat(parts)
}

interface Given {
  store: Omit<S3Store, 'url' | 'close'>
  bucket: string
  keyOf: typeof KEY
}

/** Who calls, and whether the body is what was signed. */
function faultOf(call: Signed, body: Buffer, keyOf: typeof KEY): [number, string] | undefined {
  const { keyId, signature } = authorization(call.headers.authorization ?? '')
  if (keyId !== keyOf.id) return [403, 'InvalidAccessKeyId']
  const wanted = signatureOf(call, keyOf.secret)
  if (signature.length !== 64 || !timingSafeEqual(Buffer.from(wanted), Buffer.from(signature))) {
    return [403, 'SignatureDoesNotMatch']
  }
  if (call.headers['x-amz-content-sha256'] !== sha256(body).toString('hex')) {
    return [400, 'XAmzContentSHA256Mismatch']
  }
  const sum = call.headers['x-amz-checksum-sha256']
  const isGood = sum === undefined || sum === sha256(body).toString('base64')
  return isGood ? undefined : [400, 'BadDigest']
}

function answer(
  { store, bucket, keyOf }: Given,
  { request, body }: { request: IncomingMessage; body: Buffer },
  response: ServerResponse,
): void {
  const url = new URL(request.url ?? '/', 'http://s3')
  const [path = '', query = ''] = (request.url ?? '').split('?')
  const method = request.method ?? ''
  store.calls.push(`${method} ${path}${query === '' ? '' : `?${query}`}`)
  const headers = request.headers as Record<string, string>
  const say = (status: number, text: string | Buffer = '', more: Record<string, string> = {}) =>
    response.writeHead(status, { 'content-type': 'application/xml', ...more }).end(text)
  const no = (status: number, code: string) => say(status, `<Error><Code>${code}</Code></Error>`)
  const fault = faultOf({ method, path, query, headers }, body, keyOf)
  if (fault !== undefined) return void no(...fault)
  const [, first, ...rest] = path.split('/')
  if (first !== bucket) return void no(404, 'NoSuchBucket')
  const key = decodeURIComponent(rest.join('/'))
  const sum = headers['x-amz-checksum-sha256']
  const mode = headers['x-amz-object-lock-mode']
  const until = headers['x-amz-object-lock-retain-until-date'] ?? ''
  const lock = mode === undefined ? undefined : { mode, until }
  const once = headers['if-none-match'] === '*'
  const upload = url.searchParams.get('uploadId')
  if (method === 'GET' && key === '') return void say(200, '<ListBucketResult/>')
  if (method === 'GET') return void get(store.objects.get(key), headers.range, { say, no })
  if (method === 'POST' && url.searchParams.has('uploads')) {
    const id = `up/${store.uploads.size + 1}+=`
    store.uploads.set(id, { key, parts: new Map(), lock })
    return void say(
      200,
      `<InitiateMultipartUploadResult><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`,
    )
  }
  if (upload !== null) {
    const found = store.uploads.get(upload)
    if (found?.key !== key) return void no(404, 'NoSuchUpload')
    if (method === 'DELETE') {
      store.uploads.delete(upload)
      return void say(204)
    }
    if (method === 'PUT') {
      if (sum === undefined) return void no(400, 'InvalidRequest')
      found.parts.set(Number(url.searchParams.get('partNumber')), body)
      return void say(200, '', { etag: `"${sha256(body).toString('hex').slice(0, 32)}"` })
    }
    if (once && store.objects.has(key)) return void no(412, 'PreconditionFailed')
    const told = [...body.toString().matchAll(PART)]
    const parts = told.map(([, number, etag, checksum]) => {
      const part = found.parts.get(Number(number)) ?? Buffer.alloc(0)
      const hash = sha256(part)
      const isGood =
        hash.toString('hex').startsWith(etag ?? '-') && hash.toString('base64') === checksum
      return isGood ? part : undefined
    })
    if (parts.length !== found.parts.size || parts.includes(undefined))
      return void no(400, 'InvalidPart')
    store.objects.set(key, { bytes: Buffer.concat(parts as Buffer[]), lock: found.lock })
    store.uploads.delete(upload)
    return void say(200, '<CompleteMultipartUploadResult/>')
  }
  if (method !== 'PUT') return void no(405, 'MethodNotAllowed')
  if (!once) return void no(400, 'InvalidRequest')
  if (lock !== undefined && sum === undefined) return void no(400, 'InvalidRequest')
  if (store.objects.has(key)) return void no(412, 'PreconditionFailed')
  store.objects.set(key, { bytes: body, lock })
  say(200, '', { etag: '"e"' })
}

function get(
  found: Kept | undefined,
  range: string | undefined,
  {
    say,
    no,
  }: {
    say(status: number, text?: string | Buffer): unknown
    no(status: number, code: string): unknown
  },
): void {
  if (found === undefined) return void no(404, 'NoSuchKey')
  const [, from = '0', to] = /^bytes=(\d+)-(\d+)$/.exec(range ?? '') ?? []
  if (Number(from) >= found.bytes.length) return void no(416, 'InvalidRange')
  say(
    range === undefined ? 200 : 206,
    found.bytes.subarray(Number(from), Number(to ?? Infinity) + 1),
  )
}
