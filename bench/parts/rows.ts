// Signing with many rows stored and with few: two databases, two servers, turn by turn.
import { randomBytes } from 'node:crypto'
import { findGenerator } from '../load/generator.js'
import type { LoadResult } from '../load/load.js'
import type { Options } from '../options.js'
import { type Figure, median, type PartResult } from '../report/figures.js'
import { asking, type Cluster, startCluster } from '../stand/cluster.js'
import { headersOf, signOne, signPath } from '../stand/post.js'
import { saleText, startText } from '../stand/receipt.js'
import { type Server, startServer } from '../stand/server.js'
import { openShop, type Shop } from '../stand/shop.js'

const TILLS = 8
const CLIENTS = 4
const SIZES = { few: 10_000, many: 10_000_000 } as const
const WARM_UP_SECONDS = 8
/** Rows of one statement of the filling. */
const PIECE = 250_000

type Size = keyof typeof SIZES

interface Stand {
  cluster: Cluster
  server: Server
  sign(seconds: number): Promise<LoadResult>
}

type Round = Record<Size, LoadResult>

/** The few rows are in the database of the bench, the many in one of their own. */
export async function benchRows(options: Options, cluster: Cluster): Promise<PartResult> {
  const large = await startCluster()
  const stands: Partial<Record<Size, Stand>> = {}
  try {
    const few = await standOf(cluster, 'few')
    stands.few = few
    const many = await standOf(large, 'many')
    stands.many = many
    const rounds = await roundsOf(options, { few, many })
    return {
      figures: figuresOf(rounds),
      rounds: rounds.map((round) => ({ ...round })),
      notes: [
        `Rows: ${SIZES.few} and ${SIZES.many} in the two tables that a receipt writes, half of ` +
          `them each, of the ${TILLS} queues that sign; ${CLIENTS} clients; databases take turns.`,
      ],
    }
  } finally {
    await Promise.all([stands.few?.server.stop(), stands.many?.server.stop()])
    await large.stop()
  }
}

async function standOf(cluster: Cluster, size: Size): Promise<Stand> {
  const masterKey = randomBytes(32)
  const shop = await openShop(cluster, { masterKey, tills: TILLS })
  const server = await startServer({ databaseUrl: cluster.url, masterKey })
  const moment = new Date().toISOString()
  for (const till of shop.tills) {
    await signOne(server.url, till, startText(till.cashBoxId, moment))
  }
  await fill(cluster, shop, SIZES[size] / 2)
  const generator = findGenerator()
  const targets = shop.tills.map((till) => ({
    ...{ path: signPath(till), headers: headersOf(till) },
    body: saleText(till.cashBoxId, moment),
  }))
  const sign = (seconds: number) =>
    generator.run({ url: server.url, targets, clients: CLIENTS, seconds })
  return { cluster, server, sign }
}

/** Items and receipts as large as small ones, older than what the queues have signed. */
async function fill(cluster: Cluster, { tills }: Shop, rows: number): Promise<void> {
  const queues = tills.map(({ queueId }) => queueId)
  await asking(cluster.config, async (client) => {
    for (let first = 0; first < rows; first += PIECE) {
      const values = [queues, first, Math.min(rows, first + PIECE) - 1]
      for (const text of [ITEMS, RECEIPTS]) await client.query(text, values)
    }
    await client.query('vacuum analyze queue_item, recorded_receipt')
  })
}

/** Each row of one queue after the other. */
const FROM = `from generate_series($2::int, $3::int) n
  join unnest($1::uuid[]) with ordinality q(id, at) on q.at = n % cardinality($1::uuid[]) + 1
  join queue k on k.id = q.id`
const ITEMS = `insert into queue_item (account_id, queue_id, row, id, queue_moment, timeout_ms,
    work_moment, done_moment, receipt_moment, terminal_id, receipt_reference, country, version,
    request, request_hash, response, response_hash, processing_version, time_stamp)
  select k.account_id, q.id, n + 1000000000, gen_random_uuid(), now(), 0,
    now(), now(), now(), '1', 'old-' || n, 'AT', 'v1',
    '{"old":' || n || '}', sha256(n::text::bytea), '{}', sha256('{}'), '', 600000000000000000 + n
  ${FROM}`
const RECEIPTS = `insert into recorded_receipt (account_id, queue_id, time_stamp, id,
    receipt_moment, receipt_number, receipt_total, queue_item_id, receipt_hash, market_id, kind,
    number, content)
  select k.account_id, q.id, 600000000000000000 + n, gen_random_uuid(),
    now(), n + 1000000000, 1, gen_random_uuid(), sha256(n::text::bytea), gen_random_uuid(), 'rksv',
    n + 1000000000, repeat(md5(n::text), 9)
  ${FROM}`

async function roundsOf(options: Options, stands: Record<Size, Stand>): Promise<Round[]> {
  for (const { sign } of [stands.few, stands.many]) await sign(WARM_UP_SECONDS)
  const rounds: Round[] = []
  while (rounds.length < options.rounds) {
    const measured = async ({ cluster, sign }: Stand) => {
      await cluster.settle()
      return sign(options.seconds)
    }
    rounds.push({ few: await measured(stands.few), many: await measured(stands.many) })
  }
  return rounds
}

function figuresOf(rounds: readonly Round[]): Figure[] {
  const of = (size: Size, name: 'p50Ms' | 'p99Ms') =>
    median(rounds.map((round) => round[size][name]))
  const ratio = (name: 'p50Ms' | 'p99Ms') => of('many', name) / of('few', name)
  const [many, few] = [`with ${SIZES.many} rows stored`, `with ${SIZES.few}`]
  return [
    {
      name: `Median of signing ${many}, by the median ${few}`,
      ...{ value: ratio('p50Ms'), unit: 'times as long', target: { atMost: 1.3 } },
    },
    { name: `p99 of signing ${many}, by p99 ${few}`, value: ratio('p99Ms'), unit: 'times as long' },
    { name: `Median of signing ${many}`, value: of('many', 'p50Ms'), unit: 'ms' },
  ]
}
