// The hour that October repeats, at a queue that two server processes serve in turns, each with a
// clock of its own: the printed time of its receipts never goes back.
import fc from 'fast-check'
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../support/db.js'
import { connected, readLedger, verifyLedger } from '../../support/ledger.js'
import { type SigningProcess, startSigning } from '../../support/signing-process.js'
import { createTill, openStand, type Stand, type Till, testKey } from '../../support/stand.js'

let database: TestDatabase
let client: pg.Client
let stand: Stand
let servers: readonly [SigningProcess, SigningProcess]

beforeAll(async () => {
  database = await createTestDatabase()
  client = await connected(database.config)
  const masterKey = testKey()
  const now = () => new Date('2026-10-24T20:00:00Z')
  stand = openStand(database.config, { masterKey, deps: { now } })
  servers = await Promise.all([
    startSigning(database.config, masterKey),
    startSigning(database.config, masterKey),
  ])
}, 60_000)
afterAll(async () => {
  await Promise.all(servers.map((one) => one.close()))
  await stand.close()
  await client.end()
  await database.drop()
})

const CODE = /_R1-AT\d+_[^_]*_[^_]*_([^_]*)_/g

/** As it stands in the machine-readable code of an answer. */
const printedIn = (text: string): string => [...text.matchAll(CODE)][0]?.[1] ?? ''

async function printedAt(at: 0 | 1, till: Till, iso: string): Promise<string> {
  return printedIn(await servers[at].sign(till, iso))
}

/** Two hours and a half around the change, with clocks that differ. */
const MIDNIGHT = Date.parse('2026-10-25T00:00:00Z')
const turns = fc.array(
  fc.record({ server: fc.constantFrom(0 as const, 1 as const), seconds: fc.nat(9000) }),
  { minLength: 4, maxLength: 12 },
)

/** By the rule of the law itself: UTC+2 until 01:00 UTC, UTC+1 from then on. */
function viennaOf(moment: Date): string {
  const hours = moment.getTime() < Date.parse('2026-10-25T01:00:00Z') ? 2 : 1
  return new Date(moment.getTime() + hours * 3_600_000).toISOString().slice(0, 19)
}

describe('two server processes that take turns at a queue', () => {
  it('are two processes', () => {
    expect(new Set([process.pid, ...servers.map(({ pid }) => pid)]).size).toBe(3)
  })

  it('print the last time of the queue until it has passed again', async () => {
    // 25 October 2026, 01:00 UTC: 3:00 becomes 2:00
    const till = await createTill(stand)
    expect(await printedAt(0, till, '2026-10-25T00:20:00Z')).toBe('2026-10-25T02:20:00')
    expect(await printedAt(1, till, '2026-10-25T00:55:30Z')).toBe('2026-10-25T02:55:30')
    expect(await printedAt(0, till, '2026-10-25T01:05:00Z')).toBe('2026-10-25T02:55:30')
    expect(await printedAt(1, till, '2026-10-25T01:40:00Z')).toBe('2026-10-25T02:55:30')
    expect(await printedAt(0, till, '2026-10-25T01:55:31Z')).toBe('2026-10-25T02:55:31')
    expect(await printedAt(1, till, '2026-10-25T02:00:00Z')).toBe('2026-10-25T03:00:00')
  })

  it('never go back when both sign at the same time, each on its side of the change', async () => {
    const till = await createTill(stand)
    const times = ['2026-10-25T00:58:00Z', '2026-10-25T01:02:00Z']
    await Promise.all(
      servers.map(async (server, at) => {
        for (let round = 0; round < 15; round += 1) await server.sign(till, times[at] ?? '')
      }),
    )
    const ledger = await readLedger(client, till.queueId)
    verifyLedger(ledger, stand.store.sealer)
    const printed = ledger.items.map(({ response }) => printedIn(response ?? ''))
    expect(printed).toHaveLength(31)
    expect(printed).toEqual([...printed].sort())
  })

  it('never go back in any order of turns, whatever their clocks say', async () => {
    const seed = Number(process.env.MODEL_SEED ?? Date.now() % 2 ** 31)
    console.log(`turns of two servers: MODEL_SEED=${seed}`)
    const property = fc.asyncProperty(turns, async (taken) => {
      const till = await createTill(stand)
      let [last, newest] = ['', 0]
      for (const { server, seconds } of taken) {
        const now = new Date(MIDNIGHT + seconds * 1000)
        // the time of a queue does not go back either
        newest = Math.max(newest, now.getTime())
        const local = viennaOf(new Date(newest))
        last = local > last ? local : last
        expect(await printedAt(server, till, now.toISOString())).toBe(last)
      }
    })
    await fc.assert(property, { numRuns: 25, seed, endOnFailure: true })
  }, 60_000)
})
