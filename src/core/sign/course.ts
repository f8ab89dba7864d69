// A queue on its way through a batch: head and state move on in memory, what was loaded stays.
// Called by step.ts, outcome.ts, batch.ts and lane.ts.
import { ticksOf } from '../../lib/ticks.js'
import type { ActionRow } from '../../model/journal.js'
import type { QueueHead } from '../../model/queue.js'
import type { ScuHead } from '../../model/scu.js'
import { queueSecrets } from '../../store/queues.js'
import type { ScuMove, SignBatch } from '../../store/sign-batch.js'
import type { LoadedQueue, SignDeps } from './job.js'

/** A queue on its way through a batch: the head moves on in memory, the loaded one stays. */
export interface Course {
  loaded: LoadedQueue
  head: QueueHead
  state: unknown
  notes: Set<string>
}

export function startCourse(loaded: LoadedQueue): Course {
  return { loaded, head: { ...loaded.head }, state: loaded.state, notes: new Set() }
}

export function emptyBatch(): SignBatch {
  return {
    heads: [],
    items: [],
    completions: [],
    receipts: [],
    markets: [],
    actions: [],
    certificates: [],
    operations: [],
    endings: [],
    scus: [],
  }
}

/** Ticks for the next row of this queue: now, or one more than the last. */
export function nextTick(course: Course, now: Date): bigint {
  const wanted = ticksOf(now.getTime())
  const last = course.head.timeStamp
  const tick = wanted > last ? wanted : last + 1n
  course.head.timeStamp = tick
  return tick
}

export interface ActionWork {
  batch: SignBatch
  itemId: string | null
  now: Date
  action: ActionRow
}

export function pushAction(course: Course, { batch, itemId, now, action }: ActionWork): void {
  batch.actions.push({
    ...action,
    queueId: course.head.id,
    queueItemId: itemId,
    moment: now,
    timeStamp: nextTick(course, now),
  })
}

export function noteOnce(course: Course, key: string): boolean {
  if (course.loaded.noted.has(key) || course.notes.has(key)) return false
  course.notes.add(key)
  return true
}

/** The head of this course as a move of the statement. */
export function finishCourse(deps: SignDeps, course: Course, batch: SignBatch): void {
  const { loaded } = course
  const changed = course.head.secrets !== loaded.head.secrets
  course.head.state = stateText(course)
  batch.heads.push({
    group: 0,
    version: loaded.head.version,
    next: course.head,
    secretsSealed: changed
      ? deps.store.sealer.seal(course.head.secrets, queueSecrets(course.head.id))
      : null,
  })
}

/**
 * The units that these courses moved, as second heads of the statement. Courses that share one
 * are a group: all of them are written, or none.
 */
export function finishUnits(courses: readonly Course[], batch: SignBatch): void {
  courses.forEach((course, at) => {
    const move = batch.heads[at]
    const changed = course.head.scus.filter((unit) => unit.changed)
    if (move === undefined || changed.length === 0) return
    move.group = at + 1
    for (const scu of changed) {
      const known = batch.scus.find((one) => one.id === scu.id)
      if (known === undefined) batch.scus.push(moveOf(scu, course, move.group))
      else unite(batch, known.group, move.group)
    }
  })
}

function moveOf(scu: ScuHead, { head }: Course, group: number): ScuMove {
  return {
    group,
    accountId: scu.accountId,
    id: scu.id,
    version: scu.version,
    state: scu.state,
    faultScript: scu.faultScript,
    timeStamp: head.timeStamp,
  }
}

function unite({ heads, scus }: SignBatch, from: number, to: number): void {
  for (const move of [...heads, ...scus]) if (move.group === from) move.group = to
}

/** After the commit. A unit that several courses share counts once. */
export function settleUnits({ head }: Course): void {
  for (const scu of head.scus.filter((unit) => unit.changed)) {
    scu.version += 1n
    scu.changed = false
  }
}

/** The market's state is checked on every write, as it is on every read. */
function stateText(course: Course): string {
  if (course.state === course.loaded.state) return course.loaded.head.state
  return JSON.stringify(course.loaded.market.state.parse(course.state))
}
