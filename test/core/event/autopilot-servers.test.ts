// Several servers and the register itself after the same outage: it is closed once, whoever is
// first and whoever dies. PILOT_ROUNDS=1000 makes the race longer.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  journalOf,
  openPilot,
  outagesOf,
  type PilotStand,
  violationsOf,
} from '../../support/autopilot.js'
import { createTestDatabase, type TestDatabase } from '../../support/db.js'
import { connected } from '../../support/ledger.js'
import { scriptFile } from '../../support/script-file.js'
import { createTill, type Till, testKey, ZERO } from '../../support/stand.js'

const ROUNDS = Number(process.env.PILOT_ROUNDS ?? 40)
const SCRIPT = scriptFile('pilot-script.ts')
const ONCE = { queue: { configuration: { 'scu-max-retries': 0 } } }
const zero = { receiptCase: ZERO, cents: null }
const masterKey = testKey()

let database: TestDatabase
let client: pg.Client
let one: PilotStand
let two: PilotStand

beforeAll(async () => {
  database = await createTestDatabase()
  client = await connected(database.config)
  one = openPilot(database.config, { masterKey })
  two = openPilot(database.config, { masterKey })
})
afterAll(async () => {
  await one.close()
  await two.close()
  await client.end()
  await database.drop()
})

/** An outage whose unit works again, and has answered. */
async function outageOf(till: Till): Promise<void> {
  await one.fault(till, [{ do: 'error', calls: 1 }])
  await one.sign(till)
  await expect
    .poll(async () => {
      await one.look()
      const { rowCount } = await client.query(
        `update unit_probe set state = 'answering', next_at = now() + interval '1 hour'
         where scu_id = $1`,
        [till.scuIds[0]],
      )
      return rowCount
    })
    .toBe(1)
}

it('a register and two servers at the same moment: one closing for each outage', async () => {
  const till = await createTill(one, ONCE)
  await client.query(`update cash_box set autopilot = 'advise' where id = $1`, [till.cashBoxId])
  const by = { pos: 0, autopilot: 0 }
  for (let round = 0; round < ROUNDS; round += 1) {
    await outageOf(till)
    await client.query(`update cash_box set autopilot = 'act' where id = $1`, [till.cashBoxId])
    await Promise.all([
      one.pilot.look(),
      two.pilot.look(),
      sleep(round % 12).then(() => (round % 2 === 0 ? one : two).sign(till, zero)),
    ])
    await client.query(`update cash_box set autopilot = 'advise' where id = $1`, [till.cashBoxId])
    await one.look()
    const last = (await outagesOf({ deps: one }, till.queueId)).at(-1)
    expect(last).toMatchObject({ ended: true })
    if (last?.closedBy === 'pos' || last?.closedBy === 'autopilot') by[last.closedBy] += 1
  }
  const { course, own } = await journalOf(client, one, till)
  // a zero receipt of the register behind the closing is one like any other
  expect(course).toMatch(/^S(FCS?)+$/)
  expect(course.match(/C/g)).toHaveLength(ROUNDS)
  expect(by.pos + by.autopilot).toBe(ROUNDS)
  expect(own).toHaveLength(by.autopilot)
  // a race that one side always wins shows nothing
  expect(Math.min(by.pos, by.autopilot)).toBeGreaterThan(0)
  expect(await violationsOf(one)).toEqual([])
}, 300_000)

it('two servers share the work: a unit is asked by one of them at a time', async () => {
  const till = await createTill(one, ONCE)
  await one.fault(till, [{ do: 'delay', ms: 150 }])
  await client.query(
    `update queue set configuration = '{"scu-timeout-ms":50,"scu-max-retries":0}',
       version = version + 1 where id = $1`,
    [till.queueId],
  )
  await one.sign(till)
  await one.look()
  const asked = async () => {
    const { rows } = await client.query(
      'select good from unit_probe where scu_id = $1',
      till.scuIds,
    )
    return rows[0]?.good as number
  }
  const before = await asked()
  await Promise.all([one.pilot.look(), two.pilot.look()])
  expect(await asked()).toBeLessThanOrEqual(before + 1)
  await one.fault(till)
  await one.closed(till)
  expect((await journalOf(client, one, till)).course).toBe('SFC')
})

it.each([
  'closing-claimed=kill@1',
  'before-device=kill@1',
  'after-device=kill@1',
  'before-commit=kill@1',
  'after-commit=kill@1',
  'closing-signed=kill@1',
])('a server killed at %s: the next one closes the outage, with one receipt', async (points) => {
  const till = await createTill(one, ONCE)
  await one.fault(till, [{ do: 'error', calls: 1 }])
  await one.sign(till)
  const options = { connection: database.config, masterKey: masterKey.toString('base64') }
  const child = fork(SCRIPT, [JSON.stringify({ ...options, till, points })], {
    ...{ execArgv: [], env: { PATH: process.env.PATH } },
  })
  const [, signal] = await once(child, 'exit')
  expect(signal).toBe('SIGKILL')
  // what the dead one had leased is free half a minute later
  await client.query('update outage set lease_until = now() where ended_at is null')
  await client.query('update unit_probe set lease_until = now()')
  // another server, which does not die
  await two.closed(till)
  const { course, own } = await journalOf(client, one, till)
  expect(course).toBe('SFC')
  expect(own).toHaveLength(1)
  expect(await outagesOf({ deps: one }, till.queueId)).toMatchObject([
    { ended: true, closedBy: 'autopilot', attempts: 0, receipts: 1 },
  ])
  expect(await violationsOf(one)).toEqual([])
})
