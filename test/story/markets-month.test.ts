// A random month of each country on two real servers with one PostgreSQL: registers send to both,
// servers are killed, devices and authorities are away, answer nothing or lose what they said. Then
// the independent verifiers judge the exports, and the books outside are compared. The soak makes
// it long; CRASH_SEED repeats a run.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { RECEIPTS } from '../market/month.js'
import { Chance } from '../support/load.js'
import { ROWS } from '../support/months/rows.js'
import { type Month, Stage } from '../support/months/stage.js'

const WHOLE = 2200
const SMALL = 32
const isWhole = RECEIPTS === WHOLE
const MS = isWhole ? 3_600_000 : 240_000

/** Of a device or an authority that is away, of what waits for it, and of processes that died. */
const OUTAGES =
  /^Validation error \[EEEE_SigningUnit\]|^The referenced receipt has no MARK|"AADEError"/

let stage: Stage
let months: Month[]

beforeAll(async () => {
  const chance = new Chance()
  months = []
  for (const row of ROWS) {
    const counted = { refused: 0, broken: 0, outages: 0, begun: 0, atOnce: 0 }
    const plain = { ...counted, given: new Map(), refusals: new Map(), faults: [] }
    months.push({ row, outside: await row.open(), tills: [], ...plain })
  }
  stage = await Stage.open(months, chance)
}, MS)
afterAll(async () => {
  await stage.close()
  for (const { outside } of months) await outside.close()
})

async function live(of: readonly Month[]): Promise<void> {
  const before = stage.kills
  const from = performance.now()
  await stage.run(of, isWhole ? WHOLE : SMALL)
  const found: Record<string, string[]> = {}
  for (const month of of) {
    const faults = await stage.faults(month)
    if (faults.length > 0) found[month.row.name] = faults.slice(0, 12)
    const { given, atOnce, refused, broken, outages } = month
    const figures = {
      given: given.size,
      atOnce,
      refused,
      broken,
      outages,
      kills: stage.kills - before,
    }
    const seconds = Math.round((performance.now() - from) / 1000)
    const refusals = Object.fromEntries(month.refusals)
    if (isWhole) console.info(month.row.name, JSON.stringify({ ...figures, seconds, refusals }))
    expect(outages).toBeGreaterThan(1)
    // registers send what a country takes: most of it at once, and the rest when the outage is over
    expect(Object.keys(refusals).filter((why) => !OUTAGES.test(why))).toEqual([])
    expect(atOnce).toBeGreaterThan(given.size / 2)
  }
  expect(found, `seed ${stage.chance.seed}`).toEqual({})
  // the small one may be over before the second
  expect(stage.kills - before).toBeGreaterThan(isWhole ? 1 : 0)
}

if (isWhole) {
  it.each(ROWS.map(({ name }, at) => [name, at] as const))(
    'everything is there once and in order: %s',
    (_name, at) => live(months.slice(at, at + 1)),
    MS,
  )
} else {
  it('everything is there once and in order, in every country', () => live(months), MS)
}
