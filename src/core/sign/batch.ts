// One batch of the waiting list: every receipt on its queue's head, one statement, then the
// answers.
import { setTimeout as sleep } from 'node:timers/promises'
import { fail } from '../../errors.js'
import { isAway, isConflict, isKnownOperation } from '../../store/client.js'
import { commitBatch } from '../../store/sign/queues.js'
import type { ItemRow, SignBatch } from '../../store/sign/sign-batch.js'
import type { Heads, Opened } from './heads.js'
import type { SignDeps, SignResult } from './job.js'
import { isMeant, notMeant } from './membership.js'
import { knownAmong, pushOperation } from './operation.js'
import {
  emptyBatch,
  finishDraft,
  finishUnits,
  type QueueDraft,
  settleUnits,
  startDraft,
} from './queue-draft.js'
import { PAUSE_MS, settle } from './resolve-unknown.js'
import { acceptItem, signItem } from './step.js'
import type { UnitLocks } from './units.js'
import { type QueueWork, refusalOf, rejectAll, timeLeft, type Waiter } from './waiter.js'

export interface BatchInput {
  deps: SignDeps
  heads: Heads
  locks: UnitLocks
  /** In whose name the batch holds shared units. */
  owner: object
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
  draft: QueueDraft
  dones: Done[]
}

/** Waiters that have to try again, by queue. */
export type Back = Map<string, Waiter[]>

interface Run {
  deps: SignDeps
  heads: Heads
  batch: SignBatch
  computed: Computed[]
  back: Back
  /** Waiters whose cash box does not hold the queue as it was read here. */
  doubted: Back
  /** Shared units on which something was computed that will not be written. */
  spoiled: Set<string>
}

/** Signs and commits. Settles every waiter except the returned ones, which go back to the front. */
export async function commitFast(input: BatchInput): Promise<Back> {
  const { deps, heads, works, locks, owner } = input
  const run: Run = {
    deps,
    heads,
    batch: emptyBatch(),
    computed: [],
    back: new Map(),
    doubted: new Map(),
    spoiled: new Set(),
  }
  const timely = works.map((work) => ({ ...work, waiters: refuseLate(deps, work.waiters) }))
  const opened = await open(heads, timely)
  for (const work of timely) {
    const found = opened.get(work.queueId)
    if (found === undefined || work.waiters.length === 0) continue
    if (found instanceof Error) rejectAll(work.waiters, found)
    else if (found.slow) putApart(run, work)
    else if (!locks.take(found.shared, owner)) run.back.set(work.queueId, work.waiters)
    else await compute(run, { work, draft: startDraft(found), dones: [] })
  }
  if (run.spoiled.size > 0) dropSpoiled(run)
  if (run.computed.length > 0) await write(run)
  for (const [id, waiters] of run.doubted)
    run.back.set(id, [...(run.back.get(id) ?? []), ...waiters])
  return run.back
}

/** What was computed on a spoiled unit, and on units that moved with it, is done again. */
function dropSpoiled(run: Run): void {
  const isSpoiled = ({ draft }: Computed) => draft.loaded.shared.some((id) => run.spoiled.has(id))
  let dropped = run.computed.filter(isSpoiled)
  while (dropped.length > 0) {
    for (const { draft, work } of dropped) {
      spoil(run, draft)
      putApart(run, work)
    }
    run.computed = run.computed.filter((one) => !isSpoiled(one))
    dropped = run.computed.filter(isSpoiled)
  }
  const left = new Set(run.computed.map((one) => one.work.queueId))
  run.batch.heads = run.batch.heads.filter((move) => left.has(move.next.id))
}

/** Nobody may build upon what this draft has done to its units. */
function spoil({ spoiled, heads }: Run, { loaded }: QueueDraft): void {
  for (const id of loaded.shared) spoiled.add(id)
  heads.forget(loaded.head.id, loaded)
}

function refuseLate(deps: SignDeps, waiters: Waiter[]): Waiter[] {
  return waiters.filter((waiter) => {
    if (timeLeft(deps, waiter) > 0) return true
    waiter.reject(fail('OVERLOADED'))
    return false
  })
}

/** None when the database does not answer; the waiters are told. */
async function open(heads: Heads, works: QueueWork[]): Promise<Opened> {
  try {
    return await heads.load(works.map((work) => ({ accountId: work.accountId, id: work.queueId })))
  } catch (error) {
    for (const work of works) rejectAll(work.waiters, refusalOf(error))
    return new Map()
  }
}

/** They try again one by one, each in a lane. */
function putApart({ back }: Run, work: QueueWork): void {
  for (const waiter of work.waiters) waiter.alone = true
  back.set(work.queueId, work.waiters)
}

/** What failed for several may be the fault of one: only a receipt that fails alone is told so. */
function failed(run: Run, works: QueueWork[], error: unknown): void {
  const single = works.length === 1 && works[0]?.waiters.length === 1
  for (const work of works) {
    if (single) rejectAll(work.waiters, error)
    else putApart(run, work)
  }
}

/**
 * A queue that broke gets no head in the statement, and without a head none of its rows is written.
 */
async function compute(run: Run, one: Computed): Promise<void> {
  const { deps, batch } = run
  const { draft, work } = one
  try {
    const aside: Waiter[] = []
    for (const waiter of work.waiters) {
      if (!isMeant(draft.head, waiter.job)) {
        aside.push(waiter)
        continue
      }
      const item = acceptItem(deps, draft, waiter.job)
      batch.items.push(item)
      const result = await signItem(deps, draft, { job: waiter.job, item, batch })
      pushOperation(deps, batch, { job: waiter.job, item })
      one.dones.push({ waiter, item, result })
    }
    setAside(run, one, aside)
    if (one.dones.length === 0) return
    finishDraft(deps, draft, batch)
    run.computed.push(one)
  } catch (error) {
    deps.log.error({ err: error, queueId: work.queueId }, 'a receipt could not be processed')
    if (draft.loaded.shared.length > 0) spoil(run, draft)
    failed(run, [work], error)
  }
}

/**
 * The cash box of these does not hold the queue, as far as the head in memory says. They look once
 * more, at a head that is read anew or that the statement has found to be the newest.
 */
function setAside(run: Run, one: Computed, aside: readonly Waiter[]): void {
  if (aside.length === 0) return
  one.work = { ...one.work, waiters: one.dones.map(({ waiter }) => waiter) }
  const again = aside.filter((waiter) => waiter.doubted !== true)
  for (const waiter of aside) if (waiter.doubted === true) waiter.reject(notMeant(waiter.job))
  for (const waiter of again) waiter.doubted = true
  if (again.length > 0) run.doubted.set(one.work.queueId, again)
  if (one.dones.length === 0) run.heads.drop(one.work.queueId)
}

async function write(run: Run): Promise<void> {
  const { deps, computed, batch } = run
  finishUnits(
    computed.map((one) => one.draft),
    batch,
  )
  let won: Set<string>
  try {
    await deps.failPoints.reach('before-commit')
    won = await commitBatch(deps.store, batch)
  } catch (error) {
    await recover(run, error)
    return
  }
  await deps.failPoints.reach('after-commit')
  deps.observe.batch(
    computed.reduce((sum, one) => sum + one.dones.length, 0),
    computed.length,
  )
  for (const one of computed) {
    if (won.has(one.work.queueId)) succeed(run, one)
    else conflict(run, one)
  }
}

function succeed({ deps, heads }: Run, { draft, dones }: Computed): void {
  const { loaded } = draft
  for (const note of draft.notes) loaded.noted.add(note)
  draft.head.version = loaded.head.version + 1n
  settleUnits(draft)
  heads.keep({ ...loaded, head: draft.head, state: draft.state })
  for (const { waiter, result } of dones) {
    deps.observe.receipt(draft.head.market, result.kind)
    waiter.resolve(result)
  }
}

/** Another process moved the head first: its rows count, ours are computed anew. */
function conflict({ deps, heads, back }: Run, { work, draft }: Computed): void {
  deps.observe.conflict()
  heads.forget(work.queueId, draft.loaded)
  back.set(work.queueId, work.waiters)
}

async function recover(run: Run, error: unknown): Promise<void> {
  const { deps, heads, computed } = run
  for (const { work, draft } of computed) heads.forget(work.queueId, draft.loaded)
  if (isAway(error)) return settleAll(run)
  if (isConflict(error)) {
    for (const one of computed) conflict(run, one)
    return
  }
  if (isKnownOperation(error)) {
    if (await sendAway(run, error)) return
  } else {
    deps.log.error({ err: error }, 'sign statement failed')
  }
  failed(
    run,
    computed.map((one) => one.work),
    error,
  )
}

/** Whose operation is known is told so, the others try again; false: nobody's is. */
async function sendAway({ deps, computed, back }: Run, error: unknown): Promise<boolean> {
  const waiters = computed.flatMap(({ work }) => work.waiters)
  try {
    const known = await knownAmong(deps.store, waiters)
    for (const waiter of known) waiter.reject(error)
    for (const { work } of computed) {
      const rest = work.waiters.filter((waiter) => !known.has(waiter))
      if (rest.length > 0) back.set(work.queueId, rest)
    }
    return known.size > 0
  } catch (away) {
    rejectAll(waiters, refusalOf(away))
    return true
  }
}

/** Stored receipts are answered, the others try again, for as long as they may be kept waiting. */
async function settleAll({ deps, computed, back }: Run): Promise<void> {
  const dones = computed.flatMap((one) => one.dones)
  try {
    const fates = await settle(deps.store, {
      keys: computed.map(({ work }) => ({ accountId: work.accountId, id: work.queueId })),
      itemIds: dones.map((done) => done.item.id),
      timeLeft: () => Math.max(...dones.map((done) => timeLeft(deps, done.waiter))),
    })
    for (const one of computed) settleOne(one, fates, back)
  } catch (error) {
    for (const { waiter } of dones) waiter.reject(refusalOf(error))
  }
  // a database that answers and refuses (a full disk, for instance) is not asked without a pause
  if (back.size > 0) await sleep(PAUSE_MS)
}

function settleOne({ work, dones }: Computed, stored: ReadonlyMap<string, unknown>, back: Back) {
  const rest: Waiter[] = []
  for (const { waiter, item, result } of dones) {
    if (stored.has(item.id)) waiter.resolve(result)
    else rest.push(waiter)
  }
  if (rest.length > 0) back.set(work.queueId, rest)
}
