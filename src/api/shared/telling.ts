// One listener of server-sent events: what it is told, and what becomes of one that takes nothing.
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'

/** How often it is looked whether a slow listener has taken something. */
const LOOK_MS = 20

/** What a browser or device waits before it comes back. */
const RETRY = 'retry: 3000\n\n'

export const STREAM_HEADERS = {
  'cache-control': 'no-store',
  // proxies hold answers back otherwise
  'x-accel-buffering': 'no',
}

/** What one listener is told, each time only if it may still hear it. */
export class Telling {
  readonly stream = new Readable({ read: () => undefined })
  private readonly isGood: () => Promise<boolean>
  private readonly most: number
  private held: (string | Buffer)[] = []
  private heldBytes = 0
  private ended = false
  private refused = 0

  /** `most`: bytes that may wait; whoever takes nothing is told nothing more. */
  constructor(isGood: () => Promise<boolean>, most: number) {
    this.isGood = isGood
    this.most = most
    this.stream.push(RETRY)
  }

  get hasRoom(): boolean {
    return this.heldBytes + this.stream.readableLength <= this.most
  }

  /** Waits until there is room. False: the listener has taken nothing for so long. */
  async room(patienceMs: number): Promise<boolean> {
    const end = performance.now() + patienceMs
    while (!this.hasRoom && !this.stream.destroyed) {
      if (performance.now() > end) return false
      await sleep(LOOK_MS)
    }
    return true
  }

  /** False: there is no room, and nothing was taken. */
  say(text: string | Buffer): boolean {
    if (!this.hasRoom) return false
    if (this.ended || this.stream.destroyed) return true
    this.held.push(text)
    this.heldBytes += Buffer.byteLength(text)
    if (this.held.length === 1) void this.tell()
    return true
  }

  /** A listener that had no room twice is let go; it comes back with Last-Event-ID. */
  ping(): void {
    if (this.say(': ping\n\n')) this.refused = 0
    else if (this.refused > 0) this.stream.destroy()
    else this.refused = 1
  }

  /** Behind what was said. */
  end(): void {
    if (!this.ended && this.held.length === 0) this.stream.push(null)
    this.ended = true
  }

  private async tell(): Promise<void> {
    const good = await this.isGood()
    const { held } = this
    this.held = []
    this.heldBytes = 0
    if (this.stream.destroyed) return
    if (good) this.stream.push(joined(held))
    if (good && !this.ended) return
    this.ended = true
    this.stream.push(null)
  }
}

/** As one write; one that is shared with others is not copied. */
function joined(pieces: readonly (string | Buffer)[]): string | Buffer {
  const [first = ''] = pieces
  if (pieces.length < 2) return first
  return Buffer.concat(pieces.map((piece) => Buffer.from(piece)))
}
