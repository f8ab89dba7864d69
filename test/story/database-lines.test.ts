// A line to the database breaks behind any byte, in either direction, while tills sign: ended or
// reset, in the long form (LINE_BREAKS=300) also silent. Every receipt is answered, stored as it
// was answered, and there once.
import { randomInt } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { checkData } from '../../src/core/audit/check/check.js'
import { BREAKS, type BreakingProxy, breakingProxy } from '../support/breaking-proxy.js'
import { createTestDatabase, type TestDatabase } from '../support/db.js'
import { connected, readLedger, verifyLedger } from '../support/ledger.js'
import {
  answer,
  createTills,
  job,
  openStand,
  type Stand,
  type Till,
  testKey,
} from '../support/stand.js'

const TRIES = Number(process.env.LINE_BREAKS ?? 20)
const SEED = Number(process.env.SEED ?? randomInt(2 ** 31))
/** A line that is silent is given up after six seconds. */
const KINDS = TRIES > 50 ? BREAKS : BREAKS.filter((one) => one !== 'silent')

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

/** In thousandths of a round; both ends of it are likelier than its middle. */
const places = fc.record({
  way: fc.constantFrom('there' as const, 'back' as const),
  at: fc.oneof(fc.nat(1_000), fc.constantFrom(0, 1_000)),
  how: fc.constantFrom(...KINDS),
})

it(`breaks behind any byte (${SEED})`, { timeout: TRIES * 40_000 }, async () => {
  const answers = new Map<string, string>()
  const signAll = async (name: string) => {
    const calls = tills.flatMap((till, at) =>
      ['a', 'b', 'c'].map(async (one) => {
        const reference = `${name} ${one}${at}`
        answers.set(reference, await answer(stand.signing.sign(job(till, { reference }))))
      }),
    )
    await Promise.all(calls)
  }
  let broken = 0
  for (const [nth, plan] of fc.sample(places, { numRuns: TRIES, seed: SEED }).entries()) {
    const { way, at, how } = plan
    line.plan({ way, behind: Number.POSITIVE_INFINITY, how })
    await signAll(`whole ${nth}`)
    line.plan({ way, behind: Math.round((at * line.went()[way]) / 1_000), how })
    await signAll(`broken ${nth}`)
    if (line.isBroken()) broken += 1
  }
  expect(broken).toBeGreaterThan(TRIES / 3)
  await expectExactlyOnce(answers)
})

async function expectExactlyOnce(answers: ReadonlyMap<string, string>): Promise<void> {
  const client = await connected(database.config)
  const stored: [reference: string, response: string | null][] = []
  for (const till of tills) {
    const ledger = await readLedger(client, till.queueId)
    verifyLedger(ledger, direct.store.sealer)
    // behind the start receipt
    for (const { receiptReference, response } of ledger.items.slice(1)) {
      stored.push([receiptReference, response])
    }
  }
  await client.end()
  expect(stored).toHaveLength(answers.size)
  expect(new Map(stored)).toEqual(answers)
  const violations: unknown[] = []
  await checkData(direct.deps, (violation) => violations.push(violation))
  expect(violations).toEqual([])
}
