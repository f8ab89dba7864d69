// What tests of the embedded database do with a DATA_DIR.
import * as path from 'node:path'
import pg from 'pg'
import { type Database, type OpenOptions, openDatabase } from '../../src/postgres/database.js'
import { readPidFile } from '../../src/postgres/embedded/pid-file.js'
import { Child, type ChildOptions } from './child.js'

export const quietLog = { info: () => undefined, warn: () => undefined, error: () => undefined }

export function open(dataDir: string, options: Partial<OpenOptions> = {}): Promise<Database> {
  return openDatabase({ dataDir, log: quietLog, ...options })
}

export interface Opened {
  adopted: boolean
  config: pg.ClientConfig
}

export interface Refused {
  fault: string
  message: string
}

/** Opens in a process of its own; `said` is what it found. */
export async function openInChild<Said = Opened>(
  dataDir: string,
  options: Partial<OpenOptions> = {},
  user: ChildOptions = {},
): Promise<{ child: Child; said: Said }> {
  const child = new Child('open-script.ts', [JSON.stringify({ dataDir, ...options })], user)
  return { child, said: JSON.parse(await child.line()) as Said }
}

/** Rows of one statement on a connection of its own. */
export async function query(config: pg.ClientConfig, sql: string): Promise<unknown[]> {
  const client = new pg.Client(config)
  client.on('error', () => undefined)
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}

/** Process number of the PostgreSQL at work on the data folder, or undefined. */
export function postmasterOf(base: string): number | undefined {
  const found = readPidFile(path.join(base, 'postgres'))
  return found.kind === 'running' ? found.server.pid : undefined
}
