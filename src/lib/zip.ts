// Writes an archive piece by piece, one entry after the other.
import { PassThrough, Readable } from 'node:stream'
import { ZipFile } from 'yazl'

export interface ZipEntry {
  name: string
  /** Asked for when everything before it has been written. */
  content(): AsyncIterable<Uint8Array> | Iterable<Uint8Array>
  /** Packed already: it is stored as it is. */
  isPacked?: boolean
  /** Beyond what the plain form holds. */
  isLarge?: boolean
}

/** The archive's bytes. `moment` becomes the time of all entries. */
export async function* zipped(
  entries: readonly ZipEntry[],
  moment: Date,
): AsyncGenerator<Uint8Array, void, undefined> {
  const zip = new ZipFile()
  const output = zip.outputStream.pipe(new PassThrough())
  let running: Readable | undefined
  zip.on('error', (error: unknown) => output.destroy(errorOf(error)))
  for (const { name, content, isPacked = false, isLarge = false } of entries) {
    const options = { mtime: moment, compress: !isPacked, forceZip64Format: isLarge }
    zip.addReadStreamLazy(name, options, (take) => {
      running = Readable.from(content(), { objectMode: false })
      // the library pipes its sources and does not look at their errors
      running.on('error', (error) => output.destroy(error))
      take(null, running)
    })
  }
  zip.end()
  try {
    for await (const piece of output) yield piece
  } finally {
    // whoever stops reading early leaves no half-read source
    output.destroy()
    running?.destroy()
  }
}

function errorOf(value: unknown): Error {
  return value instanceof Error ? value : new Error(String(value))
}
