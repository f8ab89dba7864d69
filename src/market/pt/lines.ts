// Charge items become lines of a document: a discount belongs to the item before it.
import type { Cased, CasedRequest } from '../../case/reader.js'
import { chargeTraits } from '../../case/traits.js'
import { natureIn, serviceIn } from '../../case/word.js'
import type { Line, TaxCode } from '../../device/pt/document.js'
import { abs, sumOf } from '../../lib/amounts.js'
import { Decimal } from '../../lib/decimal.js'
import { isEncodable } from '../../lib/windows-1252.js'
import type { ChargeItem } from '../../model/receipt.js'
import type { Fault } from '../contract.js'
import { rateOf, six, taxInside } from './amounts.js'
import { exemptions, RECEIVABLE, type Slot, services, vatCodes } from './cases.js'
import type { QueueConfiguration } from './queue.js'
import { broken, faultsOf, type Rule } from './text.js'

export interface ReadLine extends Line {
  service: number
}

export interface Lines {
  lines: ReadLine[]
  /** With its sign. */
  gross: Decimal
  faults: Fault[]
}

interface How {
  settings: QueueConfiguration
  /** Amounts come with the opposite sign: a void or a refund. */
  turned: boolean
  slot: Slot | undefined
}

const MISMATCH = Decimal.of('0.001')
const CENT = Decimal.of('0.01')
const SHORTEST = 3
const LONGEST = 200

export function linesOf({ words }: CasedRequest, how: How): Lines {
  const faults: Fault[] = []
  const lines: ReadLine[] = []
  let main: Read | undefined
  for (const [index, one] of words.charges.entries()) {
    const report: Report = (...checks) => {
      for (const [isBroken, rule, ...values] of checks) {
        if (isBroken) faults.push(broken(rule, [String(index + 1), ...values], { index }))
      }
    }
    const read = readItem(one, { ...how, report })
    if (read === undefined) continue
    if (read.isDiscount && main !== undefined) take(main, read, faults)
    else {
      main = read
      lines.push(read.line)
    }
  }
  faults.push(...positionFaults(words.charges.map(({ item }) => item.position)))
  return { lines, gross: sumOf(words.charges.map(({ item }) => item.amount)), faults }
}

function positionFaults(positions: readonly bigint[]): Fault[] {
  const given = positions.filter((one) => one !== 0n)
  const isWrong = given.some((one, at) => one !== BigInt(at + 1))
  const isLeft = given.length !== 0 && given.length !== positions.length
  return isWrong || isLeft ? [broken('InvalidPositions', ['Charge item'])] : []
}

type Report = (...checks: readonly [isBroken: boolean, rule: Rule, ...values: string[]][]) => void
type OfItem = How & { report: Report }

interface Read {
  line: ReadLine
  isDiscount: boolean
  vat: number
  amount: Decimal
}

function readItem(one: Cased<ChargeItem>, how: OfItem): Read | undefined {
  const { item } = one
  const { report } = how
  const traits = chargeTraits(one)
  const service = serviceIn(one)
  const isReceivable = service === RECEIVABLE && how.slot === 'R'
  const tax = isReceivable ? 'ISE' : vatCodes[traits.vat]
  report([tax === undefined, 'UnsupportedVatRate', String(traits.vat)])
  if (tax === undefined) return undefined
  const kind = isReceivable ? 'O' : services[service]
  report([kind === undefined, 'UnsupportedChargeItemServiceType', service.toString(16)])
  textFaults(item, report)
  signFaults(one, how)
  const exempt = tax === 'ISE' && !isReceivable ? exemptOf(one, report) : ''
  const amount = how.turned ? item.amount.negated() : item.amount
  const net = amount.minus(isReceivable ? Decimal.ZERO : taxOf(one, tax, how))
  const line: ReadLine = {
    ...{ text: item.description.trim(), service, tax, exempt, discount: '', kind: kind ?? 'O' },
    quantity: six(abs(item.quantity)),
    unit: (item.unit?.trim() || 'Unit').slice(0, 20),
    net: six(net),
    gross: amount.toShortString(),
  }
  return { line, isDiscount: traits.discount, vat: traits.vat, amount }
}

function textFaults({ description, quantity }: ChargeItem, report: Report): void {
  const text = description.trim()
  report(
    [text === '', 'ChargeItemDescriptionMissing'],
    [text !== '' && text.length < SHORTEST, 'ChargeItemDescriptionTooShort'],
    [text.length > LONGEST, 'ChargeItemTooLong', 'Description', String(LONGEST)],
    [!isEncodable(text), 'ChargeItemDescriptionEncodingInvalid'],
    [quantity.isZero, 'ChargeItemQuantityZeroNotAllowed'],
  )
}

function signFaults(one: Cased<ChargeItem>, { turned, slot, report }: OfItem): void {
  const { amount, quantity } = one.item
  const isDiscount = chargeTraits(one).discount
  const isSale = !isDiscount && !turned && slot !== undefined
  const isGiven = (turned ? amount.negated() : amount).isPositive
  report(
    [isDiscount && isGiven, 'PositiveDiscountNotAllowed', amount.toShortString()],
    [isSale && quantity.isNegative, 'NegativeQuantityNotAllowed', quantity.toShortString()],
    [isSale && amount.isNegative, 'NegativeAmountNotAllowed', amount.toShortString()],
  )
}

function exemptOf(one: Cased<ChargeItem>, report: Report): string {
  const digits = natureIn(one)
  const isUnknown = digits !== '00' && !Object.hasOwn(exemptions, digits)
  report([digits === '00', 'ZeroVatRateMissingNature'])
  report([isUnknown, 'UnknownTaxExemptionCode', digits])
  return digits
}

/** With the sign of the line. */
function taxOf({ item }: Cased<ChargeItem>, tax: TaxCode, how: OfItem): Decimal {
  const rate = rateOf(how.settings.region, tax)
  const due = taxInside(item.amount, rate)
  const given = item.vatAmount ?? due
  const isFar = (one: Decimal, other: Decimal, by: Decimal) =>
    abs(one.minus(other)).minus(by).isPositive
  const [named, told] = [rate, item.vatRate].map((one) => one.toShortString())
  const [found, right] = [given, due].map((one) => one.toShortString())
  how.report(
    [isFar(item.vatRate, rate, MISMATCH), 'VatRateMismatch', tax, named ?? '', told ?? ''],
    [isFar(given, due, CENT), 'VatAmountMismatch', found ?? '', right ?? ''],
  )
  return how.turned ? given.negated() : given
}

/** The line has the discount in its amount, and tells it beside that. */
function take({ line, vat, amount }: Read, by: Read, faults: Fault[]): void {
  const isOther = by.vat !== vat || by.line.exempt !== line.exempt
  const gross = Decimal.of(line.gross).plus(by.amount)
  const values = [by.line.text, abs(by.amount).toShortString(), amount.toShortString()]
  faults.push(
    ...faultsOf(
      [isOther, 'DiscountVatRateOrCaseMismatch', by.line.text],
      [gross.isNegative, 'DiscountExceedsArticleAmount', ...values],
    ),
  )
  line.gross = gross.toShortString()
  line.net = six(Decimal.of(line.net).plus(Decimal.of(by.line.net)))
  const before = line.discount === '' ? Decimal.ZERO : Decimal.of(line.discount)
  line.discount = six(before.plus(abs(Decimal.of(by.line.net))))
}
