// A queue that waits alone: receipt requests, and queues whose device is outside the process or has a
// fault script. One receipt at a time; a remote device's item is stored before the device is asked.
import { setTimeout as sleep } from 'node:timers/promises'
import { fail } from '../../errors.js'
import { orderedId } from '../../lib/id.js'
import { isAway } from '../../store/client.js'
import { commitBatch, settledItems } from '../../store/queues.js'
import { findUnfinished, UNFINISHED_TYPE } from '../../store/replay.js'
import type { ItemRow, SignBatch } from '../../store/sign-statement.js'
import { type Course, emptyBatch, finishCourse, pushAction, startCourse } from './course.js'
import type { Heads } from './heads.js'
import type { LoadedQueue, SignDeps, SignJob, SignResult } from './job.js'
import { findReceipt, isErrorAnswer } from './replay.js'
import { acceptItem, signItem } from './step.js'
import { refusalOf, type Waiter } from './waiter.js'

interface Lane {
  deps: SignDeps
  heads: Heads
  waiter: Waiter
}

/** Settles the waiter, whatever happens. */
export async function runAlone(lane: Lane): Promise<void> {
  try {
    lane.waiter.resolve(await processAlone(lane))
  } catch (error) {
    lane.heads.forget(lane.waiter.job.queueId)
    lane.waiter.reject(refusalOf(error))
  }
}

async function processAlone(lane: Lane): Promise<SignResult> {
  const { job, alone, since } = lane.waiter
  if (since < lane.deps.now().getTime() - lane.deps.limits.waitingMs) throw fail('OVERLOADED')
  if (!alone) return signAlone(lane, job)
  const loaded = await open(lane)
  const found = await findReceipt(lane.deps, job)
  if (found !== undefined) {
    await note(lane, found.id)
    if (isErrorAnswer(found.response)) return { kind: 'nothing' }
    return { kind: 'answered', responseText: found.response }
  }
  const { receiptrequestmode: mode } = loaded.configuration as { receiptrequestmode?: number }
  if (mode !== 1) return { kind: 'nothing' }
  const receiptCase = loaded.market.withoutReceiptRequest(job.request.receiptCase)
  return signAlone(lane, { ...job, request: { ...job.request, receiptCase } })
}

async function open({ heads, waiter: { job } }: Lane): Promise<LoadedQueue> {
  await heads.load([{ accountId: job.accountId, id: job.queueId }])
  const loaded = heads.get(job.queueId)
  if (loaded instanceof Error) throw loaded
  return loaded
}

/** Computes and commits until the head that it was computed on is still the newest. */
async function signAlone(lane: Lane, job: SignJob): Promise<SignResult> {
  let item: ItemRow | undefined
  for (;;) {
    const loaded = await open(lane)
    if (loaded.remote && item === undefined) {
      await noteUnfinished(lane, loaded)
      item = await storeFirst(lane, job)
    }
    const course = startCourse(await open(lane))
    const batch = emptyBatch()
    const stored = item !== undefined
    const current: ItemRow = item ?? acceptItem(lane.deps, course, job)
    if (stored) batch.completions.push(current)
    else batch.items.push(current)
    const result = await signItem(lane.deps, course, { job, item: current, batch })
    if (stored) current.timeStamp = course.head.timeStamp
    if (await commit(lane, { course, batch, itemId: current.id })) {
      lane.deps.observe.receipt(course.head.market, result.kind)
      return result
    }
  }
}

/** Writes the accepted item without an answer, so that it survives a crash during the call. */
async function storeFirst(lane: Lane, job: SignJob): Promise<ItemRow> {
  for (;;) {
    const course = startCourse(await open(lane))
    const batch = emptyBatch()
    const item = acceptItem(lane.deps, course, job)
    batch.items.push(item)
    if (await commit(lane, { course, batch, itemId: null })) return item
  }
}

async function note(lane: Lane, queueItemId: string): Promise<void> {
  const { job } = lane.waiter
  for (;;) {
    const course = startCourse(await open(lane))
    const batch = emptyBatch()
    const now = lane.deps.now()
    pushAction(course, {
      batch,
      item: null,
      now,
      action: {
        id: orderedId(now.getTime()),
        priority: 0x30,
        type: 'ReceiptRequest',
        message:
          `Queue ${job.queueId} found cbReceiptReference "${job.request.receiptReference ?? ''}"` +
          ` in queue item ${queueItemId}; the stored response was returned.`,
        dataJson: null,
        dataBase64: null,
      },
    })
    if (await commit(lane, { course, batch, itemId: null })) return
  }
}

/** Items of an earlier run that a crash left without an answer are named once, and stay as they are. */
async function noteUnfinished(lane: Lane, loaded: LoadedQueue): Promise<void> {
  if (loaded.noted.has('unfinished')) return
  loaded.noted.add('unfinished')
  const { accountId, id: queueId } = loaded.head
  const patience = 2 * (loaded.head.timeoutMs === 0 ? 15_000 : loaded.head.timeoutMs)
  const before = new Date(lane.deps.now().getTime() - patience)
  const items = await findUnfinished(lane.deps.store, { accountId, queueId, before })
  if (items.length === 0) return
  const course = startCourse(loaded)
  const batch = emptyBatch()
  const now = lane.deps.now()
  for (const { id, row } of items) {
    pushAction(course, {
      batch,
      item: { id } as ItemRow,
      now,
      action: {
        id: orderedId(now.getTime()),
        priority: 0x10,
        type: UNFINISHED_TYPE,
        message: `Row ${row} was accepted, but the server stopped before it was finished.`,
        dataJson: null,
        dataBase64: null,
      },
    })
  }
  await commit(lane, { course, batch, itemId: null })
}

interface Commit {
  course: Course
  batch: SignBatch
  /** Set when the batch finishes this item: its fate can be looked up. */
  itemId: string | null
}

const SETTLE_PAUSE_MS = 100

/** True when written; false when another process was faster and the work must be done again. */
async function commit(lane: Lane, work: Commit): Promise<boolean> {
  const { deps, heads, waiter } = lane
  const { course, batch } = work
  finishCourse(deps, course, batch)
  try {
    const won = await commitBatch(deps.store, batch)
    deps.observe.batch(batch.items.length, 1)
    if (!won.has(course.head.id)) {
      deps.observe.conflict()
      heads.forget(course.head.id)
      return false
    }
  } catch (error) {
    heads.forget(course.head.id)
    if (!isAway(error)) throw error
    return settle(lane, { work, deadline: waiter.since + deps.limits.waitingMs, error })
  }
  keep(lane, course)
  return true
}

function keep({ heads }: Lane, course: Course): void {
  const { loaded } = course
  for (const key of course.notes) loaded.noted.add(key)
  for (const scu of course.head.scus.filter((unit) => unit.changed)) {
    scu.version += 1n
    scu.changed = false
  }
  course.head.version = loaded.head.version + 1n
  const scripted = course.head.scus.some((scu) => scu.faultScript !== null)
  heads.keep({
    ...loaded,
    head: course.head,
    state: course.state,
    slow: loaded.remote || scripted,
  })
}

/** The connection broke during the statement: ask the database what became of it. */
async function settle(
  lane: Lane,
  { work, deadline, error }: { work: Commit; deadline: number; error: unknown },
): Promise<boolean> {
  const { accountId, id } = work.course.head
  const { itemId } = work
  if (itemId === null) throw error
  for (;;) {
    try {
      const stored = await settledItems(lane.deps.store, [{ accountId, id }], [itemId])
      return stored.has(itemId)
    } catch (again) {
      if (!isAway(again) || lane.deps.now().getTime() > deadline) throw again
      await sleep(SETTLE_PAUSE_MS)
    }
  }
}
