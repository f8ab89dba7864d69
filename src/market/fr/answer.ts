// Signature items of an answer in their order, and the mark of training on the receipt.
import type { ReceiptLines, Signature } from '../../model/receipt.js'
import { formats, referredTo } from '../kit/draft.js'
import { receiptCases as c, isClosing, type SignatureName, signatureTypes } from './cases.js'
import { perpetualText, totalsText } from './documents.js'
import type { QueueConfiguration } from './queue.js'
import type { FrDraft } from './reading.js'
import type { Document } from './signing.js'
import { captions, dataText, trainingFooter } from './text.js'
import type { Periods } from './totals.js'

const TRAINING: ReceiptLines = { header: null, charge: null, pay: null, footer: [trainingFooter] }

/** Totals stand before the signature, other texts behind it; in training all stand behind. */
export function answerOf(
  draft: FrDraft,
  { document, periods }: { document: Document | undefined; periods: Periods },
): { signatures: Signature[]; lines: ReceiptLines | undefined } {
  const { training, code } = draft.reading
  const reports = [...totalsOf(draft, periods), ...(code === c.zero ? toldBy(draft) : [])]
  const jws = document === undefined ? [] : documentItems(draft, document)
  const isPending = code !== c.zero && draft.state.messages.length > 0
  const pending = isPending
    ? [text(draft, ['operator', captions.pending, dataText('pending')])]
    : []
  const signatures = training
    ? [...jws, note(draft, captions.training), ...reports, ...pending]
    : [...reports, ...jws, ...marksOf(draft), ...pending]
  return { signatures, lines: training ? TRAINING : undefined }
}

type Text = readonly [name: SignatureName, caption: string, data: string]

function text({ reading }: FrDraft, [name, caption, data]: Text): Signature {
  return { format: formats.text, type: signatureTypes[reading.tagging][name], caption, data }
}

/** Characters 3, 7, 13 and 19 of the signature, counted from 1. */
const EXCERPT = [2, 6, 12, 18]

/** The document as a code, and an excerpt where the unit wants one. */
function documentItems(draft: FrDraft, { jws, showsExcerpt }: Document): Signature[] {
  const { reading, input } = draft
  const { 'signature-caption': caption } = input.queue.configuration as QueueConfiguration
  const type = signatureTypes[reading.tagging].jws
  const code = { format: formats.qr, type, caption, data: jws }
  if (!showsExcerpt) return [code]
  const signature = jws.slice(jws.lastIndexOf('.') + 1)
  const data = EXCERPT.map((at) => signature.charAt(at)).join('')
  return [code, text(draft, ['excerpt', captions.excerpt, data])]
}

/** A text whose data names the queue. */
function note(draft: FrDraft, caption: string): Signature {
  return text(draft, ['information', caption, draft.input.queue.id])
}

function marksOf(draft: FrDraft): Signature[] {
  const { reading, input } = draft
  if (reading.row.letter === 'B') return [note(draft, captions.provisional)]
  if (reading.row.letter === 'P') return [note(draft, captions.noProof)]
  if (reading.code !== c.copy) return []
  const before = referredTo(input.previous, reading.copied)?.counted ?? 0
  const data = dataText('duplicate', String(before + 1), reading.copied)
  return [text(draft, ['information', captions.duplicate, data])]
}

function totalsOf(draft: FrDraft, periods: Periods): Signature[] {
  const { reading, state } = draft
  const identity = { siret: state.siret, serialHex: state.certificateSerialNumber }
  const items = (reading.row.ends ?? []).map((period) => {
    const letter = period === 'archive' ? 'A' : 'G'
    const data = totalsText({ draft, identity, letter }, periods[period])
    return text(draft, [period, captions.totals[period], data])
  })
  if (!isClosing(reading.code)) return items
  return [...items, text(draft, ['perpetual', captions.perpetual, perpetualText(draft)])]
}

/** A zero receipt shows what the operator is to be told, and which receipts were entered late. */
function toldBy(draft: FrDraft): Signature[] {
  const { state, identification, reading } = draft
  const type = signatureTypes[reading.tagging].operator
  const messages = state.messages.map(({ caption, data }) => {
    return { format: formats.aztec, type, caption, data }
  })
  if (state.failed.count === 0) return messages
  const data = dataText('fromTo', state.failed.identification ?? '#', identification)
  return [...messages, text(draft, ['operator', captions.failure, data])]
}
