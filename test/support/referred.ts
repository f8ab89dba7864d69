// What a queue of a test finds for a receipt: what the core reads from the database.
import type { CasedRequest } from '../../src/case/reader.js'
import type { Market, Referred } from '../../src/market/contract.js'
import { COUNTED, keyOf } from '../../src/model/counted.js'
import type { EarlierReceipt } from '../../src/model/journal.js'

interface Stored {
  rows: readonly { kind: string; number: number; content: string }[]
  earlier?: ReadonlyMap<string, readonly EarlierReceipt[]>
}

/** For a receipt of the Middleware, which names no references by itself. */
export function referredBy(
  { queue }: { queue: Pick<Market<never>['queue'], 'lookUp'> },
  receipt: CasedRequest,
  { rows, earlier }: Stored,
): Referred[] {
  return (queue.lookUp(receipt, []) ?? []).map(({ reference, wants }) => {
    const number = keyOf(reference)
    const counted = rows.filter((row) => row.kind === COUNTED && row.number === number)
    const told = wants === 'receipts' ? [] : counted
    const found = wants === 'rows' ? [] : (earlier?.get(reference) ?? []).slice(0, 2)
    return { reference, receipts: found, counted: told.length, newest: told.at(-1)?.content }
  })
}
