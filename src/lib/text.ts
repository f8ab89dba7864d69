// Bytes of a body to text, strictly UTF-8, what a text may not hold, and texts to bytes.
import { isAscii, isUtf8 } from 'node:buffer'

/** The text without a byte order mark, or undefined when the bytes are no UTF-8. */
export function utf8Text(bytes: Buffer): string | undefined {
  if (isAscii(bytes)) return bytes.toString('latin1')
  if (!isUtf8(bytes)) return undefined
  const text = bytes.toString('utf8')
  return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text
}

/** All but tab and line ends. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
export const CONTROL_CHARACTER = /[\u0000-\u0008\u000b\u000c\u000e-\u001f]/

// --------------------------------------------------------------------- to bytes

const START = 16 * 1024
/** So much is kept for the next one. */
const MOST_KEPT = 256 * 1024
/** Of a character of JavaScript in UTF-8. */
const MOST_BYTES = 3

const QUOTE = 0x22
/** 1 for characters that JSON writes as they are, and UTF-8 as one byte. */
const PLAIN = Uint8Array.from({ length: 128 }, (_, code) =>
  code >= 0x20 && code !== QUOTE && code !== 0x5c ? 1 : 0,
)

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
const UNESCAPED = /^[^"\\\u0000-\u001f\ud800-\udfff]*$/

/**
 * Texts put one behind the other as UTF-8, without a text of its own for every piece: most of what
 * answers are made of is ASCII, which is its own UTF-8.
 */
export class Utf8Writer {
  private bytes = Buffer.allocUnsafe(START)
  private at = 0

  /** What was put and not taken is gone. */
  begin(): void {
    this.at = 0
    if (this.bytes.length > MOST_KEPT) this.bytes = Buffer.allocUnsafe(START)
  }

  /** A text of ASCII alone. */
  ascii(text: string): void {
    this.room(text.length)
    const { bytes, at } = this
    for (let index = 0; index < text.length; index += 1) bytes[at + index] = text.charCodeAt(index)
    this.at = at + text.length
  }

  /** Any text; of a letter that ends in the next piece each half is a replacement. */
  text(text: string): void {
    this.room(text.length * MOST_BYTES)
    this.at += this.bytes.write(text, this.at, 'utf8')
  }

  /** As JSON.stringify writes a text. */
  jsonText(text: string): void {
    const { length } = text
    this.room(length + 2)
    const { bytes, at } = this
    bytes[at] = QUOTE
    for (let index = 0; index < length; index += 1) {
      const code = text.charCodeAt(index)
      // undefined behind the table as well
      if (PLAIN[code] !== 1) {
        this.text(quoted(text))
        return
      }
      bytes[at + 1 + index] = code
    }
    bytes[at + 1 + length] = QUOTE
    this.at = at + length + 2
  }

  /** A copy of what was put. */
  taken(): Buffer {
    const copy = Buffer.allocUnsafe(this.at)
    this.bytes.copy(copy, 0, 0, this.at)
    return copy
  }

  private room(count: number): void {
    if (this.at + count <= this.bytes.length) return
    const larger = Buffer.allocUnsafe(Math.max(2 * this.bytes.length, this.at + count))
    this.bytes.copy(larger, 0, 0, this.at)
    this.bytes = larger
  }
}

/** As JSON.stringify; most texts need no escape, and looking for one is twice as fast. */
export function quoted(text: string): string {
  return UNESCAPED.test(text) ? `"${text}"` : JSON.stringify(text)
}
