// The worked examples of the reference, byte for byte: UIDs, documents, authentication codes, and
// what is printed. Expected documents are written here member by member, from the schema.
import { createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import { isVat, uidOf } from '../../../src/device/gr/mydata.js'
import { newFaultScript } from '../../../src/simulator/faults.js'
import { judge } from '../../verify/gr/files.js'
import {
  type Charges,
  cash,
  customer,
  dataOf,
  faultOf,
  type Pays,
  QUEUE_ID,
  type Sent,
  sale,
  startedQueue,
  type TestQueue,
} from './queue.js'

it('UIDs are those of the reference', () => {
  const id = { vat: '112545020', date: '2026-06-01', branch: '0', type: '11.1', aa: '1' }
  const plain = { ...id, series: 'CB001', variation: '' }
  expect(uidOf(plain)).toBe('81A324E84B62022483E06B7A4AFB5CB8705AE118')
  expect(uidOf({ ...plain, variation: '1' })).toBe('F5157D5EB84E1D47F04A3C97A9C4C476E855C4DF')
  const invoice = { ...plain, branch: '2', type: '1.1', aa: '4' }
  expect(uidOf(invoice)).toBe('4B6E6D02E1B8B398B63A332DE9C9F71B50407E4B')
  const greek = { ...plain, series: 'ΑΛΠ', aa: '7' }
  expect(uidOf(greek)).toBe('781BDAB52E84ABFD2597185D8BB067174BB33212')
  // as programs write it that take UTF-8
  const utf8 = createHash('sha1').update('112545020-2026-06-01-0-11.1-ΑΛΠ-7').digest('hex')
  expect(utf8.toUpperCase()).toBe('B2183585240AC001781B70D63F6287E4CC148FA7')
  const dashed = { ...plain, vat: '123456789', date: '2024-10-08', series: 'CB-A' }
  expect(uidOf(dashed)).toBe('06CB26CA8F18A8480FC4F4E3B1852CFF2334D4DA')
  expect(['112545020', '026883248', '094014201'].every(isVat)).toBe(true)
  expect(['123456789', '888888888', '000000000'].some(isVat)).toBe(false)
})

interface Expected {
  uid: string
  mark: number
  code?: string
  counterpart?: string
  aa: number
  type: string
  /** Behind the currency. */
  head?: string
  payments?: string
  rows: string
  taxes?: string
  /** net, VAT, withheld, gross. */
  sums: readonly [string, string, string, string]
  income: string
  /** Of the receipt, for its address. */
  row: number
}

const icls = (type: string, category: string, amount: string): string =>
  `<incomeClassification>${
    type === '' ? '' : `<icls:classificationType>${type}</icls:classificationType>`
  }<icls:classificationCategory>${category}</icls:classificationCategory><icls:amount>${amount}` +
  '</icls:amount></incomeClassification>'

const pay = (type: number, amount: string, info: string, more = ''): string =>
  `<paymentMethods><paymentMethodDetails><type>${type}</type><amount>${amount}</amount>` +
  `<paymentMethodInfo>${info}</paymentMethodInfo>${more}</paymentMethodDetails></paymentMethods>`

const line = (told: string, values: readonly [string, number, string], more: string): string =>
  `<invoiceDetails><lineNumber>1</lineNumber>${told}<netValue>${values[0]}</netValue>` +
  `<vatCategory>${values[1]}</vatCategory><vatAmount>${values[2]}</vatAmount>${more}` +
  '</invoiceDetails>'

const dish = (text: string): string =>
  `<itemDescr>${text}</itemDescr><quantity>1.0</quantity><measurementUnit>1</measurementUnit>`

const COUNTERPART =
  '<counterpart><vatNumber>026883248</vatNumber><country>GR</country><branch>0</branch>' +
  '</counterpart>'

function textOf(of: Expected, code: string): string {
  const [net, vat, withheld, gross] = of.sums
  return (
    '<InvoicesDoc xmlns="http://www.aade.gr/myDATA/invoice/v1.0" ' +
    'xmlns:icls="https://www.aade.gr/myDATA/incomeClassificaton/v1.0"><invoice>' +
    `<uid>${of.uid}</uid><mark>${400_000_000_000_000 + of.mark}</mark>` +
    `<authenticationCode>${code}</authenticationCode><issuer><vatNumber>112545020</vatNumber>` +
    `<country>GR</country><branch>0</branch></issuer>${of.counterpart ?? ''}<invoiceHeader>` +
    `<series>CB001</series><aa>${of.aa}</aa><issueDate>2026-06-01</issueDate><invoiceType>` +
    `${of.type}</invoiceType><currency>EUR</currency>${of.head ?? ''}</invoiceHeader>` +
    `${of.payments ?? ''}${of.rows}${of.taxes ?? ''}<invoiceSummary><totalNetValue>${net}` +
    `</totalNetValue><totalVatAmount>${vat}</totalVatAmount><totalWithheldAmount>${withheld}` +
    '</totalWithheldAmount><totalFeesAmount>0.00</totalFeesAmount><totalStampDutyAmount>0.00' +
    '</totalStampDutyAmount><totalOtherTaxesAmount>0.00</totalOtherTaxesAmount>' +
    '<totalDeductionsAmount>0.00</totalDeductionsAmount>' +
    `<totalGrossValue>${gross}</totalGrossValue>${of.income}</invoiceSummary>` +
    `<downloadingInvoiceUrl>https://receipts.fiskalwerk.example/${QUEUE_ID}/item-${of.row}` +
    '</downloadingInvoiceUrl></invoice></InvoicesDoc>'
  )
}

async function issue(queue: TestQueue, sent: Sent, of: Expected) {
  const made = await queue.run(sent)
  expect(made.faults).toEqual([])
  expect(made.identification.split('#')[1]).toBe(`CB001-${of.aa}`)
  expect(dataOf(made, 'invoiceUid')).toBe(of.uid)
  expect(dataOf(made, 'invoiceMark')).toBe(String(400_000_000_000_000 + of.mark))
  const code = dataOf(made, 'authenticationCode') ?? ''
  if (of.code !== undefined) expect(code).toBe(of.code)
  expect(dataOf(made, 'mydata-xml')).toBe(textOf(of, code))
  return made
}

const meal: Charges = [['Μουσακάς', 24.8, 24, 0x13]]
const table = { cbArea: '105' }
const CARD = { aadeTransactionId: '116430909552789552789', aadeProviderSignature: 'c2ln' }
const signed = { aadeSignatureData: CARD }
const GOODS = icls('E3_561_003', 'category1_1', '10.00')
const MEAL = icls('E3_561_003', 'category1_1', '20.00')
const PLAIN = icls('', 'category1_95', '20.00')

it('the documents of the reference come out byte for byte, with their codes', async () => {
  const queue = await startedQueue()
  const first = await issue(queue, sale, {
    ...{ aa: 1, type: '11.1', mark: 1, row: 2, uid: '81A324E84B62022483E06B7A4AFB5CB8705AE118' },
    code: '6FDD465B552447EC4BB5D5A5FF2BC347A28F61E5',
    payments: pay(3, '12.40', 'Cash'),
    rows: line('', ['10.00', 1, '2.40'], GOODS),
    ...{ sums: ['10.00', '2.40', '0.00', '12.40'], income: GOODS },
  })
  expect(first.signatures.map(({ type, caption }) => [Number(type & 0xffn), caption])).toEqual([
    [0x13, 'invoiceUid'],
    [0x14, 'invoiceMark'],
    [0x15, 'authenticationCode'],
    [0x1a, 'qrUrl'],
    [0x01, '[fiskalwerk]'],
    [0x12, 'Μοναδικός αριθμός παραστατικού'],
    [0x11, 'fiskalwerk emulation'],
    [0x10, 'mydata-xml'],
  ])
  expect(dataOf(first, 'Μοναδικός αριθμός παραστατικού')).toBe(
    '112545020|01/06/2026|0|11.1|CB001|1',
  )
  await issue(
    queue,
    { kind: 0x3004, charges: meal, more: table, reference: 'order' },
    {
      ...{ aa: 2, type: '8.6', mark: 2, row: 3, uid: 'A6881C159C7D822E83FC626070FD303AE2770DA2' },
      head: '<tableAA>105</tableAA>',
      rows: line(dish('Μουσακάς'), ['20.00', 1, '4.80'], PLAIN),
      ...{ sums: ['20.00', '4.80', '0.00', '24.80'], income: PLAIN },
    },
  )
  const voided = await issue(
    queue,
    { kind: 0x4_3004, charges: meal, more: table, previous: 'order' },
    {
      ...{ aa: 3, type: '8.6', mark: 3, row: 4, uid: 'D00C8266BADA3EB4193025D0DA51B9395D4F1767' },
      code: 'FE2D9D0CFCA5598B4B97F2CBC2B235611F951E57',
      head:
        '<multipleConnectedMarks>400000000000002</multipleConnectedMarks><tableAA>105</tableAA>' +
        '<totalCancelDeliveryOrders>true</totalCancelDeliveryOrders>',
      rows: line(dish('Μουσακάς'), ['0.00', 8, '0.00'], ''),
      ...{ sums: ['0.00', '0.00', '0.00', '0.00'], income: '' },
    },
  )
  const texts = voided.signatures.filter(({ caption }) => caption === '')
  expect(texts.map(({ type, data }) => [Number(type & 0xffn), data.slice(0, 15)])).toEqual([
    [0x18, 'ΤΟ ΠΑΡΟΝ ΕΙΝΑΙ '],
    [0x17, '400000000000002'],
  ])
  await issue(
    queue,
    { kind: 1, charges: meal, pays: cash(24.8), reference: 'sold' },
    {
      ...{ aa: 4, type: '11.1', mark: 4, row: 5, uid: '127E60BDAD8467D3FAC39E864C4C1D7ACEE7825F' },
      payments: pay(3, '24.80', 'Cash'),
      rows: line('', ['20.00', 1, '4.80'], MEAL),
      ...{ sums: ['20.00', '4.80', '0.00', '24.80'], income: MEAL },
    },
  )
  await issue(
    queue,
    {
      ...{ kind: 0x100_0001, charges: [['x', -12.4, 24, 0x13]], pays: cash(-12.4) },
      previous: 'sold',
    },
    {
      ...{ aa: 5, type: '11.4', mark: 5, row: 6, uid: 'F9E2D78B4695D396D8E26FE56D979E2986D06CBA' },
      head: '<multipleConnectedMarks>400000000000004</multipleConnectedMarks>',
      payments: pay(3, '12.40', 'Cash'),
      rows: line('', ['10.00', 1, '2.40'], GOODS),
      ...{ sums: ['10.00', '2.40', '0.00', '12.40'], income: GOODS },
    },
  )
  const income = icls('E3_561_001', 'category1_1', '100.00')
  await issue(
    queue,
    { kind: 0x1002, charges: [['x', 124, 24, 0x13]], pays: cash(124), customer },
    {
      ...{ aa: 6, type: '1.1', mark: 6, row: 7, uid: '26E374BDA25E019CE34F6684B35BDC19563A2B74' },
      ...{ code: '7DA1CB134070602A5E6F3AC9F0AEECB080CA8F65', counterpart: COUNTERPART },
      payments: pay(3, '124.00', 'Cash'),
      rows: line('', ['100.00', 1, '24.00'], income),
      ...{ sums: ['100.00', '24.00', '0.00', '124.00'], income },
    },
  )
  const moved = icls('', 'category1_95', '50.00')
  await issue(
    queue,
    { kind: 2, charges: [['x', 50, 0, 0x18]], pays: [['Card', 50, 5, signed]] },
    {
      ...{ aa: 7, type: '8.4', mark: 7, row: 8, uid: '009346645F638136A3FB68CF02336669A01298DC' },
      payments: pay(
        ...([7, '50.00', 'Card'] as const),
        '<transactionId>116430909552789552789</transactionId><ProvidersSignature>' +
          '<SigningAuthor>126</SigningAuthor><Signature>c2ln</Signature></ProvidersSignature>',
      ),
      rows: line('', ['50.00', 8, '0.00'], moved),
      ...{ sums: ['50.00', '0.00', '0.00', '50.00'], income: moved },
    },
  )
  const served = icls('E3_561_003', 'category1_3', '100.00')
  await issue(
    queue,
    { kind: 1, charges: [['x', 113, 13, 0x21]], pays: cash(113) },
    {
      ...{ aa: 8, type: '11.2', mark: 8, row: 9, uid: '661763CF3EABA5A065D8791E58D467932AF9629E' },
      payments: pay(3, '113.00', 'Cash'),
      rows: line('', ['100.00', 2, '13.00'], served),
      ...{ sums: ['100.00', '13.00', '0.00', '113.00'], income: served },
    },
  )
  const { findings, summary } = await judge(await queue.books())
  expect([findings, summary]).toEqual([[], { documents: 8, withMark: 8 }])
})

it('a service with tax withheld is the 2.1 of the reference', async () => {
  const queue = await startedQueue()
  for (let n = 0; n < 7; n += 1) await queue.run(sale)
  const income = icls('E3_561_001', 'category1_3', '100.00')
  await issue(
    queue,
    {
      ...{ kind: 0x1002, customer, pays: cash(104) },
      charges: [
        ['Μελέτη', 124, 24, 0x23],
        ["Περιπτ. δ' - Αμοιβές Συμβουλών Διοίκησης - 20%", -20, 0, 0xf8],
      ],
    },
    {
      ...{ aa: 8, type: '2.1', mark: 8, row: 9, uid: 'D449A09DC5108DA8468C06A716A6994C52F052E5' },
      ...{ code: '88D615C403A8A36A0AE9D7E60FDFE9FDF619CB5D', counterpart: COUNTERPART },
      payments: pay(3, '104.00', 'Cash'),
      rows: line('', ['100.00', 1, '24.00'], income),
      taxes:
        '<taxesTotals><taxes><taxType>1</taxType><taxCategory>3</taxCategory>' +
        '<taxAmount>20.00</taxAmount></taxes></taxesTotals>',
      ...{ sums: ['100.00', '24.00', '20.00', '104.00'], income },
    },
  )
})

it('a voucher that is sold is no income, and one that is redeemed lowers its line', async () => {
  const queue = await startedQueue()
  const sold = await queue.run({
    ...{ kind: 1, charges: [['Δωροεπιταγή', 50, 0, 0x48]], pays: cash(50) },
  })
  expect(sold.faults).toEqual([])
  const xml = dataOf(sold, 'mydata-xml') ?? ''
  expect(xml).toContain(
    '<vatCategory>7</vatCategory><vatAmount>0.00</vatAmount>' +
      `<vatExemptionCategory>27</vatExemptionCategory>${icls('', 'category1_95', '50.00')}`,
  )
  const spent = await queue.run({
    ...{ kind: 1, pays: cash(2.4) },
    charges: [
      ['x', 12.4, 24, 0x13],
      ['Δωροεπιταγή', -10, 0, 0x48],
    ],
  })
  expect(dataOf(spent, 'mydata-xml')).toContain('<deductionsAmount>10.00</deductionsAmount>')
  // one that is taxed when it is sold is sold as what it stands for
  const taxed = await queue.run({
    ...{ kind: 1, charges: [['Δωροεπιταγή', 12.4, 24, 0x43]], pays: cash(12.4) },
  })
  expect(faultOf(taxed)).toContain('"code":"313"')
})

const LATER: Sent = {
  ...{ kind: 0x3005, previous: 'sold', reference: 'paid' },
  pays: [['Card', 12.4, 0x1_0000_0005, signed]],
}

it('a payment that arrives later is told once, also when its answer got lost', async () => {
  const queue = await startedQueue()
  queue.sandbox = true
  await queue.run({ ...sale, reference: 'sold' })
  // the second call books it, and its answer is lost
  queue.scu.faultScript = newFaultScript([
    { do: 'delay', calls: 1, ms: 0 },
    { do: 'error-after', calls: 1 },
  ])
  expect(faultOf(await queue.run(LATER))).toContain('Error while sending the request')
  const again = await queue.run(LATER)
  expect(again.faults).toEqual([])
  expect(dataOf(again, 'paymentMethodMark')).toBe('400000000000002')
  expect(again.identification.endsWith('#')).toBe(true)
  expect(queue.state).toMatchObject({ number: 1, records: 1 })

  const other = await startedQueue()
  other.sandbox = true
  await other.run({ ...sale, reference: 'sold' })
  const told = await other.run(LATER)
  const { ProtocolRequest } = JSON.parse(told.stateData ?? '').GR.GovernmentApi
  expect(ProtocolRequest).toBe(
    '<PaymentMethodsDoc xmlns="https://www.aade.gr/myDATA/paymentMethod/v1.0" ' +
      'xmlns:inv="http://www.aade.gr/myDATA/invoice/v1.0"><paymentMethods>' +
      '<invoiceMark>400000000000001</invoiceMark><entityVatNumber>112545020</entityVatNumber>' +
      '<paymentMethodDetails><inv:type>7</inv:type><inv:amount>12.40</inv:amount>' +
      '<inv:paymentMethodInfo>Card</inv:paymentMethodInfo>' +
      '<inv:transactionId>116430909552789552789</inv:transactionId><inv:ProvidersSignature>' +
      '<inv:SigningAuthor>126</inv:SigningAuthor><inv:Signature>c2ln</inv:Signature>' +
      '</inv:ProvidersSignature></paymentMethodDetails></paymentMethods></PaymentMethodsDoc>',
  )
  const plain = await other.run({ ...LATER, pays: [['Card', 12.4, 5]] })
  expect(plain.faults).toEqual([])
  expect(plain.signatures.map(({ caption }) => caption)).toEqual(['S A N D B O X'])
  expect(faultOf(await other.run({ ...LATER, previous: 'nothing' }))).toContain(
    'The invoiceMark of the referenced invoice is missing or invalid.',
  )
  const wrong: Pays = [['Card', 12, 0x1_0000_0005]]
  expect(faultOf(await other.run({ ...LATER, previous: 'second', pays: wrong }))).toContain(
    'Cannot send payment method',
  )
  await other.run({ ...sale, reference: 'second' })
  expect(faultOf(await other.run({ ...LATER, previous: 'second', pays: wrong }))).toContain('407')
  const coins: Pays = [['Cash', 12.4, 0x1_0000_0001]]
  expect(faultOf(await other.run({ ...LATER, previous: 'second', pays: coins }))).toContain('402')
})

it('a number that is used there is consumed, and the next one goes on behind it', async () => {
  const queue = await startedQueue()
  for (let n = 0; n < 5; n += 1) await queue.run(sale)
  // the state of a backup that is one document older
  queue.state = { ...queue.state, number: 4 }
  const failed = await queue.run(sale)
  expect(JSON.parse(faultOf(failed))).toMatchObject({
    AADEError: 'ValidationError',
    Errors: [{ code: '233' }],
  })
  expect(failed.identification.endsWith('#')).toBe(true)
  expect(queue.state.number).toBe(5)
  expect(queue.actions.at(-1)).toBe(
    "AADE rejected aa 5 in series 'CB001' as a duplicate (233) — the invoice counter was behind " +
      'AADE. The counter advanced to 5; the next submission reserves aa 6.',
  )
  expect((await queue.run(sale)).identification).toContain('#CB001-6')
})

it('what was taken although its answer was lost is found there, and in order', async () => {
  const queue = await startedQueue()
  queue.scu.faultScript = newFaultScript([{ do: 'authority-error-after', calls: 1 }])
  const lost = await queue.run({ ...sale, reference: 'lost' })
  expect(dataOf(lost, 'Transmission Failure_2')).toBe('ΧΩΡΙΣ ΜΑΡΚ ΛΟΓΩ ΑΠΩΛΕΙΑΣ ΔΙΑΣΥΝΔΕΣΗΣ')
  const behind = await queue.run(sale)
  expect(dataOf(behind, 'invoiceMark')).toBeUndefined()
  expect(behind.outbox).toHaveLength(1)
  expect(await queue.work()).toBeUndefined()
  expect(queue.state.transmission).toMatchObject({ sent: 2, since: null })
  const refund = await queue.run({
    ...{ kind: 0x100_0001, charges: [['x', -12.4, 24, 0x13]], pays: cash(-12.4) },
    previous: 'lost',
  })
  expect(refund.faults).toEqual([])
  expect(dataOf(refund, 'mydata-xml')).toContain(
    '<multipleConnectedMarks>400000000000001</multipleConnectedMarks>',
  )
  const { findings, summary } = await judge(await queue.books())
  expect([findings, summary]).toEqual([[], { documents: 3, withMark: 3 }])
})

it('a receipt that was given while the register was cut off says so', async () => {
  const queue = await startedQueue()
  queue.moment = new Date('2026-06-02T09:30:00Z')
  const late = await queue.run({
    ...{ ...sale, kind: 0x1_0001 },
    more: { cbReceiptMoment: '2026-06-01T20:00:00Z' },
  })
  expect(late.faults).toEqual([])
  expect(late.signatures[0]).toMatchObject({
    ...{ caption: 'Transmission Failure_1', data: 'Απώλεια Διασύνδεσης Οντότητας - Παρόχου' },
  })
  expect(dataOf(late, 'mydata-xml')).toContain('<transmissionFailure>1</transmissionFailure>')
  expect(dataOf(late, 'mydata-xml')).toContain('<issueDate>2026-06-01</issueDate>')
})
