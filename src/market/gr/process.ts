// One receipt of a Greek queue, from the request to the answer; in earnest, or only tried.

import type { CasedRequest } from '../../case/reader.js'
import { type GrDevice, type GrIdentity, pretended } from '../../device/gr/unit.js'
import type { ReceiptOutcome, Sought } from '../contract.js'
import { newQueueDraft } from '../kit/draft.js'
import type { Refusal } from '../kit/refusal.js'
import { answering, answersOf, noteLife, previewOf, refusing, take } from '../kit/steps.js'
import * as c from './cases.js'
import type { GrDraft, GrInput } from './draft.js'
import { tellLater } from './later-payment.js'
import type { GrState, QueueConfiguration } from './queue.js'
import { type Reading, readReceipt, referencesIn } from './reading.js'
import { makeDocument } from './records.js'
import { refuse } from './text.js'

/** The receipts that are referred to; of one alone, the MARK that it got later. */
export function lookUp(receipt: CasedRequest): readonly Sought[] {
  const references = referencesIn(receipt)
  const wants = references.length === 1 ? 'both' : 'receipts'
  return references.map((reference) => ({ reference, wants }))
}

export const process = (input: GrInput): Promise<ReceiptOutcome<GrState>> =>
  take(newQueueDraft<GrState, GrDevice, QueueConfiguration>(input), {
    ...{ start: c.receiptCases.start, act, accepted },
    // that a number is used there is remembered
    refused: refusing<GrState>(c.ERROR_STATE, ['state', 'stateData', 'journal']),
    read: ({ input: { receipt } }) => readReceipt(receipt),
  })

const { accepted, stateAt } = answersOf<GrState>({
  ...{ word: c.stateWord, outOfService: c.OUT_OF_SERVICE, sandboxType: c.types.text },
  bitsOf: ({ transmission }) => (transmission.since === null ? 0n : c.UNREACHED),
})

export { stateAt }

async function act(draft: GrDraft, reading: Reading): Promise<Refusal | undefined> {
  const { start, stop } = c.receiptCases
  if (reading.code === start || reading.code === stop) return live(draft, reading.code === start)
  if (reading.type === '' && !reading.paysLater) return undefined
  const unit = await answering<GrDevice, GrIdentity>(draft.input, draft.settings['scu-timeout-ms'])
  if (typeof unit === 'string') return refuse('unit', unit)
  return (reading.paysLater || reading.cancels ? tellLater : makeDocument)(draft, reading, unit)
}

function live(draft: GrDraft, isStart: boolean): undefined {
  noteLife(draft, { isStart, what: 'QueueGR', types: c.types })
  if (draft.life === 'begins') draft.state.series ||= draft.input.queue.identification
}

export const preview = previewOf<GrState, GrDevice>(process, {
  device: ({ lastMark }) => pretended(lastMark),
  numbers: ({ number }) => ({ InvoiceNumerator: number }),
})
