// One receipt of a Portuguese queue, from the request to the answer; in earnest, or only tried.
import type { DocumentStatus } from '../../device/pt/document.js'
import { type PtDevice, pretended } from '../../device/pt/unit.js'
import type { ReceiptRequest } from '../../model/receipt.js'
import { noteFate } from '../kit/counted.js'
import { addRow, priority, referredTo } from '../kit/draft.js'
import { printedIn } from '../kit/earlier.js'
import type { Refusal } from '../kit/refusal.js'
import { noteLife, queueOf } from '../kit/steps.js'
import * as c from './cases.js'
import { userId } from './customer.js'
import { makeDocument, signaturesOf, textItem } from './documents.js'
import { localText, type PtDraft } from './draft.js'
import { fourDigits, isUsed, nextFate, notePaper, type Original, originalOf } from './history.js'
import type { PtState, QueueConfiguration } from './queue.js'
import { type Reading, readReceipt } from './reading.js'
import { STATUS_ROWS } from './rows.js'
import { endAll, registerAll } from './series.js'
import { firstOf, refuse, texts } from './text.js'

export const { process, preview, stateAt } = queueOf<
  PtState,
  PtDevice,
  QueueConfiguration,
  Reading
>({
  ...{ life: c.receiptCases, refused: c.ERROR_STATE, live, act },
  ...{ word: c.stateWord, outOfService: c.OUT_OF_SERVICE, sandboxType: c.types.text },
  // what was asked of the authority stays known
  kept: ['state'],
  read: ({ input: { receipt }, settings }) => readReceipt(receipt, settings),
  // a series waits for its code
  bitsOf: ({ series }) =>
    c.SLOTS.some((slot) => (series[slot]?.code ?? '') === '') ? c.MESSAGE_PENDING : 0n,
  device: ({ issuer }) => pretended(issuer?.nif),
  numbers: ({ series }) =>
    Object.fromEntries(
      Object.entries(series).map(([chain, { number }]) => [`${chain}Numerator`, number]),
    ),
})

async function act(draft: PtDraft, reading: Reading): Promise<Refusal | undefined> {
  const early = firstFault(draft, reading)
  if (early !== undefined) return early
  if (reading.code === c.receiptCases.copy) return copy(draft, reading)
  if (reading.chain === undefined) return undefined
  return document(draft, reading, reading.chain)
}

async function live(draft: PtDraft, isStart: boolean): Promise<undefined> {
  await (isStart ? registerAll : endAll)(draft)
  noteLife(draft, {
    ...{ isStart, what: 'QueuePT', types: c.types, priority: priority.information },
    message: (type) => `${type} ${draft.input.queue.id}`,
  })
}

const MINUTE_MS = 60_000

/** What the queue knows against it, before anything else is looked at. */
function firstFault({ input, settings }: PtDraft, reading: Reading): Refusal | undefined {
  const { paper, previous, voids, refunds, code } = reading
  const { receiptMoment: sent, receiptReference } = input.receipt.request
  const own = receiptReference?.trim() ?? ''
  const minutes = settings['moment-tolerance-minutes']
  const isTimed = minutes !== 0 && paper === undefined
  const early = sent.getTime() - input.moment.getTime()
  const [told, now] = [sent.toISOString(), input.moment.toISOString()]
  const isDocument = reading.chain !== undefined && code !== c.receiptCases.copy
  const isAlone = isDocument && previous === ''
  const refers = voids || code === c.receiptCases.payment
  const [series = '', number = 0] = [paper?.series, paper?.number]
  const isTwice = isDocument && paper !== undefined && isUsed(input, paper)
  const far = [told, String(minutes), now]
  return firstOf(
    [
      (referredTo(input.previous, own)?.receipts ?? []).length > 0,
      'ReceiptReferenceAlreadyUsed',
      own,
    ],
    [isTimed && early > MINUTE_MS, 'CbReceiptMomentInFuture', told, now],
    [isTimed && -early > minutes * MINUTE_MS, 'CbReceiptMomentDeviationExceeded', ...far],
    [isTwice, 'HandwrittenReceiptSeriesNumberAlreadyLinked', series, fourDigits(number)],
    [isAlone && refers, 'PreviousReceiptReference'],
    [isAlone && refunds, 'RefundMissingPreviousReceiptReference'],
  )
}

async function document(
  draft: PtDraft,
  reading: Reading,
  chain: c.Chain,
): Promise<Refusal | undefined> {
  const { previous, paper } = reading
  const before = previous === '' ? undefined : originalOf(draft, previous)
  if (before !== undefined && 'faults' in before) return before
  const fate = before && nextFate(reading, before)
  if (fate !== undefined && 'faults' in fate) return fate
  if (reading.voids && before !== undefined) {
    draft.identification = `${draft.identification}${before.number}`
  } else {
    const made = await makeDocument(draft, { reading, chain, original: before })
    if ('faults' in made) return made
    draft.signatures.push(...signaturesOf(draft, made, { reading, chain, original: before }))
  }
  if (paper !== undefined) notePaper(draft, paper)
  if (fate !== undefined) noteFate(draft, fate)
  if (before !== undefined && fate !== undefined && fate.status !== before.fate.status) {
    noteStatus(draft, before, fate.status === 'A' ? 'A' : 'F')
  }
  return undefined
}

function noteStatus(draft: PtDraft, { number }: Original, status: 'A' | 'F'): void {
  const { input, settings } = draft
  const content: DocumentStatus = {
    ...{ number, status, entry: localText(input.moment, settings) },
    user: userId(input.receipt.request.user ?? ''),
    reason: status === 'A' ? 'Anulado' : 'Faturado',
  }
  addRow(draft, { kind: STATUS_ROWS, number: 0, content })
}

// ----------------------------------------------------------------------------------------- copies

/** The same document once more, as it was made: nothing is computed anew. */
function copy(draft: PtDraft, { previous }: Reading): Refusal | undefined {
  if (previous === '') return refuse('PreviousReceiptReference')
  const original = originalOf(draft, previous)
  if ('faults' in original) return original
  if (original.reading.chain === undefined) return refuse('CopyReceiptNotSupported')
  const { request } = draft.input.receipt
  const isSame = request.chargeItems.length === 0 || shown(request) === shown(original.request)
  if (!isSame) return refuse('CopyReceiptMismatch')
  draft.identification = `${draft.identification}${original.number}`
  draft.signatures.push(...printedIn(original.response), textItem(texts.duplicate))
  if (original.fate.status === 'A') draft.signatures.push(textItem(texts.voided))
  return undefined
}

const shown = ({ chargeItems, payItems }: ReceiptRequest): string =>
  [...chargeItems, ...payItems]
    .map(({ description, quantity, amount }) =>
      [description, quantity.toShortString(), amount.toShortString()].join('|'),
    )
    .join('\n')
