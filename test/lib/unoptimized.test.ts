// Work that V8 shall not compile anew: it does so again behind it, however the work ends.
import { setFlagsFromString } from 'node:v8'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isWithheld, unoptimized } from '../../src/lib/unoptimized.js'

/** Of V8's status of a function: it runs as code of the optimizing compiler. */
const TURBOFANNED = 1 << 6

let statusOf: (one: unknown) => number

beforeAll(() => {
  setFlagsFromString('--allow-natives-syntax')
  statusOf = new Function('one', 'return %GetOptimizationStatus(one)') as typeof statusOf
})
afterAll(() => setFlagsFromString('--no-allow-natives-syntax'))

const isFast = (one: unknown): boolean => (statusOf(one) & TURBOFANNED) !== 0

/** A function that nobody has called yet. */
const fresh = (): ((count: number) => number) =>
  new Function(
    'count',
    'let s = 1; for (let i = 0; i < count; i += 1) s = (s * 31 + i) % 1009; return s',
  ) as never

const CALLS = 3000
function heat(one: (count: number) => number): void {
  for (let call = 0; call < CALLS; call += 1) one(500)
}

const getsFast = (one: (count: number) => number) =>
  expect
    .poll(() => {
      heat(one)
      return isFast(one)
    })
    .toBe(true)

describe('work that is done once', () => {
  it('runs without fast code, which what is called behind it gets', async () => {
    const one = fresh()
    const answer = await unoptimized(async () => {
      heat(one)
      // the compiler has its own thread
      await new Promise((resolve) => setTimeout(resolve, 50))
      heat(one)
      return isFast(one)
    })
    // a version that would not make it fast afterwards is left alone
    if (isWithheld) expect(answer).toBe(false)
    await getsFast(one)
  })

  it('may fail', async () => {
    await expect(unoptimized(() => Promise.reject(new Error('no')))).rejects.toThrow('no')
    await getsFast(fresh())
  })
})
