// The kinds of receipts that the sandbox shows, in the neutral words of the PosSystem API: what a
// market does not know is left out there.

export interface Sample {
  /** Part of its address. */
  name: string
  title: string
  /** Below the version, without the country. */
  code: bigint
  items?: readonly Item[]
  /** What the payments are; left out: all in cash. */
  pays?: readonly Pay[]
  more?: Readonly<Record<string, unknown>>
  /** The signing unit is away. */
  outage?: true
  /** Refers to the sample of this name. */
  previous?: string
}

interface Item {
  text: string
  cents: number
  quantity?: number
  /** Place in the rates of the market; -1: untaxed. */
  rate?: number
  code?: bigint
  lines?: readonly string[]
  more?: Readonly<Record<string, unknown>>
}

interface Pay {
  text: string
  cents: number
  code: bigint
  data?: unknown
  flags?: bigint
}

const SALE = 0x1n
const VOID = 0x4_0000n
const REFUND = 0x100_0000n
const COFFEE: Item = { text: 'Espresso', cents: 290 }
const CAKE: Item = { text: 'Cake', cents: 900, quantity: 2, rate: 1 }
const LUNCH: readonly Item[] = [COFFEE, CAKE]
const back = (items: readonly Item[]): Item[] =>
  items.map((item) => ({ ...item, cents: -item.cents, quantity: -(item.quantity ?? 1) }))

const SLIP = {
  Receipt: ['** TEST PAYMENT **', 'Amount: 11.90 EUR', '', 'Terminal: 7', 'APPROVED'],
}
const CUSTOMER = {
  CustomerName: 'Muster GmbH',
  CustomerStreet: 'Hauptstraße 1',
  CustomerZip: '1010',
  CustomerCity: 'Wien',
}

const sales: readonly Sample[] = [
  { name: 'cash', title: 'Sale, paid in cash', code: SALE, items: LUNCH },
  {
    ...{ name: 'card', title: 'Sale, paid by card, with the slip', code: SALE, items: LUNCH },
    pays: [{ text: 'Card', cents: 1190, code: 0x4n, data: SLIP }],
  },
  {
    ...{ name: 'split', title: 'Sale, partly by card', code: SALE, items: LUNCH },
    pays: [
      { text: 'Card', cents: 1000, code: 0x4n },
      { text: 'Cash', cents: 190, code: 0x1n },
    ],
  },
  {
    ...{ name: 'change', title: 'Sale with change', code: SALE, items: LUNCH },
    pays: [
      { text: 'Cash', cents: 2000, code: 0x1n },
      { text: 'Change', cents: -810, code: 0x1n, flags: 0x20_0000n },
    ],
  },
  {
    ...{ name: 'tip', title: 'Sale with a tip', code: SALE },
    items: [...LUNCH, { text: 'Tip', cents: 200, rate: -1, code: 0x38n }],
    pays: [{ text: 'Card', cents: 1390, code: 0x4n }],
  },
  {
    ...{ name: 'discount', title: 'Sale with a discount', code: SALE },
    items: [CAKE, { text: 'Discount 10 %', cents: -90, rate: 1, code: 0x4_0000n }],
  },
  {
    ...{ name: 'bottle', title: 'Deposit and its return', code: SALE },
    items: [
      { text: 'Lemonade', cents: 300 },
      { text: 'Bottle', cents: 25, code: 0x20_0000n },
      { text: 'Bottle returned', cents: -50, quantity: -2, code: 0x22_0000n },
    ],
  },
  {
    ...{ name: 'down-payment', title: 'Down payment', code: SALE },
    items: [{ text: 'Down payment', cents: 5000, code: 0x8_0000n }],
  },
  {
    ...{ name: 'voucher-sold', title: 'Voucher for anything, sold', code: SALE },
    items: [{ text: 'Voucher', cents: 2500, rate: -1, code: 0x48n }],
  },
  {
    ...{ name: 'voucher-taken', title: 'Paid with a voucher', code: SALE, items: LUNCH },
    pays: [{ text: 'Voucher', cents: 1190, code: 0x6n }],
  },
  {
    ...{ name: 'many', title: 'Forty items', code: SALE },
    items: Array.from({ length: 40 }, (_, at) => ({
      ...{ text: `Article ${at + 1}`, cents: 50 + at, rate: at % 2 },
    })),
  },
  {
    ...{ name: 'scripts', title: 'Letters of many scripts', code: SALE },
    items: ['Café <groß> & Söhne', 'Ελλάδα Привет', '寿司 김치', 'שלום 12', '★ 🍕'].map((text) => {
      return { text, cents: 100 }
    }),
  },
  {
    ...{ name: 'lines', title: 'Items with lines of their own', code: SALE },
    items: [{ ...CAKE, lines: ['with cream', 'table 4, seat 2'] }],
  },
  {
    ...{ name: 'customer', title: 'Sale with the customer’s name', code: SALE, items: LUNCH },
    more: { cbCustomer: CUSTOMER },
  },
]

const others: readonly Sample[] = [
  {
    ...{ name: 'void', title: 'Void of a sale', code: SALE | VOID, items: back(LUNCH) },
    previous: 'cash',
  },
  {
    ...{ name: 'refund', title: 'Refund of a sale', code: SALE | REFUND },
    ...{ items: back([COFFEE]), previous: 'card' },
  },
  { name: 'training', title: 'Training', code: SALE | 0x2_0000n, items: LUNCH },
  { name: 'handwritten', title: 'Entered later', code: SALE | 0x8_0000n, items: LUNCH },
  { name: 'late', title: 'Entered after an outage', code: SALE | 0x1_0000n, items: LUNCH },
  { name: 'small', title: 'Small business', code: SALE | 0x10_0000n, items: LUNCH },
  { name: 'online', title: 'Online shop', code: 0x4n, items: LUNCH },
  { name: 'delivery', title: 'Delivery note', code: 0x5n, items: LUNCH, pays: [] },
  { name: 'table', title: 'Interim bill of a table', code: 0x6n, items: LUNCH, pays: [] },
  { name: 'pro-forma', title: 'Pro-forma invoice', code: 0x7n, items: LUNCH, pays: [] },
  {
    ...{ name: 'invoice', title: 'Invoice to a company', code: 0x1002n, items: LUNCH },
    more: { cbCustomer: { ...CUSTOMER, CustomerVATId: 'ATU12345675' } },
  },
  {
    ...{ name: 'invoice-person', title: 'Invoice to a person', code: 0x1001n, items: LUNCH },
    more: { cbCustomer: CUSTOMER },
  },
  {
    ...{ name: 'transfer', title: 'Payment of an invoice', code: 0x2n },
    items: [{ text: 'Invoice 17', cents: -1190, rate: -1, code: 0x98n }],
  },
  { name: 'order', title: 'Order', code: 0x3004n, items: LUNCH, pays: [] },
  {
    ...{ name: 'order-return', title: 'Order with ends of lines', code: 0x3004n, pays: [] },
    items: [{ text: 'Soup\r\nno "salt";\r', cents: 450 }, COFFEE],
  },
  { name: 'internal', title: 'Internal use', code: 0x3003n, items: LUNCH, pays: [] },
  { name: 'protocol', title: 'Protocol', code: 0x3001n, pays: [] },
  { name: 'outage', title: 'Signing unit out of order', code: SALE, items: LUNCH, outage: true },
  { name: 'outage-end', title: 'Zero receipt that ends the outage', code: 0x2000n, pays: [] },
  { name: 'shift', title: 'Shift closing', code: 0x2010n, pays: [] },
  { name: 'daily', title: 'Daily closing', code: 0x2011n, pays: [] },
  { name: 'monthly', title: 'Monthly closing', code: 0x2012n, pays: [] },
  { name: 'yearly', title: 'Yearly closing', code: 0x2013n, pays: [] },
]

/** In the order in which they are signed. */
export const SAMPLES: readonly Sample[] = [...sales, ...others]

const wordOf = (code: bigint): string => `0x${(0x2000_0000_0000n | code).toString(16)}`

/** The body of the call; `rates`: of the market, the normal one first. */
export function bodyOf(sample: Sample, rates: readonly number[]): Record<string, unknown> {
  const { items = [], name, code, previous, more } = sample
  const total = items.reduce((sum, { cents }) => sum + cents, 0)
  const pays = sample.pays ?? [{ text: 'Cash', cents: total, code: 0x1n }]
  return {
    ...{ cbTerminalID: 'T1', cbUser: 'Clara', cbReceiptReference: `sample-${name}` },
    ...(previous === undefined ? {} : { cbPreviousReceiptReference: `sample-${previous}` }),
    ftReceiptCase: wordOf(code),
    cbChargeItems: items.map((item) => chargeOf(item, rates)),
    cbPayItems: pays.map(({ text, cents, code: kind, flags = 0n, data }) => ({
      ...{ Quantity: cents < 0 ? -1 : 1, Description: text, Amount: cents / 100 },
      ftPayItemCase: wordOf(kind | flags),
      ...(data === undefined ? {} : { ftPayItemCaseData: data }),
    })),
    ...more,
  }
}

function chargeOf(
  { text, cents, quantity = 1, rate = 0, code, lines }: Item,
  rates: readonly number[],
) {
  return {
    ...{ Quantity: quantity, Description: text, Amount: cents / 100 },
    VATRate: rate < 0 ? 0 : (rates[rate % rates.length] ?? 0),
    ...(code === undefined ? {} : { ftChargeItemCase: wordOf(code) }),
    ...(lines === undefined ? {} : { ftChargeItemCaseData: { cbChargeItemLines: lines } }),
  }
}
