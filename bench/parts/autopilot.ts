// What receipts of registers in order wait longer while the autopilot is at work: 8 units that hang
// have outages all the time, which are asked for and acted upon, or left alone. Turn by turn.
import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { simulateATrust } from '../../src/simulator/devices/rksv/atrust.js'
import { findGenerator } from '../load/generator.js'
import type { LoadResult } from '../load/load.js'
import type { Options } from '../options.js'
import { type Figure, median, type PartResult } from '../report/figures.js'
import { asking, type Cluster } from '../stand/cluster.js'
import { headersOf, signOne, signPath } from '../stand/post.js'
import { saleText, startText } from '../stand/receipt.js'
import { startServer } from '../stand/server.js'
import { openShop, type Till } from '../stand/shop.js'
import { openStuck } from './devices.js'

const QUEUES = 64
/** Each with a unit of its own. */
const STUCK = 8
const WARM_UP_SECONDS = 8
const MOST_MS = 0.2
/** A policy that is changed is in force within 40 seconds: outages are looked at every 30. */
const [LOOKS, LOOK_MS] = [240, 250]
/** Few callers on many Queues: with more the wait is that for each other. */
const CASES = [
  { name: 'one client', queues: 1, clients: 1 },
  { name: `${QUEUES} queues, 8 clients`, queues: QUEUES, clients: 8 },
] as const
const POLICIES = ['act', 'off'] as const
type Policy = (typeof POLICIES)[number]

interface Row extends LoadResult {
  of: string
  policy: Policy
  round: number
}

export async function benchAutopilot(options: Options, cluster: Cluster): Promise<PartResult> {
  const masterKey = randomBytes(32)
  const device = await simulateATrust()
  const { tills } = await openShop(cluster, { masterKey, tills: QUEUES })
  const stuck = await openStuck(cluster, masterKey, { url: device.online, queues: STUCK })
  const settings = { OUTBOUND_ALLOW: `127.0.0.1:${device.port}` }
  const server = await startServer({ databaseUrl: cluster.url, masterKey, settings })
  const rows: Row[] = []
  try {
    for (const till of [...tills, ...stuck]) {
      await signOne(server.url, till, startText(till.cashBoxId, new Date().toISOString()))
    }
    device.line.script({ call: '', fault: 'slow', ms: 60_000, times: Number.MAX_SAFE_INTEGER })
    const moment = new Date().toISOString()
    for (const till of stuck) await signOne(server.url, till, saleText(till.cashBoxId, moment))
    await outagesGoOn(cluster)
    rows.push(...(await turns(options, cluster, loadOn(server.url, tills))))
    await outagesGoOn(cluster)
  } finally {
    await server.stop()
    await device.close()
  }
  return { figures: figuresOf(rows), rounds: rows.map((row) => ({ ...row })), notes: NOTES }
}

async function turns(
  { rounds, seconds }: Options,
  cluster: Cluster,
  load: ReturnType<typeof loadOn>,
): Promise<Row[]> {
  const rows: Row[] = []
  for (const one of CASES) await load(one, WARM_UP_SECONDS)
  for (let round = 0; round < rounds; round += 1) {
    await cluster.settle()
    // who goes first changes: what a round grows by is on both sides
    for (const policy of round % 2 === 0 ? POLICIES : POLICIES.toReversed()) {
      await choose(cluster, policy)
      for (const one of CASES) {
        rows.push({ of: one.name, policy, round, ...(await load(one, seconds)) })
      }
    }
  }
  return rows
}

const NOTES = [
  `Medians of the differences of each round. ${STUCK} registers have an outage all the while, ` +
    'their units hang: with act the autopilot asks them, with off nobody does.',
]

const loadOn =
  (url: string, tills: readonly Till[]) =>
  ({ queues, clients }: (typeof CASES)[number], seconds: number): Promise<LoadResult> => {
    const moment = new Date().toISOString()
    const targets = tills.slice(0, queues).map((till) => ({
      ...{ path: signPath(till), headers: headersOf(till) },
      body: saleText(till.cashBoxId, moment),
    }))
    return findGenerator().run({ url, targets, clients, seconds })
  }

/** For every register, those in order as well. */
async function choose(cluster: Cluster, policy: Policy): Promise<void> {
  await asking(cluster.config, (client) =>
    client.query('update cash_box set autopilot = $1', [policy]),
  )
  const asked = { text: 'select from unit_probe', wanted: policy === 'act' ? STUCK : 0 }
  await found(cluster, { ...asked, what: 'units are asked' })
}

/** Nothing is measured without them. */
const outagesGoOn = (cluster: Cluster): Promise<void> =>
  found(cluster, {
    text: `select from outage where ended_at is null and cause = 'device'`,
    ...{ wanted: STUCK, what: 'outages go on' },
  })

/** What is told behind an answer, and what the autopilot begins, takes a moment. */
async function found(
  cluster: Cluster,
  { text, wanted, what }: { text: string; wanted: number; what: string },
): Promise<void> {
  let count: number | null = null
  for (let left = LOOKS; left > 0; left -= 1) {
    const { rowCount } = await asking(cluster.config, (client) => client.query(text))
    count = rowCount
    if (count === wanted) return
    await sleep(LOOK_MS)
  }
  throw new Error(`${count} ${what}, not ${wanted}`)
}

function figuresOf(rows: readonly Row[]): Figure[] {
  return CASES.flatMap(({ name }) => {
    const own = rows.filter((row) => row.of === name)
    const p50 = (policy: Policy, round: number) =>
      own.find((row) => row.policy === policy && row.round === round)?.p50Ms ?? Number.NaN
    const rounds = [...new Set(own.map(({ round }) => round))]
    const added = median(rounds.map((round) => p50('act', round) - p50('off', round)))
    const without = median(rounds.map((round) => p50('off', round)))
    return [
      {
        ...{ name: `Added by the autopilot to a receipt, ${name}, p50`, value: added, unit: 'ms' },
        ...{ target: { atMost: MOST_MS }, mayBeNothing: true },
      },
      { name: `A receipt without autopilot, ${name}, p50`, value: without, unit: 'ms' },
    ]
  })
}
