// The Austrian members of status, configuration and raw journal exports.
import { Decimal } from '../../lib/decimal.js'
import { isoText } from '../../lib/ticks.js'
import type { StoredMarketRow } from '../../model/journal.js'
import type { QueueView } from '../../model/queue.js'
import { keyCheckValue, openKey } from './turnover.js'

const NO_SCU = '00000000-0000-0000-0000-000000000000'
/** Check value of the AES key for registration by hand (FinanzOnline): 4 characters of base64. */

type Kind = 'flag' | 'text' | 'integer' | 'amount' | 'moment'

// ftQueueAT in the order of its model. State and configuration of a queue use the same names,
// without the ft and with a small first letter.
const QUEUE_MEMBERS: readonly (readonly [string, Kind])[] = [
  ['SignAll', 'flag'],
  ['ClosedSystemKind', 'text'],
  ['ClosedSystemValue', 'text'],
  ['ClosedSystemNote', 'text'],
  ['LastSettlementMonth', 'integer'],
  ['LastSettlementMoment', 'moment'],
  ['LastSettlementQueueItemId', 'text'],
  ['SSCDFailCount', 'integer'],
  ['SSCDFailMoment', 'moment'],
  ['SSCDFailQueueItemId', 'text'],
  ['SSCDFailMessageSent', 'moment'],
  ['UsedFailedCount', 'integer'],
  ['UsedFailedMomentMin', 'moment'],
  ['UsedFailedMomentMax', 'moment'],
  ['UsedFailedQueueItemId', 'text'],
  ['UsedMobileCount', 'integer'],
  ['UsedMobileMoment', 'moment'],
  ['UsedMobileQueueItemId', 'text'],
  ['MessageCount', 'integer'],
  ['MessageMoment', 'moment'],
  ['LastSignatureHash', 'text'],
  ['LastSignatureZDA', 'text'],
  ['LastSignatureCertificateSerialNumber', 'text'],
  ['ftCashNumerator', 'integer'],
  ['ftCashTotalizer', 'amount'],
]

/**
 * The ftQueueAT object. Values are text, boolean, null, number, bigint or Decimal, for a writer
 * that keeps 64-bit numbers (lib/json-write.ts). The AES key is never in it, its check value is:
 * the tax office has the key since the registration of the cash register.
 */
export function describeQueue(
  queue: QueueView & { timeStamp: bigint },
  state: Record<string, unknown>,
  secrets: string,
): Record<string, unknown> {
  const known = new Map([...membersOf(queue.configuration), ...membersOf(state)])
  const members = QUEUE_MEMBERS.map(([name, kind]) => [name, shown(known.get(keyOf(name)), kind)])
  return {
    ftQueueATId: queue.id,
    CashBoxIdentification: queue.identification,
    EncryptionKeyCheckValue: checkValueOf(secrets),
    ...Object.fromEntries(members),
    TimeStamp: queue.timeStamp,
  }
}

/** The ftJournalAT object, and what this server keeps beside it. Asserts that the row is a JWS. */
export function describeMarketRow(row: StoredMarketRow, queueId: string): Record<string, unknown> {
  const [header, payload, signature, ...rest] = row.content.split('.')
  if (signature === undefined || rest.length > 0) {
    throw new Error(`market row ${row.number} holds no compact JWS`)
  }
  return {
    ftJournalATId: row.id,
    ftSignaturCreationUnitId: row.scuId ?? NO_SCU,
    Number: row.number,
    JWSHeaderBase64url: header,
    JWSPayloadBase64url: payload,
    JWSSignatureBase64url: signature,
    ftQueueId: queueId,
    TimeStamp: row.timeStamp,
    ftQueueItemId: row.queueItemId,
    CertificateFingerprint: row.certificateFingerprint?.toString('hex') ?? null,
  }
}

function checkValueOf(secrets: string): string | null {
  const key = openKey(secrets)
  return key.kind === 'key' ? keyCheckValue(key.base64) : null
}

/** `ftCashNumerator`, `cashNumerator` and `CashNumerator` are the same member. */
function keyOf(name: string): string {
  return name.toLowerCase().replace(/^ft/, '')
}

function membersOf(value: unknown): Map<string, unknown> {
  if (typeof value !== 'object' || value === null) return new Map()
  return new Map(Object.entries(value).map(([name, one]) => [keyOf(name), one]))
}

function shown(value: unknown, kind: Kind): unknown {
  if (kind === 'flag') return value === true
  if (kind === 'integer') return integerOf(value)
  if (kind === 'amount') return amountOf(value)
  if (kind === 'moment') return momentOf(value)
  return typeof value === 'string' && value !== '' ? value : null
}

/** From Unix milliseconds or a Date. */
function momentOf(value: unknown): string | null {
  if (value instanceof Date) return isoText(value)
  return typeof value === 'number' ? isoText(new Date(value)) : null
}

function integerOf(value: unknown): number | bigint {
  if (typeof value === 'number' || typeof value === 'bigint') return value
  return typeof value === 'string' && /^-?\d+$/.test(value) ? BigInt(value) : 0
}

/** Euro with two decimals, from cents (bigint or number) or from a Decimal or its text. */
function amountOf(value: unknown): Decimal {
  if (typeof value === 'bigint' || typeof value === 'number') return Decimal.cents(BigInt(value))
  const exact = typeof value === 'string' ? Decimal.parse(value) : value
  return exact instanceof Decimal ? Decimal.cents(exact.toCents()) : Decimal.cents(0n)
}
