// Amounts of a commercial document: gross and tax by rate, and what a device refuses of its lines.
import type { PayKind, RtAnswer, RtDocument, RtLine } from '../../device/it/unit.js'

const MOST_LINES = 1000
const MOST_CENTS = 999_999_999n
const TAKEN_OFF: ReadonlySet<string> = new Set(['off', 'voucher', 'deposit'])
const UNCOUNTED: ReadonlySet<string> = new Set(['gift', 'note'])

const worth = ({ kind, cents }: RtLine): bigint => {
  if (UNCOUNTED.has(kind)) return 0n
  return TAKEN_OFF.has(kind) ? -cents : cents
}

export const totalOf = ({ lines, subtotal }: RtDocument): bigint =>
  lines.reduce((sum, line) => sum + worth(line), subtotal)

/** The tax inside of a gross amount, halves up. */
export function taxInside(gross: bigint, rate: bigint): bigint {
  const below = 100n + rate
  return (gross * rate * 2n + below) / (below * 2n)
}

/** What is taken off the whole is split by rates; the cents that are left go to the largest. */
export function vatOf({ lines, subtotal }: RtDocument): RtAnswer['vat'] {
  const gross = new Map<string, bigint>()
  for (const line of lines) {
    const cents = worth(line)
    if (cents !== 0n) gross.set(line.vat, (gross.get(line.vat) ?? 0n) + cents)
  }
  const all = [...gross.values()].reduce((sum, one) => sum + one, 0n)
  if (subtotal !== 0n && all !== 0n) {
    const parts = new Map([...gross].map(([key, one]) => [key, (subtotal * one) / all]))
    const rest = subtotal - [...parts.values()].reduce((sum, one) => sum + one, 0n)
    const [largest = ''] = [...gross].sort(([, one], [, other]) => (one < other ? 1 : -1))[0] ?? []
    for (const [key, part] of parts) {
      gross.set(key, (gross.get(key) ?? 0n) + part + (key === largest ? rest : 0n))
    }
  }
  const sums = [...gross].map(([key, one]) => {
    const tax = /^\d/.test(key) ? taxInside(one, BigInt(key)) : 0n
    return [key, [one, tax] as const]
  })
  return Object.fromEntries(sums)
}

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
