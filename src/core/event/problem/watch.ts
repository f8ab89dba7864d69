// Looks for what is wrong, over all accounts, once a minute; whichever process is first does it.
import { pause } from '../../../lib/pause.js'
import { PROBLEM_KINDS, type ProblemKind } from '../../../model/problem.js'
import { isAway } from '../../../store/client.js'
import { checkClocks } from '../../../store/event/problem/clocks.js'
import { byOne, detect } from '../../../store/event/problem/detectors.js'
import { readRegisters } from '../../../store/event/problem/registers.js'
import { type PlannerDeps, planReports } from '../report/planner.js'
import { judgeSilence } from './habits.js'
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
const CLOCKS = 'clocks'
const REGISTERS = 'registers'
const URGENT: readonly ProblemKind[] = ['outage', 'unit']
const HURRY_MS = 300
const HURRIES = 4

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
      () => judgeSilence(this.deps, this.stopping.signal),
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
}
