// A line to the database breaks behind any byte, in either direction: ended, reset, or silent, while
// tills sign. Every answer is stored, no receipt is there twice, and the next ones are signed.
import { randomInt } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { checkData } from '../../src/core/audit/check/check.js'
import { BREAKS, type BreakingProxy, breakingProxy } from '../support/breaking-proxy.js'
import { createTestDatabase, type TestDatabase } from '../support/db.js'
import { connected, readLedger, verifyLedger } from '../support/ledger.js'
import { answer, createTills, job, openStand, type Stand, type Till, testKey } from '../support/stand.js'

const TRIES = Number(process.env.LINE_BREAKS ?? 30)
const SEED = Number(process.env.SEED ?? randomInt(2 ** 31))

let database: TestDatabase
let line: BreakingProxy
let stand: Stand
let direct: Stand
let tills: Till[]

beforeAll(async () => {
  const masterKey = testKey()
  database = await createTestDatabase()
  const { host, port } = database.config
  line = await breakingProxy(`${host}/.s.PGSQL.${port}`)
  direct = openStand(database.config, { masterKey })
  stand = openStand({ ...database.config, host: '127.0.0.1', port: line.port }, { masterKey })
  tills = await createTills(direct, 4)
})
afterAll(async () => {
  await stand.close()
  await direct.close()
  await line.close()
  await database.drop()
})

const places = fc.record({
  way: fc.constantFrom('there' as const, 'back' as const),
  at: fc.oneof(fc.nat(1_000), fc.constantFrom(0, 1_000)),
  how: fc.constantFrom(...BREAKS),
})

it(`breaks behind any byte (${SEED})`, { timeout: TRIES * 40_000 }, async () => {
  const answers = new Map<string, string>()
  const unknown = new Set<string>()
  let broken = 0
  const round = async (nth: number, name: string) => {
    const t0 = performance.now()
    await Promise.all(
      tills.flatMap((till, at) =>
        ['a', 'b', 'c'].map(async (one) => {
          const reference = `${name}${one}${at}-${nth}`
          try {
            answers.set(reference, await answer(stand.signing.sign(job(till, { reference }))))
          } catch (error) {
            console.log(reference, String(error))
            unknown.add(reference)
          }
        }),
      ),
    )
    return performance.now() - t0
  }
  let nth = 0
  for (const { way, at, how } of fc.sample(places, { numRuns: TRIES, seed: SEED })) {
    nth += 1
    line.plan({ way, behind: Number.POSITIVE_INFINITY, how })
    const whole = await round(nth, 'w')
    const plan = { way, how, behind: Math.round((at * line.went()[way]) / 1_000) }
    line.plan(plan)
    const took = await round(nth, 'x')
    if (line.isBroken()) broken += 1
    if (process.env.TELL) console.log(JSON.stringify(plan), line.isBroken(), Math.round(whole), Math.round(took))
  }
  expect(broken).toBeGreaterThan(TRIES / 2)
  const client = await connected(database.config)
  const stored = new Map<string, string | null>()
  let items = 0
  for (const till of tills) {
    const ledger = await readLedger(client, till.queueId)
    verifyLedger(ledger, direct.store.sealer)
    for (const item of ledger.items.slice(1)) {
      if (!unknown.has(item.receiptReference)) stored.set(item.receiptReference, item.response)
      items += 1
    }
  }
  await client.end()
  expect(stored).toEqual(answers)
  expect(items).toBeLessThanOrEqual(answers.size + unknown.size)
  const violations: unknown[] = []
  await checkData(direct.deps, (violation) => violations.push(violation))
  expect(violations).toEqual([])
})
