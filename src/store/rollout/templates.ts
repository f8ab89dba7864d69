// Stored templates as rows.
import { Decimal } from '../../lib/decimal.js'
import { ACTIVE } from '../account/connections.js'
import type { Store } from '../client.js'
import type { Transaction } from '../transaction.js'

export interface TemplateRecord {
  id: string
  productNumber: string
  name: string
  description: string
  imageUrl: string
  linkUrl: string
  mode: number
  deactivated: boolean
  price: number
  content: string
  ownerAccountId: string
  ownerName: string
  market: string
  createdAt: Date
  modifiedAt: Date
}

/** Bits of the mode. */
export const SHARED = 0x30
export const PUBLIC = 0xc0

export interface Viewer {
  accountId: string
  market: string
  /** Name and id of the one before. */
  after?: readonly string[] | undefined
  most: number
}

/**
 * By name, those that a dealer sees: own ones; public ones; free ones that a connected creator
 * shares. Only cash box templates (product number ending -028000) of the dealer's market.
 */
export async function listVisible(
  { pool }: Pick<Store, 'pool'>,
  { accountId, market, after, most }: Viewer,
): Promise<TemplateRecord[]> {
  const { rows } = await pool.query<Omit<TemplateRecord, 'price'> & { price: string }>({
    text: `select t.id, t.product_number as "productNumber", t.name, t.description,
        t.image_url as "imageUrl", t.link_url as "linkUrl", t.mode, t.deactivated,
        t.price::text as price, t.content, t.account_id as "ownerAccountId",
        a.name as "ownerName", t.market, t.created_at as "createdAt",
        t.modified_at as "modifiedAt"
      from template t join account a on a.id = t.account_id
      where t.product_number like '%-028000' and t.market = $2
        and (t.account_id = $1 or not t.deactivated and (t.mode & ${PUBLIC} <> 0
          or t.mode & ${SHARED} <> 0 and t.price = 0 and 'PosCreator' = any(a.roles || a.kind)
            and exists (select 1 from connection c where ${ACTIVE}
              and (c.account_id = $1 and c.to_account_id = t.account_id
                or c.account_id = t.account_id and c.to_account_id = $1))))
        and ($3::text is null or (t.name, t.id) > ($3::text, $4::uuid))
      order by t.name, t.id limit $5`,
    values: [accountId, market, after?.[0] ?? null, after?.[1] ?? null, most],
  })
  return rows.map(({ price, ...row }) => ({
    ...row,
    price: Number(Decimal.stored(price).toString()),
  }))
}

export interface NewTemplate
  extends Omit<TemplateRecord, 'ownerAccountId' | 'ownerName' | 'price'> {
  accountId: string
  price: string
}

/** One of the same name of the account is replaced, and keeps its id. */
export async function putTemplate(
  { prisma }: { prisma: Transaction },
  row: NewTemplate,
): Promise<string> {
  const { id, accountId, createdAt, ...rest } = row
  const { name } = row
  const stored = await prisma.template.upsert({
    where: { accountId_name: { accountId, name } },
    create: { id, accountId, createdAt, ...rest },
    update: rest,
  })
  return stored.id
}
