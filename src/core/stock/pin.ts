// The PIN that a dealer makes for a cash box of an operator. Called by api/dealer.
import { connectionOf } from '../../store/raw.js'
import { type Actor, audited } from '../audit/audit.js'
import { createPairing } from '../pairing/pairing.js'
import type { StockDeps, Wanted } from './stock.js'

/** Throws CASH_BOX_UNKNOWN and PIN_NONE_FREE. */
export async function createPin(deps: StockDeps, actor: Actor, box: Wanted): Promise<string> {
  return audited(deps, actor, async (tx) => {
    const { pin, expiresAt } = await createPairing(deps.store).create(box.id, connectionOf(tx))
    return { result: pin, subjects: { cashBoxId: box.id }, after: { expiresAt } }
  })
}
