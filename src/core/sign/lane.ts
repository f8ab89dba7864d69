// A queue that waits alone: receipt requests, and queues whose device is outside the process or has
// a fault script. One receipt at a time; a remote device's item is stored before the device is
// asked (together with the answer of the receipt before it, where one waits behind it), and no
// other server asks it for this queue meanwhile, nor at all where it counts.
import { setTimeout as sleep } from 'node:timers/promises'
import { withoutRequest } from '../../case/reader.js'
import type { CaseRules } from '../../case/rules.js'
import { fail } from '../../errors.js'
import { orderedId } from '../../lib/id.js'
import type { Semaphore } from '../../lib/semaphore.js'
import { areNewest } from '../../store/rollout/scus.js'
import type { QueueTurns } from '../../store/sign/queue-turns.js'
import { settleItems } from '../../store/sign/queues.js'
import type { ItemRow } from '../../store/sign/sign-batch.js'
import { commit } from './commit.js'
import { entry, storedEntry } from './entry.js'
import { type Entry, EntryDraft, noteEntry, positionOf } from './entry-draft.js'
import type { Heads } from './heads.js'
import type { LoadedQueue, SignDeps, SignJob, SignResult } from './job.js'
import { isMeant, notMeant } from './membership.js'
import { onNewestHead, type Signed, statesOf } from './newest-head.js'
import { nothingText } from './pos-answer.js'
import { refersToReceipts, withPrevious } from './references.js'
import { findReceipt, isErrorAnswer } from './replay.js'
import type { SharedStatements } from './shared-statements.js'
import type { UnitLocks } from './units.js'
import { FateUnknown, refusalOf, timeLeft, type Waiter, whileWaiting } from './waiter.js'

export interface Lane {
  deps: SignDeps
  heads: Heads
  /** Every call of the database takes one; none is held while a device is asked. */
  turns: Semaphore
  locks: UnitLocks
  /** Among all servers. */
  queueTurns: QueueTurns
  /** What lanes write goes together. */
  statements: SharedStatements
  /** Those that wait behind it. */
  followers: Followers
  /** Whose turn it is. */
  waiter: Waiter
  /** Its item, where it is stored already. */
  item?: ItemRow | undefined
  /** Stored with the answer of this one, and next. */
  next?: { waiter: Waiter; item: ItemRow } | undefined
  /** The queue of the attempt under way. */
  loaded?: LoadedQueue
  /** The queue and the units whose turns it has. */
  held?: string[]
}

export interface Followers {
  /** The next one, which is out of the line then; none that looks something up first. */
  take(): Waiter | undefined
  giveBack(waiter: Waiter): void
}

const TURN_PAUSE_MS = 20
/** Then other servers have their turn with the queue. */
const MOST_IN_A_ROW = 16

/** Settles the waiter and those that follow it, whatever happens. */
export async function runLane(lane: Lane): Promise<void> {
  try {
    for (let nth = 1; ; nth += 1) {
      await runAlone(lane, nth < MOST_IN_A_ROW)
      const { next } = lane
      if (next === undefined) return
      lane.waiter = next.waiter
      lane.item = next.item
      lane.next = undefined
    }
  } finally {
    // first to other servers: whoever waits there has come earlier than the next one here
    await Promise.all((lane.held ?? []).map((id) => lane.queueTurns.give(id)))
    lane.locks.release(lane)
  }
}

async function runAlone(lane: Lane, mayFollow: boolean): Promise<void> {
  try {
    lane.waiter.resolve(await processAlone(lane, mayFollow))
  } catch (error) {
    lane.heads.forget(lane.waiter.job.queueId, lane.loaded)
    lane.waiter.reject(refusalOf(error))
  }
}

/**
 * Two servers that ask a device at once would number two documents alike; and what the state of a
 * unit lost against another server's would be signed once more. False: the units have moved since
 * the queue was loaded.
 */
async function takeTurns(lane: Lane, { shared, slots }: LoadedQueue): Promise<boolean> {
  const { deps, waiter, queueTurns } = lane
  const { queueId } = waiter.job
  const held = lane.held ?? []
  lane.held = held
  if (!held.includes(queueId)) {
    while (!(await inTime(lane, () => queueTurns.take(queueId)))) await sleep(TURN_PAUSE_MS)
    held.push(queueId)
  }
  for (const id of [...shared].toSorted()) {
    if (held.includes(id)) continue
    const isTaken =
      (await inTime(lane, () => queueTurns.take(id))) ||
      (await queueTurns.wait(id, Math.max(1, timeLeft(deps, waiter))))
    if (!isTaken) throw fail('OVERLOADED')
    held.push(id)
  }
  if (shared.length === 0) return true
  const units = slots.map(({ scu }) => scu).filter(({ id }) => shared.includes(id))
  return inTurn(lane, () => areNewest(deps.store, units))
}

/** Throws OVERLOADED when the caller has waited long enough. */
function inTime<T>({ deps, waiter }: Lane, work: () => Promise<T>): Promise<T> {
  if (timeLeft(deps, waiter) <= 0) throw fail('OVERLOADED')
  return whileWaiting(deps, waiter, work)
}

/** Of a queue whose device is outside. False: it has to be loaded anew. */
async function hasTurns(lane: Lane, loaded: LoadedQueue): Promise<boolean> {
  const { queueId } = lane.waiter.job
  // a connection that broke in between has given them back
  const held = lane.held?.filter((id) => lane.queueTurns.holds(id))
  if (held !== undefined) lane.held = held
  if (held !== undefined && [queueId, ...loaded.shared].every((id) => held.includes(id)))
    return true
  if (await takeTurns(lane, loaded)) return true
  lane.heads.forget(queueId, loaded)
  return false
}

/**
 * Tries until the head on which the receipt was computed is still the newest. A receipt request
 * looks again every time: what was written since then may be what it asks for.
 */
async function processAlone(lane: Lane, mayFollow: boolean): Promise<SignResult> {
  const { waiter, deps } = lane
  let { item } = lane
  if (item !== undefined) await deps.failPoints.reach('item-stored')
  for (;;) {
    if (timeLeft(deps, waiter) <= 0) throw fail('OVERLOADED')
    const loaded = await open(lane)
    lane.loaded = loaded
    if (!lane.locks.take(loaded.shared, lane)) {
      await new Promise<void>((wake) => lane.locks.whenFree(loaded.shared, wake))
      continue
    }
    if (item === undefined && !isMeant(loaded.head, waiter.job)) {
      lookAgain(lane)
      continue
    }
    const { isWanted } = waiter.job
    // once its item is stored it gets its answer
    if (item === undefined && isWanted?.(loaded.state) === false) return { kind: 'nothing' }
    const asked =
      waiter.job.words.asks && item === undefined ? await answerOf(lane, loaded) : undefined
    if (asked === 'lost') continue
    if (asked !== undefined) return asked
    const job = waiter.job.words.asks ? withoutRequest(waiter.job) : waiter.job
    if (loaded.remote && !(await hasTurns(lane, loaded))) continue
    if (loaded.remote && item === undefined) {
      item = await storeFirst(lane, { loaded, job })
      continue
    }
    const resolved = await resolve(lane, loaded, job)
    const result = await signOnce(lane, { loaded, job: resolved, stored: item, mayFollow })
    if (result !== undefined) return result
  }
}

/** Every call of the database. */
function inTurn<T>({ deps, turns, waiter }: Lane, work: () => Promise<T>): Promise<T> {
  return whileWaiting(deps, waiter, () => turns.run(work))
}

async function open(lane: Lane): Promise<LoadedQueue> {
  const { heads, waiter } = lane
  const { job } = waiter
  const key = { accountId: job.accountId, id: job.queueId }
  const found = heads.peek(job.queueId) ?? (await inTurn(lane, () => heads.load([key]))).get(key.id)
  if (found === undefined || found instanceof Error) {
    throw found ?? fail('QUEUE_UNKNOWN', { queue: key.id })
  }
  return found
}

/** Every attempt looks again: another server may have written what it refers to. */
function resolve(lane: Lane, { market }: LoadedQueue, job: SignJob): Promise<SignJob> {
  if (!refersToReceipts(job)) return Promise.resolve(job)
  return inTurn(lane, () => withPrevious({ store: lane.deps.store, job, cases: market.cases }))
}

/** Once more, at a head that is read anew. Throws QUEUE_UNKNOWN when that says the same. */
function lookAgain({ heads, waiter }: Lane): void {
  if (waiter.doubted === true) throw notMeant(waiter.job)
  waiter.doubted = true
  heads.drop(waiter.job.queueId)
}

/** Undefined: nothing was found, and the queue wants the receipt to be made then. */
async function answerOf(lane: Lane, loaded: LoadedQueue): Promise<SignResult | 'lost' | undefined> {
  const { deps, waiter } = lane
  const found = await inTurn(lane, () => findReceipt(deps, waiter.job, loaded.market.cases))
  if (found !== undefined) {
    if (!(await note(lane, { loaded, queueItemId: found.id }))) return 'lost'
    // version v2 gives an error back as the answer that it was
    if (waiter.job.version !== 'v2' && isErrorAnswer(found.response)) return { kind: 'nothing' }
    return {
      kind: 'answered',
      responseText: found.response,
      queueItemId: found.id,
      found: true,
    }
  }
  const { receiptrequestmode: mode } = loaded.configuration as { receiptrequestmode?: number }
  if (mode === 1) return undefined
  if (!(await isFinal(lane, loaded.market.cases))) return 'lost'
  if (waiter.job.version !== 'v2') return { kind: 'nothing' }
  return { kind: 'nothing', responseText: nothingText(loaded, waiter.job, deps.now()) }
}

/**
 * Whoever is told that there is nothing sends the receipt again. A statement of a server that died
 * may still be on its way in the database: it is fenced off before the last look. False when that
 * look finds something after all.
 */
async function isFinal(lane: Lane, cases: CaseRules): Promise<boolean> {
  const { deps, heads, waiter } = lane
  const { job } = waiter
  const key = { accountId: job.accountId, id: job.queueId }
  await inTurn(lane, () => settleItems(deps.store, [key], []))
  heads.forget(key.id)
  return (await inTurn(lane, () => findReceipt(deps, job, cases))) === undefined
}

interface Attempt {
  loaded: LoadedQueue
  job: SignJob
  /** The item when it is stored already. */
  stored: ItemRow | undefined
  /** The one behind it may be stored with its answer. */
  mayFollow: boolean
}

/** Undefined when another process moved the head meanwhile. */
async function signOnce(
  lane: Lane,
  { loaded, job, stored, mayFollow }: Attempt,
): Promise<SignResult | undefined> {
  const units = statesOf(loaded)
  const made = await entry(lane.deps, positionOf(loaded), { job, stored })
  const signed = { loaded, made, units }
  // a unit that counts has other queues, which wait as well
  const isChain = mayFollow && loaded.remote && loaded.shared.length === 0
  const follower = isChain ? lane.followers.take() : undefined
  const isWritten =
    follower === undefined
      ? await commitOne(lane, loaded, [made])
      : await commitBoth(lane, signed, follower)
  return isWritten || (await commitSigned(lane, signed)) ? made.result : undefined
}

/**
 * The answer of this receipt and the item of the next one, in one statement. False: neither is
 * written, and the next one is in its line again.
 */
async function commitBoth(lane: Lane, { loaded, made }: Signed, next: Waiter): Promise<boolean> {
  const { deps, followers } = lane
  if (!isMeant(made.next.head, next.job) || timeLeft(deps, next) <= 0) {
    followers.giveBack(next)
    return commitOne(lane, loaded, [made])
  }
  const first = storedEntry(deps, made.next, next.job)
  try {
    const both = [made, first]
    const isWritten = await whileWaiting(deps, next, () => commitOne(lane, loaded, both))
    if (isWritten && first.item !== undefined) lane.next = { waiter: next, item: first.item }
    else followers.giveBack(next)
    return isWritten
  } catch (error) {
    if (error instanceof FateUnknown) {
      next.reject(refusalOf(error))
      throw error
    }
    // it may be the fault of the next one, which has a statement of its own then
    next.alone = true
    followers.giveBack(next)
    return false
  }
}

/**
 * What a device outside has signed is not signed again because somebody has changed the queue or
 * the unit meanwhile: it is written behind that change. False: another receipt was faster.
 */
async function commitSigned(lane: Lane, signed: Signed): Promise<boolean> {
  if (!signed.loaded.remote) return false
  const { deps, heads, waiter } = lane
  for (;;) {
    const moved = await inTurn(lane, () => onNewestHead(deps.store, signed))
    if (moved === undefined) return false
    const isWritten = await commitOne(lane, moved.loaded, [moved.made])
    // what was changed counts from the next receipt on
    heads.forget(waiter.job.queueId, moved.loaded)
    if (isWritten) return true
  }
}

/**
 * Writes the accepted item without an answer, so that it survives a crash during the call.
 * Undefined when another process moved the head meanwhile.
 */
async function storeFirst(
  lane: Lane,
  { loaded, job }: Pick<Attempt, 'loaded' | 'job'>,
): Promise<ItemRow | undefined> {
  const made = storedEntry(lane.deps, positionOf(loaded), job)
  if (!(await commitOne(lane, loaded, [made]))) return undefined
  await lane.deps.failPoints.reach('item-stored')
  return made.item
}

/**
 * False when another process moved the head meanwhile: what was found may not be the newest now.
 */
function note(
  lane: Lane,
  { loaded, queueItemId }: { loaded: LoadedQueue; queueItemId: string },
): Promise<boolean> {
  const { job } = lane.waiter
  const draft = new EntryDraft(positionOf(loaded))
  const now = lane.deps.now()
  const action = {
    id: orderedId(now.getTime()),
    priority: 0x30,
    type: 'ReceiptRequest',
    message:
      `Queue ${job.queueId} found cbReceiptReference "${job.request.receiptReference ?? ''}"` +
      ` in queue item ${queueItemId}; the stored response was returned.`,
    dataJson: null,
    dataBase64: null,
  }
  draft.act(action, { itemId: null, now })
  return commitOne(lane, loaded, [noteEntry(draft)])
}

/** A batch of one queue: true when it was written. */
async function commitOne(
  lane: Lane,
  loaded: LoadedQueue,
  entries: readonly Entry[],
): Promise<boolean> {
  const { deps, heads, statements, waiter } = lane
  const won = await commit({
    deps,
    heads,
    courses: [{ loaded, entries }],
    timeLeft: () => timeLeft(deps, waiter),
    write: (batch) => whileWaiting(deps, waiter, () => statements.write(batch)),
    asking: (work) => inTurn(lane, work),
  })
  return won.has(loaded.head.id)
}
