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
import type { LineFault } from '../../../src/simulator/devices/rksv/door.js'
import { Child } from '../../support/child.js'
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
  ZERO,
} from '../../support/stand.js'

const OUT = 'Sicherheitseinrichtung ausgefallen'
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
  password?: string
  shares?: Till
  timeoutMs?: number
  started?: boolean
}

function shop({ service, password, shares, timeoutMs = 400, started = true }: Shop): Promise<Till> {
  const configuration = { ...ACCOUNT, ...(password === undefined ? {} : { password }) }
  const scu = { package: ATRUST_PACKAGE, url: service.online, named: true, configuration }
  const queue = { configuration: { 'scu-timeout-ms': timeoutMs } }
  const unit = shares === undefined ? { scu } : { shares }
  return createTill(stand, { ...unit, queue, started })
}

const sell = (till: Till, reference: string, on = stand) =>
  answer(on.signing.sign(job(till, { reference })))
const zero = (till: Till, reference: string) =>
  answer(stand.signing.sign(job(till, { receiptCase: ZERO, reference, cents: null })))

async function checked(till: Till) {
  const ledger = await readLedger(client, till.queueId)
  verifyLedger(ledger, stand.store.sealer)
  return ledger
}

describe('receipts with answers that are lost at every step', () => {
  const steps = ['Certificate', 'ZDA', 'Session', 'Sign/Hash']
  const faults: LineFault[] = ['lost', 'answer-lost', 'half', 'error', 'busy', 'foreign', 'restart']

  it('all are there once, in one chain; the next zero receipt ends an outage', async () => {
    const service = await simulated()
    const till = await shop({ service })
    let receipts = 1
    for (const call of steps) {
      for (const fault of faults) {
        for (let after = 0; after < 2; after += 1) {
          // more than the rounds of one receipt, so that some fail for good
          const times = after === 1 ? 20 : 1
          service.line.script({ call, fault, after, times }, { call: 'Sign', fault: 'restart' })
          for (let nth = 0; nth < 3; nth += 1) await sell(till, `${call} ${fault} ${after} ${nth}`)
          service.line.clear()
          expect(await zero(till, `zero ${call} ${fault} ${after}`)).not.toContain(`"${OUT}`)
          receipts += 4
        }
      }
    }
    const ledger = await checked(till)
    expect(ledger.receipts).toHaveLength(receipts)
    expect(ledger.signatures).toHaveLength(receipts)
    expect(new Set(ledger.items.map((item) => item.receiptReference)).size).toBe(receipts)
    const unsigned = ledger.signatures.filter((row) => row.scuId === null).length
    expect(unsigned).toBeGreaterThan(0)
    // a signature that was made and lost costs one of the account, and is on no receipt
    expect(service.signatures()).toBeGreaterThan(receipts - unsigned)
    expect([service.wrongLogins(), service.line.offences]).toEqual([0, []])
  })
})

describe('a wrong password', () => {
  it('is sent once by three queues on two servers, and the right one signs at once', async () => {
    const service = await simulated({ mostWrong: 2 })
    const first = await shop({ service, password: 'old', started: false })
    const tills = [first, await shop({ service, shares: first, started: false })]
    tills.push(await shop({ service, shares: first, started: false }))
    const other = open()
    const start = (till: Till, on: Stand) =>
      answer(on.signing.sign(job(till, { receiptCase: 0x4154_0000_0000_0003n, cents: null })))
    const texts = await Promise.all(
      tills.flatMap((till, at) => [start(till, at % 2 === 0 ? stand : other)]),
    )
    for (const text of texts) expect(text).toContain('Startbeleg nicht signiert')
    expect(service.wrongLogins()).toBe(1)
    const right = await shop({ service })
    expect(await sell(right, 'signed')).not.toContain(OUT)
    expect(service.wrongLogins()).toBe(1)
  })
})

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

  it('that are dead or slow delay no queue of another', async () => {
    const dead = await simulated()
    const stuck = await Promise.all(Array.from({ length: 4 }, () => shop({ service: dead })))
    const well = await shop({ service: await simulated() })
    dead.line.script({ call: '', fault: 'slow', ms: 60_000, times: 1000 })
    let answered = 0
    const late = stuck.map((till) =>
      sell(till, 'late').finally(() => {
        answered += 1
      }),
    )
    for (let nth = 0; nth < 5; nth += 1) expect(await sell(well, `w${nth}`)).not.toContain(OUT)
    expect(answered).toBe(0)
    for (const text of await Promise.all(late)) expect(text).toContain(OUT)
    for (const till of [...stuck, well]) await checked(till)
  })
})

describe('a process that is killed', () => {
  it.each([
    ['after-device=kill@3', false],
    ['before-commit=kill@6', false],
    ['after-commit=kill@6', true],
  ])('at %s loses nothing and signs nothing twice in effect', async (failPoints, isWhole) => {
    const service = await simulated()
    const till = await shop({ service, timeoutMs: 2500 })
    const input = { connection: database.config, masterKey: masterKey.toString('base64') }
    const script = JSON.stringify({ ...input, allow: [], failPoints, till })
    const child = new Child('sign-script.ts', [script])
    await child.ended
    expect(child.process.signalCode).toBe('SIGKILL')
    const text = await sell(till, 'r3')
    expect(text).not.toContain(OUT)
    const ledger = await checked(till)
    const whole = ledger.items.filter((item) => item.done && item.receiptReference === 'r3')
    expect(whole).toHaveLength(isWhole ? 2 : 1)
    expect(service.line.offences).toEqual([])
  })
})
