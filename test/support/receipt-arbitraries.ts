// Receipts by chance, each with the JSON text that a register could send for it. The names are
// those of the interface specification, written out here on purpose.
import fc from 'fast-check'
import { Decimal } from '../../src/lib/decimal.js'
import type { ChargeItem, PayItem, ReceiptRequest, Signature } from '../../src/model/receipt.js'

/** A member: its JSON text, '' for a member that is left out, and what the model holds. */
export interface Member<T> {
  json: string
  value: T
}

const member = <T>(json: string, value: T): Member<T> => ({ json, value })

/** A text that the interface takes: no control characters but tab and line ends. */
export const wireText = (maxLength: number) =>
  fc
    .string({ unit: 'grapheme', maxLength })
    .map((text) =>
      // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
      text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/g, '').toWellFormed(),
    )
    .filter((text) => [...text].length <= maxLength)

const text = wireText(40).map((value) => member(JSON.stringify(value), value))

const words = fc
  .bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })
  .chain((value) =>
    fc.constantFrom(
      member(String(value), value),
      member(`"${value}"`, value),
      member(`"0x${BigInt.asUintN(64, value).toString(16)}"`, value),
    ),
  )

const decimals = fc
  .record({ units: fc.bigInt({ min: -(10n ** 12n), max: 10n ** 12n }), scale: fc.nat({ max: 6 }) })
  .chain(({ units, scale }) => {
    const value = new Decimal(units, scale)
    return fc.constantFrom(member(value.toString(), value), member(`"${value}"`, value))
  })

const moments = fc
  .date({ min: new Date('1900-01-01'), max: new Date('2100-01-01'), noInvalidDate: true })
  .chain((value) =>
    fc.constantFrom(
      member(`"${value.toISOString()}"`, value),
      member(`"${value.toISOString().replace('Z', '').replace('T', ' ')}"`, value),
      member(`"\\/Date(${value.getTime()})\\/"`, value),
    ),
  )

const guids = fc.uuid().map((value) => member(`"${value.toUpperCase()}"`, value))

/** null, missing or given. */
const optional = <T>(some: fc.Arbitrary<Member<T>>): fc.Arbitrary<Member<T | null>> =>
  fc.oneof(
    { weight: 1, arbitrary: fc.constant(member('null', null)) },
    { weight: 1, arbitrary: fc.constant(member('', null)) },
    { weight: 3, arbitrary: some },
  )

const withDefault = <T>(some: fc.Arbitrary<Member<T>>, value: T): fc.Arbitrary<Member<T>> =>
  fc.oneof(
    { weight: 1, arbitrary: fc.constantFrom(member('null', value), member('', value)) },
    { weight: 3, arbitrary: some },
  )

/** Missing or given: null is refused. */
const amountOr = (value: Decimal): fc.Arbitrary<Member<Decimal>> =>
  fc.oneof(
    { weight: 1, arbitrary: fc.constant(member('', value)) },
    { weight: 3, arbitrary: decimals },
  )

type Members<T> = { [K in keyof T]: fc.Arbitrary<Member<T[K]>> }

/** An object of members under their wire names, in any order. */
function object<T>(names: Record<keyof T & string, string>, members: Members<T>) {
  return fc
    .tuple(
      fc.record(members as Members<Record<string, unknown>>),
      fc.shuffledSubarray(Object.keys(names), { minLength: Object.keys(names).length }),
    )
    .map(([parts, order]) => {
      const spelled = names as Record<string, string>
      const texts = order.flatMap((key) => {
        const { json = '' } = parts[key] ?? {}
        return json === '' ? [] : [`${JSON.stringify(spelled[key])}:${json}`]
      })
      const value = Object.fromEntries(
        Object.entries(parts).map(([key, part]) => [key, part.value]),
      )
      return member(`{${texts.join(',')}}`, value as T)
    })
}

const list = <T>(items: fc.Arbitrary<Member<T>>) =>
  fc.array(items, { maxLength: 4 }).map((parts) =>
    member(
      `[${parts.map((part) => part.json).join(' , ')}]`,
      parts.map((part) => part.value),
    ),
  )

const ONE = new Decimal(1n, 0)
const ZERO = Decimal.ZERO

export const chargeItems = object<ChargeItem>(
  {
    position: 'Position',
    quantity: 'Quantity',
    description: 'Description',
    amount: 'Amount',
    vatRate: 'VATRate',
    chargeItemCase: 'ftChargeItemCase',
    chargeItemCaseData: 'ftChargeItemCaseData',
    vatAmount: 'VATAmount',
    accountNumber: 'AccountNumber',
    costCenter: 'CostCenter',
    productGroup: 'ProductGroup',
    productNumber: 'ProductNumber',
    productBarcode: 'ProductBarcode',
    unit: 'Unit',
    unitQuantity: 'UnitQuantity',
    unitPrice: 'UnitPrice',
    moment: 'Moment',
  },
  {
    position: withDefault(words, 0n),
    quantity: amountOr(ONE),
    description: withDefault(text, ''),
    amount: amountOr(ZERO),
    vatRate: amountOr(ZERO),
    chargeItemCase: withDefault(words, 0n),
    chargeItemCaseData: optional(text),
    vatAmount: optional(decimals),
    accountNumber: optional(text),
    costCenter: optional(text),
    productGroup: optional(text),
    productNumber: optional(text),
    productBarcode: optional(text),
    unit: optional(text),
    unitQuantity: optional(decimals),
    unitPrice: optional(decimals),
    moment: optional(moments),
  },
)

export const payItems = object<PayItem>(
  {
    position: 'Position',
    quantity: 'Quantity',
    description: 'Description',
    amount: 'Amount',
    payItemCase: 'ftPayItemCase',
    payItemCaseData: 'ftPayItemCaseData',
    accountNumber: 'AccountNumber',
    costCenter: 'CostCenter',
    moneyGroup: 'MoneyGroup',
    moneyNumber: 'MoneyNumber',
    moment: 'Moment',
  },
  {
    position: withDefault(words, 0n),
    quantity: amountOr(ONE),
    description: withDefault(text, ''),
    amount: amountOr(ZERO),
    payItemCase: withDefault(words, 0n),
    payItemCaseData: optional(text),
    accountNumber: optional(text),
    costCenter: optional(text),
    moneyGroup: optional(text),
    moneyNumber: optional(text),
    moment: optional(moments),
  },
)

export const requests = object<ReceiptRequest>(
  {
    cashBoxId: 'ftCashBoxID',
    queueId: 'ftQueueID',
    posSystemId: 'ftPosSystemId',
    terminalId: 'cbTerminalID',
    receiptReference: 'cbReceiptReference',
    receiptMoment: 'cbReceiptMoment',
    chargeItems: 'cbChargeItems',
    payItems: 'cbPayItems',
    receiptCase: 'ftReceiptCase',
    receiptCaseData: 'ftReceiptCaseData',
    receiptAmount: 'cbReceiptAmount',
    user: 'cbUser',
    area: 'cbArea',
    customer: 'cbCustomer',
    settlement: 'cbSettlement',
    previousReceiptReference: 'cbPreviousReceiptReference',
  },
  {
    cashBoxId: optional(guids),
    queueId: optional(guids),
    posSystemId: optional(text),
    terminalId: optional(text),
    receiptReference: optional(text),
    receiptMoment: moments,
    chargeItems: withDefault(list(chargeItems), []),
    payItems: withDefault(list(payItems), []),
    receiptCase: words,
    receiptCaseData: optional(text),
    receiptAmount: optional(decimals),
    user: optional(text),
    area: optional(text),
    customer: optional(text),
    settlement: optional(text),
    previousReceiptReference: optional(text),
  },
)

export const signatures: fc.Arbitrary<Signature> = fc.record({
  format: words.map((part) => part.value),
  type: words.map((part) => part.value),
  caption: text.map((part) => part.value),
  data: text.map((part) => part.value),
})
