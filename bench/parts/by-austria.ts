// A country over HTTP against Austria on the same server and database, turn by turn.
import { randomBytes } from 'node:crypto'
import { findGenerator } from '../load/generator.js'
import type { Target } from '../load/load.js'
import type { Options } from '../options.js'
import { type Figure, median } from '../report/figures.js'
import type { Cluster } from '../stand/cluster.js'
import { headersOf, signOne, signPath } from '../stand/post.js'
import { saleText, startText } from '../stand/receipt.js'
import { startServer } from '../stand/server.js'
import { openShop, type Shop } from '../stand/shop.js'

const QUEUES = 64
const CLIENTS = 128
const WARM_UP_SECONDS = 8

type Text = (cashBoxId: string, moment: string) => string

export interface Other {
  market: 'DE' | 'FR'
  /** As figures name it. */
  name: string
  start: Text
  sale: Text
  /** Of Austria's rate. */
  atLeast: number
}

interface Row {
  market: string
  queues: number
  perSecond: number
  p99Ms: number | null
}

export interface Compared {
  figures: Figure[]
  rows: Row[]
  masterKey: Buffer
  /** Of the other country, with a till that nobody has used. */
  shop: Shop
}

export async function byAustria(
  options: Options,
  cluster: Cluster,
  other: Other,
): Promise<Compared> {
  const masterKey = randomBytes(32)
  const sides = [
    {
      ...{ market: 'AT', start: startText, sale: saleText },
      shop: await openShop(cluster, { masterKey, tills: QUEUES + 1 }),
    },
    {
      ...other,
      shop: await openShop(cluster, { masterKey, tills: QUEUES + 2, market: other.market }),
    },
  ] as const
  const server = await startServer({ databaseUrl: cluster.url, masterKey })
  const moment = new Date().toISOString()
  const rows: Row[] = []
  try {
    for (const { shop, start } of sides) {
      for (const till of shop.tills) {
        await signOne(server.url, till, start(till.cashBoxId, new Date().toISOString()))
      }
    }
    const generator = findGenerator()
    const load = (side: (typeof sides)[number], queues: number, seconds: number) => {
      const targets = targetsOf(side, { queues, moment })
      return generator.run({ url: server.url, targets, clients: CLIENTS, seconds })
    }
    for (const side of sides) await load(side, QUEUES, WARM_UP_SECONDS)
    const turns = [QUEUES, 1].flatMap((queues) => sides.map((side) => ({ side, queues })))
    for (let round = 0; round < options.rounds; round += 1) {
      await cluster.settle()
      for (const { side, queues } of turns) {
        const measured = await load(side, queues, options.seconds)
        rows.push({ market: side.market, queues, ...measured })
      }
    }
  } finally {
    await server.stop()
  }
  const figures = [QUEUES, 1].flatMap((queues) => ratio(rows, { other, queues }))
  return { figures, rows, masterKey, shop: sides[1].shop }
}

function targetsOf(
  { shop, sale }: { shop: Shop; sale: Text },
  { queues, moment }: { queues: number; moment: string },
): Target[] {
  const tills = queues === 1 ? shop.tills.slice(QUEUES, QUEUES + 1) : shop.tills.slice(0, QUEUES)
  return tills.map((till) => ({
    path: signPath(till),
    headers: headersOf(till),
    body: sale(till.cashBoxId, moment),
  }))
}

function ratio(
  rows: readonly Row[],
  { other, queues }: { other: Other; queues: number },
): Figure[] {
  const rate = (market: string) =>
    median(
      rows
        .filter((row) => row.market === market && row.queues === queues)
        .map((row) => row.perSecond),
    )
  const name = `Signing in ${other.name}, ${queues === 1 ? 'one queue' : `${queues} queues`}`
  return [
    {
      name: `${name}, by Austria`,
      value: rate(other.market) / rate('AT'),
      unit: 'ratio',
      target: { atLeast: other.atLeast },
    },
    { name, value: rate(other.market), unit: 'receipts/s' },
    { name: `${name}: Austria beside it`, value: rate('AT'), unit: 'receipts/s' },
  ]
}
