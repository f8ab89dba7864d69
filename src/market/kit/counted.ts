// What became of an earlier receipt: each act leaves a row of kind `counted` under the hashed
// reference of that receipt, and the newest one has all that holds since then.
import { COUNTED, keyOf } from '../../model/counted.js'
import type { EarlierReceipt, MarketRow } from '../../model/journal.js'
import type { ReceiptInput } from '../contract.js'
import { marketRow, referredTo } from './draft.js'

type Input = Pick<ReceiptInput<unknown, never>, 'previous' | 'tools'>

/** The receipt of this reference, where there is exactly one; else the rule that is broken. */
export function onlyOne(
  { previous }: Pick<Input, 'previous'>,
  reference: string,
): EarlierReceipt | 'PreviousReceiptNotFound' | 'MultipleReceiptReferences' {
  const found = referredTo(previous, reference)?.receipts ?? []
  const [receipt] = found
  if (receipt === undefined) return 'PreviousReceiptNotFound'
  return found.length > 1 ? 'MultipleReceiptReferences' : receipt
}

/** The same of what became of the receipt that it names. */
export const noteFate = (
  draft: Parameters<typeof noteCounted>[0],
  fate: { reference: string },
): void => noteCounted(draft, fate.reference, fate)

export function noteCounted(
  { input, journal }: { input: Pick<Input, 'tools'>; journal: MarketRow[] },
  reference: string,
  content: object | string,
): void {
  journal.push(countedRow(input.tools, reference, content))
}

export const countedRow = (
  of: { newId(): string },
  reference: string,
  content: object | string,
): MarketRow => marketRow(of, { kind: COUNTED, number: keyOf(reference), content })
