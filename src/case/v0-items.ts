// Items of version 2 in the v0 tables that Austria and France have in common.
import type { Decimal } from '../lib/decimal.js'

// ------------------------------------------------------------------ charge items

/** What differs between the countries that have these tables. */
export interface ItemTables {
  /** The code of an undefined service with this rate in percent, 1 to 5. */
  codeOfRate(rate: Decimal): number
  /** The v0 code of service A, a cash transfer. */
  cashTransfer: number
}

/** Per service S: v0 code for V = 1, 2, 3, 4, then 5 to 7 (zero), then 8 (not taxable). */
type ServiceRow = readonly [number, number, number, number, number, number]

const UNDEFINED: ServiceRow = [0x01, 0x02, 0x03, 0x04, 0x05, 0x05]
const serviceTable: readonly ServiceRow[] = [
  UNDEFINED,
  [0x08, 0x09, 0x0a, 0x0b, 0x0c, 0x0c], // 1 goods
  [0x0d, 0x0e, 0x0f, 0x10, 0x11, 0x11], // 2 service
  UNDEFINED, // 3 tip
  [0x01, 0x02, 0x03, 0x04, 0x05, 0x21], // 4 voucher, multi-purpose with V 8
  [0x12, 0x13, 0x14, 0x15, 0x16, 0x16], // 5 catalogue service
  [0x07, 0x07, 0x07, 0x07, 0x07, 0x21], // 6 agency business
  [0x17, 0x18, 0x19, 0x1a, 0x1b, 0x1b], // 7 own consumption
  UNDEFINED, // 8 grant
  [0x22, 0x22, 0x22, 0x22, 0x22, 0x22], // 9 receivable
]
const CASH_TRANSFER = 0xa
const DOWN_PAYMENT: ServiceRow = [0x1c, 0x1d, 0x1e, 0x1f, 0x20, 0x20]
const DOWN_PAYMENT_FLAG = 0x0008
/** Services 0 to 2, and B to F that are read as 0, may be a down payment. */
const NO_DOWN_PAYMENT: ReadonlySet<number> = new Set([3, 4, 5, 6, 7, 8, 9, 0xa])

const REVERSE_CHARGE = 0x0006
const NATURE_REVERSE_CHARGE = 5
const NOT_TAXABLE = 8
const ZERO_COLUMN = 4
const NOT_TAXABLE_COLUMN = 5

export interface ChargeMeant {
  code: number
  flags: number
  /** In percent. */
  rate: Decimal
}

/** The v0 charge item case of a v2 code `NNSV` with its flags. */
export function chargeCodeOf({ code, flags, rate }: ChargeMeant, tables: ItemTables): number {
  const vat = code & 0xf
  const service = (code >>> 4) & 0xf
  if (vat === NOT_TAXABLE && code >>> 12 === NATURE_REVERSE_CHARGE) return REVERSE_CHARGE
  if (service === CASH_TRANSFER) return tables.cashTransfer
  const down = (flags & DOWN_PAYMENT_FLAG) !== 0 && !NO_DOWN_PAYMENT.has(service)
  const row = down ? DOWN_PAYMENT : (serviceTable[service] ?? UNDEFINED)
  return row[columnOf(vat, tables.codeOfRate(rate))] ?? 0
}

/** Column of undefined services (0001 to 0005), which are ordered like the columns 0 to 4. */
function columnOf(vat: number, ofRate: number): number {
  if (vat >= 1 && vat <= 4) return vat - 1
  if (vat === 7) return ZERO_COLUMN
  if (vat === NOT_TAXABLE) return NOT_TAXABLE_COLUMN
  // 0 unknown, 5 super-reduced-2, 6 parking, and unknown values: amounts belong to their real rate
  return ofRate - 1
}

// --------------------------------------------------------------------- pay items

const FOREIGN = 0x0010
const CHANGE = 0x0020
const TIP = 0x0040
const PAY_DOWN_PAYMENT = 0x0008
const CASH = 0x01
const RECEIVABLE = 0x09
const CASH_BOOK = 0x0c

/** v2 pay codes `PP` without the three that look at flags or sign. */
const payTable: Record<number, number> = {
  0: 0x00,
  2: 0x07,
  3: 0x03,
  4: 0x04,
  5: 0x05,
  6: 0x06,
  7: 0x07,
  8: 0x08,
  10: 0x0c,
  11: 0x0d,
  13: 0x11,
  14: 0x0b,
  15: 0x06,
}

/** The v0 pay item case of a v2 code with its flags; cash book transfers go by the sign. */
export function payCodeOf(code: number, flags: number, amount: Decimal): number {
  const kind = code & 0xff
  if (kind === CASH) return cashCode(flags)
  if (kind === RECEIVABLE) return (flags & PAY_DOWN_PAYMENT) === 0 ? 0x0b : 0x10
  if (kind === CASH_BOOK) return amount.isNegative ? 0x0e : 0x0f
  return payTable[kind] ?? 0x00
}

/** When several flags meet: tip, then change, then foreign money. */
function cashCode(flags: number): number {
  if ((flags & (TIP | CHANGE)) !== 0) return 0x12
  return (flags & FOREIGN) === 0 ? 0x01 : 0x02
}
