// The receipt cases that public demo clients send to a German queue, in the order of a day, with
// the decimal numbers that they use.
import { describe, expect, it } from 'vitest'
import { Decimal } from '../../../src/lib/decimal.js'
import type { ReceiptRequest } from '../../../src/model/receipt.js'
import { charge, pay, receipt } from '../../support/de/make.js'
import { TestQueue } from '../../support/de/test-queue.js'

const BASE = 4919338167972134912n
const cases = {
  pos: 4919338172267102209n,
  zero: 4919338172267102210n,
  start: 4919338172267102211n,
  stop: 4919338172267102212n,
  month: 4919338172267102213n,
  year: 4919338172267102214n,
  daily: 4919338172267102215n,
  order: 4919338172267102224n,
  internal: 4919338172267102227n,
  startTransaction: 4919338167972134920n,
  explicitPos: 4919338167972134913n,
}

/** The cash receipt of the C, C++ and VB6 clients: cases are the country's base. */
const food: Partial<ReceiptRequest> = {
  receiptReference: '21',
  chargeItems: [
    charge(BASE, '5.0', {
      quantity: Decimal.of('10.0'),
      description: 'Food',
      vatRate: Decimal.of('10.0'),
      productNumber: '1',
    }),
  ],
  payItems: [pay(BASE, '5.0', { quantity: Decimal.of('10.0'), description: 'Cash' })],
}
const goods = {
  chargeItems: [
    charge(BASE + 0x11n, '221.00', { quantity: Decimal.of('2'), description: 'Shoes' }),
    charge(BASE + 0x12n, '107.00', { description: 'Book', vatRate: Decimal.of('7') }),
  ],
}

const day: [name: string, request: ReceiptRequest, identification: string, data: string][] = [
  [
    'start',
    receipt(cases.start, { receiptReference: 'INIT', user: 'ADMIN' }),
    'ft0#IT1',
    'initial operation receipt / start-receipt',
  ],
  ['zero', receipt(cases.zero, { receiptReference: '1' }), 'ft1#IT2', 'zero-receipt'],
  ['cash', receipt(cases.pos, food), 'ft2#IT3', 'Beleg^0.00_0.00_0.00_0.00_5.00^5.00:Bar'],
  [
    'the same again',
    receipt(cases.pos, food),
    'ft3#IT4',
    'Beleg^0.00_0.00_0.00_0.00_5.00^5.00:Bar',
  ],
  [
    'order',
    receipt(cases.order, { receiptReference: 'table-7', ...goods }),
    'ft4#IT5',
    '2;"Shoes";110.50\r1;"Book";107.00',
  ],
  ['internal', receipt(cases.internal, { receiptReference: 'drawer' }), 'ft5#IT6', 'info-internal'],
  ['begin', receipt(cases.startTransaction, { receiptReference: 'T5' }), 'ft6#ST7', ''],
  [
    'explicit sale',
    receipt(cases.explicitPos, {
      receiptReference: 'T5',
      ...goods,
      payItems: [pay(BASE + 1n, '328.00')],
    }),
    'ft7#T7',
    'Beleg^221.00_107.00_0.00_0.00_0.00^328.00:Bar',
  ],
  ['daily', receipt(cases.daily), 'ft8#IT8', 'daily-closing'],
  ['month', receipt(cases.month), 'ft9#IT9', 'monthly-closing'],
  ['year', receipt(cases.year), 'ftA#IT10', 'yearly-closing'],
  ['stop', receipt(cases.stop), 'ftB#IT11', 'out of operation receipt / stop-receipt'],
]

describe('the requests of public demo clients', () => {
  it('run through a day with the processData that they mean', async () => {
    const queue = new TestQueue()
    const seen: unknown[] = []
    for (const [name, request] of day) {
      const { identification, stateWord } = await queue.accept(request)
      const signed = queue.tse.log.findLast(({ number }) => number !== undefined)
      seen.push([name, identification, signed?.processData, stateWord])
    }
    expect(seen).toEqual(
      day.map(([name, , identification, data]) => [name, identification, data, BASE]),
    )
  })
})
