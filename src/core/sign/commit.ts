// The waiting list over all queues: gathers receipts while earlier batches commit, then writes many
// queues with one statement (group commit). Called by sign.ts. docs/sign-cycle.md has the picture.
import { fail } from '../../errors.js'
import { commitFast } from './batch.js'
import { createHeads } from './heads.js'
import type { SignDeps, SignJob, SignResult } from './job.js'
import { runAlone } from './lane.js'
import type { QueueWork, Waiter } from './waiter.js'

/** Most receipts in one statement, and most statements at a time. */
const BATCH_RECEIPTS = 256
const BATCHES_IN_FLIGHT = 4

interface Line {
  queueId: string
  accountId: string
  waiters: Waiter[]
  busy: boolean
}

export interface WaitingList {
  join(job: SignJob, alone: boolean): Promise<SignResult>
  /** Resolves when nothing waits or runs any more. */
  drained(): Promise<void>
  readonly length: number
}

export function createWaitingList(deps: SignDeps): WaitingList {
  const lines = new Map<string, Line>()
  const ready: Line[] = []
  const heads = createHeads(deps)
  const idle: (() => void)[] = []
  let waiting = 0
  let inFlight = 0
  let lanes = 0
  let planned = false

  function plan(): void {
    if (planned || ready.length === 0 || inFlight >= BATCHES_IN_FLIGHT) return
    planned = true
    setImmediate(dispatch)
  }

  function dispatch(): void {
    planned = false
    const taken: Line[] = []
    let receipts = 0
    while (ready.length > 0 && receipts < BATCH_RECEIPTS) {
      const line = ready.shift()
      if (line === undefined) break
      line.busy = true
      if (isSlow(line)) {
        void lane(line)
      } else {
        taken.push(line)
        receipts += line.waiters.length
      }
    }
    if (taken.length > 0) void fast(taken)
    plan()
  }

  function isSlow(line: Line): boolean {
    if (line.waiters[0]?.alone === true) return true
    const loaded = heads.get(line.queueId)
    return !(loaded instanceof Error) && loaded.slow
  }

  async function fast(taken: Line[]): Promise<void> {
    inFlight += 1
    const works = takeFast(taken)
    const count = works.reduce((sum, work) => sum + work.waiters.length, 0)
    waiting -= count
    try {
      const back = await commitFast({ deps, heads, works })
      for (const [queueId, waiters] of back) putBack(queueId, waiters)
    } finally {
      inFlight -= 1
      release(taken)
    }
  }

  async function lane(line: Line): Promise<void> {
    lanes += 1
    const waiter = line.waiters.shift()
    waiting -= 1
    try {
      if (waiter !== undefined) await runAlone({ deps, heads, waiter })
    } finally {
      lanes -= 1
      release([line])
    }
  }

  function putBack(queueId: string, waiters: Waiter[]): void {
    lines.get(queueId)?.waiters.unshift(...waiters)
    waiting += waiters.length
  }

  function release(done: Line[]): void {
    for (const line of done) {
      line.busy = false
      if (line.waiters.length > 0) ready.push(line)
      else lines.delete(line.queueId)
    }
    plan()
    if (waiting === 0 && inFlight === 0 && lanes === 0) {
      for (const resolve of idle.splice(0)) resolve()
    }
  }

  function lineOf(job: SignJob): Line {
    const found = lines.get(job.queueId)
    if (found !== undefined) return found
    const line = { queueId: job.queueId, accountId: job.accountId, waiters: [], busy: false }
    lines.set(job.queueId, line)
    return line
  }

  return {
    get length() {
      return waiting
    },
    join: (job, alone) => {
      if (waiting >= deps.limits.waiting) return Promise.reject(fail('OVERLOADED'))
      return new Promise((resolve, reject) => {
        const line = lineOf(job)
        line.waiters.push({ job, alone, since: deps.now().getTime(), resolve, reject })
        waiting += 1
        if (!line.busy && line.waiters.length === 1) ready.push(line)
        plan()
      })
    },
    drained: () =>
      waiting === 0 && inFlight === 0 && lanes === 0
        ? Promise.resolve()
        : new Promise((resolve) => idle.push(resolve)),
  }
}

/** Everything at the front of these lines that needs no turn of its own. */
function takeFast(taken: Line[]): QueueWork[] {
  let room = BATCH_RECEIPTS
  return taken.map((line) => {
    const end = line.waiters.findIndex((waiter) => waiter.alone)
    const count = Math.min(end < 0 ? line.waiters.length : end, Math.max(room, 1))
    room -= count
    return {
      queueId: line.queueId,
      accountId: line.accountId,
      waiters: line.waiters.splice(0, count),
    }
  })
}
