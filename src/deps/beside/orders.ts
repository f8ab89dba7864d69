// What is done beside the signing: the one table of orders, for the threads and for whoever has
// none.
import { type ImportOrder, performImport } from '../../core/accounts/invitation/csv/imports.js'
import { type CheckedPlace, checksOf } from '../../core/event/receipt/checks.js'
import { type JournalOrder, journalAnswer } from '../../core/journal/beside/journal.js'
import type { Work } from '../../core/journal/beside/serving.js'
import { Semaphore } from '../../lib/semaphore.js'
import type { Precedence } from '../../lib/slices.js'
import { marketOf } from '../../market/index.js'
import type { Store } from '../../store/client.js'
import { untilLeft } from '../../store/journal/abandoned.js'

export type Order =
  | JournalOrder
  | { do: 'checks'; place: CheckedPlace; moment: number }
  | { do: 'import'; order: ImportOrder }

export interface OrderDeps {
  store: Store
  now(): Date
  precedence: Precedence
  log: Parameters<typeof performImport>[0]['log']
}

/** Statements of exports that a thread has in the database at a time. */
export const READING = 2
/** One that cancels, and two of each import. */
export const CONNECTIONS = READING + 1 + 2 * 2

export function workOf({ store, now, log, precedence }: OrderDeps): Work {
  const turns = new Semaphore(READING)
  return async (asked, left) => {
    const order = asked as Order
    if (order.do === 'import')
      return { head: await performImport({ store, now, log, precedence }, order.order) }
    const reading = untilLeft(store, { left, turns, precedence })
    if (order.do === 'journal') return journalAnswer({ store: reading, marketOf }, order)
    const moment = new Date(order.moment)
    return { head: await checksOf({ store: reading, marketOf, now: () => moment }, order.place) }
  }
}
