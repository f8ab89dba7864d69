// Stops the processes of PostgreSQL that serve one database, so that its sockets stay open and stay
// silent.
import pg from 'pg'
import { signalTo } from './signals.js'

/** Everybody who is connected right now; `resume` lets them go on. */
export async function pausedDatabase(config: pg.PoolConfig): Promise<{ resume(): void }> {
  const client = new pg.Client(config as pg.ClientConfig)
  await client.connect()
  const { rows } = await client.query<{ pid: number }>(
    'select pid from pg_stat_activity where datname = $1 and pid <> pg_backend_pid()',
    [config.database],
  )
  await client.end()
  const signal = (name: NodeJS.Signals) => {
    for (const { pid } of rows) signalTo(pid, name)
  }
  signal('SIGSTOP')
  return { resume: () => signal('SIGCONT') }
}
