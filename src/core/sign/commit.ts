// Entries of many queues become one statement, and this is what came of it: a queue has won, or it
// has lost and its receipts are made anew.
import { setTimeout as sleep } from 'node:timers/promises'
import type { ScuHead } from '../../model/scu.js'
import { isAway, isConflict } from '../../store/client.js'
import { type ItemFate, queueSecrets, settleItems } from '../../store/sign/queues.js'
import type {
  HeadMove,
  JournalledMarketRow,
  QueueEvent,
  ReceiptRow,
  RecordedRow,
  ScuMove,
  SignBatch,
} from '../../store/sign/sign-batch.js'
import { recordOf } from '../../store/sign/sign-receipts.js'
import type { Behind } from './ahead.js'
import { checkedState } from './checked-state.js'
import { type Entry, type Position, positionOf } from './entry-draft.js'
import type { Heads } from './heads.js'
import type { LoadedQueue, SignDeps } from './job.js'
import { FateUnknown } from './waiter.js'

/** The entries of one queue, each on the position that the one before has left. */
export interface Course {
  readonly loaded: LoadedQueue
  readonly entries: readonly Entry[]
}

export interface Committing {
  deps: SignDeps
  heads: Heads
  courses: readonly Course[]
  /** How long the callers may still be kept waiting. */
  timeLeft(): number
  /** As commitBatch. */
  write(batch: SignBatch): Promise<ReadonlySet<string>>
  /** Every other call of the database. */
  asking<T>(work: () => Promise<T>): Promise<T>
  /** The statement leaves: where its queues will stand if it wins. */
  leaving?(behind: readonly Behind[]): void
}

/**
 * The ids of the queues that won; what the others were believed to be is forgotten. Throws what
 * broke the statement, and FateUnknown when the database does not come back in time.
 */
export async function commit(work: Committing): Promise<ReadonlySet<string>> {
  const { deps, courses } = work
  const batch = batchOf(deps, courses)
  const behind = courses.map((course, at) => behindOf(course, batch.heads[at]))
  let won: ReadonlySet<string>
  try {
    await deps.failPoints.reach('before-commit')
    const writing = work.write(batch)
    work.leaving?.(behind)
    won = await writing
  } catch (error) {
    return broken(work, error)
  }
  await written(work)
  deps.observe.batch(batch.items.length + batch.completions.length, courses.length)
  courses.forEach((course, at) => {
    const kept = behind[at]
    if (kept !== undefined && won.has(kept.loaded.head.id)) keep(work, course, kept)
    else lost(work, course)
  })
  return won
}

function behindOf({ loaded, entries }: Course, move: HeadMove | undefined): Behind {
  const { head, state, notes } = entries.at(-1)?.next ?? positionOf(loaded)
  const { remote, stateText: before } = loaded
  const slow = remote || head.scus.some((scu) => scu.faultScript !== null)
  return { loaded: { ...loaded, head, state, stateText: move?.state ?? before, slow }, notes }
}

/** What breaks now must not have the receipts made once more. */
async function written({ deps, heads, courses }: Committing): Promise<void> {
  try {
    await deps.failPoints.reach('after-commit')
  } catch (error) {
    for (const { loaded } of courses) heads.forget(loaded.head.id, loaded)
    throw new FateUnknown('', { cause: error })
  }
}

async function broken(work: Committing, error: unknown): Promise<ReadonlySet<string>> {
  const { heads, courses } = work
  for (const { loaded } of courses) heads.forget(loaded.head.id, loaded)
  if (isConflict(error)) {
    for (const course of courses) lost(work, course)
    return NOBODY
  }
  if (!isAway(error) || !courses.every(canBeFound)) throw error
  const won = await work.asking(() => settled(work))
  for (const course of courses) if (won.has(course.loaded.head.id)) tell(work, course)
  // a database that answers and refuses (a full disk, for instance) is not asked without a pause
  if (won.size < courses.length) await sleep(PAUSE_MS)
  return won
}

const NOBODY: ReadonlySet<string> = new Set()

function keep(work: Committing, course: Course, { loaded, notes }: Behind): void {
  for (const note of notes) loaded.noted.add(note)
  settleUnits(loaded.head.scus)
  work.heads.keep(loaded)
  tell(work, course)
}

/** Another process moved the head first: its rows count. */
function lost({ deps, heads }: Committing, { loaded }: Course): void {
  deps.observe.conflict()
  heads.forget(loaded.head.id, loaded)
}

function tell({ deps }: Committing, { loaded, entries }: Course): void {
  for (const { result } of entries) {
    if (result === undefined) continue
    const isUnsigned = result.kind === 'answered' && result.isUnsigned === true
    deps.observe.receipt(loaded.head.market, result.kind, isUnsigned)
  }
}

/** After the commit. A unit that several queues share counts once. */
function settleUnits(scus: readonly ScuHead[]): void {
  for (const scu of scus) {
    if (!scu.changed) continue
    scu.version += 1n
    scu.changed = false
  }
}

// ------------------------------------------------------------------- fate unknown

/** Before work that a failing database sent back is tried again, and between two questions. */
const PAUSE_MS = 100

/** What has no item leaves nothing by which it could be found. */
const canBeFound = ({ entries }: Course): boolean => entries.some(({ item }) => item !== undefined)

/** The connection broke under the statement: the database is asked until it answers. */
async function settled({ deps, courses, timeLeft }: Committing): Promise<Set<string>> {
  const keys = courses.map(({ loaded: { head } }) => ({ accountId: head.accountId, id: head.id }))
  const items = courses.flatMap(({ entries }) => entries.flatMap(({ item }) => item?.id ?? []))
  for (;;) {
    try {
      const fates = await settleItems(deps.store, keys, items)
      const won = courses.filter(({ entries }) => entries.every((one) => isStored(one, fates)))
      return new Set(won.map(({ loaded }) => loaded.head.id))
    } catch (error) {
      if (!isAway(error) || timeLeft() <= 0) throw new FateUnknown('', { cause: error })
      await sleep(PAUSE_MS)
    }
  }
}

/** An item without an answer waits for its device. */
function isStored({ item }: Entry, fates: ReadonlyMap<string, ItemFate>): boolean {
  if (item === undefined) return true
  const fate = fates.get(item.id)
  return fate === 'done' || (fate === 'waiting' && item.doneMoment === null)
}

// ------------------------------------------------------------------ one statement

/** The rows of all entries, and the moves of their queues and units. */
export function batchOf(deps: SignDeps, courses: readonly Course[]): SignBatch {
  const entries = joined(courses, (course) => course.entries)
  const { groups, scus } = unitMoves(courses)
  return {
    heads: courses.map((course, at) => headMove(deps, course, groups[at] ?? ALONE)),
    items: given(entries, ({ completes, item }) => (completes ? undefined : item)),
    completions: given(entries, ({ completes, item }) => (completes ? item : undefined)),
    ...journalled(entries),
    actions: joined(entries, ({ actions }) => actions),
    certificates: joined(entries, ({ certificates }) => certificates),
    operations: given(entries, ({ completes, operation }) => (completes ? undefined : operation)),
    endings: given(entries, ({ completes, operation }) => (completes ? operation : undefined)),
    outbox: joined(entries, ({ outbox }) => outbox),
    events: eventsOf(courses),
    scus,
  }
}

/** A receipt and the first record of its country are one row where the record is found by it. */
function journalled(
  entries: readonly Entry[],
): Pick<SignBatch, 'recorded' | 'receipts' | 'markets'> {
  const recorded: RecordedRow[] = []
  const receipts: ReceiptRow[] = []
  const markets: JournalledMarketRow[] = []
  for (const { receipt, markets: rows } of entries) {
    const market = receipt && recordOf(receipt, rows)
    if (receipt !== undefined && market !== undefined) recorded.push({ receipt, market })
    else if (receipt !== undefined) receipts.push(receipt)
    for (const row of rows) if (row !== market) markets.push(row)
  }
  return { recorded, receipts, markets }
}

/** The lists of all, one behind the other; most are empty. */
function joined<T, Row>(all: readonly T[], listOf: (one: T) => readonly Row[]): Row[] {
  const rows: Row[] = []
  for (let at = 0; at < all.length; at += 1) {
    const one = all[at]
    const list = one === undefined ? [] : listOf(one)
    for (let place = 0; place < list.length; place += 1) {
      const row = list[place]
      if (row !== undefined) rows.push(row)
    }
  }
  return rows
}

/** All receipts of a queue in one row, behind what else is told of them. */
function eventsOf(courses: readonly Course[]): QueueEvent[] {
  const told: QueueEvent[] = []
  for (const { loaded, entries } of courses) {
    let first: ReceiptRow | undefined
    let last: ReceiptRow | undefined
    for (const { events, receipt } of entries) {
      for (const event of events) told.push(event)
      first ??= receipt
      last = receipt ?? last
    }
    if (first === undefined || last === undefined) continue
    const { id: queueId, cashBoxId } = loaded.head
    told.push({
      queueId,
      id: first.id,
      type: 'receipt.signed',
      cashBoxId,
      subject: { kind: 'queue', id: queueId },
      ticks: { from: first.timeStamp, to: last.timeStamp },
      data: '{}',
      at: first.receiptMoment,
    })
  }
  return told
}

function given<T>(entries: readonly Entry[], part: (entry: Entry) => T | undefined): T[] {
  const found: T[] = []
  for (const entry of entries) {
    const one = part(entry)
    if (one !== undefined) found.push(one)
  }
  return found
}

const ALONE = 0

function headMove(deps: SignDeps, { loaded, entries }: Course, group: number): HeadMove {
  const { head, state } = entries.at(-1)?.next ?? loaded
  const { sealer } = deps.store
  const isNew = head.secrets !== loaded.head.secrets
  return {
    group,
    version: loaded.head.version,
    next: head,
    state: stateText({ loaded, state }),
    secretsSealed: isNew ? sealer.seal(head.secrets, queueSecrets(head.id)) : null,
  }
}

/** The market's state is checked on every write, as it is on every read. */
function stateText({ loaded, state }: Pick<Position, 'loaded' | 'state'>): string {
  if (state === loaded.state) return loaded.stateText
  return JSON.stringify(checkedState(loaded.market.queue.state, state, loaded.state))
}

const NO_MOVES = { groups: [], scus: [] } as const

/**
 * The units that the queues moved, as second heads of the statement. Queues that share one are a
 * group: all of them are written, or none.
 */
function unitMoves(courses: readonly Course[]): {
  groups: readonly number[]
  scus: readonly ScuMove[]
} {
  const changed = courses.map(({ loaded }) => loaded.head.scus.filter((scu) => scu.changed))
  if (changed.every((scus) => scus.length === 0)) return NO_MOVES
  const groups = changed.map((scus, at) => (scus.length === 0 ? ALONE : at + 1))
  const first = new Map<string, { scu: ScuHead; at: number }>()
  changed.forEach((scus, at) => {
    for (const scu of scus) {
      const known = first.get(scu.id)
      if (known === undefined) first.set(scu.id, { scu, at })
      else unite(groups, groups[known.at] ?? ALONE, groups[at] ?? ALONE)
    }
  })
  const scus = [...first.values()].map(({ scu, at }) => ({
    group: groups[at] ?? ALONE,
    accountId: scu.accountId,
    id: scu.id,
    version: scu.version,
    state: scu.state,
    faultScript: scu.faultScript,
    timeStamp: courses[at]?.entries.at(-1)?.next.head.timeStamp ?? 0n,
  }))
  return { groups, scus }
}

function unite(groups: number[], from: number, to: number): void {
  groups.forEach((group, at) => {
    if (group === from) groups[at] = to
  })
}
