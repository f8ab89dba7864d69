// Files of a bundle on their way: written beside their name, put there when they are whole.
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { type FileHandle, mkdir, open, readFile, rename } from 'node:fs/promises'
import { dirname } from 'node:path'
import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { BlockPacker } from '../../../lib/zip-blocks.js'

export interface Written {
  bytes: number
  /** Hexadecimal. */
  sha256: string
  /** It lies there packed: its size so, and the sum that an archive wants of the plain bytes. */
  packed?: { size: number; crc: number }
}

/** Of the archive: a tenth larger than with the usual one, in half of the time. */
export const LEVEL = 3

/** Cells of a gauge. */
const [BYTES, STOP, HELD, RESTS] = [0, 1, 2, 3]
const CELLS = 4
const NOBODY = -1n
/** How often one that is held looks whether it may go on. */
const HELD_MS = 50
/** Of its time, work that rests takes a fifth. */
const REST = 4
/** Longest rest, however long the piece of work took. */
const REST_MS = 200

/**
 * Numbers that threads share: bytes written so far, the wish to leave off, the lane whose work is
 * to wait for the other one's, and whether work rests.
 */
export class Gauge {
  readonly shared: SharedArrayBuffer
  private readonly cells: BigInt64Array
  private readonly lane: bigint
  private wentOn = performance.now()

  constructor(shared?: SharedArrayBuffer, lane = 0) {
    this.shared = shared ?? new SharedArrayBuffer(CELLS * BigInt64Array.BYTES_PER_ELEMENT)
    this.cells = new BigInt64Array(this.shared)
    this.lane = BigInt(lane)
    if (shared === undefined) this.hold(undefined)
  }

  add(bytes: number): void {
    Atomics.add(this.cells, BYTES, BigInt(bytes))
  }

  get bytes(): number {
    return Number(Atomics.load(this.cells, BYTES))
  }

  stop(): void {
    Atomics.store(this.cells, STOP, 1n)
  }

  /** Undefined: nobody has to wait. */
  hold(lane: number | undefined): void {
    Atomics.store(this.cells, HELD, lane === undefined ? NOBODY : BigInt(lane))
  }

  /**
   * A thread's low priority is not that of the process of PostgreSQL that reads for it: while
   * others are to be answered, it asks for a fifth as much.
   */
  rest(isWanted: boolean): void {
    Atomics.store(this.cells, RESTS, isWanted ? 1n : 0n)
  }

  /** To be called between pieces of work: resolves when it may go on, throws when it is to end. */
  async goOn(): Promise<void> {
    if (Atomics.load(this.cells, RESTS) !== 0n) {
      await sleep(Math.min(REST * (performance.now() - this.wentOn), REST_MS))
    }
    await this.free()
    this.wentOn = performance.now()
  }

  private async free(): Promise<void> {
    for (;;) {
      if (Atomics.load(this.cells, STOP) !== 0n) {
        throw new Error('the work on the bundle was left off')
      }
      if (Atomics.load(this.cells, HELD) !== this.lane) return
      await sleep(HELD_MS)
    }
  }
}

/** Pieces become writes of this size, whatever size they have. */
const BLOCK_BYTES = 256 * 1024

type Pieces = AsyncIterable<string | Uint8Array>

/** The file has its name when its last byte is on the disk, and never before. */
export async function writePart(path: string, pieces: Pieces, gauge: Gauge): Promise<Written> {
  const { bytes, sha256 } = await written(path, pieces, { gauge })
  return { bytes, sha256 }
}

/** The same as the archive will have it: it is never there as it was. */
export async function writePacked(path: string, pieces: Pieces, gauge: Gauge): Promise<Written> {
  const packer = new BlockPacker(LEVEL)
  const { bytes, sha256, size } = await written(path, pieces, { gauge, packer })
  return { bytes, sha256, packed: { size, crc: packer.crc } }
}

interface Form {
  gauge: Gauge
  packer?: BlockPacker
}

async function written(
  path: string,
  pieces: Pieces,
  form: Form,
): Promise<Written & { size: number }> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const file = await open(`${path}.part`, 'w', 0o600)
  const blocks = new Blocks(file, form)
  try {
    for await (const piece of pieces) {
      await blocks.add(piece)
    }
    await blocks.end()
    await file.sync()
  } finally {
    await blocks.settled()
    await file.close()
  }
  await rename(`${path}.part`, path)
  return blocks.written
}

/** A block begins so small, and grows for files that need it: most bundles have many small ones. */
const FIRST_BYTES = 2 * 1024
/** A letter of a text has three bytes at most. */
const LETTER_BYTES = 3
/** So many letters are written at once. */
const LETTERS = 32 * 1024
/** A block, and the piece that has made it full. */
const WHOLE_BYTES = BLOCK_BYTES + LETTERS * LETTER_BYTES

/** What comes in pieces, written in blocks; one of them is on its way while the next one fills. */
class Blocks {
  private readonly file: FileHandle
  private readonly form: Form
  private readonly hash = createHash('sha256')
  /** The block that fills, and room for the piece that makes it full. */
  private filling: Buffer = Buffer.allocUnsafe(FIRST_BYTES)
  /** Of what is written as it is: the block that is on its way, or was. */
  private other: Buffer | undefined
  private filled = 0
  private bytes = 0
  private size = 0
  private last: Promise<PromiseSettledResult<void>[]> = Promise.resolve([])

  constructor(file: FileHandle, form: Form) {
    this.file = file
    this.form = form
  }

  async add(piece: string | Uint8Array): Promise<void> {
    for (let at = 0; at < piece.length; ) {
      at += typeof piece === 'string' ? this.addText(piece, at) : this.addBytes(piece, at)
      if (this.filled >= BLOCK_BYTES) await this.full()
    }
  }

  async end(): Promise<void> {
    await this.put(this.filling.subarray(0, this.filled))
    const { packer } = this.form
    if (packer !== undefined) await this.next(() => this.write(packer.end))
    await this.next(async () => undefined)
  }

  /** What is on its way has ended, however it did. */
  async settled(): Promise<void> {
    await this.last
  }

  get written(): Written & { size: number } {
    return { bytes: this.bytes, sha256: this.hash.digest('hex'), size: this.size }
  }

  /** How many letters were taken. */
  private addText(text: string, from: number): number {
    let end = Math.min(text.length, from + LETTERS)
    // both halves of a letter stay together
    if (end < text.length && isFirstHalf(text.charCodeAt(end - 1))) end -= 1
    const part = end - from === text.length ? text : text.slice(from, end)
    this.room(part.length * LETTER_BYTES)
    this.filled += this.filling.write(part, this.filled)
    return end - from
  }

  private addBytes(bytes: Uint8Array, from: number): number {
    const part = bytes.subarray(from, from + LETTERS)
    this.room(part.length)
    this.filling.set(part, this.filled)
    this.filled += part.length
    return part.length
  }

  private room(bytes: number): void {
    const { filling, filled } = this
    const needed = filled + bytes
    if (needed <= filling.length) return
    const size = Math.min(WHOLE_BYTES, Math.max(needed, 2 * filling.length))
    this.filling = Buffer.allocUnsafe(size)
    filling.copy(this.filling, 0, 0, filled)
  }

  private async full(): Promise<void> {
    const { filling, filled } = this
    await this.put(filling.subarray(0, BLOCK_BYTES))
    if (this.form.packer === undefined) {
      // this one is on its way; the one before it has been written, see next()
      this.filling = this.other ?? Buffer.allocUnsafe(WHOLE_BYTES)
      this.other = filling
    }
    this.filled = filling.copy(this.filling, 0, BLOCK_BYTES, filled)
  }

  private async put(block: Buffer): Promise<void> {
    const { gauge, packer } = this.form
    await gauge.goOn()
    this.hash.update(block)
    this.bytes += block.length
    gauge.add(block.length)
    const bytes = packer === undefined ? block : packer.pack(block)
    await this.next(() => this.write(bytes))
  }

  /** Throws what the step before has thrown. */
  private async next(step: () => Promise<void>): Promise<void> {
    for (const end of await this.last) if (end.status === 'rejected') throw end.reason
    this.last = Promise.allSettled([step()])
  }

  private async write(bytes: Uint8Array): Promise<void> {
    this.size += bytes.length
    await this.file.writeFile(bytes)
  }
}

const isFirstHalf = (code: number): boolean => code >= 0xd800 && code < 0xdc00

/** Of a file of this size, in blocks. */
export function bytesOf(path: string, size: number): AsyncIterable<Uint8Array> {
  if (size > BLOCK_BYTES) return createReadStream(path, { highWaterMark: BLOCK_BYTES })
  return inOnePiece(path)
}

/** No more memory than it has bytes. */
async function* inOnePiece(path: string): AsyncGenerator<Uint8Array, void, undefined> {
  yield await readFile(path)
}
