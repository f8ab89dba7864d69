// Receipts through the PosSystem API against the Middleware interface of the same server, turn by
// turn, and replays with many operations stored.
import { randomBytes, randomUUID } from 'node:crypto'
import { performance } from 'node:perf_hooks'
import type { Target } from '../load/load.js'
import type { Options } from '../options.js'
import { type Figure, median, type PartResult } from '../report/figures.js'
import { asking, type Cluster } from '../stand/cluster.js'
import { headersOf, signOne, signPath } from '../stand/post.js'
import { NUMBER_MARK, numbered, saleText, startText } from '../stand/receipt.js'
import { type Server, startServer } from '../stand/server.js'
import { openShop, type Shop, type Till } from '../stand/shop.js'
import { taking } from '../stand/turns.js'

const QUEUES = 64
/** Operations beside those that the load has left. */
const STORED = 10_000_000
const REPLAYS = 2000
const AUSTRIA_V0 = /4707387510509(\d{6})/g
const V2_OFFSET = 0x2000_0000_0000n

const DOORS = ['middleware', 'possystem'] as const
type Door = (typeof DOORS)[number]

export async function benchPosSystem(options: Options, cluster: Cluster): Promise<PartResult> {
  const masterKey = randomBytes(32)
  const shop = await openShop(cluster, { masterKey, tills: QUEUES })
  const { profile } = options
  const server = await startServer({ databaseUrl: cluster.url, masterKey, profile })
  const moment = new Date().toISOString()
  try {
    for (const till of shop.tills) {
      await signOne(server.url, till, startText(till.cashBoxId, moment))
    }
    const { rows, rate } = await taking({ options, cluster, server }, DOORS, (door) =>
      shop.tills.map((till) => targetOf(door, till, moment)),
    )
    const replays = await replayTimes({ cluster, server, shop, moment })
    return {
      figures: [...signFigures(rate), ...replayFigures(replays)],
      rounds: rows.map((row) => ({ ...row })),
      notes: [
        'Both doors take turns on one server; every call through the PosSystem API has an ' +
          'operation id of its own.',
        `Replays: one client, ${STORED} operations in the table.`,
      ],
    }
  } finally {
    await server.stop()
  }
}

function signFigures(rate: (door: Door) => number): Figure[] {
  return [
    {
      name: `Signing through the PosSystem API, ${QUEUES} queues, by the Middleware`,
      value: rate('possystem') / rate('middleware'),
      unit: 'ratio',
      target: { atLeast: 0.8 },
    },
    { name: 'PosSystem API', value: rate('possystem'), unit: 'receipts/s' },
    { name: 'Middleware beside it', value: rate('middleware'), unit: 'receipts/s' },
  ]
}

function replayFigures(times: readonly number[]): Figure[] {
  const sorted = [...times].sort((a, b) => a - b)
  return [
    {
      name: `Replay of a receipt, ${STORED} operations stored, median`,
      value: median(times),
      unit: 'ms',
      target: { atMost: 2 },
    },
    { name: 'Replay, p99', value: sorted[Math.floor(sorted.length * 0.99)] ?? 0, unit: 'ms' },
  ]
}

function targetOf(door: Door, till: Till, moment: string): Target {
  const body = saleText(till.cashBoxId, moment)
  if (door === 'middleware') return { path: signPath(till), headers: headersOf(till), body }
  // a run's own prefix: what an earlier run has sent would be replayed
  const prefix = randomUUID().slice(0, 24)
  return {
    path: '/v2/sign',
    headers: posHeaders(till, `${prefix}00${NUMBER_MARK}`),
    body: asV2(body),
  }
}

const posHeaders = (till: Till, operationId: string): Record<string, string> => ({
  'x-cashbox-id': till.cashBoxId,
  'x-cashbox-accesstoken': till.accessToken,
  'x-possystem-id': '00000000-0000-0000-0000-000000000000',
  'x-operation-id': operationId,
  'content-type': 'application/json',
})

/** The same sale: codes 0 and 1 of receipts and payments mean the same in both taggings. */
function asV2(text: string): string {
  return text.replace(AUSTRIA_V0, (word) => String(BigInt(word) + V2_OFFSET))
}

interface Replaying {
  cluster: Cluster
  server: Server
  shop: Shop
  moment: string
}

/** Milliseconds of each replay, after ten million further operations were stored. */
async function replayTimes({ cluster, server, shop, moment }: Replaying): Promise<number[]> {
  const till = shop.tills[0]
  if (till === undefined) throw new Error('the shop has no till')
  const body = numbered(asV2(saleText(till.cashBoxId, moment)), 1)
  const ids = Array.from({ length: 100 }, () => randomUUID())
  const post = async (id: string): Promise<number> => {
    const init = { method: 'POST', headers: posHeaders(till, id), body }
    const from = performance.now()
    const response = await fetch(`${server.url}/v2/sign`, init)
    await response.text()
    if (!response.ok) throw new Error(`sign answered ${response.status}`)
    return performance.now() - from
  }
  for (const id of ids) await post(id)
  await fill(cluster, { accountId: shop.accountId, cashBoxId: till.cashBoxId })
  const times: number[] = []
  for (let at = 0; at < REPLAYS; at += 1) times.push(await post(ids[at % ids.length] ?? ''))
  return times.slice(REPLAYS / 10)
}

async function fill(
  cluster: Cluster,
  { accountId, cashBoxId }: { accountId: string; cashBoxId: string },
): Promise<void> {
  await asking(cluster.config, async (client) => {
    await client.query(
      `insert into operation (account_id, cash_box_id, id, path, request_hash, state, status,
         content_type, response, started_at, finished_at)
       select $1, $2, gen_random_uuid(), '/v2/echo', decode(repeat('00', 32), 'hex'), 'done', 200,
         'application/json; charset=utf-8', '{"Message":"x"}', now(), now()
       from generate_series(1, ${STORED})`,
      [accountId, cashBoxId],
    )
    await client.query('vacuum analyze operation')
  })
}
