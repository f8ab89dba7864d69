// A daily closing is due on the second calendar day after the first receipt that it would hold, and
// the status tells it without a receipt. Version 2 only: the older tables have no word for it.
import { describe, expect, it } from 'vitest'
import { germany } from '../../../src/market/de/index.js'
import { de, de2, implicit, receipt, sale } from '../../support/de/make.js'
import { CASH_BOX_ID, QUEUE_ID, SERIAL, TestQueue } from '../../support/de/test-queue.js'

const DUE = de2(0x100)
const dailyClosing = receipt(implicit(0x7))
const zero = receipt(implicit(0x2))

function statusAt(queue: TestQueue, iso: string, answersV2 = true): bigint | undefined {
  const view = {
    id: QUEUE_ID,
    cashBoxId: CASH_BOX_ID,
    identification: SERIAL,
    configuration: queue.configuration,
    startMoment: queue.startMoment,
    stopMoment: queue.stopMoment,
    lastMoment: null,
    receiptNumerator: queue.receiptNumerator,
  }
  return germany.queue.stateAt?.(view, queue.state, { now: Date.parse(iso), answersV2 })
}

async function soldAt(queue: TestQueue, iso: string, word = de2(0x1)): Promise<bigint> {
  queue.moment = new Date(iso)
  return (await queue.accept(sale(word))).stateWord
}

async function openSince(iso: string): Promise<TestQueue> {
  const queue = await TestQueue.started()
  queue.moment = new Date(iso)
  await queue.accept(sale(implicit(0x1)))
  return queue
}

describe('a daily closing', () => {
  it('is due from midnight of the second day on, local time, until it is made', async () => {
    const queue = await openSince('2026-03-24T21:30:00Z')
    expect(await soldAt(queue, '2026-03-25T22:59:59Z')).toBe(de2(0))
    expect(statusAt(queue, '2026-03-25T22:59:59Z')).toBe(de2(0))
    expect(statusAt(queue, '2026-03-25T23:00:00Z')).toBe(DUE)
    expect(await soldAt(queue, '2026-03-25T23:00:00Z')).toBe(DUE)
    await queue.accept(dailyClosing)
    expect(statusAt(queue, '2026-03-25T23:00:01Z')).toBe(de2(0))
    expect(await soldAt(queue, '2026-03-25T23:00:01Z')).toBe(de2(0))
  })

  it('over the night when summer time begins counts calendar days, not 24 hours', async () => {
    const queue = await openSince('2026-03-28T22:59:00Z')
    expect(statusAt(queue, '2026-03-29T21:59:59Z')).toBe(de2(0))
    expect(statusAt(queue, '2026-03-29T22:00:00Z')).toBe(DUE)
  })

  it('that is due blocks nothing, and v0/v1 say nothing of it', async () => {
    const queue = await openSince('2026-03-24T10:00:00Z')
    expect(await soldAt(queue, '2026-03-30T10:00:00Z', implicit(0x1))).toBe(de(0))
    expect(statusAt(queue, '2026-03-30T10:00:00Z', false)).toBe(de(0))
  })

  it('counts by the time of the queue, whatever the register writes', async () => {
    const queue = await openSince('2026-03-24T10:00:00Z')
    queue.moment = new Date('2026-03-24T11:00:00Z')
    const odd = { ...sale(de2(0x1)), receiptMoment: new Date('9999-12-31T00:00:00Z') }
    expect((await queue.accept(odd)).stateWord).toBe(de2(0))
  })

  it('is not due of a queue that has sold nothing since the last one', async () => {
    const queue = await openSince('2026-03-24T10:00:00Z')
    await queue.accept(dailyClosing)
    queue.moment = new Date('2026-03-25T10:00:00Z')
    await queue.accept(zero)
    expect(statusAt(queue, '2026-04-25T10:00:00Z')).toBe(de2(0))
  })

  it('without TSE is made as well', async () => {
    const queue = await openSince('2026-03-24T10:00:00Z')
    queue.tse.down = true
    expect(await soldAt(queue, '2026-03-27T10:00:00Z')).toBe(de2(0x102))
    await queue.accept(dailyClosing)
    expect(statusAt(queue, '2026-03-27T10:00:01Z')).toBe(de2(0x2))
  })
})

describe('the status', () => {
  it('shows a queue that is new or stopped, a failed TSE and late receipts', async () => {
    expect(statusAt(new TestQueue(), '2030-01-01T00:00:00Z', false)).toBe(de(0x1))
    const queue = await openSince('2026-03-24T10:00:00Z')
    await queue.accept(sale(implicit(0x1_0001)))
    expect(statusAt(queue, '2026-03-24T10:00:00Z', false)).toBe(de(0x8))
    await queue.accept(zero)
    queue.tse.down = true
    await queue.accept(sale(implicit(0x1)))
    expect(statusAt(queue, '2026-03-24T10:00:00Z', false)).toBe(de(0x2))
    queue.tse.down = false
    await queue.accept(zero)
    expect(statusAt(queue, '2026-03-24T10:00:00Z', false)).toBe(de(0))
    await queue.accept(receipt(implicit(0x4)))
    expect(statusAt(queue, '2030-01-01T00:00:00Z', false)).toBe(de(0x1))
  })
})
