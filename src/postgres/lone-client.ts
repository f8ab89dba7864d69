// What connections of their own have in common that hold a lock of PostgreSQL for this server.
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'

/**
 * The first statement: a machine that is gone without a word keeps its locks for about eleven
 * seconds. As a statement, so that options of the connection's own stay as they are.
 */
export const KEEP_ALIVE =
  'set tcp_keepalives_idle = 5; set tcp_keepalives_interval = 2; set tcp_keepalives_count = 3'

const END_MS = 5_000

/** Its end is not waited for for ever: a network that is gone says nothing. */
export async function closed(client: pg.Client): Promise<void> {
  const late = new AbortController()
  const ended = client.end().finally(() => late.abort())
  await Promise.allSettled([
    Promise.race([ended, sleep(END_MS, undefined, { signal: late.signal })]),
  ])
}
