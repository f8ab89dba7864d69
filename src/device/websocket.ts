// Text messages over a WebSocket, on a connection that was made behind the guard.
import type { Socket } from 'node:net'
import { WebSocket } from 'ws'

export interface TextLine {
  send(text: string): void
  /** The next message. Rejects with Error when the line ends first, or behind so much time. */
  next(timeoutMs: number): Promise<string>
  close(): void
}

const MOST_MESSAGE_BYTES = 1024 * 1024

/** `address`: ws://host:port/path, as the other side shall see it. Rejects with Error. */
export async function openTextLine(
  socket: Socket,
  { address, timeoutMs }: { address: string; timeoutMs: number },
): Promise<TextLine> {
  const web = new WebSocket(address, {
    createConnection: () => socket,
    maxPayload: MOST_MESSAGE_BYTES,
    perMessageDeflate: false,
    followRedirects: false,
  })
  const line = new Line(web)
  // the library's own limit is for connections that it makes itself
  const timer = setTimeout(() => line.giveUp(), Math.max(1, Math.ceil(timeoutMs)))
  try {
    await line.opened
  } finally {
    clearTimeout(timer)
  }
  return line
}

class Line implements TextLine {
  readonly opened: Promise<void>
  private readonly web: WebSocket
  private readonly messages: string[] = []
  private end: string | undefined
  private wake: (() => void) | undefined

  constructor(web: WebSocket) {
    this.web = web
    this.opened = new Promise((resolve, reject) => {
      web.once('open', () => resolve())
      web.once('close', () => reject(new Error(this.end ?? 'closed')))
    })
    web.on('message', (data) => {
      this.messages.push(String(data))
      this.wake?.()
    })
    web.on('error', (error) => this.stop(error.message))
    web.on('close', () => this.stop('the other side has closed the line'))
  }

  giveUp(): void {
    this.stop('the line was not opened in time')
    this.web.terminate()
  }

  private stop(reason: string): void {
    this.end ??= reason
    this.wake?.()
  }

  send(text: string): void {
    if (this.web.readyState === WebSocket.OPEN) this.web.send(text)
  }

  async next(timeoutMs: number): Promise<string> {
    if (this.messages.length === 0 && this.end === undefined) await this.arrival(timeoutMs)
    const text = this.messages.shift()
    if (text !== undefined) return text
    throw new Error(this.end ?? `no message within ${Math.round(timeoutMs)} ms`)
  }

  private arrival(timeoutMs: number): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer)
        this.wake = undefined
        resolve()
      }
      const timer = setTimeout(done, timeoutMs)
      this.wake = done
    })
  }

  /** Nobody waits for the farewell of the other side. */
  close(): void {
    this.web.close()
    this.web.terminate()
  }
}
