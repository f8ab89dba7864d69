// Standard base64 as strict as the signing interface wants it; Buffer alone skips what it does not
// know. Called by the readers of group C.

const ALPHABET = /^[A-Za-z0-9+/]*={0,2}$/

/** The bytes, or undefined: other characters, blanks, half a group, padding that does not fit. */
export function bytesOfBase64(text: string): Buffer | undefined {
  if (!ALPHABET.test(text)) return undefined
  const isPadded = text.endsWith('=')
  if (isPadded ? text.length % 4 !== 0 : text.length % 4 === 1) return undefined
  return Buffer.from(text, 'base64')
}
