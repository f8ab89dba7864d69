// Two threads at one bundle: the second one lets the first go ahead while the process is busy.
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { Lanes, utilizationOfLoop } from '../../../src/core/event/inspection/lanes.js'
import { Gauge } from '../../../src/core/event/inspection/part-file.js'

/** Work on both lanes, and what ends that of the first. */
function both(lanes: Lanes): () => void {
  let end = () => {}
  void lanes.during(0, () => new Promise<void>((resolve) => (end = resolve)))
  void lanes.during(1, () => new Promise<void>(() => {}))
  return end
}

async function isHeld(gauge: Gauge, lane: number): Promise<boolean> {
  const seen = new Gauge(gauge.shared, lane)
  return Promise.race([seen.goOn().then(() => false), sleep(5).then(() => true)])
}

it('the second lane waits while the process is busy, and goes on when it is not', async () => {
  const gauge = new Gauge()
  let load = 1
  const lanes = new Lanes(gauge, { areOthersWaiting: () => false, utilization: () => load })
  const endFirst = both(lanes)
  lanes.look()
  expect([await isHeld(gauge, 0), await isHeld(gauge, 1)]).toEqual([false, true])
  load = 0.02
  lanes.look()
  expect(await isHeld(gauge, 1)).toBe(false)
  load = 0.5
  lanes.look()
  expect(await isHeld(gauge, 1)).toBe(true)
  // a lane that is alone never waits: the work would not end
  endFirst()
  await sleep(1)
  lanes.look()
  expect(await isHeld(gauge, 1)).toBe(false)
})

it('nobody waits where the work of others waits for its thread', async () => {
  const gauge = new Gauge()
  let waiting = 0
  const watch = { areOthersWaiting: () => waiting > 0, utilization: () => 1 }
  const lanes = new Lanes(gauge, watch)
  both(lanes)
  lanes.look()
  expect(await isHeld(gauge, 1)).toBe(true)
  waiting = 1
  lanes.look()
  expect(await isHeld(gauge, 1)).toBe(false)
})

it('work rests four times as long as it took while the process is busy', async () => {
  const gauge = new Gauge()
  let load = 1
  const lanes = new Lanes(gauge, { areOthersWaiting: () => true, utilization: () => load })
  const seen = new Gauge(gauge.shared, 0)
  const work = async () => {
    await seen.goOn()
    const end = performance.now() + 30
    while (performance.now() < end);
  }
  lanes.look()
  await work()
  const from = performance.now()
  await seen.goOn()
  // a timer may be a millisecond early
  expect(performance.now() - from).toBeGreaterThan(118)
  load = 0.02
  lanes.look()
  await work()
  // without a rest nothing comes between
  const turn = new Promise<boolean>((resolve) => setImmediate(resolve, true))
  expect(await Promise.race([seen.goOn().then(() => false), turn])).toBe(false)
})

it('a loop that works is told from one that waits', async () => {
  const utilization = utilizationOfLoop()
  await sleep(1)
  const end = performance.now() + 100
  while (performance.now() < end);
  await sleep(1)
  const busy = utilization()
  await sleep(300)
  expect(busy).toBeGreaterThan(0.5)
  expect(utilization()).toBeLessThan(busy)
})

it('one that waits ends with the work', async () => {
  const gauge = new Gauge()
  gauge.hold(1)
  const waiting = new Gauge(gauge.shared, 1).goOn()
  gauge.stop()
  await expect(waiting).rejects.toThrow('left off')
})
