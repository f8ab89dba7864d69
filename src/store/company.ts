// Master data of a company: its tax number, and the address that it shares with its primary outlet.
// Called by core/company.
import type { Transaction } from './audit.js'

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
