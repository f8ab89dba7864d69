// The one file of a multipart form, read as it arrives. Called by the operations that take uploads;
// their rows say `upload: 'stream'`.
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import {
  Busboy,
  type BusboyFileStream,
  type BusboyHeaders,
  type BusboyInstance,
} from '@fastify/busboy'
import type { FastifyRequest } from 'fastify'
import { fail } from '../../errors.js'

export interface UploadedFile {
  /** As the client calls it, without folders; '' when it does not say. */
  name: string
  /** Once, from its start. Throws BODY_TOO_LARGE beyond the limit. */
  bytes: AsyncIterable<Buffer>
}

export interface UploadWish {
  /** Name of the part. */
  field: string
  /** Most bytes of the file. */
  limit: number
}

/**
 * What `work` makes of the file; undefined: the body is no multipart form, or has no file of this
 * name. Other parts are skipped. Throws BODY_TOO_LARGE, and BODY_MALFORMED for a broken form.
 */
export async function withFile<T>(
  request: FastifyRequest,
  wish: UploadWish,
  work: (file: UploadedFile) => Promise<T>,
): Promise<T | undefined> {
  const type = request.headers['content-type'] ?? ''
  if (!/^multipart\/form-data\s*;.*boundary=/i.test(type)) return undefined
  const form = formOf(request, wish.limit)
  let done: Promise<T> | undefined
  form.on('file', (field: string, stream: BusboyFileStream, name: string | undefined) => {
    if (field !== wish.field || done !== undefined) {
      stream.resume()
      return
    }
    done = work({ name: baseName(name), bytes: limited(stream, wish.limit) })
    // a refusal must not leave the rest of the form waiting for somebody to read it
    done.catch(() => stream.resume())
  })
  try {
    await pipeline(request.body as Readable, form)
  } catch (error) {
    // what the work itself refuses says more
    await done
    throw fail('BODY_MALFORMED', { reason: reasonOf(error) })
  }
  return done
}

const PARTS = { parts: 20, fields: 10, files: 10, fieldSize: 64 * 1024, headerPairs: 40 }

function formOf(request: FastifyRequest, limit: number): BusboyInstance {
  try {
    const headers = request.headers as BusboyHeaders
    return new Busboy({ headers, limits: { ...PARTS, fileSize: limit + 1 } })
  } catch (error) {
    throw fail('BODY_MALFORMED', { reason: reasonOf(error) })
  }
}

async function* limited(stream: Readable, limit: number): AsyncGenerator<Buffer> {
  let size = 0
  // who stops half-way leaves the rest to be drained, so that the form comes to its end
  const chunks: AsyncIterable<Buffer> = stream.iterator({ destroyOnReturn: false })
  for await (const chunk of chunks) {
    size += chunk.length
    if (size > limit) throw fail('BODY_TOO_LARGE', { limit })
    yield chunk
  }
}

function baseName(name: string | undefined): string {
  return (name ?? '').split(/[\\/]/).at(-1) ?? ''
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message.replace(/\.$/, '') : 'the form is broken'
}

/** All of it; for files that are small by their limit. */
export async function bytesOf(file: UploadedFile): Promise<Buffer> {
  const parts: Buffer[] = []
  for await (const part of file.bytes) parts.push(part)
  return Buffer.concat(parts)
}
