// Receipts that a till should not send, and sends: texts of every kind and length, fractions, rates
// that do not fit, moments of another clock.
import { DE } from './story-items.js'

export interface Edge {
  name: string
  /** Low 34 bits of ftReceiptCase; a pos receipt of the implicit flow without it. */
  word?: bigint
  request: Record<string, unknown>
}

interface Item {
  [member: string]: unknown
  code?: number
}

/** One piece of goods at 1.19, paid in cash, but for what `changes` say. */
export const charge = ({ code = 0x11, ...changes }: Item = {}) => ({
  Quantity: 1,
  Description: `case ${code.toString(16)}`,
  Amount: 1.19,
  VATRate: 19,
  ...changes,
  ftChargeItemCase: DE | BigInt(code),
})

export const pay = ({ code = 1, ...changes }: Item = {}) => ({
  Quantity: 1,
  Description: `pay ${code.toString(16)}`,
  Amount: 1.19,
  ...changes,
  ftPayItemCase: DE | BigInt(code),
})

const sale = (charges: Item[], amount: number, members: object = {}) => ({
  cbChargeItems: charges.map(charge),
  cbPayItems: [pay({ Amount: amount })],
  ...members,
})

const json = (value: object) => JSON.stringify(value)
/** So many milliseconds from now. */
const inMs = (ms: number) => new Date(Date.now() + ms).toISOString()

/** Quotes, separators, line ends, blanks, characters of two, three and four bytes. */
const NASTY = ' a";b\r\nc\t\u0085\u2028\u00a0 😀;"" '
const LONG = '😀x'.repeat(150)

export const TEXTS: readonly Edge[] = [
  {
    name: 'every text, nasty and long',
    request: sale(
      [
        {
          ...{ Description: NASTY + LONG, ProductNumber: NASTY, ProductBarcode: NASTY },
          ...{ ProductGroup: NASTY + LONG, Unit: NASTY + LONG },
          ftChargeItemCaseData: json({
            ...{ TerminalId: NASTY + LONG, ItemCaseName: NASTY + LONG, VoucherNr: NASTY + LONG },
            AgencyId: 'of nobody',
          }),
        },
      ],
      1.19,
      {
        ...{ cbTerminalID: NASTY + LONG, cbUser: NASTY + LONG, cbArea: NASTY + LONG },
        cbReceiptReference: NASTY + LONG,
        cbCustomer: json({
          ...{ CustomerName: NASTY + LONG, CustomerId: LONG, CustomerType: NASTY },
          ...{ CustomerStreet: LONG, CustomerZip: LONG, CustomerCity: LONG },
          ...{ CustomerCountry: 'Österreich', CustomerVATId: LONG },
        }),
        ftReceiptCaseData: json({ ReceiptName: NASTY + LONG, ReceiptNote: LONG, UserId: LONG }),
      },
    ),
  },
  {
    name: 'blank texts',
    request: sale([{ Description: ' \r\n' }], 1.19, {
      ...{ cbTerminalID: ' ', cbUser: ' ', cbReceiptReference: ' ', cbArea: '\t', cbCustomer: ' ' },
      ftReceiptCaseData: json({ ReceiptName: ' ', UserId: ' ' }),
    }),
  },
  {
    name: 'an internal event with a blank name',
    word: 0x1_0000_0015n,
    request: sale([{}], 1.19, { ftReceiptCaseData: json({ ReceiptName: ' ' }) }),
  },
  { name: 'no texts', request: sale([{ Description: '' }], 1.19, { cbUser: undefined }) },
  { name: 'a user in JSON', request: sale([{}], 1.19, { cbUser: json({ UserId: 7 }) }) },
  { name: 'a customer in words', request: sale([{}], 1.19, { cbCustomer: 'Frau Muster' }) },
  {
    name: 'half a customer',
    request: sale([{}], 1.19, { cbCustomer: json({ CustomerId: 4, CustomerCountry: 'x' }) }),
  },
  ...['', '1', '2'].map((end) => ({
    name: `names of 60 characters ${end}`,
    request: sale([{}], 1.19, {
      cbReceiptReference: `${'r'.repeat(58)}${end}`,
      cbPreviousReceiptReference: 'r'.repeat(58),
      cbTerminalID: `${'t'.repeat(58)}${end}`,
    }),
  })),
  ...['Angebot', 'ExterneRechnung', 'Transaktion'].flatMap((RefType) =>
    ['', 'R-1'].map((RefReceiptId) => ({
      name: `a reference to ${RefType} ${RefReceiptId}`,
      request: sale([{}], 1.19, {
        ftReceiptCaseData: json({ RefType, RefReceiptId, RefMoment: 'gestern' }),
      }),
    })),
  ),
  {
    name: 'parts without a number, at another rate',
    request: sale(
      [
        {
          ftChargeItemCaseData: json({
            SubItems: [{ Description: NASTY + LONG, ftSubChargeItemCase: String(DE | 0x17n) }],
          }),
        },
      ],
      1.19,
    ),
  },
  {
    name: 'an order of nasty texts',
    word: 0x1_0000_0010n,
    request: { cbChargeItems: [charge({ Description: '"😀";\u0085 ' }), charge()] },
  },
  { name: 'an order of nothing', word: 0x1_0000_0010n, request: {} },
  {
    name: 'an order that is longer than its column',
    word: 0x1_0000_0010n,
    request: { cbChargeItems: Array.from({ length: 40 }, () => charge({ Quantity: 2.5 })) },
  },
]

export const AMOUNTS: readonly Edge[] = [
  {
    name: 'payments of fractions',
    request: {
      cbChargeItems: [charge({ Amount: 4.02 })],
      cbPayItems: [1.005, 1.005, 1.005, 1.005].map((Amount, at) =>
        pay({ Amount, code: at < 2 ? 1 : 4 }),
      ),
    },
  },
  { name: 'an amount of nine decimals', request: sale([{ Amount: 1.123456789 }], 1.12) },
  { name: 'nothing that costs', request: sale([{ Quantity: 0 }], 1.19) },
  { name: 'nothing for nothing', request: sale([{ Quantity: 0, Amount: 0 }], 0) },
  {
    name: 'quantities of many decimals',
    request: sale(
      [
        { Quantity: 0.0004, Amount: 20 },
        { Quantity: 0.3333, Amount: 1000 },
        { Quantity: 12_345.6789, Amount: 123.45 },
        { Quantity: 98_765, Amount: 45.5 },
      ],
      1188.95,
    ),
  },
  {
    name: 'factors',
    request: sale(
      [
        { Quantity: 2, UnitQuantity: 1.5, UnitPrice: 5, Amount: 6.67 },
        ...[0, -2, 0.0001, 0.3333].map((UnitQuantity) => ({ UnitQuantity, Amount: 5 })),
      ],
      26.67,
    ),
  },
  {
    name: 'negative prices and quantities',
    request: sale(
      [
        ...[2, -2].map((Quantity) => ({ Quantity, UnitPrice: -5, Amount: -10 })),
        ...[-10, 10].map((Amount) => ({ Quantity: -2, UnitPrice: 5, Amount })),
      ],
      -40,
    ),
  },
  {
    name: 'rates that do not fit',
    request: sale(
      [
        ...[7, 0, 16].map((VATRate) => ({ VATRate })),
        ...[0x12, 0x14, 0x15, 0x16].map((code) => ({ code })),
        ...[14.255, 0.004, -5, 16].map((VATRate) => ({ code: 0x17, VATRate })),
      ],
      13.09,
    ),
  },
  {
    name: 'tax that was sent',
    request: sale(
      [
        { VATAmount: 0.19 },
        { Quantity: -1, VATAmount: 0.19 },
        { Amount: -1.19, VATAmount: -0.19 },
        { Amount: 11.9, VATAmount: 1.9 },
      ],
      10.71,
    ),
  },
]

/** A till whose clock has milliseconds, or another hour. */
export const moments = (): Edge[] => [
  { name: 'now', request: sale([{}], 1.19, { cbReceiptMoment: inMs(0) }) },
  {
    name: 'items after the receipt',
    request: sale([{ Moment: inMs(40) }], 1.19, { cbReceiptMoment: inMs(30) }),
  },
  { name: 'an hour ahead', request: sale([{}], 1.19, { cbReceiptMoment: inMs(3_600_000) }) },
  {
    name: 'years ago, in its own zone',
    request: sale([{}], 1.19, { cbReceiptMoment: '2020-02-29T23:59:59.9999999+02:00' }),
  },
]
