import { expect, it } from 'vitest'
import { DeviceError } from '../../src/device/device.js'
import { TimeBudget } from '../../src/device/time-budget.js'

/** A steady clock that is moved by hand, and a sleep that takes no time. */
function budgetOf(timeoutMs: number) {
  let time = 0
  const budget = new TimeBudget(
    { steady: () => time, sleep: () => Promise.resolve() },
    { timeoutMs },
  )
  const pass = (ms: number) => {
    time += ms
  }
  return { budget, pass }
}

it('gives each call what is left, and none when nothing is', () => {
  const { budget, pass } = budgetOf(1_000)
  expect(budget.limit()).toEqual({ timeoutMs: 1_000 })
  pass(400)
  expect(budget.limit()).toEqual({ timeoutMs: 600 })
  pass(600)
  expect(budget.left()).toBe(0)
  expect(() => budget.limit()).toThrow(DeviceError)
})

it('counts what was slept, also where sleeping takes no time', async () => {
  const { budget } = budgetOf(1_000)
  await budget.sleep(300)
  expect(budget.left()).toBe(700)
  await budget.sleep(10_000)
  expect(budget.left()).toBe(0)
  await expect(budget.sleep(1)).rejects.toThrow('no answer within 1000 ms')
})

it('knows nothing of the time of day', async () => {
  const tools = { sleep: () => Promise.resolve() }
  const budget = new TimeBudget(tools, { timeoutMs: 60_000 })
  const now = Date.now
  Date.now = () => now() + 3_600_000
  try {
    expect(budget.left()).toBeGreaterThan(50_000)
  } finally {
    Date.now = now
  }
})
