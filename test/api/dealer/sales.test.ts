// Entitlements, rollout plans and orders: what is used up, exactly once, and what comes of it.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { grantEntitlement } from '../../../src/core/sales/entitlements.js'
import { cancelOrder, processOrder } from '../../../src/core/sales/orders.js'
import { importPlans } from '../../../src/core/sales/plans.js'
import { type DealerStand, faults, openDealer, refusal } from '../../support/dealer.js'
import { rollOut } from '../../support/dealer-stock.js'

let stand: DealerStand
beforeAll(async () => {
  stand = await openDealer({ variables: { DATABASE_POOL: '12' } })
})
afterAll(() => stand.close())

let made = 0
interface PlanParts {
  [member: string]: unknown
  products?: { entitlement: string | null; cashBoxTemplateId?: string }[]
}

/** Imports a plan of its own products; gives its number and its entitlement. */
async function plan({ products, ...more }: PlanParts = {}) {
  made += 1
  const number = `4154-${String(made).padStart(4, '0')}`
  const entitlement = `AT_PRODUCT_${made}`
  const included = (products ?? [{ entitlement }]).map((one, at) => ({
    number: `4154-${String(made * 10 + at).padStart(6, '0')}`,
    name: 'Product',
    ...one,
  }))
  const whole = { number, title: 'Plan', rolloutType: 'Outlet', includedProducts: included }
  await importPlans(stand.deps.dealer.sales, [{ ...whole, ...more }])
  return { number, entitlement }
}

const grant = (name: string, terms: string, more: object = {}) =>
  grantEntitlement(stand.deps.dealer.sales, {
    ...{ accountId: stand.dealer.accountId, market: 'AT', name, terms, validTo: null },
    ...more,
  })

async function remaining(name: string): Promise<unknown> {
  const list = (await stand.call('GET /api/entitlements')).list()
  return list.find((one) => one.name === name)?.remainingTerms
}

async function outlets(count: number): Promise<string> {
  const path = `/api/posoperators/${await stand.operator('ReadWrite')}`
  const body = { name: 'Ring', address: 'Ring 2', postalCode: '1010', city: 'Wien', country: 'AT' }
  for (let at = 0; at < count; at += 1) await stand.call(`POST ${path}/outlets`, { body })
  return path
}

const produce = (path: string, rolloutPlanNumber: string | null, outletNumbers: number[] | null) =>
  stand.call(`POST ${path}/produce/outlets`, { body: { rolloutPlanNumber, outletNumbers } })

describe('an execution with an Idempotency-Key', () => {
  it('uses up entitlements once, however often and at the same time it comes', async () => {
    const { number, entitlement } = await plan()
    await grant(entitlement, '5')
    const path = await outlets(2)
    const headers = { 'idempotency-key': entitlement }
    const keyed = (outletNumbers: number[]) =>
      stand.call(`POST ${path}/produce/outlets`, {
        ...{ body: { rolloutPlanNumber: number, outletNumbers }, headers },
      })
    const all = await Promise.all(Array.from({ length: 6 }, () => keyed([3])))
    expect(new Set(all.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
    expect(all[0]?.status, all[0]?.text).toBe(200)
    expect((await keyed([3])).text).toBe(all[0]?.text)
    expect(await remaining(entitlement)).toBe(4)
    expect(refusal(await keyed([4])).status).toBe(409)
    expect(await remaining(entitlement)).toBe(4)
    expect((await produce(path, number, [4])).status).toBe(200)
    expect(await remaining(entitlement)).toBe(3)
  })
})

describe('entitlements', () => {
  it('are summed up by name; what is over or used up is left out', async () => {
    await grant('AT_SUM', '20')
    await grant('AT_SUM', '2.50')
    await grant('AT_SUM', '7', { validTo: new Date(Date.now() - 1000) })
    await grant('AT_OVER', '7', { validTo: new Date(Date.now() - 1000) })
    await grant('DE_OTHER', '7', { market: 'DE' })
    const reply = await stand.call('GET /api/entitlements')
    expect(reply.text).toContain('{"name":"AT_SUM","totalTerms":22.5,"remainingTerms":22.5}')
    const names = reply.list().map((one) => one.name)
    expect(names).not.toContain('AT_OVER')
    expect(names).not.toContain('DE_OTHER')
  })

  it('are used up exactly once: 20 executions on the last 5 give 5 orders', async () => {
    const { number, entitlement } = await plan()
    await grant(entitlement, '3')
    await grant(entitlement, '2')
    const path = await outlets(20)
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, at) => produce(path, number, [at + 3])),
    )
    const won = replies.filter(({ status }) => status === 200)
    expect(won).toHaveLength(5)
    const lost = replies.filter(({ status }) => status !== 200)
    for (const reply of lost) {
      expect(refusal(reply)).toEqual({ status: 409, code: 'InsufficientEntitlements' })
      expect(reply.json()).toMatchObject({ name: entitlement, required: 1, available: 0 })
    }
    expect(new Set(won.map((reply) => reply.json().orderNumber)).size).toBe(5)
    expect(await remaining(entitlement)).toBeUndefined()
    const sql = 'select sum(remaining)::int as sum, min(remaining)::int as least'
    const rows = await stand.rows(`${sql} from entitlement_lot where name = $1`, [entitlement])
    expect(rows.map(({ sum, least }) => [Number(sum), Number(least)])).toEqual([[0, 0]])
  })

  it('stay when one of several targets cannot be had', async () => {
    const { number, entitlement } = await plan()
    await grant(entitlement, '2')
    const path = await outlets(3)
    expect(refusal(await produce(path, number, [3, 4, 5])).code).toBe('InsufficientEntitlements')
    expect(refusal(await produce(path, number, [3, 99]))).toEqual({
      status: 404,
      code: 'OutletNotFound',
    })
    expect(await remaining(entitlement)).toBe(2)
  })

  it('are used up oldest lot first, once for a target that is named twice', async () => {
    const { number, entitlement } = await plan()
    await grant(entitlement, '1')
    await grant(entitlement, '5')
    const path = await outlets(2)
    expect((await produce(path, number, [3, 3, 4])).status).toBe(200)
    const sql = 'select remaining::text from entitlement_lot where name = $1 order by valid_from'
    const rows = await stand.rows(sql, [entitlement])
    expect(rows.map((row) => row.remaining)).toEqual(['0.00', '4.00'])
  })
})

describe('producing', () => {
  it('places an order that tells its subscriptions, and is written down', async () => {
    const { number, entitlement } = await plan()
    await grant(entitlement, '1')
    const path = await outlets(1)
    const reply = await produce(path, number, [3])
    expect(reply.status, reply.text).toBe(200)
    const { Message, orderNumber } = reply.json()
    expect(orderNumber).toMatch(/^ORD-\d{5}-([A-Z]\d){3}$/)
    expect(Message).toContain(orderNumber)
    const order = await stand.call(`GET /api/orders/${orderNumber}`)
    expect(order.json()).toEqual({
      salesorderId: expect.any(String),
      salesOrderNumber: orderNumber,
      salesOrderState: 1,
      productionState: 10,
      subscriptions: [
        {
          salesOrderDetailId: expect.any(String),
          operatorId: path.split('/').at(-1),
          outletnumber: 3,
          relatedCashboxID: null,
          relatedCashboxAccessToken: null,
          relatedQueueID: null,
          relatedSCUID: null,
        },
      ],
    })
    const rows = (await stand.audit()).filter(({ operation }) => operation === 'produceOutlets')
    expect(rows.at(-1)?.subjects).toMatchObject({ orderNumber })
  })

  it('gives a product to an outlet once, also to two who ask at the same time', async () => {
    const { number, entitlement } = await plan()
    await grant(entitlement, '9')
    const path = await outlets(1)
    const replies = await Promise.all([1, 2].map(() => produce(path, number, [3])))
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 409])
    expect(refusal(await produce(path, number, [3]))).toEqual({
      status: 409,
      code: 'AlreadySubscribed',
    })
    expect(await remaining(entitlement)).toBe(8)
  })

  it('uses up one term per Queue and names the Queue from the start', async () => {
    const { number, entitlement } = await plan({ rolloutType: 'Queue' })
    await grant(entitlement, '2')
    const operator = await stand.operator('ReadWrite')
    const { queueId } = await rollOut(stand, operator, 'AT')
    const path = `POST /api/posoperators/${operator}/produce/queues`
    const body = { rolloutPlanNumber: number, queueIds: [queueId] }
    const reply = await stand.call(path, { body })
    expect(Object.keys(reply.json())).toEqual(['orderNumber'])
    const order = (await stand.call(`GET /api/orders/${reply.json().orderNumber}`)).json()
    expect(order.subscriptions).toMatchObject([{ relatedQueueID: queueId, outletnumber: 1 }])
    expect(await remaining(entitlement)).toBe(1)
    const foreign = { ...body, queueIds: [randomUUID()] }
    expect(refusal(await stand.call(path, { body: foreign })).code).toBe('QueueNotFound')
  })

  it('refuses what names no plan or no target, and plans for other targets', async () => {
    const queues = await plan({ rolloutType: 'Queue' })
    const path = await outlets(1)
    expect(Object.keys(faults(await produce(path, ' ', null)))).toEqual([
      'rolloutPlanNumber',
      'outletNumbers',
    ])
    expect(Object.keys(faults(await produce(path, queues.number, [])))).toEqual(['outletNumbers'])
    expect(Object.keys(faults(await produce(path, queues.number, [3])))).toEqual([
      'rolloutPlanNumber',
    ])
    expect(refusal(await produce(path, '4154-9999', [3])).code).toBe('RolloutPlanNotFound')
  })

  it('needs the right ReadWrite', async () => {
    const { number } = await plan()
    const path = `/api/posoperators/${await stand.operator('Read')}`
    expect(refusal(await produce(path, number, [1])).code).toBe('InsufficientAccessRights')
  })
})

describe('rollout plans', () => {
  const numbers = async (query = '', headers = {}) =>
    (await stand.call(`GET /api/rolloutplans${query}`, { headers })).list().map((one) => one.number)

  it('are listed for those who may use them; skipAllowList shows the others too', async () => {
    const open = await plan()
    const listed = await plan({ allowed: [stand.dealer.accountId] })
    const others = await plan({ allowed: [randomUUID()] })
    const early = await plan({ preview: true })
    const own = await plan({ owner: stand.dealer.accountId })
    const foreign = await plan({ owner: randomUUID() })
    const seen = await numbers()
    expect(seen).toEqual(expect.arrayContaining([open, listed, own].map((one) => one.number)))
    for (const one of [others, early, foreign]) expect(seen).not.toContain(one.number)
    const all = await numbers('?skipAllowList=true')
    expect(all).toEqual(expect.arrayContaining([others.number, early.number]))
    expect(all).not.toContain(foreign.number)
    const without = await numbers('?skipAllowList=true', { accesstoken: undefined })
    expect(without).toContain(open.number)
    for (const one of [listed, others, early, own, foreign]) {
      expect(without).not.toContain(one.number)
    }
    const path = await outlets(1)
    expect(refusal(await produce(path, others.number, [3])).code).toBe('RolloutPlanNotAllowed')
    expect(refusal(await produce(path, foreign.number, [3])).code).toBe('RolloutPlanNotFound')
  })

  it('are found by id and by number, with the misspelt owner', async () => {
    const { number } = await plan({ owner: stand.dealer.accountId })
    const one = (await stand.call(`GET /api/rolloutplans/number/${number}`)).json()
    expect(one).toMatchObject({ number, acountId: stand.dealer.accountId, includesTemplate: false })
    expect(one).not.toHaveProperty('accountId')
    expect((await stand.call(`GET /api/rollout-plans/${one.id}`)).json()).toEqual(one)
    expect((await stand.call(`GET /api/rolloutplans/${number}`)).json()).toEqual(one)
    expect(refusal(await stand.call(`GET /api/rolloutplans/${randomUUID()}`)).code).toBe(
      'RolloutPlanNotFound',
    )
  })
})

describe('an order', () => {
  const TEMPLATE = JSON.stringify({
    ftSignaturCreationDevices: [
      {
        Id: '|[scu0_id]|',
        Package: 'fiskaltrust.signing.primesignhsm',
        Configuration: {},
        Url: [],
      },
    ],
    ftQueues: [
      {
        Id: '|[queue0_id]|',
        Package: 'fiskaltrust.Middleware.Queue.SQLite',
        Configuration: {
          init_ftQueue: [{ ftQueueId: '|[queue0_id]|', CountryCode: 'AT', Timeout: 15000 }],
          init_ftQueueAT: [{ ftQueueATId: '|[queue0_id]|', CashBoxIdentification: 'K-1' }],
        },
        Url: [],
      },
    ],
  })

  async function stored(content: string): Promise<string> {
    const id = randomUUID()
    await stand.rows(
      `insert into template (account_id, id, market, product_number, name, description, image_url,
         link_url, mode, content, created_at, modified_at)
       values ($1, $2, 'AT', '4154-028000', $3, '', '', '', 0, $4, now(), now())`,
      [stand.dealer.accountId, id, id, content],
    )
    return id
  }

  async function placed(content: string) {
    const name = `AT_TEMPLATE_${randomUUID()}`
    const cashBoxTemplateId = await stored(content)
    const { number } = await plan({ products: [{ entitlement: name, cashBoxTemplateId }] })
    await grant(name, '1')
    const path = await outlets(1)
    const { orderNumber } = (await produce(path, number, [3])).json()
    const read = async () => (await stand.call(`GET /api/orders/${orderNumber}`)).json()
    const key = { accountId: stand.dealer.accountId, id: String((await read()).salesorderId) }
    return { name, orderNumber: String(orderNumber), read, key, path }
  }

  it('executes its template once, however often it is worked on', async () => {
    const { key, read, path } = await placed(TEMPLATE)
    const { sales } = stand.deps.dealer
    await Promise.allSettled([processOrder(sales, key), processOrder(sales, key)])
    await processOrder(sales, key)
    const order = await read()
    expect(order).toMatchObject({ salesOrderState: 3, productionState: 80 })
    const boxes = (await stand.call(`GET ${path}/cashboxes`)).list()
    expect(boxes).toHaveLength(1)
    const [line] = order.subscriptions as Record<string, unknown>[]
    expect(line).toMatchObject({
      relatedCashboxID: boxes[0]?.cashBoxId,
      relatedCashboxAccessToken: expect.stringMatching(/^[A-Za-z0-9+/]{87}=$/),
      relatedQueueID: expect.any(String),
      relatedSCUID: expect.any(String),
    })
  })

  it('shows the token of its cash box as long as its dealer may write there', async () => {
    const { key, read, path } = await placed(TEMPLATE)
    await processOrder(stand.deps.dealer.sales, key)
    const token = async () => {
      const [line] = (await read()).subscriptions as Record<string, unknown>[]
      return [typeof line?.relatedCashboxID, line?.relatedCashboxAccessToken === null]
    }
    const sql = 'update connection set rights = $1, state = $2 where to_account_id = $3'
    const operator = path.split('/').at(-1)
    expect(await token()).toEqual(['string', false])
    await stand.rows(sql, ['Read', 'active', operator])
    expect(await token()).toEqual(['string', true])
    await stand.rows(sql, ['Full', 'pending', operator])
    expect(await token()).toEqual(['string', true])
  })

  it('that fails stays submitted, and gives back what it used up when it is canceled', async () => {
    const { key, read, name, orderNumber } = await placed('{"ftQueues": [')
    const { sales } = stand.deps.dealer
    await expect(processOrder(sales, key)).rejects.toThrow()
    expect(await read()).toMatchObject({ salesOrderState: 1, productionState: 110 })
    expect(await remaining(name)).toBeUndefined()
    const actor = { accountId: key.accountId, onBehalfOf: null, operation: 'cancel', traceId: '' }
    await cancelOrder(sales, actor, orderNumber)
    expect(await read()).toMatchObject({ salesOrderState: 2 })
    expect(await remaining(name)).toBe(1)
    await expect(cancelOrder(sales, actor, orderNumber)).rejects.toMatchObject({
      code: 'ORDER_TOO_LATE',
    })
    expect(await remaining(name)).toBe(1)
  })

  it('of another dealer is not there', async () => {
    const { orderNumber } = await placed(TEMPLATE)
    const other = await stand.account()
    const reply = await stand.call(`GET /api/orders/${orderNumber}`, { as: other })
    expect(refusal(reply)).toEqual({ status: 404, code: 'OrderNotFound' })
  })
})
