// Rollout plans as rows.

import type { Store } from '../client.js'
import type { Transaction } from '../transaction.js'

export const BUSINESS_TYPES = ['None', 'DealerPackage', 'MoveEntitlement'] as const
export const ROLLOUT_TYPES = ['None', 'Outlet', 'Queue'] as const

export interface PlanProduct {
  number: string
  cashBoxTemplateId: string | null
  name: string
  description: string
  /** Of which a term is used up; null: it needs none. */
  entitlement: string | null
}

export interface PlanRow {
  id: string
  number: string
  market: string
  title: string
  description: string
  features: string[]
  allowTemplateOverride: boolean
  preview: boolean
  imageUrl: string
  /** Null: the platform. */
  ownerId: string | null
  businessType: (typeof BUSINESS_TYPES)[number]
  rolloutType: (typeof ROLLOUT_TYPES)[number]
  /** Only `allowed` may use it. */
  restricted: boolean
  allowed: string[]
  products: PlanProduct[]
}

/** By number; a page of them, or all. */
export async function listPlans(
  { pool }: Pick<Store, 'pool'>,
  market: string,
  page?: { after?: readonly string[] | undefined; most: number },
): Promise<PlanRow[]> {
  const { rows } = await pool.query<Omit<PlanRow, 'products'> & { products: string }>({
    text: `select id, number, market, title, description, features,
        allow_template_override as "allowTemplateOverride", preview, image_url as "imageUrl",
        owner_id as "ownerId", business_type as "businessType", rollout_type as "rolloutType",
        restricted, allowed::text[] as allowed, products
      from rollout_plan where market = $1 and ($2::text is null or number > $2)
      order by number limit $3`,
    values: [market, page?.after?.[0] ?? null, page?.most ?? null],
  })
  return rows.map(({ products, ...row }) => ({
    ...row,
    products: JSON.parse(products) as PlanProduct[],
  }))
}

/** A plan of the same number is replaced and keeps its id. */
export async function putPlan(tx: Transaction, plan: PlanRow, changedAt: Date): Promise<string> {
  const { id, products, ...rest } = plan
  const data = { ...rest, products: JSON.stringify(products), changedAt }
  const row = await tx.rolloutPlan.upsert({
    where: { number: plan.number },
    create: { id, ...data },
    update: data,
  })
  return row.id
}
