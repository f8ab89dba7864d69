// Files of a bundle on their way: written beside their name, put there when they are whole.
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, open, rename } from 'node:fs/promises'
import { dirname } from 'node:path'

export interface Written {
  bytes: number
  /** Hexadecimal. */
  sha256: string
}

/** Numbers that two threads share: bytes written so far, and the wish to leave off. */
export class Gauge {
  readonly shared: SharedArrayBuffer
  private readonly cells: BigInt64Array

  constructor(shared = new SharedArrayBuffer(16)) {
    this.shared = shared
    this.cells = new BigInt64Array(shared)
  }

  add(bytes: number): void {
    Atomics.add(this.cells, 0, BigInt(bytes))
  }

  get bytes(): number {
    return Number(Atomics.load(this.cells, 0))
  }

  stop(): void {
    Atomics.store(this.cells, 1, 1n)
  }

  throwIfStopped(): void {
    if (Atomics.load(this.cells, 1) !== 0n) throw new Error('the work on the bundle was left off')
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
    gauge.throwIfStopped()
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
