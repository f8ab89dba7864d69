// Keys and certificates of a simulated trust service provider: a root, an issuer, and a leaf for
// cash registers, with names as the real ones have them or as live ones might.
import { createPrivateKey, KeyObject, randomBytes, webcrypto } from 'node:crypto'

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }
const DAY_MS = 86_400_000

export interface ChainNames {
  root: string
  issuer: string
  /** CN of the leaf: `UID: ATU12345678`. */
  subject: string
}

/** As the vendor's service for tests. */
export const TEST_NAMES: ChainNames = {
  root: 'A-Trust-Test-Qual-02',
  issuer: 'a-sign-Premium-Test-Sig-02',
  subject: 'UID: ATU12345678',
}

/** Names that do not say that they are for tests; issued by nobody. */
export const LIVE_NAMES: ChainNames = {
  root: 'Simulated Root 07',
  issuer: 'Simulated Registrierkasse.ENC 07',
  subject: 'UID: ATU12345678',
}

export interface Leaf {
  key: KeyObject
  der: Buffer
  serialHex: string
  /** Nearest first. */
  chain: Buffer[]
}

export interface Issuing {
  issue(subject: string, days?: number): Promise<Leaf>
}

/** For a file; read again by `readLeaf`. */
export function leafText({ key, der, serialHex, chain }: Leaf) {
  return {
    key: key.export({ type: 'pkcs8', format: 'pem' }).toString(),
    der: der.toString('base64'),
    serialHex,
    chain: chain.map((one) => one.toString('base64')),
  }
}

export function readLeaf({ key, der, serialHex, chain }: ReturnType<typeof leafText>): Leaf {
  const bytes = (base64: string) => Buffer.from(base64, 'base64')
  return { key: createPrivateKey(key), der: bytes(der), serialHex, chain: chain.map(bytes) }
}

/** One provider; each leaf has a key of its own. */
export async function createProvider(names: ChainNames, now: Date): Promise<Issuing> {
  await import('reflect-metadata')
  const x509 = await import('@peculiar/x509')
  x509.cryptoProvider.set(webcrypto)
  const notBefore = new Date(now.getTime() - DAY_MS)
  const pair = () => webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify'])
  const authority = new x509.BasicConstraintsExtension(true, undefined, true)
  const [rootKeys, issuerKeys] = await Promise.all([pair(), pair()])
  const root = await x509.X509CertificateGenerator.createSelfSigned({
    ...{ serialNumber: '01', name: `CN=${names.root}`, keys: rootKeys, notBefore },
    ...{ notAfter: later(now, 7300), signingAlgorithm: ALGORITHM, extensions: [authority] },
  })
  const issuer = await x509.X509CertificateGenerator.create({
    ...{ serialNumber: '02', subject: `CN=${names.issuer}`, issuer: root.subject, notBefore },
    ...{ notAfter: later(now, 3650), signingAlgorithm: ALGORITHM, extensions: [authority] },
    ...{ signingKey: rootKeys.privateKey, publicKey: issuerKeys.publicKey },
  })
  return {
    async issue(subject, days = 1826) {
      const keys = await pair()
      // a number that needs no sign octet and has no leading zeros
      const serialHex = `4${randomBytes(4).toString('hex').slice(1)}`
      const leaf = await x509.X509CertificateGenerator.create({
        ...{ serialNumber: serialHex, subject: `CN="${subject}"`, issuer: issuer.subject },
        ...{ notBefore, notAfter: later(now, days), signingAlgorithm: ALGORITHM },
        ...{ signingKey: issuerKeys.privateKey, publicKey: keys.publicKey },
      })
      const chain = [issuer, root].map((one) => Buffer.from(one.rawData))
      const key = KeyObject.from(keys.privateKey)
      return { key, der: Buffer.from(leaf.rawData), serialHex, chain }
    },
  }
}

function later(now: Date, days: number): Date {
  return new Date(now.getTime() + days * DAY_MS)
}
