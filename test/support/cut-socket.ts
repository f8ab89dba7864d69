// Connections that end in the middle of what they send or of what they are told.
import { connect } from 'node:net'

/** In order, with the client still listening; or gone, without a word. */
export type End = 'ended' | 'reset'

const PATIENCE_MS = 20_000

/**
 * Sends these bytes and then ends the connection. The status of the answer, of HTTP/1.1; 0: there
 * was none. Rejects when the server does not end it as well.
 */
export function sendEnding(url: string, bytes: Buffer, end: End): Promise<number> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve, reject) => {
    const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true })
    let text = ''
    const late = setTimeout(() => {
      socket.destroy()
      reject(new Error(`the connection was kept open; it had told: ${text}`))
    }, PATIENCE_MS)
    socket.on('connect', () => {
      socket.write(bytes, () => {
        if (end === 'ended') socket.end()
        // on a turn of its own: what was written reaches the server before the reset
        else setImmediate(() => setImmediate(() => socket.resetAndDestroy()))
      })
    })
    socket.on('data', (piece) => {
      text += piece.toString('latin1')
    })
    socket.on('end', () => socket.end())
    socket.on('error', () => socket.destroy())
    socket.on('close', () => {
      clearTimeout(late)
      resolve(Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? 0))
    })
  })
}

const SILENCE_MS = 3_000

/**
 * Sends these bytes, and is gone when so many bytes of the answer have come, or when nothing more
 * comes. How many came.
 */
export function readUntil(
  url: string,
  bytes: Buffer,
  { most, silenceMs = SILENCE_MS }: { most: number; silenceMs?: number },
): Promise<number> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve) => {
    const socket = connect({ host: hostname, port: Number(port), timeout: silenceMs })
    let read = 0
    socket.on('connect', () => socket.write(bytes))
    socket.on('data', (piece) => {
      read += piece.length
      if (read >= most) socket.resetAndDestroy()
    })
    socket.on('timeout', () => socket.resetAndDestroy())
    socket.on('error', () => socket.destroy())
    socket.on('close', () => resolve(read))
  })
}
