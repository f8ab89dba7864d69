// With a standby that every commit waits for, an answer is worth what the standby knows. Three
// things could make it worth less: a connection that leads to a standby, a commit whose wait was
// broken off, and rows of a primary that crashed before its standby had them.
import type pg from 'pg'

/** PostgreSQL's function that waits for the standby; named in any language of its messages. */
const WAIT = 'SyncRepWaitForLSN'

interface Told {
  routine?: string | undefined
}

/** What pg's connection tells and is told. */
interface Messages {
  emit(name: 'errorMessage', error: Error): void
}

/** An error that says: this database is away. What was sent is settled at the one that comes. */
function away(message: string, code: string): Error {
  return Object.assign(new Error(message), { code })
}

/** Of a pool: a new connection that leads to a standby is none. */
export const refuseStandby = (client: pg.PoolClient, done: (error?: Error) => void): void =>
  verify(client, STANDBY, done)

/** As well; and where there is an index, tables are not read from end to end. */
export const readyByIndex = (client: pg.PoolClient, done: (error?: Error) => void): void =>
  verify(client, `${STANDBY}${BY_INDEX}`, done)

const STANDBY = 'select pg_is_in_recovery() as standby'
/** Before version 18 a plan without an index counts as so dear that it would be compiled first. */
const BY_INDEX = `, set_config('enable_seqscan', 'off', false), set_config('jit', 'off', false)`

function verify(client: pg.PoolClient, question: string, done: (error?: Error) => void): void {
  // the pool listens to a connection while it is idle, and who gets it from then on
  const broke = (): void => {
    // the question under way fails with the same error
  }
  client.on('error', broke)
  const end = (error?: Error): void => {
    client.off('error', broke)
    done(error)
  }
  client
    .query<{ standby: boolean }>(question)
    .then(
      ({ rows }) => end(rows[0]?.standby === false ? undefined : away('it is a standby', '25006')),
      end,
    )
}

/**
 * PostgreSQL commits with a mere warning when somebody cancels a statement that waits for the
 * standby. Nobody is answered then: the statement counts as one whose connection broke.
 */
export function watchCommits(client: pg.PoolClient): void {
  client.on('notice', ({ routine }: Told) => {
    if (routine !== WAIT) return
    const connection: unknown = Reflect.get(client, 'connection')
    const error = away('the standby did not confirm the commit', '57014')
    ;(connection as Messages).emit('errorMessage', error)
  })
}

/**
 * Resolves when everything that could be read before is on the standby as well, where there is one.
 * A primary that has crashed shows rows that its standby has never got.
 */
export async function confirmed(pool: pg.Pool): Promise<void> {
  // a row of the write-ahead log for nobody: its commit waits behind all others
  await pool.query({
    name: 'confirm',
    text: "select pg_logical_emit_message(true, 'fiskalwerk', '')",
  })
}
