// The one file of a multipart form, read as it arrives. Their rows say `upload: 'stream'`, and the
// plug-in is registered for those alone.
import { finished } from 'node:stream/promises'
import type { Multipart, MultipartFile } from '@fastify/multipart'
import type { FastifyRequest } from 'fastify'
import { FiscalError, fail } from '../../errors.js'

export interface UploadedFile {
  /** As the client calls it, without folders; '' when it does not say. */
  name: string
  /**
   * Once, from its start; comes to its end only when the whole form has. Throws BODY_TOO_LARGE
   * beyond the limit, and FORM_MALFORMED for a form that breaks off, before or behind the file.
   */
  bytes: AsyncIterable<Buffer>
}

export interface UploadWish {
  /** Name of the part. */
  field: string
  /** Most bytes of the file. */
  limit: number
}

const PARTS = { parts: 20, fields: 10, files: 10, fieldSize: 64 * 1024, headerPairs: 40 }

/**
 * What `work` makes of the file; undefined: the body is no multipart form, or has no file of this
 * name. Other parts are skipped. Throws BODY_TOO_LARGE, and FORM_MALFORMED for a broken form.
 */
export async function withFile<T>(
  request: FastifyRequest,
  wish: UploadWish,
  work: (file: UploadedFile) => Promise<T>,
): Promise<T | undefined> {
  if (!request.isMultipart()) return undefined
  // the plug-in would wait for ever for the bytes of somebody who has gone before
  if (request.raw.destroyed) throw fail('FORM_MALFORMED')
  const limits = { ...PARTS, fileSize: wish.limit + 1 }
  const parts = request.parts({ limits })
  try {
    const file = await nextFile(parts, wish.field)
    if (file === undefined) return undefined
    const bytes = limited({ request, parts, limit: wish.limit }, file)
    return await work({ name: baseName(file.filename), bytes })
  } finally {
    // whoever refuses half-way leaves the rest of the body to nobody: the connection is used again
    request.raw.unpipe()
    request.raw.resume()
  }
}

type Parts = AsyncIterableIterator<Multipart>

/** `field` null: none of them, the rest of the form is skipped. */
async function nextFile(parts: Parts, field: string | null): Promise<MultipartFile | undefined> {
  for (;;) {
    const { done, value } = await parts.next().catch(broken)
    if (done === true) return undefined
    if (value.type !== 'file') continue
    if (field !== null && value.fieldname === field) return value
    value.file.resume()
  }
}

interface Arriving {
  request: FastifyRequest
  parts: Parts
  limit: number
}

async function* limited(
  { request, parts, limit }: Arriving,
  { file }: MultipartFile,
): AsyncGenerator<Buffer> {
  let size = 0
  try {
    const chunks = file.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>
    for await (const chunk of chunks) {
      size += chunk.length
      if (size > limit) throw fail('BODY_TOO_LARGE', { limit })
      yield chunk
    }
  } catch (error) {
    broken(error)
  }
  // a form that breaks off behind the file was not sent as a whole either
  await nextFile(parts, null)
  await wholeBody(request)
}

/** What follows the end of the form belongs to the request: until it is here, nothing is done. */
async function wholeBody({ raw }: FastifyRequest): Promise<void> {
  raw.unpipe()
  raw.resume()
  await finished(raw, { writable: false }).catch(broken)
}

function broken(error: unknown): never {
  if (error instanceof FiscalError) throw error
  throw fail('FORM_MALFORMED')
}

function baseName(name: string | undefined): string {
  return (name ?? '').split(/[\\/]/).at(-1) ?? ''
}

/** All of it; for files that are small by their limit. */
export async function bytesOf(file: UploadedFile): Promise<Buffer> {
  const parts: Buffer[] = []
  for await (const part of file.bytes) parts.push(part)
  return Buffer.concat(parts)
}
