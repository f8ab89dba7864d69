// What is signed: the members of each kind of document in their order as one JSON text, and how
// documents are chained.
import type { JwsIdentity } from '../../device/jws.js'
import { sha256 } from '../../lib/hash.js'
import { isoText } from '../../lib/ticks.js'
import type { Draft } from '../kit/draft.js'
import { isClosing } from './cases.js'
import { chainOf, type FrState } from './queue.js'
import type { FrDraft } from './reading.js'
import type { Letter } from './rows.js'
import {
  type Amounts,
  BLOCK,
  type BlockMember,
  PERPETUAL,
  type Periods,
  perpetualName,
  plus,
} from './totals.js'

/** Each member as JSON text: `"rc":1`. */
export type Members = readonly string[]

/** What all documents of a receipt have in common. */
export interface Frame {
  draft: FrDraft
  identity: Pick<JwsIdentity, 'siret' | 'serialHex'>
  /** Whose newest hash it goes on from. */
  letter: Letter
}

/** `{"alg":"ES256","typ":"JWT"}` */
export const HEADER = 'eyJhbGciOiJFUzI1NiIsInR5cCI6IkpXVCJ9'

/** Member `hash` of the next document of the same letter. */
export const chainValue = (input: string): string => sha256(input).toString('base64')

export const payloadText = (members: Members): string => `{${members.join(',')}}`

/** Shortest form with at least one place: `18.8`, `0.0`. */
export function amountText(value = '0'): string {
  return value.includes('.') ? value : `${value}.0`
}

/** Texts that are not there are left out. */
function texts(values: Readonly<Record<string, string | null | undefined>>): Members {
  const members: string[] = []
  for (const name in values) {
    const value = values[name]
    if (value !== null && value !== undefined) members.push(`"${name}":${JSON.stringify(value)}`)
  }
  return members
}

/** The totals of a period, with zeros; `prefix`: `d-`. */
function block(prefix: string, amounts: Amounts, names: readonly BlockMember[] = BLOCK): Members {
  return names.map((name) => `"${prefix}${name}":${amountText(amounts[name])}`)
}

function head({ draft: { input, identification }, identity }: Frame): Members {
  return texts({
    qid: input.queue.id,
    cbid: input.queue.identification,
    siret: identity.siret,
    rid: identification,
    dt: isoText(input.moment),
    qiid: input.receipt.id,
  })
}

function tail({ draft: { input }, identity, letter }: Frame): Members {
  const { lastHash } = chainOf(input.state, letter)
  return [
    ...texts({ csn: identity.serialHex }),
    `"rc":${BigInt.asIntN(64, input.receipt.request.receiptCase)}`,
    ...texts({ hash: lastHash === '' ? null : lastHash }),
  ]
}

/** Buckets without items are left out, the total never. */
function ticket(frame: Frame, amounts: Amounts): Members {
  const there = BLOCK.filter((name) => name === 'total' || amounts[name] !== undefined)
  return [...head(frame), ...block('', amounts, there), ...tail(frame)]
}

/** Tickets and invoices since the queue began. */
const perpetualOf = (state: FrState): Amounts =>
  plus(chainOf(state, 'T').totals, chainOf(state, 'I').totals)

function archive(frame: Frame, { archive, day, month, year }: Periods): Members {
  const { input, state } = frame.draft
  const { lastActionId, lastMarketId, lastReceiptId } = input.journal
  return [
    ...block('a-', archive),
    ...texts({
      lajid: lastActionId,
      ljid: lastMarketId,
      lrjid: lastReceiptId,
      paqiid: input.state.lastClosings.archive?.itemId,
      fcrqiid: state.archiveFrom?.itemId,
      fcrm: state.archiveFrom?.moment,
      lcrqiid: state.lastReceipt?.itemId,
      lcrm: state.lastReceipt?.moment,
    }),
    ...[...head(frame), ...block('d-', day), ...block('m-', month), ...block('y-', year)],
    ...[...block('p-', perpetualOf(state), PERPETUAL), ...tail(frame)],
  ]
}

/** The form of its chain. */
export function membersOf(frame: Frame, periods: Periods): Members {
  const { reading, state } = frame.draft
  if (frame.letter === 'A') return archive(frame, periods)
  if (frame.letter === 'C')
    return [...head(frame), ...texts({ crr: reading.copied }), ...tail(frame)]
  if (frame.letter !== 'G') return ticket(frame, reading.amounts)
  const { day, month, year, shift } = periods
  return [
    ...[...head(frame), ...block('d-', day), ...block('m-', month), ...block('y-', year)],
    ...block('s-', shift),
    ...(isClosing(reading.code) ? block('p-', perpetualOf(state), PERPETUAL) : []),
    ...tail(frame),
  ]
}

/** Data of an item that shows the totals of a period; not signed. */
export function totalsText(frame: Frame, amounts: Amounts): string {
  return payloadText([...head(frame), ...block('', amounts), ...tail(frame)])
}

const PERPETUAL_ORDER = ['total', 'ci-n', 'ci-r1', 'ci-r2', 'ci-rs', 'ci-u', 'ci-z'] as const

/** Data of the item with the perpetual totals. */
export function perpetualText({ state }: Pick<Draft<FrState, never>, 'state'>): string {
  const amounts = perpetualOf(state)
  return payloadText(
    PERPETUAL_ORDER.map((name) => `"${perpetualName(name)}":${amountText(amounts[name])}`),
  )
}
