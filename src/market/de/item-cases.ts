// Charge-item and pay-item cases of Germany, and foreign money.
import { Decimal } from '../../lib/decimal.js'
import { JsonNumber, objectIn } from '../../lib/json.js'

/** Places of the five gross amounts in processData: 19 %, 7 %, key 3, key 4, 0 %. */
export const buckets = { general: 0, reduced: 1, key3: 2, key4: 3, zero: 4 } as const
export type Bucket = (typeof buckets)[keyof typeof buckets]

/** UST_SCHLUESSEL 1 to 7; 7 is "not determinable". */
export type VatKey = 1 | 2 | 3 | 4 | 5 | 6 | 7

export const vatKeys = {
  general: 1,
  reduced: 2,
  key3: 3,
  key4: 4,
  notTaxable: 5,
  exempt: 6,
  unknown: 7,
} as const satisfies Record<string, VatKey>

export interface ChargeCase {
  /** Business case (Geschäftsvorfall). */
  gvType: string
  key: VatKey
  /** `rate`: the item's VATRate decides, see bucketOfRate. */
  bucket: Bucket | 'rate'
}

/** Flags of a charge item or pay item case, bits 16 to 31. */
export const itemFlags = { takeAway: 0x0001, cancellation: 0x0020 } as const

// ------------------------------------------------------------------ charge items

/** Groups of seven consecutive codes, one per tax key 1 to 7. */
const groups: readonly (readonly [first: number, gvType: string])[] = [
  [0x01, 'Umsatz'],
  [0x11, 'Umsatz'],
  [0x19, 'Umsatz'],
  [0x21, 'Pfand'],
  [0x29, 'PfandRueckzahlung'],
  [0x31, 'Rabatt'],
  [0x39, 'Aufschlag'],
  [0x41, 'ZuschussUnecht'],
  [0x51, 'TrinkgeldAG'],
  [0x61, 'EinzweckgutscheinKauf'],
  [0x69, 'EinzweckgutscheinEinloesung'],
  [0x71, 'Forderungsentstehung'],
  [0x79, 'Forderungsaufloesung'],
  [0x81, 'Anzahlungseinstellung'],
  [0x89, 'Anzahlungsaufloesung'],
]

/** Codes with a business case of their own, none of them taxable (key 5). */
const singles: readonly (readonly [code: number, gvType: string])[] = [
  [0x49, 'ZuschussEcht'],
  [0x59, 'TrinkgeldAN'],
  [0x60, 'MehrzweckgutscheinKauf'],
  [0x68, 'MehrzweckgutscheinEinloesung'],
  [0x90, 'Anfangsbestand'],
  [0x91, 'Privatentnahme'],
  [0x92, 'Privateinlage'],
  [0x93, 'Geldtransit'],
  [0x94, 'Lohnzahlung'],
  [0x95, 'Einzahlung'],
  [0x96, 'Auszahlung'],
  [0x97, 'DifferenzSollIst'],
  // reverse charge (§ 13b UStG), and sales in another's name (Agentur)
  [0xa1, 'Umsatz'],
  [0xa2, 'Umsatz'],
]

const KEYS: readonly VatKey[] = [1, 2, 3, 4, 5, 6, 7]

const { general, reduced, key3, key4, zero } = buckets
const bucketOfKey: Record<VatKey, Bucket> = {
  1: general,
  2: reduced,
  3: key3,
  4: key4,
  5: zero,
  6: zero,
  7: zero,
}

const chargeCases = new Map<number, ChargeCase>()
for (const [first, gvType] of groups) {
  for (const key of KEYS) {
    chargeCases.set(first + key - 1, { gvType, key, bucket: bucketOfKey[key] })
  }
}
for (const [code, gvType] of singles) {
  chargeCases.set(code, { gvType, key: vatKeys.notTaxable, bucket: zero })
}
chargeCases.set(0, { gvType: 'Umsatz', key: vatKeys.unknown, bucket: 'rate' })

/** Codes outside the table: a sale whose tax nobody can tell. */
const UNKNOWN_CHARGE: ChargeCase = { gvType: 'Umsatz', key: vatKeys.unknown, bucket: zero }

/** The meaning of the low 16 bits of a v0/v1 ftChargeItemCase; every code has one. */
export function chargeCase(code: number): ChargeCase {
  return chargeCases.get(code) ?? UNKNOWN_CHARGE
}

/** True for a code that the table of charge items has. */
export function isChargeCode(code: number): boolean {
  return chargeCases.has(code)
}

/** Rates that a tax key has or had; the others of a key are no fault of the register. */
const ratesOfKey: Partial<Record<VatKey, readonly string[]>> = {
  1: ['19', '16'],
  2: ['7', '5'],
  5: ['0'],
  6: ['0'],
}

/** What the code says of the rate where the item's is another; the code counts. */
export function ratesOfV0(code: number, rate: Decimal): string | undefined {
  const key = chargeCases.get(code)?.key
  const rates = key === undefined ? undefined : ratesOfKey[key]
  if (rates === undefined || rates.includes(rate.toShortString())) return undefined
  return `is for ${rates[0]} %`
}

/** Rates in force, as short decimal texts, for items without a tax case (0000). */
const buckets0: Record<string, Bucket> = { '19': general, '7': reduced, '10.7': key3, '5.5': key4 }

export function bucketOfRate(rate: Decimal): Bucket {
  return buckets0[rate.toShortString()] ?? zero
}

/** Where the amount of an item stands in processData. */
export function bucketOf(found: ChargeCase, rate: Decimal): Bucket {
  return found.bucket === 'rate' ? bucketOfRate(rate) : found.bucket
}

/** Individual keys of 1000 and up: hundredths of a percent above 1000 (14.25 % is 2425). */
const INDIVIDUAL = 1000n

/** UST_SCHLUESSEL of an item: its case's key, or the individual key of a rate with key 7. */
export function vatKeyOf(found: ChargeCase, rate: Decimal): number {
  if (found.key !== vatKeys.unknown || found.bucket === 'rate') return found.key
  const hundredths = rate.toCents()
  return hundredths > 0n ? Number(hundredths + INDIVIDUAL) : found.key
}

/**
 * The amount with the sign that counts. A negative quantity makes a positive amount negative; an
 * item with the cancellation flag is taken as it was sent.
 */
export function effectiveAmount(
  item: { quantity: Decimal; amount: Decimal },
  flags: number,
): Decimal {
  if ((flags & itemFlags.cancellation) !== 0) return item.amount
  return item.quantity.isNegative && !item.amount.isNegative ? item.amount.negated() : item.amount
}

// --------------------------------------------------------------------- pay items

/** `line`: no payment but an amount without tax, which DSFinV-K knows as a line with key 5. */
export type PayKind = 'Bar' | 'Unbar' | 'line'

export interface PayCase {
  kind: PayKind
  /** ZAHLART_TYP of the payment row; null when the item becomes a line. */
  zahlart: string | null
  /** GV_TYP of the line by the sign of the pay amount; null for payments. */
  line: { negative: string; positive: string } | null
  /** Foreign money: `always` needs the case data, `given` uses them when they are there. */
  foreign: 'never' | 'always' | 'given'
}

type Foreign = PayCase['foreign']

function payment(kind: 'Bar' | 'Unbar', zahlart: string, foreign: Foreign): PayCase {
  return { kind, zahlart, line: null, foreign }
}

function line(negative: string, positive: string = negative): PayCase {
  return { kind: 'line', zahlart: null, line: { negative, positive }, foreign: 'never' }
}

/** 000A, own use: no payment and no line, but an amount in the zero bucket. */
export const OWN_USE = 0x0a

const cash = payment('Bar', 'Bar', 'never')
const foreignCash = payment('Bar', 'Bar', 'always')

const payCases: Record<number, PayCase> = {
  0: cash,
  1: cash,
  2: foreignCash,
  3: payment('Unbar', 'Unbar', 'given'),
  4: payment('Unbar', 'ECKarte', 'given'),
  5: payment('Unbar', 'Kreditkarte', 'given'),
  6: payment('Unbar', 'ElZahlungsdienstleister', 'given'),
  7: payment('Unbar', 'Guthabenkarte', 'given'),
  8: payment('Unbar', 'Unbar', 'given'),
  9: payment('Unbar', 'Unbar', 'given'),
  [OWN_USE]: { kind: 'line', zahlart: 'Keine', line: null, foreign: 'never' },
  11: cash,
  12: foreignCash,
  13: line('MehrzweckgutscheinKauf', 'MehrzweckgutscheinEinloesung'),
  14: line('Forderungsaufloesung', 'Forderungsentstehung'),
  15: line('Anzahlungseinstellung', 'Anzahlungsaufloesung'),
  16: line('TrinkgeldAN'),
  17: line('ZuschussEcht'),
  18: line('Anfangsbestand'),
  19: line('Privateinlage', 'Privatentnahme'),
  20: line('Geldtransit'),
  21: line('Lohnzahlung'),
  22: line('Einzahlung', 'Auszahlung'),
  23: line('DifferenzSollIst'),
}

/** The meaning of the low 16 bits of a v0/v1 ftPayItemCase; unknown codes are cash. */
export function payCase(code: number): PayCase {
  return payCases[code] ?? cash
}

/** True for a code that the table of pay items has. */
export function isPayCode(code: number): boolean {
  return payCases[code] !== undefined
}

/** The amount of a pay item with the sign that counts; own use (000A) is taken as it was sent. */
export function effectivePayAmount(
  code: number,
  item: { quantity: Decimal; amount: Decimal },
  flags: number,
): Decimal {
  return code === OWN_USE ? item.amount : effectiveAmount(item, flags)
}

// ----------------------------------------------------------------------------------- foreign money

export interface ForeignMoney {
  /** ISO 4217, three capital letters; never EUR. */
  currency: string
  amount: Decimal
}

const CURRENCY = /^[A-Za-z]{3}$/
const BASE_CURRENCY = 'EUR'

/** Names in v0/v1 and in v2, in lower case. */
const CURRENCY_NAMES: ReadonlySet<string> = new Set(['currencycode', 'foreigncurrencysymbol'])
const AMOUNT_NAME = 'foreigncurrencyamount'

/**
 * `{"CurrencyCode":"CHF","ForeignCurrencyAmount":5.00}`, or v2's `foreignCurrencySymbol`.
 * Undefined when one of both is missing or wrong; `euro` when the currency is the receipt's own.
 */
export function foreignMoney(caseData: string | null): ForeignMoney | 'euro' | undefined {
  const data = objectIn(caseData)
  if (data === undefined) return undefined
  const names = data.names.map((name) => name.toLowerCase())
  const currency = data.values[names.findIndex((name) => CURRENCY_NAMES.has(name))]
  const amount = decimalOf(data.values[names.indexOf(AMOUNT_NAME)])
  if (typeof currency !== 'string' || !CURRENCY.test(currency)) return undefined
  if (amount === undefined) return undefined
  const code = currency.toUpperCase()
  return code === BASE_CURRENCY ? 'euro' : { currency: code, amount }
}

/**
 * The foreign amount with the sign that counts: negative where it or the payment itself, in base
 * currency, is negative. Registers send either sign with money that leaves the drawer.
 */
export function signedForeign(amount: Decimal, payment: Decimal): Decimal {
  return payment.isNegative && !amount.isNegative ? amount.negated() : amount
}

function decimalOf(value: unknown): Decimal | undefined {
  if (value instanceof JsonNumber) return Decimal.parse(value.text)
  return typeof value === 'string' ? Decimal.parse(value) : undefined
}
