// Echo: what a request costs before anything is signed.
import { randomBytes } from 'node:crypto'
import { findGenerator } from '../load/generator.js'
import type { Options } from '../options.js'
import { median, type PartResult, short } from '../report/figures.js'
import type { Cluster } from '../stand/cluster.js'
import { observing } from '../stand/observe.js'
import { headersOf } from '../stand/post.js'
import { startServer } from '../stand/server.js'
import { openShop } from '../stand/shop.js'

/** 19 bytes. */
const BODY = '{"message":"Servu"}'
const CLIENTS = 64
const WARM_UP_SECONDS = 2

export async function benchEcho(options: Options, cluster: Cluster): Promise<PartResult> {
  const masterKey = randomBytes(32)
  const shop = await openShop(cluster, { masterKey, tills: 1 })
  const server = await startServer({ databaseUrl: cluster.url, masterKey })
  try {
    const targets = shop.tills.map((till) => ({
      path: `/${till.queueId}/json/v1/echo`,
      headers: headersOf(till),
      body: BODY,
    }))
    const generator = findGenerator()
    const run = (seconds: number) =>
      observing({ server, cluster }, () =>
        generator.run({ url: server.url, targets, clients: CLIENTS, seconds }),
      )
    await run(WARM_UP_SECONDS)
    const rounds = []
    for (let round = 0; round < options.rounds; round += 1) rounds.push(await run(options.seconds))
    return {
      figures: [
        {
          name: `Echo of ${BODY.length} bytes, ${CLIENTS} clients`,
          value: median(rounds.map((round) => round.perSecond)),
          unit: 'requests/s',
          target: { atLeast: 30_000 },
        },
        {
          name: 'Processor time of the server per echo',
          value: median(rounds.map((round) => round.cpuMicros ?? 0)),
          unit: 'µs',
        },
      ],
      rounds: rounds.map((round) => ({ ...round, perSecond: short(round.perSecond) })),
      notes: [`Load by ${generator.name}, with token and queue in every request.`],
    }
  } finally {
    await server.stop()
  }
}
