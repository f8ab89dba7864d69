// The time in the code of a receipt: it never goes back, whatever the clock or the calendar does.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { austria } from '../../../src/market/at/index.js'
import type { ReceiptRequest } from '../../../src/model/receipt.js'
import { sale, startReceipt, zeroReceipt } from './support/make.js'
import { fieldOf, TestQueue } from './support/test-queue.js'

const LOCAL_TIME = 4

async function printedAt(queue: TestQueue, iso: string, request: ReceiptRequest = sale('1.20')) {
  queue.setTime(iso)
  return fieldOf(await queue.accept(request), LOCAL_TIME)
}

async function openSince(iso: string): Promise<TestQueue> {
  const queue = new TestQueue()
  queue.setTime(iso)
  await queue.accept(startReceipt)
  return queue
}

describe('the printed time of a queue', () => {
  it('stays at its last in the hour that October repeats, and goes on afterwards', async () => {
    const queue = await openSince('2026-10-24T20:00:00Z')
    // 25 October 2026, 01:00 UTC: 3:00 becomes 2:00
    expect(await printedAt(queue, '2026-10-25T00:20:00Z')).toBe('2026-10-25T02:20:00')
    expect(await printedAt(queue, '2026-10-25T00:55:30Z')).toBe('2026-10-25T02:55:30')
    expect(await printedAt(queue, '2026-10-25T01:05:00Z')).toBe('2026-10-25T02:55:30')
    expect(await printedAt(queue, '2026-10-25T01:40:00Z', zeroReceipt)).toBe('2026-10-25T02:55:30')
    expect(await printedAt(queue, '2026-10-25T01:55:31Z')).toBe('2026-10-25T02:55:31')
    expect(await printedAt(queue, '2026-10-25T02:00:00Z')).toBe('2026-10-25T03:00:00')
  })

  it('stays through receipts that are made without signing device', async () => {
    const queue = await openSince('2026-10-24T20:00:00Z')
    expect(await printedAt(queue, '2026-10-25T00:50:00Z')).toBe('2026-10-25T02:50:00')
    queue.device.broken = 'off'
    expect(await printedAt(queue, '2026-10-25T01:10:00Z')).toBe('2026-10-25T02:50:00')
    queue.device.broken = undefined
    expect(await printedAt(queue, '2026-10-25T01:20:00Z', zeroReceipt)).toBe('2026-10-25T02:50:00')
  })

  it('of a queue that was stored without it goes by the receipt before', async () => {
    const queue = await openSince('2026-10-24T20:00:00Z')
    expect(await printedAt(queue, '2026-10-25T00:55:00Z')).toBe('2026-10-25T02:55:00')
    const { lastLocalTime: _, ...older } = queue.state
    queue.state = austria.queue.state.parse(JSON.parse(JSON.stringify(older)))
    queue.lastMoment = new Date('2026-10-25T00:55:00Z')
    expect(await printedAt(queue, '2026-10-25T01:05:00Z')).toBe('2026-10-25T02:55:00')
    // what was printed counts, and not the moment of that receipt
    queue.lastMoment = new Date('2026-10-25T01:05:00Z')
    expect(await printedAt(queue, '2026-10-25T01:06:00Z')).toBe('2026-10-25T02:55:00')
  })

  it('never falls, whatever the times of receipts, and is the real one if it can', async () => {
    const summer = Date.parse('2026-10-25T00:00:00Z')
    const steps = fc.array(fc.integer({ min: -1800, max: 2400 }), { minLength: 2, maxLength: 20 })
    await fc.assert(
      fc.asyncProperty(steps, async (seconds) => {
        const queue = await openSince('2026-10-24T20:00:00Z')
        let time = summer
        let last = ''
        for (const step of seconds) {
          time += step * 1000
          const printed = (await printedAt(queue, new Date(time).toISOString())) ?? ''
          const local = new Date(time + (time < summer + 3_600_000 ? 2 : 1) * 3_600_000)
          const real = local.toISOString().slice(0, 19)
          expect(printed).toBe(real > last ? real : last)
          last = printed
        }
      }),
      { numRuns: 40 },
    )
  })
})
