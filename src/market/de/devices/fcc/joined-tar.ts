// Several TAR files as one, while they come: what marks the end of a file stands behind the last
// one alone, and members that each of them has (certificates, info) are there once.
import { DeviceError } from '../../../../device/device.js'

const BLOCK = 512
const NAME = 100
const SIZE = { from: 124, to: 136 } as const
const TYPE = 156
/** Of a plain file: `0`, or nothing in old files. */
const PLAIN: ReadonlySet<number> = new Set([0x30, 0])
/** Messages have numbers of their own. */
const MESSAGE = /_Sig-\d+_Log-/

export class JoinedTar {
  private readonly sink: (part: Buffer) => Promise<void> | undefined
  private readonly seen = new Set<string>()
  private head: Buffer = Buffer.alloc(0)
  /** Bytes of the member under way, up to its last block. */
  private left = 0
  private isKept = true
  /** What stands before a member concerns it: it is not left out. */
  private isDescribed = false
  private isOver = false

  constructor(sink: (part: Buffer) => Promise<void> | undefined) {
    this.sink = sink
  }

  /** Throws DeviceError for what is no TAR. */
  async write(bytes: Buffer): Promise<void> {
    for (let at = 0; at < bytes.length && !this.isOver; ) {
      if (this.left > 0) {
        const part = bytes.subarray(at, at + this.left)
        at += part.length
        this.left -= part.length
        if (this.isKept) await this.sink(part)
        continue
      }
      const part = bytes.subarray(at, at + BLOCK - this.head.length)
      at += part.length
      this.head = Buffer.concat([this.head, part])
      if (this.head.length === BLOCK) await this.member(this.head)
    }
  }

  /** The next file follows. */
  next(): void {
    if (this.left > 0 || this.head.length > 0) throw wrong()
    this.isOver = false
  }

  async end(): Promise<void> {
    await this.sink(Buffer.alloc(2 * BLOCK))
  }

  private async member(head: Buffer): Promise<void> {
    this.head = Buffer.alloc(0)
    if (head.every((byte) => byte === 0)) {
      this.isOver = true
      return
    }
    const size = sizeOf(head)
    const name = head.toString('latin1', 0, NAME).split('\0')[0] ?? ''
    const isPlain = PLAIN.has(head[TYPE] ?? 0)
    const isRepeated = isPlain && !this.isDescribed && this.seen.has(name)
    if (isPlain && !MESSAGE.test(name)) this.seen.add(name)
    this.isDescribed = !isPlain
    this.isKept = !isRepeated
    this.left = Math.ceil(size / BLOCK) * BLOCK
    if (this.isKept) await this.sink(head)
  }
}

/** Octal digits. */
function sizeOf(head: Buffer): number {
  const text = head.toString('latin1', SIZE.from, SIZE.to).replaceAll(/[\0 ]/g, '')
  if (/^[0-7]{1,12}$/.test(text)) return Number.parseInt(text, 8)
  throw wrong()
}

function wrong(): DeviceError {
  return new DeviceError('the export of the device is no TAR', { kind: 'refused' })
}
