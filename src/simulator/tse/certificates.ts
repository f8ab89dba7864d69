// Key pair and certificates of a new TSE emulator, and the facts of a public key.
import { webcrypto } from 'node:crypto'
import type { Profile } from '../../device/tse/profile.js'
import { sha256 } from '../../lib/hash.js'

export interface CertificateInput {
  profile: Profile
  now: Date
  /** Left out: eight years from now. */
  validUntil: Date | undefined
  randomBytes(count: number): Buffer
}

export interface MadeCertificates {
  privateKeyPkcs8: Buffer
  /** Leaf, then its issuer. */
  certificates: Buffer[]
}

const DAY_MS = 24 * 60 * 60 * 1000
const YEARS = 8
/** It can never be certified: certification needs a certified module and its own authorities. */
const ORGANISATION = 'fiskalwerk TSE emulator (not certified)'
const ROOT_NAME = [
  { C: ['DE'] },
  { O: [ORGANISATION] },
  { CN: ['TSE emulator root (not certified)'] },
]
const SERIAL_BYTES = 8

/**
 * The leaf's common name is the serial number of the device (hash of the public point), as those
 * who check exports compare it. The root's key is used once and kept nowhere.
 */
export async function makeCertificates(input: CertificateInput): Promise<MadeCertificates> {
  const x509 = await loadX509()
  const { profile, now } = input
  const algorithm = { name: 'ECDSA', namedCurve: profile.name }
  const generate = () => webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])
  const [rootKeys, keys] = await Promise.all([generate(), generate()])
  const point = Buffer.from(await webcrypto.subtle.exportKey('raw', keys.publicKey))
  const until = input.validUntil ?? yearsAfter(now)
  const term = {
    notBefore: new Date(Math.min(now.getTime(), until.getTime()) - DAY_MS),
    notAfter: until,
    signingAlgorithm: { ...algorithm, hash: profile.webHash },
  }
  const { digitalSignature, keyCertSign, cRLSign } = x509.KeyUsageFlags
  const root = await x509.X509CertificateGenerator.createSelfSigned({
    ...term,
    serialNumber: newSerial(input),
    name: ROOT_NAME,
    keys: rootKeys,
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(keyCertSign | cRLSign, true),
      await x509.SubjectKeyIdentifierExtension.create(rootKeys.publicKey),
    ],
  })
  const leaf = await x509.X509CertificateGenerator.create({
    ...term,
    serialNumber: newSerial(input),
    subject: [{ C: ['DE'] }, { O: [ORGANISATION] }, { CN: [sha256(point).toString('hex')] }],
    issuer: ROOT_NAME,
    signingKey: rootKeys.privateKey,
    publicKey: keys.publicKey,
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.KeyUsagesExtension(digitalSignature, true),
      await x509.AuthorityKeyIdentifierExtension.create(rootKeys.publicKey),
    ],
  })
  const pkcs8 = await webcrypto.subtle.exportKey('pkcs8', keys.privateKey)
  return {
    privateKeyPkcs8: Buffer.from(pkcs8),
    certificates: [leaf, root].map(({ rawData }) => Buffer.from(rawData)),
  }
}

function yearsAfter(now: Date): Date {
  const end = new Date(now)
  end.setUTCFullYear(end.getUTCFullYear() + YEARS)
  return end
}

/** Positive, and without a leading zero. */
function newSerial({ randomBytes }: CertificateInput): string {
  const bytes = Buffer.from(randomBytes(SERIAL_BYTES))
  bytes[0] = ((bytes[0] ?? 0) & 0x3f) | 0x40
  return bytes.toString('hex')
}

/** Loaded when it is needed: it takes half a second that a starting server can do without. */
async function loadX509() {
  await import('reflect-metadata')
  const x509 = await import('@peculiar/x509')
  x509.cryptoProvider.set(webcrypto)
  return x509
}
