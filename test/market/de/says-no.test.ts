// A TSE that answers with no works: what it refuses is a fault of the request or a transaction that
// has ended elsewhere, and never an outage.
import { describe, expect, it } from 'vitest'
import type { ReceiptRequest } from '../../../src/model/receipt.js'
import { de, implicit, order, receipt, sale } from '../../support/de/make.js'
import { dataOf, TestQueue } from '../../support/de/test-queue.js'

const GOOD = 0x4445_0000_0000_0000n
const DROPPED = 'Offene Transaktion verworfen'
const zero = receipt(implicit(0x2))
const zeroV2 = receipt(0x4445_2000_0000_2000n)
const daily = receipt(implicit(0x7))
const dailyV2 = receipt(0x4445_2000_0000_2011n)
const reference = (receiptReference: string | null) => ({ receiptReference })
const several = (numbers: string): ReceiptRequest =>
  receipt(implicit(0xb), {
    receiptReference: null,
    receiptCaseData: `{"CurrentStartedTransactionNumbers":${numbers}}`,
  })

/** A queue whose transaction 2 (A) was ended on the TSE by somebody else. */
async function robbed(): Promise<TestQueue> {
  const queue = await TestQueue.started()
  await queue.accept(receipt(de(0x8), reference('A')))
  queue.tse.open = []
  return queue
}

describe('a step of a transaction that has ended elsewhere', () => {
  it.each([
    ['a sale', sale(de(0x1), '1', reference('A'))],
    ['a sale in v2 tagging', sale(0x4445_2000_0000_0001n, '1', reference('A'))],
    ['an order', order(de(0x10), reference('A'))],
    ['an update', receipt(de(0x9), reference('A'))],
    ['its end without sale', receipt(de(0xb), reference('A'))],
  ])('is refused for %s, names the transaction and is no outage', async (_name, request) => {
    const queue = await robbed()
    const before = structuredClone(queue.state)
    const refused = await queue.refuse(request)
    expect(refused).toMatchObject({ field: 'cbReceiptReference' })
    expect(refused.message).toContain("Transaction 2 of cbReceiptReference 'A' is not open")
    expect(queue.state).toEqual(before)
  })

  it.each([
    ['zero receipt', zero],
    ['zero receipt of v2', zeroV2],
    ['daily closing', daily],
    ['daily closing of v2', dailyV2],
  ])('is possible anew after a %s, which names it', async (_name, request) => {
    const queue = await robbed()
    await queue.refuse(sale(de(0x1), '1', reference('A')))
    const answer = await queue.accept(request)
    expect(answer.stateWord & 0xffffn).toBe(0n)
    expect(dataOf(answer, DROPPED)).toBe('Transaktion 2 (A) ist in der TSE nicht mehr offen.')
    expect(queue.state.openTransactions).toEqual([])
    const v2 = await queue.accept(sale(0x4445_2000_0000_0001n, '1', reference('A')))
    expect(v2.stateWord & 0xffffn).toBe(0n)
    expect(queue.actionsOf('4445000020000000-OpenTransaction').length).toBe(1)
  })

  it.each([
    ['v0', zero],
    ['v2', zeroV2],
  ])('ends an outage by the next zero receipt of %s', async (_name, request) => {
    const queue = await TestQueue.started()
    await queue.accept(receipt(de(0x8), reference('A')))
    queue.tse.down = true
    await queue.accept(sale(de(0x1), '1', reference('A')))
    queue.tse.down = false
    queue.tse.open = []
    const answer = await queue.accept(request)
    expect(answer.stateWord & 0xffffn).toBe(0n)
    expect(dataOf(answer, DROPPED)).toContain('Transaktion 2')
    expect(queue.state).toMatchObject({ sscdFailCount: 0, failedFinishes: [] })
  })

  it('stays an outage when an answer was lost before the no', async () => {
    const queue = await TestQueue.started()
    await queue.accept(receipt(de(0x8), reference('A')))
    queue.tse.fail('finish', 3, 'after')
    const lost = await queue.accept(sale(de(0x1), '1', reference('A')))
    expect(lost.stateWord).toBe(GOOD | 2n)
    const answer = await queue.accept(zero)
    expect(answer.stateWord).toBe(GOOD)
    expect(dataOf(answer, DROPPED)).toBeUndefined()
    expect(queue.rowsOf('late').map(({ number }) => number)).toEqual([3])
  })
})

describe('numbers of a fail-transaction receipt', () => {
  it.each([
    ['unknown', '[99]', '99'],
    ['unknown beside a known one', '[2,99,100]', '99, 100'],
    ['negative', '[-2]', '-2'],
    ['zero', '[0]', '0'],
    ['no whole number', '[2.5]', '2.5'],
    ['a text', '["2"]', '"2"'],
    ['nothing', '[null]', 'null'],
    ['too large to be exact', '[9007199254740993]', '9007199254740993'],
  ])('that are %s are named in the refusal, and nothing else changes', async (_n, list, named) => {
    const queue = await TestQueue.started()
    await queue.accept(receipt(de(0x8), reference('A')))
    const before = structuredClone(queue.state)
    const log = queue.tse.log.length
    const refused = await queue.refuse(several(list))
    expect(refused).toMatchObject({ field: 'ftReceiptCaseData' })
    expect(refused.message).toContain(named)
    expect(queue.state).toEqual(before)
    expect(queue.tse.log.length).toBe(log)
    expect(queue.tse.open.map(({ number }) => number)).toEqual([2])
  })

  it('are at most as many as a TSE has open', async () => {
    const queue = await TestQueue.started()
    const many = JSON.stringify(Array.from({ length: 2001 }, (_, at) => at + 1))
    expect((await queue.refuse(several(many))).message).toContain('at most 2000')
  })

  it('that are given twice are ended once', async () => {
    const queue = await TestQueue.started()
    await queue.accept(receipt(de(0x8), reference('A')))
    const answer = await queue.accept(several('[2,2]'))
    expect(answer.stateWord).toBe(GOOD)
    expect(queue.rowsOf('ended').length).toBe(1)
  })

  it('that are wrong leave an outage as it is', async () => {
    const queue = await TestQueue.started()
    queue.tse.down = true
    await queue.accept(sale(implicit(0x1)))
    queue.tse.down = false
    await queue.refuse(several('[99]'))
    expect(queue.state.sscdFailCount).toBe(1)
    queue.tse.down = true
    expect((await queue.accept(several('[99]'))).stateWord).toBe(GOOD | 2n)
  })

  it('of clients that left the TSE are told, and the receipt is signed', async () => {
    const queue = await TestQueue.started()
    queue.tse.open.push({ number: 77, client: 'LEFT', start: new Date(0) })
    const answer = await queue.accept(several('[77]'))
    expect(answer.stateWord).toBe(GOOD)
    expect(dataOf(answer, 'Transaktion nicht beendet')).toContain('Transaktion 77')
    const closeAll = receipt(implicit(0x7) | 0x2_0000_0000n)
    expect((await queue.accept(closeAll)).stateWord).toBe(GOOD)
  })
})

describe('a closing whose calls get no answer', () => {
  it('has the row of a transaction that it ended, once the TSE tells it', async () => {
    const queue = await TestQueue.started()
    await queue.accept(receipt(de(0x8), reference('A')))
    queue.tse.fail('finish', 3, 'after')
    expect((await queue.accept(daily)).stateWord).toBe(GOOD | 2n)
    expect(queue.rowsOf('ended')).toEqual([])
    const answer = await queue.accept(zero)
    expect(answer.stateWord).toBe(GOOD)
    expect(dataOf(answer, DROPPED)).toBeUndefined()
    const [row] = queue.rowsOf('ended')
    expect(JSON.parse(row?.content ?? '{}')).toMatchObject({ transaction: 2, reference: 'A' })
  })
})

describe('a second end of a transaction during an outage', () => {
  it('has its signature later where the TSE did it and its answer was lost', async () => {
    const queue = await TestQueue.started()
    await queue.accept(receipt(de(0x8), reference('A')))
    queue.tse.down = true
    await queue.accept(sale(de(0x1), '1', reference('A')))
    queue.tse.down = false
    queue.tse.fail('finish', 3, 'after')
    expect((await queue.accept(receipt(de(0xb), reference('A')))).stateWord).toBe(GOOD | 2n)
    expect((await queue.accept(zero)).stateWord).toBe(GOOD)
    const [row] = queue.rowsOf('late')
    expect(JSON.parse(row?.content ?? '{}')).toMatchObject({
      transaction: 2,
      processData: 'AVBelegabbruch^0.00_0.00_0.00_0.00_0.00^',
    })
    expect(queue.state).toMatchObject({ unsure: [], failedFinishes: [], openTransactions: [] })
  })

  it('has none where the TSE did the first one', async () => {
    const queue = await TestQueue.started()
    await queue.accept(receipt(de(0x8), reference('A')))
    queue.tse.down = true
    await queue.accept(sale(de(0x1), '1', reference('A')))
    await queue.accept(receipt(de(0xb), reference('A')))
    queue.tse.down = false
    expect((await queue.accept(zero)).stateWord).toBe(GOOD)
    expect(queue.rowsOf('late').map(({ number }) => number)).toEqual([3])
    expect(queue.state.unsure).toEqual([])
  })
})

describe('what a TSE refuses at the end of an outage', () => {
  it('is told, and does not keep the queue in failed mode', async () => {
    const queue = await TestQueue.started()
    queue.tse.down = true
    await queue.accept(receipt(de(0x8), reference('A')))
    queue.tse.down = false
    let starts = 0
    queue.tse.onCall = () => {
      starts += queue.tse.calls.at(-1) === 'start' ? 1 : 0
      queue.tse.clients = starts > 1 ? [] : ['KASSE-0001']
    }
    const answer = await queue.accept(zero)
    expect(answer.stateWord).toBe(GOOD)
    expect(dataOf(answer, 'Transaktion nicht begonnen')).toContain('(A)')
    expect(queue.state.failedStarts).toEqual([])
  })
})

describe('failed mode refuses as good order does', () => {
  async function inOutage(): Promise<TestQueue> {
    const queue = await TestQueue.started()
    await queue.accept(receipt(de(0x8), reference('A')))
    queue.tse.down = true
    await queue.accept(sale(implicit(0x1)))
    return queue
  }
  const TRAINING = 0x2_0000n
  it.each([
    ['a training daily closing', receipt(implicit(0x7) | TRAINING)],
    ['a training monthly closing', receipt(implicit(0x5) | TRAINING)],
    ['a training start of a migration', receipt(implicit(0x19) | TRAINING)],
    ['a closing without implicit flag', receipt(de(0x7))],
    ['a start with implicit flag', receipt(implicit(0x8), reference('B'))],
    ['a start without reference', receipt(de(0x8), reference(null))],
    ['a second start of a reference', receipt(de(0x8), reference('A'))],
    ['an end without start', sale(de(0x1), '1', reference('nobody'))],
    ['an update without start', receipt(de(0x9), reference('nobody'))],
    ['a migration with items', sale(implicit(0x19))],
  ])('%s', async (_name, request) => {
    const good = await TestQueue.started()
    await good.accept(receipt(de(0x8), reference('A')))
    const queue = await inOutage()
    const expected = await good.refuse(request)
    const refused = await queue.refuse(request)
    expect([refused.message, refused.field]).toEqual([expected.message, expected.field])
    expect(queue.state).toMatchObject({ sscdFailCount: 1, dailyClosingNumber: 0 })
  })

  it('and takes the second end of a transaction for no end', async () => {
    const queue = await inOutage()
    await queue.accept(sale(de(0x1), '1', reference('A')))
    await queue.refuse(sale(de(0x1), '2', reference('A')))
    expect(queue.state.failedFinishes[0]?.processData).toContain('1.00')
  })
})

describe('sums that no export can hold', () => {
  const LARGEST = '9999999999999.99'
  const many = (request: ReceiptRequest): ReceiptRequest => ({
    ...request,
    chargeItems: [...request.chargeItems, ...request.chargeItems],
    payItems: [...request.payItems, ...request.payItems],
  })
  it.each([
    ['a sale', many(sale(implicit(0x1), LARGEST))],
    ['a sale in v2 tagging', many(sale(0x4445_2000_0000_0001n, LARGEST))],
  ])('are refused before the TSE is asked: %s', async (_name, request) => {
    const queue = await TestQueue.started()
    queue.tse.calls = []
    const refused = await queue.refuse(request)
    expect(refused.message).toContain('more than 13 digits')
    expect(queue.tse.calls).toEqual([])
    expect((await queue.accept(sale(implicit(0x1), LARGEST))).stateWord).toBe(GOOD)
  })
})

describe('control characters in the text of an order', () => {
  it('are blanks in processData, so that lines stay lines', async () => {
    const queue = await TestQueue.started()
    const request = order(implicit(0x10))
    const [item] = request.chargeItems
    if (item === undefined) throw new Error('an order without item')
    const chargeItems = [
      { ...item, description: 'Tee\r\nkalt\t"groß"\u0000\u2028' },
      { ...item, description: 'Brot' },
    ]
    const answer = await queue.accept({ ...request, chargeItems })
    const data = dataOf(answer, '<processData>') ?? ''
    expect(data.split('\r').map((line) => line.split(';')[1])).toEqual([
      '"Tee  kalt ""groß""  "',
      '"Brot"',
    ])
  })
})
