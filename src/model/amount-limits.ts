// The amounts and rates that a receipt can have at all: what lies beyond was never meant, and is
// refused before a device is asked. Stored receipts are not judged.
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
/** In hundredths of a percent. */
const HIGHEST_RATE = 9999n
/** That rate in whole units of each scale. */
const RATE_LIMITS = LIMITS.map((_, scale) => (HIGHEST_RATE * 10n ** BigInt(scale)) / 100n)
/** So many items, each two digits below the limit, cannot be beyond it together. */
const FEW_ITEMS = 100
/** In doubles: what is below them is small for certain, and most is. */
const SMALL = LIMITS.map((limit) => Number(limit / 100n))
const SMALL_RATES = RATE_LIMITS.map(Number)

const AMOUNT = `at most ${MOST_WHOLE_DIGITS} digits before the point`
const RATE = `a rate of at most ${Decimal.cents(HIGHEST_RATE)} percent`
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
  if (isLarge(receiptAmount)) tell(faults, 'cbReceiptAmount', AMOUNT)
  if (faults.length === 0 && isLargeTogether(chargeItems)) tell(faults, 'cbChargeItems', SUM)
  if (faults.length === 0 && isLargeTogether(payItems)) tell(faults, 'cbPayItems', SUM)
  return faults
}

function chargeFaults(item: ChargeItem, at: number, faults: FieldFault[]): void {
  const { amount, quantity, vatRate, vatAmount, unitQuantity, unitPrice } = item
  if (isLarge(quantity)) tell(faults, `cbChargeItems[${at}].Quantity`, AMOUNT)
  if (isLarge(amount)) tell(faults, `cbChargeItems[${at}].Amount`, AMOUNT)
  if (isHigh(vatRate)) tell(faults, `cbChargeItems[${at}].VATRate`, RATE)
  if (isLarge(vatAmount)) tell(faults, `cbChargeItems[${at}].VATAmount`, AMOUNT)
  if (isLarge(unitQuantity)) tell(faults, `cbChargeItems[${at}].UnitQuantity`, AMOUNT)
  if (isLarge(unitPrice)) tell(faults, `cbChargeItems[${at}].UnitPrice`, AMOUNT)
}

function payFaults({ amount, quantity }: PayItem, at: number, faults: FieldFault[]): void {
  if (isLarge(quantity)) tell(faults, `cbPayItems[${at}].Quantity`, AMOUNT)
  if (isLarge(amount)) tell(faults, `cbPayItems[${at}].Amount`, AMOUNT)
}

function tell(faults: FieldFault[], path: string, expected: string): void {
  if (faults.length < MOST_FAULTS) faults.push({ path, expected, isMissing: false })
}

function isLarge(value: Decimal | null): boolean {
  if (value === null || isSmall(value)) return false
  const limit = LIMITS[value.scale] ?? 10n ** BigInt(MOST_WHOLE_DIGITS + value.scale)
  return value.units >= limit || value.units <= -limit
}

function isHigh({ units, scale }: Decimal): boolean {
  if (Math.abs(Number(units)) < (SMALL_RATES[scale] ?? 0)) return false
  const limit = RATE_LIMITS[scale] ?? (HIGHEST_RATE * 10n ** BigInt(scale)) / 100n
  return units > limit || units < -limit
}

/** By size, so that no part of a receipt is beyond the limit where the others take it back. */
function isLargeTogether(items: readonly { amount: Decimal }[]): boolean {
  if (items.length <= FEW_ITEMS && areSmall(items)) return false
  let sum = Decimal.ZERO
  for (const { amount } of items) sum = amount.isNegative ? sum.minus(amount) : sum.plus(amount)
  return isLarge(sum)
}

function areSmall(items: readonly { amount: Decimal }[]): boolean {
  for (let at = 0; at < items.length; at += 1) {
    const item = items[at]
    if (item !== undefined && !isSmall(item.amount)) return false
  }
  return true
}

/** Rounding to a double keeps the order: what is below there is below. */
function isSmall({ units, scale }: Decimal): boolean {
  return Math.abs(Number(units)) < (SMALL[scale] ?? 0)
}
