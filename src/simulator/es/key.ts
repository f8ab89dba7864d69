// The RSA key of a Spanish software unit with a certificate of its own.
import { createPrivateKey, type KeyObject, webcrypto, X509Certificate } from 'node:crypto'

const ALGORITHM = {
  name: 'RSASSA-PKCS1-v1_5',
  hash: 'SHA-256',
  modulusLength: 2048,
  publicExponent: new Uint8Array([1, 0, 1]),
}
const DAY_MS = 86_400_000
const YEARS = 20

export interface MadeKey {
  key: KeyObject
  certificate: X509Certificate
}

/** Self-signed, valid from yesterday for twenty years. */
export async function makeRsaCertificate(input: {
  commonName: string
  serialHex: string
  now: Date
}): Promise<MadeKey> {
  await import('reflect-metadata')
  const x509 = await import('@peculiar/x509')
  x509.cryptoProvider.set(webcrypto)
  const { now } = input
  const keys = await webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify'])
  const notAfter = new Date(now)
  notAfter.setUTCFullYear(notAfter.getUTCFullYear() + YEARS)
  const made = await x509.X509CertificateGenerator.createSelfSigned({
    ...{ serialNumber: input.serialHex, name: [{ CN: [input.commonName] }] },
    ...{ notBefore: new Date(now.getTime() - DAY_MS), notAfter, keys },
    signingAlgorithm: ALGORITHM,
  })
  const pkcs8 = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', keys.privateKey))
  return {
    key: createPrivateKey({ key: pkcs8, format: 'der', type: 'pkcs8' }),
    certificate: new X509Certificate(Buffer.from(made.rawData)),
  }
}
