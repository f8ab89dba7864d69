// The clocks of due receipts and of outages run without receipts: what the status shows at a moment
// is what the next receipt shows.
import { describe, expect, it } from 'vitest'
import { austria } from '../../../src/market/at/index.js'
import { at, at2, monthlyReceipt, sale, stopReceipt, yearlyReceipt } from './support/make.js'
import { CASH_BOX_ID, captionsOf, QUEUE_ID, TestQueue } from './support/test-queue.js'

const LATE = 0x1_0000n

function statusAt(queue: TestQueue, iso: string, answersV2 = false): bigint | undefined {
  const view = {
    id: QUEUE_ID,
    cashBoxId: CASH_BOX_ID,
    identification: 'K',
    configuration: queue.configuration,
    startMoment: queue.startMoment,
    stopMoment: queue.stopMoment,
    lastMoment: null,
    receiptNumerator: queue.receiptNumerator,
  }
  return austria.queue.stateAt?.(view, queue.state, { now: Date.parse(iso), answersV2 })
}

async function nextAt(queue: TestQueue, iso: string): Promise<bigint> {
  queue.setTime(iso)
  return (await queue.accept(sale('1.00'))).stateWord
}

describe('a signing device that fails on 5 January at 08:00', () => {
  const failing = async () => {
    const queue = await TestQueue.started()
    queue.device.broken = 'off'
    queue.setTime('2025-01-05T08:00:00Z')
    await queue.accept(sale('1.00'))
    return queue
  }

  it('is out for more than 48 hours when they are over, without a receipt', async () => {
    const queue = await failing()
    expect(statusAt(queue, '2025-01-07T08:00:00.000Z')).toBe(at(0x02))
    expect(statusAt(queue, '2025-01-07T08:00:00.001Z')).toBe(at(0x02 | 0x04 | 0x40))
    expect(statusAt(queue, '2025-01-07T08:00:00.001Z', true)).toBe(at2(0x0001_0000_0042n))
    expect(queue.actions.filter(({ priority }) => priority < 0)).toHaveLength(2)
  })

  it('and the very next answer tells it and writes the report', async () => {
    const queue = await failing()
    expect(await nextAt(queue, '2025-01-07T08:00:00.001Z')).toBe(at(0x02 | 0x04 | 0x40))
    expect(queue.actions.at(-1)?.type).toContain('FonDeactivateQueue')
    expect(statusAt(queue, '2025-01-09T08:00:00Z')).toBe(at(0x02 | 0x04 | 0x40))
  })
})

describe('the status at any moment', () => {
  it.each([
    ['2025-01-31T22:59:59Z', 0],
    ['2025-01-31T23:00:00Z', 0x10],
    ['2025-12-31T22:59:59Z', 0x10],
    ['2025-12-31T23:00:00Z', 0x20],
  ])('at %s is what a receipt shows then', async (iso, bits) => {
    const queue = await TestQueue.started()
    expect(statusAt(queue, iso)).toBe(at(bits))
    expect(await nextAt(queue, iso)).toBe(at(bits))
  })

  it('loses what a closing has settled', async () => {
    const queue = await TestQueue.started()
    queue.setTime('2026-01-01T12:00:00Z')
    expect(statusAt(queue, '2026-01-01T12:00:00Z', true)).toBe(at2(0x400))
    await queue.accept(yearlyReceipt)
    expect(statusAt(queue, '2026-01-01T12:00:00Z')).toBe(at(0))
    expect(statusAt(queue, '2026-02-01T12:00:00Z')).toBe(at(0x10))
    queue.setTime('2026-02-01T12:00:00Z')
    await queue.accept(monthlyReceipt)
    expect(statusAt(queue, '2026-02-01T12:00:00Z')).toBe(at(0))
  })

  it('shows the mode of late receipts until its zero receipt', async () => {
    const queue = await TestQueue.started()
    await queue.accept(sale('1.00', LATE))
    expect(statusAt(queue, '2025-01-05T12:00:00Z')).toBe(at(0x08))
  })

  it('of a new queue is out of service, and nothing is due', () => {
    expect(statusAt(new TestQueue(), '2030-01-01T00:00:00Z')).toBe(at(0x01))
  })

  it('of a stopped queue is out of service: nothing is due, in answers as well', async () => {
    const queue = await TestQueue.started()
    expect(captionsOf(await queue.accept(stopReceipt))).toContain('Stopbeleg')
    expect(statusAt(queue, '2030-01-01T00:00:00Z')).toBe(at(0x01))
    expect(await nextAt(queue, '2030-01-01T00:00:00Z')).toBe(at(0x01))
  })
})
