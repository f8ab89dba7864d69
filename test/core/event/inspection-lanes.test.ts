// Two threads at one bundle: the second one lets the first go ahead while the process is busy.
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { Lanes } from '../../../src/core/event/inspection/lanes.js'
import { Gauge } from '../../../src/core/event/inspection/part-file.js'

/** As a process that signs. */
function work(milliseconds: number): void {
  const end = performance.now() + milliseconds
  while (performance.now() < end);
}

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

async function lookBusy(lanes: Lanes): Promise<void> {
  lanes.look()
  await sleep(1)
  work(30)
  await sleep(1)
  lanes.look()
}

async function lookIdle(lanes: Lanes): Promise<void> {
  lanes.look()
  await sleep(60)
  lanes.look()
}

it('the second lane waits while the process is busy, and goes on when it is not', async () => {
  const gauge = new Gauge()
  const lanes = new Lanes(gauge, () => false)
  const endFirst = both(lanes)
  await lookBusy(lanes)
  expect([await isHeld(gauge, 0), await isHeld(gauge, 1)]).toEqual([false, true])
  await lookIdle(lanes)
  expect(await isHeld(gauge, 1)).toBe(false)
  await lookBusy(lanes)
  expect(await isHeld(gauge, 1)).toBe(true)
  // a lane that is alone never waits: the work would not end
  endFirst()
  await sleep(1)
  await lookBusy(lanes)
  expect(await isHeld(gauge, 1)).toBe(false)
})

it('nobody waits where the work of others waits for its thread', async () => {
  const gauge = new Gauge()
  let waiting = 0
  const lanes = new Lanes(gauge, () => waiting > 0)
  both(lanes)
  await lookBusy(lanes)
  expect(await isHeld(gauge, 1)).toBe(true)
  waiting = 1
  await lookBusy(lanes)
  expect(await isHeld(gauge, 1)).toBe(false)
})

it('one that waits ends with the work', async () => {
  const gauge = new Gauge()
  gauge.hold(1)
  const waiting = new Gauge(gauge.shared, 1).goOn()
  gauge.stop()
  await expect(waiting).rejects.toThrow('left off')
})
