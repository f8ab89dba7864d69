// Reads what a group C service answers; whatever is not as it should be becomes a DeviceError.
import { X509Certificate } from 'node:crypto'
import { type JsonObject, objectIn } from '../../lib/json.js'
import { valuesOf } from '../../model/json-members.js'
import { DeviceError } from '../device.js'
import { SIGNATURE_BYTES } from '../rksv.js'

// AT1, AT2, AT3, AT9, AT100: two letters and a number. AT0 is a closed system without certificate;
// PFX and the like are refused by the verification tools.
const ZDA = /^[A-Z]{2}[1-9]\d{0,3}$/
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/

/** The text member of an answer's JSON object, its name in any case. */
export function textMember(body: Buffer, name: string): string {
  const value = valuesOf(objectOf(body), name).at(-1)
  if (typeof value !== 'string' || value === '') throw new DeviceError(`${name} is missing`)
  return value
}

function objectOf(body: Buffer): JsonObject {
  const object = objectIn(body.toString('utf8'))
  if (object !== undefined) return object
  throw new DeviceError('the answer is no JSON object')
}

/** Standard base64, with or without padding. */
function bytesOf(text: string, name: string): Buffer {
  const bytes = Buffer.from(text, 'base64')
  const bare = text.replace(/=+$/, '')
  const isExact = BASE64.test(text) && bytes.toString('base64').replace(/=+$/, '') === bare
  if (!isExact) throw new DeviceError(`${name} is not base64`)
  return bytes
}

export function signatureOf(body: Buffer): Buffer {
  const signature = bytesOf(textMember(body, 'signedDataBase64'), 'signedDataBase64')
  if (signature.length === SIGNATURE_BYTES) return signature
  throw new DeviceError(`the signature has ${signature.length} bytes, not ${SIGNATURE_BYTES}`)
}

export function zdaOf(body: Buffer): string {
  const zda = textMember(body, 'zda')
  if (!ZDA.test(zda)) throw new DeviceError(`zda ${JSON.stringify(zda.slice(0, 20))} is none`)
  return zda
}

/** The DER bytes of a certificate with a key on P-256. */
export function certificateOf(body: Buffer): Buffer {
  const given = bytesOf(textMember(body, 'certificateBase64'), 'certificateBase64')
  try {
    const certificate = new X509Certificate(given)
    // reading the key fails too where it is damaged
    const curve = certificate.publicKey.asymmetricKeyDetails?.namedCurve
    if (curve === 'prime256v1') return Buffer.from(certificate.raw)
  } catch (error) {
    throw new DeviceError('certificateBase64 is no X.509 certificate', { cause: error })
  }
  throw new DeviceError('the certificate has no P-256 key')
}
