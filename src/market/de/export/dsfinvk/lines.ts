// The lines of a slip: its charge items, then the pay items that are no payments (vouchers, tips,
// deposits, cash movements).
import { crc32 } from 'node:zlib'
import { wordOf } from '../../../../case/word.js'
import { Decimal } from '../../../../lib/decimal.js'
import type { ChargeItem } from '../../../../model/receipt.js'
import {
  type ChargeCase,
  chargeCase,
  effectiveAmount,
  effectivePayAmount,
  itemFlags,
  vatKeyOf,
  vatKeys,
} from '../../item-cases.js'
import type { ChargeLine, PayLine } from '../../mapping.js'
import { LINE_DECIMALS, rounded, taxIn } from './amounts.js'
import { type CaseData, readCaseData } from './case-data.js'
import { quantitiesOf } from './quantities.js'
import { rateOf } from './vat-list.js'

export interface Line {
  text: string
  voucher: string
  terminal: string
  gvType: string
  gvName: string
  takeAway: boolean
  /** AgencyId of the request; '' for own sales. */
  agency: string
  article: string
  gtin: string
  groupId: string
  group: string
  /** With the sign that makes quantity x price the gross amount. */
  quantity: Decimal
  factor: Decimal
  unit: string
  /** Never negative. */
  price: Decimal
  key: number
  /** Percent: that of the key. */
  rate: Decimal
  /** Five decimals each; gross = net + tax. */
  gross: Decimal
  net: Decimal
  tax: Decimal
  subItems: SubItem[]
}

export interface SubItem {
  article: string
  gtin: string
  name: string
  groupId: string
  group: string
  quantity: Decimal
  factor: Decimal
  unit: string
  key: number
  /** Percent. */
  rate: Decimal
  gross: Decimal
  net: Decimal
  tax: Decimal
}

const ONE = new Decimal(1n, 0)

// members are written out, not spread: V8 makes a hash table of some kilobytes from spread objects
export function chargeLine({ item, flags, found }: ChargeLine): Line {
  const data = readCaseData(item.chargeItemCaseData)
  const key = vatKeyOf(found, item.vatRate)
  const gross = rounded(effectiveAmount(item, flags), LINE_DECIMALS)
  const rate = rateOf(key, item.vatRate)
  const tax = taxOf(item, rate, gross)
  const { quantity, factor, price } = quantitiesOf(item, gross)
  return {
    text: item.description,
    voucher: data.text('VoucherNr'),
    terminal: data.text('TerminalId'),
    gvType: found.gvType,
    gvName: data.text('ItemCaseName'),
    takeAway: (flags & itemFlags.takeAway) !== 0,
    agency: data.text('AgencyId'),
    article: item.productNumber ?? '',
    gtin: item.productBarcode ?? '',
    groupId: groupNumber(data.text('ProductGroupId'), item.productGroup),
    group: item.productGroup ?? '',
    quantity,
    factor,
    unit: item.unit ?? '',
    price,
    key,
    rate,
    gross,
    net: gross.minus(tax),
    tax,
    subItems: data.children('SubItems').map((one) => subItem(one, item, found)),
  }
}

/** The line that a pay item becomes; undefined for a payment. */
export function payLine({ item, code, flags, found }: PayLine): Line | undefined {
  const types = found.line
  if (types === null) return undefined
  const data = readCaseData(item.payItemCaseData)
  const amount = effectivePayAmount(code, item, flags)
  const gross = rounded(amount.negated(), LINE_DECIMALS)
  const sent = { quantity: item.quantity, unitQuantity: null, unitPrice: null }
  const { quantity, factor, price } = quantitiesOf(sent, gross)
  return {
    text: item.description,
    voucher: data.text('VoucherNr'),
    terminal: data.text('TerminalId'),
    gvType: amount.isNegative ? types.negative : types.positive,
    gvName: data.text('ItemCaseName'),
    takeAway: false,
    agency: data.text('AgencyId'),
    article: item.moneyNumber ?? '',
    gtin: '',
    groupId: groupNumber(data.text('MoneyGroupId'), item.moneyGroup),
    group: item.moneyGroup ?? '',
    quantity,
    factor,
    unit: '',
    price,
    key: vatKeys.notTaxable,
    rate: Decimal.ZERO,
    gross,
    net: gross,
    tax: new Decimal(0n, LINE_DECIMALS),
    subItems: [],
  }
}

/** A group without a number gets the CRC-32 of its name, so that equal names stay together. */
function groupNumber(id: string, name: string | null): string {
  if (id !== '' || name === null || name === '') return id
  return String(crc32(name))
}

/** The tax as sent, with the sign of the gross amount; else what the rate says. */
function taxOf({ amount, vatAmount }: ChargeItem, rate: Decimal, gross: Decimal): Decimal {
  if (vatAmount === null) return taxIn(gross, rate)
  const turned = gross.isNegative && !amount.isNegative && vatAmount.isPositive
  return rounded(turned ? vatAmount.negated() : vatAmount, LINE_DECIMALS)
}

/** A part of a composed article: information only, its tax is that of its own case. */
function subItem(data: CaseData, item: ChargeItem, parent: ChargeCase): SubItem {
  const word = data.text('ftSubChargeItemCase')
  const known = /^-?\d{1,20}$/.test(word)
  const found = known ? chargeCase(wordOf(BigInt(word)).code) : parent
  const key = vatKeyOf(found, item.vatRate)
  const gross = rounded(data.decimal('Amount') ?? Decimal.ZERO, LINE_DECIMALS)
  const rate = rateOf(key, item.vatRate)
  const tax = taxIn(gross, rate)
  const group = data.child('ProductGroup')
  return {
    article: data.text('ProductNumber'),
    gtin: data.text('GTIN'),
    name: data.text('Description'),
    groupId: group.text('ProductGroupId'),
    group: group.text('ProductGroupName'),
    quantity: data.decimal('Quantity') ?? ONE,
    factor: data.decimal('UnitQuantity') ?? ONE,
    unit: data.text('Unit'),
    key,
    rate,
    gross,
    net: gross.minus(tax),
    tax,
  }
}
