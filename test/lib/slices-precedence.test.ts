import { setImmediate as turn } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Precedence } from '../../src/lib/slices.js'

const NOON = Date.UTC(2026, 10, 28, 12)

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: NOON })
})

afterEach(() => {
  vi.useRealTimers()
})

/** Whether it has ended before anything that takes time. */
async function isOver(work: Promise<void>): Promise<boolean> {
  let over = false
  void work.then(() => {
    over = true
  })
  await turn()
  return over
}

describe('work that gives way', () => {
  it('does not rest while nothing goes first', async () => {
    expect(await isOver(new Precedence().giveWay(1_000, 4))).toBe(true)
  })

  it('rests as many times as long as it took, after work that went first', async () => {
    const precedence = new Precedence()
    precedence.claim()
    const began = performance.now()
    const resting = precedence.giveWay(10, 4)
    expect(await isOver(resting)).toBe(false)
    await resting
    // timers count whole milliseconds
    expect(performance.now() - began).toBeGreaterThanOrEqual(39)
  })

  it('never rests longer than a fifth of a second', async () => {
    const precedence = new Precedence()
    precedence.claim()
    const hour = 3_600_000
    // the test would take that long
    await precedence.giveWay(hour, 4)
  })

  it('sees from another thread what went first', () => {
    const here = new Precedence()
    const there = new Precedence(here.shared)
    expect(there.isClaimed).toBe(false)
    here.claim()
    expect(there.isClaimed).toBe(true)
  })

  it.each([
    ['a moment later', 249, true],
    ['a quarter of a second later', 250, false],
    ['a year later', 365 * 86_400_000, false],
    ['when the clock was set back', -3_600_000, false],
  ])('%s it is claimed: %s ms, %s', (_, later, claimed) => {
    const precedence = new Precedence()
    precedence.claim()
    vi.setSystemTime(NOON + later)
    expect(precedence.isClaimed).toBe(claimed)
  })
})
