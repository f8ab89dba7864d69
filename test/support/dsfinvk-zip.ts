// A DSFinV-K export taken apart, changed and packed again.
import { buffer } from 'node:stream/consumers'
import { fromBufferPromise } from 'yauzl'
import { ZipFile } from 'yazl'

/** Member → content, in the order of the archive. */
export type Export = Map<string, Buffer>

export async function unzipped(bytes: Buffer): Promise<Export> {
  const zip = await fromBufferPromise(bytes, { lazyEntries: true })
  const files: Export = new Map()
  for await (const entry of zip.eachEntry()) {
    files.set(entry.fileName, await buffer(await zip.openReadStreamPromise(entry)))
  }
  return files
}

export async function zipped(files: Iterable<[string, Buffer]>): Promise<Buffer> {
  const zip = new ZipFile()
  for (const [name, content] of files) zip.addBuffer(content, name)
  zip.end()
  return buffer(zip.outputStream)
}

/** One text of a member replaced; it must be there. */
export function edited(files: Export, changes: [file: string, from: string, to: string][]): Export {
  const copy = new Map(files)
  for (const [file, from, to] of changes) {
    const text = copy.get(file)?.toString('utf8') ?? ''
    if (!text.includes(from)) throw new Error(`${file} has no ${from}`)
    copy.set(file, Buffer.from(text.replace(from, to)))
  }
  return copy
}

/** Rows of a member, without the first three columns and the header. */
export function rowsOf(files: Export, file: string): string[] {
  const text = files.get(file)?.toString('utf8') ?? ''
  return text.split('\r\n').slice(1, -1)
}
