// The yardstick: pgbench writes the same rows with one prepared statement per receipt.
import { execFile, spawnSync } from 'node:child_process'
import * as fs from 'node:fs'
import * as os from 'node:os'
import * as path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type pg from 'pg'
import { median } from '../report/figures.js'

const SCRIPT = fileURLToPath(new URL('insert.sql', import.meta.url))
const THREADS = 2

export interface Pgbench {
  program: string
  /** For instance "pgbench (PostgreSQL) 15.18". */
  version: string
}

/** PGBENCH, or pgbench in the PATH; undefined when there is none. */
export function findPgbench(): Pgbench | undefined {
  const program = process.env.PGBENCH || 'pgbench'
  const found = spawnSync(program, ['--version'], { encoding: 'utf8' })
  return found.status === 0 ? { program, version: found.stdout.trim() } : undefined
}

export interface PgbenchRun {
  config: pg.ClientConfig
  /** Values of the variables in insert.sql. */
  variables: Record<string, string>
  /** Where its tables are. */
  schema: string
  /** Number of the first queue, and how many there are. */
  first: number
  queues: number
  clients: number
  seconds: number
}

export interface PgbenchResult {
  transactions: number
  perSecond: number
  /** With one client: the median over all transactions. With more they are not logged. */
  p50Ms: number | null
}

/** Clients have queues of their own where there are enough: none waits for another one's row. */
export async function runPgbench(tool: Pgbench, run: PgbenchRun): Promise<PgbenchResult> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'fiskalwerk-pgbench-'))
  const logged = run.clients === 1
  const stride = Math.max(1, Math.floor(run.queues / run.clients))
  const step = run.queues === 1 ? 0 : stride
  const { first } = run
  const variables = { ...run.variables, first, step, stride }
  const defined = Object.entries(variables).flatMap(([name, value]) => ['-D', `${name}=${value}`])
  const size = ['-c', String(run.clients), '-j', String(Math.min(run.clients, THREADS))]
  const log = logged ? ['-l', `--log-prefix=${path.join(folder, 'log')}`] : []
  const words = [...size, '-T', String(run.seconds), ...log, '-n', '-M', 'prepared', '-f', SCRIPT]
  try {
    const env = { ...environmentOf(run.config), PGOPTIONS: `-c search_path=${run.schema}` }
    const { stdout } = await promisify(execFile)(tool.program, [...words, ...defined], { env })
    return { ...totalsOf(stdout), p50Ms: logged ? logMedian(folder) : null }
  } finally {
    fs.rmSync(folder, { recursive: true })
  }
}

function environmentOf({ host, port, user, password, database }: pg.ClientConfig) {
  return {
    PATH: process.env.PATH,
    PGHOST: host,
    PGPORT: String(port ?? ''),
    PGUSER: user,
    PGDATABASE: String(database ?? ''),
    ...(typeof password === 'string' ? { PGPASSWORD: password } : {}),
  }
}

function totalsOf(output: string): { transactions: number; perSecond: number } {
  const number = (pattern: RegExp) => Number(pattern.exec(output)?.[1] ?? Number.NaN)
  const transactions = number(/transactions actually processed: (\d+)/)
  const perSecond = number(/^tps = ([\d.]+)/m)
  const failed = number(/number of failed transactions: (\d+)/)
  if (failed > 0 || !(perSecond > 0)) throw new Error(`pgbench said: ${output}`)
  return { transactions, perSecond }
}

/** Third field of a line: microseconds from the start of the transaction to its end. */
function logMedian(folder: string): number {
  const name = fs.readdirSync(folder).find((file) => file.startsWith('log'))
  if (name === undefined) throw new Error('pgbench wrote no log')
  const lines = fs.readFileSync(path.join(folder, name), 'latin1').trim().split('\n')
  return median(lines.map((line) => Number(line.split(' ')[2]))) / 1000
}
