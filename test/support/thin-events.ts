// Every event that a test has caused: ids, numbers, moments and words for programs, under the names
// that its type has in the document. No name, text, address or secret of anybody.
import type pg from 'pg'
import { eventKinds } from '../../src/core/event/kinds.js'
import type { EventType } from '../../src/model/event.js'

/** An id, a hash, a moment, a serial number, a word, or `kind/id`. */
const PLAIN = /^[A-Za-z0-9][A-Za-z0-9_.:+/-]{0,99}$/

/** What is wrong with the data of an event; undefined: nothing. */
export function thickIn(type: string, data: string): string | undefined {
  const names = Object.keys(eventKinds[type as EventType]?.data ?? {})
  for (const [name, value] of Object.entries(JSON.parse(data) as Record<string, unknown>)) {
    if (!names.includes(name)) return `${type} has ${name}`
    if (value === null || typeof value === 'number' || typeof value === 'boolean') continue
    if (typeof value !== 'string' || !PLAIN.test(value)) return `${type}: ${name} is ${value}`
  }
  return undefined
}

/** What is wrong with those that are stored, and on their way. */
export async function thickEvents(pool: Pick<pg.Pool, 'query'>): Promise<string[]> {
  const { rows } = await pool.query<{ type: string; data: string }>(
    'select type, data from event union select type, data from inbox',
  )
  return rows.flatMap(({ type, data }) => thickIn(type, data) ?? [])
}
