// Texts and bytes of any size as pieces of one size, whose memory may be given away.
import { PIECE_BYTES } from './protocol.js'

/** A piece waits no longer than so many milliseconds for what comes behind it. */
const PATIENCE_MS = 100

export async function* piecesOf(
  body: AsyncIterable<string | Uint8Array>,
): AsyncGenerator<Uint8Array, void, undefined> {
  const writer = new PieceWriter()
  let last = performance.now()
  for await (const part of body) {
    yield* writer.write(part)
    const now = performance.now()
    if (now - last > PATIENCE_MS) yield* writer.end()
    last = now
  }
  yield* writer.end()
}

const encoder = new TextEncoder()
/** Bytes that a letter takes at most. */
const WIDEST = 4

class PieceWriter {
  private piece = new Uint8Array(PIECE_BYTES)
  private filled = 0

  /** What has become full. */
  write(part: string | Uint8Array): Uint8Array[] {
    const full: Uint8Array[] = []
    for (let at = 0; at < part.length; ) {
      at += typeof part === 'string' ? this.encode(part, at) : this.copy(part, at)
      if (this.filled > PIECE_BYTES - WIDEST) full.push(this.cut())
    }
    return full
  }

  end(): Uint8Array[] {
    return this.filled > 0 ? [this.cut()] : []
  }

  private encode(text: string, at: number): number {
    const rest = at === 0 ? text : text.slice(at)
    const { read, written } = encoder.encodeInto(rest, this.piece.subarray(this.filled))
    this.filled += written
    return read
  }

  private copy(bytes: Uint8Array, at: number): number {
    const part = bytes.subarray(at, at + PIECE_BYTES - this.filled)
    this.piece.set(part, this.filled)
    this.filled += part.length
    return part.length
  }

  private cut(): Uint8Array {
    const full = this.piece.subarray(0, this.filled)
    this.piece = new Uint8Array(PIECE_BYTES)
    this.filled = 0
    return full
  }
}
