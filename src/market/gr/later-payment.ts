// What is told of a document that was issued before: how it was paid (3005), or that its goods do
// not go (9.3). It has no number of its own. The authority is asked first: what got lost on its way
// back is not told twice.
import { askedFrom, type Known, sendOne } from '../../device/gr/calls.js'
import { signedBy } from '../../device/gr/document.js'
import { memberIn, paymentsDoc, type Told, toldBefore } from '../../device/gr/mydata.js'
import { textItem } from '../kit/draft.js'
import { type Refusal, refuse as refuseWith } from '../kit/refusal.js'
import { heard, timeLeft } from '../kit/steps.js'
import { types } from './cases.js'
import type { FoundUnit, GrDraft } from './draft.js'
import type { Reading } from './reading.js'
import { errorText, issuerOf, marksOf, showExchange } from './records.js'
import { refuse } from './text.js'

export async function tellLater(
  draft: GrDraft,
  reading: Reading,
  unit: FoundUnit,
): Promise<Refusal | undefined> {
  const vat = issuerOf(draft, unit)
  if (vat === '') return refuse('vatId')
  const marks = marksOf(draft, reading.references)
  const [mark] = 'kind' in marks ? [] : marks
  if (mark === undefined) return refuse(reading.cancels ? 'deliveryVoid' : 'paidMark')
  const call = reading.cancels ? cancel : tell
  const answer = reading.cancels ? 'cancellationMark' : 'paymentMethodMark'
  const told = await heard(call(draft, { unit, vat, mark, reading }))
  if (told === undefined) return refuse('unreached')
  if ('kind' in told) return told
  if (!told.isTaken || memberIn(told, answer) === '') return refuseWith(errorText(told))
  draft.signatures.push(...told.members.map(([name, data]) => textItem(types.other, name, data)))
  return undefined
}

interface Wanted {
  unit: FoundUnit
  vat: string
  mark: string
  reading: Reading
}

const ALREADY_CANCELLED = '251'

/** A delivery note that does not go; one that is cancelled already is that for good. */
async function cancel(draft: GrDraft, wanted: Wanted): Promise<Told> {
  const { vat, mark } = wanted
  const query = { mark, entityVatNumber: vat }
  const told = await send(draft, wanted, { name: 'CancelDeliveryNote', request: '', query })
  if (!told.errors.some(({ code }) => code === ALREADY_CANCELLED)) return told
  const { cancelled } = await known(draft, wanted)
  return toldBefore(['cancellationMark', cancelled.get(mark) ?? ''])
}

async function tell(draft: GrDraft, wanted: Wanted): Promise<Told> {
  const { unit, vat, mark, reading } = wanted
  const { paid } = await known(draft, wanted)
  const before = paid.get(mark)
  if (before !== undefined) return toldBefore(['paymentMethodMark', before])
  const payments = signedBy(reading.payments, unit.identity.provider.id)
  const request = paymentsDoc(mark, vat, payments)
  return send(draft, wanted, { name: 'SendPaymentsMethod', request })
}

/** What the authority knows from this document on. */
function known(draft: GrDraft, { unit, vat, mark }: Wanted): Promise<Known> {
  return askedFrom(unit.device, { vat, mark, timeoutMs: timeLeft(draft, unit) })
}

async function send(draft: GrDraft, { unit }: Wanted, message: Parameters<typeof sendOne>[1]) {
  const sent = await sendOne(unit.device, message, timeLeft(draft, unit))
  showExchange(draft, unit, sent)
  return sent.told
}
