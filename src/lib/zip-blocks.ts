// Writes a ZIP archive in the thread that asks for it: no stream and no other thread takes part,
// each piece of a file is packed by itself (APPNOTE 6.3; sizes stand behind the data).
import { constants, crc32, deflateRawSync } from 'node:zlib'
import type { ZipEntry } from './zip.js'

export interface BlockEntry extends ZipEntry {
  /** Its content was packed by a BlockPacker: the sum and the bytes of what was packed. */
  ready?: { crc: number; bytes: number } | undefined
}

/** Packs one file, piece by piece. */
export class BlockPacker {
  crc = 0
  private readonly level: number

  /** `level`: of zlib, 1 to 9. */
  constructor(level: number) {
    this.level = level
  }

  /** In this thread, which has the priority that it has. */
  pack(piece: Uint8Array): Uint8Array {
    // the sum of nothing is now and then that of an empty file
    if (piece.length > 0) this.crc = crc32(piece, this.crc)
    // a small piece wants no memory for a large one: the rooms that zlib fills are of this size
    const chunkSize = Math.min(Math.max(piece.length, LEAST_CHUNK), MOST_CHUNK)
    return deflateRawSync(piece, { level: this.level, finishFlush: BLOCK, chunkSize })
  }

  /** Behind the last piece. */
  get end(): Uint8Array {
    return LAST_BLOCK
  }
}

/** Smaller ones are packed worse: each stands for itself. */
const PACKED_AT_ONCE = 256 * 1024

/** The same bytes in larger pieces, for a file that comes in small ones; read before the next. */
export async function* inLargePieces(
  pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void, undefined> {
  const whole = new Uint8Array(PACKED_AT_ONCE)
  let filled = 0
  for await (const piece of pieces) {
    for (let at = 0; at < piece.length; ) {
      const part = piece.subarray(at, at + whole.length - filled)
      whole.set(part, filled)
      filled += part.length
      at += part.length
      if (filled < whole.length) continue
      yield whole
      filled = 0
    }
  }
  if (filled > 0) yield whole.subarray(0, filled)
}

/** An entry whose data has been written. */
interface Written {
  name: Buffer
  isPacked: boolean
  isLarge: boolean
  crc: number
  bytes: number
  packed: number
  offset: number
}

export interface ZipBlocks {
  /** Becomes the time of all entries. */
  moment: Date
  /** Of zlib, 1 to 9. */
  level: number
}

/** The archive's bytes; the same entries in the same pieces give the same ones. */
export async function* zipInBlocks(
  entries: readonly BlockEntry[],
  { moment, level }: ZipBlocks,
): AsyncGenerator<Uint8Array, void, undefined> {
  const records = new Records(moment)
  const done: Written[] = []
  let offset = 0
  for (const one of entries) {
    const entry = entryOf(one, offset)
    yield records.local(entry)
    yield* dataOf(one, { entry, level })
    const sums = records.sums(entry)
    yield sums
    offset += records.local(entry).length + entry.packed + sums.length
    done.push(entry)
  }
  const directory = done.map((entry) => records.central(entry))
  yield* directory
  const size = directory.reduce((sum, { length }) => sum + length, 0)
  yield records.end({ count: done.length, size, offset })
}

function entryOf({ name, isPacked = false, isLarge = false }: BlockEntry, offset: number): Written {
  return { name: Buffer.from(name), isPacked, isLarge, crc: 0, bytes: 0, packed: 0, offset }
}

/** Sums and sizes are in `entry` behind its last piece. */
async function* dataOf(
  { content, isPacked, ready }: BlockEntry,
  { entry, level }: { entry: Written; level: number },
): AsyncGenerator<Uint8Array, void, undefined> {
  const packer = new BlockPacker(level)
  const isReady = ready !== undefined
  for await (const piece of content()) {
    if (!isReady) entry.bytes += piece.length
    const block = isReady || isPacked ? piece : packer.pack(piece)
    if (isPacked && piece.length > 0) entry.crc = crc32(piece, entry.crc)
    entry.packed += block.length
    yield block
  }
  if (isReady) Object.assign(entry, ready)
  if (isReady || isPacked) return
  entry.crc = packer.crc
  entry.packed += packer.end.length
  yield packer.end
}

/** Of bytes that zlib gives at once. */
const [LEAST_CHUNK, MOST_CHUNK] = [256, 64 * 1024]
/** What follows begins at a whole byte and looks back at nothing. */
const BLOCK = constants.Z_FULL_FLUSH
/** An empty block that is the last one. */
const LAST_BLOCK = deflateRawSync(Buffer.alloc(0))

/** Beyond it a number needs the large form. */
const MOST = 0xffff_fffe
const IN_LARGE_FORM = 0xffff_ffff
/** Names are UTF-8; sums and sizes stand behind the data. */
const FLAGS = (1 << 11) | (1 << 3)
const [VERSION, LARGE_VERSION] = [20, 45]
/** Unix, and the version of the specification; a file that its group may write as well. */
const MADE_BY = (3 << 8) | 63
const ATTRIBUTES = (0o100664 << 16) >>> 0

class Records {
  private readonly time: number
  private readonly date: number
  private readonly seconds: number

  constructor(moment: Date) {
    const year = Math.min(Math.max(moment.getFullYear(), 1980), 2107)
    this.date = ((year - 1980) << 9) | ((moment.getMonth() + 1) << 5) | moment.getDate()
    const [hour, minute] = [moment.getHours(), moment.getMinutes()]
    this.time = (hour << 11) | (minute << 5) | (moment.getSeconds() >> 1)
    this.seconds = Math.min(Math.max(Math.floor(moment.getTime() / 1000), -(2 ** 31)), 2 ** 31 - 1)
  }

  local({ name, isPacked }: Written): Buffer {
    const fixed = [word(0x04034b50), half(VERSION), ...this.common(isPacked)]
    return Buffer.concat([...fixed, word(0), word(0), word(0), half(name.length), half(0), name])
  }

  sums(entry: Written): Buffer {
    const size = isInLargeForm(entry) ? long : word
    return Buffer.concat([word(0x08074b50), word(entry.crc), size(entry.packed), size(entry.bytes)])
  }

  central(entry: Written): Buffer {
    const { name, crc } = entry
    const isLarge = isInLargeForm(entry)
    const numbers = [entry.packed, entry.bytes, entry.offset]
    const [packed = 0, bytes = 0, offset = 0] = isLarge ? numbers.map(() => IN_LARGE_FORM) : numbers
    const stamp = [half(0x5455), half(5), Buffer.from([3]), word(this.seconds >>> 0)]
    const large = [half(1), half(24), long(entry.bytes), long(entry.packed), long(entry.offset)]
    const extra = Buffer.concat(isLarge ? [...stamp, ...large] : stamp)
    return Buffer.concat([
      ...[word(0x02014b50), half(MADE_BY), half(isLarge ? LARGE_VERSION : VERSION)],
      ...[...this.common(entry.isPacked), word(crc), word(packed), word(bytes)],
      ...[half(name.length), half(extra.length), half(0), half(0), half(0)],
      ...[word(ATTRIBUTES), word(offset), name, extra],
    ])
  }

  end({ count, size, offset }: { count: number; size: number; offset: number }): Buffer {
    const isLarge = count >= 0xffff || size > MOST || offset > MOST
    const plain = [
      ...[word(0x06054b50), half(0), half(0)],
      ...[half(Math.min(count, 0xffff)), half(Math.min(count, 0xffff))],
      ...[word(Math.min(size, IN_LARGE_FORM)), word(Math.min(offset, IN_LARGE_FORM)), half(0)],
    ]
    if (!isLarge) return Buffer.concat(plain)
    const large = [
      ...[word(0x06064b50), long(44), half(MADE_BY), half(LARGE_VERSION), word(0), word(0)],
      ...[long(count), long(count), long(size), long(offset)],
      ...[word(0x07064b50), word(0), long(offset + size), word(1)],
    ]
    return Buffer.concat([...large, ...plain])
  }

  private common(isPacked: boolean): Buffer[] {
    return [half(FLAGS), half(isPacked ? 0 : 8), half(this.time), half(this.date)]
  }
}

function isInLargeForm({ isLarge, bytes, packed, offset }: Written): boolean {
  return isLarge || bytes > MOST || packed > MOST || offset > MOST
}

function half(value: number): Buffer {
  const bytes = Buffer.alloc(2)
  bytes.writeUInt16LE(value)
  return bytes
}

function word(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}

function long(value: number): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64LE(BigInt(value))
  return bytes
}
