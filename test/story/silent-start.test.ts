// The line to the database falls silent behind any byte of a start: the server is ready all the
// same, or ends with a sentence. It never waits for ever.
import { randomInt } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type BreakingProxy, breakingProxy, type Plan } from '../support/breaking-proxy.js'
import { Server } from '../support/server.js'
import type { TestSettings } from '../support/settings.js'
import { Site } from '../support/site.js'

const TRIES = Number(process.env.SILENT_STARTS ?? 6)
const SEED = Number(process.env.SEED ?? randomInt(2 ** 31))
const AT_ONCE = 6
/** `Server.start` has given it up by then. */
const PATIENCE_MS = 90_000
const SENTENCE = /^fiskalwerk: The database .*(does not answer|cannot be used).*\.$/m

let site: Site
beforeAll(async () => {
  site = await Site.make({ tills: 1, external: true })
})
afterAll(() => site.remove())

async function through(proxy: BreakingProxy): Promise<TestSettings> {
  const { DATABASE_URL = '', ...settings } = await site.settings({ DATABASE_POOL: '4' })
  const url = new URL(String(DATABASE_URL))
  url.host = `127.0.0.1:${proxy.port}`
  return { ...settings, DATABASE_URL: url.href }
}

/** Of the line to the database, which is a path or a port. */
async function proxyOf(): Promise<BreakingProxy> {
  const { DATABASE_URL = '' } = await site.settings()
  const { hostname, port, searchParams } = new URL(String(DATABASE_URL))
  const folder = searchParams.get('host') ?? decodeURIComponent(hostname)
  return breakingProxy(folder.startsWith('/') ? `${folder}/.s.PGSQL.${port || 5432}` : Number(port))
}

/** 'ready', or what it said at its end. */
async function startBehind(plan: Plan, proxy: BreakingProxy): Promise<string> {
  proxy.plan(plan)
  const outcome = await Server.start(await through(proxy)).catch((error: Error) => error)
  if (outcome instanceof Error) return outcome.message
  await outcome.kill()
  return 'ready'
}

describe('a start whose line falls silent', () => {
  it('is ready, or says why not', { timeout: PATIENCE_MS * (TRIES / AT_ONCE + 2) }, async () => {
    const whole = await proxyOf()
    const endless = { way: 'back', behind: Number.POSITIVE_INFINITY, how: 'silent' } as const
    expect(await startBehind(endless, whole)).toBe('ready')
    const went = whole.went()
    await whole.close()
    // one connection goes behind the other at first; later there are several, which make up for one
    const places = fc.record({
      way: fc.constantFrom('there' as const, 'back' as const),
      at: fc.oneof(fc.double({ min: 0, max: 1, noNaN: true }), fc.constantFrom(0.02, 0.05)),
    })
    const left = fc.sample(places, { numRuns: TRIES, seed: SEED })
    let broken = 0
    const work = async () => {
      for (let place = left.pop(); place !== undefined; place = left.pop()) {
        const proxy = await proxyOf()
        const behind = Math.max(1, Math.round(went[place.way] * place.at))
        const said = await startBehind({ way: place.way, behind, how: 'silent' }, proxy)
        const name = `${SEED}: ${behind} bytes ${place.way}: ${said}`
        expect(said === 'ready' || SENTENCE.test(said), name).toBe(true)
        if (proxy.isBroken()) broken += 1
        await proxy.close()
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, work))
    expect(broken).toBeGreaterThan(TRIES / 3)
  })
})
