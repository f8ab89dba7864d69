// The outage of a Queue over HTTP: its state, the clock of the law, the next step in three
// languages, the closing that a person asks for, the policy of a CashBox, and who may do what.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type AccountAccess, createAccount } from '../../../src/core/accounts/accounts.js'
import type { Autopilot } from '../../../src/core/event/autopilot/autopilot.js'
import { createOutbound } from '../../../src/device/outbound.js'
import { putConnection, type Right } from '../../../src/store/account/connections.js'
import { outagesOf, pilotOf, setFault } from '../../support/autopilot.js'
import { newAccount } from '../../support/dealer.js'
import {
  accountHeaders,
  eventsOf,
  openPlatform,
  type PlatformShop,
} from '../../support/platform.js'

let shop: PlatformShop
let pilot: Autopilot
let queuePath: string
let boxPath: string

beforeAll(async () => {
  shop = await openPlatform()
  const now = () => new Date()
  const tools = { fetch: createOutbound({ allow: [] }), now, sleep: () => Promise.resolve() }
  pilot = pilotOf({ ...shop.deps, tools })
  queuePath = `queues/${shop.box.queueId}/outage`
  boxPath = `cashboxes/${shop.box.cashBoxId}/autopilot`
})
afterAll(() => shop.close())

interface Answer {
  status: number
  code?: string
  state: string
  text: string
  nextStep: string
  action: string
  policy: string
  chosen?: string | null
  deadline: string | null
  outages: {
    id: string
    cause: string
    state: string
    since: string
    receipts: number
    beganWith: string
    askedAt: string | null
    report: Record<string, string | number | null> | null
  }[]
  units: { scuId: string; state: string; lastError: string | null; lastAsked: string | null }[]
  last: Record<string, string | number> | null
  outageIds?: string[]
  items?: Record<string, unknown>[]
}

interface Asked {
  method?: string
  body?: object
  as?: AccountAccess
  headers?: Record<string, string>
}

async function call(path: string, { method = 'GET', body, as, headers }: Asked = {}) {
  const answer = await fetch(`${shop.url}/platform/v1/${path}`, {
    method,
    headers: {
      ...accountHeaders(as ?? shop.dealer),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  return { ...((await answer.json()) as Answer), status: answer.status }
}

const read = (headers: Record<string, string> = {}) => call(queuePath, { headers })
const choose = (policy: string | null, as?: AccountAccess) =>
  call(boxPath, { method: 'PUT', body: { policy }, ...(as === undefined ? {} : { as }) })
const close = (headers: Record<string, string> = {}, as?: AccountAccess) =>
  call(`${queuePath}/close`, { method: 'POST', headers, ...(as === undefined ? {} : { as }) })
const dead = () => setFault(shop, shop.box, [{ do: 'unreachable' }])
const well = () => setFault(shop, shop.box)
const sql = (text: string, values: unknown[] = []) => shop.deps.store.pool.query(text, values)

async function looks(count: number): Promise<void> {
  for (let round = 0; round < count; round += 1) {
    await pilot.look()
    await new Promise((done) => setTimeout(done, 10))
  }
}

async function until(state: string): Promise<void> {
  await expect
    .poll(
      async () => {
        await pilot.look()
        return (await read()).state
      },
      { timeout: 10_000 },
    )
    .toBe(state)
}

/** No outage goes on, and the policy is the default. */
beforeEach(async () => {
  await well()
  await shop.receipt(2n)
  await choose(null)
  await until('ok')
})

async function fails(): Promise<void> {
  await dead()
  await shop.receipt()
  await expect.poll(async () => (await read()).state).not.toBe('ok')
}

describe('the state', () => {
  it('of a queue that works: nothing is to be done', async () => {
    expect(await read()).toMatchObject({
      ...{ status: 200, queueId: shop.box.queueId, cashBoxId: shop.box.cashBoxId, market: 'AT' },
      ...{ operatorId: shop.operatorId, state: 'ok', nextStep: 'none', policy: 'act' },
      ...{ deadline: null, outages: [], units: [] },
    })
  })

  it('goes from the first failure to the receipt that ends it, with what comes next', async () => {
    await fails()
    expect(await read()).toMatchObject({ state: 'suspect', nextStep: 'mend_unit' })
    await looks(3)
    const out = await read()
    expect(out).toMatchObject({ state: 'out', nextStep: 'mend_unit', policy: 'act' })
    const [unit] = out.units
    expect(unit).toMatchObject({ scuId: shop.box.scuIds[0], state: 'out' })
    expect(unit?.lastError).toBe('the device cannot be reached')
    const [outage] = out.outages
    expect(outage).toMatchObject({ cause: 'device', receipts: 1, askedAt: null })
    await shop.receipt()
    expect((await read()).outages).toMatchObject([{ id: outage?.id, receipts: 2 }])
    await well()
    await until('ok')
    const { last } = await read()
    expect(last).toMatchObject({ id: outage?.id, closedBy: 'autopilot', receipts: 2 })
    const items = await sql('select id from queue_item where id = any($1::uuid[])', [
      [outage?.beganWith, last?.closedWith],
    ])
    expect(items.rowCount).toBe(2)
    const all = (await eventsOf(shop, '?limit=200')).items
    // its problems are told as soon as they are found
    const told = all.filter(({ type }) => !type.startsWith('problem.')).slice(-4)
    expect(told.map(({ type }) => type)).toEqual([
      ...['outage.opened', 'scu.failed', 'scu.recovered', 'outage.closed'],
    ])
    expect(told[3]?.data).toEqual({ cause: 'device', queueItemId: last?.closedWith, receipts: 2 })
    expect(told[1]?.subject).toBe(`scu/${shop.box.scuIds[0]}`)
  })

  it('is told in German, French and English, for each state another text', async () => {
    await choose('advise')
    await fails()
    const texts = new Set<string>()
    for (const language of ['de', 'fr', 'en', 'it']) {
      const { text, action } = await read({ 'accept-language': language })
      texts.add(text).add(action)
    }
    // Italian readers get the English words
    expect(texts.size).toBe(6)
    expect((await read({ 'accept-language': 'de' })).action).toBe(
      'Die Signatureinheit instand setzen, danach von der Kasse einen Nullbeleg senden.',
    )
  })

  it('stands in the lists', async () => {
    await fails()
    await looks(3)
    const { items: queues = [] } = await call('queues?outage=true')
    expect(queues).toMatchObject([{ outage: { cause: 'device', state: 'out' } }])
    const { items: open = [] } = await call('outages?open=true')
    expect(open).toMatchObject([{ state: 'out', closedBy: null, receipts: null }])
    await well()
    await until('ok')
    const { items: all = [] } = await call('outages')
    expect(all[0]).toMatchObject({ state: 'ok', closedBy: 'autopilot', receipts: 1 })
  })

  it('of a register that enters receipts later waits for the register', async () => {
    await shop.receipt(0x1_0001n)
    await expect.poll(async () => (await read()).state).toBe('answering')
    const found = await read()
    expect(found).toMatchObject({ nextStep: 'enter_then_send', outages: [{ cause: 'register' }] })
    expect((await close()).status).toBe(200)
    await until('ok')
    expect((await read()).last).toMatchObject({ cause: 'register', closedBy: 'person' })
  })
})

describe('the clock of the law', () => {
  const HOUR_MS = 3_600_000

  /** When the units failed, by the state of the queue, and when the database heard of it. */
  async function failedAt(moment: number, heard = moment): Promise<void> {
    await sql(
      `update queue set version = version + 1,
         state = jsonb_set(state::jsonb, '{sscdFailMoment}', to_jsonb($2::int8))::text
       where id = $1`,
      [shop.box.queueId, moment],
    )
    await sql('update outage set opened_at = to_timestamp($2::float8 / 1000) where queue_id = $1', [
      ...[shop.box.queueId, heard],
    ])
  }

  it('begins with the failure, and its end is 48 hours later, to the millisecond', async () => {
    await fails()
    const { outages, deadline } = await read()
    const { rows } = await sql(
      `select state::jsonb->>'sscdFailMoment' as moment from queue where id = $1`,
      [shop.box.queueId],
    )
    expect(Date.parse(outages[0]?.since ?? '')).toBe(Number(rows[0].moment))
    expect(Date.parse(deadline ?? '')).toBe(Number(rows[0].moment) + 48 * HOUR_MS)
    expect(outages[0]?.report).toMatchObject({ state: 'none', law: '§ 17 RKSV', text: null })
  })

  it.each([
    [47.9, 'none'],
    [49, 'due'],
  ])('after %s hours the report is %s', async (hours, state) => {
    await fails()
    await failedAt(Date.now() - hours * HOUR_MS)
    const [outage] = (await read({ 'accept-language': 'de' })).outages
    expect(outage?.report?.state).toBe(state)
    const left = Number(outage?.report?.secondsLeft)
    expect(left).toBeGreaterThanOrEqual(0)
    expect(left).toBeLessThan(state === 'due' ? 1 : 361)
    expect(outage?.report?.text === null).toBe(state === 'none')
    const [by, deadline] = [outage?.report?.reportBy, outage?.report?.deadline]
    expect(Date.parse(String(by)) - Date.parse(String(deadline))).toBe(7 * 24 * HOUR_MS)
  })

  it('a clock that ran a year ahead postpones nothing', async () => {
    await fails()
    const now = Date.now()
    await failedAt(now + 365 * 24 * HOUR_MS, now - 49 * HOUR_MS)
    expect((await read()).outages[0]?.report?.state).toBe('due')
  })

  it('goes by the time of the database, whatever the server believes', async () => {
    await fails()
    const before = await read()
    const real = Date.now
    try {
      Date.now = () => real() + 100 * HOUR_MS
      expect((await read()).outages[0]?.report?.state).toBe('none')
      expect((await read()).deadline).toBe(before.deadline)
    } finally {
      Date.now = real
    }
  })
})

describe('a person', () => {
  it('has an outage closed under each policy: as soon as the unit answers, and once', async () => {
    const audited = async () =>
      (await sql(`select from audit_entry where operation = 'closeOutage'`)).rowCount ?? 0
    const before = await audited()
    for (const policy of ['advise', 'off']) {
      await choose(policy)
      await fails()
      await looks(3)
      const key = randomUUID()
      const asked = await close({ 'idempotency-key': key })
      expect(asked.status).toBe(200)
      expect(await close({ 'idempotency-key': key })).toEqual(asked)
      const { outages, nextStep } = await read()
      expect(outages.map(({ id }) => id)).toEqual(asked.outageIds)
      expect(outages[0]?.askedAt).not.toBeNull()
      expect(nextStep).toBe('mend_unit')
      await looks(5)
      expect((await read()).outages).toMatchObject([{ receipts: 1, state: 'out' }])
      await well()
      await until('ok')
      expect((await read()).last).toMatchObject({ closedBy: 'person', receipts: 1 })
      // what was answered once is answered again, although it is over
      expect(await close({ 'idempotency-key': key })).toEqual(asked)
      const stored = await outagesOf(shop, shop.box.queueId)
      expect(stored.at(-1)).toMatchObject({ attempts: 0, closedBy: 'person' })
    }
    expect(await audited()).toBe(before + 2)
  })

  it('cannot close what does not go on', async () => {
    expect(await close()).toMatchObject({ status: 409, code: 'NoOutage' })
  })
})

describe('the policy', () => {
  it('is kept, shown and taken back', async () => {
    const { cashBoxId } = shop.box
    expect(await call(boxPath)).toEqual({ status: 200, cashBoxId, policy: 'act', chosen: null })
    for (const policy of ['advise', 'off', 'act']) {
      const shown = { status: 200, cashBoxId, policy, chosen: policy }
      expect(await choose(policy)).toEqual(shown)
      expect(await call(boxPath)).toEqual(shown)
      expect((await read()).policy).toBe(policy)
    }
    expect(await choose(null)).toMatchObject({ policy: 'act', chosen: null })
  })

  it('counts from the next look on, also for an outage that goes on', async () => {
    await choose('advise')
    await fails()
    await well()
    await until('answering')
    await looks(10)
    expect(await read()).toMatchObject({ state: 'answering', nextStep: 'send_zero_receipt' })
    await choose('off')
    await looks(3)
    expect((await read()).units).toEqual([])
    await choose('act')
    await until('ok')
  })

  it.each([{ policy: 'sometimes' }, {}, { policy: 9 }, []])('%j is refused', async (body) => {
    expect(await call(boxPath, { method: 'PUT', body })).toMatchObject({ status: 400 })
  })
})

describe('who may', () => {
  const now = () => new Date()
  async function dealerWith(rights: Right | undefined): Promise<AccountAccess> {
    const { store } = shop.deps
    const made = await createAccount({ store, now }, newAccount('PosDealer'))
    if (rights === undefined) return made
    await putConnection(store, {
      ...{ id: randomUUID(), accountId: made.accountId, toAccountId: shop.operatorId, rights },
      ...{ state: 'active', createdAt: now() },
    })
    return made
  }

  it('read with Read, and write with ReadWrite', async () => {
    const reader = await dealerWith('Read')
    expect((await call(queuePath, { as: reader })).status).toBe(200)
    expect((await call(boxPath, { as: reader })).status).toBe(200)
    for (const refused of [await choose('off', reader), await close({}, reader)]) {
      expect(refused).toMatchObject({ status: 403, code: 'InsufficientAccessRights' })
    }
    expect((await call(boxPath)).chosen).toBeNull()
    const writer = await dealerWith('ReadWrite')
    expect(await choose('advise', writer)).toMatchObject({ status: 200, chosen: 'advise' })
  })

  it('learns nothing of what it may not read: foreign ids are like unknown ones', async () => {
    for (const as of [await dealerWith('None'), await dealerWith(undefined)]) {
      for (const [path, known] of [
        [queuePath, shop.box.queueId],
        [boxPath, shop.box.cashBoxId],
      ] as const) {
        const unknown = randomUUID()
        const [foreign, none] = await Promise.all([
          call(path, { as }),
          call(path.replace(known, unknown), { as }),
        ])
        const told = JSON.stringify({ ...none, traceId: '' }).replaceAll(unknown, known)
        expect(JSON.stringify({ ...foreign, traceId: '' })).toBe(told)
        expect(foreign.status).toBe(404)
      }
      expect((await close({}, as)).status).toBe(404)
      expect((await choose('off', as)).status).toBe(404)
    }
  })
})
