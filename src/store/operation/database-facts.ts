// What a database says of itself, for whoever runs the server.
import type { Store } from '../client.js'

export interface DatabaseFacts {
  version: string
  synchronousCommit: string
  /** synchronous_standby_names; '': commits wait for nobody else. */
  standbys: string
  role: string
  isSuperuser: boolean
  /** Migrations make schemas and tables. */
  mayCreate: boolean
  mostConnections: number
  /** By how much its clock is ahead of ours, in milliseconds. */
  clockMs: number
}

const FACTS = `
select current_setting('server_version') as version, current_user as role,
  current_setting('synchronous_commit') as "synchronousCommit",
  current_setting('synchronous_standby_names') as standbys,
  (select rolsuper from pg_roles where rolname = current_user) as "isSuperuser",
  has_database_privilege(current_database(), 'create')
    and has_schema_privilege('public', 'create') as "mayCreate",
  current_setting('max_connections')::int4 as "mostConnections"`

export async function databaseFacts({ pool }: Pick<Store, 'pool'>): Promise<DatabaseFacts> {
  const { rows } = await pool.query<Omit<DatabaseFacts, 'clockMs'>>(FACTS)
  const [facts] = rows
  if (facts === undefined) throw new Error('the database says nothing of itself')
  const before = Date.now()
  const clock = await pool.query<{ ms: number }>(
    'select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms',
  )
  const here = (before + Date.now()) / 2
  return { ...facts, clockMs: (clock.rows[0]?.ms ?? here) - here }
}
