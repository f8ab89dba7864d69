// A new id (UUID of version 4). In a browser `crypto.randomUUID` is there only where the page came
// over TLS or from the machine itself, and a register in a shop may have neither. The portal's as well.
const VERSION = 0x40
const VARIANT = 0x80
const DASHES = /^(.{8})(.{4})(.{4})(.{4})/

export function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | VERSION
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | VARIANT
  const digits = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
  return digits.replace(DASHES, '$1-$2-$3-$4-')
}
