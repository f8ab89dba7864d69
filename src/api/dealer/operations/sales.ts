// Entitlements, rollout plans and orders. Part of the route table.
import { z } from 'zod'
import { plainly, queueOf } from '../../../core/rollout/inventory/inventory.js'
import { listEntitlements } from '../../../core/sales/entitlements.js'
import { getOrder } from '../../../core/sales/orders.js'
import { planToExecute, produce, type Target } from '../../../core/sales/place-order.js'
import { type PlanView, pageOfPlans, plansFor, planView } from '../../../core/sales/plans.js'
import { fail } from '../../../errors.js'
import type { Culture } from '../../../lib/language.js'
import { type SentenceKey, sentenceOf } from '../../../notify/message.js'
import { BUSINESS_TYPES, type PlanRow, ROLLOUT_TYPES } from '../../../store/sales/plans.js'
import { PAGING, paged, pageQuery } from '../../shared/account/paging.js'
import { invalid } from '../../shared/account/read.js'
import { id, say, uuid } from '../../shared/account/schemas.js'
import { type AnyCall, operation } from '../operation.js'

const PLANS = '/rolloutplans'
const OTHER_PLANS = '/rollout-plans'

const planSchema = z.object({
  id: id(),
  number: z.string(),
  title: z.string(),
  description: z.string(),
  includedBusinessFeatures: z.array(z.string()),
  includesTemplate: z.boolean(),
  allowTemplateOverride: z.boolean(),
  preview: z.boolean(),
  imageUrl: z.string(),
  acountId: id().nullable(),
  businessType: z.enum(BUSINESS_TYPES),
  rolloutType: z.enum(ROLLOUT_TYPES),
  includedProducts: z.array(
    z.object({
      number: z.string(),
      cashBoxTemplateId: id().nullable(),
      name: z.string(),
      description: z.string(),
    }),
  ),
})

const orderSchema = z.object({
  salesorderId: id(),
  salesOrderNumber: z.string(),
  salesOrderState: z.int(),
  productionState: z.int(),
  subscriptions: z.array(
    z.object({
      salesOrderDetailId: id(),
      operatorId: id(),
      outletnumber: z.int(),
      relatedCashboxID: id().nullable(),
      relatedCashboxAccessToken: z.string().nullable(),
      relatedQueueID: id().nullable(),
      relatedSCUID: id().nullable(),
    }),
  ),
})

const skipping = z.object({ skipAllowList: z.boolean().default(false) })

/** Blank counts as missing. */
const planNumber = () =>
  z
    .string()
    .nullish()
    .transform((text) => text?.trim() ?? '')
    .refine((text) => text !== '', say('planNeeded'))

const targets = <T extends z.ZodType>(one: T) => z.array(one).min(1)

const PLAN_ERRORS = [
  'PLAN_UNKNOWN',
  'PLAN_FORBIDDEN',
  'ENTITLEMENTS_INSUFFICIENT',
  'ALREADY_SUBSCRIBED',
] as const

type Shown = z.output<typeof planSchema>
const shown = (plan: PlanRow): Shown => planView(plan) as PlanView & Shown

const only = (plans: readonly PlanRow[], wanted: string, fits: (plan: PlanRow) => boolean) => {
  const found = plans.find(fits)
  if (found === undefined) throw fail('PLAN_UNKNOWN', { plan: wanted })
  return shown(found)
}

const FALSE_MEANS = 'Without `skipAllowList` only plans that this account may execute.'

function visible({ deps, account, authenticated }: AnyCall, skipAllowList: boolean) {
  return plansFor(deps.sales, callerOf({ account, authenticated }), skipAllowList)
}

const callerOf = ({ account, authenticated }: Pick<AnyCall, 'account' | 'authenticated'>) =>
  ({ accountId: account.id, market: account.market, authenticated }) as const

/** Refuses plans for the other kind of target. */
async function planFor(
  { deps, account, culture }: AnyCall,
  number: string,
  rolloutType: PlanRow['rolloutType'],
): Promise<PlanRow> {
  const wish = { accountId: account.id, market: account.market, number }
  const plan = await planToExecute(deps.sales, wish)
  if (plan.rolloutType === rolloutType) return plan
  const key = OTHER_TYPE[plan.rolloutType]
  throw invalid({ rolloutPlanNumber: [sentenceOf(key, culture.language)] })
}

function execute(
  { deps, account, actor, operator }: AnyCall,
  plan: PlanRow,
  targets: readonly Target[],
): Promise<string> {
  const { id: accountId, market } = account
  return produce(deps.sales, actor, { accountId, market, operatorId: operator.id, plan, targets })
}

function placed(orderNumber: string, { language }: Culture) {
  const Message = sentenceOf('orderPlaced', language, { number: orderNumber })
  return { Message, orderNumber }
}

const OTHER_TYPE: Readonly<Record<PlanRow['rolloutType'], SentenceKey>> = {
  Outlet: 'planForOutlets',
  Queue: 'planForQueues',
  None: 'planForNothing',
}

export const salesOperations = [
  operation({
    id: 'listEntitlements',
    title: 'List entitlements',
    text: `Those of the own market that can be used now, summed up by name. ${PAGING}`,
    tag: 'Rollout',
    method: 'GET',
    path: '/entitlements',
    query: pageQuery(),
    success: {
      status: 200,
      schema: z.array(
        z.object({ name: z.string(), totalTerms: z.number(), remainingTerms: z.number() }),
      ),
    },
    handle: (call) => {
      const { deps, account } = call
      const asked = { accountId: account.id, market: account.market }
      return paged(call, {
        key: ['text'],
        keyOf: ({ name }) => [name],
        rows: (after, most) => listEntitlements(deps.sales, { ...asked, after: after?.[0], most }),
        shown: (one) => one,
      })
    },
  }),
  operation({
    id: 'listRolloutPlans',
    title: 'List rollout plans',
    text: `${FALSE_MEANS} Without \`accessToken\` those that are open to everybody.`,
    tag: 'Rollout',
    method: 'GET',
    path: PLANS,
    aliases: [{ path: OTHER_PLANS }],
    access: 'account',
    query: pageQuery(skipping.shape),
    success: { status: 200, schema: z.array(planSchema) },
    handle: (call) =>
      paged(call, {
        key: ['text'],
        keyOf: ({ number }) => [number],
        rows: (after, most) => {
          const caller = callerOf(call as unknown as AnyCall)
          const { skipAllowList } = call.query
          return pageOfPlans(call.deps.sales, { caller, skipAllowList, after, most })
        },
        shown,
      }),
  }),
  operation({
    id: 'getRolloutPlan',
    title: 'Get a rollout plan',
    text: 'By its id; a segment that is no GUID is read as a number.',
    tag: 'Rollout',
    method: 'GET',
    path: `${PLANS}/:id`,
    aliases: [{ path: `${OTHER_PLANS}/:id` }],
    params: z.object({ id: z.string() }),
    query: skipping,
    success: { status: 200, schema: planSchema },
    errors: ['PLAN_UNKNOWN'],
    handle: async (call) => {
      const wanted = call.params.id.toLowerCase()
      const byId = uuid().safeParse(wanted)
      const plans = await visible(
        call as unknown as AnyCall,
        byId.success || call.query.skipAllowList,
      )
      return only(plans, wanted, (plan) =>
        byId.success ? plan.id === byId.data : plan.number.toLowerCase() === wanted,
      )
    },
  }),
  operation({
    id: 'getRolloutPlanByNumber',
    title: 'Get a rollout plan by its number',
    text: FALSE_MEANS,
    tag: 'Rollout',
    method: 'GET',
    path: `${PLANS}/number/:number`,
    aliases: [{ path: `${OTHER_PLANS}/number/:number` }],
    params: z.object({ number: z.string() }),
    query: skipping,
    success: { status: 200, schema: planSchema },
    errors: ['PLAN_UNKNOWN'],
    handle: async (call) => {
      const wanted = call.params.number.toLowerCase()
      const plans = await visible(call as unknown as AnyCall, call.query.skipAllowList)
      return only(plans, wanted, (plan) => plan.number.toLowerCase() === wanted)
    },
  }),
  operation({
    id: 'produceQueues',
    title: 'Execute a rollout plan for Queues',
    text: 'Uses up one entitlement per Queue, or nothing at all. Poll the order for what it made.',
    tag: 'Rollout',
    method: 'POST',
    path: '/posoperators/:posOperatorId/produce/queues',
    right: 'ReadWrite',
    body: z.object({ rolloutPlanNumber: planNumber(), queueIds: targets(uuid()) }),
    example: { rolloutPlanNumber: '4445-0019', queueIds: ['7d1a0002-0000-4000-8000-000000000001'] },
    success: { status: 200, schema: z.object({ orderNumber: z.string() }) },
    errors: ['QUEUE_UNKNOWN', ...PLAN_ERRORS],
    idempotent: (orderNumber) => ({ orderNumber }),
    handle: async (call) => {
      const { deps, operator, body } = call
      const any = call as unknown as AnyCall
      const plan = await planFor(any, body.rolloutPlanNumber, 'Queue')
      const found: Target[] = []
      for (const queueId of new Set(body.queueIds)) {
        const ask = plainly(deps.stock)
        const { outletNumber } = await queueOf(ask, { accountId: operator.id, id: queueId })
        found.push({ key: queueId, outletNumber, queueId })
      }
      return { orderNumber: await execute(any, plan, found) }
    },
  }),
  operation({
    id: 'produceOutlets',
    title: 'Execute a rollout plan for outlets',
    text:
      'Uses up one entitlement per outlet and product that needs one, or nothing at all. ' +
      '`orderNumber` is also in `Message`; poll the order for what it made.',
    tag: 'Rollout',
    method: 'POST',
    path: '/posoperators/:posOperatorId/produce/outlets',
    right: 'ReadWrite',
    body: z.object({
      rolloutPlanNumber: planNumber(),
      outletNumbers: targets(z.int32()),
    }),
    example: { rolloutPlanNumber: '4445-0019', outletNumbers: [1] },
    success: { status: 200, schema: z.object({ Message: z.string(), orderNumber: z.string() }) },
    errors: ['OUTLET_UNKNOWN', ...PLAN_ERRORS],
    idempotent: (orderNumber, { culture }) => placed(String(orderNumber), culture),
    handle: async (call) => {
      const { deps, operator, body, culture } = call
      const any = call as unknown as AnyCall
      const plan = await planFor(any, body.rolloutPlanNumber, 'Outlet')
      const found: Target[] = []
      for (const one of new Set(body.outletNumbers)) {
        const { outletNumber } = await deps.outlets.get(operator.id, one)
        found.push({ key: `outlet:${outletNumber}`, outletNumber, queueId: null })
      }
      return placed(await execute(any, plan, found), culture)
    },
  }),
  operation({
    id: 'getOrder',
    title: 'Get an order',
    text:
      '`salesOrderState`: 0 active, 1 submitted, 2 canceled, 3 fulfilled, 4 invoiced. ' +
      '`productionState`: 10 submitted, 50 templates done, 70 shipping notes created, 80 done; ' +
      '100 more: failed there.',
    tag: 'Rollout',
    method: 'GET',
    path: '/orders/:ordernumber',
    params: z.object({ ordernumber: z.string() }),
    success: { status: 200, schema: orderSchema },
    errors: ['ORDER_UNKNOWN'],
    handle: ({ deps, account, params }) =>
      getOrder(deps.sales, { accountId: account.id, number: params.ordernumber }),
  }),
]
