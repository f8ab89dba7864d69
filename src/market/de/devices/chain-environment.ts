// Whether a device that does not tell is one for tests: by its certificates, and by what the
// operator has compared with the maker's.
import { X509Certificate } from 'node:crypto'
import type { UnitEnvironment } from '../../../device/driver.js'
import type { TseIdentity } from '../../../device/tse/tse.js'

const bare = (fingerprint: string): string => fingerprint.replaceAll(':', '').toLowerCase()
/** Of whoever says so in a name. */
const FOR_TESTS = /\btest\b|\bnot certified\b/i

/** `live` only behind an issuer that somebody has confirmed; a name with "test" never is. */
export function environmentByChain(
  { certificate: { der, chain } }: TseIdentity,
  confirmed: readonly string[],
): UnitEnvironment {
  const certificates = [der, ...chain].map((one) => new X509Certificate(one))
  if (certificates.some(({ subject, issuer }) => FOR_TESTS.test(subject + issuer))) return 'test'
  return isConfirmed(certificates, confirmed) ? 'live' : 'unknown'
}

/** One of them was confirmed, and each was signed by the next. */
export function isConfirmed(
  certificates: readonly X509Certificate[],
  confirmed: readonly string[],
): boolean {
  return (
    certificates.some(({ fingerprint256 }) => confirmed.includes(bare(fingerprint256))) &&
    certificates.every((one, at) => {
      const issuer = certificates[at + 1]
      return issuer === undefined || one.verify(issuer.publicKey)
    })
  )
}

/**
 * What somebody may confirm: fingerprints of the issuers that it told, or of its own certificate
 * where it told none.
 */
export function issuersOf({ certificate: { der, chain } }: TseIdentity): string[] {
  const told = chain.length > 0 ? chain : [der]
  return told.map((one) => bare(new X509Certificate(one).fingerprint256))
}
