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
  /** Of the server's clock, where the device tells its own. */
  clockOffsetSeconds?: number | undefined
}

export function proofLines(proven: Proven): ProofLine[] {
  const { info, now, clockOffsetSeconds } = proven
  return [
    certificateLine(info, now),
    chainLine(proven),
    identityLine(info),
    certificationLine(proven),
    environmentLine(proven),
    ...(clockOffsetSeconds === undefined ? [] : [clockLine(clockOffsetSeconds)]),
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

const MOST_OFFSET_SECONDS = 60

function clockLine(offset: number): ProofLine {
  const text = `${offset} seconds beside the clock of this server`
  const level = Math.abs(offset) <= MOST_OFFSET_SECONDS ? 'ok' : 'bad'
  return { name: 'clock', level, text }
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
