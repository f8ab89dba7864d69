// Checks a signature of a unit before it stands on a document.
import { createPublicKey, createVerify } from 'node:crypto'
import { DeviceError } from '../device.js'
import { SIGNATURE_BYTES } from './unit.js'

/**
 * Throws DeviceError where it must not be used. `data`: what it is verified over with the key of
 * the unit, SubjectPublicKeyInfo as Base64; left out: it is believed.
 */
export function checkSigned(
  signature: Buffer,
  { publicKey, data }: { publicKey: string; data: Buffer | undefined },
): void {
  const { length } = signature
  if (length !== SIGNATURE_BYTES) throw new DeviceError(`the signature has ${length} bytes`)
  if (data === undefined) return
  const der = Buffer.from(publicKey, 'base64')
  const key = createPublicKey({ key: der, format: 'der', type: 'spki' })
  if (createVerify('sha1').update(data).verify(key, signature)) return
  throw new DeviceError('the signature does not verify with the key of the unit')
}
