// Signature items of an answer in their order, and the mark of training on the receipt.
import type { ReceiptLines, Signature } from '../../model/receipt.js'
import { receiptCases as c, formats, isClosing, signatureType } from './cases.js'
import { perpetualText, totalsText } from './documents.js'
import type { QueueConfiguration } from './queue.js'
import { type FrDraft, text } from './receipt-draft.js'
import type { Document } from './signing.js'
import { captions, duplicateOf, fromTo, TRAINING_FOOTER } from './text.js'
import { endedBy, type Periods } from './totals.js'

interface Made {
  document: Document | undefined
  periods: Periods
}

interface Answer {
  signatures: Signature[]
  lines: ReceiptLines | undefined
}

const NO_LINES: ReceiptLines = { header: null, charge: null, pay: null, footer: null }
/** Totals stand before the signature, other texts behind it; in training all stand behind. */
export function answerOf(draft: FrDraft, { document, periods }: Made): Answer {
  const { reading } = draft
  const reports = [...totalsOf(draft, periods), ...failureOf(draft)]
  const jws = document === undefined ? [] : [codeOf(draft, document), ...excerptOf(draft, document)]
  if (!reading.training) {
    return { signatures: [...reports, ...jws, ...marksOf(draft)], lines: undefined }
  }
  const mark = note(draft, captions.training)
  return {
    signatures: [...jws, mark, ...reports],
    lines: { ...NO_LINES, footer: [TRAINING_FOOTER] },
  }
}

function codeOf({ reading, input }: FrDraft, { jws }: Document): Signature {
  const { 'signature-caption': caption } = input.queue.configuration as QueueConfiguration
  return { format: formats.qr, type: signatureType('jws', reading.tagging), caption, data: jws }
}

/** Characters 3, 7, 13 and 19 of the signature, counted from 1. */
const EXCERPT = [2, 6, 12, 18]

function excerptOf(draft: FrDraft, { jws, showsExcerpt }: Document): Signature[] {
  if (!showsExcerpt) return []
  const signature = jws.slice(jws.lastIndexOf('.') + 1)
  const data = EXCERPT.map((at) => signature.charAt(at)).join('')
  return [text(draft, { name: 'excerpt', caption: captions.excerpt, data })]
}

/** A text whose data names the queue. */
function note(draft: FrDraft, caption: string): Signature {
  return text(draft, { name: 'information', caption, data: draft.input.queue.id })
}

function marksOf(draft: FrDraft): Signature[] {
  const { reading, input } = draft
  if (reading.row.letter === 'B') return [note(draft, captions.provisional)]
  if (reading.row.letter === 'P') return [note(draft, captions.noProof)]
  if (reading.code !== c.copy) return []
  const data = duplicateOf(input.previous.counted + 1, reading.copied)
  return [text(draft, { name: 'information', caption: captions.duplicate, data })]
}

function totalsOf(draft: FrDraft, periods: Periods): Signature[] {
  const { reading, state, identification } = draft
  const { siret, certificateSerialNumber } = state
  const identity = { siret, serialHex: certificateSerialNumber }
  const items = endedBy(reading.code).map((period) => {
    const letter = period === 'archive' ? 'A' : 'G'
    const data = totalsText({ draft, identity, identification, letter }, periods[period])
    return text(draft, { name: period, caption: captions.totals[period], data })
  })
  if (!isClosing(reading.code)) return items
  const data = perpetualText(state)
  return [...items, text(draft, { name: 'perpetual', caption: captions.perpetual, data })]
}

/** A zero receipt tells which receipts were entered late. */
function failureOf(draft: FrDraft): Signature[] {
  const { reading, state, identification } = draft
  if (reading.code !== c.zero || state.failed.count === 0) return []
  const data = fromTo(state.failed.identification ?? '#', identification)
  return [text(draft, { name: 'operator', caption: captions.failure, data })]
}
