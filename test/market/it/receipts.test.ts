// The life of an Italian queue with the simulated device: the worked examples of the reference,
// what is refused before and by the device, and what becomes of answers that get lost.
import { describe, expect, it } from 'vitest'
import { dataOf, fault, judge, type Sent, startedQueue } from './queue.js'

const COFFEE = { text: 'Caffe', amount: 2.4, quantity: 2, kind: 0x11 }
const WATER = { text: 'Acqua', amount: 1, kind: 0x13 }
const SALE: Sent = {
  reference: 'sale',
  kind: 1,
  charges: [COFFEE, WATER],
  pays: [
    [5, 1],
    [-1.6, 0x20_0001],
  ],
}
const REFUND = 0x100_0001
const VOID = 0x4_0001
const back = (item: typeof WATER) => ({ ...item, amount: -item.amount, quantity: -1 })
const waterBack: Sent = {
  ...{ reference: 'back', kind: REFUND, previous: 'sale' },
  ...{ charges: [back(WATER)], pays: [[-1, 1]] },
}
const ERROR = 0x4954_2000_eeee_eeeen

describe('worked examples', () => {
  it('a sale, a return, a closing carry the numbers of the device', async () => {
    const queue = await startedQueue()
    const sale = await queue.run({ ...SALE, customer: { CustomerId: 'RSSMRA80A01H501U' } })
    expect(sale.faults).toEqual([])
    expect(sale.identification).toBe('ft2#0012-0001')
    expect(sale.stateWord).toBe(0x4954_2000_0000_0000n)
    expect(sale.signatures.map(({ type }) => Number(type & 0xffn))).toEqual([
      ...[1, 2, 0x10, 0x11, 0x12, 0x13, 0x14, 0x16],
    ])
    expect(dataOf(sale, 1)).toBe(
      '02-07-2026 14:00\nDOCUMENTO N. 0012-0001\n\nCod. Fisc./P.IVA: RSSMRA80A01H501U\n' +
        'RT 99EMU000001\nCassa FISK0001',
    )
    expect(dataOf(sale, 2)).toBe('di vendita o prestazione')
    expect([0x10, 0x11, 0x12, 0x13, 0x14].map((type) => dataOf(sale, type))).toEqual([
      ...['99EMU000001', '0012', '0001', '2026-07-02 14:00:00', 'POSRECEIPT'],
    ])

    const refund = await queue.run(waterBack)
    expect(refund.identification).toBe('ft3#0012-0002')
    expect(dataOf(refund, 2)).toBe('emesso per RESO MERCE\nN. 0012-0001 del 02-07-2026')
    expect([0x14, 0x20, 0x21, 0x22].map((type) => dataOf(refund, type))).toEqual([
      ...['REFUND', '0012', '0001', '2026-07-02'],
    ])
    const again = await queue.run({ ...waterBack, reference: 'again' })
    expect(again.stateWord).toBe(ERROR)
    expect(again.faults[0]?.message).toContain('status 13')

    const z = await queue.run({ reference: 'z', kind: 0x2011 })
    expect(z.identification).toBe('ft5#Z0012')
    expect(dataOf(z, 0x11)).toBe('0012')
    const next = await queue.run({ ...SALE, reference: 'next' })
    expect(next.identification).toBe('ft6#0013-0001')
    expect(await judge(queue.journal())).toMatchObject({
      findings: [],
      summary: { documents: 3, closings: 1, devices: 1 },
    })
  })

  it('a document is voided once, and not after all of it came back', async () => {
    const queue = await startedQueue()
    await queue.run(SALE)
    const wrong: Sent = { ...SALE, reference: 'v', kind: VOID, previous: 'sale' }
    wrong.charges = [back(COFFEE), back(WATER)]
    wrong.pays = [[-3.4, 1]]
    const voided = await queue.run(wrong)
    expect(voided.faults).toEqual([])
    expect(dataOf(voided, 2)).toBe('emesso per ANNULLAMENTO\nN. 0012-0001 del 02-07-2026')
    const twice = await queue.run({ ...wrong, reference: 'v2' })
    expect(twice.faults[0]?.message).toContain('status 39')
    const ofVoid = await queue.run({ ...wrong, reference: 'v3', previous: 'v' })
    expect(ofVoid.faults[0]?.message).toContain('status 41')
    await queue.run({ ...SALE, reference: 'second' })
    await queue.run({ ...wrong, reference: 'r', kind: REFUND, previous: 'second' })
    const late = await queue.run({ ...wrong, reference: 'v4', previous: 'second' })
    expect(late.faults[0]?.message).toContain('status 40')
    expect((await judge(queue.journal())).findings).toEqual([])
  })

  it('a voucher for several uses pays, a discount on the whole is split by rates', async () => {
    const queue = await startedQueue()
    const redeemed = await queue.run({
      ...{ reference: 'voucher', kind: 1, pays: [[80, 1]] },
      charges: [
        { text: 'Cena', amount: 100, kind: 0x11 },
        { text: 'Buono', amount: -20, kind: 0x48 },
      ],
    })
    expect(redeemed.faults).toEqual([])
    const off = await queue.run({
      ...{ reference: 'off', kind: 1, pays: [[9, 1]] },
      charges: [
        { text: 'Caffe', amount: 7, kind: 0x11 },
        { text: 'Acqua', amount: 3, kind: 0x13 },
        { text: 'Sconto', amount: -1, kind: 0x100_0000_0013 },
      ],
    })
    expect(off.faults).toEqual([])
    const [first, second] = queue
      .journal()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(first.payments).toEqual([
      ['discount', 'Buono', '2000'],
      ['cash', 'Contanti', '8000'],
    ])
    expect([second.subtotal, second.total, second.vat]).toEqual([
      ...[
        '-100',
        '900',
        [
          ['10', '630', '57'],
          ['22', '270', '49'],
        ],
      ],
    ])
    expect((await judge(queue.journal())).findings).toEqual([])
  })
})

describe('lottery and other data', () => {
  const data = (code: string) =>
    JSON.stringify({ servizi_lotteriadegliscontrini_gov_it: { codicelotteria: code } })

  it('the lottery code goes along where something is paid by card', async () => {
    const queue = await startedQueue()
    const more = { ftReceiptCaseData: data('ABCDEFGN') }
    const card = await queue.run({ ...SALE, pays: [[3.4, 4]], more })
    expect(dataOf(card, 0x15)).toBe('ABCDEFGN')
    expect(dataOf(card, 1)).toContain('Codice Lotteria: ABCDEFGN')
    const cash = await queue.run({ ...SALE, reference: 'cash', more })
    expect([cash.faults, dataOf(cash, 0x15), dataOf(cash, 0x20_2000)]).toEqual([
      ...[[], undefined, '-43: ABCDEFGN'],
    ])
  })

  it('training reaches no device, late receipts show in the state', async () => {
    const queue = await startedQueue()
    const training = await queue.run({ ...SALE, kind: 0x2_0001 })
    expect(training.signatures).toMatchObject([{ data: 'DOCUMENTO DI PROVA' }])
    expect(training.identification).toBe('ft2#')
    const late = await queue.run({ ...SALE, kind: 0x1_0001, at: '2026-07-01T10:00:00Z' })
    expect(late.stateWord).toBe(0x4954_2000_0000_0008n)
    expect(queue.journal()).toContain('"2026-07-01 12:00:00 sale"')
    const zero = await queue.run({ reference: 'zero', kind: 0x2000 })
    expect(zero.stateWord).toBe(0x4954_2000_0000_0000n)
    expect(JSON.parse(zero.stateData ?? '')).toMatchObject({
      RTInfo: { SerialNumber: '99EMU000001', DailyOpen: true, LastZNumber: 11, DocumentsInZ: 1 },
    })
  })

  it('an RT server chains its documents, and wants 8 characters for a till', async () => {
    const queue = await startedQueue({ kind: 'server', lastZ: 11 })
    const sale = await queue.run(SALE)
    expect(dataOf(sale, 0x17)).toMatch(/^[0-9a-f]{64}$/)
    expect(dataOf(sale, 1)).toContain(
      'Server RT 99EMU000001\nCassa FISK0001\n-----FIRMA ELETTRONICA-----',
    )
    expect((await judge(queue.journal())).findings).toEqual([])
  })
})

const refusals: [string, Sent, string][] = [
  ['no items', { ...SALE, charges: [] }, 'ChargeItemsMissing'],
  ['another rate', { ...SALE, charges: [{ ...WATER, rate: 10 }] }, 'VatRateMismatch'],
  ['an unknown V', { ...SALE, charges: [{ ...WATER, kind: 0x15, rate: 0 }] }, 'VatUnknown'],
  ['no nature', { ...SALE, charges: [{ ...WATER, kind: 0x18 }] }, 'NatureUnknown'],
  ['ventilation on a printer', { ...SALE, charges: [{ ...WATER, kind: 0x7018 }] }, 'NatureUnknown'],
  ['a wrong tax number', { ...SALE, customer: { CustomerId: 'RSSMRA85T10A562T' } }, 'TaxIdInvalid'],
  ['a void without reference', { ...SALE, kind: VOID }, 'ReferenceMissing'],
  ['an unknown reference', { ...waterBack, previous: 'nobody' }, 'PreviousReceiptNotFound'],
  [
    'a reference without document',
    { ...waterBack, previous: 'start' },
    'PreviousReceiptNoDocument',
  ],
  ['half a payment', { ...SALE, pays: [[1, 1]] }, 'status 25'],
  ['too much by card', { ...SALE, pays: [[5, 4]] }, 'status 21'],
  ['more off than on', { ...SALE, charges: [WATER, { ...WATER, amount: -2 }] }, 'status 27'],
]

it.each(refusals)('%s is refused, and nothing is numbered', async (_name, sent, text) => {
  const queue = await startedQueue()
  await queue.run({ ...SALE, reference: 'before' })
  const { rows } = queue
  const count = rows.length
  const { faults, stateWord } = await queue.run(sent)
  expect(faults[0]?.message).toContain(text)
  expect(stateWord).toBe(ERROR)
  expect(rows).toHaveLength(count)
  const next = await queue.run({ ...SALE, reference: 'after' })
  expect(next.identification).toContain('#0012-0002')
})

const faults: [string, string, number | undefined][] = [
  ['paper-out', 'status 3', undefined],
  ['cover-open', 'status 3', undefined],
  ['journal-full', 'status 18', undefined],
  ['memory-full', 'status 18', undefined],
  ['closing-needed', 'status 17', undefined],
  ['unreachable', 'cannot be reached', undefined],
  ['wrong-clock', 'status 9', -86_400_000],
  ['wrong-clock', 'status 14', 172_800_000],
]

it.each(faults)('with the fault %s the receipt says: %s', async (kind, text, ms) => {
  const queue = await startedQueue()
  await queue.run({ ...SALE, reference: 'before' })
  queue.scu.faultScript = fault(kind, kind === 'unreachable' ? 2 : 1, ms)
  const refused = await queue.run(SALE)
  expect(refused.faults[0]?.message).toContain(text)
  const next = await queue.run({ ...SALE, reference: 'after' })
  expect([next.faults, next.identification.split('#')[1]]).toEqual([[], '0012-0002'])
})

describe('lost answers', () => {
  it.each(['error-after', 'printed-then-silent', 'garbage'])('%s prints once', async (kind) => {
    const queue = await startedQueue()
    queue.scu.faultScript = fault(kind)
    const sale = await queue.run(SALE)
    expect([sale.faults, sale.identification]).toEqual([[], 'ft2#0012-0001'])
    const next = await queue.run({ ...SALE, reference: 'next' })
    expect(next.identification).toBe('ft3#0012-0002')
  })

  it('is known again when the register sends the receipt once more', async () => {
    const queue = await startedQueue()
    queue.scu.faultScript = fault('printed-then-silent', 2)
    const lost = await queue.run(SALE)
    expect(lost.faults[0]?.message).toContain('the answer was lost')
    const again = await queue.run(SALE)
    expect([again.faults, again.identification]).toEqual([[], 'ft3#0012-0001'])
    expect(queue.state.lost).toEqual([])
  })

  it('a Z report that got no answer is not made twice', async () => {
    const queue = await startedQueue()
    await queue.run(SALE)
    queue.scu.faultScript = fault('error-after')
    const z = await queue.run({ reference: 'z', kind: 0x2011 })
    expect(z.identification).toBe('ft3#Z0012')
    const next = await queue.run({ reference: 'z2', kind: 0x2012 })
    expect(next.identification).toBe('ft4#Z0013')
  })
})
