// The autopilot on Austrian queues: what it asks, when it signs, and what it leaves alone.
import type pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createScu } from '../../../src/core/rollout/create.js'
import { marketOf } from '../../../src/market/index.js'
import { forgetUnits } from '../../../src/store/event/autopilot.js'
import { attachUnit } from '../../../src/store/rollout/scus.js'
import {
  journalOf,
  openPilot,
  outagesOf,
  type PilotStand,
  violationsOf,
} from '../../support/autopilot.js'
import { createTestDatabase, type TestDatabase } from '../../support/db.js'
import { connected } from '../../support/ledger.js'
import { createTill, SOFTWARE_PACKAGE, type Till, ZERO } from '../../support/stand.js'

let database: TestDatabase
let client: pg.Client
let stand: PilotStand

beforeAll(async () => {
  database = await createTestDatabase()
  client = await connected(database.config)
  stand = openPilot(database.config, {})
})
afterEach(async () => {
  stand.move(0)
  expect(await violationsOf(stand)).toEqual([])
})
afterAll(async () => {
  await stand.close()
  await client.end()
  await database.drop()
})

/** One call of the device is one try of a receipt. */
const ONCE = { queue: { configuration: { 'scu-max-retries': 0 } } }
const DEAD = [{ do: 'unreachable' }]
const zero = { receiptCase: ZERO, cents: null }

async function looks(count: number): Promise<void> {
  for (let round = 0; round < count; round += 1) {
    await stand.look()
    await new Promise((done) => setTimeout(done, 10))
  }
}

const outages = (till: Till) => outagesOf({ deps: stand }, till.queueId)
const journal = (till: Till) => journalOf(client, stand, till)
const policy = (till: Till, value: string | null) =>
  client.query('update cash_box set autopilot = $2 where id = $1', [till.cashBoxId, value])
const unitOf = async (till: Till, at = 0) => {
  const { rows } = await client.query('select * from unit_probe where scu_id = $1', [
    till.scuIds[at],
  ])
  return rows[0] as { state: string; last_error: string | null; bad: number } | undefined
}
async function eventsOf(till: Till): Promise<string[]> {
  const { rows } = await client.query<{ type: string }>(
    `select type from event where account_id = $1 and (type like 'outage.%' or type like 'scu.%')
     order by seq`,
    [till.accountId],
  )
  return rows.map(({ type }) => type)
}

describe('a dead unit', () => {
  it('is asked and never signs; its outage is closed once, behind the last receipt', async () => {
    const till = await createTill(stand)
    await stand.fault(till, DEAD)
    for (let one = 0; one < 3; one += 1) await stand.sign(till)
    await looks(10)
    expect(await unitOf(till)).toMatchObject({
      state: 'out',
      last_error: 'the device cannot be reached',
    })
    expect((await journal(till)).course).toBe('SFFF')
    await stand.fault(till)
    await stand.closed(till)
    await stand.sign(till)
    await looks(5)
    const { course, own } = await journal(till)
    expect(course).toBe('SFFFCS')
    expect(await outages(till)).toMatchObject([
      { cause: 'device', closedBy: 'autopilot', receipts: 3, attempts: 0, closingItem: own[0]?.id },
    ])
    expect(own).toHaveLength(1)
    const [outage] = await outages(till)
    expect(own[0]?.receiptReference).toBe(`outage:${outage?.id}`)
    expect(await eventsOf(till)).toEqual([
      ...['outage.opened', 'scu.failed', 'scu.recovered', 'outage.closed'],
    ])
    await forgetUnits(stand.store)
    expect(await unitOf(till)).toBeUndefined()
  })

  it('that failed once is enough: the law wants the collective receipt all the same', async () => {
    const till = await createTill(stand, ONCE)
    await stand.fault(till, [{ do: 'error', calls: 1 }])
    await stand.sign(till)
    await stand.closed(till)
    expect((await journal(till)).course).toBe('SFC')
    // nobody has seen it fail but the receipt
    expect(await eventsOf(till)).toEqual(['outage.opened', 'outage.closed'])
  })

  it('is asked by its script like by a receipt: each question uses up a call', async () => {
    const till = await createTill(stand, ONCE)
    await stand.fault(till, [{ do: 'unreachable', calls: 4 }])
    await stand.sign(till)
    await stand.closed(till)
    const { actions, course } = await journal(till)
    expect(course).toBe('SFC')
    expect(actions.filter(({ type }) => type === 'FaultScript-ended')).toHaveLength(1)
  })
})

describe('a unit that flaps', () => {
  it('gets no second closing for one outage, and each outage its own', async () => {
    const till = await createTill(stand, ONCE)
    for (let round = 0; round < 20; round += 1) {
      await stand.fault(till, DEAD)
      await stand.sign(till)
      await looks(1 + (round % 3))
      await stand.fault(till)
      await looks(1 + (round % 4))
    }
    await stand.closed(till)
    const { course, own } = await journal(till)
    const found = await outages(till)
    expect(found.every(({ ended }) => ended)).toBe(true)
    expect(course.match(/C/g)).toHaveLength(found.length)
    expect(course).toMatch(/^S(F+C)+$/)
    expect(own.length).toBe(found.reduce((sum, { attempts }) => sum + attempts + 1, 0))
  })
})

describe('a unit that answers and signs nonsense', () => {
  it.each(['wrong-signature', 'garbage'])(
    '%s: closings that fail are few, and the next one is another receipt',
    async (kind) => {
      const till = await createTill(stand, ONCE)
      await stand.fault(till, [{ do: kind }])
      await stand.sign(till)
      await looks(20)
      const tried = kind === 'wrong-signature' ? 1 : 0
      expect((await journal(till)).course).toBe(`SF${'F'.repeat(tried)}`)
      expect(await outages(till)).toMatchObject([{ ended: false, attempts: tried }])
      await stand.fault(till)
      await client.query('update outage set next_at = now() where ended_at is null')
      await stand.closed(till)
      expect((await journal(till)).course).toBe(`SF${'F'.repeat(tried)}C`)
    },
  )

  it('an expired certificate keeps the outage open until the device has another one', async () => {
    const till = await createTill(stand, ONCE)
    await stand.fault(till, [{ do: 'certificate-expired' }])
    await stand.sign(till)
    await looks(10)
    expect(await unitOf(till)).toMatchObject({
      state: 'out',
      last_error: 'the certificate has expired',
    })
    expect((await journal(till)).course).toBe('SF')
    await stand.fault(till)
    await stand.closed(till)
  })
})

describe('two units', () => {
  async function withBackup(): Promise<Till> {
    const till = await createTill(stand, ONCE)
    const { accountId, cashBoxId, queueId } = till
    const unit = { accountId, cashBoxId, market: 'AT', package: SOFTWARE_PACKAGE, mode: 1 }
    const deps = { store: stand.store, marketOf, now: () => new Date() }
    const scuId = await createScu(deps, { ...unit, description: 'backup' })
    await attachUnit(stand.store, { accountId, queueId, scuId })
    return { ...till, scuIds: [...till.scuIds, scuId] }
  }

  it('both down: the one that is back first closes, the other is asked on', async () => {
    const till = await withBackup()
    for (const unit of [0, 1]) await stand.fault(till, DEAD, unit)
    await stand.sign(till)
    await looks(8)
    expect((await unitOf(till))?.state).toBe('out')
    expect((await unitOf(till, 1))?.state).toBe('out')
    await stand.fault(till, undefined, 1)
    // the zero receipt of the law begins with the first unit, and goes on to the second
    await client.query(
      `update queue set configuration = '{"scu-max-retries":1}', version = version + 1
       where id = $1`,
      [till.queueId],
    )
    await stand.closed(till)
    expect((await journal(till)).course).toBe('SFC')
    expect((await unitOf(till))?.state).toBe('out')
    await stand.fault(till)
    await expect
      .poll(async () => {
        await stand.look()
        return (await eventsOf(till)).sort()
      })
      .toEqual([
        ...['outage.closed', 'outage.opened', 'scu.failed', 'scu.failed'],
        ...['scu.recovered', 'scu.recovered'],
      ])
  })
})

describe('what is not for the autopilot', () => {
  it('advise: the unit is asked, and nothing is signed, however long', async () => {
    const till = await createTill(stand)
    await policy(till, 'advise')
    await stand.fault(till, DEAD)
    await stand.sign(till)
    await looks(3)
    await stand.fault(till)
    await looks(30)
    expect((await unitOf(till))?.state).toBe('answering')
    expect((await journal(till)).course).toBe('SF')
    expect(await outages(till)).toMatchObject([{ ended: false, attempts: 0 }])
    await stand.sign(till, zero)
    await looks(2)
    expect(await outages(till)).toMatchObject([{ ended: true, closedBy: 'pos' }])
    expect((await journal(till)).course).toBe('SFC')
  })

  it('off: nobody asks the unit either', async () => {
    const till = await createTill(stand)
    await policy(till, 'off')
    await stand.fault(till, [{ do: 'unreachable', calls: 1000 }])
    await stand.sign(till)
    await looks(20)
    const { rows } = await client.query('select fault_script from scu where id = $1', till.scuIds)
    expect(JSON.parse(rows[0].fault_script)).toMatchObject({ calls: 4 })
    expect(await unitOf(till)).toBeUndefined()
    await policy(till, null)
    await client.query('update outage set look_at = now() where queue_id = $1', [till.queueId])
    await stand.fault(till)
    await stand.closed(till)
  })

  it('a register that enters receipts later: only it knows when that is done', async () => {
    const till = await createTill(stand)
    const late = { receiptCase: 0x4154_0000_0001_0001n }
    await stand.sign(till, late)
    await looks(20)
    expect(await outages(till)).toMatchObject([{ cause: 'register', ended: false }])
    await stand.sign(till, late)
    await stand.sign(till, zero)
    await looks(2)
    expect(await outages(till)).toMatchObject([{ ended: true, closedBy: 'pos', receipts: 2 }])
    expect((await journal(till)).own).toEqual([])
  })

  it('a queue that was never started here: it signs elsewhere, or nowhere', async () => {
    const till = await createTill(stand, { started: false })
    await stand.fault(till, DEAD)
    await stand.sign(till)
    await stand.sign(till, zero)
    await looks(10)
    expect(await outages(till)).toEqual([])
    expect((await journal(till)).own).toEqual([])
  })

  it('a queue that was taken out of its cash box, until it is in one again', async () => {
    const till = await createTill(stand)
    await stand.fault(till, DEAD)
    await stand.sign(till)
    await looks(3)
    await stand.fault(till)
    await client.query('update queue set cash_box_id = null, version = version + 1 where id = $1', [
      till.queueId,
    ])
    await looks(20)
    expect((await journal(till)).course).toBe('SF')
    await client.query('update queue set cash_box_id = $2, version = version + 1 where id = $1', [
      ...[till.queueId, till.cashBoxId],
    ])
    await stand.closed(till)
    expect((await journal(till)).course).toBe('SFC')
  })
})

describe('time', () => {
  const DAY_MS = 24 * 3_600_000

  it('over the ends of month and year: closed, and the reports of the law are made', async () => {
    const from = new Date()
    // half a year back: certificates of the stand are made by its clock
    const december = Date.UTC(from.getUTCFullYear() - 1, 11, 30, 12) - from.getTime()
    stand.move(december)
    const till = await createTill(stand)
    await stand.sign(till)
    await stand.fault(till, DEAD)
    for (const day of [0, 1, 2, 3]) {
      stand.move(december + day * DAY_MS)
      await stand.sign(till)
    }
    // a monthly receipt may be failed, a yearly one has to wait
    await stand.sign(till, { receiptCase: 0x4154_0000_0000_0005n, cents: null })
    await stand.fault(till)
    await stand.closed(till)
    await stand.sign(till, { receiptCase: 0x4154_0000_0000_0006n, cents: null })
    const { course, actions } = await journal(till)
    expect(course).toBe('SSFFFFFCS')
    // more than 48 hours: its begin was put down once, its end with the closing
    const reports = actions.filter(({ priority }) => priority === -1)
    expect(reports.length).toBeGreaterThanOrEqual(3)
  })

  it('a clock that jumps between failure and closing changes nothing of it', async () => {
    const till = await createTill(stand)
    stand.move(5 * DAY_MS)
    await stand.fault(till, DEAD)
    await stand.sign(till)
    stand.move(-5 * DAY_MS)
    await looks(2)
    await stand.fault(till)
    await stand.closed(till)
    expect((await journal(till)).course).toBe('SFC')
  })
})

it('the closing of an outage has one id, whoever computes it', async () => {
  const till = await createTill(stand, ONCE)
  await stand.fault(till, [{ do: 'error', calls: 1 }])
  await stand.sign(till)
  await stand.closed(till)
  const { rows } = await client.query(
    'select operation_id from queue_item where queue_id = $1 and operation_id is not null',
    [till.queueId],
  )
  expect(rows).toHaveLength(1)
  expect(rows[0].operation_id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab]/)
})
