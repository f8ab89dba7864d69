// Reads TARs that lie one after the other in one file, member by member, in constant memory.
import { type Extract, extract, type Header } from 'tar-stream'

export interface Member {
  /** 1 for the first archive of the file. */
  archive: number
  /** Without a `./` before it. */
  name: string
  /** `file`, or what else the format knows. */
  type: string
  size: number
  /** The content, or undefined when it is larger than `keep` allows. */
  content: Buffer | undefined
}

/** What is wrong with the archive as a whole. */
export class TarFault extends Error {}

const BLOCK = 512
const ZEROS = Buffer.alloc(BLOCK)
/** As `tar cf x.tar .` names what lies in the folder. */
const HERE = /^(?:\.\/+)+/

/** tar-stream knows where a member's data begin, and its types do not say so. */
type Placed = Header & { byteOffset: number }
type Entry = Extract extends AsyncIterable<infer E> ? E : never

/**
 * Members in the order of the file; directories, which hold nothing, are passed over. tar-stream
 * skips zero blocks wherever they stand; they are watched here, because they divide archives.
 * Throws TarFault where the bytes are no TAR.
 */
export async function* membersOf(
  input: AsyncIterable<Uint8Array>,
  keep: (name: string) => number,
): AsyncGenerator<Member, { archives: number; ended: boolean }> {
  const blocks = new ZeroBlocks()
  const archive = extract()
  const fed = feed(input, { archive, blocks })
  let number = 1
  let end = 0
  try {
    for await (const entry of archive) {
      const header = entry.header as Placed
      const { size } = header
      if (end > 0 && blocks.between(end, header.byteOffset - BLOCK)) number += 1
      end = header.byteOffset + Math.ceil(size / BLOCK) * BLOCK
      blocks.forget(end)
      const member = await memberOf(entry, { archive: number, keep })
      if (member.type !== 'directory') yield member
    }
  } catch (error) {
    throw new TarFault(messageOf(error))
  } finally {
    archive.destroy(null)
    await fed
  }
  return { archives: end === 0 ? 0 : number, ended: blocks.endAfter(end) }
}

async function memberOf(
  entry: Entry,
  { archive, keep }: { archive: number; keep: (name: string) => number },
): Promise<Member> {
  const { type, size } = entry.header
  const name = entry.header.name.replace(HERE, '')
  const limit = keep(name)
  const parts: Buffer[] = []
  for await (const part of entry) {
    if (size <= limit && part instanceof Uint8Array) parts.push(Buffer.from(part))
  }
  const content = size <= limit ? Buffer.concat(parts) : undefined
  return { archive, name, type: type ?? 'of an unknown type', size, content }
}

interface Sink {
  archive: ReturnType<typeof extract>
  blocks: ZeroBlocks
}

async function feed(input: AsyncIterable<Uint8Array>, { archive, blocks }: Sink): Promise<void> {
  try {
    for await (const piece of input) {
      const bytes = Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength)
      if (bytes.length === 0) continue
      blocks.watch(bytes)
      if (!archive.write(bytes) && !(await drained(archive))) return
    }
    archive.end(null)
  } catch (error) {
    archive.destroy(error instanceof Error ? error : new Error(String(error)))
  }
}

/** False when the archive was closed instead. */
function drained(archive: Sink['archive']): Promise<boolean> {
  if (archive.destroyed) return Promise.resolve(false)
  return new Promise((resolve) => {
    const settle = () => {
      archive.off('drain', settle)
      archive.off('close', settle)
      resolve(!archive.destroyed)
    }
    archive.once('drain', settle)
    archive.once('close', settle)
  })
}

/** Where zero blocks stand, between the last member and what was read so far. */
class ZeroBlocks {
  /** Begin and end offsets, ascending. */
  private ranges: [number, number][] = []
  private carried: Buffer = Buffer.alloc(0)
  private offset = 0
  /** What lies before is data of a member. */
  private horizon = 0

  watch(bytes: Buffer): void {
    const all = this.carried.length === 0 ? bytes : Buffer.concat([this.carried, bytes])
    let at = 0
    for (; at + BLOCK <= all.length; at += BLOCK) {
      if (all[at] === 0 && ZEROS.equals(all.subarray(at, at + BLOCK))) this.add(this.offset + at)
    }
    this.offset += at
    this.carried = Buffer.from(all.subarray(at))
  }

  between(from: number, to: number): boolean {
    return this.ranges.some(([begin, end]) => begin < to && end > from)
  }

  forget(before: number): void {
    this.horizon = before
    if (this.ranges.length > 0) this.ranges = this.ranges.filter(([, end]) => end > before)
  }

  /** Two zero blocks right behind this place. */
  endAfter(end: number): boolean {
    return this.ranges.some(([begin, last]) => begin <= end && last >= end + 2 * BLOCK)
  }

  private add(begin: number): void {
    if (begin + BLOCK <= this.horizon) return
    const last = this.ranges.at(-1)
    if (last !== undefined && last[1] === begin) last[1] = begin + BLOCK
    else this.ranges.push([begin, begin + BLOCK])
  }
}

/** In the words of the library, which no language of ours has. */
function messageOf(error: unknown): string {
  return JSON.stringify(error instanceof Error ? error.message : String(error))
}
