// The certificates of a device in one piece: texts (PEM) one behind the other, or bytes (DER).
import { DeviceError } from '../../../../device/device.js'

/** Throws DeviceError for what is neither. */
export function certificatesIn(bytes: Buffer): Buffer[] {
  const text = bytes.toString('latin1')
  const parts = text.match(/-----BEGIN[^-]+-----[^-]+-----END[^-]+-----/g)
  if (parts !== null) return parts.map((part) => Buffer.from(part))
  const found: Buffer[] = []
  for (let at = 0; at < bytes.length; ) {
    const length = lengthAt(bytes, at)
    if (length === undefined || at + length > bytes.length) {
      throw new DeviceError('the certificates of the device cannot be read')
    }
    found.push(bytes.subarray(at, at + length))
    at += length
  }
  return found
}

const SEQUENCE = 0x30

/** Of a sequence of 128 to 65,535 bytes, with its head. */
function lengthAt(bytes: Buffer, at: number): number | undefined {
  if (bytes[at] !== SEQUENCE || at + 4 > bytes.length) return undefined
  if (bytes[at + 1] === 0x81) return 3 + bytes.readUInt8(at + 2)
  return bytes[at + 1] === 0x82 ? 4 + bytes.readUInt16BE(at + 2) : undefined
}
