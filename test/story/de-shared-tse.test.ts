// A TSE that three queues share, on two server processes, with tables, closings, outages and both
// taggings in any order: nothing is missing in what the law wants, and nothing keeps a till in
// failed mode.
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { checkData } from '../../src/core/audit/check/check.js'
import { marketOf } from '../../src/market/index.js'
import { createTestDatabase, type TestDatabase } from '../support/db.js'
import { SharedTse } from '../support/de/shared-tse.js'
import { histories } from '../support/de/shared-tse-commands.js'
import { faultsOfLog } from '../support/de/story-tse-checks.js'
import type { LogMessage } from '../support/de/tse-log.js'
import { expectLong, STEPS } from '../support/model/long-histories.js'
import { forkSigner, signerAt } from '../support/model/signer.js'
import { openStand, type Stand, testKey } from '../support/stand.js'

const HISTORIES = Number(process.env.MODEL_RUNS ?? 10)
/** So many rows of histories run at the same time, each on an account and TSEs of its own. */
const LANES = Number(process.env.MODEL_LANES ?? 5)
/** So many histories one after the other at one TSE; then it is judged. */
const PER_TSE = 10
/** `MODEL_SEED=<seed of a lane> MODEL_LANES=1 MODEL_RUNS=50` repeats one lane. */
const seed = Number(process.env.MODEL_SEED ?? Date.now() % 2 ** 31)

let database: TestDatabase
let stand: Stand
let servers: readonly Awaited<ReturnType<typeof forkSigner>>[]
let opened = 0
const done = { histories: 0, steps: 0 }

beforeAll(async () => {
  database = await createTestDatabase()
  const masterKey = testKey()
  const given = { connection: database.config, masterKey: masterKey.toString('base64') }
  // it makes accounts and reads; receipts are signed in the processes
  stand = openStand(database.config, { masterKey })
  servers = await Promise.all([forkSigner(given), forkSigner(given)])
}, 60_000)

afterAll(async () => {
  const ends = await Promise.allSettled(servers.map((one) => one.close()))
  await stand.close()
  await database.drop()
  for (const end of ends) if (end.status === 'rejected') throw end.reason
})

const SLIPS = new Set(['Kassenbeleg-V1', 'Bestellung-V1'])

/** Number and signature of every transaction of a client that ended as a slip. */
function endedBy(log: readonly LogMessage[], client: string): string[] {
  return log
    .filter((one) => one.operation === 'FinishTransaction' && one.clientId === client)
    .filter(({ processType }) => SLIPS.has(processType))
    .map(({ transaction, signature }) => `${transaction} ${signature}`)
    .sort()
}

const AGREED = { zero: 'zero receipt', daily: 'closing' } as const

/** The TSE works again: one receipt of the kind at a queue is signed. */
async function settle(tse: SharedTse, at: number, act: keyof typeof AGREED): Promise<void> {
  const tagging = at === 1 ? 'v2' : 'v0'
  const call = { act, server: at % 2, table: 0, numbers: [], queue: at, tagging } as const
  const { state, text } = await tse.sign(call)
  expect(state, `${AGREED[act]}: ${text}`).toBe(0n)
}

/**
 * One zero receipt ends every outage, and the closings follow. First all zero receipts: what one
 * queue ended for another, it may know only then, and it stands in the next closing of the other.
 */
async function settleAll(tse: SharedTse): Promise<void> {
  await tse.fault([])
  for (const at of [0, 1, 2]) await settle(tse, at, 'zero')
  for (const at of [0, 1, 2]) await settle(tse, at, 'daily')
}

async function judge(tse: SharedTse): Promise<void> {
  await settleAll(tse)
  const counter = await tse.counter()
  const upTo = Array.from({ length: counter }, (_, at) => at + 1)
  const log = await tse.archive(0)
  expect(log.map((one) => one.counter)).toEqual(upTo)
  expect(faultsOfLog(log)).toEqual([])
  for (const at of [1, 2]) expect(await tse.counters(at)).toEqual(upTo)
  const clients = [...new Set(log.map(({ clientId }) => clientId))].filter((id) => id !== '').sort()
  for (const [at, client] of clients.entries()) {
    expect((await tse.slips(at)).sort(), client).toEqual(endedBy(log, client))
  }
}

/** Histories of one lane, one after the other: `PER_TSE` at a TSE, which is judged then. */
async function lane(laneSeed: number, numRuns: number): Promise<number> {
  let [tse, count]: [SharedTse | undefined, number] = [undefined, 0]
  const model = { steps: 0 }
  const property = fc.asyncProperty(histories, async (commands) => {
    opened += 1
    tse ??= await SharedTse.open({ stand, signers: servers.map(signerAt) }, opened)
    const real = tse
    try {
      await fc.asyncModelRun(() => ({ model, real }), commands)
      count += 1
      if (count % PER_TSE !== 0 && count !== numRuns) return
      await judge(real)
      tse = undefined
    } catch (error) {
      console.log(`MODEL_SEED=${laneSeed}\n${real.told.join('\n')}\n${String(error)}`)
      throw error
    }
  })
  await fc.assert(property, { numRuns, seed: laneSeed, endOnFailure: true })
  done.histories += count
  done.steps += model.steps
  return count
}

describe('a TSE that three queues share', () => {
  it(`loses nothing in ${HISTORIES} histories of ${STEPS} steps`, async () => {
    console.log(`model of the shared TSE: MODEL_SEED=${seed}`)
    expect(new Set([process.pid, ...servers.map(({ pid }) => pid)]).size).toBe(3)
    const perLane = Math.ceil(HISTORIES / LANES)
    const lanes = Array.from({ length: LANES }, (_, at) => lane(seed + at, perLane))
    const ended = await Promise.allSettled(lanes)
    console.log(`model of the shared TSE: ${JSON.stringify(done)}`)
    expect(ended).toEqual(lanes.map(() => ({ status: 'fulfilled', value: perLane })))
    expectLong(done)
    const violations: unknown[] = []
    const deps = { store: stand.store, marketOf, now: () => new Date() }
    await checkData(deps, (violation) => violations.push(violation))
    expect(violations).toEqual([])
  }, 900_000)
})
