// Files of a bundle on their way: written beside their name, put there when they are whole.
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, open, rename } from 'node:fs/promises'
import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

export interface Written {
  bytes: number
  /** Hexadecimal. */
  sha256: string
}

/** Cells of a gauge. */
const [BYTES, STOP, HELD] = [0, 1, 2]
const NOBODY = -1n
/** How often one that is held looks whether it may go on. */
const HELD_MS = 50

/**
 * Numbers that threads share: bytes written so far, the wish to leave off, and the lane whose work
 * is to wait for the other one's.
 */
export class Gauge {
  readonly shared: SharedArrayBuffer
  private readonly cells: BigInt64Array
  private readonly lane: bigint

  constructor(shared?: SharedArrayBuffer, lane = 0) {
    this.shared = shared ?? new SharedArrayBuffer(24)
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

  /** To be called between pieces of work: resolves when it may go on, throws when it is to end. */
  async goOn(): Promise<void> {
    for (;;) {
      if (Atomics.load(this.cells, STOP) !== 0n) {
        throw new Error('the work on the bundle was left off')
      }
      if (Atomics.load(this.cells, HELD) !== this.lane) return
      await sleep(HELD_MS)
    }
  }
}

/** Pieces become writes of about this size. */
const WRITE_BYTES = 256 * 1024

/** The file has its name when its last byte is on the disk, and never before. */
export async function writePart(
  path: string,
  pieces: AsyncIterable<string | Uint8Array>,
  gauge: Gauge,
): Promise<Written> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const hash = createHash('sha256')
  const file = await open(`${path}.part`, 'w', 0o600)
  let bytes = 0
  let waiting: Buffer[] = []
  let size = 0
  const flush = async () => {
    await gauge.goOn()
    const joined = Buffer.concat(waiting)
    waiting = []
    size = 0
    hash.update(joined)
    await file.writeFile(joined)
    bytes += joined.length
    gauge.add(joined.length)
  }
  try {
    for await (const piece of pieces) {
      const buffer = typeof piece === 'string' ? Buffer.from(piece, 'utf8') : Buffer.from(piece)
      waiting.push(buffer)
      size += buffer.length
      if (size >= WRITE_BYTES) await flush()
    }
    await flush()
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(`${path}.part`, path)
  return { bytes, sha256: hash.digest('hex') }
}

export function bytesOf(path: string): AsyncIterable<Uint8Array> {
  return createReadStream(path, { highWaterMark: WRITE_BYTES })
}
