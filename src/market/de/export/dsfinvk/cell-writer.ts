// Writes the cells of one file straight into blocks of bytes: texts put together from cells would
// live long enough to become old memory. Cells.ts says how a cell looks.
import { rounded } from './amounts.js'
import { type NumberCell, numberCell, quoted, textCell } from './cells.js'

const BLOCK_BYTES = 32 * 1024
/** Longer texts do not surely fit a block. */
const LONGEST_SHORT = 4096
/** Most bytes of a number of the short way: sign, digits, comma, decimals. */
const NUMBER_BYTES = 64
/** Whole numbers below it have at most fifteen digits, and doubles that are exact. */
const LARGEST_SHORT = 1e15

const QUOTE = 0x22
const MINUS = 0x2d
const COMMA = 0x2c
const ZERO = 0x30

const newBlock = (): Buffer => Buffer.allocUnsafeSlow(BLOCK_BYTES)

export class CellWriter {
  private block = newBlock()
  private at = 0
  private full: Buffer[] = []
  private readonly free: Buffer[] = []

  /** Blocks that wait to be taken. */
  get fullBlocks(): number {
    return this.full.length
  }

  takeFull(): Buffer[] {
    const taken = this.full
    this.full = []
    return taken
  }

  /** What is behind the full blocks. */
  takeRest(): Buffer {
    const rest = this.block.subarray(0, this.at)
    this.block = newBlock()
    this.at = 0
    return rest
  }

  /** A block whose bytes nobody reads any more. */
  giveBack(block: Buffer): void {
    this.free.push(Buffer.from(block.buffer))
  }

  bytes(bytes: Uint8Array): void {
    if (bytes.length <= BLOCK_BYTES) {
      this.need(bytes.length)
      this.block.set(bytes, this.at)
      this.at += bytes.length
      return
    }
    for (let from = 0; from < bytes.length; from += BLOCK_BYTES) {
      this.bytes(bytes.subarray(from, from + BLOCK_BYTES))
    }
  }

  /** A sign of ASCII. */
  sign(code: number): void {
    this.need(1)
    this.block[this.at++] = code
  }

  text(value: string, max: number): void {
    if (value.length > max || value.length > LONGEST_SHORT || !this.short(value)) {
      this.bytes(Buffer.from(textCell(value, max)))
    }
  }

  /** Every sign as it is, quotes doubled. */
  exact(value: string): void {
    if (value.length > LONGEST_SHORT || !this.short(value)) this.bytes(Buffer.from(quoted(value)))
  }

  number(value: NumberCell, decimals: number): void {
    if (value === null) return
    if (typeof value !== 'number') {
      const exact = value.scale > decimals ? rounded(value, decimals) : value
      const units = Number(exact.units)
      if (Math.abs(units) < LARGEST_SHORT && decimals < NUMBER_BYTES / 2) {
        this.digits(units, exact.scale, decimals)
        return
      }
    }
    this.bytes(Buffer.from(numberCell(value, decimals)))
  }

  /** False, and nothing written, for a text with any sign that cannot stand as it is. */
  private short(value: string): boolean {
    const { length } = value
    this.need(2 * length + 2)
    const { block } = this
    let at = this.at
    block[at++] = QUOTE
    for (let from = 0; from < length; from += 1) {
      const code = value.charCodeAt(from)
      if (code < 0x7f) {
        const outer = code === 0x20 && (from === 0 || from === length - 1)
        if (code < 0x20 || code === QUOTE || outer) return false
        block[at++] = code
      } else {
        // two bytes, Latin letters to Arabic; below are control characters and the hard blank
        if (code < 0xa1 || code > 0x7ff) return false
        block[at++] = 0xc0 | (code >> 6)
        block[at++] = 0x80 | (code & 0x3f)
      }
    }
    block[at++] = QUOTE
    this.at = at
    return true
  }

  /** units / 10^scale with a decimal comma; scale is at most `decimals`. */
  private digits(units: number, scale: number, decimals: number): void {
    this.need(NUMBER_BYTES)
    const { block } = this
    let rest = Math.abs(units)
    if (units < 0) block[this.at++] = MINUS
    let count = 1
    for (let limit = 10; limit <= rest; limit *= 10) count += 1
    const fraction = decimals === 0 ? 0 : decimals + 1
    const whole = Math.max(1, count - scale)
    const end = this.at + whole + fraction
    let at = end
    for (let place = decimals; place > 0; place -= 1) {
      if (place > scale) block[--at] = ZERO
      else {
        block[--at] = ZERO + (rest % 10)
        rest = Math.floor(rest / 10)
      }
    }
    if (fraction > 0) block[--at] = COMMA
    for (let place = 0; place < whole; place += 1) {
      block[--at] = ZERO + (rest % 10)
      rest = Math.floor(rest / 10)
    }
    this.at = end
  }

  private need(bytes: number): void {
    if (this.at + bytes > BLOCK_BYTES) this.turn()
  }

  private turn(): void {
    this.full.push(this.block.subarray(0, this.at))
    this.block = this.free.pop() ?? newBlock()
    this.at = 0
  }
}
