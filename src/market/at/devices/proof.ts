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
}

const DAY_MS = 86_400_000
/** The vendor issues a new one within days; a change is announced at FinanzOnline. */
const WARN_DAYS = 60

export function proofOf(told: Told, seen: Seen): ProofLine[] {
  return [
    certificateLine(told, seen),
    chainLine(told),
    identityLine(told),
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

function identityLine({ zda, der }: Told): ProofLine {
  const subject = new X509Certificate(der).subject.split('\n').join(', ')
  const text = `${zda}, for ${subject}`
  return { name: 'identity', level: 'ok', text }
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
