// Keys and certificates as the makers of wallets hand them out, made here: for who wants to see a
// pass before there is a contract. No phone trusts them.
import { generateKeyPair, randomBytes, webcrypto } from 'node:crypto'
import { promisify } from 'node:util'

const ALGORITHM = {
  name: 'RSASSA-PKCS1-v1_5',
  hash: 'SHA-256',
  modulusLength: 2_048,
  publicExponent: new Uint8Array([1, 0, 1]),
} as const
const DAY_MS = 24 * 60 * 60 * 1_000
const DAYS = 365
const TEAM = 'SIMULATED0'

/** What the merchant of Apple's programme enters: both certificates and the key, in PEM. */
export interface AppleEntered {
  certificate: string
  intermediate: string
  privateKey: string
}

export async function simulatedApple(now: Date): Promise<AppleEntered> {
  const x509 = await loadX509()
  const [root, own] = await Promise.all([newKeys(), newKeys()])
  const dates = {
    notBefore: new Date(now.getTime() - DAY_MS),
    notAfter: new Date(now.getTime() + DAYS * DAY_MS),
    signingAlgorithm: ALGORITHM,
  }
  const { keyCertSign, digitalSignature } = x509.KeyUsageFlags
  const intermediate = await x509.X509CertificateGenerator.createSelfSigned({
    ...{ ...dates, serialNumber: serial(), keys: root },
    name: [{ CN: ['Simulated Worldwide Developer Relations'] }, { O: ['Simulated'] }],
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(keyCertSign, true),
    ],
  })
  const certificate = await x509.X509CertificateGenerator.create({
    ...{ ...dates, serialNumber: serial(), publicKey: own.publicKey },
    ...{ issuer: intermediate.subjectName, signingKey: root.privateKey },
    subject: [
      { '0.9.2342.19200300.100.1.1': ['pass.simulated.receipt'] },
      { CN: ['Pass Type ID: pass.simulated.receipt'] },
      { OU: [TEAM] },
      { O: ['Simulated'] },
    ],
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.KeyUsagesExtension(digitalSignature, true),
    ],
  })
  const key = await webcrypto.subtle.exportKey('pkcs8', own.privateKey)
  return {
    certificate: certificate.toString('pem'),
    intermediate: intermediate.toString('pem'),
    privateKey: x509.PemConverter.encode(key, 'PRIVATE KEY'),
  }
}

/** What the merchant of Google's programme enters. */
export interface GoogleEntered {
  issuerId: string
  serviceAccount: string
}

export const SIMULATED_DOMAIN = 'wallet.simulated'

/** The mail address of the service account names whose it is. */
export async function simulatedGoogle(accountId: string): Promise<GoogleEntered> {
  const { privateKey } = await promisify(generateKeyPair)('rsa', {
    modulusLength: ALGORITHM.modulusLength,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  })
  const account = {
    type: 'service_account',
    client_email: `${accountId}@${SIMULATED_DOMAIN}`,
    private_key: privateKey,
  }
  return { issuerId: '3388000000000000000', serviceAccount: JSON.stringify(account) }
}

const newKeys = () => webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify'])
const serial = (): string => `01${randomBytes(8).toString('hex')}`

/** Loaded when it is needed: it takes half a second that a starting server can do without. */
async function loadX509() {
  await import('reflect-metadata')
  const x509 = await import('@peculiar/x509')
  x509.cryptoProvider.set(webcrypto)
  return x509
}
