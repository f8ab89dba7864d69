// Business receipts of a German till, one recipe for each kind of business: what is sent, and the
// BON_TYP it has to get.
import type { Chance } from '../load.js'
import {
  card,
  cash,
  KEY5,
  type Line,
  line,
  type Pay,
  RATES,
  receiptText,
  sumOf,
  toLine,
} from './story-items.js'

export interface Recipe {
  /** Low 16 bits of ftReceiptCase. */
  code: number
  bonType: string
  lines: Line[]
  pays: Pay[]
  /** 0x4_0000 void, 0x2_0000 training. */
  flags?: bigint
  data?: object
}

export const AGENCIES = [
  '11111111-aaaa-4aaa-8aaa-000000000001',
  '11111111-aaaa-4aaa-8aaa-000000000002',
]
export const VOID = 0x4_0000n
export const TRAINING = 0x2_0000n

const between = (chance: Chance, low: number, high: number) =>
  Math.floor(chance.between(low, high + 1))
const NAMES = ['Sekt 0,2l', 'Brot', 'Eisbecher "Himbeere"', 'Käse; jung', 'Straße^_:', 'Ö']

/** Goods or services at any of the seven rates. */
export function goods(chance: Chance): Line {
  const [first = 0x11] = [[0x11], [0x19], [0x01]][between(chance, 0, 2)] ?? []
  const digit = between(chance, 0, 9) < 6 ? between(chance, 0, 1) : between(chance, 0, 6)
  const rate = RATES[digit] ?? RATES[0]
  const quantity = between(chance, 1, 4)
  return line([first + digit, 'Umsatz', rate], quantity * between(chance, 1, 5000), {
    quantity,
    text: NAMES[between(chance, 0, NAMES.length - 1)] ?? 'Brot',
    ...(between(chance, 0, 3) === 0 ? { takeAway: true as const } : {}),
  })
}

const someGoods = (chance: Chance) =>
  Array.from({ length: between(chance, 1, 4) }, () => goods(chance))

/** A payment of the sum in one of several ways. */
export function paid(cents: number, chance: Chance): Pay[] {
  const part = between(chance, 0, 8)
  if (part === 0) return [card(cents)]
  if (part === 1) return [{ code: 5, cents, kind: 'Unbar', type: 'Kreditkarte' }]
  if (part === 2) return [cash(Math.ceil(cents / 2)), card(Math.floor(cents / 2))]
  if (part === 3) {
    const change = 500
    return [cash(cents + change), { code: 0xb, cents: -change, kind: 'Bar', type: 'Bar' }]
  }
  if (part === 4) return [foreign(2, cents, 'CHF')]
  if (part === 5) return [foreign(5, cents, 'USD')]
  if (part === 6) return [foreign(2, cents + 500, 'CHF'), foreign(0xc, -500, 'CHF')]
  if (part === 7) {
    const [code = 3, type = 'Unbar'] = UNUSUAL[between(chance, 0, UNUSUAL.length - 1)] ?? []
    return [{ code, cents, kind: code === 0 ? 'Bar' : 'Unbar', type }]
  }
  return [cash(cents)]
}

/** Unknown, crossed cheque, online payment, customer card, SEPA, other transfer. */
const UNUSUAL: readonly (readonly [code: number, type: string])[] = [
  ...([[0, 'Bar']] as const),
  ...([
    [3, 'Unbar'],
    [6, 'ElZahlungsdienstleister'],
    [7, 'Guthabenkarte'],
  ] as const),
  ...([
    [8, 'Unbar'],
    [9, 'Unbar'],
  ] as const),
]

function foreign(code: number, cents: number, currency: string): Pay {
  const own = { currency, cents: Math.round(cents * 1.07) }
  return code === 2 || code === 0xc
    ? { code, cents, kind: 'Bar', type: 'Bar', foreign: own }
    : { code, cents, kind: 'Unbar', type: 'Kreditkarte', foreign: own }
}

function beleg(lines: Line[], pays: Pay[], more: Partial<Recipe> = {}): Recipe {
  return { code: 1, bonType: 'Beleg', lines, pays, ...more }
}

/** Goods with further lines, paid in full. */
function withLines(chance: Chance, lines: readonly Line[]): Recipe {
  const all = [...someGoods(chance), ...lines]
  return beleg(all, paid(sumOf(all), chance))
}

/** Only payments that become lines, against cash. */
const drawer = (pay: Pay): Recipe => beleg([], [pay, cash(-pay.cents)], { code: 0x11 })

type Maker = (chance: Chance, amount: number) => Recipe

/** Cash movements as charge items, and what they do to the drawer. */
const DRAWER = [
  [0x90, 'Anfangsbestand', 1],
  [0x91, 'Privatentnahme', -1],
  [0x92, 'Privateinlage', 1],
  [0x93, 'Geldtransit', -1],
  [0x94, 'Lohnzahlung', -1],
  [0x95, 'Einzahlung', 1],
  [0x96, 'Auszahlung', -1],
  [0x97, 'DifferenzSollIst', -1],
] as const

/** First codes of the groups of seven. */
const GROUPS = [
  ...([
    [0x01, 'Umsatz'],
    [0x11, 'Umsatz'],
    [0x19, 'Umsatz'],
    [0x21, 'Pfand'],
  ] as const),
  ...([
    [0x29, 'PfandRueckzahlung'],
    [0x31, 'Rabatt'],
    [0x39, 'Aufschlag'],
  ] as const),
  ...([
    [0x41, 'ZuschussUnecht'],
    [0x51, 'TrinkgeldAG'],
  ] as const),
  ...([
    [0x61, 'EinzweckgutscheinKauf'],
    [0x69, 'EinzweckgutscheinEinloesung'],
  ] as const),
  ...([
    [0x71, 'Forderungsentstehung'],
    [0x79, 'Forderungsaufloesung'],
  ] as const),
  ...([
    [0x81, 'Anzahlungseinstellung'],
    [0x89, 'Anzahlungsaufloesung'],
  ] as const),
] as const

/** A reference as the case data of a receipt say it. */
function otherDocument(kind: number): object {
  const [RefType = '', RefName = ''] =
    [
      ['ExterneRechnung', ''],
      ['ExternerLieferschein', ''],
      ['ExterneSonstige', 'Angebot'],
      ['Transaktion', ''],
    ][kind] ?? []
  const own = { RefCashBoxIdentification: 'KASSE-ALT', RefClosingNr: 12 }
  const moment = { RefMoment: '2026-01-02T18:00:00.000Z' }
  return { RefType, RefName, RefReceiptId: 'ftAB#IT170', ...own, ...moment }
}

/** Every kind of business that counts as a Beleg. */
const BUSINESS: readonly Maker[] = [
  (chance) => withLines(chance, []),
  (chance) => withLines(chance, [line([0x21, 'Pfand', RATES[0]], 25)]),
  (chance) => withLines(chance, [line([0x2a, 'PfandRueckzahlung', RATES[1]], -15)]),
  (chance) => withLines(chance, [line([0x31, 'Rabatt', RATES[0]], -1)]),
  (chance) => withLines(chance, [line([0x3a, 'Aufschlag', RATES[1]], 50)]),
  (chance, amount) => withLines(chance, [line([0x41, 'ZuschussUnecht', RATES[0]], amount)]),
  (chance, amount) => withLines(chance, [line([0x49, 'ZuschussEcht', KEY5], amount)]),
  (chance) => withLines(chance, [line([0x51, 'TrinkgeldAG', RATES[0]], 200)]),
  (chance) => withLines(chance, [line([0x59, 'TrinkgeldAN', KEY5], 150)]),
  (chance, amount) => {
    const lines = someGoods(chance)
    const pays = paid(sumOf(lines) + amount, chance)
    return beleg(lines, [toLine(0x10, 'TrinkgeldAN', -amount), ...pays])
  },
  // vouchers: multi purpose by item and by payment, single purpose
  (_chance, amount) =>
    beleg(
      [line([0x60, 'MehrzweckgutscheinKauf', KEY5], amount, { voucher: 'M-1' })],
      [cash(amount)],
    ),
  (_chance, amount) =>
    beleg(
      [],
      [{ ...toLine(0xd, 'MehrzweckgutscheinKauf', -amount), voucher: 'M-2' }, cash(amount)],
    ),
  (chance) => withLines(chance, [line([0x68, 'MehrzweckgutscheinEinloesung', KEY5], -1)]),
  (chance) => {
    const lines = someGoods(chance)
    return beleg(lines, [toLine(0xd, 'MehrzweckgutscheinEinloesung', sumOf(lines))])
  },
  (chance, amount) =>
    withLines(chance, [
      line([0x61, 'EinzweckgutscheinKauf', RATES[0]], amount, { voucher: 'E-1' }),
      line([0x6a, 'EinzweckgutscheinEinloesung', RATES[1]], -1, { voucher: 'E-2' }),
    ]),
  // claims and down payments
  (chance) => {
    const lines = someGoods(chance)
    return beleg(lines, [toLine(0xe, 'Forderungsentstehung', sumOf(lines))])
  },
  (_chance, amount) => beleg([], [toLine(0xe, 'Forderungsaufloesung', -amount), card(amount)]),
  (chance, amount) =>
    withLines(chance, [
      line([0x71, 'Forderungsentstehung', RATES[0]], amount),
      line([0x79, 'Forderungsaufloesung', RATES[0]], -amount),
    ]),
  (chance, amount) =>
    beleg([line([0x81, 'Anzahlungseinstellung', RATES[0]], amount)], paid(amount, chance)),
  (chance) => withLines(chance, [line([0x8a, 'Anzahlungsaufloesung', RATES[1]], -1)]),
  (_chance, amount) => beleg([], [toLine(0xf, 'Anzahlungseinstellung', -amount), cash(amount)]),
  (chance) => {
    const lines = someGoods(chance)
    return beleg(lines, [toLine(0xf, 'Anzahlungsaufloesung', sumOf(lines))])
  },
  // the drawer
  (_chance, amount) => drawer(toLine(0x12, 'Anfangsbestand', -amount)),
  (_chance, amount) => drawer(toLine(0x13, 'Privateinlage', -amount)),
  (_chance, amount) => drawer(toLine(0x13, 'Privatentnahme', amount)),
  (_chance, amount) => drawer(toLine(0x14, 'Geldtransit', amount)),
  (_chance, amount) => drawer(toLine(0x15, 'Lohnzahlung', amount)),
  (_chance, amount) => drawer(toLine(0x16, 'Einzahlung', -amount)),
  (_chance, amount) => drawer(toLine(0x16, 'Auszahlung', amount)),
  (_chance, amount) => drawer(toLine(0x17, 'DifferenzSollIst', amount)),
  (chance, amount) => {
    const [code, gv, sign] = DRAWER[between(chance, 0, DRAWER.length - 1)] ?? DRAWER[0]
    const lines = [line([code, gv, KEY5], sign * amount)]
    return beleg(lines, [cash(sign * amount)], { code: 0x11 })
  },
  (chance, amount) => {
    const lines = someGoods(chance)
    const rest = paid(sumOf(lines) - 1, chance)
    return beleg(lines, [toLine(0x11, 'ZuschussEcht', 1), ...rest], {
      data: { ReceiptName: `Zuschuss ${amount}`, UserId: 'U7', ReceiptNote: 'mit "Notiz"' },
    })
  },
  // rates and owners of their own
  (chance, amount) => withLines(chance, [line([0x17, 'Umsatz', [2425, 14.25]], amount)]),
  (chance, amount) => withLines(chance, [line([0, 'Umsatz', [7, 19]], amount, { byRate: true })]),
  (chance, amount) => withLines(chance, [line([0xa1, 'Umsatz', KEY5], amount)]),
  (chance, amount) =>
    withLines(
      chance,
      AGENCIES.map((agency) => line([0xa2, 'Umsatz', KEY5], amount, { agency })),
    ),
  (chance, amount) => withLines(chance, [line([0x11, 'Umsatz', RATES[0]], amount, { subItems })]),
  // every group of charge item cases at every rate
  (chance, amount) => {
    const digits = RATES.map((_, digit) => digit)
    return withLines(
      chance,
      digits.flatMap((digit) => {
        const [first, gv] = GROUPS[between(chance, 0, GROUPS.length - 1)] ?? [0x11, 'Umsatz']
        return line([first + digit, gv, RATES[digit] ?? KEY5], amount + digit)
      }),
    )
  },
  // a position is cancelled before the receipt is closed
  (chance, amount) =>
    withLines(chance, [
      line([0x11, 'Umsatz', RATES[0]], amount),
      line([0x11, 'Umsatz', RATES[0]], -amount, { cancelled: true }),
    ]),
  // a document elsewhere
  (chance) => ({ ...withLines(chance, []), data: otherDocument(between(chance, 0, 3)) }),
  // invoices
  (chance) => ({ ...withLines(chance, []), code: 0xc }),
  (chance) => ({ ...withLines(chance, []), code: 0xd }),
]

const subItems = [
  {
    ProductNumber: '7',
    GTIN: '4006381333931',
    Description: 'Beilage "Reis"',
    ProductGroup: { ProductGroupId: '3', ProductGroupName: 'Speisen' },
    Quantity: 1,
    UnitQuantity: 1,
    Unit: 'Portion',
    ftSubChargeItemCase: 0x11,
    Amount: 1.19,
  },
]

/** Slips that are no Beleg: they appear, and no sum of a closing holds them. */
const OTHERS: readonly Maker[] = [
  (chance) => ({ ...withLines(chance, []), code: 0xe, bonType: 'AVRechnung' }),
  (chance) => ({ ...withLines(chance, []), code: 0xf, bonType: 'AVTransfer' }),
  (chance) => ({ ...withLines(chance, []), code: 0x10, bonType: 'AVBestellung' }),
  (chance) => ({ ...withLines(chance, []), code: 0x13, bonType: 'AVSonstige' }),
  (chance) => ({ ...withLines(chance, []), code: 0x15, bonType: 'AVSonstige' }),
  (chance) => {
    const lines = someGoods(chance)
    const own: Pay = { code: 0xa, cents: sumOf(lines), kind: 'own', type: 'Keine' }
    return { code: 0x12, bonType: 'AVSachbezug', lines, pays: [own] }
  },
  (chance) => ({ ...withLines(chance, []), bonType: 'AVTraining', flags: TRAINING }),
]

export const KINDS = BUSINESS.length + OTHERS.length

/** The recipe of a number from 0 to KINDS - 1. */
export function recipe(kind: number, chance: Chance): Recipe {
  const make = [...BUSINESS, ...OTHERS][kind % KINDS]
  if (make === undefined) throw new Error(`there is no recipe ${kind}`)
  return make(chance, 100 * between(chance, 1, 90) + between(chance, 1, 99))
}

/** The counter receipt of a Beleg: every sign turned. */
export function reversed(of: Recipe): Recipe {
  const turned = of.lines.map((one) => ({ ...one, cents: -one.cents }))
  const pays = of.pays.map((one) => ({
    ...one,
    cents: -one.cents,
    type: one.kind === 'line' ? turnedType(one.code, -one.cents) : one.type,
    ...(one.foreign === undefined
      ? {}
      : { foreign: { ...one.foreign, cents: -one.foreign.cents } }),
  }))
  return { ...of, lines: turned, pays, flags: VOID }
}

/** GV_TYP of a payment that becomes a line: below zero, and from zero on. */
const BY_SIGN: Record<number, readonly [string, string]> = {
  13: ['MehrzweckgutscheinKauf', 'MehrzweckgutscheinEinloesung'],
  14: ['Forderungsaufloesung', 'Forderungsentstehung'],
  15: ['Anzahlungseinstellung', 'Anzahlungsaufloesung'],
  16: ['TrinkgeldAN', 'TrinkgeldAN'],
  17: ['ZuschussEcht', 'ZuschussEcht'],
  18: ['Anfangsbestand', 'Anfangsbestand'],
  19: ['Privateinlage', 'Privatentnahme'],
  20: ['Geldtransit', 'Geldtransit'],
  21: ['Lohnzahlung', 'Lohnzahlung'],
  22: ['Einzahlung', 'Auszahlung'],
  23: ['DifferenzSollIst', 'DifferenzSollIst'],
}

const turnedType = (code: number, cents: number) => BY_SIGN[code]?.[cents < 0 ? 0 : 1] ?? ''

export const isBeleg = ({ bonType }: Recipe): boolean => bonType === 'Beleg'
export const textOf = ({ bonType, lines, pays }: Recipe): string =>
  receiptText(bonType, lines, pays)
