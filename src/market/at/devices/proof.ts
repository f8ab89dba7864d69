// What a unit of a trust service provider is, line by line, for whoever is about to use it.
import { X509Certificate } from 'node:crypto'
import { mayUse, type ProofLine, type UnitEnvironment } from '../../../device/driver.js'
import { serialHexOf } from '../../../device/rksv.js'
import {
  fingerprintOf,
  holderOf,
  isChained,
  issuerOf,
  outOfDate,
  type Told,
} from './certificate.js'

export interface Seen {
  environment: UnitEnvironment | undefined
  /** Undefined: nobody says which server this is. */
  production: boolean | undefined
  now: Date
  /** The signature of a probe verified. */
  isOwn: boolean
  /** VAT id, tax number and the like of the company; '': not known. */
  holders: readonly string[]
}

const DAY_MS = 86_400_000
/** The vendor issues a new one within days; a change is announced at FinanzOnline. */
const WARN_DAYS = 60

export function proofOf(told: Told, seen: Seen): ProofLine[] {
  return [
    certificateLine(told, seen),
    chainLine(told),
    identityLine(told, seen),
    possession(seen),
    place(seen),
  ]
}

function certificateLine(told: Told, { now }: Seen): ProofLine {
  const { validTo } = new X509Certificate(told.der)
  const days = Math.floor((new Date(validTo).getTime() - now.getTime()) / DAY_MS)
  const text =
    `${holderOf(told.der)}, serial ${serialHexOf(told.der)}, ` +
    `SHA-256 ${fingerprintOf(told.der)}, ends ${validTo} (${days} days left)`
  const late = outOfDate(told, now)
  const next = 'Order a new certificate, and announce it at FinanzOnline.'
  if (late !== undefined) return { name: 'certificate', level: 'bad', text, next }
  const level = days <= WARN_DAYS ? 'warn' : 'ok'
  return { name: 'certificate', level, text, ...(level === 'ok' ? {} : { next }) }
}

function chainLine(told: Told): ProofLine {
  const issuers = told.chain.map((der) => `${holderOf(der)} SHA-256 ${fingerprintOf(der)}`)
  const text = `issued by ${issuerOf(told.der)}; issuers: ${issuers.join(', ') || 'none'}`
  if (isChained(told)) return { name: 'chain', level: 'ok', text }
  const next = 'Give the issuers of the certificate, nearest first (certificatechain).'
  return { name: 'chain', level: 'bad', text: `${text}; they do not verify`, next }
}

/** The subject names the company by its VAT id, GLN or tax number (Ordnungsbegriff). */
function identityLine({ zda, der }: Told, { holders }: Seen): ProofLine {
  const subject = new X509Certificate(der).subject.split('\n').join(', ')
  const text = `${zda}, for ${subject}`
  const bare = (value: string) => value.replace(/[^A-Za-z0-9]/g, '').toUpperCase()
  const known = holders.map(bare).filter((one) => one !== '')
  if (known.some((one) => bare(subject).includes(one)))
    return { name: 'identity', level: 'ok', text }
  const whose =
    known.length === 0 ? 'the account has no VAT id or tax number' : `not ${known.join(', ')}`
  const next =
    'The tax office refuses a certificate of another company: compare, then correct either.'
  return { name: 'identity', level: 'warn', text: `${text}; ${whose}`, next }
}

function possession({ isOwn }: Seen): ProofLine {
  return isOwn
    ? { name: 'possession', level: 'ok', text: 'a signature of chance bytes verifies' }
    : {
        name: 'possession',
        level: 'bad',
        text: 'a signature of chance bytes does not verify',
        next: 'Ask the provider: certificate and key do not belong together.',
      }
}

function place({ environment = 'unknown', production }: Seen): ProofLine {
  const server = production === true ? 'production' : 'a sandbox'
  const text = `the unit is ${environment}, this server is ${server}`
  if (production === undefined || mayUse(environment, production)) {
    return { name: 'environment', level: environment === 'unknown' ? 'warn' : 'ok', text }
  }
  const next = environment === 'unknown' ? CONFIRM : OTHER
  return { name: 'environment', level: 'bad', text, next }
}

const CONFIRM =
  'Compare the fingerprint of an issuer with what the provider publishes, then confirm it: ' +
  'npx fiskalwerk scu check --scu ID --confirm FINGERPRINT.'
const OTHER = 'Connect a unit of the kind of the server.'
