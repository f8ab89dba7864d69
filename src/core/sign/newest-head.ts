// A receipt that a device outside has signed, on a head that somebody has changed meanwhile: its
// configuration, its units, its cash box, an entry of its journals. What the receipt was made of is
// the same, so it is written behind the change.
import type { QueueHead } from '../../model/queue.js'
import type { ScuHead } from '../../model/scu.js'
import type { Store } from '../../store/client.js'
import { findUnit } from '../../store/rollout/scus.js'
import { loadHead } from '../../store/sign/queues.js'
import type { Entry } from './entry-draft.js'
import type { LoadedQueue, QueueProgress } from './job.js'

export interface Signed {
  loaded: LoadedQueue
  made: Entry
  /** The states of the units before the device was asked. */
  units: ReadonlyMap<string, string>
}

export function statesOf({ slots }: LoadedQueue): ReadonlyMap<string, string> {
  return new Map(slots.map(({ scu }) => [scu.id, scu.state]))
}

/** Undefined where something else was signed meanwhile, or a unit has moved. */
export async function onNewestHead(store: Store, signed: Signed): Promise<Signed | undefined> {
  const { loaded, made, units } = signed
  const newest = await loadHead(store, loaded.head)
  if (newest === undefined || !isWhereItWas(loaded, newest)) return undefined
  for (const scu of made.next.head.scus) {
    if (scu.changed && !(await isSameUnit(store, scu, units.get(scu.id)))) return undefined
  }
  const { version, cashBoxId } = newest
  const head = { ...loaded.head, version, cashBoxId }
  const shifted = behind(made, newest.timeStamp)
  const next = {
    ...shifted.next,
    head: { ...shifted.next.head, version: version + 1n, cashBoxId },
  }
  return { loaded: { ...loaded, head }, made: { ...shifted, next }, units }
}

/** All that a receipt depends on and leaves behind. */
function isWhereItWas({ head, stateText }: LoadedQueue, newest: QueueHead): boolean {
  return stateText === newest.state && progressOf(head) === progressOf(newest)
}

function progressOf(head: Omit<QueueProgress, 'scus'>): string {
  const { secrets, startMoment, stopMoment, currentRow, queuedRow, receiptNumerator } = head
  const { receiptTotalizer, receiptHash, lastMoment } = head
  return JSON.stringify([
    ...[secrets, startMoment, stopMoment, currentRow, queuedRow, receiptNumerator],
    ...[receiptTotalizer.toString(), receiptHash?.toString('hex') ?? null, lastMoment],
  ])
}

/** The unit is moved from where it is now; what was configured meanwhile stays as it is. */
async function isSameUnit(store: Store, scu: ScuHead, before?: string): Promise<boolean> {
  const newest = await findUnit(store, scu.id)
  if (newest === undefined) return false
  scu.version = newest.version
  scu.faultScript = newest.faultScript
  // another queue has seen the same of it
  if (newest.state === scu.state) scu.changed = false
  return newest.state === scu.state || newest.state === before
}

/** Whoever follows the journals has seen what the change left there. */
function behind(made: Entry, timeStamp: bigint): Entry {
  const { item, receipt, markets, actions, next } = made
  const rows = [...(receipt === undefined ? [] : [receipt]), ...markets, ...actions]
  const first = rows.reduce(
    (least, row) => (row.timeStamp < least ? row.timeStamp : least),
    next.head.timeStamp,
  )
  if (first > timeStamp) return made
  const by = timeStamp + 1n - first
  const later = <R extends { readonly timeStamp: bigint }>(row: R): R => ({
    ...row,
    timeStamp: row.timeStamp + by,
  })
  return {
    ...made,
    item: item && later(item),
    receipt: receipt && later(receipt),
    markets: markets.map(later),
    actions: actions.map(later),
    next: { ...next, head: later(next.head) },
  }
}
