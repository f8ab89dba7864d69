// A journal of many rows that a server streams through one of its doors: how long it takes, and how
// much memory.
import { performance } from 'node:perf_hooks'
import pg from 'pg'
import type { Figure } from '../report/figures.js'
import type { Cluster } from './cluster.js'
import { memoryOf, peakWatch } from './process-figures.js'
import type { Till } from './shop.js'

const MEBIBYTE = 1024 * 1024
/** Rows that are read before the memory is looked at: what a first call fills is not growth. */
const FIRST_ROWS = 1000n

/** The raw journal of Austria: one row for each receipt. */
export const RAW_AUSTRIA = 0x4154n

/** Rows of the raw journal as large as real ones, behind those of the queue. */
export async function fillJournal(cluster: Cluster, till: Till, rows: number): Promise<void> {
  const client = new pg.Client(cluster.config)
  await client.connect()
  try {
    await client.query(
      `insert into market_journal (account_id, queue_id, time_stamp, id, kind, number,
         queue_item_id, content)
       select account_id, $1, 700000000000000000 + n, gen_random_uuid(), 'rksv', n + 1000000000,
         gen_random_uuid(),
         'eyJhbGciOiJFUzI1NiJ9.' || repeat(md5(n::text), 7) || '.' || repeat(md5(n::text), 2)
       from generate_series(1, $2::int) n,
         (select account_id from queue where id = $1) as owner`,
      [till.queueId, rows],
    )
  } finally {
    await client.end()
  }
}

export interface LongJournal {
  /** `gRPC`. */
  door: string
  rows: number
  /** Of the server. */
  pid: number
  /** `to` of a journal call; gives the bytes that came over the wire. */
  download(to: bigint): Promise<number>
}

/** Of a server that has not done much before: what a load leaves behind would hide the growth. */
export async function journalFigures(journal: LongJournal): Promise<Figure[]> {
  const { door, rows, pid, download } = journal
  await download(-FIRST_ROWS)
  const before = memoryOf(pid)?.now ?? Number.NaN
  const watch = peakWatch(pid)
  const from = performance.now()
  const bytes = await download(0n)
  const seconds = (performance.now() - from) / 1000
  const grown = (watch.end() - before) / MEBIBYTE
  return [
    { name: `Journal of ${rows} rows over ${door}`, value: seconds, unit: 's' },
    { name: 'of', value: bytes / MEBIBYTE, unit: 'MB on the wire' },
    {
      name: `Journal over ${door}, growth of resident memory`,
      value: grown,
      unit: 'MB',
      target: { atMost: 64 },
    },
  ]
}
