// Point-of-sale products of an account.
import { fail } from '../../errors.js'
import { randomId } from '../../lib/id.js'
import type { PosSystem } from '../../model/pos-system.js'
import { insertPosSystem, listPosSystems } from '../../store/account/pos-systems.js'
import type { Store } from '../../store/client.js'
import { accountOf } from './accounts.js'

const CURRENCY = /^[A-Z]{3}$/
/** What the exports have room for. */
const LONGEST = 50

/** Throws ACCOUNT_UNKNOWN, and FIELD_INVALID for a text that master data cannot hold. */
export async function addPosSystem(
  { store, now }: { store: Store; now(): Date },
  given: Omit<PosSystem, 'id'> & { accountId: string },
): Promise<PosSystem & { accountId: string }> {
  const { id: accountId } = await accountOf(store, given.accountId)
  for (const field of ['brand', 'model', 'softwareVersion', 'type'] as const) {
    if (given[field].length <= LONGEST) continue
    throw fail('FIELD_INVALID', { field, expected: `at most ${LONGEST} characters` })
  }
  if (!CURRENCY.test(given.baseCurrency)) {
    throw fail('FIELD_INVALID', { field: 'baseCurrency', expected: 'an ISO 4217 code such as EUR' })
  }
  const system = { ...given, accountId, id: randomId() }
  await insertPosSystem(store, { ...system, createdAt: now() })
  return system
}

/** Oldest first. Throws ACCOUNT_UNKNOWN. */
export async function posSystemsOf(store: Store, accountId: string): Promise<PosSystem[]> {
  const { id } = await accountOf(store, accountId)
  return listPosSystems(store, id)
}
