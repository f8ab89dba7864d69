// Random histories of imports by pairs of dealers at two servers: good ones, ones whose connection
// ends at any byte, ones that nobody waits for, looks at their progress, stops and kills of the
// servers. No place is lost, nothing hangs, nothing ends a process, both servers tell the same and
// the truth, and what is stored is what was answered.
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { expectLong } from '../support/model/long-histories.js'
import { UploadPair } from '../support/model/upload-pair.js'
import { UploadShop } from '../support/model/upload-shop.js'
import { histories } from '../support/model/upload-steps.js'

const HISTORIES = Number(process.env.MODEL_RUNS ?? 10)
/** So many rows of histories run at the same time, each with dealers of its own. */
const LANES = Number(process.env.MODEL_LANES ?? 5)
/** `MODEL_SEED=<seed of a lane> MODEL_LANES=1 MODEL_RUNS=50` repeats one lane. */
const seed = Number(process.env.MODEL_SEED ?? Date.now() % 2 ** 31)

let pair: UploadPair
const done = { histories: 0, steps: 0 }
const counts = { imports: 0, refused: 0, broken: 0, cutOff: 0 }

beforeAll(async () => {
  console.log(`model of uploads: MODEL_SEED=${seed}`)
  pair = await UploadPair.open()
}, 180_000)
afterAll(() => pair.remove(), 60_000)

/** Histories of one lane, one after the other, each with two dealers. */
async function lane(laneSeed: number, numRuns: number): Promise<number> {
  let count = 0
  const property = fc.asyncProperty(histories, async (commands) => {
    const [shop, model] = [await UploadShop.open(pair, counts), { steps: 0 }]
    try {
      await fc.asyncModelRun(() => ({ model, real: shop }), commands)
      await shop.judge()
    } catch (error) {
      const begin = commands.slice(0, model.steps)
      console.log(`MODEL_SEED=${laneSeed}\n${begin.join('\n')}\n${String(error)}`)
      throw error
    }
    count += 1
    done.steps += model.steps
  })
  await fc.assert(property, { numRuns, seed: laneSeed, endOnFailure: true })
  done.histories += count
  return count
}

it(`${HISTORIES} histories of good and broken imports leave every place free`, async () => {
  const perLane = Math.ceil(HISTORIES / LANES)
  const lanes = Array.from({ length: LANES }, (_, number) => lane(seed + number, perLane))
  const ended = await Promise.allSettled(lanes)
  console.log(`model of uploads: ${JSON.stringify({ ...done, ...counts, ...pair.ends })}`)
  expect(ended).toEqual(lanes.map(() => ({ status: 'fulfilled', value: perLane })))
  expectLong(done)
  await pair.stop()
  expect(pair.faults).toEqual([])
}, 900_000)
