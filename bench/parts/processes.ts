// Two server processes behind one port against one, and against pgbench on the frozen yardstick, by
// turns on one database; every client is a till that keeps its connection.
import { randomBytes } from 'node:crypto'
import type { LoadResult } from '../load/load.js'
import { findPgbench, runPgbench } from '../load/pgbench.js'
import { runSockets } from '../load/sockets.js'
import type { Options } from '../options.js'
import { type Figure, median, type PartResult } from '../report/figures.js'
import { layYardstick, YARDSTICK } from '../stand/baseline.js'
import { asking, type Cluster } from '../stand/cluster.js'
import { headersOf, signOne, signPath } from '../stand/post.js'
import { saleText, startText } from '../stand/receipt.js'
import { startServer } from '../stand/server.js'
import { openShop } from '../stand/shop.js'

const QUEUES = 64
const CLIENTS = 128
/** For each process: code is made fast by how often it has run, and two share the receipts. */
const WARM_UP_SECONDS = 8
const COUNTS = [1, 2] as const
/** At which pgbench is best on two processors. */
const PGBENCH_CLIENTS = [8, 32]

type Row = LoadResult & { processes: number }

export async function benchProcesses(options: Options, cluster: Cluster): Promise<PartResult> {
  const masterKey = randomBytes(32)
  const shop = await openShop(cluster, { masterKey, tills: QUEUES })
  const moment = new Date().toISOString()
  const targets = shop.tills.map((till) => ({
    ...{ path: signPath(till), headers: headersOf(till) },
    body: saleText(till.cashBoxId, moment),
  }))
  const rows: Row[] = []
  const measure = async (processes: number, isFirst: boolean): Promise<void> => {
    const settings = { PROCESSES: String(processes) }
    const server = await startServer({ databaseUrl: cluster.url, masterKey, settings })
    const load = (seconds: number) =>
      runSockets({ url: server.url, targets, clients: CLIENTS, seconds, keepsTarget: true })
    try {
      for (const till of isFirst ? shop.tills : []) {
        await signOne(server.url, till, startText(till.cashBoxId, moment))
      }
      await load(WARM_UP_SECONDS * processes)
      await cluster.settle()
      rows.push({ processes, ...(await load(options.seconds)) })
    } finally {
      await server.stop()
    }
  }
  const yardstick = await yardstickOn(cluster, options.seconds)
  for (let round = 0; round < options.rounds; round += 1) {
    for (const processes of COUNTS) await measure(processes, rows.length === 0)
    await yardstick.measure()
  }
  const rate = (processes: number) =>
    median(rows.filter((row) => row.processes === processes).map((row) => row.perSecond))
  return {
    figures: [
      ...yardstick.figures(rate(2)),
      {
        ...{ name: 'Signing, two processes, by one', value: rate(2) / rate(1) },
        ...{ unit: 'ratio', target: { atLeast: 1.1 } },
      },
      { name: 'Signing, two processes', value: rate(2), unit: 'receipts/s' },
      { name: 'Signing, one process beside it', value: rate(1), unit: 'receipts/s' },
    ],
    rounds: rows.map((row) => ({ ...row })),
    notes: [
      `${QUEUES} queues, ${CLIENTS} clients, each with a CashBox and a connection of its own; ` +
        'one and two processes and pgbench take turns on one database.',
    ],
  }
}

/** pgbench with as many queues; without it there is no such figure. */
async function yardstickOn(cluster: Cluster, seconds: number) {
  const pgbench = findPgbench()
  const variables = await asking(cluster.config, (client) => layYardstick(client, QUEUES))
  const rates = new Map<number, number[]>(PGBENCH_CLIENTS.map((clients) => [clients, []]))
  return {
    measure: async (): Promise<void> => {
      if (pgbench === undefined) return
      for (const [clients, found] of rates) {
        await cluster.settle()
        const { perSecond } = await runPgbench(pgbench, {
          ...{ queues: QUEUES, clients, seconds, variables },
          ...{ config: cluster.config, schema: YARDSTICK, first: 1 },
        })
        found.push(perSecond)
      }
    },
    figures: (ours: number): Figure[] => {
      if (pgbench === undefined) return []
      const value = Math.max(...[...rates.values()].map(median))
      return [
        {
          ...{ name: 'Signing, 64 queues, two processes, by pgbench', value: ours / value },
          ...{ unit: 'ratio', target: { atLeast: 0.9 } },
        },
        { name: 'pgbench beside the processes', value, unit: 'receipts/s' },
      ]
    },
  }
}
