// Whether a device that does not tell is one for tests: by its certificates, and by what the operator
// has compared with the maker's.
import { X509Certificate } from 'node:crypto'
import type { UnitEnvironment } from '../../../device/driver.js'
import type { TseIdentity } from '../../../device/tse/tse.js'

const bare = (fingerprint: string): string => fingerprint.replaceAll(':', '').toLowerCase()

/** `live` only behind a root that the operator has confirmed; a name with "test" never is. */
export function environmentByChain(
  { certificate: { der, chain } }: TseIdentity,
  confirmed: string | undefined,
): UnitEnvironment {
  const certificates = [der, ...chain].map((one) => new X509Certificate(one))
  const isTest = certificates.some(({ subject, issuer }) => /\btest\b/i.test(subject + issuer))
  if (isTest) return 'test'
  const isConfirmed =
    confirmed !== undefined &&
    certificates.some(({ fingerprint256 }) => bare(fingerprint256) === bare(confirmed)) &&
    certificates.every((one, at) => {
      const issuer = certificates[at + 1]
      return issuer === undefined || one.verify(issuer.publicKey)
    })
  return isConfirmed ? 'live' : 'unknown'
}
