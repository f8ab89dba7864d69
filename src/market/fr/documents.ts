// What each kind of document says: the members of its payload, before and after the totals.
import type { JwsIdentity } from '../../device/jws.js'
import { isoText } from '../../lib/ticks.js'
import { isClosing } from './cases.js'
import {
  fullBlock,
  type Members,
  payloadText,
  perpetualBlock,
  texts,
  ticketBlock,
} from './payload.js'
import { chainOf, type FrState } from './queue.js'
import type { FrDraft } from './receipt-draft.js'
import type { Letter } from './rows.js'
import type { Amounts, Periods } from './totals.js'
import { plus } from './totals.js'

/** What all documents of a receipt have in common. */
export interface Frame {
  draft: FrDraft
  identity: Pick<JwsIdentity, 'siret' | 'serialHex'>
  identification: string
  /** Whose newest hash it goes on from. */
  letter: Letter
}

function head({ draft: { input }, identity, identification }: Frame): Members {
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
    ['rc', BigInt.asIntN(64, input.receipt.request.receiptCase).toString()],
    ...texts({ hash: lastHash === '' ? null : lastHash }),
  ]
}

export function ticket(frame: Frame, amounts: Amounts): Members {
  return [...head(frame), ...ticketBlock(amounts), ...tail(frame)]
}

export function copy(frame: Frame): Members {
  const { copied } = frame.draft.reading
  return [...head(frame), ...texts({ crr: copied }), ...tail(frame)]
}

/** Tickets and invoices since the queue began. */
export function perpetualOf(state: FrState): Amounts {
  return plus(chainOf(state, 'T').totals, chainOf(state, 'I').totals)
}

export function grandTotal(frame: Frame, { day, month, year, shift }: Periods): Members {
  const { reading, state } = frame.draft
  return [
    ...head(frame),
    ...fullBlock('d-', day),
    ...fullBlock('m-', month),
    ...fullBlock('y-', year),
    ...fullBlock('s-', shift),
    ...(isClosing(reading.code) ? perpetualBlock(perpetualOf(state)) : []),
    ...tail(frame),
  ]
}

export function archive(frame: Frame, periods: Periods): Members {
  const { input, state } = frame.draft
  const { lastActionId, lastMarketId, lastReceiptId } = input.journal
  return [
    ...fullBlock('a-', periods.archive),
    ...texts({
      lajid: lastActionId,
      ljid: lastMarketId,
      lrjid: lastReceiptId,
      paqiid: input.state.lastClosings.archive?.itemId ?? null,
      fcrqiid: state.archiveFrom?.itemId ?? null,
      fcrm: state.archiveFrom?.moment ?? null,
      lcrqiid: state.lastReceipt?.itemId ?? null,
      lcrm: state.lastReceipt?.moment ?? null,
    }),
    ...head(frame),
    ...fullBlock('d-', periods.day),
    ...fullBlock('m-', periods.month),
    ...fullBlock('y-', periods.year),
    ...perpetualBlock(perpetualOf(state)),
    ...tail(frame),
  ]
}

/** Data of an item that shows the totals of a period; not signed. */
export function totalsText(frame: Frame, amounts: Amounts): string {
  const full = Object.fromEntries(
    fullBlock('', amounts).map(([name, value]) => [name, value]),
  ) as Amounts
  return payloadText(ticket(frame, full))
}

const PERPETUAL_NAMES = [
  ['PerpetualTotal', 'total'],
  ['PerpetualCITotalNormal', 'ci-n'],
  ['PerpetualCITotalReduced1', 'ci-r1'],
  ['PerpetualCITotalReduced2', 'ci-r2'],
  ['PerpetualCITotalReducedS', 'ci-rs'],
  ['PerpetualCITotalUnknown', 'ci-u'],
  ['PerpetualCITotalZero', 'ci-z'],
] as const

/** Data of the item with the perpetual totals. */
export function perpetualText(state: FrState): string {
  const values = new Map(fullBlock('', perpetualOf(state)))
  return payloadText(
    PERPETUAL_NAMES.map(([name, member]) => [name, values.get(member) ?? '0.0'] as const),
  )
}
