// The wire of Protocol Buffers: tags, numbers of 64 bits without loss, texts that are UTF-8. Strict
// where the generated readers guess.
import { isUtf8 } from 'node:buffer'

/** The kinds of values that proto3 knows; 3 and 4 are the groups of its forerunner. */
export const WIRE = { varint: 0, fixed64: 1, bytes: 2, group: 3, groupEnd: 4, fixed32: 5 } as const
const KINDS: readonly string[] = [
  'a number',
  'eight bytes',
  'a length',
  'a group',
  'the end of a group',
  'four bytes',
]

/** Why bytes are no message. */
export class ProtoError extends Error {
  override name = 'ProtoError'
}

/** Field numbers end here. */
const MOST_FIELDS = 2 ** 29 - 1
const MOST_GROUPS = 32
const TWO_32 = 2 ** 32

/** Reads one message, field by field, and those inside of it between `enter` and `leave`. */
export class ProtoReader {
  /** Of the tag that was read last. */
  field = 0
  wire = 0
  /** The upper 32 bits of the number that was read last. */
  high = 0
  private readonly bytes: Buffer
  private at = 0
  private end: number

  constructor(bytes: Buffer) {
    this.bytes = bytes
    this.end = bytes.length
  }

  /** Goes to the next field; false at the end of the message. */
  next(): boolean {
    if (this.at >= this.end) return false
    const tag = this.varint()
    this.field = Math.floor(tag / 8)
    this.wire = tag % 8
    if (this.high !== 0 || this.field === 0 || this.field > MOST_FIELDS) {
      throw new ProtoError('it has a field without a number')
    }
    return true
  }

  /** The message that is the value of this field begins; gives what `leave` wants. */
  enter(): number {
    const outer = this.end
    this.end = this.span()
    return outer
  }

  leave(outer: number): void {
    this.at = this.end
    this.end = outer
  }

  /** Signed, of 64 bits. */
  int64(): bigint {
    return BigInt.asIntN(64, this.uint64())
  }

  uint64(): bigint {
    const low = this.low32()
    return this.high === 0 ? BigInt(low) : (BigInt(this.high) << 32n) | BigInt(low)
  }

  /** Of the kind that has its sign in the last bit. */
  sint64(): bigint {
    const value = this.uint64()
    return (value & 1n) === 0n ? value >> 1n : -((value + 1n) >> 1n)
  }

  /** The lower 32 bits; the others are in `high`. */
  low32(): number {
    if (this.wire !== WIRE.varint) throw this.unexpected(WIRE.varint)
    return this.varint()
  }

  text(): string {
    const end = this.span()
    const from = this.at
    this.at = end
    for (let at = from; at < end; at += 1) {
      if ((this.bytes[at] ?? 0) < 0x80) continue
      const part = this.bytes.subarray(from, end)
      if (!isUtf8(part)) throw new ProtoError('a text is no UTF-8')
      return part.toString('utf8')
    }
    return this.bytes.toString('latin1', from, end)
  }

  /** Passes by the value of a field that is not known. */
  skip(): void {
    if (this.wire === WIRE.group) this.skipGroup()
    else this.skipValue()
  }

  private skipGroup(): void {
    const open = [this.field]
    while (open.length > 0) {
      if (open.length > MOST_GROUPS) throw new ProtoError('groups are nested too deep')
      if (!this.next()) throw new ProtoError('it ends inside of a group')
      if (this.wire === WIRE.group) open.push(this.field)
      else if (this.wire !== WIRE.groupEnd) this.skipValue()
      else if (open.pop() !== this.field) throw new ProtoError('a group ends that never began')
    }
  }

  private skipValue(): void {
    if (this.wire === WIRE.varint) this.varint()
    else if (this.wire === WIRE.bytes) this.at = this.span()
    else if (this.wire === WIRE.fixed64) this.at = this.endOf(8)
    else if (this.wire === WIRE.fixed32) this.at = this.endOf(4)
    else throw new ProtoError(`field ${this.field} has a kind that does not exist`)
  }

  private endOf(length: number): number {
    if (length > this.end - this.at) throw new ProtoError('it ends in the middle of a value')
    return this.at + length
  }

  /** Where the value ends that begins here. */
  private span(): number {
    if (this.wire !== WIRE.bytes) throw this.unexpected(WIRE.bytes)
    const length = this.varint()
    return this.endOf(this.high === 0 ? length : Number.POSITIVE_INFINITY)
  }

  private unexpected(expected: number): ProtoError {
    const found = KINDS[this.wire] ?? 'a kind that does not exist'
    return new ProtoError(`field ${this.field} is ${found}, not ${KINDS[expected]}`)
  }

  /** The lower half; the upper one is left in `high`. */
  private varint(): number {
    this.high = 0
    const first = this.at < this.end ? (this.bytes[this.at] ?? 0) : 0x80
    // most tags, lengths and scales
    if (first >= 0x80) return this.longVarint()
    this.at += 1
    return first
  }

  private longVarint(): number {
    let low = 0
    for (let index = 0; index < 10; index += 1) {
      if (this.at >= this.end) throw new ProtoError('it ends in the middle of a value')
      const byte = this.bytes[this.at] ?? 0
      this.at += 1
      const seven = byte & 0x7f
      if (index < 4) low += seven << (7 * index)
      else if (index === 4) {
        low += (seven & 0xf) * 2 ** 28
        this.high = seven >> 4
      } else this.high += (seven * 2 ** (7 * index - 32)) % TWO_32
      if (byte < 0x80) {
        this.high %= TWO_32
        return low
      }
    }
    throw new ProtoError('a number is longer than ten bytes')
  }
}

const START_BYTES = 1024

/** Writes one message; what is 0 or empty is left to the caller. */
export class ProtoWriter {
  private bytes = Buffer.allocUnsafe(START_BYTES)
  private at = 0

  int64(field: number, value: bigint): void {
    this.tag(field, WIRE.varint)
    this.varint(BigInt.asUintN(64, value))
  }

  /** With the sign in the last bit. */
  sint64(field: number, value: bigint): void {
    this.tag(field, WIRE.varint)
    this.varint(value < 0n ? -value * 2n - 1n : value * 2n)
  }

  uint32(field: number, value: number): void {
    this.tag(field, WIRE.varint)
    this.small(value)
  }

  text(field: number, text: string): void {
    this.tag(field, WIRE.bytes)
    this.room(text.length * 3)
    this.sized(() => {
      this.at += this.bytes.write(text, this.at, 'utf8')
    })
  }

  message(field: number, content: () => void): void {
    this.tag(field, WIRE.bytes)
    this.sized(content)
  }

  finish(): Buffer {
    return this.bytes.subarray(0, this.at)
  }

  /** Content behind its length; most are short, longer ones are moved to make room for it. */
  private sized(content: () => void): void {
    this.room(1)
    const start = this.at + 1
    this.at = start
    content()
    const length = this.at - start
    if (length < 0x80) {
      this.bytes[start - 1] = length
      return
    }
    const more = length < 0x4000 ? 1 : length < 0x20_0000 ? 2 : 4
    this.room(more)
    this.bytes.copyWithin(start + more, start, this.at)
    let rest = length
    for (let index = 0; index < more; index += 1) {
      this.bytes[start - 1 + index] = (rest & 0x7f) | 0x80
      rest >>>= 7
    }
    this.bytes[start - 1 + more] = rest
    this.at += more
  }

  private tag(field: number, wire: number): void {
    this.small(field * 8 + wire)
  }

  private small(value: number): void {
    this.room(5)
    let rest = value
    while (rest >= 0x80) {
      this.bytes[this.at] = (rest % 0x80) | 0x80
      this.at += 1
      rest = Math.floor(rest / 0x80)
    }
    this.bytes[this.at] = rest
    this.at += 1
  }

  private varint(value: bigint): void {
    this.room(10)
    let low = Number(value & 0xffff_ffffn)
    let high = Number(value >> 32n)
    while (high > 0 || low >= 0x80) {
      this.bytes[this.at] = (low & 0x7f) | 0x80
      this.at += 1
      low = (low >>> 7) + (high % 0x80) * 2 ** 25
      high = Math.floor(high / 0x80)
    }
    this.bytes[this.at] = low
    this.at += 1
  }

  private room(length: number): void {
    const needed = this.at + length
    if (needed <= this.bytes.length) return
    const larger = Buffer.allocUnsafe(Math.max(needed, this.bytes.length * 2))
    this.bytes.copy(larger, 0, 0, this.at)
    this.bytes = larger
  }
}
