// Why a server in production does not use a German device yet, although it does not say that it is
// one for tests: nobody has looked at its certificates, or its certification is not known.
import { X509Certificate } from 'node:crypto'
import type { UnitEnvironment } from '../../../device/driver.js'
import type { TseIdentity } from '../../../device/tse/tse.js'
import { isConfirmed } from './chain-environment.js'

/** Units that the federal office (BSI) has certified; the end of each stands in its public list. */
export const CERTIFIED: Readonly<Record<string, string>> = {
  'BSI-K-TR-0362-2019': 'Swissbit',
  'BSI-K-TR-0373-2019': 'Epson',
  'BSI-K-TR-0374-2020': 'CryptoVision',
  'BSI-K-TR-0393-2020': 'Diebold Nixdorf',
  'BSI-K-TR-0490-2021': 'fiskaly',
  'BSI-K-TR-0524-2024': 'D-Trust',
  'BSI-K-TR-0612-2024': 'Swissbit Cloud',
}

/** As somebody confirms it. */
export const certificationName = (id: string): string => id.trim().toLowerCase()

export function isCertified(id: string, confirmed: readonly string[]): boolean {
  return CERTIFIED[id.trim()] !== undefined || confirmed.includes(certificationName(id))
}

export interface Doubtful {
  identity: TseIdentity
  environment: UnitEnvironment | undefined
  /** Fingerprints and certifications that somebody has looked at (`scu check --confirm`). */
  confirmed: readonly string[]
}

/** Undefined: there is none. One for tests is refused by its environment. */
export function doubtOf({ identity, environment, confirmed }: Doubtful): string | undefined {
  if (environment === 'test') return undefined
  const { certificationId, certificate } = identity
  if (!isCertified(certificationId, confirmed)) {
    return `of the certification "${certificationId}", which is not known`
  }
  const [der, ...chain] = [certificate.der, ...certificate.chain]
  const path = [der, ...chain].map((one) => new X509Certificate(one))
  return isConfirmed(path, confirmed) ? undefined : 'behind certificates that nobody has confirmed'
}
