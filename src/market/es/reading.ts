// What a request means to the Spanish queue, and every rule that it can break by itself; the first
// one that is broken is told.
import type { CasedRequest, ReceiptWords } from '../../case/reader.js'
import { chargeTraits, receiptTraits } from '../../case/traits.js'
import { natureIn, serviceIn } from '../../case/word.js'
import type { TaxRegime } from '../../device/es/unit.js'
import { abs, sumOf, two } from '../../lib/amounts.js'
import { Decimal } from '../../lib/decimal.js'
import { objectIn } from '../../lib/json.js'
import { objectMember, textMember } from '../../lib/json-object.js'
import type { Fault } from '../contract.js'
import { knownAs, type PlainReading } from '../kit/known.js'
import { isRefusal, type Refusal } from '../kit/refusal.js'
import { type Line, partOf, ratesOf, totalsOf } from './amounts.js'
import {
  caseRules,
  natures,
  rates,
  receipts,
  type Series,
  serviceKinds,
  services,
  surcharges,
} from './cases.js'
import { type Customer, customerOf, isInUnion } from './customer.js'
import { broken, type Rule, refuse } from './text.js'

export interface Reading extends PlainReading {
  /** Where its invoice is numbered; undefined: it makes none. */
  series: Series | undefined
  late: boolean
  lines: readonly Line[]
  customer: Customer | undefined
  /** Its record was wrong: what became of the one before (RechazoPrevio); undefined: no repair. */
  repairs: 'N' | 'S' | 'X' | undefined
}

const CENT = Decimal.of('0.01')
const RATE = Decimal.of('0.001')
/** With the tolerance of the authority (1150). */
const MOST_SIMPLIFIED = new Decimal(3010n, 0)
export const MOST_GROUPS = 12

export function readReceipt(read: CasedRequest, regime: TaxRegime): Reading | Refusal {
  const known = knownAs(read, caseRules, receipts)
  if ('kind' in known) return known
  const { what } = known
  const { receipt } = read.words
  const traits = receiptTraits(receipt)
  const series = what === 'simplified' || what === 'full' ? what : undefined
  if (series !== undefined && traits.training) return refuse('TrainingModeNotSupported')
  const plain: Reading = {
    ...{ ...known.plain, refunds: !known.plain.voids && known.plain.refunds },
    ...{ series, lines: [], customer: undefined, late: traits.late, repairs: undefined },
  }
  if (series === undefined) return plain
  const repairs = repairIn(read.request.receiptCaseData)
  if (repairs === 'unknown') return refuse('CorrectionUnknown')
  const isTurned = plain.voids || plain.refunds
  if (repairs !== undefined && (isTurned || plain.previous === '')) {
    return refuse(isTurned ? 'CorrectionOfInvoiceOnly' : 'PreviousReceiptReference')
  }
  return invoice(read, { ...plain, repairs }, regime)
}

/** `{"ES":{"Subsanacion":"S","RechazoPrevio":"X"}}`, by the names of the record. */
function repairIn(data: string | null): Reading['repairs'] | 'unknown' {
  const own = objectMember(objectIn(data), 'ES')
  const [repair = 'N', rejected = 'N'] = ['Subsanacion', 'RechazoPrevio'].map((name) =>
    textMember(own, name)?.trim().toUpperCase(),
  )
  if (!/^[SN]$/.test(repair) || !/^[NSX]$/.test(rejected)) return 'unknown'
  if (repair === 'N') return rejected === 'N' ? undefined : 'unknown'
  return rejected as Reading['repairs']
}

function invoice(read: CasedRequest, plain: Reading, regime: TaxRegime): Reading | Refusal {
  const { request, words } = read
  if (words.charges.length === 0) return refuse('ChargeItemsMissing')
  if (words.pays.length === 0) return refuse('PayItemsMissing')
  const customer = customerOf(request.customer)
  if (customer !== undefined && 'rules' in customer)
    return refuse(customer.rules[0] ?? 'InvalidSpanishTaxId')
  const lines = linesOf(words, plain, regime)
  if ('kind' in lines) return lines
  const reading = { ...plain, customer, lines }
  const fault = wholeFault(read, reading)
  return fault === undefined ? reading : { kind: 'refusal', faults: [fault] }
}

function linesOf(
  { charges }: ReceiptWords,
  { voids, refunds }: Reading,
  regime: TaxRegime,
): Line[] | Refusal {
  const lines: Line[] = []
  for (const [at, one] of charges.entries()) {
    const line = lineOf(one, { at, turned: voids || refunds, regime })
    if (isRefusal(line)) return line
    const before = lines.at(-1)
    if (chargeTraits(one).discount && before !== undefined && !voids && !refunds) {
      const left = sumOf(lines.map(({ amount }) => amount))
      if (left.plus(line.amount).isNegative) {
        const values = [two(abs(line.amount)), two(left)]
        return refuse('DiscountExceedsArticleAmount', values, at)
      }
    }
    const { kind: _, ...rest } = line
    lines.push(rest)
  }
  return lines
}

interface How {
  at: number
  turned: boolean
  regime: TaxRegime
}

type ReadLine = Line & { kind: 'line' }

function lineOf(
  one: ReceiptWords['charges'][number],
  { at, turned, regime }: How,
): ReadLine | Refusal {
  const { item } = one
  const traits = chargeTraits(one)
  const stop = (rule: Rule, ...values: string[]) => refuse(rule, values, at)
  const text = item.description.trim()
  if (text === '') return stop('ChargeItemDescriptionMissing')
  if (item.amount.isZero) return stop('ChargeItemAmountMissing')
  const due = rates[traits.vat]
  if (due === undefined) return stop('UnsupportedVatRate', String(traits.vat))
  const service = serviceIn(one)
  if (!services.has(service)) return stop('UnsupportedChargeItemServiceType', service.toString(16))
  const digits = natureIn(one)
  const nature = natures[digits]
  if (nature === undefined) return stop('UnsupportedNatureOfVat', digits)
  const { vatRate: rate, amount } = item
  const isOff = !abs(rate.minus(new Decimal(BigInt(due), 0))).minus(RATE).isNegative
  if (isOff && regime === 'MainlandVat') {
    return stop('VatRateMismatch', String(traits.vat), String(due), rate.toShortString())
  }
  if (nature.mark !== 'S1' && !rate.isZero) {
    return stop('NatureWithVat', digits, rate.toShortString())
  }
  const surcharge = surchargeOf(item.chargeItemCaseData)
  const isKnown = surcharge?.isZero || isSurcharge(surcharge, { rate, nature, regime })
  if (surcharge === undefined || !isKnown) {
    return stop('SurchargeNotAllowed', surcharge?.toShortString() ?? '', rate.toShortString())
  }
  const expected = partOf(amount, rate, ratesOf({ rate, surcharge }))
  const tax = item.vatAmount ?? expected
  if (abs(tax.minus(expected)).minus(CENT).isPositive) {
    return stop('VatAmountMismatch', tax.toShortString(), two(expected))
  }
  if (!turned && item.quantity.isNegative) {
    return stop('NegativeQuantityNotAllowed', item.quantity.toShortString())
  }
  if (!turned && amount.isNegative && !traits.discount) {
    return stop('NegativeAmountNotAllowed', amount.toShortString())
  }
  const isService = serviceKinds.has(service)
  const rest = { amount, tax, rate, surcharge, nature, isService }
  return { kind: 'line', text, quantity: item.quantity, ...rest }
}

/** `{"ES":{"TipoRecargoEquivalencia":"5.2"}}`, by the name of the record; undefined: no number. */
function surchargeOf(data: string | null): Decimal | undefined {
  const told = textMember(objectMember(objectIn(data), 'ES'), 'TipoRecargoEquivalencia')
  return told === undefined ? Decimal.ZERO : Decimal.parse(told.trim())
}

interface Taxed extends Pick<Line, 'rate' | 'nature'> {
  regime: TaxRegime
}

function isSurcharge(surcharge: Decimal | undefined, { rate, nature, regime }: Taxed): boolean {
  const known = surcharges[rate.toShortString()] ?? []
  const isTaxed = nature.mark === 'S1' && regime === 'MainlandVat'
  return isTaxed && known.includes(surcharge?.toShortString() ?? '')
}

/** Rules of the invoice as a whole. */
function wholeFault({ request, words }: CasedRequest, reading: Reading): Fault | undefined {
  const { lines, customer, series, voids, refunds, previous } = reading
  const sold = sumOf(lines.map(({ amount }) => amount))
  const paid = sumOf(words.pays.map(({ item }) => item.amount))
  if (abs(sold.minus(paid)).minus(CENT).isPositive) {
    return broken(
      'ReceiptNotBalanced',
      [sold, paid].map((sum) => sum.toShortString()),
    )
  }
  if (refunds && previous === '') return broken('RefundMissingPreviousReceiptReference')
  if (voids && previous === '') return broken('PreviousReceiptReference')
  if (series === 'full' && customer === undefined) return broken('CustomerRequiredForInvoice')
  if (voids) return undefined
  if (refunds && !sold.isNegative) return broken('RefundAmountNotNegative', [sold.toShortString()])
  if (totalsOf(lines, false).groups.length > MOST_GROUPS) return broken('TooManyBreakdowns')
  const marks = new Set(lines.map(({ nature }) => nature.mark))
  if (marks.has('S2') && series === 'simplified') return broken('ReverseChargeNeedsInvoice')
  if (marks.has('E5') && (customer === undefined || !isInUnion(customer))) {
    return broken('IntraCommunityNeedsRecipient')
  }
  const isOver = series === 'simplified' && sold.minus(MOST_SIMPLIFIED).isPositive
  return isOver
    ? broken('SimplifiedInvoiceExceedsLimit', [two(request.receiptAmount ?? sold)])
    : undefined
}
