// What stands in the database: a hash of every table, so that a test sees that nothing has changed,
// and what exactly has.
import type { DealerStand } from '../dealer.js'

/** Table to number and hash of its rows. */
export type Snapshot = Record<string, string>

const TABLES = `select schemaname || '.' || tablename as name from pg_tables
  where schemaname = 'public' order by 1`

const ROWS = (name: string) =>
  `select '${name}' as name, count(*) || ':' ||
     coalesce(md5(string_agg(md5(t::text), '' order by md5(t::text))), '') as hash from ${name} t`

/** How far an import has come, and the last calls, are told of refused ones as well. */
const TOLD = new Set(['_prisma_migrations', 'invitation_import', 'kept_call'])

/** Everything, the jobs that wait to be done included. */
export async function snapshotOf({ rows, deps }: DealerStand): Promise<Snapshot> {
  texts ??= rows(TABLES).then((tables) => {
    const jobs = 'graphile_worker._private_jobs'
    const own = tables.map(({ name }) => String(name))
    const kept = own.filter((name) => !TOLD.has(name.replace(/^public\./, '')))
    return [...kept, jobs].map(ROWS).join(' union all ')
  })
  const query = { name: 'snapshot', text: await texts }
  const hashes = await deps.store.pool.query<{ name: string; hash: string }>(query)
  return Object.fromEntries(hashes.rows.map(({ name, hash }) => [name, hash]))
}

/** The same for every database of this test file. */
let texts: Promise<string> | undefined

/** Tables whose rows differ. */
export function changedTables(before: Snapshot, after: Snapshot): string[] {
  return Object.keys(after).filter((name) => before[name] !== after[name])
}

export const AUDIT = 'public.audit_entry'
