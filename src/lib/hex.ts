// Bytes as hexadecimal text.

const texts = new WeakMap<Buffer, string>()

/** Of bytes that never change and come again and again, such as a fingerprint: made once. */
export function keptHex(bytes: Buffer): string {
  const known = texts.get(bytes)
  if (known !== undefined) return known
  const text = bytes.toString('hex')
  texts.set(bytes, text)
  return text
}
