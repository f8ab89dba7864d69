// The database that DATABASE_URL names: reaches it once, or says in one sentence why not. Several
// servers share such a database, so there is no lock.
import pg from 'pg'
import { DatabaseError, errorCode } from './database-error.js'
import { closed } from './lone-client.js'
import { isLate } from './patient-client.js'

/** A server that does not answer at all is given this long, for each thing that it is asked. */
const ANSWER_MS = 5_000

export function externalConfig(url: string): pg.PoolConfig {
  return { connectionString: url, fallback_application_name: 'fiskalwerk' }
}

/**
 * Asks it something over a connection of its own. Throws DatabaseError, which never shows the
 * password.
 */
export async function askExternal<T>(
  url: string,
  ask: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = makeClient(url)
  client.on('error', () => undefined)
  try {
    await client.connect()
    return await ask(client)
  } catch (error) {
    if (error instanceof DatabaseError) throw error
    const where = `${client.host}:${client.port}`
    const what = `database "${client.database}", user "${client.user}"`
    throw new DatabaseError(
      'unreachable',
      `The database at ${where} (${what}) cannot be used: ${reasonOf(error)}.`,
    )
  } finally {
    await closed(client)
  }
}

function makeClient(url: string): pg.Client {
  try {
    if (!/^postgres(ql)?:\/\//.test(url)) throw new Error('other scheme')
    const limits = { connectionTimeoutMillis: ANSWER_MS, query_timeout: ANSWER_MS }
    return new pg.Client({ ...externalConfig(url), ...limits })
  } catch {
    // the error of the URL parser repeats its input, password included
    throw new DatabaseError(
      'unreachable',
      'DATABASE_URL is not understood: expected postgresql://user:password@host:port/database.',
    )
  }
}

const REASONS: Record<string, string> = {
  ECONNREFUSED: 'nothing listens there',
  ENOTFOUND: 'there is no such host',
  EAI_AGAIN: 'the name of the host cannot be resolved',
  EHOSTUNREACH: 'the host cannot be reached',
  ENOENT: 'there is no such socket',
  ECONNRESET: 'it closed the connection',
  '28P01': 'user or password is wrong',
  '28000': 'the user may not log in',
  '3D000': 'there is no such database',
  '53300': 'it has no connection left',
  '57P03': 'it is just starting or stopping',
}

export function reasonOf(error: unknown): string {
  if (isLate(error)) return 'it does not answer'
  const known = REASONS[errorCode(error)]
  if (known !== undefined) return known
  const text = error instanceof Error ? error.message : String(error)
  return text.replace(/\.$/, '')
}
