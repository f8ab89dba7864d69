// The master data of a merchant, changed by their dealer: only what is given, in the account and in
// its primary outlet at once.
import { fail } from '../../errors.js'
import type { MarketFacts } from '../../market/facts.js'
import { PRIMARY_OUTLET } from '../../model/outlet.js'
import { lockMasterData, type MasterData, updateMasterData } from '../../store/account/company.js'
import { lockOutlet, updateOutlet } from '../../store/account/outlets.js'
import { noteSellerChange } from '../../store/sign/seller.js'
import type { Transaction } from '../../store/transaction.js'
import { type Actor, type AuditDeps, audited } from '../audit/audit.js'

/** Undefined: it stays. */
export interface MasterDataChange {
  taxNumber?: string | undefined
  street?: string | undefined
  houseNumber?: string | undefined
  city?: string | undefined
  /** In its full length. */
  postalCode?: string | undefined
}

export interface ChangeInput {
  accountId: string
  facts: MarketFacts | undefined
  change: MasterDataChange
}

/** `checked`: false when the tax number may belong to several states. */
export type MasterDataResult = { checked: boolean }

/** Throws OPERATOR_UNKNOWN when the account is gone. */
export async function changeMasterData(
  deps: AuditDeps,
  actor: Actor,
  { accountId, facts, change }: ChangeInput,
): Promise<MasterDataResult> {
  const { taxNumber: taxId } = change
  const long = taxId === undefined ? undefined : facts?.masterData?.taxNumber(taxId)?.long
  const checked = long !== ''
  if (Object.values(change).every((value) => value === undefined)) return { checked }
  return audited(deps, actor, async (tx) => {
    const before = await lockMasterData(tx, accountId)
    if (before === undefined) throw fail('OPERATOR_UNKNOWN', { operator: accountId })
    const after = {
      taxId: taxId ?? before.taxId,
      taxNumber: long ?? before.taxNumber,
      line1: lineOf(before.line1, change),
      postalCode: change.postalCode ?? before.postalCode,
      city: change.city ?? before.city,
    }
    await updateMasterData(tx, accountId, after)
    await noteSellerChange(tx, accountId)
    await moveOutlet(tx, accountId, after)
    return { result: { checked }, subjects: { accountId }, before, after }
  })
}

async function moveOutlet(
  tx: Transaction,
  accountId: string,
  { line1, postalCode, city }: MasterData,
): Promise<void> {
  const key = { accountId, number: PRIMARY_OUTLET }
  const outlet = await lockOutlet(tx, key)
  if (outlet !== undefined) {
    await updateOutlet(tx, key, { ...outletData(outlet), address: line1, postalCode, city })
  }
}

function outletData<T extends { id: string; outletNumber: number }>({
  id: _id,
  outletNumber: _number,
  ...data
}: T): Omit<T, 'id' | 'outletNumber'> {
  return data
}

/** Where a house number begins: the first digit behind a blank of the last words. */
const HOUSE_NUMBER = /^(.*?)\s+(\d\S*(?:\s+\S{1,3})?)$/

/** Street and house number in one line; the half that is not given is the one of the old line. */
export function lineOf(
  line: string,
  { street, houseNumber }: Pick<MasterDataChange, 'street' | 'houseNumber'>,
): string {
  if (street === undefined && houseNumber === undefined) return line
  const [, oldStreet = line, oldNumber = ''] = HOUSE_NUMBER.exec(line.trim()) ?? []
  return `${street ?? oldStreet} ${houseNumber ?? oldNumber}`.trim()
}
