// Terms of products: granting them, listing them and using them up.
import { fail } from '../../errors.js'
import { orderedId } from '../../lib/id.js'
import { SIGNING_ONLY_ENTITLEMENT } from '../../model/rollout.js'
import {
  insertLot,
  type Lot,
  lockLots,
  type SumsWanted,
  sumEntitlements,
  takeTerms,
} from '../../store/sales/entitlements.js'
import type { Consumed } from '../../store/sales/orders.js'
import type { Transaction } from '../../store/transaction.js'
import { type AuditDeps, audited } from '../audit/audit.js'

export interface EntitlementView {
  name: string
  totalTerms: number
  remainingTerms: number
}

/** Those that can be used now, by name: a page of them. */
export async function listEntitlements(
  { store, now }: AuditDeps,
  wanted: Omit<SumsWanted, 'now'>,
): Promise<EntitlementView[]> {
  const sums = await sumEntitlements(store, { ...wanted, now: now() })
  return sums.map(({ name, total, remaining }) => {
    return { name, totalTerms: Number(total), remainingTerms: Number(remaining) }
  })
}

export interface Grant {
  accountId: string
  market: string
  name: string
  /** Decimal text. */
  terms: string
  validTo: Date | null
}

export interface GrantedLot {
  lotId: string
  accountId: string
  market: string
  name: string
  totalTerms: number
  remainingTerms: number
  validFrom: Date
  /** Exclusive; null: without end. */
  validTo: Date | null
}

/** A further lot. */
export async function grantEntitlement(deps: AuditDeps, grant: Grant): Promise<GrantedLot> {
  const { accountId, market, name, terms, validTo } = grant
  const now = deps.now()
  const id = orderedId(now.getTime())
  const actor = { accountId, onBehalfOf: null, operation: 'entitlement grant', traceId: '' }
  return audited(deps, actor, async (tx) => {
    await insertLot(tx, { ...grant, id, validFrom: now, createdAt: now })
    const [totalTerms, remainingTerms] = [Number(terms), Number(terms)]
    const times = { validFrom: now, validTo }
    const lot = { lotId: id, accountId, market, name, totalTerms, remainingTerms, ...times }
    return { result: lot, subjects: { lotId: id }, after: { name, terms, validTo } }
  })
}

export interface Needed {
  accountId: string
  market: string
  /** Terms by name. */
  terms: ReadonlyMap<string, number>
}

/** Takes everything or nothing. Throws ENTITLEMENTS_INSUFFICIENT. */
export async function useUp(
  tx: Transaction,
  { accountId, market, terms }: Needed,
  now: Date,
): Promise<Consumed[]> {
  // one order of names for everybody: nobody waits in a circle
  const names = [...terms.keys()].toSorted()
  if (names.length === 0) return []
  const lots = await lockLots(tx, { accountId, market, names, now })
  const taken = names.flatMap((name) => {
    const own = lots.filter((lot) => lot.name === name)
    return takeFrom(own, name, terms.get(name) ?? 0)
  })
  for (const { lotId, terms: count } of taken) {
    await takeTerms(tx, { accountId, id: lotId, terms: count })
  }
  return taken
}

function takeFrom(lots: readonly Lot[], name: string, required: number): Consumed[] {
  const available = lots.reduce((sum, { remaining }) => sum + remaining, 0)
  if (available < required) throw fail('ENTITLEMENTS_INSUFFICIENT', { name, required, available })
  let missing = required
  return lots.flatMap(({ id, remaining }) => {
    const count = Math.min(remaining, missing)
    missing -= count
    return count > 0 ? [{ lotId: id, terms: count }] : []
  })
}

/** Of one instance that only signs. Throws ENTITLEMENTS_INSUFFICIENT. */
export async function useUpForSigner(
  tx: Transaction,
  { accountId, market }: { accountId: string; market: string },
  now: Date,
): Promise<void> {
  const terms = new Map([[SIGNING_ONLY_ENTITLEMENT, 1]])
  await useUp(tx, { accountId, market, terms }, now)
}

/** What a canceled order had used up. */
export async function giveBack(
  tx: Transaction,
  { accountId, consumed }: { accountId: string; consumed: readonly Consumed[] },
): Promise<void> {
  for (const { lotId, terms } of consumed.toSorted((a, b) => (a.lotId < b.lotId ? -1 : 1))) {
    await takeTerms(tx, { accountId, id: lotId, terms: -terms })
  }
}
