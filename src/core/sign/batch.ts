// One batch of the waiting list: every receipt on its queue's head, one statement, then the answers.
// Called by commit.ts.
import { setTimeout as sleep } from 'node:timers/promises'
import { fail } from '../../errors.js'
import { isAway } from '../../store/client.js'
import { commitBatch, type QueueKey, settledItems } from '../../store/queues.js'
import type { ItemRow, SignBatch } from '../../store/sign-statement.js'
import { type Course, emptyBatch, finishCourse, startCourse } from './course.js'
import type { Heads } from './heads.js'
import type { SignDeps, SignResult } from './job.js'
import { acceptItem, signItem } from './step.js'
import { type QueueWork, refusalOf, rejectAll, type Waiter } from './waiter.js'

export interface BatchInput {
  deps: SignDeps
  heads: Heads
  works: QueueWork[]
}

/** A waiter whose receipt is computed and waits for the commit. */
interface Done {
  waiter: Waiter
  item: ItemRow
  result: SignResult
}

interface Computed {
  work: QueueWork
  course: Course
  dones: Done[]
}

/** Waiters that have to try again, by queue. */
type Back = Map<string, Waiter[]>

/** Signs and commits. Settles every waiter except the returned ones, which go back to the front. */
export async function commitFast({ deps, heads, works }: BatchInput): Promise<Back> {
  const back: Back = new Map()
  const timely = works.map((work) => ({ ...work, waiters: refuseLate(deps, work.waiters) }))
  try {
    await heads.load(timely.map((work) => ({ accountId: work.accountId, id: work.queueId })))
  } catch (error) {
    rejectAll(
      timely.flatMap((work) => work.waiters),
      refusalOf(error),
    )
    return back
  }
  const batch = emptyBatch()
  const computed: Computed[] = []
  for (const work of timely) {
    const found = heads.get(work.queueId)
    if (found instanceof Error) rejectAll(work.waiters, found)
    else if (found.slow) back.set(work.queueId, work.waiters)
    else {
      const one = { work, course: startCourse(found), dones: [] }
      if (await compute(deps, one, batch)) computed.push(one)
    }
  }
  if (computed.length > 0) await write({ deps, heads, computed, batch, back })
  return back
}

/** Nobody is kept waiting for ever: who waited too long gets a clear "try again". */
function refuseLate(deps: SignDeps, waiters: Waiter[]): Waiter[] {
  const oldest = deps.now().getTime() - deps.limits.waitingMs
  return waiters.filter((waiter) => {
    if (waiter.since >= oldest) return true
    waiter.reject(fail('OVERLOADED'))
    return false
  })
}

/** False when the queue broke: its waiters are told, and without a head none of its rows is written. */
async function compute(deps: SignDeps, one: Computed, batch: SignBatch): Promise<boolean> {
  const { course, work } = one
  try {
    for (const waiter of work.waiters) {
      const item = acceptItem(deps, course, waiter.job)
      batch.items.push(item)
      const result = await signItem(deps, course, { job: waiter.job, item, batch })
      one.dones.push({ waiter, item, result })
    }
    if (one.dones.length === 0) return false
    finishCourse(deps, course, batch)
    return true
  } catch (error) {
    deps.log.error({ err: error, queueId: work.queueId }, 'a receipt could not be processed')
    rejectAll(work.waiters, error)
    return false
  }
}

interface WriteInput {
  deps: SignDeps
  heads: Heads
  computed: Computed[]
  batch: SignBatch
  back: Back
}

async function write(input: WriteInput): Promise<void> {
  const { deps, computed, batch } = input
  try {
    const won = await commitBatch(deps.store, batch)
    deps.observe.batch(batch.items.length, computed.length)
    for (const one of computed) {
      if (won.has(one.work.queueId)) succeed(input, one)
      else conflict(input, one)
    }
  } catch (error) {
    for (const one of computed) input.heads.forget(one.work.queueId)
    if (isAway(error)) await settle(input)
    else {
      deps.log.error({ err: error }, 'sign statement failed')
      rejectAll(
        computed.flatMap((one) => one.work.waiters),
        error,
      )
    }
  }
}

function succeed({ deps, heads }: WriteInput, { course, dones }: Computed): void {
  const { loaded } = course
  for (const note of course.notes) loaded.noted.add(note)
  course.head.version = loaded.head.version + 1n
  heads.keep({ ...loaded, head: course.head, state: course.state })
  for (const { waiter, result } of dones) {
    deps.observe.receipt(course.head.market, result.kind)
    waiter.resolve(result)
  }
}

/** Another process moved the head first: its rows count, ours are computed anew. */
function conflict({ deps, heads, back }: WriteInput, { work }: Computed): void {
  deps.observe.conflict()
  heads.forget(work.queueId)
  back.set(work.queueId, work.waiters)
}

const SETTLE_PAUSE_MS = 100

/**
 * The connection broke while the statement ran, so its fate is unknown: ask the database, for as long
 * as the callers may be kept waiting. Stored receipts are answered, the others try again.
 */
async function settle({ deps, computed, back }: WriteInput): Promise<void> {
  const dones = computed.flatMap((one) => one.dones)
  const keys: QueueKey[] = computed.map(({ work }) => ({
    accountId: work.accountId,
    id: work.queueId,
  }))
  const deadline = Math.min(...dones.map((done) => done.waiter.since)) + deps.limits.waitingMs
  for (;;) {
    try {
      const ids = dones.map((done) => done.item.id)
      const stored = await settledItems(deps.store, keys, ids)
      for (const one of computed) settleOne(one, stored, back)
      return
    } catch (error) {
      if (!isAway(error) || deps.now().getTime() > deadline) {
        rejectAll(
          dones.map((done) => done.waiter),
          refusalOf(error),
        )
        return
      }
      await sleep(SETTLE_PAUSE_MS)
    }
  }
}

function settleOne({ work, dones }: Computed, stored: Set<string>, back: Back): void {
  const rest: Waiter[] = []
  for (const { waiter, item, result } of dones) {
    if (stored.has(item.id)) waiter.resolve(result)
    else rest.push(waiter)
  }
  if (rest.length > 0) back.set(work.queueId, rest)
}
