// Standard base64 as strict as the signing interface wants it; Buffer alone skips what it does not
// know.

/** The bytes, or undefined: other characters, blanks, half a group, padding that does not fit. */
export function bytesOfBase64(text: string): Buffer | undefined {
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0
  if (padding > 0 ? text.length % 4 !== 0 : text.length % 4 === 1) return undefined
  // of wide characters the lower half would be read, and the alphabet of addresses as well
  if (Buffer.byteLength(text) !== text.length) return undefined
  if (text.includes('-') || text.includes('_')) return undefined
  const bytes = Buffer.from(text, 'base64')
  // whatever it has passed over is missing in the end; an expression would look at every letter
  return bytes.length === Math.floor(((text.length - padding) * 3) / 4) ? bytes : undefined
}
