// Master data of a company: its tax number, and the address that it shares with its primary outlet.
import type { Company } from '../../model/queue-facts.js'
import type { Store } from '../client.js'
import type { Transaction } from '../transaction.js'

export interface MasterData {
  /** As it was entered. */
  taxId: string
  /** In the form that authorities exchange, or ''. */
  taxNumber: string
  line1: string
  postalCode: string
  city: string
}

/** Nobody else changes the account until the transaction ends. */
export async function lockMasterData(
  tx: Transaction,
  accountId: string,
): Promise<MasterData | undefined> {
  const rows = await tx.$queryRaw<MasterData[]>`select tax_id as "taxId",
      tax_number as "taxNumber", line1, postal_code as "postalCode", city
    from account where id = ${accountId}::uuid for no key update`
  return rows[0]
}

export async function updateMasterData(
  tx: Transaction,
  accountId: string,
  { taxId, taxNumber, line1, postalCode, city }: MasterData,
): Promise<void> {
  await tx.$executeRaw`update account set tax_id = ${taxId}, tax_number = ${taxNumber},
    line1 = ${line1}, postal_code = ${postalCode}, city = ${city} where id = ${accountId}::uuid`
}

/** As others are told of it; undefined: there is no such account. */
export async function findCompany(
  { pool }: Store,
  accountId: string,
): Promise<Company | undefined> {
  const { rows } = await pool.query<Company>({
    name: 'company',
    text: `select name, tax_id as "taxId", tax_number as "taxNumber", vat_id as "vatId",
        line1 as street, postal_code as "postalCode", city, country
      from account where id = $1`,
    values: [accountId],
  })
  return rows[0]
}
