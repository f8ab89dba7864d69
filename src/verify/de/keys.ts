// Keys, curves and signature algorithms of a TSE (TR-03151, TR-03116-5).
import { createHash, type KeyObject, verify, type X509Certificate } from 'node:crypto'
import { DerReader } from '../der.js'
import { certificateOf, publicKeyOf } from '../given.js'

/** Names as receipts and DSFinV-K write them; prefix of the OID 0.4.0.127.0.7.1.1.4. */
const PREFIX = '04007f0007010104'

interface Algorithm {
  name: string
  /** Name of the hash in Node; undefined: not to be checked here. */
  hash: string | undefined
  /** Content of the OBJECT IDENTIFIER in hex. */
  oid: string
}

function plain(suffix: string, name: string, hash: string): Algorithm {
  return { name: `ecdsa-plain-${name}`, hash, oid: `${PREFIX}${suffix}` }
}

/** EC-Schnorr is not in OpenSSL. */
function schnorr(suffix: string, name: string): Algorithm {
  return { name: `ecsdsa-plain-${name}`, hash: undefined, oid: `${PREFIX}${suffix}` }
}

export const ALGORITHMS: readonly Algorithm[] = [
  plain('0102', 'SHA224', 'sha224'),
  plain('0103', 'SHA256', 'sha256'),
  plain('0104', 'SHA384', 'sha384'),
  plain('0105', 'SHA512', 'sha512'),
  plain('0108', 'SHA3-224', 'sha3-224'),
  plain('0109', 'SHA3-256', 'sha3-256'),
  plain('010a', 'SHA3-384', 'sha3-384'),
  plain('010b', 'SHA3-512', 'sha3-512'),
  schnorr('0401', 'SHA224'),
  schnorr('0402', 'SHA256'),
  schnorr('0403', 'SHA384'),
  schnorr('0404', 'SHA512'),
  schnorr('0405', 'SHA3-224'),
  schnorr('0406', 'SHA3-256'),
  schnorr('0407', 'SHA3-384'),
  schnorr('0408', 'SHA3-512'),
]

const BY_OID = new Map(ALGORITHMS.map((algorithm) => [algorithm.oid, algorithm]))
const BY_NAME = new Map(ALGORITHMS.map((algorithm) => [algorithm.name, algorithm]))

export type { Algorithm }
export const algorithmOfOid = (content: Buffer): Algorithm | undefined =>
  BY_OID.get(content.toString('hex'))
export const algorithmOfName = (name: string): Algorithm | undefined => BY_NAME.get(name)

interface Curve {
  name: string
  /** Bytes of a coordinate. */
  size: number
  /** Content of the OBJECT IDENTIFIER in hex. */
  oid: string
}

const CURVES: readonly Curve[] = [
  { name: 'prime256v1', size: 32, oid: '2a8648ce3d030107' },
  { name: 'brainpoolP256r1', size: 32, oid: '2b2403030208010107' },
  { name: 'secp384r1', size: 48, oid: '2b81040022' },
  { name: 'brainpoolP384r1', size: 48, oid: '2b240303020801010b' },
  { name: 'brainpoolP512r1', size: 64, oid: '2b240303020801010d' },
  { name: 'secp521r1', size: 66, oid: '2b81040023' },
]

export interface DeviceKey {
  key: KeyObject
  /** Bytes of r and of s. */
  size: number
  /** 04‖X‖Y */
  point: Buffer
  /** SHA-256 of the point in lower-case hex. */
  serialHex: string
}

/** Undefined when the key lies on no curve that is known here. */
export function deviceKey(key: KeyObject): DeviceKey | undefined {
  const curve = CURVES.find(({ name }) => name === key.asymmetricKeyDetails?.namedCurve)
  if (curve === undefined) return undefined
  const spki = key.export({ type: 'spki', format: 'der' })
  const point = spki.subarray(-(1 + 2 * curve.size))
  if (point[0] !== 0x04) return undefined
  const serialHex = createHash('sha256').update(point).digest('hex')
  return { key, size: curve.size, point, serialHex }
}

/** The key of a SubjectPublicKeyInfo or of a point, on the first curve on which it lies. */
export function keyOfBytes(bytes: Buffer): DeviceKey | undefined {
  if (bytes[0] === 0x30) return fromSpki(bytes)
  for (const curve of CURVES) {
    if (bytes.length !== 1 + 2 * curve.size || bytes[0] !== 0x04) continue
    const found = fromSpki(spkiOf(curve, bytes))
    if (found !== undefined) return found
  }
  return undefined
}

function spkiOf(curve: Curve, point: Buffer): Buffer {
  const algorithm = tlv(
    0x30,
    Buffer.concat([EC_PUBLIC_KEY, tlv(0x06, Buffer.from(curve.oid, 'hex'))]),
  )
  return tlv(0x30, Buffer.concat([algorithm, tlv(0x03, Buffer.concat([Buffer.alloc(1), point]))]))
}

const EC_PUBLIC_KEY = Buffer.from('06072a8648ce3d0201', 'hex')

/** One DER element with a definite length. */
export function tlv(tag: number, content: Buffer): Buffer {
  const { length } = content
  if (length < 0x80) return Buffer.concat([Buffer.from([tag, length]), content])
  const digits = length.toString(16)
  const size = Buffer.from(digits.length % 2 === 0 ? digits : `0${digits}`, 'hex')
  return Buffer.concat([Buffer.from([tag, 0x80 | size.length]), size, content])
}

function fromSpki(der: Buffer): DeviceKey | undefined {
  const key = publicKeyOf(der)
  return key && deviceKey(key)
}

/** Plain ECDSA: r‖s, each of the size of the field. */
export function signatureHolds(
  signed: Buffer,
  signature: Buffer,
  by: { key: DeviceKey; hash: string },
): boolean {
  if (signature.length !== 2 * by.key.size) return false
  return verify(by.hash, signed, { key: by.key.key, dsaEncoding: 'ieee-p1363' }, signature)
}

/** Serial number of any kind of key, as certificates of authorities are named after it. */
export function keySerial(key: KeyObject): string {
  const spki = new DerReader(key.export({ type: 'spki', format: 'der' }))
  const inside = new DerReader(spki.read(0x30, 'the key'))
  inside.read(0x30, 'its algorithm')
  // a BIT STRING: how many bits of its last byte are unused, then the key
  const bits = inside.read(0x03, 'its bits').subarray(1)
  return createHash('sha256').update(bits).digest('hex')
}

const PEM = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g

/** The certificates of a file: one in DER, or one after the other in PEM. */
export function certificatesOf(bytes: Buffer): X509Certificate[] {
  const blocks = bytes.toString('latin1').match(PEM) ?? []
  const texts = blocks.length > 1 ? blocks.map((block) => Buffer.from(block)) : [bytes]
  return texts.map(certificateOf).filter((one) => one !== undefined)
}

/** The key of a certificate, if it can sign log messages. */
export function certificateKey(certificate: X509Certificate): DeviceKey | undefined {
  try {
    return deviceKey(certificate.publicKey)
  } catch {
    return undefined // an algorithm that OpenSSL does not know
  }
}
