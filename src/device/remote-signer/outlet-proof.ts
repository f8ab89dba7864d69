// What a unit of one outlet (jws.ts) is, line by line, for whoever is about to use it.
import { createHash, X509Certificate } from 'node:crypto'
import type { ProofLine } from '../driver.js'

export interface SeenOutlet {
  /** The certificate that the service tells. */
  der: Buffer
  /** Of the outlet, as the unit is configured. */
  siret: string
  now: Date
  /** Numbers of the merchant as authorities know them; '': not known. */
  holders: readonly string[]
}

const DAY_MS = 86_400_000
/** Time to make a new one and to tell who verifies. */
const WARN_DAYS = 60
/** The number of the company, with which that of each of its outlets begins. */
const SIREN_DIGITS = 9

/** A probe was signed, and the signature verifies: else there is no answer to prove. */
export function proofOfOutlet(seen: SeenOutlet): ProofLine[] {
  const possession = 'a signature of chance bytes verifies'
  return [
    certificateLine(seen),
    identityLine(seen),
    { name: 'possession', level: 'ok', text: possession },
  ]
}

function certificateLine({ der, now }: SeenOutlet): ProofLine {
  const { subject, serialNumber, validFrom, validTo } = new X509Certificate(der)
  const days = Math.floor((new Date(validTo).getTime() - now.getTime()) / DAY_MS)
  const print = createHash('sha256').update(der).digest('hex')
  const text =
    `${subject.split('\n').join(', ')}, serial ${serialNumber}, SHA-256 ${print}, ` +
    `valid from ${validFrom} to ${validTo} (${days} days left)`
  const isNow = now >= new Date(validFrom) && days >= 0
  if (isNow && days > WARN_DAYS) return { name: 'certificate', level: 'ok', text }
  const next = 'Give the service a new certificate; receipts are refused outside of its time.'
  return { name: 'certificate', level: isNow ? 'warn' : 'bad', text, next }
}

/** CN is the SIRET of the outlet, and that begins with the number of the merchant. */
function identityLine({ der, siret, holders }: SeenOutlet): ProofLine {
  const name = new X509Certificate(der).subject.split('\n').find((one) => one.startsWith('CN='))
  const text = `the certificate is of ${name ?? 'nobody'}, the unit of SIRET ${siret}`
  if (name !== `CN=${siret}`) {
    const next = 'Receipts are refused: set siret, or ask for the certificate of this outlet.'
    return { name: 'identity', level: 'bad', text, next }
  }
  const siren = siret.slice(0, SIREN_DIGITS)
  const known = holders.map((one) => one.replace(/\D/g, '')).filter((one) => one !== '')
  if (known.some((one) => one.endsWith(siren))) return { name: 'identity', level: 'ok', text }
  const whose = known.length === 0 ? 'the account has no VAT id' : `not of ${known.join(', ')}`
  const next = 'The outlet should be one of the merchant: compare, then correct either.'
  return { name: 'identity', level: 'warn', text: `${text}; ${whose}`, next }
}
