// One receipt of a Greek queue, from the request to the answer; in earnest, or only tried.

import type { CasedRequest } from '../../case/reader.js'
import { type GrDevice, type GrIdentity, pretended } from '../../device/gr/unit.js'
import type { Sought } from '../contract.js'
import type { Refusal } from '../kit/refusal.js'
import { answering, noteLife, queueOf } from '../kit/steps.js'
import * as c from './cases.js'
import type { GrDraft } from './draft.js'
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

export const { process, preview, stateAt } = queueOf<
  GrState,
  GrDevice,
  QueueConfiguration,
  Reading
>({
  ...{ life: c.receiptCases, refused: c.ERROR_STATE, live, act },
  ...{ word: c.stateWord, outOfService: c.OUT_OF_SERVICE, sandboxType: c.types.text },
  // that a number is used there is remembered
  kept: ['state', 'stateData', 'journal'],
  read: ({ input: { receipt } }) => readReceipt(receipt),
  bitsOf: ({ transmission }) => (transmission.since === null ? 0n : c.UNREACHED),
  device: ({ lastMark }) => pretended(lastMark),
  numbers: ({ number }) => ({ InvoiceNumerator: number }),
})

async function act(draft: GrDraft, reading: Reading): Promise<Refusal | undefined> {
  if (reading.type === '' && !reading.paysLater) return undefined
  const unit = await answering<GrDevice, GrIdentity>(draft.input, draft.settings['scu-timeout-ms'])
  if (typeof unit === 'string') return refuse('unit', unit)
  return (reading.paysLater || reading.cancels ? tellLater : makeDocument)(draft, reading, unit)
}

function live(draft: GrDraft, isStart: boolean): undefined {
  noteLife(draft, { isStart, what: 'QueueGR', types: c.types })
  if (draft.life === 'begins') draft.state.series ||= draft.input.queue.identification
}
