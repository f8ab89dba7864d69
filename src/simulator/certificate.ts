// Makes the key pair and the self-signed certificate of an emulated signing device.
import { webcrypto } from 'node:crypto'

const KEY_ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256' }
const DAY_MS = 24 * 60 * 60 * 1000
const YEARS = 20

export interface CertificateInput {
  commonName: string
  /** O of its subject; left out: it has none. */
  organization?: string
  serialHex: string
  now: Date
}

export interface MadeCertificate {
  privateKeyPkcs8: Buffer
  der: Buffer
}

/** P-256, for digital signatures only, valid from yesterday for twenty years. */
export async function makeCertificate(input: CertificateInput): Promise<MadeCertificate> {
  const x509 = await loadX509()
  const { now } = input
  const keys = await webcrypto.subtle.generateKey(KEY_ALGORITHM, true, ['sign', 'verify'])
  const notAfter = new Date(now)
  notAfter.setUTCFullYear(notAfter.getUTCFullYear() + YEARS)
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    serialNumber: input.serialHex,
    name: [
      ...(input.organization === undefined ? [] : [{ O: [input.organization] }]),
      { CN: [input.commonName] },
    ],
    notBefore: new Date(now.getTime() - DAY_MS),
    notAfter,
    signingAlgorithm: { ...KEY_ALGORITHM, hash: 'SHA-256' },
    keys,
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
    ],
  })
  const pkcs8 = await webcrypto.subtle.exportKey('pkcs8', keys.privateKey)
  return { privateKeyPkcs8: Buffer.from(pkcs8), der: Buffer.from(certificate.rawData) }
}

/** Loaded when it is needed: it takes half a second that a starting server can do without. */
async function loadX509() {
  await import('reflect-metadata')
  const x509 = await import('@peculiar/x509')
  x509.cryptoProvider.set(webcrypto)
  return x509
}
