// What `scu check` tells of a German certified device, from what it has just said of itself.
import { X509Certificate } from 'node:crypto'
import { mayUse, type ProofLine, type UnitEnvironment } from '../../../device/driver.js'
import { TSE_STATES, type TseInfo } from '../../../device/tse/tse.js'
import { CERTIFIED, certificationName, isCertified } from './certified-doubt.js'
import { isConfirmed, issuersOf } from './chain-environment.js'

const DAY_MS = 86_400_000
/** Ordering a new device takes its time. */
const WARN_DAYS = 60
const NEARLY = 0.9

export interface Proven {
  info: TseInfo
  environment: UnitEnvironment
  /** What somebody has looked at (`scu check --confirm`). */
  confirmed: readonly string[]
  /** Left out: nobody says what this server is. */
  production?: boolean | undefined
  now: Date
  /** Of a device whose clock this server sets: whether it runs; left out: nobody knows. */
  hasTime?: boolean | undefined
}

export function proofLines(proven: Proven): ProofLine[] {
  const { info, now, hasTime } = proven
  return [
    certificateLine(info, now),
    chainLine(proven),
    identityLine(info),
    certificationLine(proven),
    environmentLine(proven),
    ...(hasTime === undefined ? [] : [clockLine(hasTime)]),
    countersLine(info),
  ]
}

function certificateLine({ identity }: TseInfo, now: Date): ProofLine {
  const { validTo, subject } = new X509Certificate(identity.certificate.der)
  const end = new Date(validTo)
  const days = Math.floor((end.getTime() - now.getTime()) / DAY_MS)
  const text = `${subject.replaceAll('\n', ', ')}, until ${end.toISOString().slice(0, 10)}`
  if (days < 0) return { name: 'certificate', level: 'bad', text, next: 'Replace the device.' }
  if (days >= WARN_DAYS) return { name: 'certificate', level: 'ok', text }
  return { name: 'certificate', level: 'warn', text, next: `Order another: ${days} days are left.` }
}

const CONFIRM = 'npx fiskalwerk scu check --scu ID --confirm'

function chainLine({ info: { identity }, confirmed, production }: Proven): ProofLine {
  const { der, chain } = identity.certificate
  const all = [der, ...chain].map((one) => new X509Certificate(one))
  const breaks = all.some((one, at) => {
    const issuer = all[at + 1]
    return issuer !== undefined && !one.verify(issuer.publicKey)
  })
  const name = 'chain'
  if (breaks) return { name, level: 'bad', text: 'a certificate is not signed by the next one' }
  const last = all.at(-1)
  const text =
    `${all.length} certificates up to ${last?.issuer.replaceAll('\n', ', ')}, ` +
    `SHA-256 ${issuersOf(identity).join(', ')}`
  if (isConfirmed(all, confirmed)) return { name, level: 'ok', text: `${text}, confirmed` }
  const next = `Compare it with what the maker publishes, then ${CONFIRM} FINGERPRINT.`
  return { name, level: production === true ? 'bad' : 'warn', text, next }
}

/** The serial number is the hash of the key: readers of the answer have compared it. */
function identityLine({ identity, state }: TseInfo): ProofLine {
  const text = `serial number ${identity.serialHex}, ${identity.algorithm}`
  if (state === TSE_STATES.initialized) return { name: 'identity', level: 'ok', text }
  const next =
    state === TSE_STATES.terminated
      ? 'It signs nothing any more.'
      : 'Set it up: docs/going-live-de.md.'
  return { name: 'identity', level: 'bad', text: `${text}, not in operation`, next }
}

function certificationLine({ info, confirmed, production }: Proven): ProofLine {
  const id = info.identity.certificationId
  const name = 'certification'
  const maker = CERTIFIED[id.trim()]
  const list = 'the list of the BSI'
  if (maker !== undefined) {
    return { name, level: 'ok', text: `${id} (${maker}); its end stands in ${list}` }
  }
  if (isCertified(id, confirmed)) return { name, level: 'ok', text: `${id}, confirmed` }
  const level = production === true ? 'bad' : 'warn'
  const next = `Compare it with ${list}, and its end, then ${CONFIRM} ${certificationName(id)}.`
  return { name, level, text: `"${id}" is not known here`, next }
}

function environmentLine({ environment, production }: Proven): ProofLine {
  const name = 'environment'
  const isWrong = production !== undefined && !mayUse(environment, production)
  const level = isWrong ? 'bad' : 'ok'
  if (environment !== 'unknown') return { name, level, text: environment }
  const next =
    'Compare the root certificate with the maker, then npx fiskalwerk scu check --scu ID ' +
    '--confirm FINGERPRINT.'
  const text = 'the device does not tell whether it is one for tests'
  return { name, level: isWrong ? 'bad' : 'warn', text, next }
}

/** It tells no time before it signs. */
function clockLine(hasTime: boolean): ProofLine {
  const name = 'clock'
  if (hasTime)
    return { name, level: 'ok', text: 'it runs; this server has set it, or another host' }
  const next = 'The next receipt sets it by the clock of this server.'
  return { name, level: 'warn', text: 'it was not set since the device was switched on', next }
}

function countersLine(info: TseInfo): ProofLine {
  const { signatures, maxSignatures, logMemory, maxLogMemory, openTransactions } = info
  const text =
    `${signatures} signatures, ${openTransactions.length} transactions open, ` +
    `${info.clientIds.length} of ${info.maxClients} clients`
  const isFull =
    signatures > maxSignatures * NEARLY || (maxLogMemory > 0 && logMemory > maxLogMemory * NEARLY)
  if (!isFull) return { name: 'counters', level: 'ok', text }
  return { name: 'counters', level: 'warn', text, next: 'Export and erase, or order another.' }
}
