// Exports of the simulated cloud service: asked for, waited for, fetched; nothing is ever erased.
import { Refused } from '../script.js'
import type { Entry } from '../security-unit.js'
import type { Exported, Tss } from './tss.js'

const MOST_WAITING = 10
const MOST_POLLS = 12
const MINUTE_MS = 60_000

interface Wish {
  id: string
  query: URLSearchParams
  /** Looks until it is done. */
  polls: number
}

export function beginExport(tss: Tss, { id, query, polls }: Wish): Exported {
  if (tss.state !== 'INITIALIZED' && tss.state !== 'DISABLED') {
    throw new Refused('E_EXPORT_FORBIDDEN', 423)
  }
  if (tss.exports.has(id)) throw new Refused('E_DUPLICATE_EXPORT')
  const range = query.toString()
  const alike = [...tss.exports.values()].filter((one) => !one.isCancelled && one.left > 0)
  if (alike.some((one) => one.range === range)) {
    throw new Refused('E_EXPORT_DUPLICATE_RATE_LIMITED', 409)
  }
  if (alike.length >= MOST_WAITING) throw new Refused('E_TOO_MANY_EXPORTS', 409)
  const entries = tss.unit.entries.filter((entry) => isIn(entry, query))
  const exported = { id, range, entries, left: polls, isCancelled: false, polls: [] }
  tss.exports.set(id, exported)
  return exported
}

function isIn(entry: Entry, query: URLSearchParams): boolean {
  const between = (value: number, start: string, end: string) =>
    value >= Number(query.get(start) ?? 0) && value <= Number(query.get(end) ?? Number.MAX_VALUE)
  return (
    between(entry.counter, 'start_signature_counter', 'end_signature_counter') &&
    between(entry.time, 'start_date', 'end_date') &&
    (entry.transaction === undefined ||
      between(entry.transaction, 'start_transaction_number', 'end_transaction_number'))
  )
}

/** Each look brings it nearer to its end; the thirteenth in a minute is refused. */
export function look(tss: Tss, id: string, now: number): Exported {
  const found = tss.exports.get(id)
  if (found === undefined) throw new Refused('E_EXPORT_NOT_FOUND', 404)
  found.polls = [...found.polls.filter((at) => now - at < MINUTE_MS), now]
  if (found.polls.length > MOST_POLLS) throw new Refused('E_TOO_MANY_REQUESTS', 429, 5)
  if (found.left > 0) found.left -= 1
  return found
}

export function stateOf({ isCancelled, left }: Exported): string {
  if (isCancelled) return 'CANCELLED'
  return left > 0 ? 'WORKING' : 'COMPLETED'
}

export function shownExport(tss: Tss, exported: Exported, env: string): object {
  const state = stateOf(exported)
  return { _id: exported.id, _type: 'EXPORT', _env: env, tss_id: tss.id, state }
}

/** Throws Refused while it is not done. */
export function fileOf(exported: Exported): readonly Entry[] {
  if (stateOf(exported) === 'COMPLETED') return exported.entries
  throw new Refused('E_EXPORT_NOT_COMPLETED', 404, 60)
}
