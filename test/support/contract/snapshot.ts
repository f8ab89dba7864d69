// What stands in the database: a hash of every table, so that a test sees that nothing has changed,
// and what exactly has. Called by the tests of the contract.
import type { DealerStand } from '../dealer.js'

/** Table to number and hash of its rows. */
export type Snapshot = Record<string, string>

const TABLES = `select schemaname || '.' || tablename as name from pg_tables
  where schemaname = 'public' and tablename <> '_prisma_migrations' order by 1`

const ROWS = (name: string) =>
  `select '${name}' as name, count(*) || ':' ||
     coalesce(md5(string_agg(md5(t::text), '' order by md5(t::text))), '') as hash from ${name} t`

/** Everything, the jobs that wait to be done included. */
export async function snapshotOf({ rows }: DealerStand): Promise<Snapshot> {
  const tables = (await rows(TABLES)).map(({ name }) => String(name))
  const jobs = 'graphile_worker._private_jobs'
  const hashes = await rows([...tables, jobs].map(ROWS).join(' union all '))
  return Object.fromEntries(hashes.map(({ name, hash }) => [String(name), String(hash)]))
}

/** Tables whose rows differ. */
export function changedTables(before: Snapshot, after: Snapshot): string[] {
  return Object.keys(after).filter((name) => before[name] !== after[name])
}

export const AUDIT = 'public.audit_entry'
