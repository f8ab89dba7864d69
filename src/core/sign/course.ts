// A queue on its way through a batch: head and state move on in memory, what was loaded stays.
// Called by step.ts, outcome.ts, batch.ts and lane.ts.
import { ticksOf } from '../../lib/ticks.js'
import type { ActionRow } from '../../model/journal.js'
import type { QueueHead } from '../../model/queue.js'
import { queueSecrets } from '../../store/queues.js'
import type { SignBatch } from '../../store/sign-batch.js'
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
    version: loaded.head.version,
    next: course.head,
    secretsSealed: changed
      ? deps.store.sealer.seal(course.head.secrets, queueSecrets(course.head.id))
      : null,
  })
  for (const scu of course.head.scus.filter((unit) => unit.changed)) {
    batch.scus.push({
      accountId: scu.accountId,
      id: scu.id,
      version: scu.version,
      state: scu.state,
      faultScript: scu.faultScript,
      timeStamp: course.head.timeStamp,
    })
  }
}

/** The market's state is checked on every write, as it is on every read. */
function stateText(course: Course): string {
  if (course.state === course.loaded.state) return course.loaded.head.state
  return JSON.stringify(course.loaded.market.state.parse(course.state))
}
