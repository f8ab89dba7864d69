// Writes the TAR container of a TSE export (BSI TR-03151 1.0.1, 5.1 and appendix C): POSIX.1-1988
// ustar, plain files only.
import { type Pack, pack } from 'tar-stream'

export interface Member {
  /** ASCII, at most 100 characters. */
  name: string
  content: Buffer
}

const MODE = 0o644
/** Pieces leave when they have about this many bytes: a log message is three small ones. */
const PIECE_BYTES = 65_536

/** Pieces of the container; `moment`: the time of every member. */
export async function* tarPieces(
  members: AsyncIterable<Member>,
  moment: Date,
): AsyncGenerator<Uint8Array, void, undefined> {
  const tar = pack()
  const filling = fill(tar, { members, moment })
  try {
    let waiting: Uint8Array[] = []
    let bytes = 0
    for await (const piece of tar as AsyncIterable<Uint8Array>) {
      waiting.push(piece)
      bytes += piece.length
      if (bytes < PIECE_BYTES) continue
      yield Buffer.concat(waiting)
      waiting = []
      bytes = 0
    }
    if (bytes > 0) yield Buffer.concat(waiting)
  } finally {
    tar.destroy()
    await filling
  }
}

/** Never fails itself: what goes wrong reaches the reader of the container. */
async function fill(
  tar: Pack,
  { members, moment }: { members: AsyncIterable<Member>; moment: Date },
): Promise<void> {
  try {
    for await (const member of members) await put(tar, { member, moment })
    tar.finalize()
  } catch (error) {
    tar.destroy(error instanceof Error ? error : new Error(String(error)))
  }
}

/** Resolves when the reader has room for more. */
function put(tar: Pack, { member, moment }: { member: Member; moment: Date }): Promise<void> {
  const { name, content } = member
  const header = {
    name,
    size: content.length,
    mode: MODE,
    uid: 0,
    gid: 0,
    mtime: moment,
    type: 'file',
  } as const
  return new Promise((resolve, reject) => {
    tar.entry(header, content, (error) => (error ? reject(error) : resolve()))
  })
}
