// When a monthly or yearly receipt is due, and that being due blocks nothing.
import { describe, expect, it } from 'vitest'
import { dueBit } from '../../../src/market/at/modes.js'
import { at, charge, monthlyReceipt, pay, receipt, yearlyReceipt } from './support/make.js'
import { qrOf, TestQueue } from './support/test-queue.js'

/** Midnight in Vienna at the start of a day in winter. */
const midnight = (day: string) => Date.parse(`${day}T00:00:00+01:00`)
const bit = (last: string, now: number) => dueBit(midnight(last), now)

describe('due bits', () => {
  it.each([
    ['2025-01-01', '2025-02-01', 0x10],
    ['2025-01-31', '2025-03-01', 0x10],
    ['2025-02-02', '2025-03-01', 0x10],
    ['2025-11-30', '2026-01-01', 0x20],
    ['2025-12-31', '2026-02-01', 0x10],
  ])('settled on %s, due from %s with bit %i', (last, due, expected) => {
    expect(bit(last, midnight(due) - 1)).toBe(0)
    expect(bit(last, midnight(due))).toBe(expected)
  })

  it('a settlement on the 15th is of its own month, on the 14th of the month before', () => {
    expect(bit('2025-02-14', midnight('2025-03-01'))).toBe(0x10)
    expect(bit('2025-02-15', midnight('2025-03-01'))).toBe(0)
    expect(bit('2025-02-15', Date.parse('2025-04-01T00:00:00+02:00'))).toBe(0x10)
  })

  it('what was due in an earlier year has become the yearly receipt', () => {
    expect(bit('2025-03-31', midnight('2025-12-31'))).toBe(0x10)
    expect(bit('2025-03-31', midnight('2026-01-01'))).toBe(0x20)
    expect(bit('2025-01-01', midnight('2027-06-01'))).toBe(0x20)
  })

  it('nothing is due before the start receipt', () => {
    expect(dueBit(null, midnight('2030-01-01'))).toBe(0)
  })
})

describe('a queue with a due receipt', () => {
  /** The register dates its receipts as it likes. */
  const sold = (made: string) =>
    receipt(at(0x1), {
      made,
      charges: [charge(at(0x3), '1.00')],
      pays: [pay(at(0x1), '1.00')],
    })
  const stateAt = async (queue: TestQueue, iso: string, made = iso) => {
    queue.setTime(iso)
    const answer = await queue.accept(sold(made))
    expect(qrOf(answer)).toBeDefined()
    return answer.stateWord
  }

  it('shows the bit by the time of the queue, and loses it by the receipt', async () => {
    const queue = await TestQueue.started()
    expect(await stateAt(queue, '2025-01-31T22:59:59Z', '2025-03-31T00:00:00Z')).toBe(at(0))
    expect(await stateAt(queue, '2025-01-31T23:00:00Z', '2024-01-01T00:00:00Z')).toBe(at(0x10))
    queue.setTime('2025-02-01T06:00:00Z')
    expect((await queue.accept(monthlyReceipt)).stateWord).toBe(at(0))
    expect(await stateAt(queue, '2025-02-28T22:59:59Z')).toBe(at(0))
  })

  it.each([
    ['monthly', monthlyReceipt],
    ['yearly', yearlyReceipt],
  ])('a %s receipt that is dated in the year 9999 silences nothing', async (_, closing) => {
    const queue = await TestQueue.started()
    await queue.accept({ ...closing, receiptMoment: new Date('9999-12-31T23:59:59Z') })
    expect(await stateAt(queue, '2025-01-31T22:59:59Z')).toBe(at(0))
    expect(await stateAt(queue, '2025-01-31T23:00:00Z')).toBe(at(0x10))
  })

  it('a queue that an older server silenced so is reminded until its next closing', async () => {
    const queue = await TestQueue.started()
    queue.state.lastSettlementMoment = Date.parse('9999-12-31T23:59:59Z')
    expect(await stateAt(queue, '2025-01-10T10:00:00Z')).toBe(at(0x10))
    queue.setTime('2025-01-15T10:00:00Z')
    expect((await queue.accept(monthlyReceipt)).stateWord).toBe(at(0))
    expect(await stateAt(queue, '2025-01-31T10:00:00Z')).toBe(at(0))
  })

  it('keeps the yearly bit through a monthly receipt, and loses it by the yearly one', async () => {
    const queue = await TestQueue.started()
    queue.state.lastSettlementMoment = midnight('2025-11-30')
    queue.setTime('2026-01-02T06:00:00Z')
    const month = await queue.accept(monthlyReceipt)
    expect(month.stateWord).toBe(at(0x20))
    queue.state.lastSettlementMoment = midnight('2025-11-30')
    const year = await queue.accept(yearlyReceipt)
    expect(year.stateWord).toBe(at(0))
  })
})
