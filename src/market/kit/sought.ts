// Which earlier receipts a country wants found: those that the PosSystem API has named, and those
// that its own law asks for.
import type { CasedRequest } from '../../case/reader.js'
import type { QueueRules, Referred, Sought } from '../contract.js'

/** `own`: what the law asks for beside the named ones; a reference may be in it twice. */
export const seeking =
  (own?: (receipt: CasedRequest) => readonly Sought[] | undefined): QueueRules<never>['lookUp'] =>
  (receipt, named) => {
    const asked = own?.(receipt)
    if (asked === undefined && named.length === 0) return undefined
    const all = new Map<string, Sought>()
    for (const reference of named) all.set(reference, { reference, wants: 'receipts' })
    for (const { reference, wants } of asked ?? []) {
      const before = all.get(reference)?.wants ?? wants
      all.set(reference, { reference, wants: before === wants ? wants : 'both' })
    }
    return all.size === 0 ? undefined : [...all.values()]
  }

/** What was found under a reference. */
export function referredTo(previous: readonly Referred[], reference: string): Referred | undefined {
  return previous.find((one) => one.reference === reference)
}
