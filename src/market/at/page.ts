// What an Austrian receipt says on a page: the words of version 0, the outage of § 17 RKSV, the
// code as text.
import {
  type ChargeTraits,
  type ChargeWord,
  type DocumentKind,
  type PageRules,
  type PayTraits,
  PLAIN_CHARGE,
  PLAIN_PAY,
  type ReceiptTraits,
} from '../../case/traits.js'
import { taggingOf, type Word, wordOf } from '../../case/word.js'
import { chargeRow, receiptCases, receiptFlags, stateBits, vatOfRate } from './cases.js'
import { FAILED_SIGNATURE, ocrCode } from './payload.js'
import { captions } from './text.js'

const documents: Record<number, DocumentKind> = {
  [receiptCases.zero]: 'zero',
  [receiptCases.start]: 'start',
  [receiptCases.stop]: 'stop',
  [receiptCases.monthly]: 'monthly',
  [receiptCases.yearly]: 'yearly',
  [receiptCases.noDuty]: 'exempt',
  [receiptCases.invoice]: 'invoice',
  [receiptCases.deliveryNote]: 'deliveryNote',
  [receiptCases.payIn]: 'transfer',
  [receiptCases.payOut]: 'transfer',
  [receiptCases.transfer]: 'transfer',
  [receiptCases.protocol]: 'log',
  [receiptCases.internalUse]: 'internal',
  [receiptCases.onlineShop]: 'online',
}

/** § 6 (1) 27 UStG: named by its flag only. */
const SMALL_BUSINESS = 0x0010

function receiptOf({ flags, code }: Word): ReceiptTraits {
  const has = (flag: number): boolean => (flags & flag) !== 0
  return {
    document: documents[code] ?? 'receipt',
    training: has(receiptFlags.training),
    void: has(receiptFlags.void),
    refund: false,
    handwritten: has(receiptFlags.handwritten),
    late: has(receiptFlags.lateSigning),
    smallBusiness: has(SMALL_BUSINESS),
    grouped: false,
  }
}

/** V of version 2 for the buckets Normal, Erm1, Erm2, Null, Besonders. */
const VAT_OF_BUCKET = [3, 1, 2, 7, 4] as const

function chargeOf({ word: { code }, rate }: ChargeWord): ChargeTraits {
  const row = chargeRow(code, rate)
  const vat = VAT_OF_BUCKET[row.bucket]
  // reverse charge, sales of others and obligations are in the zero bucket without being taxed
  const taxed = vat !== 7 || ![0x06, 0x07, 0x21, 0x22, 0x23].includes(code)
  const downPayment = code >= DOWN_PAYMENT && code < DOWN_PAYMENT + 5
  return { ...PLAIN_CHARGE, vat: taxed ? vat : 8, downPayment }
}

/** The first of the five codes of down-payments. */
const DOWN_PAYMENT = 0x1c

/** PP of version 2 by code. */
const payKinds: readonly number[] = [
  ...[0x00, 0x01, 0x01, 0x03, 0x04, 0x05, 0x06, 0x07, 0x08, 0x00],
  ...[0x00, 0x09, 0x0a, 0x0b, 0x0c, 0x0c, 0x09, 0x0d, 0x01],
]
const FOREIGN = 0x02
const CHANGE = 0x12
const TIP = 0x0040

function payOf({ flags, code }: Word): PayTraits {
  const tip = code === CHANGE && (flags & TIP) !== 0
  return {
    ...PLAIN_PAY,
    kind: payKinds[code] ?? 0,
    foreign: code === FOREIGN,
    change: code === CHANGE && !tip,
    tip,
  }
}

/** Bits of ftState: out of operation, or the signer out for longer than 48 hours. */
function keepsPaper(state: bigint): boolean {
  const low = BigInt.asUintN(32, state)
  if ((low & BigInt(stateBits.outOfService)) !== 0n) return true
  if (taggingOf(wordOf(state)) === 'v2') return (state & SIGNER_OUT_LONG_V2) !== 0n
  return (low & BigInt(stateBits.signerOutLong)) !== 0n
}

const SIGNER_OUT_LONG_V2 = 0x0001_0000_0000n

export const page: PageRules = {
  smallBusinessLaw: '§ 6 Abs. 1 Z 27 UStG',
  receiptOf,
  chargeOf,
  payOf,
  vatOfRate,
  signatureStyle: () => undefined,
  codeText: (data) => (data.startsWith('_R1-AT') ? ocrCode(data) : data),
  outageOf: (signatures) =>
    signatures.some(({ data }) => data.startsWith('_R1-AT') && data.endsWith(`_${FAILED}`))
      ? captions.signerFailed
      : undefined,
  keepsPaper,
}

const FAILED = FAILED_SIGNATURE.toString('base64')
