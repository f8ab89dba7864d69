// One receipt of a Portuguese queue, from the request to the answer; in earnest, or only tried.
import type { PtDevice } from '../../device/pt/unit.js'
import { SIGNATURE_BYTES } from '../../device/pt/unit.js'
import type { ReceiptRequest } from '../../model/receipt.js'
import type { ReceiptOutcome } from '../contract.js'
import { noteFate } from '../kit/counted.js'
import { marketRow, newQueueDraft, priority, referredTo } from '../kit/draft.js'
import { printedIn } from '../kit/earlier.js'
import type { Refusal } from '../kit/refusal.js'
import { answersOf, noteLife, previewOf, refusing, take } from '../kit/steps.js'
import {
  type Chain,
  receiptCases as c,
  ERROR_STATE,
  MESSAGE_PENDING,
  OUT_OF_SERVICE,
  SLOTS,
  stateWord,
  types,
} from './cases.js'
import { userId } from './customer.js'
import { makeDocument, signaturesOf, textItem } from './documents.js'
import { localText, type PtDraft, type PtInput } from './draft.js'
import {
  fourDigits,
  nextFate,
  notePaper,
  type Original,
  originalOf,
  paperReference,
} from './history.js'
import type { PtState, QueueConfiguration } from './queue.js'
import { type Paper, type Reading, readReceipt } from './reading.js'
import { STATUS_ROWS, type StoredStatus } from './rows.js'
import { endAll, registerAll } from './series.js'
import { refuse, texts } from './text.js'

type Outcome = ReceiptOutcome<PtState>

export const process = (input: PtInput): Promise<Outcome> =>
  take(newQueueDraft<PtState, PtDevice, QueueConfiguration>(input), {
    ...{ start: c.start, act, accepted },
    // what was asked of the authority stays known
    refused: refusing<PtState>(ERROR_STATE, ['state']),
    read: ({ input: { receipt }, settings }) => readReceipt(receipt, settings),
  })

const { accepted, stateAt } = answersOf<PtState>({
  ...{ word: stateWord, outOfService: OUT_OF_SERVICE, sandboxType: types.text },
  // a series waits for its code
  bitsOf: ({ series }) =>
    SLOTS.some((slot) => (series[slot]?.code ?? '') === '') ? MESSAGE_PENDING : 0n,
})

export { stateAt }

async function act(draft: PtDraft, reading: Reading): Promise<Refusal | undefined> {
  if (reading.code === c.start || reading.code === c.stop) return live(draft, reading)
  const early = usedReference(draft) ?? momentFault(draft, reading)
  if (early !== undefined) return early
  if (reading.code === c.copy) return copy(draft, reading)
  if (reading.chain === undefined) return undefined
  return document(draft, reading, reading.chain)
}

async function live(draft: PtDraft, { code }: Reading): Promise<undefined> {
  const isStart = code === c.start
  await (isStart ? registerAll : endAll)(draft)
  noteLife(draft, {
    ...{ isStart, what: 'QueuePT', types, priority: priority.information },
    message: (type) => `${type} ${draft.input.queue.id}`,
  })
}

const isUsed = ({ input }: PtDraft, paper: Paper): boolean =>
  (referredTo(input.previous, paperReference(paper))?.counted ?? 0) > 0

function usedReference({ input }: PtDraft): Refusal | undefined {
  const own = input.receipt.request.receiptReference?.trim() ?? ''
  const found = referredTo(input.previous, own)
  const isKnown = found !== undefined && found.receipts.length > 0
  return isKnown ? refuse('ReceiptReferenceAlreadyUsed', [own]) : undefined
}

const MINUTE_MS = 60_000

function momentFault({ input, settings }: PtDraft, { paper }: Reading): Refusal | undefined {
  const minutes = settings['moment-tolerance-minutes']
  if (minutes === 0 || paper !== undefined) return undefined
  const { receiptMoment: sent } = input.receipt.request
  const [told, now] = [sent.toISOString(), input.moment.toISOString()]
  const early = sent.getTime() - input.moment.getTime()
  if (early > MINUTE_MS) return refuse('CbReceiptMomentInFuture', [told, now])
  const isFar = -early > minutes * MINUTE_MS
  return isFar
    ? refuse('CbReceiptMomentDeviationExceeded', [told, String(minutes), now])
    : undefined
}

async function document(
  draft: PtDraft,
  reading: Reading,
  chain: Chain,
): Promise<Refusal | undefined> {
  const { previous, paper, code } = reading
  if (paper !== undefined && isUsed(draft, paper)) {
    const pair = [paper.series, fourDigits(paper.number)]
    return refuse('HandwrittenReceiptSeriesNumberAlreadyLinked', pair)
  }
  if (previous === '' && (reading.voids || code === c.payment))
    return refuse('PreviousReceiptReference')
  if (previous === '' && reading.refunds) return refuse('RefundMissingPreviousReceiptReference')
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
  const told: StoredStatus = {
    ...{ number, status, entry: localText(input.moment, settings) },
    user: userId(input.receipt.request.user ?? ''),
    reason: status === 'A' ? 'Anulado' : 'Faturado',
  }
  const row = { kind: STATUS_ROWS, number: 0, content: told }
  draft.journal.push(marketRow(input.tools, row))
}

// ----------------------------------------------------------------------------------------- copies

/** The same document once more, as it was made: nothing is computed anew. */
function copy(draft: PtDraft, { previous }: Reading): Refusal | undefined {
  if (previous === '') return refuse('PreviousReceiptReference')
  const original = originalOf(draft, previous)
  if ('faults' in original) return original
  if (original.reading.chain === undefined) return refuse('CopyReceiptNotSupported')
  const { request } = draft.input.receipt
  const isSame = request.chargeItems.length === 0 || isEqual(request, original.request)
  if (!isSame) return refuse('CopyReceiptMismatch')
  draft.identification = `${draft.identification}${original.number}`
  draft.signatures.push(...printedIn(original.response), textItem(texts.duplicate))
  if (original.fate.status === 'A') draft.signatures.push(textItem(texts.voided))
  return undefined
}

function isEqual(one: ReceiptRequest, other: ReceiptRequest): boolean {
  const [left, right] = [one, other].map(({ chargeItems, payItems }) =>
    [...chargeItems, ...payItems]
      .map(({ description, quantity, amount }) =>
        [description, quantity.toShortString(), amount.toShortString()].join('|'),
      )
      .join('\n'),
  )
  return left === right
}

// -------------------------------------------------------------------------------------- only tried

const NOBODY = { nif: '500000000', publicKey: '', certificateNumber: '9999' }

/** Says yes to everything; what it signs is never shown. */
const pretended: PtDevice = {
  identity: async () => NOBODY,
  sign: async () => Buffer.alloc(SIGNATURE_BYTES),
  series: async () => ({
    ...{ code: '2001', message: '' },
    series: [{ codValidacaoSerie: 'AAAAAAAAAA', dataInicioPrevUtiliz: '' }],
  }),
}

export const preview = previewOf<PtState, PtDevice>(process, {
  device: ({ issuer }) => ({
    ...pretended,
    identity: async () => ({ ...NOBODY, nif: issuer?.nif ?? NOBODY.nif }),
  }),
  numbers: ({ series }) =>
    Object.fromEntries(
      Object.entries(series).map(([chain, { number }]) => [`${chain}Numerator`, number]),
    ),
})
