// Places of business as rows.
import { FIRST_FREE_OUTLET, LAST_OUTLET, type Outlet, type OutletData } from '../../model/outlet.js'
import type { Store } from '../client.js'
import type { Transaction } from '../transaction.js'

export interface OutletRow {
  id: string
  number: number
  name: string
  details: string
}

/** Members of `details`; `street` and `zip` are also read by whoever shows receipts. */
interface Details extends Omit<OutletData, 'name' | 'address' | 'postalCode'> {
  street: string
  zip: string
}

export function outletOf({ id, number, name, details }: OutletRow): Outlet {
  const known = JSON.parse(details) as Partial<Details>
  return {
    id,
    locationId: known.locationId ?? null,
    outletNumber: number,
    name,
    address: known.street ?? '',
    contactName: known.contactName ?? null,
    telephone: known.telephone ?? null,
    fax: known.fax ?? null,
    postalCode: known.zip ?? '',
    city: known.city ?? '',
    county: known.county ?? null,
    stateOrProvince: known.stateOrProvince ?? null,
    country: known.country ?? '',
  }
}

function detailsOf({ name: _name, address, postalCode, ...rest }: OutletData): string {
  return JSON.stringify({ street: address, zip: postalCode, ...rest } satisfies Details)
}

/** By number; those behind `after`. */
export async function listOutlets(
  { pool }: Store,
  accountId: string,
  { after, most }: { after: number; most: number },
): Promise<Outlet[]> {
  const { rows } = await pool.query<OutletRow>({
    name: 'outlets',
    text: `select id, number, name, details from outlet where account_id = $1 and number > $2
      order by number limit $3`,
    values: [accountId, after, most],
  })
  return rows.map(outletOf)
}

export interface OutletKey {
  accountId: string
  number: number
}

export async function findOutlet(
  { pool }: Store,
  { accountId, number }: OutletKey,
): Promise<Outlet | undefined> {
  const { rows } = await pool.query<OutletRow>({
    name: 'outlet',
    text: `select id, number, name, details from outlet where account_id = $1 and number = $2`,
    values: [accountId, number],
  })
  return rows.map(outletOf)[0]
}

/** The same in a transaction that will change it: nobody else does meanwhile. */
export async function lockOutlet(
  tx: Transaction,
  { accountId, number }: OutletKey,
): Promise<Outlet | undefined> {
  const rows = await tx.$queryRaw<OutletRow[]>`select id, number, name, details from outlet
    where account_id = ${accountId}::uuid and number = ${number} for update`
  return rows.map(outletOf)[0]
}

/** Nobody else gives numbers to outlets of this account until the transaction ends. */
export async function lockNumbering(tx: Transaction, accountId: string): Promise<void> {
  await tx.$queryRaw`select 1 from account where id = ${accountId}::uuid for no key update`
}

/** The largest number plus one; the smallest free one when there is none above. */
export async function nextNumber(tx: Transaction, accountId: string): Promise<number> {
  const [{ largest } = { largest: 0 }] = await tx.$queryRaw<{ largest: number }[]>`
    select coalesce(max(number), 0) as largest from outlet where account_id = ${accountId}::uuid`
  const next = Math.max(largest + 1, FIRST_FREE_OUTLET)
  if (next <= LAST_OUTLET) return next
  const [{ free } = { free: FIRST_FREE_OUTLET }] = await tx.$queryRaw<{ free: number }[]>`
    select coalesce(min(o.number) + 1, ${FIRST_FREE_OUTLET}) as free
    from (select number from outlet where account_id = ${accountId}::uuid and number > 2
      union select 2) o
    where o.number < ${LAST_OUTLET} and not exists (select 1 from outlet n
      where n.account_id = ${accountId}::uuid and n.number = o.number + 1)`
  return free
}

export interface NewOutletRow {
  accountId: string
  id: string
  number: number
  outlet: OutletData
  createdAt: Date
}

/** False: the number is taken. */
export async function insertOutlet(tx: Transaction, row: NewOutletRow): Promise<boolean> {
  const { accountId, id, number, outlet, createdAt } = row
  const count = await tx.$executeRaw`insert into outlet
    (account_id, id, number, name, details, created_at)
    values (${accountId}::uuid, ${id}::uuid, ${number}, ${outlet.name}, ${detailsOf(outlet)},
      ${createdAt})
    on conflict (account_id, number) do nothing`
  return count === 1
}

export async function updateOutlet(
  tx: Transaction,
  { accountId, number }: OutletKey,
  outlet: OutletData,
): Promise<void> {
  await tx.$executeRaw`update outlet set name = ${outlet.name}, details = ${detailsOf(outlet)}
    where account_id = ${accountId}::uuid and number = ${number}`
}

/** The company has the address of its primary outlet. */
export async function updateCompanyAddress(
  tx: Transaction,
  accountId: string,
  { address, postalCode, city, country }: OutletData,
): Promise<void> {
  await tx.$executeRaw`update account set line1 = ${address}, postal_code = ${postalCode},
    city = ${city}, country = ${country} where id = ${accountId}::uuid`
}
