// From the v2 tables to those of v0/v1: every row of the published mapping with its corrections.

import { describe, expect, it } from 'vitest'
import { withWords } from '../../../src/case/reader.js'
import { Decimal } from '../../../src/lib/decimal.js'
import { receiptFlags } from '../../../src/market/de/cases.js'
import { linesOf } from '../../../src/market/de/mapping.js'
import { readReceipt } from '../../../src/market/de/reading.js'
import type { ChargeItem, PayItem } from '../../../src/model/receipt.js'
import { charge, de, de2, implicit, pay, receipt, sale } from '../../support/de/make.js'
import { TestQueue } from '../../support/de/test-queue.js'

function codeOf(word: number | bigint, chargeItems: ChargeItem[] = [], payItems: PayItem[] = []) {
  const reading = readReceipt(withWords(receipt(de2(word), { chargeItems, payItems })))
  return reading.kind === 'refusal' ? undefined : reading
}

const goods = [charge(de2(0x13), '1')]
const cash = [pay(de2(0x1), '1')]

describe('v2 receipt cases', () => {
  it.each([
    [0x0000, 0x00],
    [0x0001, 0x01],
    [0x0002, 0x11],
    [0x0003, 0x15],
    [0x0004, 0x15],
    [0x0005, 0x0f],
    [0x0006, 0x14],
    [0x0007, 0x14],
    [0x1000, 0x0e],
    [0x1001, 0x0d],
    [0x1002, 0x0c],
    [0x1003, 0x0e],
    [0x3000, 0x13],
    [0x3001, 0x14],
    [0x3002, 0x14],
    [0x3003, 0x12],
    [0x3004, 0x10],
    [0x3005, 0x10],
    [0x3010, 0x14],
    [0x3011, 0x14],
  ])('%i is %i, and finds out by itself whether it is explicit', (v2, v0) => {
    expect(codeOf(v2)).toMatchObject({ code: v0, flow: 'auto', tagging: 'v2' })
  })

  it.each([
    [0x2000, 0x02],
    [0x2001, 0x02],
    [0x2010, 0x02],
    [0x2011, 0x07],
    [0x2012, 0x05],
    [0x2013, 0x06],
    [0x4001, 0x03],
    [0x4002, 0x04],
    [0x4011, 0x17],
    [0x4012, 0x18],
    [0x4021, 0x19],
  ])('%i is %i, implicit', (v2, v0) => {
    expect(codeOf(v2)).toMatchObject({ code: v0, flow: 'implicit' })
  })

  it.each([
    [0x11, 0x08, 'explicit'],
    [0x21, 0x09, 'explicit'],
    [0x31, 0x0a, 'explicit'],
    [0x41, 0x0b, 'explicit'],
    [0x40, 0x0b, 'implicit'],
  ])('a technical log with local %i is the step %i', (local, code, flow) => {
    const word = (BigInt(local) << 32n) | 0x3001n
    expect(codeOf(word)).toMatchObject({ code, flow })
  })

  it('local 001 of an ordinary receipt means nothing', () => {
    expect(codeOf(0x1_0000_0001n)).toMatchObject({ code: 1, flow: 'auto' })
  })

  it('a bill before payment is an order when it has goods and no payment', () => {
    expect(codeOf(0x6, goods)?.code).toBe(0x10)
    expect(codeOf(0x7, goods, cash)?.code).toBe(0x14)
  })

  it('a sale abroad is 0015, a refund without duty 0016', () => {
    expect(codeOf(0x80_0001)?.code).toBe(0x15)
    expect(codeOf(0x80_0005)?.code).toBe(0x0f)
    expect(codeOf(0x800_0001)?.code).toBe(0x01)
    expect(codeOf(0x100_0003)?.code).toBe(0x16)
  })

  it.each([0x4022, 0x0008, 0x1004, 0x2002, 0x3006, 0x5000])('%i is refused', (v2) => {
    expect(codeOf(v2)).toBeUndefined()
  })
})

describe('v2 receipt flags', () => {
  const flagsOf = (word: number) => codeOf(word)?.flags

  it('of receipts are the same bits, those without counterpart are dropped', () => {
    expect(flagsOf(0x007f_0001)).toBe(0x7f)
    expect(flagsOf(0x0f00_0001)).toBe(0)
  })

  it('of logs are training alone', () => {
    expect(flagsOf(0x000f_3000)).toBe(receiptFlags.training)
  })

  it.each([
    [0x0010, receiptFlags.tseInfo],
    [0x0020, receiptFlags.tarDownload],
    [0x0040, receiptFlags.bypassTar],
    [0x0080, receiptFlags.selfTestOrClientOnly],
    [0x0100, receiptFlags.masterData],
    [0x000f, 0],
  ])('%i of a daily operation is %i', (v2, v0) => {
    expect(flagsOf(v2 * 0x1_0000 + 0x2000)).toBe(v0)
  })

  it('of the life cycle register the client only, and nothing else', () => {
    expect(flagsOf(0x0010_4001)).toBe(receiptFlags.selfTestOrClientOnly)
    expect(flagsOf(0x002f_4011)).toBe(0)
  })
})

describe('v2 charge items', () => {
  function read(word: number, amount: string, more: Partial<ChargeItem> = {}) {
    const request = receipt(de2(1), { chargeItems: [charge(de2(word), amount, more)] })
    const [line] = linesOf(withWords(request)).charges
    return [line?.code, line?.flags]
  }
  const rate = (text: string) => ({ vatRate: Decimal.of(text) })
  const inGroup = (productGroup: string) => ({ productGroup })

  it('find their place in a group by V', () => {
    const codes = [1, 2, 3, 4, 5, 6, 7, 8].map((v) => read(0x10 + v, '1')[0])
    expect(codes).toEqual([0x12, 0x17, 0x11, 0x13, 0x14, 0x17, 0x16, 0x15])
  })

  it.each([
    ['unknown service', 0x0003, '1', 0x01],
    ['goods', 0x0013, '1', 0x11],
    ['service', 0x0023, '1', 0x19],
    ['catalogue service', 0x0053, '1', 0x01],
    ['deposit handed out', 0x10_0013, '1', 0x21],
    ['deposit taken back with refund flag', 0x12_0013, '-1', 0x29],
    ['deposit taken back by its sign', 0x10_0013, '-1', 0x29],
    ['deposit that was never handed out', 0x11_0013, '-1', 0x21],
    ['discount', 0x04_0011, '-0.50', 0x32],
    ['void of a discount', 0x05_0011, '0.50', 0x32],
    ['extra', 0x04_0013, '0.50', 0x39],
    ['grant, not real', 0x0083, '1', 0x41],
    ['grant, real', 0x0088, '1', 0x49],
    ['own consumption', 0x0073, '1', 0x41],
    ['own consumption, not taxable', 0x0078, '1', 0x45],
    ['tip to the owner', 0x0033, '1', 0x51],
    ['tip to the employee', 0x0038, '1', 0x59],
    ['single-purpose voucher sold', 0x0043, '1', 0x61],
    ['single-purpose voucher redeemed', 0x0043, '-1', 0x69],
    ['multi-purpose voucher sold', 0x0048, '1', 0x60],
    ['multi-purpose voucher redeemed', 0x0048, '-1', 0x68],
    ['refund of a multi-purpose voucher', 0x02_0048, '-1', 0x60],
    ['receivable created', 0x0098, '-1', 0x75],
    ['receivable reduced', 0x0098, '1', 0x7d],
    ['down payment created', 0x08_0013, '1', 0x81],
    ['down payment reduced', 0x08_0013, '-1', 0x89],
    ['agency business', 0x0063, '1', 0xa2],
    ['reverse charge', 0x5018, '1', 0xa1],
    ['special tax', 0x00f3, '1', 0x01],
  ])('%s', (_name, word, amount, code) => {
    expect(read(word, amount)).toEqual([code, 0])
  })

  it('without V go by their rate, and plain ones keep case 0000', () => {
    expect(read(0x0000, '1', rate('7'))[0]).toBe(0x00)
    const goodsAt = ['19', '7', '10.70', '9.5', '5.5', '0', '16', '3'].map(
      (text) => read(0x0010, '1', rate(text))[0],
    )
    expect(goodsAt).toEqual([0x11, 0x12, 0x13, 0x13, 0x14, 0x16, 0x17, 0x17])
    expect(read(0x04_0000, '-1', rate('7'))[0]).toBe(0x32)
  })

  it('without V know the reduced rates of the second half of 2020', () => {
    const at = (iso: string, text: string) =>
      read(0x0010, '1', { ...rate(text), moment: new Date(iso) })[0]
    expect(at('2020-07-01T12:00:00Z', '16')).toBe(0x11)
    expect(at('2020-12-31T12:00:00Z', '5')).toBe(0x12)
    expect(at('2021-01-01T12:00:00Z', '16')).toBe(0x17)
  })

  it.each([
    ['EmptyTill', '1', 0x90],
    ['Owner', '-1', 0x91],
    ['Owner', '1', 0x92],
    ['Till', '1', 0x93],
    ['', '1', 0x93],
    ['Employee', '-1', 0x94],
    ['Cashbook', '1', 0x95],
    ['Cashbook', '-1', 0x96],
    ['CashDifference', '1', 0x97],
  ])('a cash transfer %s %s is %i', (group, amount, code) => {
    expect(read(0x00a8, amount, inGroup(group))[0]).toBe(code)
  })

  it('keep the take-away flag', () => {
    expect(read(0x20_0011, '1')).toEqual([0x12, 1])
  })
})

describe('v2 pay items', () => {
  function read(word: number, amount = '1', moneyGroup: string | null = null) {
    const request = receipt(de2(1), { payItems: [pay(de2(word), amount, { moneyGroup })] })
    return linesOf(withWords(request)).pays[0]?.code
  }

  it.each([
    [0x00, 0x00],
    [0x01, 0x01],
    [0x10_0001, 0x02],
    [0x20_0001, 0x0b],
    [0x30_0001, 0x0c],
    [0x40_0001, 0x10],
    [0x02, 0x06],
    [0x03, 0x03],
    [0x04, 0x04],
    [0x05, 0x05],
    [0x06, 0x0d],
    [0x07, 0x06],
    [0x08, 0x07],
    [0x09, 0x0e],
    [0x08_0009, 0x0f],
    [0x0a, 0x08],
    [0x0b, 0x09],
    [0x0d, 0x0a],
    [0x0e, 0x11],
    [0x0f, 0x0d],
    [0xc0_0004, 0x04],
    [0x42, 0x00],
  ])('%i is %i', (v2, v0) => {
    expect(read(v2)).toBe(v0)
  })

  it.each([
    ['EmptyTill', 0x12],
    ['owner', 0x13],
    ['Till', 0x14],
    ['Employee', 0x15],
    ['Cashbook', 0x16],
    ['CashDifference', 0x17],
    [null, 0x14],
  ])('a transfer %s is %i with either sign', (group, code) => {
    expect([read(0x0c, '1', group), read(0x0c, '-1', group)]).toEqual([code, code])
  })

  it('items of a v0 receipt are v2 only when their version says so', () => {
    const request = receipt(implicit(1), { payItems: [pay(de(0x6), '1'), pay(de2(0x6), '1')] })
    expect(linesOf(withWords(request)).pays.map(({ code }) => code)).toEqual([0x06, 0x0d])
  })
})

describe('a v2 receipt', () => {
  const step = (local: bigint, receiptReference: string) =>
    receipt(de2((local << 32n) | 0x3001n), { receiptReference })
  const v2Sale = (receiptReference: string) =>
    receipt(de2(1), { receiptReference, chargeItems: goods, payItems: cash })

  it('ends the running transaction of its reference, and has its own otherwise', async () => {
    const queue = await TestQueue.started()
    await queue.accept(step(0x11n, 'A'))
    await queue.accept(step(0x21n, 'A'))
    expect((await queue.accept(v2Sale('A'))).identification).toBe('ft3#T2')
    expect((await queue.accept(v2Sale('A'))).identification).toBe('ft4#IT3')
    expect((await queue.accept(v2Sale('B'))).identification).toBe('ft5#IT4')
  })

  it('ends a transaction that was begun in failed mode', async () => {
    const queue = await TestQueue.started()
    queue.tse.down = true
    await queue.accept(step(0x11n, 'A'))
    const answer = await queue.accept(v2Sale('A'))
    expect(answer.stateWord).toBe(0x4445_2000_0000_0002n)
    expect(queue.state.failedStarts).toEqual([])
  })

  it('fails one transaction by reference, several by the numbers of its case data', async () => {
    const queue = await TestQueue.started()
    await queue.accept(step(0x11n, 'A'))
    await queue.accept(step(0x11n, 'B'))
    expect((await queue.accept(step(0x41n, 'A'))).identification).toBe('ft3#T2')
    const inner = '{"CurrentStartedTransactionNumbers":[3]}'
    const many = { ...step(0x40n, 'X'), receiptCaseData: JSON.stringify({ DE: inner }) }
    expect((await queue.accept(many)).identification).toBe('ft4#IT4')
    expect(queue.tse.open).toEqual([])
  })

  it('of the published smoke test is signed though its cases and rates differ', async () => {
    const queue = await TestQueue.started()
    const answer = await queue.accept(
      receipt(de2(1), {
        chargeItems: [
          charge(de2(0x11), '221', { vatRate: Decimal.of('19') }),
          charge(de2(0x12), '107', { vatRate: Decimal.of('7') }),
        ],
        payItems: [pay(de2(1), '328')],
      }),
    )
    expect(answer.stateWord).toBe(0x4445_2000_0000_0000n)
    expect(queue.tse.log.at(-1)?.processData).toBe('Beleg^0.00_221.00_0.00_0.00_107.00^328.00:Bar')
  })

  it('says in its own bit that units are switched', async () => {
    const queue = await TestQueue.started()
    queue.state = {
      ...queue.state,
      scuId: null,
      scuSwitch: { sourceId: 'scu-1', targetId: 'scu-2' },
    }
    expect((await queue.accept(v2Sale('A'))).stateWord).toBe(0x4445_2001_0000_0000n)
    expect((await queue.accept(sale(implicit(1)))).stateWord).toBe(0x4445_0000_0000_0100n)
  })
})
