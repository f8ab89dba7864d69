// The French members of status, configuration and raw journal exports.
import { Decimal } from '../../lib/decimal.js'
import type { StoredMarketRow } from '../../model/journal.js'
import type { QueueView } from '../../model/queue.js'
import { payloadOf } from '../kit/jws.js'
import { amountText } from './payload.js'
import { chainOf, type FrState } from './queue.js'
import { LETTERS } from './rows.js'
import { type Amounts, BLOCK, type BlockMember, PERIODS } from './totals.js'

const NAMES: Readonly<Record<BlockMember, string>> = {
  total: 'Totalizer',
  'ci-n': 'CITotalNormal',
  'ci-r1': 'CITotalReduced1',
  'ci-r2': 'CITotalReduced2',
  'ci-rs': 'CITotalReducedS',
  'ci-z': 'CITotalZero',
  'ci-u': 'CITotalUnknown',
  'pi-c': 'PITotalCash',
  'pi-n': 'PITotalNonCash',
  'pi-i': 'PITotalInternal',
  'pi-u': 'PITotalUnknown',
}

/** Chains with totals, and what they have of them. */
const COUNTED = { T: 11, P: 11, I: 11, B: 11, X: 1 } as const

function blockOf(prefix: string, amounts: Amounts, count: number): Record<string, Decimal> {
  const members = BLOCK.slice(0, count).map((name) => [
    `${prefix}${NAMES[name]}`,
    Decimal.of(amountText(amounts[name] ?? '0')),
  ])
  return Object.fromEntries(members)
}

/** The ftQueueFR object. */
export function describeQueue(
  queue: QueueView & { timeStamp: bigint },
  state: FrState,
): Record<string, unknown> {
  const chains = LETTERS.map((letter) => {
    const { number, lastHash, totals } = chainOf(state, letter)
    const count = letter in COUNTED ? COUNTED[letter as keyof typeof COUNTED] : 0
    return {
      [`${letter}Numerator`]: number,
      ...blockOf(letter, totals, count),
      [`${letter}LastHash`]: lastHash === '' ? null : lastHash,
    }
  })
  const periods = PERIODS.map((period) => {
    const name = period.charAt(0).toUpperCase() + period.slice(1)
    const prefix = period === 'archive' ? 'A' : `G${name}`
    const last = state.lastClosings[period]
    return {
      ...blockOf(prefix, state.periods[period], BLOCK.length),
      [period === 'archive' ? 'ALastMoment' : `GLast${name}Moment`]: last?.moment ?? null,
      [period === 'archive' ? 'ALastQueueItemId' : `GLast${name}QueueItemId`]: last?.itemId ?? null,
    }
  })
  const { failed } = state
  return {
    ftQueueFRId: queue.id,
    ftSignaturCreationUnitFRId: state.scuId,
    Siret: state.siret === '' ? null : state.siret,
    CashBoxIdentification: queue.identification,
    ...Object.assign({}, ...chains, ...periods),
    UsedFailedCount: failed.count,
    UsedFailedMomentMin: shown(failed.momentMin),
    UsedFailedMomentMax: shown(failed.momentMax),
    UsedFailedQueueItemId: failed.itemId,
    MessageCount: 0,
    MessageMoment: null,
    TimeStamp: queue.timeStamp,
  }
}

function shown(unixMilliseconds: number | null): string | null {
  return unixMilliseconds === null ? null : new Date(unixMilliseconds).toISOString()
}

interface Payload {
  rid: string
}

/** The ftJournalFR object. */
export function describeMarketRow(
  row: StoredMarketRow,
  queueId: string,
): Record<string, unknown> | undefined {
  if (row.kind.length > 1) return undefined
  const payload = payloadOf(row.content)
  const { rid } = JSON.parse(payload) as Payload
  return {
    ftJournalFRId: row.id,
    JWT: row.content,
    JsonData: payload,
    ReceiptType: row.kind,
    // the receipts of the queue before this one stand in its identification
    Number: Number.parseInt(rid.slice('ft'.length), 16) + 1,
    ftQueueItemId: row.queueItemId,
    ftQueueId: queueId,
    TimeStamp: row.timeStamp,
  }
}
