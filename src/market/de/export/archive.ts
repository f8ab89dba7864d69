// One archived export as the storage model of the field has it (ftJournalDE): a zip with the TAR.
// The bytes are stored, or made again from the log messages whenever they are asked for; always the
// same.
import { ZipFile } from 'yazl'
import { type Archive, MOST_CELL_BYTES, unpackedTar } from '../queue.js'

import { countersOf, type LogSource, members } from './members.js'
import { tarPieces } from './tar-writer.js'

export interface ArchiveInput {
  scuId: string
  archive: Archive
}

/** The TAR alone; an archive of an empty memory gives no bytes. */
export async function* archiveTar(
  source: LogSource,
  { scuId, archive }: ArchiveInput,
): AsyncGenerator<Uint8Array, void, undefined> {
  if (archive.kept !== undefined) {
    yield* source.keptTar(archive.kept)
    return
  }
  if (archive.content !== undefined) {
    yield await unpackedTar(archive.content)
    return
  }
  const counters = countersOf([archive])
  if (counters.length === 0) return
  yield* tarPieces(members(source, { scuId, counters }), new Date(archive.moment))
}

/**
 * FileContentBase64: the zip holds `{FileName}.tar`. The whole archive is in memory for it, so that
 * of a very long one is empty: the TAR export has it.
 */
export async function archiveBase64(source: LogSource, input: ArchiveInput): Promise<string> {
  if ((input.archive.kept?.bytes ?? 0) > MOST_CELL_BYTES) return ''
  const pieces: Uint8Array[] = []
  for await (const piece of archiveTar(source, input)) pieces.push(piece)
  const zip = new ZipFile()
  zip.addBuffer(Buffer.concat(pieces), `${input.archive.fileName}.tar`, {
    mtime: dosDate(new Date(input.archive.moment)),
    mode: 0o100644,
    forceDosTimestamp: true,
  })
  zip.end()
  const zipped: Buffer[] = []
  for await (const piece of zip.outputStream) zipped.push(Buffer.from(piece))
  return Buffer.concat(zipped).toString('base64')
}

/** Zip keeps the time of a clock on the wall; with this it is that of UTC, on every server. */
function dosDate(moment: Date): Date {
  const local = new Date(moment)
  local.setFullYear(moment.getUTCFullYear(), moment.getUTCMonth(), moment.getUTCDate())
  local.setHours(moment.getUTCHours(), moment.getUTCMinutes(), moment.getUTCSeconds(), 0)
  return local
}
