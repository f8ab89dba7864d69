// The French members of status, configuration and raw journal exports.
import { Decimal } from '../../lib/decimal.js'
import type { JsonObject } from '../../lib/json.js'
import type { StoredMarketRow } from '../../model/journal.js'
import { textIn } from '../../model/json-members.js'
import type { QueueView } from '../../model/queue.js'
import { membersIn, payloadOf } from '../kit/jws.js'
import { describeLate } from '../kit/late-entry.js'
import { PERIODS } from './cases.js'
import { amountText } from './documents.js'
import { chainOf, type FrState } from './queue.js'
import { LETTERS } from './rows.js'
import { type Amounts, BLOCK, type BlockMember, COUNTED, NAMES } from './totals.js'

const blockOf = (prefix: string, amounts: Amounts, members: readonly BlockMember[] = BLOCK) =>
  Object.fromEntries(
    members.map((name) => [`${prefix}${NAMES[name]}`, Decimal.of(amountText(amounts[name]))]),
  )

/** The ftQueueFR object. */
export function describeQueue(
  queue: QueueView & { timeStamp: bigint },
  state: FrState,
): Record<string, unknown> {
  const chains = LETTERS.map((letter) => {
    const { number, lastHash, totals } = chainOf(state, letter)
    return {
      [`${letter}Numerator`]: number,
      ...blockOf(letter, totals, COUNTED[letter] ?? []),
      [`${letter}LastHash`]: lastHash === '' ? null : lastHash,
    }
  })
  const periods = PERIODS.map((period) => {
    const name = period.charAt(0).toUpperCase() + period.slice(1)
    const [prefix, last] = period === 'archive' ? ['A', 'ALast'] : [`G${name}`, `GLast${name}`]
    const place = state.lastClosings[period]
    return {
      ...blockOf(prefix, state.periods[period]),
      [`${last}Moment`]: place?.moment ?? null,
      [`${last}QueueItemId`]: place?.itemId ?? null,
    }
  })
  const { failed, messages } = state
  return {
    ftQueueFRId: queue.id,
    ftSignaturCreationUnitFRId: state.scuId,
    Siret: state.siret === '' ? null : state.siret,
    CashBoxIdentification: queue.identification,
    ...Object.assign({}, ...chains, ...periods),
    ...describeLate(failed, shown),
    MessageCount: messages.length,
    MessageMoment: shown(messages[0]?.moment ?? null),
    TimeStamp: queue.timeStamp,
  }
}

/** Of Unix milliseconds. */
const shown = (moment: number | null): string | null =>
  moment === null ? null : new Date(moment).toISOString()

/** The receipt of the queue that a document belongs to: those before it are in its `rid`. */
export function receiptNumberOf(payload: JsonObject): number {
  return Number.parseInt(textIn(payload, 'rid').slice('ft'.length), 16) + 1
}

/** The ftJournalFR object. */
export function describeMarketRow(
  row: StoredMarketRow,
  queueId: string,
): Record<string, unknown> | undefined {
  if (row.kind.length > 1) return undefined
  return {
    ftJournalFRId: row.id,
    JWT: row.content,
    JsonData: payloadOf(row.content),
    ReceiptType: row.kind,
    Number: receiptNumberOf(membersIn(row.content)),
    ftQueueItemId: row.queueItemId,
    ftQueueId: queueId,
    TimeStamp: row.timeStamp,
  }
}
