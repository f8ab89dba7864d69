// What a programmer of a register should look at, as signature items of the sandbox: never in
// production, and nothing that is signed depends on it. Called by outcome.ts for group B.
import { Decimal } from '../../lib/decimal.js'
import { JsonObject, type JsonValue } from '../../lib/json.js'
import { casePartsOf, countryWord } from '../../model/case.js'
import type { CaseRules } from '../../model/case-rules.js'
import type { ChargeItem, ReceiptRequest, Signature } from '../../model/receipt.js'
import { chargeItemFields, payItemFields, requestFields } from '../../model/receipt-fields.js'
import { nearestName } from './nearest-name.js'

/** The members as they came, with the names that nobody reads. */
export interface SentMembers {
  root: JsonObject
  /** False where the form has no way to tell a missing amount from 0 (gRPC). */
  tellsMissing: boolean
}

interface Hint {
  code: string
  data: string
}

/** More hints than anybody reads. */
const MOST_HINTS = 10
const TEXT = 1n

export interface Hinted {
  request: ReceiptRequest
  sent: SentMembers
  rules: CaseRules
}

export function hintSignatures({ request, sent, rules }: Hinted): Signature[] {
  const hints = [
    ...memberHints(sent),
    ...paymentHints(request),
    ...request.chargeItems.flatMap((item, at) => rateHint(item, at, { request, rules })),
  ]
  const country = countryWord(rules.country) << 48n
  const isV2 = casePartsOf(request.receiptCase).version === VERSION_2
  const type = isV2 ? country | (VERSION_2 << 44n) : country
  return hints
    .slice(0, MOST_HINTS)
    .map(({ code, data }) => ({ format: TEXT, type, caption: `[Hint] ${code}`, data }))
}

const VERSION_2 = 2n

// ------------------------------------------------------------------ members

type Names = ReadonlyMap<string, string>

function namesOf(fields: readonly { name: string; aliases?: readonly string[] }[]): Names {
  const known = new Map<string, string>()
  for (const { name, aliases = [] } of fields) {
    for (const one of [name, ...aliases]) known.set(one.toLowerCase(), name)
  }
  return known
}

const requestNames = namesOf(requestFields)
const LISTS: readonly (readonly [list: string, names: Names])[] = [
  ['cbChargeItems', namesOf(chargeItemFields)],
  ['cbPayItems', namesOf(payItemFields)],
]

function memberHints({ root, tellsMissing }: SentMembers): Hint[] {
  const hints = misspelt(root, requestNames, '')
  for (const [list, names] of LISTS) {
    itemsIn(root, list).forEach((item, at) => {
      if (!(item instanceof JsonObject) || hints.length >= MOST_HINTS) return
      const path = `${list}[${at}]`
      hints.push(...misspelt(item, names, `${path}.`))
      if (!tellsMissing || item.names.some((name) => name.toLowerCase() === 'amount')) return
      hints.push({ code: 'AmountMissing', data: `${path} has no Amount; it counts as 0.` })
    })
  }
  return hints
}

/** Of several spellings of the list the last one counts. */
function itemsIn({ names, values }: JsonObject, list: string): readonly JsonValue[] {
  const lower = list.toLowerCase()
  // a body may have a hundred thousand names: most differ in their length
  const at = names.findLastIndex(
    (name) => name.length === lower.length && name.toLowerCase() === lower,
  )
  const value = values[at]
  return Array.isArray(value) ? value : []
}

const LONGEST_NAME = 64
const MOST_NAMES = 100

function misspelt({ names }: JsonObject, known: Names, path: string): Hint[] {
  return names.slice(0, MOST_NAMES).flatMap((name) => {
    if (known.has(name.toLowerCase()) || name.length > LONGEST_NAME) return []
    const meant = nearestName(name, known)
    if (meant === undefined) return []
    return [{ code: 'MemberUnknown', data: `${path}${name} is not read; ${meant} is.` }]
  })
}

// ----------------------------------------------------------------- payments

const TOLERANCE = Decimal.of('0.01')
/** 0000 and 0001 of every country: a sale that is paid. */
const LAST_SALE = 1n

function paymentHints({ chargeItems, payItems, receiptCase }: ReceiptRequest): Hint[] {
  const isSale = casePartsOf(receiptCase).code <= LAST_SALE
  const isPaid = chargeItems.length > 0 && payItems.length > 0
  if (!isPaid && !isSale) return []
  const charged = sumOf(chargeItems)
  const paid = sumOf(payItems)
  const difference = charged.minus(paid)
  const size = difference.isNegative ? difference.negated() : difference
  if (!size.minus(TOLERANCE).isPositive) return []
  const data =
    `The charge items are ${charged.toShortString()} together, ` +
    `the pay items ${paid.toShortString()}.`
  return [{ code: 'PaymentsUnlikeItems', data }]
}

function sumOf(items: readonly { amount: Decimal }[]): Decimal {
  return items.reduce((sum, { amount }) => sum.plus(amount), Decimal.ZERO)
}

// -------------------------------------------------------------------- rates

/** V that the case decides; 0, 5 and 6 go by the rate. */
const DECIDED: ReadonlySet<number> = new Set([1, 2, 3, 4, 7, 8])
const ZERO_RATE = 7
const NOT_TAXABLE = 8

function rateHint(
  item: ChargeItem,
  at: number,
  { request, rules }: Pick<Hinted, 'request' | 'rules'>,
): Hint[] {
  const { version, code } = casePartsOf(item.chargeItemCase)
  const isV2 = version === VERSION_2 || casePartsOf(request.receiptCase).version === VERSION_2
  const told = isV2
    ? wrongV2(Number(code & 0xfn), rules.vatOfRate(item.vatRate, request.receiptMoment))
    : rules.ratesOfV0?.(Number(code), item.vatRate)
  if (told === undefined) return []
  const rate = item.vatRate.toShortString()
  const data = `cbChargeItems[${at}] has VATRate ${rate}; its case ${told}. The case counts.`
  return [{ code: 'RateOfOtherCase', data }]
}

function wrongV2(sent: number, ofRate: number): string | undefined {
  const expected = sent === NOT_TAXABLE ? ZERO_RATE : sent
  if (!DECIDED.has(sent) || ofRate === 0 || ofRate === expected) return undefined
  return `says VAT ${sent}, and that rate is VAT ${ofRate}`
}
