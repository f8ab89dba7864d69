// What devices want from time to time (self test, time, a fresh login), while no receipt waits. In
// every process: sessions belong to one. A device that is slow keeps none of the others waiting.
import type { DriverTools, ScuHead } from '../device/device.js'
import type { Driver } from '../device/driver.js'
import { pause } from '../lib/pause.js'
import type { Market } from '../market/contract.js'
import { caredPackages } from '../market/index.js'
import { isAway, type Store } from '../store/client.js'
import { moveUnit, type UnitKey, unitsInUse } from '../store/rollout/scus.js'
import { unitsWithTars } from '../store/rollout/unit-tars.js'
import { openQueueTurns } from '../store/sign/queue-turns.js'
import { closeDevice, driverOf, openDevice } from './drivers.js'

export interface UnitCare {
  start(): void
  stop(): Promise<void>
  /** Looks at once, and resolves when all that was due is done. */
  look(): Promise<void>
}

export interface UnitCareDeps {
  store: Store
  marketOf(code: string): Market
  tools: DriverTools
  now(): Date
  log: { warn(details: object, message: string): void }
}

const LOOK_MS = 30_000
const PAGE = 200
const AT_A_TIME = 8
/** A self test takes a minute. */
const CARE_MS = 120_000
/** One that failed is asked again after this time. */
const AGAIN_MS = 300_000

const asked = (after: UnitKey | undefined) => ({ after, limit: PAGE, packages: caredPackages })

export function createUnitCare(deps: UnitCareDeps): UnitCare {
  return new Caring(deps)
}

class Caring implements UnitCare {
  private readonly deps: UnitCareDeps
  private readonly stopping = new AbortController()
  private readonly due = new Map<string, number>()
  private readonly running = new Map<string, Promise<void>>()
  private loop: Promise<void> | undefined

  constructor(deps: UnitCareDeps) {
    this.deps = deps
  }

  start(): void {
    this.loop ??= this.run()
  }

  /** A self test that runs is not waited for: its device ends it by itself. */
  async stop(): Promise<void> {
    this.stopping.abort()
    await this.loop
  }

  async look(): Promise<void> {
    await this.begin()
    await Promise.all(this.running.values())
  }

  private async run(): Promise<void> {
    const { signal } = this.stopping
    while (!signal.aborted) {
      const [begun] = await Promise.allSettled([this.begin()])
      if (begun.status === 'rejected' && !isAway(begun.reason)) {
        this.deps.log.warn({ err: begun.reason }, 'signing units were not looked after')
      }
      await pause(LOOK_MS, signal)
    }
  }

  private async begin(): Promise<void> {
    const seen = new Set<string>()
    // an export that no closing waits for any more: devices give them up when nobody asks
    const growing = new Set(await unitsWithTars(this.deps.store))
    let after: UnitKey | undefined
    for (;;) {
      const units = await unitsInUse(this.deps.store, asked(after))
      for (const unit of units) {
        seen.add(unit.id)
        await this.turn(unit, growing.has(unit.id))
      }
      if (units.length < PAGE || this.stopping.signal.aborted) break
      after = units.at(-1)
    }
    for (const id of this.due.keys()) if (!seen.has(id)) this.due.delete(id)
  }

  private async turn(unit: ScuHead, isGrowing: boolean): Promise<void> {
    const driver = this.deps.marketOf(unit.market).drivers[unit.package]
    const isDue = isGrowing || (this.due.get(unit.id) ?? 0) <= this.deps.now().getTime()
    if (driver?.maintain === undefined || !isDue || this.running.has(unit.id)) return
    while (this.running.size >= AT_A_TIME) await Promise.race(this.running.values())
    const care = this.care(driver, unit).finally(() => this.running.delete(unit.id))
    this.running.set(unit.id, care)
  }

  private async care(driver: Driver<unknown>, unit: ScuHead): Promise<void> {
    const { marketOf, now, tools } = this.deps
    const device = openDevice(driverOf(marketOf(unit.market), unit), unit, tools)
    const [next] = await Promise.allSettled([driver.maintain?.(device, { timeoutMs: CARE_MS })])
    const again = now().getTime() + AGAIN_MS
    const at = next.status === 'fulfilled' ? (next.value?.getTime() ?? again) : again
    this.due.set(unit.id, at)
    await closeDevice(driver, device)
    if (unit.changed) await Promise.allSettled([this.keep(unit)])
  }

  /**
   * Not while a receipt is with the device: that would be signed once more. Where one has moved the
   * unit meanwhile, what it wrote is newer.
   */
  private async keep(unit: ScuHead): Promise<void> {
    const { now, store } = this.deps
    const turns = openQueueTurns(store)
    try {
      if (await turns.take(unit.id)) await moveUnit(store, unit, now())
    } finally {
      await turns.close()
    }
  }
}
