// The states of a signing unit that failed, under any history of answers and silence.
import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  ANSWER_MS,
  ANSWERS,
  closingWaitMs,
  PROBE_TIMES,
  probed,
  SUSPECT,
  type UnitWatch,
} from '../../../src/core/event/autopilot/machine.js'
import { NEXT_STEPS } from '../../../src/core/event/autopilot/words.js'
import {
  AUTOPILOT_POLICIES,
  CLOSERS,
  OUTAGE_CAUSES,
  OUTAGE_STATES,
} from '../../../src/model/outage.js'

interface Asked {
  ok: boolean
  gapMs: number
  random: number
}

const histories = fc.array(
  fc.record({
    ok: fc.boolean(),
    // clocks of databases are set back as well
    gapMs: fc.oneof(
      { weight: 6, arbitrary: fc.integer({ min: 1, max: 6_000 }) },
      { weight: 1, arbitrary: fc.integer({ min: -60_000, max: 120_000 }) },
    ),
    random: fc.double({ min: 0, max: 1, noNaN: true }),
  }),
  { maxLength: 60 },
)

interface Seen extends Asked {
  at: number
  before: UnitWatch
  after: UnitWatch
  waitMs: number
  event: string | undefined
}

function told(history: readonly Asked[]): Seen[] {
  let watch = SUSPECT
  let at = 1_000_000
  return history.map((asked) => {
    at += asked.gapMs
    const before = watch
    const { after, waitMs, event } = probed(before, { ...asked, at })
    watch = after
    return { ...asked, at, before, after, waitMs, event }
  })
}

const always = (holds: (seen: Seen[]) => void) =>
  fc.assert(
    fc.property(histories, (history) => holds(told(history))),
    { numRuns: 2000 },
  )

describe('a signing unit that failed', () => {
  it('answers only behind three answers in ten seconds, and no failure in between', () => {
    always((seen) => {
      seen.forEach(({ before, after }, index) => {
        if (after.state !== 'answering' || before.state === 'answering') return
        const last = seen.slice(index - ANSWERS + 1, index + 1)
        expect(last).toHaveLength(ANSWERS)
        expect(last.every(({ ok }) => ok)).toBe(true)
        const times = last.map(({ at }) => at)
        expect(Math.max(...times) - Math.min(...times)).toBeLessThanOrEqual(ANSWER_MS)
      })
    })
  })

  it('answers behind three quick answers, whatever was before', () => {
    always((seen) => {
      const { after = SUSPECT, at = 0 } = seen.at(-1) ?? {}
      // what was before may have begun a row of its own, ten seconds old by now
      let watch = after
      for (let round = 1; round <= 2 * ANSWERS; round += 1) {
        watch = probed(watch, { ok: true, at: at + round, random: 0 }).after
      }
      expect(watch.state).toBe('answering')
    })
  })

  it('is out with each failure, and never out with an answer', () => {
    always((seen) => {
      for (const { ok, after } of seen) expect(after.state === 'out').toBe(!ok)
    })
  })

  it('is told to be out and to be back in turns, first out, and back only when it answers', () => {
    always((seen) => {
      const events = seen.flatMap(({ event }) => event ?? [])
      expect(events).toEqual(events.map((_, at) => (at % 2 === 0 ? 'scu.failed' : 'scu.recovered')))
      for (const { event, after } of seen) {
        if (event === 'scu.recovered') expect(after.state).toBe('answering')
        if (after.state === 'out') expect(after.told).toBe(true)
      }
    })
  })

  it('is asked after 5 to 60 seconds, a fifth more or less, longer with each failure', () => {
    always((seen) => {
      for (const { ok, after, waitMs } of seen) {
        if (ok) continue
        const middle = Math.min(60_000, 5_000 * 2 ** (after.bad - 1))
        expect(waitMs).toBeGreaterThanOrEqual(Math.floor(middle * 0.8))
        expect(waitMs).toBeLessThanOrEqual(Math.ceil(middle * 1.2))
      }
    })
  })

  it('that has just answered is asked so soon that three answers fit into ten seconds', () => {
    expect((ANSWERS - 1) * PROBE_TIMES.soonMs).toBeLessThan(ANSWER_MS)
    always((seen) => {
      for (const { after, waitMs } of seen) {
        if (after.state === 'probing') expect(waitMs).toBe(PROBE_TIMES.soonMs)
      }
    })
  })
})

it('closings that did not end an outage are tried after 1, 4, 16 and then every 60 minutes', () => {
  const minutes = [1, 2, 3, 4, 5, 1000].map((attempts) => closingWaitMs(attempts) / 60_000)
  expect(minutes).toEqual([1, 4, 16, 60, 60, 60])
})

it('the page on outages has every state, policy and next step', () => {
  const page = readFileSync(new URL('../../../docs/outages.md', import.meta.url), 'utf8')
  const picture = page.split('```').find((block) => block.includes('three answers')) ?? ''
  expect(OUTAGE_STATES.filter((state) => !picture.includes(`${state} `))).toEqual([])
  const words = [...AUTOPILOT_POLICIES, ...NEXT_STEPS, ...OUTAGE_CAUSES, ...CLOSERS]
  expect(words.filter((word) => !page.includes(`\`${word}\``))).toEqual([])
})
