// PNG files of greys.
import { constants, crc32, deflateRawSync } from 'node:zlib'

interface Png {
  width: number
  height: number
  /** Bits of a pixel: 1, 4 or 8; all set is white. */
  depth: number
  /** The lines as a zlib stream, each behind its filter byte. */
  data: Buffer
}

const SIGNATURE = Buffer.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)

/** Signature and IHDR: other chunks may follow. */
export const PNG_HEAD_BYTES = SIGNATURE.length + 25

/** A text that goes with the picture (PNG specification, 11.3.4.3); both in ASCII. */
export function pngText(name: string, text: string): Buffer {
  return chunk('tEXt', Buffer.from(`${name}\0${text}`, 'latin1'))
}

/** A text that stands first of all. */
export function textBehindHead(png: Buffer, name: string): string | undefined {
  if (png.length < PNG_HEAD_BYTES + 8) return undefined
  const start = PNG_HEAD_BYTES + 8
  const type = png.toString('latin1', start - 4, start)
  const text = png.toString('latin1', start, start + png.readUInt32BE(PNG_HEAD_BYTES))
  const begin = `${name}\0`
  return type === 'tEXt' && text.startsWith(begin) ? text.slice(begin.length) : undefined
}

export function pngFile({ width, height, depth, data }: Png): Buffer {
  const end = Buffer.alloc(0)
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', headerOf(width, height, depth)),
    chunk('IDAT', data),
    chunk('IEND', end),
  ])
}

/** Colour type 0 is grey (PNG specification, 11.2.2). */
function headerOf(width: number, height: number, depth: number): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header[8] = depth
  return header
}

function chunk(type: string, data: Buffer): Buffer {
  const head = Buffer.alloc(8)
  head.writeUInt32BE(data.length, 0)
  head.write(type, 4, 'latin1')
  const check = Buffer.alloc(4)
  check.writeUInt32BE(crc32(data, crc32(type)), 0)
  return Buffer.concat([head, data, check])
}

/** Compressed piece by piece: a picture of any length takes little memory. */
export class LineStream {
  readonly #level: number
  #waiting: Buffer[] = []
  #bytes = 0
  #parts: Buffer[] = [Buffer.of(0x78, 0x9c)]
  #sum: [low: number, high: number] = [1, 0]

  constructor(level: number) {
    this.#level = level
  }

  add(lines: Buffer): void {
    this.#waiting.push(lines)
    this.#bytes += lines.length
    if (this.#bytes >= PIECE) this.#compress(constants.Z_SYNC_FLUSH)
  }

  /** The whole as a zlib stream (RFC 1950). */
  end(): Buffer {
    this.#compress(constants.Z_FINISH)
    const check = Buffer.alloc(4)
    const [low, high] = this.#sum
    check.writeUInt16BE(high, 0)
    check.writeUInt16BE(low, 2)
    return Buffer.concat([...this.#parts, check])
  }

  #compress(finishFlush: number): void {
    const piece = Buffer.concat(this.#waiting)
    this.#waiting = []
    this.#bytes = 0
    this.#sum = adler32(piece, this.#sum)
    this.#parts.push(deflateRawSync(piece, { level: this.#level, finishFlush }))
  }
}

const PIECE = 1 << 20

/** Greatest number of bytes after which the sums still fit (RFC 1950, 9). */
const SAFE = 3800

function adler32(data: Buffer, [low, high]: readonly [number, number]): [number, number] {
  let a = low
  let b = high
  for (let start = 0; start < data.length; start += SAFE) {
    const end = Math.min(data.length, start + SAFE)
    for (let at = start; at < end; at += 1) {
      a += data[at] ?? 0
      b += a
    }
    a %= 65521
    b %= 65521
  }
  return [a, b]
}
