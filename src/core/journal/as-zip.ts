// Journals as ZIP: the archive with one entry.
import { zipped } from '../../lib/zip.js'

const ZIP_TYPE = 'application/zip'

interface Opened {
  contentType: string
  body: AsyncGenerator<string | Uint8Array, void, undefined>
}

/** One entry of that name; an export that is a ZIP by itself stays as it is. */
export function zippedExport(opened: Opened, name: string, moment: Date): Opened {
  const { contentType, body } = opened
  if (contentType.startsWith(ZIP_TYPE)) return opened
  return { contentType: ZIP_TYPE, body: zipped([{ name, content: () => bytesOf(body) }], moment) }
}

async function* bytesOf(
  body: AsyncGenerator<string | Uint8Array, void, undefined>,
): AsyncGenerator<Uint8Array, void, undefined> {
  for await (const piece of body) {
    yield typeof piece === 'string' ? Buffer.from(piece, 'utf8') : piece
  }
}
