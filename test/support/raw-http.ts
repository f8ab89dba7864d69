// Bytes on a socket, for what no HTTP client would send.
import { connect, type Socket } from 'node:net'

export interface RawAnswer {
  /** Everything that came until the server closed the connection. */
  text: string
  status: number
  /** Bytes that were sent until then. */
  sent: number
}

export interface RawCall {
  /** Sent at once. */
  head: string | Buffer
  /** Called again and again while the connection is open; undefined: nothing more is sent. */
  more?: () => string | Buffer | undefined
  /**
   * What happens behind the head: the client says that nothing follows and listens (`fin`), or its
   * connection is gone (`gone`).
   */
  then?: 'fin' | 'gone'
  /** Milliseconds between two pieces; without it as fast as the server reads. */
  pauseMs?: number
}

/** Resolves when the server has closed the connection. */
export function sendRaw(url: string, { head, more, pauseMs, then }: RawCall): Promise<RawAnswer> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve) => {
    const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true })
    const chunks: Buffer[] = []
    let sent = 0
    const write = (piece: string | Buffer) => {
      sent += Buffer.byteLength(piece)
      return socket.write(piece)
    }
    socket.on('connect', () => {
      write(head)
      if (more !== undefined) feed(socket, { more, write, pauseMs })
      if (then === 'fin') socket.end()
      if (then === 'gone') socket.resetAndDestroy()
    })
    socket.on('data', (chunk) => chunks.push(chunk))
    socket.on('end', () => socket.end())
    // the server may close while we are still sending
    socket.on('error', () => socket.destroy())
    socket.on('close', () => {
      const text = Buffer.concat(chunks).toString('latin1')
      resolve({ text, status: Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? 0), sent })
    })
  })
}

interface Feed {
  more: () => string | Buffer | undefined
  write(piece: string | Buffer): boolean
  pauseMs: number | undefined
}

function feed(socket: Socket, { more, write, pauseMs }: Feed): void {
  const next = () => {
    if (socket.destroyed || socket.writableEnded) return
    const piece = more()
    if (piece === undefined) return
    const open = write(piece)
    if (pauseMs !== undefined) setTimeout(next, pauseMs)
    else if (open) setImmediate(next)
    else socket.once('drain', next)
  }
  next()
}

/** A request as text; the body is added as it is. */
export function requestText(
  path: string,
  headers: Record<string, string>,
  body: string = '',
): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  return `POST ${path} HTTP/1.1\r\nhost: localhost\r\n${lines.join('')}\r\n${body}`
}
