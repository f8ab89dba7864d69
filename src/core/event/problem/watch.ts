// Looks for what is wrong, over all accounts, once a minute; whichever process is first does it.
import { pause } from '../../../lib/pause.js'
import { PROBLEM_KINDS, type ProblemKind } from '../../../model/problem.js'
import { isAway } from '../../../store/client.js'
import {
  type ActivityRow,
  activeHours,
  putActivities,
  type SilentQueue,
  silentQueues,
} from '../../../store/event/problem/activity.js'
import { checkClocks } from '../../../store/event/problem/clocks.js'
import { byOne, detect } from '../../../store/event/problem/detectors.js'
import { readRegisters } from '../../../store/event/problem/registers.js'
import { type PlannerDeps, planReports } from '../report/planner.js'
import { holidayHours } from './holidays.js'
import { cellsOf, expectedBy, MOST_WEEKS, usualOf, WEEK_HOURS, weeksBefore } from './silence.js'
import { registerPaths, watchedBy } from './watched.js'

export interface Watch {
  start(): void
  stop(): Promise<void>
  /** One look at everything, or at some kinds, now. */
  look(kinds?: readonly ProblemKind[]): Promise<void>
  /** Outages or units have changed: problems of them are looked for at once. */
  hurry(): void
}

export interface WatchDeps extends PlannerDeps {
  now(): Date
  log: { warn(details: object, message: string): void }
  /** Before detectors look: what they look at is brought up to date. */
  prepare(): Promise<void>
  /** Further work that nobody asks for falls due. */
  plan(): Promise<void>
}

const LOOK_MS = 60_000
/** Between two looks of all processes together. */
const REST_MS = 50_000
/** Silence is looked at from here on. */
const SILENT_HOURS = 16
/** Of silent queues that are looked at together, and how long one look may take. */
const PAGE = 1_000
const LONGEST_MS = 5_000
const CLOCKS = 'clocks'
const REGISTERS = 'registers'
const URGENT: readonly ProblemKind[] = ['outage', 'unit']
const HURRY_MS = 300
const HURRIES = 4
/** Habits change slowly. */
const HABIT_DAYS = 7
const DAY_MS = 24 * 60 * 60 * 1000
const WEEK_MS = WEEK_HOURS * 60 * 60 * 1000

export function createWatch(deps: WatchDeps): Watch {
  return new Watching(deps)
}

class Watching implements Watch {
  private readonly deps: WatchDeps
  private readonly stopping = new AbortController()
  private running: Promise<void> | undefined
  private hurrying: Promise<void> | undefined

  constructor(deps: WatchDeps) {
    this.deps = deps
  }

  start(): void {
    this.running ??= this.run()
  }

  async stop(): Promise<void> {
    this.stopping.abort()
    await Promise.all([this.running, this.hurrying])
  }

  look(kinds?: readonly ProblemKind[]): Promise<void> {
    return this.lookAt(0, kinds)
  }

  hurry(): void {
    this.hurrying ??= this.hurried().finally(() => {
      this.hurrying = undefined
    })
  }

  /** Whoever has looked just now may have been too early. */
  private async hurried(): Promise<void> {
    const { signal } = this.stopping
    const left = new Set(URGENT)
    for (let nth = 0; nth < HURRIES && left.size > 0 && !signal.aborted; nth += 1) {
      if (nth > 0) await pause(HURRY_MS, signal)
      for (const kind of left) {
        const [ended] = await Promise.allSettled([this.detect(kind, 0)])
        // one that fails is looked at in its turn
        if (ended.status === 'rejected' || ended.value !== undefined) left.delete(kind)
      }
    }
  }

  private async run(): Promise<void> {
    const { signal } = this.stopping
    while (!signal.aborted) {
      try {
        await this.lookAt(REST_MS)
      } catch (error) {
        const text = isAway(error)
          ? 'problems wait for the database'
          : 'problems were not looked for'
        this.deps.log.warn({ err: error }, text)
      }
      await pause(LOOK_MS, signal)
    }
  }

  private async lookAt(restMs: number, kinds = PROBLEM_KINDS as readonly ProblemKind[]) {
    const { store, facts } = this.deps
    const paths = registerPaths(facts)
    const steps = [
      () => this.deps.prepare(),
      () => this.judgeSilence(),
      () => byOne(store, { name: CLOCKS, restMs }, checkClocks),
      () => byOne(store, { name: REGISTERS, restMs }, (client) => readRegisters(client, paths)),
      () => planReports(this.deps, { restMs }),
      () => this.deps.plan(),
      ...kinds.map((kind) => () => this.detect(kind, restMs)),
    ]
    const faults: unknown[] = []
    for (const step of steps) {
      if (this.stopping.signal.aborted) return
      // one that fails must not silence the others
      const [ended] = await Promise.allSettled([step()])
      if (ended.status === 'rejected') faults.push(ended.reason)
    }
    if (faults.length > 0) throw faults[0]
  }

  private detect(kind: ProblemKind, restMs: number): Promise<number | undefined> {
    const { store, facts } = this.deps
    return detect(store, kind, { restMs, watched: watchedBy(kind, facts) })
  }

  /** Of each country; days come and go while a server runs. */
  private holidays(): ReturnType<typeof holidayHours> {
    const { facts, now } = this.deps
    return holidayHours(facts, now())
  }

  /** Says of queues that have fallen silent until when that is nothing special. */
  private async judgeSilence(): Promise<void> {
    const { store } = this.deps
    const began = performance.now()
    let closed: ReturnType<typeof holidayHours> | undefined
    for (;;) {
      const silent = await silentQueues(store, { hours: SILENT_HOURS, limit: PAGE })
      if (silent.length > 0) closed ??= this.holidays()
      const rows: ActivityRow[] = []
      for (const queue of silent) rows.push(await this.judged(queue, closed?.get(queue.market)))
      if (rows.length > 0) await putActivities(store, rows)
      const isLate = performance.now() - began > LONGEST_MS || this.stopping.signal.aborted
      if (silent.length < PAGE || isLate) return
    }
  }

  private async judged(queue: SilentQueue, closed?: ReadonlySet<number>): Promise<ActivityRow> {
    const { accountId, id, silentSince } = queue
    const habit = await this.habitOf(queue)
    const by = expectedBy(habit, silentSince, closed)
    return { accountId, id, ...habit, silentSince, expectedBy: by }
  }

  private async habitOf(queue: SilentQueue) {
    const { accountId, id, startMoment, silentSince, cells, usual, computedAt } = queue
    const now = this.deps.now()
    const isFresh =
      computedAt !== null && now.getTime() - computedAt.getTime() < HABIT_DAYS * DAY_MS
    if (cells !== null && usual !== null && queue.weeks !== null && isFresh) {
      return { cells, usual, weeks: queue.weeks, computedAt }
    }
    const weeks = weeksBefore(startMoment, silentSince)
    const from = new Date(silentSince.getTime() - Math.min(MOST_WEEKS, weeks) * WEEK_MS)
    const hours = await activeHours(this.deps.store, { accountId, id, from, to: silentSince })
    const active = hours.map(({ hour }) => hour)
    return {
      ...{ cells: cellsOf(active, weeks), usual: usualOf(hours, weeks) },
      ...{ weeks, computedAt: now },
    }
  }
}
