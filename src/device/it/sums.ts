// Amounts of a commercial document: its total, gross and tax by rate. Whole cents.
import { Decimal, taxInside } from '../../lib/decimal.js'
import type { PayKind, RtAnswer, RtDocument, RtLine, RtPayment } from './unit.js'

const TAKEN_OFF: ReadonlySet<string> = new Set(['off', 'voucher', 'deposit'])
const UNCOUNTED: ReadonlySet<string> = new Set(['gift', 'note'])

/** What a line adds to the total. */
export const worth = ({ kind, cents }: RtLine): bigint => {
  if (UNCOUNTED.has(kind)) return 0n
  return TAKEN_OFF.has(kind) ? -cents : cents
}

export const totalOf = ({ lines, subtotal }: RtDocument): bigint =>
  lines.reduce((sum, line) => sum + worth(line), subtotal)

/** Without any payment all is paid in cash. */
export function paymentsOf(document: RtDocument): readonly RtPayment[] {
  const { payments } = document
  if (payments.length > 0) return payments
  return [{ kind: 'cash', text: 'CONTANTI', cents: totalOf(document), count: 1 }]
}

export interface Paid {
  tax: bigint
  /** Of what was handed over, what is given back, and what is kept. */
  change: bigint
  kept: bigint
  of(...kinds: PayKind[]): bigint
}

export function paidOf(document: RtDocument): Paid {
  const payments = paymentsOf(document)
  const sum = (list: readonly bigint[]) => list.reduce((all, one) => all + one, 0n)
  const total = totalOf(document)
  const tendered = sum(payments.map(({ cents }) => cents))
  const change = tendered > total ? tendered - total : 0n
  return {
    tax: sum(Object.values(sumsOf(document)).map(([, tax]) => tax)),
    ...{ change, kept: tendered - change },
    of: (...kinds) => sum(payments.flatMap((one) => (kinds.includes(one.kind) ? one.cents : []))),
  }
}

/** What is taken off the whole is split by rates; the cents that are left go to the largest. */
export function sumsOf({ lines, subtotal }: RtDocument): RtAnswer['vat'] {
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
    const tax = /^\d/.test(key) ? taxInside(one, Decimal.of(key)) : 0n
    return [key, [one, tax] as const]
  })
  return Object.fromEntries(sums)
}
