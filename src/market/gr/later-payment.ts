// How a document was paid that was issued before (3005). It has no number of its own. The authority
// is asked first: a payment whose answer got lost is not told twice.
import { DeviceError, DeviceRefusal } from '../../device/device.js'
import { askedAfter, sendOne } from '../../device/gr/calls.js'
import { memberIn, paymentsDoc, type Told } from '../../device/gr/mydata.js'
import { type Refusal, refuse as refuseWith } from '../kit/refusal.js'
import { formats, types } from './cases.js'
import type { FoundUnit, GrDraft } from './draft.js'
import type { Reading } from './reading.js'
import { errorText, issuerOf, marksOf, showExchange, timeLeft } from './records.js'
import { refuse } from './text.js'

export async function tellPayment(
  draft: GrDraft,
  reading: Reading,
  unit: FoundUnit,
): Promise<Refusal | undefined> {
  const vat = issuerOf(draft, unit)
  if (vat === '') return refuse('vatId')
  const marks = marksOf(draft, reading.references)
  const [mark] = 'kind' in marks ? [] : marks
  if (mark === undefined) return refuse('paidMark')
  try {
    const told = await tell(draft, { unit, vat, mark, reading })
    if (!told.isTaken || memberIn(told, 'paymentMethodMark') === '') {
      return refuseWith(errorText(told))
    }
    for (const [caption, data] of told.members) {
      draft.signatures.push({ caption, data, format: formats.text, type: types.other })
    }
    return undefined
  } catch (error) {
    if (error instanceof DeviceRefusal) return refuseWith(error.message)
    if (error instanceof DeviceError) return refuse('unreached')
    throw error
  }
}

interface Wanted {
  unit: FoundUnit
  vat: string
  mark: string
  reading: Reading
}

async function tell(draft: GrDraft, { unit, vat, mark, reading }: Wanted): Promise<Told> {
  const after = String(BigInt(mark) - 1n)
  const { paid } = await askedAfter(unit.device, { vat, after, timeoutMs: timeLeft(draft, unit) })
  const before = paid.get(mark)
  if (before !== undefined) {
    const members = [['paymentMethodMark', before]] as const
    return { index: 1, isTaken: true, statusCode: 'Success', members, errors: [] }
  }
  const request = paymentsDoc(mark, vat, reading.payments)
  const message = { name: 'SendPaymentsMethod', request }
  const sent = await sendOne(unit.device, message, timeLeft(draft, unit))
  showExchange(draft, unit, sent)
  return sent.told
}
