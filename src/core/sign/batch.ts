// One batch of the waiting list: every receipt becomes an entry on the position of its queue, all
// entries are one statement, and then the answers leave.
import { fail } from '../../errors.js'
import { isThereAlready } from '../../store/client.js'
import { commitBatch } from '../../store/sign/queues.js'
import type { Behind } from './ahead.js'
import { type Course, commit } from './commit.js'
import { entry } from './entry.js'
import { type Entry, positionOf } from './entry-draft.js'
import type { Heads, Opened } from './heads.js'
import type { LoadedQueue, SignDeps } from './job.js'
import { isMeant, notMeant } from './membership.js'
import { knownAmong } from './operation.js'
import type { UnitLocks } from './units.js'
import {
  FateUnknown,
  type QueueWork,
  refusalOf,
  rejectAll,
  timeLeft,
  type Waiter,
} from './waiter.js'

export interface BatchInput {
  deps: SignDeps
  heads: Heads
  locks: UnitLocks
  /** In whose name the batch holds shared units. */
  owner: object
  works: QueueWork[]
  /** The statement leaves: where its queues will stand if it wins. */
  leaving(behind: readonly Behind[]): void
}

/** The entries of a queue; `work` has their waiters, in the same order. */
interface Computed extends Course {
  work: QueueWork
}

/** Waiters that have to try again, by queue. */
export type Back = Map<string, Waiter[]>

interface Run extends Pick<BatchInput, 'deps' | 'heads' | 'leaving'> {
  computed: Computed[]
  back: Back
  /** Waiters whose cash box does not hold the queue as it was read here. */
  doubted: Back
  /** Shared units on which something was computed that will not be written. */
  spoiled: Set<string>
}

/** Signs and commits. Settles every waiter except the returned ones, which go back to the front. */
export async function commitFast(input: BatchInput): Promise<Back> {
  const { deps, heads, works, locks, owner, leaving } = input
  const run: Run = {
    ...{ deps, heads, leaving },
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
    else await compute(run, work, found)
  }
  if (run.spoiled.size > 0) dropSpoiled(run)
  if (run.computed.length > 0) await write(run)
  for (const [id, waiters] of run.doubted)
    run.back.set(id, [...(run.back.get(id) ?? []), ...waiters])
  return run.back
}

/** What was computed on a spoiled unit, and on units that moved with it, is done again. */
function dropSpoiled(run: Run): void {
  const isSpoiled = ({ loaded }: Computed) => loaded.shared.some((id) => run.spoiled.has(id))
  let dropped = run.computed.filter(isSpoiled)
  while (dropped.length > 0) {
    for (const { loaded, work } of dropped) {
      spoil(run, loaded)
      putApart(run, work)
    }
    run.computed = run.computed.filter((one) => !isSpoiled(one))
    dropped = run.computed.filter(isSpoiled)
  }
}

/** Nobody may build upon what was done to the units of this queue. */
function spoil({ spoiled, heads }: Run, loaded: LoadedQueue): void {
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

async function compute(run: Run, work: QueueWork, loaded: LoadedQueue): Promise<void> {
  const { deps } = run
  const { waiters } = work
  let entries: Entry[] = work.ahead?.entriesOf(loaded, waiters) ?? []
  const aside: Waiter[] = []
  let position = entries.at(-1)?.next ?? positionOf(loaded)
  try {
    for (let at = entries.length; at < waiters.length; at += 1) {
      const waiter = waiters[at]
      if (waiter === undefined) continue
      if (!isMeant(position.head, waiter.job)) {
        aside.push(waiter)
        continue
      }
      const making = entry(deps, position, { job: waiter.job })
      const made = making instanceof Promise ? await making : making
      if (entries.length === 0) entries = [made]
      else entries.push(made)
      position = made.next
    }
    if (aside.length > 0) setAside(run, work.queueId, aside)
    const meant = aside.length === 0 ? work : without(work, new Set(aside))
    if (entries.length > 0) run.computed.push({ work: meant, loaded, entries })
    else run.heads.drop(work.queueId)
  } catch (error) {
    deps.log.error({ err: error, queueId: work.queueId }, 'a receipt could not be processed')
    if (loaded.shared.length > 0) spoil(run, loaded)
    failed(run, [work], error)
  }
}

const without = (work: QueueWork, aside: ReadonlySet<Waiter>): QueueWork => ({
  ...work,
  waiters: work.waiters.filter((waiter) => !aside.has(waiter)),
})

/**
 * The cash box of these does not hold the queue, as far as the head in memory says. They look once
 * more, at a head that is read anew or that the statement has found to be the newest.
 */
function setAside(run: Run, queueId: string, aside: readonly Waiter[]): void {
  const again = aside.filter((waiter) => waiter.doubted !== true)
  for (const waiter of aside) if (waiter.doubted === true) waiter.reject(notMeant(waiter.job))
  for (const waiter of again) waiter.doubted = true
  if (again.length > 0) run.doubted.set(queueId, again)
}

async function write(run: Run): Promise<void> {
  const { deps, heads, computed, back, leaving } = run
  const waiters = computed.flatMap(({ work }) => work.waiters)
  try {
    const won = await commit({
      deps,
      heads,
      courses: computed,
      timeLeft: () => Math.max(...waiters.map((waiter) => timeLeft(deps, waiter))),
      write: (batch) => commitBatch(deps.store, batch),
      asking: (work) => work(),
      leaving,
    })
    for (const one of computed) {
      if (won.has(one.work.queueId)) answer(one)
      else back.set(one.work.queueId, one.work.waiters)
    }
  } catch (error) {
    await recover(run, error)
  }
}

function answer({ work, entries }: Computed): void {
  work.waiters.forEach((waiter, at) => {
    const result = entries[at]?.result
    if (result !== undefined) waiter.resolve(result)
  })
}

async function recover(run: Run, error: unknown): Promise<void> {
  const works = run.computed.map((one) => one.work)
  if (error instanceof FateUnknown) {
    for (const { waiters } of works) rejectAll(waiters, refusalOf(error))
    return
  }
  if (isThereAlready(error) && (await sendAway(run, error))) return
  run.deps.log.error({ err: error }, 'sign statement failed')
  failed(run, works, error)
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
