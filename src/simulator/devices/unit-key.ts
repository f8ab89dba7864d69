// Key and certificates of a simulated security device: a root, an authority below it, the device.
// Written by hand, because no library at hand makes certificates on brainpool curves.
import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  sign,
} from 'node:crypto'
import { objectId, printable, tlv, whole } from './asn1.js'

export type Curve = 'prime256v1' | 'brainpoolP384r1' | 'secp384r1'

interface CurveFacts {
  hash: 'sha256' | 'sha384'
  /** ecdsa-with-SHA256, ecdsa-with-SHA384. */
  certificateAlgorithm: string
  /** Bytes of a coordinate. */
  size: number
}

export const CURVES: Readonly<Record<Curve, CurveFacts>> = {
  prime256v1: { hash: 'sha256', certificateAlgorithm: '1.2.840.10045.4.3.2', size: 32 },
  brainpoolP384r1: { hash: 'sha384', certificateAlgorithm: '1.2.840.10045.4.3.3', size: 48 },
  secp384r1: { hash: 'sha384', certificateAlgorithm: '1.2.840.10045.4.3.3', size: 48 },
}

export interface UnitKey {
  curve: Curve
  privateKey: KeyObject
  /** 04‖X‖Y. */
  point: Buffer
  /** SHA-256 of the point. */
  serial: Buffer
  /** DER: of the device, of the authority, of the root. */
  certificates: readonly Buffer[]
  until: Date
}

export interface KeyOrder {
  curve: Curve
  /** O of all subjects. */
  organisation: string
  now: Date
  /** Left out: eight years from now. */
  until?: Date | undefined
}

const DAY_MS = 86_400_000
const YEARS_MS = 8 * 365 * DAY_MS
const ATTRIBUTES = { O: '2.5.4.10', CN: '2.5.4.3', serialNumber: '2.5.4.5' } as const

type Name = Partial<Record<keyof typeof ATTRIBUTES, string>>

interface Party {
  name: Name
  keys: { publicKey: KeyObject; privateKey: KeyObject }
}

export function makeUnitKey({ curve, organisation, now, until: end }: KeyOrder): UnitKey {
  const party = (name: Name): Party => ({
    name: { O: organisation, ...name },
    keys: generateKeyPairSync('ec', { namedCurve: curve }),
  })
  const root = party({ CN: `${organisation} Test Root CA` })
  const authority = party({ CN: `${organisation} Test CA` })
  const device = party({})
  const point = pointOf(device.keys.publicKey, curve)
  const serial = createHash('sha256').update(point).digest()
  const serialHex = serial.toString('hex')
  device.name = { O: organisation, CN: serialHex, serialNumber: serialHex }
  const until = end ?? new Date(now.getTime() + YEARS_MS)
  const from = new Date(Math.min(now.getTime(), until.getTime()) - DAY_MS)
  const term = { curve, from, until }
  const certificates = [
    certificateOf({ of: device, by: authority, isAuthority: false, ...term }),
    certificateOf({ of: authority, by: root, isAuthority: true, ...term }),
    certificateOf({ of: root, by: root, isAuthority: true, ...term }),
  ]
  return { curve, privateKey: device.keys.privateKey, point, serial, certificates, until }
}

/** For a file; read again by `readKey`. */
export function keyText({ curve, privateKey, certificates, until }: UnitKey) {
  return {
    curve,
    privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    certificates: certificates.map((der) => der.toString('base64')),
    until: until.toISOString(),
  }
}

export function readKey(text: ReturnType<typeof keyText>): UnitKey {
  const { curve } = text
  const privateKey = createPrivateKey(text.privateKey)
  const point = pointOf(createPublicKey(privateKey), curve)
  const serial = createHash('sha256').update(point).digest()
  const certificates = text.certificates.map((one) => Buffer.from(one, 'base64'))
  return { curve, privateKey, point, serial, certificates, until: new Date(text.until) }
}

export function pointOf(key: KeyObject, curve: Curve): Buffer {
  const spki = key.export({ type: 'spki', format: 'der' })
  return Buffer.from(spki.subarray(-1 - 2 * CURVES[curve].size))
}

interface CertificateOrder {
  of: Party
  by: Party
  isAuthority: boolean
  curve: Curve
  from: Date
  until: Date
}

function certificateOf({ of, by, isAuthority, curve, from, until }: CertificateOrder): Buffer {
  const { hash, certificateAlgorithm } = CURVES[curve]
  const algorithm = tlv(0x30, objectId(certificateAlgorithm))
  const serial = Buffer.concat([Buffer.of(0x40), randomBytes(7)])
  const body = tlv(
    0x30,
    tlv(0xa0, whole(2)),
    tlv(0x02, serial),
    algorithm,
    nameOf(by.name),
    tlv(0x30, timeOf(from), timeOf(until)),
    nameOf(of.name),
    Buffer.from(of.keys.publicKey.export({ type: 'spki', format: 'der' })),
    tlv(0xa3, tlv(0x30, ...extensionsOf(of, by, { isAuthority, curve }))),
  )
  const signature = sign(hash, body, { key: by.keys.privateKey, dsaEncoding: 'der' })
  return tlv(0x30, body, algorithm, tlv(0x03, Buffer.of(0), signature))
}

function nameOf(name: Name): Buffer {
  const parts = Object.entries(ATTRIBUTES).flatMap(([short, id]) => {
    const value = name[short as keyof Name]
    return value === undefined ? [] : [tlv(0x31, tlv(0x30, objectId(id), printable(value)))]
  })
  return tlv(0x30, ...parts)
}

/** GeneralizedTime from 2050 on (RFC 5280). */
function timeOf(date: Date): Buffer {
  const digits = `${date.toISOString().replaceAll(/[-:T]|\.\d+Z/g, '')}Z`
  const isShort = date.getUTCFullYear() < 2050
  return isShort ? printable(digits.slice(2), 0x17) : printable(digits, 0x18)
}

const TRUE = Buffer.of(0x01, 0x01, 0xff)

function extensionsOf(
  of: Party,
  by: Party,
  { isAuthority, curve }: { isAuthority: boolean; curve: Curve },
): Buffer[] {
  const idOf = ({ keys }: Party) =>
    createHash('sha1').update(pointOf(keys.publicKey, curve)).digest()
  const extension = (id: string, critical: boolean, value: Buffer) =>
    tlv(0x30, objectId(id), ...(critical ? [TRUE] : []), tlv(0x04, value))
  // keyCertSign and cRLSign, or digitalSignature
  const usage = isAuthority ? Buffer.of(0x03, 0x02, 0x01, 0x06) : Buffer.of(0x03, 0x02, 0x07, 0x80)
  return [
    extension('2.5.29.19', true, isAuthority ? tlv(0x30, TRUE) : tlv(0x30)),
    extension('2.5.29.15', true, usage),
    extension('2.5.29.14', false, tlv(0x04, idOf(of))),
    extension('2.5.29.35', false, tlv(0x30, tlv(0x80, idOf(by)))),
  ]
}
