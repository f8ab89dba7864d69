// The PIN that a dealer makes for a cash box of an operator. Called by api/dealer.
import { type Actor, audited } from '../audit/audit.js'
import { createPairing } from '../pairing/pairing.js'
import type { StockDeps, Wanted } from './stock.js'

/**
 * Throws CASH_BOX_UNKNOWN and PIN_NONE_FREE. A PIN whose audit row was not written is given to
 * nobody, and dies by itself.
 */
export async function createPin(deps: StockDeps, actor: Actor, box: Wanted): Promise<string> {
  const { pin, expiresAt } = await createPairing(deps.store).create(box.id)
  return audited(deps, actor, async () => {
    return { result: pin, subjects: { cashBoxId: box.id }, after: { expiresAt } }
  })
}
