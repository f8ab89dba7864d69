// Rollout plans: who sees which, and reading them from a file.
import { z } from 'zod'
import { fail } from '../../errors.js'
import { randomId } from '../../lib/id.js'
import {
  BUSINESS_TYPES,
  listPlans,
  type PlanRow,
  putPlan,
  ROLLOUT_TYPES,
} from '../../store/sales/plans.js'
import { type AuditDeps, audited } from '../audit/audit.js'
import { kept, type Part } from '../kept.js'

export interface PlanCaller {
  accountId: string
  market: string
  /** False: only the id was sent, so that he sees what everybody of his market does. */
  authenticated: boolean
}

/** Those of the caller's market that he may know of. */
export async function plansFor(
  { store }: Pick<AuditDeps, 'store'>,
  caller: PlanCaller,
  skipAllowList: boolean,
): Promise<PlanRow[]> {
  const plans = await listPlans(store, caller.market)
  return plans.filter((plan) => mayKnow(plan, caller, skipAllowList))
}

/** A page of the same, by number. */
export function pageOfPlans(
  { store }: Pick<AuditDeps, 'store'>,
  { caller, skipAllowList, ...page }: Part & { caller: PlanCaller; skipAllowList: boolean },
): Promise<PlanRow[]> {
  return kept(page, {
    read: async (part) => {
      const plans = await listPlans(store, caller.market, part)
      return plans.map((plan) => ({ plan, key: [plan.number] }))
    },
    keep: (rows) =>
      rows.map(({ plan }) => plan).filter((plan) => mayKnow(plan, caller, skipAllowList)),
  })
}

const mayKnow = (plan: PlanRow, caller: PlanCaller, skipAllowList: boolean): boolean =>
  caller.authenticated ? isShown(plan, caller, skipAllowList) : isOpen(plan)

const isOpen = ({ restricted, ownerId, preview }: PlanRow): boolean =>
  !restricted && ownerId === null && !preview

function isShown(plan: PlanRow, { accountId }: PlanCaller, skipAllowList: boolean): boolean {
  if (plan.ownerId === accountId || isAllowed(plan, accountId)) return true
  // a plan of another account stays that account's
  return skipAllowList && plan.ownerId === null
}

/** Whether the account may execute it. */
export function isAllowed(plan: PlanRow, accountId: string): boolean {
  if (plan.ownerId === accountId || plan.allowed.includes(accountId)) return true
  return isOpen(plan)
}

export interface PlanView {
  id: string
  number: string
  title: string
  description: string
  includedBusinessFeatures: string[]
  includesTemplate: boolean
  allowTemplateOverride: boolean
  preview: boolean
  imageUrl: string
  /** Misspelt in the interface. */
  acountId: string | null
  businessType: string
  rolloutType: string
  includedProducts: {
    number: string
    cashBoxTemplateId: string | null
    name: string
    description: string
  }[]
}

export function planView(plan: PlanRow): PlanView {
  const { id, number, title, description, allowTemplateOverride, preview, imageUrl } = plan
  return {
    ...{ id, number, title, description, includedBusinessFeatures: plan.features },
    includesTemplate: plan.products.some(({ cashBoxTemplateId }) => cashBoxTemplateId !== null),
    ...{ allowTemplateOverride, preview, imageUrl, acountId: plan.ownerId },
    ...{ businessType: plan.businessType, rolloutType: plan.rolloutType },
    includedProducts: plan.products.map(({ entitlement: _entitlement, ...product }) => product),
  }
}

const product = z.strictObject({
  number: z.string().min(1),
  cashBoxTemplateId: z.uuid().nullable().default(null),
  name: z.string().min(1),
  description: z.string().default(''),
  entitlement: z.string().min(1).nullable().default(null),
})

/** `<market as four hexadecimal digits>-NNNN` */
const NUMBER = /^([0-9a-f]{4})-\d{4}$/i

const planFile = z.array(
  z
    .strictObject({
      number: z.string().regex(NUMBER),
      title: z.string().min(1),
      description: z.string().default(''),
      includedBusinessFeatures: z.array(z.string()).default([]),
      allowTemplateOverride: z.boolean().default(false),
      preview: z.boolean().default(false),
      imageUrl: z.string().default(''),
      owner: z.uuid().nullable().default(null),
      businessType: z.enum(BUSINESS_TYPES).default('DealerPackage'),
      rolloutType: z.enum(ROLLOUT_TYPES),
      /** Accounts; left out: everyone. */
      allowed: z.array(z.uuid()).nullable().default(null),
      includedProducts: z.array(product).min(1),
    })
    .refine(
      ({ rolloutType, includedProducts }) => rolloutType !== 'Queue' || one(includedProducts),
      {
        error: 'a plan for Queues uses up terms of one entitlement',
      },
    ),
)

function one(products: readonly { entitlement: string | null }[]): boolean {
  const names = products.flatMap(({ entitlement }) => (entitlement === null ? [] : [entitlement]))
  return new Set(names).size <= 1
}

/** The two letters that the first four digits stand for. */
const marketOfNumber = (number: string): string =>
  Buffer.from(number.slice(0, 4), 'hex').toString('latin1')

/**
 * Stores the plans of a file (JSON list) and answers them; one of the same number is replaced and
 * keeps its id. Throws FIELD_INVALID.
 */
export async function importPlans(deps: AuditDeps, text: unknown): Promise<PlanView[]> {
  const parsed = planFile.safeParse(text)
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    const field = issue === undefined ? '' : issue.path.join('.')
    throw fail('FIELD_INVALID', { field, expected: issue?.message ?? 'a list of plans' })
  }
  const now = deps.now()
  const rows = parsed.data.map(rowOf)
  const actor = { accountId: NOBODY, onBehalfOf: null, operation: 'plan import', traceId: '' }
  return audited(deps, actor, async (tx) => {
    const stored: PlanRow[] = []
    for (const row of rows) stored.push({ ...row, id: await putPlan(tx, row, now) })
    const plans = stored.map(({ number }) => number).join(' ')
    return { result: stored.map(planView), subjects: { plans }, after: stored }
  })
}

/** Whoever has the command line. */
const NOBODY = '00000000-0000-0000-0000-000000000000'

function rowOf(plan: z.output<typeof planFile>[number]): PlanRow {
  const { includedBusinessFeatures, includedProducts, owner, allowed, ...rest } = plan
  return {
    ...rest,
    id: randomId(),
    market: marketOfNumber(plan.number),
    features: includedBusinessFeatures,
    ownerId: owner,
    restricted: allowed !== null,
    allowed: allowed ?? [],
    products: includedProducts,
  }
}
