// Bodies as clients pack and write them: gzip and deflate are unpacked within the limit of the
// call, UTF-16 and the code pages of Windows become UTF-8. Where a group does not ask for it,
// packed bodies are refused.
import { isAscii, isUtf8 } from 'node:buffer'
import { gunzip, inflate, inflateRaw } from 'node:zlib'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import iconv from 'iconv-lite'
import { fail } from '../../errors.js'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The body of this call means nothing, so nobody minds its form. */
    bodyIgnored?: boolean
    /** The call looks at its form by itself, behind checks that come first. */
    bodyJudgedLater?: boolean
  }
}

const UNPACKS = 'unpacksBodies'

export function refuseCompressed(app: FastifyInstance): void {
  app.addHook('onRequest', (request, _reply, done) => {
    // the options of a route are an object made anew by each look: plain bodies need none
    if (encodingOf(request) !== '') checkUnlessLater(request)
    done()
  })
}

function checkUnlessLater(request: FastifyRequest): void {
  const { bodyIgnored, bodyJudgedLater } = request.routeOptions.config ?? {}
  if (bodyIgnored !== true && bodyJudgedLater !== true) checkPlain(request)
}

/** Throws BODY_COMPRESSED for what is packed in a way that nobody here unpacks. */
export function checkPlain(request: FastifyRequest): void {
  const encoding = encodingOf(request)
  if (encoding === '' || encoding === 'identity') return
  if (PACKERS.has(encoding) && request.server.hasDecorator(UNPACKS)) return
  throw fail('BODY_COMPRESSED', { encoding })
}

function encodingOf(request: FastifyRequest): string {
  return request.raw.headers['content-encoding']?.trim().toLowerCase() ?? ''
}

/** Bodies of this group arrive as bytes in UTF-8, however they were packed and written. */
export function readBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  // nearly everybody's by name as well: what only `*` is for is taken apart anew for each call
  app.addContentTypeParser([JSON_TYPE, '*'], { parseAs: 'buffer' }, (request, body, done) => {
    const bytes = Buffer.isBuffer(body) ? body : Buffer.from(body)
    const packed = packedHow(request)
    if (packed === undefined) done(null, utf8Bytes(request, bytes))
    else unpack(request, { packed, bytes }, done)
  })
  app.decorate(UNPACKS, true)
}

const JSON_TYPE = 'application/json'
const PACKERS = new Set(['gzip', 'x-gzip', 'deflate'])

function packedHow(request: FastifyRequest): string | undefined {
  const encoding = encodingOf(request)
  if (!PACKERS.has(encoding) || request.routeOptions.config?.bodyIgnored === true) return undefined
  return encoding
}

/** What has more than the limit of the call is refused when it has, not when it is unpacked. */
function unpack(
  request: FastifyRequest,
  { packed, bytes }: { packed: string; bytes: Buffer },
  done: (error: Error | null, body?: Buffer) => void,
): void {
  // from here on it is as if it had come plain
  delete request.headers['content-encoding']
  const limit = request.routeOptions.bodyLimit
  unpackerOf(packed, bytes)(bytes, { maxOutputLength: limit }, (error, plain) => {
    if (error === null) done(null, utf8Bytes(request, plain))
    else if (isTooLarge(error)) done(fail('BODY_TOO_LARGE', { limit }))
    else done(fail('BODY_BROKEN', { reason: error.message }))
  })
}

/** Deflate comes with the frame of zlib, and from .NET without. */
function unpackerOf(encoding: string, [first = 0]: Buffer): typeof gunzip | typeof inflate {
  if (encoding !== 'deflate') return gunzip
  return (first & 0x0f) === 8 ? inflate : inflateRaw
}

const isTooLarge = ({ code }: NodeJS.ErrnoException): boolean => code === 'ERR_BUFFER_TOO_LARGE'

/** Names of the code pages of old registers; ISO 8859-1 is read as browsers do, as its superset. */
const CODE_PAGES: Readonly<Record<string, string>> = {
  'windows-1252': 'windows-1252',
  cp1252: 'windows-1252',
  'x-cp1252': 'windows-1252',
  'iso-8859-1': 'windows-1252',
  'iso8859-1': 'windows-1252',
  'iso_8859-1': 'windows-1252',
  latin1: 'windows-1252',
  l1: 'windows-1252',
  'us-ascii': 'windows-1252',
  'iso-8859-15': 'iso-8859-15',
  'latin-9': 'iso-8859-15',
}

/**
 * What is valid UTF-8 stays what it is, whatever its label says: no text of a code page happens to
 * be that. What cannot be read stays as well, and is refused as no UTF-8.
 */
export function utf8Bytes(request: Pick<FastifyRequest, 'headers'>, body: Buffer): Buffer {
  if (isAscii(body)) return body
  const [first, second] = body
  if (first === 0xff && second === 0xfe) return utf16(body, 'utf-16le')
  if (first === 0xfe && second === 0xff) return utf16(body, 'utf-16be')
  if (isUtf8(body)) return body
  const page = CODE_PAGES[labelOf(request, body)]
  if (page === undefined) return body
  const text = iconv.decode(body, page)
  return text.includes('\ufffd') ? body : Buffer.from(text)
}

/** The header counts more than the first line of an XML document. */
function labelOf({ headers }: Pick<FastifyRequest, 'headers'>, body: Buffer): string {
  const named = /;\s*charset\s*=\s*["']?([\w.:-]+)/i.exec(headers['content-type'] ?? '')?.[1]
  const start = body.toString('latin1', 0, 128)
  const declared = /^\s*<\?xml[^>]*?\sencoding\s*=\s*["']([\w.:-]+)/.exec(start)?.[1]
  return (named ?? declared ?? '').toLowerCase()
}

function utf16(body: Buffer, encoding: string): Buffer {
  try {
    return Buffer.from(new TextDecoder(encoding, { fatal: true }).decode(body))
  } catch (error) {
    if (error instanceof TypeError) return body
    throw error
  }
}
