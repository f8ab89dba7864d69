// The PIN that a dealer makes for a cash box of an operator.
import { connectionOf } from '../../../store/raw.js'
import { createPairing } from '../../accounts/pairing/pairing.js'
import { type Actor, audited } from '../../audit/audit.js'
import type { StockDeps, Wanted } from './inventory.js'

/** For a cash box of the account. Throws PIN_NONE_FREE. */
export async function createPin(
  deps: StockDeps,
  actor: Actor,
  { accountId, id: cashBoxId }: Wanted,
): Promise<string> {
  return audited(deps, actor, async (tx) => {
    const pairing = createPairing(deps.store)
    const box = { accountId, cashBoxId }
    const { pin, expiresAt } = await pairing.createIn(connectionOf(tx), box)
    return { result: pin, subjects: { cashBoxId }, after: { expiresAt } }
  })
}
