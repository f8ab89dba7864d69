import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createTurns } from '../../src/lib/turns.js'

const LIMITS = { places: 3, each: 2, waiting: 5, waitingEach: 3 }
const busy = () => new Error('busy')

type Step = { do: 'take'; line: string } | { do: 'end' | 'leave'; which: number }
const line = fc.constantFrom('a', 'b', 'c', 'd')
const which = fc.nat({ max: 20 })
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: fc.constant('take' as const), line }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('end' as const), which }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('leave' as const), which }) },
)

interface Caller {
  line: string
  state: 'waits' | 'works' | 'gone'
  leave: AbortController
  end(): void
}

/** Until everything that was decided is known to those who wait for it. */
const settled = () => new Promise((resolve) => setImmediate(resolve))

it('are never lost, never too many, and never those of one line alone', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
      const turns = createTurns({ ...LIMITS, busy })
      const callers: Caller[] = []
      const those = (state: Caller['state']) => callers.filter((one) => one.state === state)
      const take = (name: string) => {
        const leave = new AbortController()
        const caller: Caller = { line: name, state: 'waits', leave, end: () => undefined }
        callers.push(caller)
        turns.take(name, leave.signal).then(
          (end) => Object.assign(caller, { state: 'works', end }),
          () => Object.assign(caller, { state: 'gone' }),
        )
      }
      const check = () => {
        const working = those('works')
        expect(turns.taken).toBe(working.length)
        expect(turns.waiting).toBe(those('waits').length)
        expect(working.length).toBeLessThanOrEqual(LIMITS.places)
        for (const name of ['a', 'b', 'c', 'd']) {
          const own = working.filter((one) => one.line === name).length
          expect(own).toBeLessThanOrEqual(LIMITS.each)
          // nobody waits for a place that is free
          const waits = those('waits').some((one) => one.line === name)
          const couldGo = own < LIMITS.each && working.length < LIMITS.places
          expect(waits && couldGo).toBe(false)
        }
      }
      for (const one of steps) {
        if (one.do === 'take') take(one.line)
        else if (one.do === 'leave') {
          const waiting = those('waits')
          waiting[one.which % waiting.length]?.leave.abort()
        } else {
          const working = those('works')
          const caller = working[one.which % working.length]
          if (caller !== undefined) {
            caller.state = 'gone'
            caller.end()
            // ended twice is ended once
            caller.end()
          }
        }
        await settled()
        check()
      }
      while (those('works').length > 0) {
        for (const caller of those('works')) {
          caller.state = 'gone'
          caller.end()
        }
        await settled()
      }
      expect([turns.taken, turns.waiting, those('waits').length]).toEqual([0, 0, 0])
    }),
    { numRuns: 150 },
  )
})

it('go around the lines, whoever came first', async () => {
  const turns = createTurns({ places: 1, each: 1, waiting: 100, busy })
  const order: string[] = []
  let end = await turns.take('flood')
  const take = async (name: string) => {
    const over = await turns.take(name)
    order.push(name)
    end = over
  }
  const all = ['flood', 'flood', 'flood', 'flood', 'one', 'two', 'one'].map(take)
  for (let left = all.length; left > 0; left -= 1) {
    end()
    await settled()
  }
  await Promise.all(all)
  expect(order).toEqual(['one', 'two', 'flood', 'one', 'flood', 'flood', 'flood'])
})

it('are refused to who waits for too long, and to the last of the longest line', async () => {
  const turns = createTurns({ places: 1, each: 1, waiting: 2, waitMs: 20, busy })
  const end = await turns.take('a')
  const told: string[] = []
  const tell = (name: string) => async () => void told.push(name)
  const waiting = [
    turns.take('a').catch(tell('first')),
    turns.take('a').catch(tell('second')),
    turns.take('b').catch(tell('third')),
  ]
  await settled()
  expect(told).toEqual(['second'])
  await Promise.all(waiting)
  expect([told.sort(), turns.waiting]).toEqual([['first', 'second', 'third'], 0])
  end()
  expect(turns.taken).toBe(0)
})
