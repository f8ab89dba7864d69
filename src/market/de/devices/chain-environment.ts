// Whether a device that does not tell is one for tests: by its certificates, and by what the
// operator has compared with the maker's.
import { X509Certificate } from 'node:crypto'
import type { UnitEnvironment } from '../../../device/driver.js'
import type { TseIdentity } from '../../../device/tse/tse.js'

const bare = (fingerprint: string): string => fingerprint.replaceAll(':', '').toLowerCase()

/** `live` only behind an issuer that somebody has confirmed; a name with "test" never is. */
export function environmentByChain(
  { certificate: { der, chain } }: TseIdentity,
  confirmed: readonly string[],
): UnitEnvironment {
  const certificates = [der, ...chain].map((one) => new X509Certificate(one))
  const isTest = certificates.some(({ subject, issuer }) => /\btest\b/i.test(subject + issuer))
  if (isTest) return 'test'
  const isConfirmed =
    certificates.some(({ fingerprint256 }) => confirmed.includes(bare(fingerprint256))) &&
    certificates.every((one, at) => {
      const issuer = certificates[at + 1]
      return issuer === undefined || one.verify(issuer.publicKey)
    })
  return isConfirmed ? 'live' : 'unknown'
}

/** Fingerprints of the issuers that it told, for somebody to confirm. */
export function issuersOf({ certificate: { chain } }: TseIdentity): string[] {
  return chain.map((one) => bare(new X509Certificate(one).fingerprint256))
}
