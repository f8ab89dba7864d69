import { createHash } from 'node:crypto'
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { confirmIssuer } from '../../../src/core/rollout/check.js'
import { createUnitCare } from '../../../src/core/unit-care.js'
import { createUnitLogins } from '../../../src/core/unit-logins.js'
import { ATRUST_PACKAGE } from '../../../src/market/at/devices/atrust.js'
import { marketOf } from '../../../src/market/index.js'
import { ACCOUNT, type ATrust, simulateATrust } from '../../../src/simulator/devices/rksv/atrust.js'
import { LIVE_NAMES } from '../../../src/simulator/devices/rksv/chain.js'
import { createTestDatabase, type TestDatabase } from '../../support/db.js'
import { connected, readLedger, verifyLedger } from '../../support/ledger.js'
import {
  answer,
  createTill,
  job,
  openStand,
  type Stand,
  type Till,
  testKey,
} from '../../support/stand.js'

const masterKey = testKey()
let database: TestDatabase
let client: pg.Client
let stand: Stand
const ends: (() => Promise<unknown>)[] = []

beforeAll(async () => {
  database = await createTestDatabase()
  client = await connected(database.config)
  stand = open()
})

afterAll(async () => {
  for (const end of ends) await end()
  await client.end()
  await database.drop()
})

/** A server of its own: its sessions and what it keeps are its own as well. */
function open(): Stand {
  const made = openStand(database.config, { masterKey })
  Object.assign(made.deps.tools, { logins: createUnitLogins(made.store), kept: new Map() })
  ends.unshift(() => made.close())
  return made
}

async function simulated(options: Parameters<typeof simulateATrust>[0] = {}): Promise<ATrust> {
  const service = await simulateATrust(options)
  ends.push(() => service.close())
  return service
}

interface Shop {
  service: ATrust
  shares?: Till
  timeoutMs?: number
}

function shop({ service, shares, timeoutMs = 2_500 }: Shop): Promise<Till> {
  const configuration = ACCOUNT
  const scu = { package: ATRUST_PACKAGE, url: service.online, named: true, configuration }
  const queue = { configuration: { 'scu-timeout-ms': timeoutMs } }
  const unit = shares === undefined ? { scu } : { shares }
  return createTill(stand, { ...unit, queue })
}

const sell = (till: Till, reference: string, on = stand) =>
  answer(on.signing.sign(job(till, { reference })))

async function checked(till: Till) {
  const ledger = await readLedger(client, till.queueId)
  verifyLedger(ledger, stand.store.sealer)
  return ledger
}

describe('a unit that says it is live', () => {
  it('is refused by a sandbox from then on, before anything is signed', async () => {
    const service = await simulated({ names: LIVE_NAMES })
    const till = await shop({ service })
    const signatures = service.signatures()
    const [scuId = ''] = till.scuIds
    const rollout = { store: stand.store, marketOf, now: stand.deps.now, tools: stand.deps.tools }
    const [issuer] = service.leaf().chain
    const fingerprint = createHash('sha256')
      .update(issuer ?? '')
      .digest('hex')
    await confirmIssuer(rollout, { scuId, issuer: fingerprint })
    await expect(sell(till, 'practice')).rejects.toMatchObject({ code: 'UNIT_ENVIRONMENT' })
    expect(service.signatures()).toBe(signatures)
  })
})

describe('units that several queues and servers share', () => {
  it('sign for all of them, each server in one session', async () => {
    const service = await simulated()
    const first = await shop({ service, timeoutMs: 2500 })
    const second = await shop({ service, shares: first, timeoutMs: 2500 })
    const other = open()
    const before = service.logins()
    await Promise.all(
      Array.from({ length: 8 }, (_, at) => [
        sell(first, `a${at}`),
        sell(second, `b${at}`, other),
      ]).flat(),
    )
    expect(service.logins()).toBe(before + 1)
    for (const till of [first, second]) {
      const { signatures } = await checked(till)
      expect(signatures.every((row) => row.scuId === first.scuIds[0])).toBe(true)
    }
  })

  it('are looked after while no receipt waits', async () => {
    const service = await simulated()
    await shop({ service })
    const other = open()
    const { store, deps } = other
    const care = createUnitCare({ ...deps, store, marketOf, log: { warn: () => undefined } })
    const [logins, signatures] = [service.logins(), service.signatures()]
    await care.look()
    await care.look()
    expect([service.logins(), service.signatures()]).toEqual([logins + 1, signatures])
  })
})
