// Real servers that are killed in the middle of work. Kept short; `npm run -s torture` is the long
// form. CRASH_SEED repeats the moments of a run.
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { Chance, Load } from '../support/load.js'
import type { Server } from '../support/server.js'
import type { TestSettings } from '../support/settings.js'
import { Site } from '../support/site.js'

const SECONDS = 1000
const LIMIT_MS = 90 * SECONDS * Number(process.env.TEST_PATIENCE ?? 1)
let site: Site
let servers: Server[]
let chance: Chance

beforeEach(() => {
  chance = new Chance()
  console.log(`seed ${chance.seed}`)
  servers = []
})

afterEach(async () => {
  await Promise.all(servers.filter((server) => server.isAlive).map((server) => server.kill()))
  await site.remove()
})

async function serve(settings?: TestSettings): Promise<Server> {
  const server = await site.serve(settings)
  servers.push(server)
  return server
}

/** Nothing answered is lost, nothing is made twice, and everything verifies. */
async function expectAllHolds(load: Load): Promise<void> {
  await load.stop()
  console.log(load.figures)
  expect(load.faults).toEqual([])
  for (const server of servers.filter((one) => one.isAlive)) await server.stop()
  expect(await site.faults(load)).toEqual([])
}

describe('a server on its embedded database', () => {
  beforeEach(async () => {
    site = await Site.make({ tills: 8 })
  })

  it(
    'killed at random moments: nothing answered is lost, every repetition is answered once',
    async () => {
      const settings = await site.settings()
      let server = await serve(settings)
      const load = new Load({ tills: site.tills, clients: 16, urls: () => [server.url] })
      for (let kill = 0; kill < 4; kill += 1) {
        await load.more(20)
        await sleep(chance.between(200, 700))
        await server.kill()
        server = await serve(settings)
      }
      await load.more(50)
      await expectAllHolds(load)
      expect(load.answered.size).toBeGreaterThan(130)
    },
    LIMIT_MS,
  )

  it(
    'whose PostgreSQL is killed stays up, says 503 or signs, and is healthy soon',
    async () => {
      const server = await serve()
      const load = new Load({ tills: site.tills, clients: 16, urls: () => [server.url] })
      for (let kill = 0; kill < 2; kill += 1) {
        await load.more(50)
        await sleep(chance.between(0, 300))
        // promised: 5 seconds; the machine of a test may be busy
        expect(await site.killDatabase(server, 15 * SECONDS)).toBeLessThan(10 * SECONDS)
      }
      await load.more(50)
      expect(server.isAlive).toBe(true)
      expect([...load.refusals.keys()].filter((status) => status !== 503)).toEqual([])
      await expectAllHolds(load)
    },
    LIMIT_MS,
  )

  it(
    'that is asked to stop under load ends what runs, with exit code 0',
    async () => {
      const settings = await site.settings()
      const server = await serve(settings)
      const load = new Load({ tills: site.tills, clients: 16, urls: () => [server.url] })
      await load.more(60)
      const ended = await server.stop()
      expect(ended).toMatchObject({ code: 0, signal: null })
      expect(ended.ms).toBeLessThan(10 * SECONDS)
      await serve(settings)
      await load.more(30)
      await expectAllHolds(load)
    },
    LIMIT_MS,
  )
})

describe('four servers on one PostgreSQL', () => {
  it(
    'share 16 queues, and one of them dies: rows, numbers and chains have no gap',
    async () => {
      site = await Site.make({ tills: 16, external: true })
      await Promise.all([1, 2, 3, 4].map(() => serve()))
      const alive = () => servers.filter((server) => server.isAlive).map((server) => server.url)
      const load = new Load({ tills: site.tills, clients: 16, urls: alive })
      await load.more(300)
      await servers[1]?.kill()
      await load.more(200)
      await expectAllHolds(load)
    },
    LIMIT_MS,
  )
})
