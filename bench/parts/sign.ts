// Signing over HTTP against pgbench on the frozen yardstick in the same database, turn by turn.
import { randomBytes } from 'node:crypto'
import { findGenerator } from '../load/generator.js'
import type { Generator } from '../load/load.js'
import { findPgbench, type Pgbench, runPgbench } from '../load/pgbench.js'
import type { Options } from '../options.js'
import { type Figure, median, type PartResult } from '../report/figures.js'
import {
  bytesOf,
  countReceipts,
  layYardstick,
  ourSide,
  YARDSTICK,
  YARDSTICK_SIDE,
} from '../stand/baseline.js'
import { asking, type Cluster } from '../stand/cluster.js'
import { type Observed, observing } from '../stand/observe.js'
import { headersOf, signOne, signPath } from '../stand/post.js'
import { saleText, startText } from '../stand/receipt.js'
import { type Server, startServer } from '../stand/server.js'
import { openShop, type Shop } from '../stand/shop.js'

const QUEUES = 64
const CLIENTS = 128
/** V8 goes on compiling for some tens of thousands of receipts. */
const WARM_UP_SECONDS = 10

/** One measurement of either side. */
interface Turn extends Partial<Observed> {
  queues: number
  side: 'fiskalwerk' | 'pgbench'
  clients: number
  requests: number
  perSecond: number
  p50Ms: number | null
  p99Ms?: number
  resolutionMs?: number
}

interface Stand {
  options: Options
  cluster: Cluster
  server: Server
  shop: Shop
  generator: Generator
  pgbench: Pgbench | undefined
  /** Variables for pgbench. */
  yardstick: Record<string, string>
  moment: string
}

export async function benchSign(options: Options, cluster: Cluster): Promise<PartResult> {
  const masterKey = randomBytes(32)
  const shop = await openShop(cluster, { masterKey, tills: QUEUES + 1 })
  const { profile } = options
  const server = await startServer({
    ...{ databaseUrl: cluster.url, masterKey, profile, countsAllocation: true },
  })
  try {
    const stand = await prepare({ options, cluster, server, shop })
    const turns: Turn[] = []
    await load(stand, QUEUES, { clients: CLIENTS, seconds: WARM_UP_SECONDS })
    for (let round = 1; round <= options.rounds; round += 1) {
      for (const queues of [QUEUES, 1]) turns.push(...(await roundOf(stand, queues)))
    }
    const stored = await prove(stand, turns)
    return {
      figures: [...comparisons(turns), ...costs(turns), ...stored],
      rounds: turns.map((turn) => ({ ...turn })),
      notes: notesOf(stand),
    }
  } finally {
    await server.stop()
  }
}

type Opened = Pick<Stand, 'options' | 'cluster' | 'server' | 'shop'>

/** Starts every queue, and lays out the yardstick beside them. */
async function prepare(opened: Opened): Promise<Stand> {
  const { cluster, server, shop } = opened
  const moment = new Date().toISOString()
  for (const till of shop.tills) {
    await signOne(server.url, till, startText(till.cashBoxId, moment))
  }
  const yardstick = await asking(cluster.config, (client) =>
    layYardstick(client, shop.tills.length),
  )
  return { ...opened, moment, yardstick, generator: findGenerator(), pgbench: findPgbench() }
}

async function roundOf(stand: Stand, queues: number): Promise<Turn[]> {
  const { seconds } = stand.options
  const turns: Turn[] = []
  for (const clients of queues === 1 ? [1, 8, 32] : [8, 32]) {
    const turn = await measure(stand, { queues, clients, seconds })
    if (turn !== undefined) turns.push(turn)
  }
  turns.push(await load(stand, queues, { clients: CLIENTS, seconds }))
  if (queues === 1) turns.push(await load(stand, queues, { clients: 1, seconds }))
  return turns
}

/** The single queue is the last one, on both sides. */
async function measure(
  { pgbench, cluster, yardstick }: Stand,
  size: { queues: number; clients: number; seconds: number },
): Promise<Turn | undefined> {
  if (pgbench === undefined) return undefined
  await cluster.settle()
  const { transactions, perSecond, p50Ms } = await runPgbench(pgbench, {
    ...size,
    config: cluster.config,
    ...{ variables: yardstick, schema: YARDSTICK },
    first: size.queues === 1 ? QUEUES + 1 : 1,
  })
  const { queues, clients } = size
  return { queues, side: 'pgbench', clients, requests: transactions, perSecond, p50Ms }
}

async function load(
  { server, cluster, shop, generator, moment }: Stand,
  queues: number,
  { clients, seconds }: { clients: number; seconds: number },
): Promise<Turn> {
  const tills = queues === 1 ? shop.tills.slice(QUEUES) : shop.tills.slice(0, QUEUES)
  const targets = tills.map((till) => ({
    path: signPath(till),
    headers: headersOf(till),
    body: saleText(till.cashBoxId, moment),
  }))
  const { url } = server
  const run = () => generator.run({ url, targets, clients, seconds })
  // what one turn has written is written back half a minute later, in the middle of another
  await cluster.settle()
  return { queues, side: 'fiskalwerk', clients, ...(await observing({ server, cluster }, run)) }
}

// ------------------------------------------------------------------- conclusions

function ours(turns: Turn[], queues: number, clients: number): Turn[] {
  return turns.filter(
    (turn) => turn.side === 'fiskalwerk' && turn.queues === queues && turn.clients === clients,
  )
}

/** The median of pgbench with the number of clients at which it is best. */
function best(turns: Turn[], queues: number): number | undefined {
  const theirs = turns.filter((turn) => turn.side === 'pgbench' && turn.queues === queues)
  const medians = [...new Set(theirs.map((turn) => turn.clients))].map((clients) =>
    median(theirs.filter((turn) => turn.clients === clients).map((turn) => turn.perSecond)),
  )
  return medians.length === 0 ? undefined : Math.max(...medians)
}

function comparisons(turns: Turn[]): Figure[] {
  return [...rates(turns, QUEUES, 0.9), ...rates(turns, 1, 2.6), ...waits(turns)]
}

function rates(turns: Turn[], queues: number, atLeast: number): Figure[] {
  const name = `Signing, ${queues === 1 ? 'one queue' : `${queues} queues`}, ${CLIENTS} clients`
  const rate = median(ours(turns, queues, CLIENTS).map((turn) => turn.perSecond))
  const yardstick = best(turns, queues)
  const figures: Figure[] = [{ name, value: rate, unit: 'receipts/s' }]
  if (yardstick === undefined) return figures
  const ratio: Figure = { name: `${name}, by pgbench`, value: rate / yardstick, unit: 'ratio' }
  return [
    { ...ratio, target: { atLeast } },
    ...figures,
    {
      name: `pgbench, ${queues === 1 ? 'one queue' : `${queues} queues`}, at its best`,
      value: yardstick,
      unit: 'receipts/s',
    },
  ]
}

function waits(turns: Turn[]): Figure[] {
  const worst = [QUEUES, 1].map((queues) => {
    const many = ours(turns, queues, CLIENTS)
    const p99Ms = median(many.map((turn) => turn.p99Ms ?? Number.NaN))
    return { p99Ms, byP50: p99Ms / median(many.map((turn) => turn.p50Ms ?? Number.NaN)) }
  })
  const alone = median(ours(turns, 1, 1).map((turn) => turn.p50Ms ?? Number.NaN))
  const resolution = Math.max(...ours(turns, 1, 1).map((turn) => turn.resolutionMs ?? 0))
  const theirs = turns.filter((turn) => turn.side === 'pgbench' && turn.clients === 1)
  const figures: Figure[] = [
    {
      name: `Signing, ${CLIENTS} clients, p99 by p50, the slower case`,
      value: Math.max(...worst.map(({ byP50 }) => byP50)),
      unit: 'ratio',
      target: { atMost: 4 },
    },
    {
      name: `Signing, ${CLIENTS} clients, p99 of the slower case`,
      value: Math.max(...worst.map(({ p99Ms }) => p99Ms)),
      unit: 'ms',
      resolution,
    },
    { name: 'Signing, one client, p50', value: alone, unit: 'ms', resolution },
  ]
  if (theirs.length === 0) return figures
  const value = alone / median(theirs.map((turn) => turn.p50Ms ?? Number.NaN))
  const name = 'Signing, one client, p50, by pgbench'
  return [{ name, value, unit: 'ratio', target: { atMost: 2.5 } }, ...figures]
}

/** Told in signatures as well: those do not depend on the machine. */
function costs(turns: Turn[]): Figure[] {
  const many = ours(turns, QUEUES, CLIENTS)
  const of = (key: keyof Observed) => median(many.map((turn) => turn[key] ?? Number.NaN))
  const inSignatures = (key: 'cpuMicros' | 'postgresMicros') =>
    median(many.map((turn) => (turn[key] ?? Number.NaN) / (turn.signatureMicros ?? Number.NaN)))
  const unit = 'signatures'
  const server = inSignatures('cpuMicros')
  const database = inSignatures('postgresMicros')
  return [
    { name: 'Cost of a receipt, server', value: server, unit, target: { atMost: 7 } },
    { name: 'Cost of a receipt, PostgreSQL', value: database, unit, target: { atMost: 3.8 } },
    {
      name: 'Allocated by V8 per receipt',
      ...{ value: of('allocatedKb'), unit: 'kB', target: { atMost: 40 } },
    },
    { name: 'Processor time of the server per receipt', value: of('cpuMicros'), unit: 'µs' },
    { name: 'Processor time of PostgreSQL per receipt', value: of('postgresMicros'), unit: 'µs' },
    { name: 'Processor time of one signature', value: of('signatureMicros'), unit: 'µs' },
    { name: 'Receipts per statement', value: of('perStatement'), unit: 'receipts' },
    { name: 'Machine in use while signing', value: of('busy') * 100, unit: '%' },
  ]
}

/** Throws when what is stored is not what was answered. */
async function prove({ cluster, shop }: Stand, turns: Turn[]): Promise<Figure[]> {
  return asking(cluster.config, async (client) => {
    const sides = [
      { side: 'fiskalwerk', ...ourSide(shop.accountId) },
      { side: 'pgbench', ...YARDSTICK_SIDE },
    ]
    const figures: Figure[] = []
    for (const { side, ...where } of sides) {
      const answered = turns
        .filter((turn) => turn.side === side)
        .reduce((sum, turn) => sum + turn.requests, 0)
      const stored = await countReceipts(client, where)
      if (stored < answered) throw new Error(`${side}: ${answered} answered, ${stored} stored`)
      if (stored === 0) continue
      const value = await bytesOf(client, where)
      figures.push({ name: `Bytes stored per receipt, ${side}`, value, unit: 'bytes' })
    }
    return figures
  })
}

function notesOf({ generator, pgbench }: Stand): string[] {
  return [
    `Load by ${generator.name}.`,
    pgbench === undefined
      ? 'pgbench was not found, so there are no ratios: install it or set PGBENCH.'
      : `Yardstick: ${pgbench.version}, prepared, one statement per receipt, tables of 2026-11-25.`,
  ]
}
