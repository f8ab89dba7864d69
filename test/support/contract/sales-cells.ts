// Cells of the contract test: entitlements, rollout plans and orders.
import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import type { Reply } from '../dealer.js'
import { type Cells, expectMembers, type Refused } from './cell.js'
import { GUID } from './merchant-cells.js'
import { type Planned, planOf, type World } from './world.js'

const ORDER_NUMBER = expect.stringMatching(/^ORD-\d{5}-([A-Z]\d){3}$/)

type Target = 'Outlet' | 'Queue'

const plan = ({ stand, own }: World, type: Target, more: object = {}) =>
  planOf({ stand, dealer: own.dealer }, type, { ...more })

/** Rolls a plan out: to outlet 1, or to the Queue. */
interface Rolled {
  type: Target
  number: string
  /** Number of an outlet, or id of a Queue. */
  wanted?: unknown
}

async function rolling({ own }: World, { type, number, wanted }: Rolled) {
  const params = { posOperatorId: own.operator }
  const base = { params, body: { rolloutPlanNumber: number } }
  if (type === 'Outlet') {
    return { ...base, body: { ...base.body, outletNumbers: [wanted ?? 1] } }
  }
  return { ...base, body: { ...base.body, queueIds: [wanted ?? own.box.queueId] } }
}

const rollingNew = async (world: World, type: Target, wanted?: unknown) =>
  rolling(world, { type, number: (await plan(world, type)).number, wanted })

const refusing = (type: Target) => ({
  PLAN_UNKNOWN: (world: World): Promise<Refused> => rolling(world, { type, number: '4445-9999' }),
  PLAN_FORBIDDEN: async (world: World): Promise<Refused> => {
    const { number } = await plan(world, type, { allowed: [randomUUID()] })
    return rolling(world, { type, number })
  },
  ENTITLEMENTS_INSUFFICIENT: async (world: World): Promise<Refused> => {
    const { number } = await plan(world, type, { terms: '0' })
    return rolling(world, { type, number })
  },
  ALREADY_SUBSCRIBED: async (world: World): Promise<Refused> => {
    const { stand, own } = world
    const sent = await rollingNew(world, type)
    const where = type === 'Outlet' ? 'outlets' : 'queues'
    const line = `POST /api/posoperators/${own.operator}/produce/${where}`
    expect((await stand.call(line, { body: sent.body })).status).toBe(200)
    return sent
  },
})

const PLAN_KEYS = [
  ...['id', 'number', 'title', 'description', 'includedBusinessFeatures', 'includesTemplate'],
  ...['allowTemplateOverride', 'preview', 'imageUrl', 'acountId', 'businessType', 'rolloutType'],
  'includedProducts',
]

function expectPlan(one: Record<string, unknown>, { id, number }: Omit<Planned, 'entitlement'>) {
  expectMembers(one, PLAN_KEYS)
  expect(one).toMatchObject({ id, number, rolloutType: 'Outlet', businessType: 'DealerPackage' })
  expect(one.includedProducts).toEqual([
    { number: expect.any(String), cashBoxTemplateId: null, name: 'P', description: '' },
  ])
}

const ownPlan = (reply: Reply, _sent: unknown, { own }: World): void =>
  expectPlan(reply.json(), { id: own.planId, number: own.plan })

export const salesCells: Cells = {
  listEntitlements: {
    works: async (world) => {
      await plan(world, 'Outlet')
      return {}
    },
    answers: (reply) => {
      expect(reply.list().length).toBeGreaterThan(0)
      for (const one of reply.list()) {
        expect(one).toEqual({
          name: expect.stringMatching(/^DE_/),
          totalTerms: expect.any(Number),
          remainingTerms: expect.any(Number),
        })
        expect(Number(one.remainingTerms)).toBeGreaterThan(0)
      }
    },
  },
  listRolloutPlans: {
    works: async () => ({ query: { skipAllowList: 'false' } }),
    answers: (reply, _sent, { own }) => {
      const found = reply.list().find(({ id }) => id === own.planId) ?? {}
      expectPlan(found, { id: own.planId, number: own.plan })
    },
  },
  getRolloutPlan: {
    works: async ({ own }) => ({ params: { id: own.planId } }),
    answers: ownPlan,
    refuses: {
      PLAN_UNKNOWN: async () => ({ params: { id: randomUUID() } }),
    },
  },
  getRolloutPlanByNumber: {
    works: async ({ own }) => ({ params: { number: own.plan } }),
    answers: ownPlan,
    refuses: { PLAN_UNKNOWN: async () => ({ params: { number: '4445-9999' } }) },
  },
  produceQueues: {
    works: (world) => rollingNew(world, 'Queue'),
    answers: (reply) => expect(reply.json()).toEqual({ orderNumber: ORDER_NUMBER }),
    leaves: { subjects: ['orderId', 'orderNumber'], before: false, after: true },
    places: {
      queueIds: (id, world) => rollingNew(world, 'Queue', id),
      rolloutPlanNumber: (id, world) => rolling(world, { type: 'Queue', number: id }),
    },
    refuses: {
      QUEUE_UNKNOWN: (world) => rollingNew(world, 'Queue', randomUUID()),
      ...refusing('Queue'),
    },
  },
  produceOutlets: {
    works: (world) => rollingNew(world, 'Outlet'),
    answers: (reply) => {
      const { Message, orderNumber } = reply.json()
      expectMembers(reply.json(), ['Message', 'orderNumber'])
      expect(orderNumber).toEqual(ORDER_NUMBER)
      expect(Message).toContain(orderNumber)
    },
    leaves: { subjects: ['orderId', 'orderNumber'], before: false, after: true },
    places: {
      outletNumbers: (id, world) => rollingNew(world, 'Outlet', Number(id)),
      rolloutPlanNumber: (id, world) => rolling(world, { type: 'Outlet', number: id }),
    },
    refuses: {
      OUTLET_UNKNOWN: (world) => rollingNew(world, 'Outlet', 2),
      ...refusing('Outlet'),
    },
  },
  getOrder: {
    works: async ({ own }) => ({ params: { ordernumber: own.order } }),
    answers: (reply, _sent, { own }) =>
      expect(reply.json()).toEqual({
        ...{ salesorderId: GUID, salesOrderNumber: own.order },
        ...{ salesOrderState: 1, productionState: 10 },
        subscriptions: [
          {
            ...{ salesOrderDetailId: GUID, operatorId: own.operator, outletnumber: 1 },
            ...{ relatedCashboxID: null, relatedCashboxAccessToken: null },
            ...{ relatedQueueID: null, relatedSCUID: null },
          },
        ],
      }),
    refuses: { ORDER_UNKNOWN: async () => ({ params: { ordernumber: 'ORD-00000-A1B2C3' } }) },
  },
}
