// What a fiscal device refuses of the lines and payments of a document.
import { totalOf, worth } from '../../device/it/sums.js'
import type { PayKind, RtDocument } from '../../device/it/unit.js'

const MOST_LINES = 1000
const MOST_CENTS = 999_999_999n

/** Number and text of the first rule that is broken. */
export function linesFault(document: RtDocument): [number, string] | undefined {
  const { lines, payments } = document
  if (lines.length + payments.length > MOST_LINES) return [23, 'more than 1000 lines']
  if (lines.every(({ kind }) => kind === 'note')) return [11, 'total before the first item']
  const running = new Map<string, bigint>()
  for (const line of lines) {
    if (line.cents < 0n) return [13, 'an amount is negative']
    if (line.cents > MOST_CENTS) return [20, 'an amount is too large']
    const sum = (running.get(line.vat) ?? 0n) + worth(line)
    if (sum < 0n) return [27, 'more is taken off a department than was sold']
    running.set(line.vat, sum)
  }
  const due = totalOf(document)
  if (due < 0n) return [13, 'the total is negative']
  if (document.type !== 'sale') return undefined
  const paid = (kinds: readonly PayKind[]) =>
    payments.reduce((sum, { kind, cents }) => sum + (kinds.includes(kind) ? cents : 0n), 0n)
  if (payments.some(({ cents }) => cents < 0n)) return [13, 'a payment is negative']
  const all = payments.reduce((sum, { cents }) => sum + cents, 0n)
  // without any payment all that is due is paid in cash
  if (payments.length > 0 && all < due) return [25, 'the payment is incomplete']
  if (all - paid(['cash']) > due) return [21, 'only cash may be more than what is due']
  return undefined
}
