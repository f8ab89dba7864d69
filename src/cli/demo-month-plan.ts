// What happens in a month of a café, a shop and a hotel: a table of days, told in the neutral words
// of the PosSystem API, so that every market has the same month by its own law.

export interface Business {
  name: string
  email: string
  /** Dearest last; the rates are those of the market, taken in turn. */
  items: readonly (readonly [text: string, cents: number])[]
  user: string
}

/** Sold one by one: no receipt comes near 100 euros, above which some countries want an invoice. */
const DEAR_CENTS = 1000

export const BUSINESSES: readonly Business[] = [
  {
    ...{ name: 'Demo café', email: 'cafe@demo.fiskalwerk.example', user: 'Clara' },
    items: [
      ['Espresso', 290],
      ['Cake', 450],
      ['Breakfast', 1180],
    ],
  },
  {
    ...{ name: 'Demo shop', email: 'shop@demo.fiskalwerk.example', user: 'Samir' },
    items: [
      ['Bread', 380],
      ['Notebook', 1290],
      ['Lamp', 3990],
    ],
  },
  {
    ...{ name: 'Demo hotel', email: 'hotel@demo.fiskalwerk.example', user: 'Helena' },
    items: [
      ['Minibar', 850],
      ['Dinner', 2900],
      ['Night', 6900],
    ],
  },
]

/** Codes of version 2 without the country: the queue adds its own. */
export const CODE = {
  ...{ sale: 0x1n, zero: 0x2000n, daily: 0x2011n, monthly: 0x2012n, void: 0x4_0000n },
  ...{ tip: 0x38n, voucherSold: 0x48n, cash: 0x1n, card: 0x4n, voucher: 0x6n },
} as const

/** `outage`: the signing unit is away for this sale, and a zero receipt ends it. */
export type Kind =
  | 'cash'
  | 'card'
  | 'mixed'
  | 'void'
  | 'tip'
  | 'voucher-sold'
  | 'voucher-taken'
  | 'outage'
  | 'outage-end'
  | 'daily'
  | 'monthly'

export interface Step {
  kind: Kind
  day: number
  hour: number
}

const EVERY_DAY = [
  ['cash', 8],
  ['card', 12],
  ['mixed', 17],
] as const satisfies readonly (readonly [Kind, number])[]

const SPECIAL: Readonly<Record<number, readonly (readonly [Kind, number])[]>> = {
  3: [['void', 9]],
  6: [['tip', 19]],
  9: [['voucher-sold', 10]],
  14: [
    ['outage', 13],
    ['outage-end', 14],
  ],
  18: [['voucher-taken', 11]],
  21: [['void', 9]],
  24: [['tip', 20]],
}

/** All steps of a month of so many days, in their order. */
export function stepsOf(days: number): Step[] {
  const all = Array.from({ length: days }, (_, at) => at + 1).flatMap((day) =>
    [
      ...EVERY_DAY,
      ...(SPECIAL[day] ?? []),
      ['daily', 22] as const,
      ...(day === days ? [['monthly', 23] as const] : []),
    ].map(([kind, hour]) => ({ kind, day, hour })),
  )
  return all.toSorted((a, b) => a.day - b.day || a.hour - b.hour)
}

type Item = Readonly<Record<string, unknown>>

export interface Receipt {
  cbChargeItems: readonly Item[]
  cbPayItems: readonly Item[]
  code: bigint
  /** Of the receipt before: what is taken back. */
  previous?: { day: number; hour: number }
}

const amountOf = (cents: number): number => cents / 100
const wordOf = (code: bigint): string => `0x${(0x2000_0000_0000n | code).toString(16)}`

const pay = (Description: string, cents: number, code: bigint): Item => ({
  ...{ Quantity: Math.sign(cents), Description, Amount: amountOf(cents) },
  ftPayItemCase: wordOf(code),
})

const CASHLESS: Partial<Record<Kind, readonly [string, bigint]>> = {
  card: ['Card', CODE.card],
  tip: ['Card', CODE.card],
  'voucher-taken': ['Voucher', CODE.voucher],
}

/** The receipt of a step, in a market that has these rates. */
export function receiptOf(
  business: Pick<Business, 'items'>,
  step: Step,
  rates: readonly number[],
): Receipt {
  const { kind, day } = step
  if (kind === 'daily' || kind === 'monthly') return closing(CODE[kind])
  if (kind === 'outage-end') return closing(CODE.zero)
  if (kind === 'voucher-sold') return VOUCHER
  if (kind !== 'void') return saleOf(business, step, rates)
  // the first sale of the day goes back
  const [, hour] = EVERY_DAY[0]
  const { cbChargeItems, cbPayItems } = saleOf(business, { kind: 'cash', day, hour }, rates)
  return {
    cbChargeItems: cbChargeItems.map(negative),
    cbPayItems: cbPayItems.map(negative),
    code: CODE.sale | CODE.void,
    previous: { day, hour },
  }
}

function saleOf({ items }: Pick<Business, 'items'>, step: Step, rates: readonly number[]): Receipt {
  const { kind, day, hour } = step
  const count = kind === 'mixed' ? items.length : 1
  const sold = Array.from({ length: count }, (_, at) => {
    const place = (day + hour + at) % items.length
    const [Description = '', cents = 0] = items[place] ?? []
    const Quantity = cents < DEAR_CENTS ? 1 + ((day + at) % 2) : 1
    const VATRate = rates[place % rates.length] ?? 0
    return { cents: cents * Quantity, item: { Quantity, Description, VATRate } }
  })
  const total = sold.reduce((sum, { cents }) => sum + cents, 0)
  const tip = kind === 'tip' ? TIP_CENTS : 0
  const [text, code] = CASHLESS[kind] ?? ['Cash', CODE.cash]
  const half = kind === 'mixed' ? Math.floor(total / 2) : 0
  return {
    cbChargeItems: [
      ...sold.map(({ cents, item }) => ({ ...item, Amount: amountOf(cents) })),
      ...(tip > 0 ? [untaxed('Tip', tip, CODE.tip)] : []),
    ],
    cbPayItems: [
      ...(half > 0 ? [pay('Card', half, CODE.card)] : []),
      pay(text, total + tip - half, code),
    ],
    code: CODE.sale,
  }
}

const TIP_CENTS = 200

const untaxed = (Description: string, cents: number, code: bigint): Item => ({
  ...{ Quantity: 1, Description, Amount: amountOf(cents), VATRate: 0 },
  ftChargeItemCase: wordOf(code),
})

const VOUCHER: Receipt = {
  cbChargeItems: [untaxed('Voucher', 2500, CODE.voucherSold)],
  cbPayItems: [pay('Cash', 2500, CODE.cash)],
  code: CODE.sale,
}

const closing = (code: bigint): Receipt => ({ cbChargeItems: [], cbPayItems: [], code })

const negative = (item: Item): Item => ({
  ...item,
  Quantity: -Number(item.Quantity),
  Amount: -Number(item.Amount),
})

export const caseOf = ({ code }: Receipt): string => wordOf(code)
