// A file of this server as an answer: whole or a part of it, or nothing where the caller has it.
import { createReadStream } from 'node:fs'
import type { FastifyRequest } from 'fastify'
import { attachment } from '../../lib/attachment.js'
import { Answer } from '../shared/account/operation.js'
import { header } from '../shared/caller.js'

export interface ServedFile {
  path: string
  bytes: number
  /** Hexadecimal; it is the tag. */
  sha256: string
  name: string
}

const TYPE = 'application/zip'

/** RFC 9110, 13 and 14: one range; several of them get the whole file. */
export function fileAnswer(request: FastifyRequest, file: ServedFile): Answer {
  const etag = `"${file.sha256}"`
  const headers = {
    ...{ etag, 'accept-ranges': 'bytes', 'cache-control': 'private, no-cache' },
    'content-disposition': attachment(file.name),
  }
  const known = (header(request, 'if-none-match') ?? '').split(',').map((one) => one.trim())
  if (known.some((one) => one === '*' || one.replace(/^W\//, '') === etag)) {
    return new Answer('', TYPE, { headers, status: 304 })
  }
  const within = header(request, 'if-range')
  const asked = within === undefined || within === etag ? header(request, 'range') : undefined
  const part = partOf(asked, file.bytes)
  if (part === 'outside') {
    const range = { 'content-range': `bytes */${file.bytes}` }
    return new Answer('', TYPE, { headers: { ...headers, ...range }, status: 416 })
  }
  const { start, end } = part ?? { start: 0, end: file.bytes - 1 }
  const body = createReadStream(file.path, { start, end })
  const length = { 'content-length': String(end - start + 1) }
  if (part === undefined) return new Answer(body, TYPE, { headers: { ...headers, ...length } })
  const range = { 'content-range': `bytes ${start}-${end}/${file.bytes}` }
  return new Answer(body, TYPE, { headers: { ...headers, ...length, ...range }, status: 206 })
}

/** Both ends inclusive; undefined: the whole file is meant. */
function partOf(
  range: string | undefined,
  bytes: number,
): { start: number; end: number } | 'outside' | undefined {
  const [, first, last] = /^bytes=(\d*)-(\d*)$/.exec(range?.trim() ?? '') ?? []
  if (first === undefined || last === undefined || first + last === '') return undefined
  if (first === '') {
    const start = Math.max(0, bytes - Number(last))
    return Number(last) === 0 ? 'outside' : { start, end: bytes - 1 }
  }
  const start = Number(first)
  const end = last === '' ? bytes - 1 : Math.min(Number(last), bytes - 1)
  if (last !== '' && Number(last) < start) return undefined
  return start >= bytes ? 'outside' : { start, end }
}
