// What programs say of a document beside its items: receipts on paper, members of their own,
// originals of other systems, and goods that go with the document.
import { beforeEach, expect, it } from 'vitest'
import type { ReceiptOutcome } from '../../../src/market/contract.js'
import type { GrState } from '../../../src/market/gr/queue.js'
import { judge } from '../../verify/gr/files.js'
import {
  cash,
  customer,
  dataOf,
  faultOf,
  type Sent,
  sale,
  startedQueue,
  type TestQueue,
} from './queue.js'

const TRANSPORT = 0x400_0000
const REFUND = 0x100_0000
const VOID = 0x4_0000
const PAPER = 0x8_0000

let queue: TestQueue
beforeEach(async () => {
  queue = await startedQueue()
})

const said = (GR: object) => ({ more: { ftReceiptCaseData: JSON.stringify({ GR }) } })
const header = (invoiceHeader: object) => said({ mydataoverride: { invoice: { invoiceHeader } } })
const xmlOf = (outcome: ReceiptOutcome<GrState>) => dataOf(outcome, 'mydata-xml') ?? ''
const markOf = (outcome: ReceiptOutcome<GrState>) => dataOf(outcome, 'invoiceMark') ?? ''
const verified = async () => (await judge(await queue.books())).findings

const byHand = {
  ...{ MerchantVATID: 'EL112545020', Series: 'HW', AA: 1, HashAlg: 'SHA-256' },
  HashPayload: 'EL112545020-HW-1-r-0001-2026-06-01T09:30:00Z-12.40',
}
const paper: Sent = { ...sale, kind: PAPER | 1, reference: 'r-0001' }

it('a receipt on paper keeps its series and number, and moves nothing of the queue', async () => {
  const outcome = await queue.run({ ...paper, ...said(byHand) })
  expect(outcome.faults).toEqual([])
  expect(outcome.identification).toMatch(/#HW-1$/)
  expect(xmlOf(outcome)).toContain('<series>HW</series><aa>1</aa>')
  const link = outcome.signatures.find(({ type }) => (type & 0xffn) === 0x1bn)
  expect(link?.data).toMatch(/^https:\/\/.*\/aqv4yTf_KsqjxOwF1Ta4wzqUQSgf2TauekXBDxzRRgg$/)
  expect(queue.state.number).toBe(0)
  const next = await queue.run(sale)
  expect(next.identification).toMatch(/#CB001-1$/)
  expect(await verified()).toEqual([])
})

it('one of an earlier day is told as late, and refused numbers stay free', async () => {
  const HashPayload = byHand.HashPayload.replace('2026-06-01', '2026-05-30')
  const more = {
    ...said({ ...byHand, HashPayload }).more,
    cbReceiptMoment: '2026-05-30T09:30:00Z',
  }
  const outcome = await queue.run({ ...paper, more })
  expect(outcome.faults).toEqual([])
  expect(xmlOf(outcome)).toContain('<transmissionFailure>1</transmissionFailure>')
  // the authority has that number
  expect(faultOf(await queue.run({ ...paper, more }))).toContain('"code":"233"')
  expect(queue.state.number).toBe(0)
})

it.each([
  ...Object.keys(byHand).map((name) => [{ [name]: undefined }, `the ${name} must be provided`]),
  [{ AA: 0 }, 'the AA must be provided'],
  [{ Series: 'CB001', HashPayload: byHand.HashPayload.replace('HW', 'CB001') }, 'of its own'],
  [{ HashPayload: 'other' }, `Expected: ${byHand.HashPayload}, Actual: other`],
  [
    { MerchantVATID: '026883248', HashPayload: byHand.HashPayload.replace(/^EL\d+/, '026883248') },
    'is not the issuer',
  ],
] as [object, string][])('a receipt on paper without %o is refused', async (wrong, text) => {
  const told = faultOf(await queue.run({ ...paper, ...said({ ...byHand, ...wrong }) }))
  expect(told).toContain(text)
  expect(queue.state.records).toBe(0)
})

it('members of a program take the place of ours, in the order of the schema', async () => {
  const outcome = await queue.run({
    ...{ ...sale, kind: 4 },
    ...header({ specialInvoiceCategory: 12, InvoiceType: '11.1', vatPaymentSuspension: false }),
  })
  expect(outcome.faults).toEqual([])
  expect(xmlOf(outcome)).toContain(
    '<invoiceType>11.1</invoiceType><vatPaymentSuspension>false</vatPaymentSuspension>' +
      '<currency>EUR</currency><specialInvoiceCategory>12</specialInvoiceCategory>',
  )
  // without a type of its own what is sold online is not sent
  const plain = await queue.run({ ...sale, kind: 4 })
  expect([plain.faults, plain.identification.endsWith('#')]).toEqual([[], true])
  expect(await verified()).toEqual([])
})

it('an item says more of its row', async () => {
  const item = (invoiceDetails: object) => ({
    ...{ Description: 'x', Amount: 12.4, VATRate: 24, Quantity: 1 },
    ftChargeItemCase: '5139205309155246099',
    ftChargeItemCaseData: JSON.stringify({ GR: { mydataoverride: { invoiceDetails } } }),
  })
  const run = (...rows: object[]) =>
    queue.run({
      ...{ kind: 1, pays: cash(12.4 * rows.length) },
      more: { cbChargeItems: rows.map(item) },
    })
  const classified = {
    classificationType: 'E3_561_007',
    classificationCategory: 'category1_1',
  }
  const outcome = await run({ lineComments: 'n', incomeClassification: [classified] })
  expect(outcome.faults).toEqual([])
  expect(xmlOf(outcome)).toContain('<lineComments>n</lineComments>')
  expect(xmlOf(outcome)).toContain('<icls:classificationType>E3_561_007<')
  const twice = await run({ incomeClassification: [classified, classified] })
  expect(faultOf(twice)).toBe('incomeClassification override must contain exactly one element.')
  const half = await run({ incomeClassification: classified }, {})
  expect(faultOf(half)).toContain('all items must')
  expect(faultOf(await run({ netValue: 1 }))).toBe('The override of netValue is not supported.')
})

it.each([
  [header({ series: 'A' }), 'Overriding invoiceHeader.series or invoiceHeader.aa'],
  [header({ aa: 7 }), 'Overriding invoiceHeader.series or invoiceHeader.aa'],
  [
    header({ invoiceType: '17.1' }),
    "Invalid invoiceType override value '17.1'. Allowed values: 1.1",
  ],
  [header({ nonsense: 1 }), 'The override of nonsense is not supported.'],
  [header({ movePurpose: { a: 1 } }), 'The override of movePurpose is not supported.'],
  [said({ PreviousReceiptReference: { invoiceMark: [] } }), 'names one MARK, or several'],
  [said({ PreviousReceiptReference: { invoiceMark: 'x' } }), 'names one MARK, or several'],
])('what a program may not say is refused: %o', async (more, text) => {
  expect(faultOf(await queue.run({ ...sale, ...more }))).toContain(text)
})

it('an original of another system is credited by its MARK', async () => {
  const first = await queue.run({ ...sale, kind: 0x1002, customer })
  const credit = await queue.run({
    ...{ kind: 0x1002 | REFUND, customer, pays: cash(-12.4) },
    charges: [['x', -12.4, 24, 0x13]],
    ...said({ PreviousReceiptReference: { invoiceMark: Number(markOf(first)) } }),
  })
  expect(credit.faults).toEqual([])
  expect(xmlOf(credit)).toContain('<invoiceType>5.1<')
  expect(xmlOf(credit)).toContain(`<correlatedInvoices>${markOf(first)}</correlatedInvoices>`)
})

const delivery: Sent = {
  ...{ kind: 5 | TRANSPORT, charges: [['Κρασί', 0, 0, 0x18]], customer, reference: 'd' },
  ...header({ movePurpose: 1, dispatchDate: '2026-06-01', dispatchTime: '12:00:00' }),
}

it('goods go with a note of delivery, and it is cancelled by its MARK, once', async () => {
  const note = await queue.run(delivery)
  expect(note.faults).toEqual([])
  const xml = xmlOf(note)
  expect(xml).toContain('<invoiceType>9.3</invoiceType><dispatchDate>2026-06-01</dispatchDate>')
  expect(xml).toContain('<itemDescr>Κρασί</itemDescr><quantity>1.0</quantity>')
  expect(xml).toContain('<name>ΠΕΛΑΤΗΣ ΑΕ</name>')
  expect(xml).not.toContain('<currency>')
  const end = (reference: string) =>
    queue.run({ ...delivery, kind: delivery.kind | VOID, reference, previous: 'd' })
  const ended = await end('e')
  expect(ended.faults).toEqual([])
  expect(ended.identification).toMatch(/#$/)
  expect(dataOf(ended, 'cancellationMark')).toMatch(/^4\d{14}$/)
  // a register that got no answer asks once more
  expect(dataOf(await end('f'), 'cancellationMark')).toBe(dataOf(ended, 'cancellationMark'))
  expect(queue.state.records).toBe(1)
  const alone = await queue.run({ ...delivery, kind: delivery.kind | VOID })
  expect(faultOf(alone)).toContain('Cannot void delivery note')
  expect(await verified()).toEqual([])
})

it('the return of a delivery says why, and a plain receipt of case 0005 is none', async () => {
  expect(faultOf(await queue.run({ ...delivery, kind: delivery.kind | REFUND }))).toContain(
    'needs reverseDeliveryNotePurpose',
  )
  const back = await queue.run({
    ...{ ...delivery, kind: delivery.kind | REFUND },
    ...header({ movePurpose: 5, reverseDeliveryNotePurpose: 5 }),
  })
  expect(back.faults).toEqual([])
  expect(xmlOf(back)).toContain('<reverseDeliveryNote>true</reverseDeliveryNote>')
  expect(faultOf(await queue.run({ ...delivery, kind: 5 }))).toContain('not supported')
})

it('an invoice that is a note of delivery names both sides', async () => {
  const invoice = await queue.run({ ...sale, kind: 0x1002 | TRANSPORT, customer })
  expect(invoice.faults).toEqual([])
  expect(xmlOf(invoice)).toContain('<isDeliveryNote>true</isDeliveryNote>')
  expect(xmlOf(invoice)).toContain('<name>ΠΕΛΑΤΗΣ ΑΕ</name>')
})
