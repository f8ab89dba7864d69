// Bytes of a body to text, strictly UTF-8, and what a text may not hold.
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
