// Asks signing units that failed whether they answer again, and has outages closed when they do. In
// every process: leases in the database say who asks and who closes.
import type { DriverTools, ScuHead } from '../../../device/device.js'
import { randomId } from '../../../lib/id.js'
import { pause } from '../../../lib/pause.js'
import { isAway } from '../../../store/client.js'
import {
  type ClaimedUnit,
  claimUnits,
  closableOutages,
  forgetUnits,
  outagesToWatch,
  saveProbe,
  type WatchedOutage,
  watchUnits,
} from '../../../store/event/autopilot.js'
import { changeUnit, findUnit } from '../../../store/rollout/scus.js'
import { openQueueTurns } from '../../../store/sign/queue-turns.js'
import { loadHead } from '../../../store/sign/queues.js'
import { driverOf } from '../../drivers.js'
import { type ClosingDeps, closeOutage } from './closing.js'
import { PROBE_TIMES, type ProbeTimes, probed } from './machine.js'
import { unitsInUse } from './units.js'

export interface Autopilot {
  start(): void
  /** What runs is given up and done again by whoever comes next. */
  stop(): Promise<void>
  /** Looks at once, and resolves when all of it is done. */
  look(): Promise<void>
}

export interface AutopilotDeps extends ClosingDeps {
  tools: DriverTools
  now(): Date
  random(): number
  /** The codes of markets in which outages are acted upon by default. */
  acting: readonly string[]
  /** False: units whose keys lie in this server are not used. */
  software: boolean
  /** Shorter in tests. */
  times?: Partial<ProbeTimes>
}

const LOOK_MS = 500
/** There was more than could be begun. */
const BUSY_MS = 50
/** Of its time a process spends one part looking; with many outages a look takes longer. */
const REST = 5
const AWAY_MS = 2_000
/** Units that do not answer are waited for; closings are work of the database. */
const MOST_PROBES = 64
const MOST_CLOSINGS = 8
const FORGET_MS = 10_000
/** A question; a unit that takes longer lets registers wait too long as well. */
const PROBE_MS = 2_500
const LONGEST_ERROR = 300

export function createAutopilot(deps: AutopilotDeps): Autopilot {
  return new Piloting(deps)
}

class Piloting implements Autopilot {
  private readonly deps: AutopilotDeps
  private readonly times: ProbeTimes
  private readonly stopping = new AbortController()
  private readonly probes = new Set<Promise<void>>()
  private readonly closings = new Set<Promise<void>>()
  private looking: Promise<void> | undefined
  private forgotAt = Number.NEGATIVE_INFINITY

  constructor(deps: AutopilotDeps) {
    this.deps = deps
    this.times = { ...PROBE_TIMES, ...deps.times }
  }

  start(): void {
    this.looking ??= this.run()
  }

  async stop(): Promise<void> {
    this.stopping.abort()
    await this.looking
    await Promise.allSettled([...this.probes, ...this.closings])
  }

  async look(): Promise<void> {
    await this.turn()
    await Promise.allSettled([...this.probes, ...this.closings])
  }

  private async run(): Promise<void> {
    const { signal } = this.stopping
    while (!signal.aborted) {
      await pause(await this.tried(), signal)
    }
  }

  /** Returns how long to wait for the next one, in milliseconds. */
  private async tried(): Promise<number> {
    const began = performance.now()
    try {
      await this.turn()
      const isFull = this.probes.size >= MOST_PROBES || this.closings.size >= MOST_CLOSINGS
      return Math.max(isFull ? BUSY_MS : LOOK_MS, REST * (performance.now() - began))
    } catch (error) {
      const text = isAway(error) ? 'outages wait for the database' : 'outages were not looked at'
      this.deps.log.warn({ err: error }, text)
      return AWAY_MS
    }
  }

  private async turn(): Promise<void> {
    const { store, acting } = this.deps
    for (const outage of await outagesToWatch(store, { acting })) await this.watch(outage)
    const lease = randomId()
    const room = MOST_PROBES - this.probes.size
    for (const unit of room > 0 ? await claimUnits(store, { lease, most: room }) : []) {
      const { scuId } = unit
      this.begin(this.probes, this.probe(unit, lease), { scuId })
    }
    const most = MOST_CLOSINGS - this.closings.size
    for (const outage of most > 0 ? await closableOutages(store, { acting, most }) : []) {
      const { queueId } = outage
      this.begin(this.closings, closeOutage(this.deps, outage), { queueId })
    }
    await this.forget()
  }

  private begin(running: Set<Promise<void>>, work: Promise<void>, about: object): void {
    const { log } = this.deps
    const one = work
      .catch((error: unknown) => log.warn({ err: error, ...about }, 'an outage is looked at later'))
      .finally(() => running.delete(one))
    running.add(one)
  }

  private async forget(): Promise<void> {
    const now = performance.now()
    if (now - this.forgotAt < FORGET_MS) return
    this.forgotAt = now
    await forgetUnits(this.deps.store)
  }

  private async watch(outage: WatchedOutage): Promise<void> {
    const { store, marketOf, log } = this.deps
    try {
      const key = { accountId: outage.accountId, id: outage.queueId }
      const isLeft = outage.policy === 'off' && !outage.asked
      const head = isLeft ? undefined : await loadHead(store, key)
      const units = head === undefined ? [] : unitsInUse(marketOf(head.market), head)
      await watchUnits(store, outage, units)
    } catch (error) {
      if (isAway(error)) throw error
      // one queue that cannot be opened must not keep the others from their units
      log.warn({ err: error, queueId: outage.queueId }, 'the units of a queue cannot be read')
      await watchUnits(store, outage, [])
    }
  }

  private async probe(unit: ClaimedUnit, lease: string): Promise<void> {
    const { store, random } = this.deps
    const { accountId, scuId, at } = unit
    const error = await this.ask(scuId)
    const probe = { ok: error === null, at, random: random() }
    const { after, waitMs, event } = probed(unit, probe, this.times)
    await saveProbe(store, { accountId, scuId, lease, after, at, waitMs, error, event })
  }

  /** Why it does not answer; null: it does. */
  private async ask(scuId: string): Promise<string | null> {
    const { store, marketOf, tools, software } = this.deps
    const scu = await findUnit(store, scuId)
    if (scu === undefined) return 'there is no such unit any more'
    try {
      const driver = driverOf(marketOf(scu.market), scu)
      if (driver.software && !software) return 'software signing units are not used here'
      await driver.reach(scu, tools, { timeoutMs: PROBE_MS })
      return null
    } catch (error) {
      return (error instanceof Error ? error.message : String(error)).slice(0, LONGEST_ERROR)
    } finally {
      await this.keep(scu)
    }
  }

  /**
   * A script that has counted the question, or a device that has told who it is; not while a
   * receipt is with the device, which writes what it was told itself.
   */
  private async keep(scu: ScuHead): Promise<void> {
    const { store, now } = this.deps
    if (!scu.changed) return
    const { accountId, id, version, state, faultScript, actions } = scu
    const turns = openQueueTurns(store)
    try {
      if (!(await turns.take(id))) return
      await changeUnit(store, { accountId, id, now: now() }, (current) =>
        current.version === version ? { state, faultScript, actions } : undefined,
      )
    } finally {
      await turns.close()
    }
  }
}
