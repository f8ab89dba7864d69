// An export in messages of equal size, and their way to a client that may be slow or gone.
import type { ServerWritableStream } from '@grpc/grpc-js'

const USUAL_BYTES = 4096
/** In messages a byte takes up to three; clients take 4 MiB unless told otherwise. */
export const MOST_BYTES = 64 * 1024

/** Cuts what is exported into pieces of `asked` bytes, the last may be shorter. */
export async function* piecesOf(
  body: AsyncIterable<string | Uint8Array>,
  asked: number,
): AsyncGenerator<Buffer, void, undefined> {
  const size = asked > 0 ? Math.min(asked, MOST_BYTES) : USUAL_BYTES
  let piece = Buffer.allocUnsafe(size)
  let filled = 0
  for await (const part of body) {
    const bytes = typeof part === 'string' ? Buffer.from(part) : part
    for (let at = 0; at < bytes.length; ) {
      const length = Math.min(size - filled, bytes.length - at)
      piece.set(bytes.subarray(at, at + length), filled)
      filled += length
      at += length
      if (filled < size) continue
      yield piece
      piece = Buffer.allocUnsafe(size)
      filled = 0
    }
  }
  if (filled > 0) yield piece.subarray(0, filled)
}

type Stream = ServerWritableStream<Buffer, Buffer>

/**
 * Sends the pieces as fast as they are taken; whoever leaves ends the export. A client that takes
 * nothing for so long is let go.
 */
export async function sendPieces(
  call: Stream,
  pieces: AsyncIterable<Buffer>,
  { silenceMs, letGo }: { silenceMs: number; letGo(): void },
): Promise<void> {
  for await (const piece of pieces) {
    if (call.cancelled) return
    if (call.write(piece)) continue
    if (!(await taken(call, silenceMs))) return letGo()
  }
  call.end()
}

/** True once there is room again or nobody waits any more, false when the client was silent. */
function taken(call: Stream, silenceMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    const done = (isTaken: boolean) => () => {
      clearTimeout(timer)
      call.off('drain', goOn)
      call.off('cancelled', goOn)
      resolve(isTaken)
    }
    const goOn = done(true)
    const timer = setTimeout(done(false), silenceMs)
    call.on('drain', goOn)
    call.on('cancelled', goOn)
    if (call.cancelled) goOn()
  })
}
