// What a French receipt says on a page: the words of version 0.
import {
  type ChargeTraits,
  type ChargeWord,
  type DocumentKind,
  type PageRules,
  type PayTraits,
  PLAIN_CHARGE,
  PLAIN_PAY,
  type ReceiptTraits,
  type SignatureLabel,
  type SignatureStyle,
  type ToldAmount,
  type ToldItem,
} from '../../case/traits.js'
import type { Word } from '../../case/word.js'
import { Decimal } from '../../lib/decimal.js'
import { JsonNumber, objectIn } from '../../lib/json.js'
import {
  type ChargeBucket,
  receiptCases as c,
  chargeBucket,
  receiptFlags,
  type SignatureName,
  signatureType,
  stateBits,
  vatOfRate,
} from './cases.js'
import { payloadOf } from './payload.js'
import { captions } from './text.js'

const documents: Readonly<Record<number, DocumentKind>> = {
  [c.paymentProve]: 'payment',
  [c.invoice]: 'invoice',
  [c.shift]: 'shift',
  [c.daily]: 'daily',
  [c.monthly]: 'monthly',
  [c.yearly]: 'yearly',
  [c.bill]: 'tableCheck',
  [c.deliveryNote]: 'deliveryNote',
  [c.payIn]: 'transfer',
  [c.payOut]: 'transfer',
  [c.transfer]: 'transfer',
  [c.internal]: 'internal',
  [c.foreignSale]: 'exempt',
  [c.zero]: 'zero',
  [c.start]: 'start',
  [c.stop]: 'stop',
  [c.technicalLog]: 'log',
  [c.auditLog]: 'log',
  [c.customLog]: 'log',
  [c.archive]: 'archive',
  [c.copy]: 'copy',
}

function receiptOf({ flags, code }: Word): ReceiptTraits {
  const has = (flag: number): boolean => (flags & flag) !== 0
  return {
    document: documents[code] ?? 'receipt',
    training: has(receiptFlags.training),
    void: has(receiptFlags.void),
    refund: false,
    handwritten: false,
    late: has(receiptFlags.failed),
    smallBusiness: false,
    grouped: false,
  }
}

/** V of version 2. */
const vats: Readonly<Record<ChargeBucket, number>> = {
  ...{ 'ci-r1': 1, 'ci-r2': 2, 'ci-n': 3, 'ci-rs': 4 },
  ...{ 'ci-z': 7, 'ci-u': 8 },
}
/** Reverse charge, sales of others, account of a third party, obligation: not taxed here. */
const UNTAXED: ReadonlySet<number> = new Set([0x06, 0x07, 0x21, 0x22])
const FIRST_PREPAYMENT = 0x1c
const LAST_PREPAYMENT = 0x20
const NOT_TAXABLE = 8

function chargeOf({ word: { code }, rate }: ChargeWord): ChargeTraits {
  const vat = UNTAXED.has(code) ? NOT_TAXABLE : vats[chargeBucket(code, rate)]
  const downPayment = code >= FIRST_PREPAYMENT && code <= LAST_PREPAYMENT
  return { ...PLAIN_CHARGE, vat, downPayment }
}

/** PP of version 2 by code. */
const payKinds: readonly number[] = [
  ...[0x00, 0x01, 0x01, 0x03, 0x04, 0x05, 0x06, 0x07, 0x08, 0x04],
  ...[0x05, 0x09, 0x0a, 0x0b, 0x0c, 0x0c, 0x09, 0x0d, 0x01],
]
const FOREIGN = 0x02
const CHANGE = 0x12

function payOf({ code }: Word): PayTraits {
  return {
    ...PLAIN_PAY,
    kind: payKinds[code] ?? 0,
    foreign: code === FOREIGN,
    change: code === CHANGE,
  }
}

/** Information that the law wants the document to be named by. */
const NAMES: ReadonlySet<string> = new Set([
  captions.provisional,
  captions.noProof,
  captions.training,
])

function lawMark({ caption, data }: ToldItem): string | undefined {
  if (NAMES.has(caption)) return caption
  return caption === captions.duplicate ? data : undefined
}

const TOTALS: readonly (readonly [SignatureName, SignatureLabel])[] = [
  ['shift', 'shiftTotals'],
  ['day', 'dayTotals'],
  ['month', 'monthTotals'],
  ['year', 'yearTotals'],
  ['archive', 'archiveTotals'],
  ['perpetual', 'perpetualTotals'],
]

/** Members of totals and what they are called on paper; those of the perpetual totals end alike. */
const TOLD: readonly (readonly [member: RegExp, name: string])[] = [
  [/^(?:total|PerpetualTotal)$/, ''],
  [/^(?:ci-n|PerpetualCITotalNormal)$/, '20 %'],
  [/^(?:ci-r2|PerpetualCITotalReduced2)$/, '10 %'],
  [/^(?:ci-r1|PerpetualCITotalReduced1)$/, '5,5 %'],
  [/^(?:ci-rs|PerpetualCITotalReducedS)$/, '2,1 %'],
  [/^(?:ci-z|PerpetualCITotalZero)$/, '0 %'],
]

function amounts(data: string): ToldAmount[] | undefined {
  const members = objectIn(data)
  if (members === undefined) return undefined
  const told = TOLD.flatMap(([member, name]) => {
    const at = members.names.findIndex((one) => member.test(one))
    const value = members.values[at]
    const amount = value instanceof JsonNumber ? Decimal.parse(value.text) : undefined
    if (amount === undefined || (name !== '' && amount.isZero)) return []
    return [{ name, amount }]
  })
  // without a total the rest says nothing
  return told[0]?.name === '' ? told : undefined
}

function signatureStyle(type: bigint): SignatureStyle | undefined {
  const found = TOTALS.find(([name]) =>
    (['v0', 'v2'] as const).some((tagging) => signatureType(name, tagging) === type),
  )
  return found && { label: found[1], detail: false, moment: false, amounts }
}

/** Numbers of the outlet and of the certificate stand in the signed document alone. */
function headOf(items: readonly ToldItem[]): { label: string; value: string }[] {
  const document = items.find(({ data }) => data.startsWith('eyJ'))
  const payload = document === undefined ? undefined : objectIn(payloadOf(document.data))
  const siret = payload?.get('siret')
  return typeof siret === 'string' ? [{ label: 'SIRET', value: siret }] : []
}

export const page: PageRules = {
  smallBusinessLaw: 'art. 293 B du CGI',
  receiptOf,
  chargeOf,
  payOf,
  vatOfRate,
  signatureStyle,
  lawMark,
  headOf,
  namesOperator: true,
  provisional: new Set(['tableCheck']),
  codeText: (data) => data,
  outageOf: () => undefined,
  keepsPaper: (state) => (state & BigInt(stateBits.outOfService)) !== 0n,
}
