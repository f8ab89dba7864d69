// One pool for everything: Prisma for ordinary reads and writes, plain SQL for the sign path and
// the exports. Made once by deps.ts.
import { PrismaPg } from '@prisma/adapter-pg'
import { LRUCache } from 'lru-cache'
import pg from 'pg'
import { fail } from '../errors.js'
import { PrismaClient } from '../generated/prisma/client.js'
import type { Sealer } from '../lib/seal.js'
import type { Spans } from '../lib/spans.js'
import type { Branding } from '../model/branding.js'
import { readyByIndex, refuseStandby, watchCommits } from './durable.js'
import { traceStatements } from './statement-spans.js'
import { type Writes, watchWrites } from './writes.js'

export interface Store {
  pool: pg.Pool
  prisma: PrismaClient
  sealer: Sealer
  /** For connections beside the pool. */
  connection: pg.PoolConfig
  writes: Writes
  /** Settings of receipts that were shown last, by their versions: nothing old is ever used. */
  brandings: LRUCache<string, Branding>
  /** The few texts of the sign statement that there are, by their names. */
  signTexts: Map<string, string>
  /** Where the rows that it moves were seen; see sign/sign-statement.ts. */
  signPlaces: SignPlaces
  close(): Promise<void>
}

/** At a version of the row, its ctid as PostgreSQL tells it. */
export interface SeenPlace {
  version: bigint
  place: string
}

/** By the ids of rows. */
export interface SignPlaces {
  queues: Map<string, SeenPlace>
  units: Map<string, SeenPlace>
}

export interface StoreOptions {
  connection: pg.PoolConfig
  /** Most connections at a time. */
  size: number
  sealer: Sealer
  /** Longest wait for a connection or an answer, in milliseconds; left out: the usual ones. */
  patienceMs?: number
  /**
   * Plans go by indexes: a table of few rows that move often is mostly states that they had, and
   * PostgreSQL would read all of it for as long as it takes it for small.
   */
  byIndex?: boolean
  /** Left out: statements are in no trace. */
  spans?: Spans | undefined
  /** Told when an idle connection breaks; the pool replaces it by itself. */
  onBroken(error: Error): void
}

const BRANDINGS = 1000
const CONNECT_MS = 3_000
const STATEMENT_MS = 5_000

// 64-bit integers arrive as bigint; without this pg hands them over as text. Only on this pool's
// plain queries: Prisma brings its own parsers and wants the text.
const types = new pg.TypeOverrides()
types.setTypeParser(pg.types.builtins.INT8, (text) => BigInt(text))

export function openStore(options: StoreOptions): Store {
  const { patienceMs = STATEMENT_MS + 1_000 } = options
  const pool = new pg.Pool({
    ...options.connection,
    types,
    max: options.size,
    connectionTimeoutMillis: Math.min(CONNECT_MS, patienceMs),
    statement_timeout: Math.min(STATEMENT_MS, patienceMs),
    query_timeout: Math.min(STATEMENT_MS + 1_000, patienceMs),
    keepAlive: true,
    verify: options.byIndex === true ? readyByIndex : refuseStandby,
  })
  let isClosing = false
  pool.on('error', (error) => {
    // the database may end a connection before it has read that nobody wants it any more
    if (!isClosing) options.onBroken(error)
  })
  if (options.spans !== undefined) traceStatements(pool, options.spans)
  const writes = watchWrites()
  pool.on('connect', (client) => {
    writes.watch(client)
    watchCommits(client)
  })
  const prisma = new PrismaClient({ adapter: new PrismaPg(pool) })
  return {
    pool,
    prisma,
    sealer: options.sealer,
    connection: options.connection,
    writes,
    brandings: new LRUCache({ max: BRANDINGS }),
    signTexts: new Map(),
    signPlaces: { queues: new Map(), units: new Map() },
    close: async () => {
      isClosing = true
      await prisma.$disconnect()
      await pool.end()
    },
  }
}

/** Limits of an interactive transaction, written out because Prisma's own are surprising. */
export const TRANSACTION = { maxWait: 3_000, timeout: 10_000 } as const

/** System and Prisma codes of a database that is not there, or not to be had right now. */
const AWAY = new Set(
  [
    'ECONNREFUSED',
    'ECONNRESET',
    'ENOENT',
    'EPIPE',
    'ETIMEDOUT',
    'EHOSTUNREACH',
    'ENETUNREACH',
  ].concat(
    ['ENOTFOUND', 'EAI_AGAIN', 'P1001', 'P1002', 'P1008', 'P1017', 'P2024', 'P2028'],
    // a standby that took over the address, a database that is being restored
    ['25006'],
  ),
)

/**
 * Classes 08 connection, 53 resources, 57 operator (shutdown, cancelled, timed out), 58 its disk.
 */
const AWAY_CLASS = /^(08|53|57|58)[0-9A-Z]{3}$/
const AWAY_TEXT =
  /connection (terminated|timeout)|timeout (exceeded|expired)|query read timeout|not queryable/i

/**
 * True when an error says that the database is away or gave up, not that the statement was wrong.
 */
export function isAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const codes = ['code' in error ? String(error.code) : '', codeBehind(error)]
  const says = codes.some((code) => AWAY.has(code) || AWAY_CLASS.test(code))
  return says || AWAY_TEXT.test(error.message)
}

/** PostgreSQL's own code, which Prisma hides behind one of its own; '' where there is none. */
function codeBehind(error: Error): string {
  const meta: unknown = Reflect.get(error, 'meta')
  const adapter: unknown = Reflect.get(Object(meta), 'driverAdapterError') ?? error
  const cause: unknown = Reflect.get(Object(adapter), 'cause')
  return String(Reflect.get(Object(cause), 'originalCode') ?? '')
}

/** Serialization failure and deadlock: rolled back for certain, and worth the same try again. */
const CONFLICT = new Set(['40001', '40P01'])

export function isConflict(error: unknown): boolean {
  return error instanceof Error && 'code' in error && CONFLICT.has(String(error.code))
}

/**
 * True when a statement broke because a row is there already: as a rule the operation of a receipt.
 * Which one it is says a look at the rows, not the name of a constraint.
 */
export function isThereAlready(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '23505'
}

/** Runs work that needs the database; its being away becomes a refusal that says "try again". */
export async function reaching<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (isAway(error)) throw fail('DATABASE_AWAY')
    throw error
  }
}
