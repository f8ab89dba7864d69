// The amounts and rates that a receipt can have at all: what lies beyond was never meant, and is
// refused before a device is asked. Called by the doors that sign; stored receipts are not judged.
import type { FieldFault } from '../errors.js'
import { Decimal } from '../lib/decimal.js'
import type { ChargeItem, PayItem, ReceiptRequest } from './receipt.js'

const MOST_WHOLE_DIGITS = 13
const MOST_SCALE = 28
/** 10^13 in units of each scale. */
const LIMITS = Array.from(
  { length: MOST_SCALE + 1 },
  (_, scale) => 10n ** BigInt(MOST_WHOLE_DIGITS + scale),
)
const HIGHEST_RATE = Decimal.of('99.99')

const AMOUNT = `at most ${MOST_WHOLE_DIGITS} digits before the point`
const RATE = `a rate of at most ${HIGHEST_RATE} percent`
const SUM = `items that are together at most ${MOST_WHOLE_DIGITS} digits before the point`

/** More faults than anybody reads. */
const MOST_FAULTS = 100

/** Every member beyond the limits, in the order of the receipt; nearly always none. */
export function senselessAmounts(request: ReceiptRequest): readonly FieldFault[] {
  const { chargeItems, payItems, receiptAmount } = request
  const faults: FieldFault[] = []
  for (let at = 0; at < chargeItems.length; at += 1) {
    const item = chargeItems[at]
    if (item !== undefined) chargeFaults(item, at, faults)
  }
  for (let at = 0; at < payItems.length; at += 1) {
    const item = payItems[at]
    if (item !== undefined) payFaults(item, at, faults)
  }
  if (receiptAmount !== null && isLarge(receiptAmount)) tell(faults, 'cbReceiptAmount', AMOUNT)
  // by size, so that no part of a receipt is beyond the limit where the others take it back
  if (faults.length === 0 && isLarge(sizeOf(chargeItems))) tell(faults, 'cbChargeItems', SUM)
  if (faults.length === 0 && isLarge(sizeOf(payItems))) tell(faults, 'cbPayItems', SUM)
  return faults
}

function chargeFaults(item: ChargeItem, at: number, faults: FieldFault[]): void {
  const { amount, quantity, vatRate, vatAmount, unitQuantity, unitPrice } = item
  const path = (): string => `cbChargeItems[${at}].`
  if (isLarge(quantity)) tell(faults, `${path()}Quantity`, AMOUNT)
  if (isLarge(amount)) tell(faults, `${path()}Amount`, AMOUNT)
  if (!vatRate.isZero && isAbove(vatRate, HIGHEST_RATE)) tell(faults, `${path()}VATRate`, RATE)
  if (vatAmount !== null && isLarge(vatAmount)) tell(faults, `${path()}VATAmount`, AMOUNT)
  if (unitQuantity !== null && isLarge(unitQuantity)) tell(faults, `${path()}UnitQuantity`, AMOUNT)
  if (unitPrice !== null && isLarge(unitPrice)) tell(faults, `${path()}UnitPrice`, AMOUNT)
}

function payFaults({ amount, quantity }: PayItem, at: number, faults: FieldFault[]): void {
  if (isLarge(quantity)) tell(faults, `cbPayItems[${at}].Quantity`, AMOUNT)
  if (isLarge(amount)) tell(faults, `cbPayItems[${at}].Amount`, AMOUNT)
}

function tell(faults: FieldFault[], path: string, expected: string): void {
  if (faults.length < MOST_FAULTS) faults.push({ path, expected, isMissing: false })
}

function isLarge({ units, scale }: Decimal): boolean {
  const limit = LIMITS[scale] ?? 10n ** BigInt(MOST_WHOLE_DIGITS + scale)
  return units >= limit || units <= -limit
}

function isAbove(value: Decimal, most: Decimal): boolean {
  const size = value.isNegative ? value.negated() : value
  return size.minus(most).isPositive
}

function sizeOf(items: readonly { amount: Decimal }[]): Decimal {
  let sum = Decimal.ZERO
  for (const { amount } of items) sum = amount.isNegative ? sum.minus(amount) : sum.plus(amount)
  return sum
}
