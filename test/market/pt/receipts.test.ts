// What a Portuguese queue does with a receipt: documents and their series, and every rule that
// refuses one. Codes are those that programs of the field know.
import { beforeAll, describe, expect, it } from 'vitest'
import { later, newQueue, startedQueue } from '../../verify/pt/files.js'
import { dataOf, faultOf, type Sent, type TestQueue } from './queue.js'

const coffee = { text: 'Café', amount: 2.46, kind: 0x13 }
const back = { ...coffee, amount: -2.46, quantity: -1 }
const course = { text: 'Course', amount: 123, kind: 0x23 }
const sale: Sent = { reference: 'ok', kind: 1, charges: [coffee], pays: [[2.46]] }
const customer = { CustomerName: 'Cliente', CustomerVATId: '503504564' }

describe('series', () => {
  it('eight are registered at the start, finalized or annulled at the stop', async () => {
    const queue = await startedQueue()
    expect(Object.keys(queue.state.series)).toHaveLength(8)
    await queue.run(sale)
    const stop = await queue.run({ reference: 'stop', kind: 0x4002 })
    expect(stop.stateWord).toBe(0x5054_2000_0000_0001n)
    expect(stop.actions.map(({ type }) => type).toSorted()).toEqual([
      '5054200000004002-DeactivateQueuePT',
      ...Array(7).fill('SeriesAnnulled'),
      'SeriesFinalized',
    ])
    const after = await queue.run({ ...sale, reference: 'late' })
    expect([after.stateWord, after.signatures]).toEqual([0x5054_2000_0000_0001n, []])
  })

  it('without an answer of the authority no document is made, later one is', async () => {
    const queue = await newQueue()
    const script = (kind: string, calls: number) => {
      queue.scu.faultScript = JSON.stringify({
        ...{ steps: [{ do: kind, calls }], position: 0, calls: 0 },
      })
    }
    script('authority-away', 2)
    const start = await queue.run({ reference: 'start', kind: 0x4001 })
    expect(start.stateWord).toBe(0x5054_2000_0000_0040n)
    later(queue)
    const refused = await queue.run(sale)
    expect(faultOf(refused)).toBe('SeriesWithoutCode')
    const made = await queue.run({ ...sale, reference: 'again' })
    expect(made.identification).toMatch(/#FS FW2026A\/1$/)
  })

  it('a registration whose answer was lost is found again, and not made twice', async () => {
    const queue = await newQueue()
    queue.scu.faultScript = JSON.stringify({
      ...{ steps: [{ do: 'authority-error-after', calls: 1 }], position: 0, calls: 0 },
    })
    await queue.run({ reference: 'start', kind: 0x4001 })
    await queue.run(sale)
    const { register } = JSON.parse(queue.scu.state) as { register: { series: unknown[] } }
    expect(register.series).toHaveLength(1)
    expect(queue.state.series.S).toMatchObject({ name: 'FW2026A', number: 1 })
  })

  it('a name that is taken is left to whoever has it', async () => {
    const queue = await newQueue()
    await queue.run({ reference: 'start', kind: 0x4001 })
    queue.state = { ...queue.state, series: {} }
    await queue.run(sale)
    expect(queue.state.series.S?.name).toBe('FW2026B')
  })

  it('a unit that fails moves nothing', async () => {
    const queue = await startedQueue()
    await queue.run(sale)
    for (const kind of ['unreachable', 'error-after', 'garbage', 'wrong-signature']) {
      queue.scu.faultScript = JSON.stringify({
        ...{ steps: [{ do: kind, calls: 1 }], position: 0, calls: 0 },
      })
      expect(faultOf(await queue.run({ ...sale, reference: kind }))).toMatch(/^Signing/)
    }
    const next = await queue.run({ ...sale, reference: 'next' })
    expect(next.identification).toMatch(/#FS FW2026A\/2$/)
  })
})

describe('documents', () => {
  it.each([
    ['a simplified invoice', sale, 'FS FW2026A/1', ['IVA incluido', 'Consumidor final']],
    [
      'an invoice',
      { reference: 'i', kind: 0x1001, charges: [course], pays: [[123]], customer },
      'FT FW2026A/1',
      ['IVA incluido'],
    ],
    [
      'a pro forma',
      { reference: 'p', kind: 7, charges: [course] },
      'PF FW2026A/1',
      ['IVA incluido', 'Este documento não serve de fatura'],
    ],
    [
      'a budget',
      { reference: 'o', kind: 0x2_0000_0007, charges: [course] },
      'OR FW2026A/1',
      ['IVA incluido', 'Este documento não serve de fatura'],
    ],
    [
      'a table check',
      { reference: 'c', kind: 6, charges: [coffee] },
      'CM FW2026A/1',
      ['IVA incluido', 'Este documento não serve de fatura'],
    ],
    [
      'an invoice from paper',
      {
        ...{ reference: 'h', kind: 0x8_1001, charges: [course], pays: [[123]] },
        more: { ftReceiptCaseData: '{"PT":{"Series":"A","Number":7}}' },
      },
      'FT FW2026MA/1',
      ['IVA incluido', 'Cópia do documento original - FTM A/0007', 'Consumidor final'],
    ],
  ] as [string, Sent, string, string[]][])('%s', async (_what, sent, number, notes) => {
    const queue = await startedQueue()
    const outcome = await queue.run(sent)
    expect(outcome.faults).toEqual([])
    expect(outcome.identification).toBe(`ft2#${number}`)
    expect(dataOf(outcome).slice(4)).toEqual(notes)
  })

  it('training has series of its own and is in no books', async () => {
    const queue = await startedQueue({ 'training-enabled': true })
    const made = await queue.run({ ...sale, kind: 0x2_0001 })
    expect(made.identification).toBe('ft2#FS FW2026TA/1')
    expect(dataOf(made)).toContain('Documento emitido para fins de Formação')
    expect(await queue.books()).toHaveLength(0)
  })

  it('a copy repeats the document as it was, and says so; of an annulled one as well', async () => {
    const queue = await startedQueue()
    const made = await queue.run(sale)
    const copy: Sent = { ...sale, reference: 'copy', kind: 0x3010, previous: 'ok' }
    const first = await queue.run(copy)
    expect(dataOf(first)).toEqual([...dataOf(made), 'Duplicado'])
    await queue.run({
      ...{ reference: 'void', kind: 0x4_0001, previous: 'ok', charges: [back], pays: [[-2.46]] },
    })
    const second = await queue.run({ ...copy, reference: 'copy2', charges: [], pays: [] })
    expect(dataOf(second).slice(-2)).toEqual(['Duplicado', 'Documento anulado'])
    const other = await queue.run({ ...copy, reference: 'copy3', charges: [course] })
    expect(faultOf(other)).toBe('CopyReceiptMismatch')
  })

  it('a void makes no document: the voided one is annulled', async () => {
    const queue = await startedQueue()
    await queue.run(sale)
    const outcome = await queue.run({
      ...{ reference: 'v', kind: 0x4_0001, previous: 'ok', charges: [back], pays: [[-2.46]] },
    })
    expect([outcome.identification, outcome.signatures]).toEqual(['ft3#FS FW2026A/1', []])
    expect((await queue.books()).toString()).toContain('<InvoiceStatus>A</InvoiceStatus>')
  })

  it('an hour that repeats at the end of summer time does not go back', async () => {
    const queue = await startedQueue()
    queue.moment = new Date('2026-10-25T00:59:00Z')
    await queue.run(sale)
    queue.moment = new Date('2026-10-25T01:10:00Z')
    await queue.run({ ...sale, reference: 'hour' })
    expect(queue.state.series.S?.lastEntry).toBe('2026-10-25T01:59:00')
  })

  it('a night in summer is another day than in UTC', async () => {
    const queue = await startedQueue()
    queue.moment = new Date('2026-06-15T23:30:00Z')
    expect(dataOf(await queue.run(sale))[3]).toContain('*F:20260616*')
  })
})

describe('rules', () => {
  let queue: TestQueue
  beforeAll(async () => {
    queue = await startedQueue()
    const two = { ...coffee, amount: 24.6, quantity: 10 }
    const kept: Sent[] = [
      sale,
      { reference: 'ten', kind: 1, charges: [two], pays: [[24.6]] },
      { reference: 'voided', kind: 1, charges: [coffee], pays: [[2.46]] },
      { reference: 'v', kind: 0x4_0001, previous: 'voided', charges: [back], pays: [[-2.46]] },
      { reference: 'proForma', kind: 7, charges: [course] },
      {
        ...{ reference: 'invoice', kind: 0x1001, previous: 'proForma', customer },
        ...{ charges: [course], pays: [[123, 9]] },
      },
      {
        ...{ reference: 'part', kind: 1, previous: 'ten', pays: [[-7.38]] },
        charges: [{ ...coffee, kind: 0x2_0013, amount: -7.38, quantity: -3 }],
      },
      { reference: 'whole', kind: 1, charges: [coffee], pays: [[2.46]] },
      { reference: 'wr', kind: 0x100_0001, previous: 'whole', charges: [back], pays: [[-2.46]] },
      {
        ...{ reference: 'paper', kind: 0x8_1001, charges: [course], pays: [[123]] },
        more: { ftReceiptCaseData: '{"PT":{"Series":"A","Number":7}}' },
      },
    ]
    for (const one of kept) {
      const { faults } = await queue.run(one)
      if (faults[0] !== undefined) throw new Error(`${one.reference}: ${faults[0].message}`)
      later(queue)
    }
  })

  const many = (quantity: number, amount: number) => ({
    ...coffee,
    kind: 0x2_0013,
    quantity,
    amount,
  })
  const debt = (amount: number) => ({ text: 'Course', amount, kind: 0x98, rate: 0 })
  const refused: [string, Partial<Sent>][] = [
    ['ReceiptReferenceAlreadyUsed', { reference: 'ok' }],
    ['TrainingModeNotSupported', { kind: 0x2_0001 }],
    ['TransportationIsNotSupported', { kind: 0x1000_0001 }],
    ['UserRequiredForSignatures', { more: { cbUser: '' } }],
    ['UserTooShort', { more: { cbUser: 'Al' } }],
    ['InvalidUserStructure', { more: { cbUser: '{"Name":"Maria"}' } }],
    ['HandwrittenReceiptsNotSupported', { kind: 0xc_1001 }],
    ['HandwrittenReceiptOnlyForInvoices', { kind: 0x8_0001 }],
    ['HandwrittenReceiptSeriesAndNumberMandatory', { kind: 0x8_1001 }],
    [
      'HandwrittenReceiptSeriesInvalidCharacter',
      { kind: 0x8_1001, more: { ftReceiptCaseData: '{"PT":{"Series":"A B","Number":7}}' } },
    ],
    [
      'HandwrittenReceiptSeriesNumberAlreadyLinked',
      { kind: 0x8_1001, more: { ftReceiptCaseData: '{"PT":{"Series":"A","Number":7}}' } },
    ],
    ['CbReceiptMomentInFuture', { at: '2027-01-01T00:00:00Z' }],
    ['CbReceiptMomentDeviationExceeded', { at: '2026-05-01T00:00:00Z' }],
    ['InvalidPortugueseTaxId', { customer: { CustomerName: 'A', CustomerVATId: '123456788' } }],
    ['CustomerInvalid', { more: { cbCustomer: '["x"]' } }],
    // SAF-T takes the codes of ISO 3166 alone
    [
      'CustomerInvalid',
      { more: { cbCustomer: '{"CustomerVATId":"123456789","CustomerCountry":"UK"}' } },
    ],
    ['ChargeItemDescriptionTooShort', { charges: [{ ...coffee, text: 'Ca' }] }],
    ['ChargeItemDescriptionMissing', { charges: [{ ...coffee, text: ' ' }] }],
    ['ChargeItemDescriptionEncodingInvalid', { charges: [{ ...coffee, text: 'Καφές' }] }],
    ['ChargeItemQuantityZeroNotAllowed', { charges: [{ ...coffee, quantity: 0 }] }],
    ['UnsupportedChargeItemServiceType', { charges: [{ ...coffee, kind: 0x63 }] }],
    ['VatRateMismatch', { charges: [{ ...coffee, rate: 22 }] }],
    ['ZeroVatRateMissingNature', { charges: [{ ...coffee, kind: 0x18 }] }],
    ['UnknownTaxExemptionCode', { charges: [{ ...coffee, kind: 0x0318 }] }],
    ['ReceiptNotBalanced', { pays: [[2]] }],
    [
      'CashPaymentExceedsLimit',
      { kind: 0x1001, charges: [{ ...course, amount: 3001 }], pays: [[3001]] },
    ],
    ['PosReceiptNetAmountExceedsLimit', { charges: [{ ...coffee, amount: 124 }], pays: [[124]] }],
    ['WorkingDocumentPayItemsNotAllowed', { kind: 7 }],
    ['ChargeItemsMissing', { charges: [], pays: [] }],
    [
      'PositiveDiscountNotAllowed',
      { charges: [coffee, { ...coffee, kind: 0x4_0013, amount: 1 }], pays: [[3.46]] },
    ],
    [
      'DiscountExceedsArticleAmount',
      { charges: [coffee, { ...coffee, kind: 0x4_0013, amount: -3 }], pays: [[-0.54]] },
    ],
    [
      'RefundMissingPreviousReceiptReference',
      { kind: 0x100_0001, charges: [back], pays: [[-2.46]] },
    ],
    ['PreviousReceiptReference', { kind: 0x4_0001, charges: [back], pays: [[-2.46]] }],
    ['PreviousReceiptNotFound', { previous: 'nothing' }],
    [
      'PreviousReceiptIsVoided',
      { kind: 0x100_0001, previous: 'voided', charges: [back], pays: [[-2.46]] },
    ],
    ['VoidAlreadyExists', { kind: 0x4_0001, previous: 'voided', charges: [back], pays: [[-2.46]] }],
    [
      'VoidItemsMismatch',
      { kind: 0x4_0001, previous: 'ok', charges: [{ ...back, quantity: -2 }], pays: [[-2.46]] },
    ],
    [
      'CannotVoidRefundedDocument',
      { kind: 0x4_0001, previous: 'whole', charges: [back], pays: [[-2.46]] },
    ],
    [
      'CannotVoidInvoicedDocument',
      {
        kind: 0x4_0007,
        previous: 'proForma',
        charges: [{ ...course, amount: -123, quantity: -1 }],
        pays: [],
      },
    ],
    [
      'RefundAlreadyExists',
      { kind: 0x100_0001, previous: 'whole', charges: [back], pays: [[-2.46]] },
    ],
    [
      'PartialRefundExceedsOriginalQuantity',
      { previous: 'ten', charges: [many(-8, -2.46)], pays: [[-2.46]] },
    ],
    [
      'PartialRefundExceedsOriginalAmount',
      { previous: 'ten', charges: [many(-1, -20)], pays: [[-20]] },
    ],
    [
      'PartialRefundItemsMismatch',
      { previous: 'ten', charges: [{ ...many(-1, -2.46), text: 'Chá' }], pays: [[-2.46]] },
    ],
    [
      'MixedRefundItemsNotAllowed',
      { previous: 'ten', charges: [coffee, { ...coffee, kind: 0x2_0013 }], pays: [[4.92]] },
    ],
    [
      'WorkingDocumentAlreadyInvoiced',
      { kind: 0x1001, previous: 'proForma', charges: [course], pays: [[123]] },
    ],
    [
      'PaymentTransferCustomerMismatch',
      { kind: 2, previous: 'invoice', charges: [debt(10)], pays: [[10]] },
    ],
    [
      'PaymentTransferExceedsRemainingAmount',
      { kind: 2, previous: 'invoice', customer, charges: [debt(124)], pays: [[124]] },
    ],
  ]

  it.each(refused)('%s', async (code, sent) => {
    const before = JSON.stringify(queue.state)
    const outcome = await queue.run({ ...sale, reference: `no-${code}`, ...sent })
    const found = outcome.faults.map(({ message }) => /\[EEEE_(\w+)\]/.exec(message)?.[1])
    expect(found, outcome.identification).toContain(code)
    expect(JSON.stringify(queue.state)).toBe(before)
    expect(outcome.journal).toEqual([])
  })
})
