// Logs in at the embedded PostgreSQL, and makes role and database when they are not there yet. The
// server works as the role `fiskalwerk`, which is no superuser.
import pg from 'pg'
import { errorCode } from '../database-error.js'
import { SUPERUSER } from './cluster.js'
import type { Endpoint } from './endpoint.js'

export const ROLE = 'fiskalwerk'
export const DATABASE = 'fiskalwerk'

/** For pg.Pool and pg.Client. `ssl` is said because an environment variable could ask for it. */
export function loginConfig(endpoint: Endpoint, user: string, database: string) {
  const { host, port, password } = endpoint
  return {
    host,
    port,
    user,
    database,
    ssl: false,
    ...(password === undefined ? {} : { password }),
    fallback_application_name: 'fiskalwerk',
  }
}

export type LoginConfig = ReturnType<typeof loginConfig>

/** 28000: no such role (28P01 with passwords); 3D000: no such database. */
const NOT_MADE_YET = ['28000', '28P01', '3D000']

/** A connected client of the server's role. */
export async function logIn(endpoint: Endpoint): Promise<pg.Client> {
  const config = loginConfig(endpoint, ROLE, DATABASE)
  try {
    return await connect(config)
  } catch (error) {
    if (!NOT_MADE_YET.includes(errorCode(error))) throw error
  }
  await makeRoleAndDatabase(endpoint)
  return connect(config)
}

export async function connect(config: pg.ClientConfig): Promise<pg.Client> {
  const client = new pg.Client(config)
  // without a listener a connection that breaks later would end the process
  client.on('error', () => undefined)
  await client.connect()
  return client
}

/** 42710, 23505, 3D000: another process made them in this very moment. */
const MADE_ALREADY = ['42710', '23505', '3D000']

/** A new cluster has an empty database `postgres`: renaming it is faster than making another. */
async function makeRoleAndDatabase(endpoint: Endpoint): Promise<void> {
  const client = await connect(loginConfig(endpoint, SUPERUSER, 'template1'))
  const { password } = endpoint
  const secret = password === undefined ? '' : ` password ${client.escapeLiteral(password)}`
  try {
    await client.query(`begin; create role ${ROLE} login${secret};
      alter database postgres rename to ${DATABASE};
      alter database ${DATABASE} owner to ${ROLE};
      comment on database ${DATABASE} is 'the ledger of fiskalwerk'; commit`)
  } catch (error) {
    if (!MADE_ALREADY.includes(errorCode(error))) throw error
  } finally {
    await client.end()
  }
}
