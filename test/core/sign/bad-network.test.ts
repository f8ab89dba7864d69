import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { checkData } from '../../../src/core/audit/check/check.js'
import type { SignResult } from '../../../src/core/sign/job.js'
import { createTestDatabase, type TestDatabase } from '../../support/db.js'
import { connected, readLedger, verifyLedger } from '../../support/ledger.js'
import { type Cut, DatabaseProxy } from '../../support/proxy.js'
import {
  answer,
  createTills,
  job,
  openStand,
  type Stand,
  type Till,
  testKey,
} from '../../support/stand.js'

const SECONDS = 1000
let database: TestDatabase
let proxy: DatabaseProxy
let stand: Stand
let direct: Stand
let tills: Till[]

beforeEach(async () => {
  const masterKey = testKey()
  database = await createTestDatabase()
  proxy = await DatabaseProxy.start(database.config)
  direct = openStand(database.config, { masterKey })
  stand = openStand(proxy.through(database.config), { masterKey })
  tills = await createTills(direct, 4)
})

afterEach(async () => {
  await stand.close()
  await direct.close()
  await proxy.stop()
  await database.drop()
})

/** By reference: the answer of each receipt. */
async function signMany(rounds: number, each: (round: number) => Promise<void> | undefined) {
  const answers = new Map<string, string>()
  for (let round = 0; round < rounds; round += 1) {
    const wait = each(round)
    await Promise.all(
      tills.flatMap((till, at) =>
        ['a', 'b'].map(async (name) => {
          const reference = `${name}${at}-${round}`
          answers.set(reference, await answer(stand.signing.sign(job(till, { reference }))))
        }),
      ),
    )
    await wait
  }
  return answers
}

/** Every answer is stored, no receipt is there twice, and everything verifies. */
async function expectExactlyOnce(answers: ReadonlyMap<string, string>): Promise<void> {
  const client = await connected(database.config)
  const stored = new Map<string, string | null>()
  let items = 0
  for (const till of tills) {
    const ledger = await readLedger(client, till.queueId)
    verifyLedger(ledger, direct.store.sealer)
    for (const item of ledger.items.slice(1)) {
      stored.set(item.receiptReference, item.response)
      items += 1
    }
  }
  await client.end()
  expect(stored).toEqual(answers)
  expect(items).toBe(answers.size)
  const violations: unknown[] = []
  await checkData(direct.deps, (violation) => violations.push(violation))
  expect(violations).toEqual([])
}

describe('a network that loses', () => {
  it.each<Cut>(['request', 'answer'])(
    'the %s of a statement, 25 times: each receipt is made once and answered',
    async (cut) => {
      const answers = await signMany(25, () => {
        proxy.cutNext(cut)
        return undefined
      })
      expect(proxy.cuts).toBe(25)
      await expectExactlyOnce(answers)
    },
    60 * SECONDS,
  )
})

type AnsweredResult = Extract<SignResult, { kind: 'answered' }>

/** What anybody can read of it. */
const shown = ({ kind, responseText, responseBytes, queueItemId, isUnsigned }: AnsweredResult) => ({
  ...{ kind, responseText, responseBytes, queueItemId, isUnsigned },
})

describe('a network that stalls', () => {
  it(
    'for a moment: everything is answered when it is over',
    async () => {
      const answers = await signMany(3, async () => {
        const resume = proxy.stall()
        await sleep(700)
        resume()
      })
      await expectExactlyOnce(answers)
    },
    30 * SECONDS,
  )

  it(
    'longer than a statement may take: late statements write nothing, and it goes on',
    async () => {
      await signMany(1, () => undefined)
      const resume = proxy.stall()
      const results = Promise.allSettled(
        tills.map((till) => stand.signing.sign(job(till, { reference: 'stalled' }))),
      )
      // the statement gives up after 6 seconds; what it had sent arrives after that
      await sleep(7_500)
      resume()
      const settled = await results
      const client = await connected(database.config)
      for (const [at, till] of tills.entries()) {
        const { items } = await readLedger(client, till.queueId)
        const made = items.filter((item) => item.receiptReference === 'stalled')
        const [result] = settled.slice(at)
        expect(made.length).toBeLessThanOrEqual(1)
        if (result?.status === 'fulfilled') {
          const { response: responseText, id: queueItemId } = made[0] ?? {}
          const isUnsigned = false
          const responseBytes = Buffer.from(responseText ?? '')
          if (result.value.kind !== 'answered') throw new Error(`it is ${result.value.kind}`)
          const { responseText: text, responseBytes: bytes, ...answered } = shown(result.value)
          expect(answered).toEqual({ kind: 'answered', queueItemId, isUnsigned })
          expect([text, bytes]).toEqual([responseText, responseBytes])
        }
      }
      await client.end()
      const from = performance.now()
      await signMany(2, () => undefined)
      expect(performance.now() - from).toBeLessThan(5 * SECONDS)
    },
    60 * SECONDS,
  )
})
