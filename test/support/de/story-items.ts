// Items of German receipts together with what the law expects of them: the rate they stand under,
// the business case, the kind of payment. Written from the published tables, without program code.
import type { Chance } from '../load.js'

export const DE = 0x4445_0000_0000_0000n

export interface Line {
  code: number
  /** GV_TYP. */
  gv: string
  /** UST_SCHLUESSEL. */
  key: number
  /** Percent. */
  vat: number
  /** What counts, with its sign. */
  cents: number
  quantity: number
  text: string
  agency?: string
  voucher?: string
  subItems?: object[]
  takeAway?: true
  /** The position was cancelled: sent as it counts. */
  cancelled?: true
  /** Without case (0000) the rate alone decides. */
  byRate?: true
}

export interface Pay {
  code: number
  cents: number
  /** `line`: no payment, but an amount of the zero rate. */
  kind: 'Bar' | 'Unbar' | 'line' | 'own'
  /** ZAHLART_TYP or GV_TYP. */
  type: string
  foreign?: { currency: string; cents: number }
  voucher?: string
}

export function line(
  [code, gv, [key, vat]]: readonly [code: number, gv: string, rate: readonly [number, number]],
  cents: number,
  more: Partial<Line> = {},
): Line {
  return { code, gv, key, vat, cents, quantity: 1, text: `${gv} ${code.toString(16)}`, ...more }
}

export const KEY5 = [5, 0] as const
/** Key and rate of the seven digits of a charge item case. */
export const RATES = [
  [1, 19],
  [2, 7],
  [3, 10.7],
  [4, 5.5],
  [5, 0],
  [6, 0],
  [7, 0],
] as const

export const cash = (cents: number): Pay => ({ code: 1, cents, kind: 'Bar', type: 'Bar' })
export const card = (cents: number): Pay => ({ code: 4, cents, kind: 'Unbar', type: 'ECKarte' })
export const toLine = (code: number, type: string, cents: number): Pay => {
  return { code, cents, kind: 'line', type }
}

export const sumOf = (items: readonly { cents: number }[]): number =>
  items.reduce((sum, { cents }) => sum + cents, 0)

// ----------------------------------------------------------------- as they are sent

/** A void turns it around once more. */
const asItCounts = (cents: number) => ({ quantity: Math.sign(cents), amount: cents })

/** The three ways in which a till writes a negative item; what counts is the same. */
function signs(cents: number, chance: Chance): { quantity: 1 | -1; amount: number } {
  if (cents >= 0) return { quantity: 1, amount: cents }
  const way = Math.floor(chance.between(0, 3))
  if (way === 0) return { quantity: -1, amount: cents }
  return way === 1 ? { quantity: 1, amount: cents } : { quantity: -1, amount: -cents }
}

export function chargeItem(one: Line, position: number, chance: Chance): object {
  const { quantity, amount } =
    one.cancelled === true ? asItCounts(one.cents) : signs(one.cents, chance)
  const cents = one.quantity === 0 ? 0 : Math.abs(one.cents) / one.quantity
  const data = {
    ...(one.agency === undefined ? {} : { AgencyId: one.agency }),
    ...(one.voucher === undefined ? {} : { VoucherNr: one.voucher }),
    ...(one.subItems === undefined ? {} : { SubItems: one.subItems }),
  }
  return {
    Position: position,
    Quantity: quantity * one.quantity,
    Description: one.text,
    Amount: amount / 100,
    VATRate: one.vat,
    ftChargeItemCase:
      DE |
      BigInt(one.code) |
      (one.takeAway === true ? 0x1_0000n : 0n) |
      (one.cancelled === true ? 0x20_0000n : 0n),
    ...(Number.isInteger(cents) && chance.between(0, 2) < 1
      ? { UnitPrice: cents / 100, Unit: 'Stück', UnitQuantity: 1 }
      : {}),
    ...(chance.between(0, 2) < 1 ? { Moment: new Date().toISOString() } : {}),
    ProductNumber: `A${one.code}`,
    ProductGroup: one.gv,
    ...(Object.keys(data).length === 0 ? {} : { ftChargeItemCaseData: JSON.stringify(data) }),
  }
}

export function payItem(one: Pay, position: number, chance: Chance): object {
  const { quantity, amount } =
    one.kind === 'own' ? { quantity: 1, amount: one.cents } : signs(one.cents, chance)
  const data = {
    ...(one.foreign === undefined
      ? {}
      : {
          CurrencyCode: one.foreign.currency,
          // with the sign of the amount, as it is sent
          ForeignCurrencyAmount: (Math.sign(amount) * Math.abs(one.foreign.cents)) / 100,
          BaseCurrencyAmount: amount / 100,
        }),
    ...(one.voucher === undefined ? {} : { VoucherNr: one.voucher }),
  }
  return {
    Position: position,
    Quantity: quantity,
    Description: one.type,
    Amount: amount / 100,
    ftPayItemCase: DE | BigInt(one.code),
    ...(Object.keys(data).length === 0 ? {} : { ftPayItemCaseData: JSON.stringify(data) }),
  }
}

// ------------------------------------------------------------------- what is expected

export const euro = (cents: number): string =>
  `${cents < 0 ? '-' : ''}${Math.floor(Math.abs(cents) / 100)}.` +
  String(Math.abs(cents) % 100).padStart(2, '0')

/** processData of Kassenbeleg-V1 (DSFinV-K Annex I). */
export function receiptText(bonType: string, lines: readonly Line[], pays: readonly Pay[]): string {
  const rates = [0, 0, 0, 0, 0]
  const add = (at: number, cents: number) => {
    rates[at] = (rates[at] ?? 0) + cents
  }
  for (const one of lines) add(bucketOf(one), one.cents)
  const paid = new Map<string, number>()
  for (const one of pays) {
    if (one.kind === 'line' || one.kind === 'own') add(4, -one.cents)
    else {
      const name = one.foreign === undefined ? one.kind : `${one.kind}:${one.foreign.currency}`
      paid.set(name, (paid.get(name) ?? 0) + (one.foreign?.cents ?? one.cents))
    }
  }
  const payments = [...paid]
    .filter(([, cents]) => cents !== 0)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, cents]) => `${euro(cents)}:${name}`)
  return `${bonType}^${rates.map(euro).join('_')}^${payments.join('_')}`
}

function bucketOf({ key, vat, byRate }: Line): number {
  if (byRate === true) {
    const at = [19, 7, 10.7, 5.5].indexOf(vat)
    return at < 0 ? 4 : at
  }
  return key >= 1 && key <= 4 ? key - 1 : 4
}

/** processData of Bestellung-V1. */
export function orderText(lines: readonly Line[]): string {
  return lines
    .map(({ quantity, text, cents }) => {
      const count = cents < 0 ? -quantity : quantity
      const price = Math.round(Math.abs(cents) / quantity)
      return `${count};"${text.replaceAll('"', '""')}";${euro(price)}`
    })
    .join('\r')
}
