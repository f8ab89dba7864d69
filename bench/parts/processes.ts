// Two server processes behind one port against one, turn by turn on one database; every client is a
// till that keeps its connection.
import { randomBytes } from 'node:crypto'
import type { LoadResult } from '../load/load.js'
import { runSockets } from '../load/sockets.js'
import type { Options } from '../options.js'
import { median, type PartResult } from '../report/figures.js'
import type { Cluster } from '../stand/cluster.js'
import { headersOf, signOne, signPath } from '../stand/post.js'
import { saleText, startText } from '../stand/receipt.js'
import { startServer } from '../stand/server.js'
import { openShop } from '../stand/shop.js'

const QUEUES = 64
const CLIENTS = 128
const WARM_UP_SECONDS = 8
const COUNTS = [1, 2] as const

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
      await load(WARM_UP_SECONDS)
      await cluster.settle()
      rows.push({ processes, ...(await load(options.seconds)) })
    } finally {
      await server.stop()
    }
  }
  for (let round = 0; round < options.rounds; round += 1) {
    for (const processes of COUNTS) await measure(processes, rows.length === 0)
  }
  const rate = (processes: number) =>
    median(rows.filter((row) => row.processes === processes).map((row) => row.perSecond))
  return {
    figures: [
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
        'one and two processes take turns on one database.',
    ],
  }
}
