// Members that a merchant enters for a wallet: texts, keys and certificates in PEM.
import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto'
import { fail } from '../../errors.js'
import { LEAST_BITS } from './driver.js'

type Entered = Readonly<Record<string, unknown>>

/** Longer than any chain of certificates or key. */
const LONGEST = 20_000

/** Throws FIELD_MISSING, FIELD_INVALID. */
export function textOf(entered: Entered, field: string): string {
  const given = entered[field]
  if (given === undefined || given === null || given === '') {
    throw fail('FIELD_MISSING', { field, expected: 'a text' })
  }
  if (typeof given !== 'string' || given.length > LONGEST) {
    throw fail('FIELD_INVALID', { field, expected: 'a text' })
  }
  return given.trim()
}

/** Throws FIELD_MISSING, FIELD_INVALID. */
export function certificateOf(entered: Entered, field: string): X509Certificate {
  const text = textOf(entered, field)
  try {
    return new X509Certificate(text)
  } catch (error) {
    const refused = fail('FIELD_INVALID', { field, expected: 'a certificate in PEM' })
    throw Object.assign(refused, { cause: error })
  }
}

/** RSA of at least 2,048 bits. Throws FIELD_MISSING, FIELD_INVALID. */
export function keyOf(pem: string, field: string, passphrase?: string): KeyObject {
  const refused = () =>
    fail('FIELD_INVALID', {
      field,
      expected: `an RSA key in PEM of at least ${LEAST_BITS} bits, with its passphrase`,
    })
  let key: KeyObject
  try {
    key = createPrivateKey(passphrase === undefined ? pem : { key: pem, passphrase })
  } catch (error) {
    throw Object.assign(refused(), { cause: error })
  }
  const { modulusLength = 0 } = key.asymmetricKeyDetails ?? {}
  if (key.asymmetricKeyType !== 'rsa' || modulusLength < LEAST_BITS) throw refused()
  return key
}
