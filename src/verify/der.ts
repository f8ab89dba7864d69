// A strict reader of DER elements, as far as log messages need it: one-byte tags, definite lengths,
// and the one indefinite form that TR-03151 allows.

/** What is wrong with the bytes; becomes a finding. */
export class DerFault extends Error {}

export interface Element {
  tag: number
  content: Buffer
  /** Offset behind the element, in the bytes that were read. */
  end: number
}

const INDEFINITE = 0x80
const MAX_LENGTH_BYTES = 4

export class DerReader {
  private readonly bytes: Buffer
  at = 0

  constructor(bytes: Buffer) {
    this.bytes = bytes
  }

  get done(): boolean {
    return this.at >= this.bytes.length
  }

  /** The next tag, or undefined at the end. */
  peek(): number | undefined {
    return this.bytes[this.at]
  }

  /** The next element, which must have this tag. */
  read(tag: number, name: string): Buffer {
    const found = this.peek()
    if (found !== tag) throw new DerFault(`${name} with tag ${hex(tag)}, found ${hexOf(found)}`)
    this.at += 1
    return this.take(this.length(name), name)
  }

  /** The next element, whichever it is. */
  any(name: string): { tag: number; content: Buffer } {
    const tag = this.peek()
    if (tag === undefined) throw new DerFault(`${name}, found the end`)
    return { tag, content: this.read(tag, name) }
  }

  /** A or B: a constructed value of octet strings, ended by two zero bytes. */
  readIndefinite(tag: number, name: string): Buffer {
    if (this.peek() !== tag) throw new DerFault(`${name} with tag ${hex(tag)}`)
    this.at += 1
    if (this.bytes[this.at] !== INDEFINITE) throw new DerFault(`${name} of indefinite length`)
    this.at += 1
    const parts: Buffer[] = []
    while (this.peek() === 0x04) parts.push(this.read(0x04, `a part of ${name}`))
    if (this.take(2, `the end of ${name}`).readUInt16BE(0) !== 0) {
      throw new DerFault(`octet strings in ${name}, then 00 00`)
    }
    return Buffer.concat(parts)
  }

  /** Nothing may follow. */
  end(name: string): void {
    if (!this.done)
      throw new DerFault(`the end of ${name}, found ${this.bytes.length - this.at} more bytes`)
  }

  private length(name: string): number {
    const first = this.take(1, `the length of ${name}`).readUInt8(0)
    if (first < 0x80) return first
    const count = first & 0x7f
    if (count === 0 || count > MAX_LENGTH_BYTES) {
      throw new DerFault(`a definite length of ${name}, found ${hex(first)}`)
    }
    const length = this.take(count, `the length of ${name}`).readUIntBE(0, count)
    const least = count === 1 ? 0x80 : 2 ** (8 * (count - 1))
    if (length < least) throw new DerFault(`the shortest form of the length of ${name}`)
    return length
  }

  private take(count: number, name: string): Buffer {
    if (this.at + count > this.bytes.length) {
      throw new DerFault(`${name}, found only ${this.bytes.length - this.at} of ${count} bytes`)
    }
    const part = this.bytes.subarray(this.at, this.at + count)
    this.at += count
    return part
  }
}

/** A non-negative INTEGER in its shortest form that a count can be. */
export function integer(content: Buffer, name: string): number {
  const [first, second] = content
  if (first === undefined) throw new DerFault(`digits in ${name}, found none`)
  if (first >= 0x80) throw new DerFault(`${name} of at least 0, found a negative number`)
  if (first === 0 && second !== undefined && second < 0x80) {
    throw new DerFault(`the shortest form of ${name}`)
  }
  const value = BigInt(`0x${content.toString('hex')}`)
  if (value > BigInt(Number.MAX_SAFE_INTEGER)) throw new DerFault(`${name} below 2^53`)
  return Number(value)
}

const PRINTABLE = /^[A-Za-z0-9 '()+,\-./:=?]*$/

/** A PrintableString by X.680. */
export function printable(content: Buffer, name: string): string {
  const text = content.toString('latin1')
  if (!PRINTABLE.test(text)) throw new DerFault(`${name} as PrintableString`)
  return text
}

/** Printable ASCII: real client ids use more than X.680 allows. */
export function ascii(content: Buffer, name: string): string {
  const text = content.toString('latin1')
  if (!/^[\x20-\x7e]*$/.test(text)) throw new DerFault(`${name} in printable ASCII`)
  return text
}

function hex(value: number): string {
  return value.toString(16).padStart(2, '0')
}

function hexOf(value: number | undefined): string {
  return value === undefined ? 'the end' : hex(value)
}
