// The longest time that one large call keeps the main thread from everybody else, for each kind of
// call: the built program in this process, its client in another thread.
import { randomBytes } from 'node:crypto'
import type { ClientConfig } from 'pg'
import { listenAt } from '../../src/lib/listen.js'
import type { Options } from '../options.js'
import { type Figure, median, type PartResult } from '../report/figures.js'
import { built } from '../stand/built.js'
import type { Cluster } from '../stand/cluster.js'
import { openFarClient } from '../stand/far-client.js'
import { LARGE_KINDS, type LargeKind, type LargeTarget } from '../stand/large-bodies.js'
import { signOne } from '../stand/post.js'
import { startText } from '../stand/receipt.js'
import { openShop } from '../stand/shop.js'
import { longestTurn } from '../stand/turn-watch.js'

const MOST_MS = 50
/** Of each kind before it is measured: the program is compiled by then. */
const WARM_UP = 3

export async function benchBlocks(options: Options, cluster: Cluster): Promise<PartResult> {
  const masterKey = randomBytes(32)
  const shop = await openShop(cluster, { masterKey, tills: 1 })
  const [till] = shop.tills
  if (till === undefined) throw new Error('the shop has no till')
  const program = await start(cluster.config, masterKey)
  const far = openFarClient()
  try {
    const { url, grpcUrl } = program
    await signOne(url, till, startText(till.cashBoxId, new Date().toISOString()))
    const target: LargeTarget = { url, grpcUrl, till, send: (call) => far.send(call) }
    const rounds: { kind: string; ms: number }[] = []
    for (const kind of LARGE_KINDS) {
      const blocks = await blocksOf(kind, target, options.rounds)
      rounds.push(...blocks.map((ms) => ({ kind: kind.name, ms })))
    }
    return { figures: LARGE_KINDS.map((kind) => figureOf(kind, rounds)), rounds, notes: [NOTE] }
  } finally {
    await far.close()
    await program.stop()
  }
}

async function blocksOf(kind: LargeKind, target: LargeTarget, rounds: number): Promise<number[]> {
  const blocks: number[] = []
  while (blocks.length < WARM_UP + rounds) blocks.push(await blockOf(kind, target))
  return blocks.slice(WARM_UP)
}

const NOTE =
  'Processor time of the main thread in the longest turn of its event loop while one call of the ' +
  'greatest size is answered, after three calls of that kind.'

function figureOf({ name }: LargeKind, rounds: readonly { kind: string; ms: number }[]): Figure {
  const own = rounds.filter(({ kind }) => kind === name).map(({ ms }) => ms)
  const target = { atMost: MOST_MS }
  return { name: `Longest block: ${name}`, value: median(own), unit: 'ms', target }
}

async function blockOf({ name, call, status }: LargeKind, target: LargeTarget): Promise<number> {
  const sent = await call(target)
  return longestTurn(async () => {
    const reply = await target.send(sent)
    if (reply.status !== status) throw new Error(`${name}: ${reply.status} ${reply.text}`)
  })
}

/** Without jobs, which would do work of their own meanwhile. */
async function start(database: ClientConfig, masterKey: Buffer) {
  const { readConfig } = await built<typeof import('../../src/config.js')>('config.js')
  const { createDeps } = await built<typeof import('../../src/deps.js')>('deps.js')
  const { buildApp } = await built<typeof import('../../src/app.js')>('app.js')
  const { createLog } = await built<typeof import('../../src/log.js')>('log.js')
  const { startGrpc, GRPC_TIMES } = await built<
    typeof import('../../src/api/middleware/grpc/server.js')
  >('api/middleware/grpc/server.js')
  const config = readConfig(
    {
      DATABASE_URL: 'postgresql://the.bench.database',
      MASTER_KEY: masterKey.toString('base64'),
    },
    { jobs: false },
  )
  const log = createLog('silent', false)
  const deps = await createDeps({ config, log, database: { poolConfig: database } })
  const app = await buildApp(deps)
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  const listen = listenAt({ host: '127.0.0.1', port: 0 })
  const grpc = await startGrpc(deps.middleware, { listen, most: 10, log, times: GRPC_TIMES })
  const stop = async (): Promise<void> => {
    await grpc.close()
    await app.close()
    await deps.signing.drained()
    await deps.operations.close()
    await deps.retrievals.settled()
    await deps.rendering.close()
    await deps.store.close()
  }
  return { url, grpcUrl: `http://127.0.0.1:${grpc.port}`, stop }
}
