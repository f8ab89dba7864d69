// What a German receipt says on a page: the words of version 0, the items of § 6 KassenSichV by
// name, the outage of the TSE.
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
} from '../../case/traits.js'
import { type Word, wordOf } from '../../case/word.js'
import { caseRules } from './case-rules.js'
import { signatureKinds, stateBits } from './case-words.js'
import { receiptCases } from './cases.js'
import { captions } from './text.js'

const documents: Record<number, DocumentKind> = {
  [receiptCases.zero]: 'zero',
  [receiptCases.start]: 'start',
  [receiptCases.stop]: 'stop',
  [receiptCases.monthly]: 'monthly',
  [receiptCases.yearly]: 'yearly',
  [receiptCases.daily]: 'daily',
  [receiptCases.startTransaction]: 'log',
  [receiptCases.updateTransaction]: 'log',
  [receiptCases.deltaTransaction]: 'log',
  [receiptCases.failTransaction]: 'log',
  [receiptCases.order]: 'order',
  [receiptCases.infoInternal]: 'log',
  [receiptCases.protocol]: 'log',
  [receiptCases.initiateSwitch]: 'switch',
  [receiptCases.finishSwitch]: 'switch',
  [receiptCases.startMigration]: 'migration',
  // invoice B2B, B2C, B2G or unknown; delivery note; pay-in and pay-out; internal use
  ...{ 12: 'invoice', 13: 'invoice', 14: 'invoice' },
  ...{ 15: 'deliveryNote', 17: 'transfer', 18: 'internal' },
}

/** Bits 16 and up of a v0 receipt case. */
const flags = { late: 0x01, training: 0x02, void: 0x04, handwritten: 0x08, smallBusiness: 0x10 }

/** Codes of receipts on which the flags mean what they say; closings have others there. */
function isSale(document: DocumentKind): boolean {
  return !['zero', 'start', 'stop', 'monthly', 'yearly', 'daily', 'switch'].includes(document)
}

function receiptOf({ flags: set, code }: Word): ReceiptTraits {
  const document = documents[code] ?? 'receipt'
  const has = (flag: number): boolean => isSale(document) && (set & flag) !== 0
  return {
    document,
    training: has(flags.training),
    void: has(flags.void) || code === receiptCases.void,
    refund: false,
    handwritten: has(flags.handwritten),
    late: has(flags.late),
    smallBusiness: has(flags.smallBusiness),
    grouped: false,
  }
}

/** V of version 2 by tax key, the last three bits of a code. */
const VAT_OF_KEY = [8, 3, 1, 4, 5, 8, 7, 0] as const
/** First codes of groups of eight. */
const groups = {
  returnable: 0x20,
  returned: 0x28,
  discount: 0x30,
  extra: 0x38,
  tip: 0x50,
  voucherSold: 0x60,
  voucherTaken: 0x68,
  downPayment: 0x80,
  downPaymentUsed: 0x88,
}
/** Tip for an employee: no turnover, in a group of its own. */
const EMPLOYEE_TIP = 0x59
const REAL_GRANT = 0x49

function chargeOf({ word: { code }, rate, at }: ChargeWord): ChargeTraits {
  if (code === 0) return { ...PLAIN_CHARGE, vat: vatOfRate(rate, at) }
  const group = code & 0xf8
  const is = (...firsts: number[]): boolean => firsts.includes(group)
  return {
    ...PLAIN_CHARGE,
    vat: isUntaxed(code) ? 8 : (VAT_OF_KEY[code & 7] ?? 0),
    tip: is(groups.tip) || code === EMPLOYEE_TIP,
    voucher: is(groups.voucherSold, groups.voucherTaken),
    discount: is(groups.discount, groups.extra),
    downPayment: is(groups.downPayment, groups.downPaymentUsed),
    returnable: is(groups.returnable, groups.returned),
  }
}

/** From 90 on money that is moved, reverse charge and sales of others. */
const isUntaxed = (code: number): boolean =>
  code >= 0x90 || code === EMPLOYEE_TIP || code === REAL_GRANT

const { vatOfRate } = caseRules

/** PP of version 2 by code. */
const payKinds: readonly number[] = [
  ...[0x00, 0x01, 0x01, 0x03, 0x04, 0x05, 0x07, 0x08, 0x0a, 0x0b, 0x0d, 0x01, 0x01, 0x06],
  ...[0x09, 0x09, 0x01, 0x0e, 0x0c, 0x0c, 0x0c, 0x0c, 0x0c, 0x0c],
]

function payOf({ code }: Word): PayTraits {
  return {
    ...PLAIN_PAY,
    kind: payKinds[code] ?? 0,
    foreign: code === 0x02 || code === 0x0c,
    change: code === 0x0b || code === 0x0c,
    tip: code === 0x10,
  }
}

type KindName = keyof typeof signatureKinds

const shown: readonly (readonly [KindName, SignatureLabel])[] = [
  ['transactionNumber', 'transactionNumber'],
  ['counter', 'signatureCounter'],
  ['serial', 'registerSerial'],
  ['tseSerial', 'deviceSerial'],
  ['signature', 'signature'],
]
const moments: readonly (readonly [KindName, SignatureLabel])[] = [
  ['startTime', 'transactionStart'],
  ['logTime', 'transactionEnd'],
  ['actionStart', 'processStart'],
]
const details: readonly (readonly [KindName, SignatureLabel])[] = [
  ['qrVersion', 'qrVersion'],
  ['processType', 'processType'],
  ['processData', 'processData'],
  ['algorithm', 'algorithm'],
  ['logTimeFormat', 'timeFormat'],
  ['publicKey', 'publicKey'],
  ['certificationId', 'certification'],
]

const styles = new Map<number, SignatureStyle>()
for (const [name, label] of shown) put(name, { label, detail: false, moment: false })
for (const [name, label] of moments) put(name, { label, detail: false, moment: true })
for (const [name, label] of details) put(name, { label, detail: true, moment: false })

function put(name: KindName, style: SignatureStyle): void {
  styles.set(signatureKinds[name].type, style)
}

/** "DE" in the top 16 bits, normal items only: reports and failures speak for themselves. */
function signatureStyle(type: bigint): SignatureStyle | undefined {
  const { country, code } = wordOf(type)
  return country === HOME ? styles.get(code) : undefined
}

const HOME = 0x4445

export const page: PageRules = {
  smallBusinessLaw: '§ 19 UStG',
  readsAsV0: (receipt) => caseRules.readsAsV0?.(receipt) === true,
  receiptOf,
  chargeOf,
  payOf,
  vatOfRate,
  signatureStyle,
  codeText: (data) => data,
  outageOf: (signatures) =>
    signatures.some(({ caption }) => caption === captions.tseFailed)
      ? 'TSE ausgefallen'
      : undefined,
  keepsPaper: (state) => (state & BigInt(stateBits.tseFailed)) !== 0n,
}
