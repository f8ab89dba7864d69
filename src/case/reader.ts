// The reader of case words: takes those of a receipt apart once, for everybody who looks at them.
import { highHalf, lowHalf } from '../lib/ticks.js'
import type { ChargeItem, PayItem, ReceiptRequest } from '../model/receipt.js'
import type { CaseFault, CaseRules } from './rules.js'
import {
  countryWord,
  hexWord,
  isAtHome,
  isReceiptRequest,
  type Tagging,
  taggingOf,
  type Word,
  withoutReceiptRequest,
  wordOf,
} from './word.js'

/** An item with its case word taken apart. */
export interface Cased<I> extends Word {
  item: I
}

/** What the case words of a receipt say. */
export interface ReceiptWords {
  receipt: Word
  /** Of the receipt case, which decides for its items; undefined: an unknown version. */
  tagging: Tagging | undefined
  /** The receipt request flag is set. */
  asks: boolean
  /** In the order of the items. */
  charges: readonly Cased<ChargeItem>[]
  pays: readonly Cased<PayItem>[]
}

/** A request whose case words were read. */
export interface CasedRequest {
  request: ReceiptRequest
  words: ReceiptWords
}

export function withWords(request: ReceiptRequest): CasedRequest {
  return { request, words: readWords(request) }
}

export function readWords(request: ReceiptRequest): ReceiptWords {
  const { receiptCase, chargeItems, payItems } = request
  return wordsOf(wordOf(receiptCase), chargeItems.map(chargeWord), payItems.map(payWord))
}

type ItemWords = Pick<ReceiptWords, 'charges' | 'pays'>

function wordsOf(
  receipt: Word,
  charges: ItemWords['charges'],
  pays: ItemWords['pays'],
): ReceiptWords {
  return { receipt, tagging: taggingOf(receipt), asks: isReceiptRequest(receipt), charges, pays }
}

function chargeWord(item: ChargeItem): Cased<ChargeItem> {
  return cased(item, item.chargeItemCase)
}

function payWord(item: PayItem): Cased<PayItem> {
  return cased(item, item.payItemCase)
}

function cased<I>(item: I, value: bigint): Cased<I> {
  // as wordOf does, with one object less for each item
  const high = highHalf(value)
  const low = lowHalf(value)
  return {
    item,
    country: high >>> 16,
    version: (high >>> 12) & 0xf,
    local: high & 0xfff,
    flags: low >>> 16,
    code: low & 0xffff,
  }
}

/** The same receipt as a new one: without the receipt request flag. */
export function withoutRequest<R extends CasedRequest>(receipt: R): R {
  const receiptCase = withoutReceiptRequest(receipt.request.receiptCase)
  const { charges, pays } = receipt.words
  const words = wordsOf(wordOf(receiptCase), charges, pays)
  return { ...receipt, request: { ...receipt.request, receiptCase }, words }
}

/** The first item whose case is wrong: its word, and where it stands; undefined: none. */
export function itemCaseThat(
  isWrong: (word: Word, value: bigint) => boolean,
  { charges, pays }: ItemWords,
): { word: bigint; field: string } | undefined {
  for (let at = 0; at < charges.length; at += 1) {
    const one = charges[at]
    if (one === undefined || !isWrong(one, one.item.chargeItemCase)) continue
    return { word: one.item.chargeItemCase, field: chargePath(at) }
  }
  for (let at = 0; at < pays.length; at += 1) {
    const one = pays[at]
    if (one === undefined || !isWrong(one, one.item.payItemCase)) continue
    return { word: one.item.payItemCase, field: payPath(at) }
  }
  return undefined
}

const chargePath = (at: number): string => `cbChargeItems[${at}].ftChargeItemCase`
const payPath = (at: number): string => `cbPayItems[${at}].ftPayItemCase`

// ------------------------------------------------- words of the PosSystem API, made complete

/** How the words of one request are completed. */
interface Completing {
  rules: CaseRules
  /** The country of the queue, in its place and as a number. */
  home: bigint
  country: number
  /** The receipt is read by the tables of v0. */
  v0: boolean
  faults: CaseFault[]
}

/**
 * Replaces every case of the request in place, and reads them: no country is the queue's, version 0
 * is version 2, a missing item case becomes that of its rate. What belongs elsewhere stays as it is
 * and is told.
 */
export function readCompleted(
  request: ReceiptRequest,
  rules: CaseRules,
): { words: ReceiptWords; faults: CaseFault[] } {
  const country = countryWord(rules.country)
  const by: Completing = {
    rules,
    home: country << 48n,
    country: Number(country),
    v0: false,
    faults: [],
  }
  const receipt = completedReceipt(by, request)
  const charges = request.chargeItems.map((item, at) => completedCharge(by, { request, item, at }))
  const pays = request.payItems.map((item, at) => completedPay(by, item, at))
  return { words: wordsOf(receipt, charges, pays), faults: by.faults }
}

function completedReceipt(by: Completing, request: ReceiptRequest): Word {
  const word = wordOf(request.receiptCase)
  if (isComplete(by, word)) return word
  const sent = { ...word, country: word.country === 0 ? by.country : word.country }
  by.v0 = by.rules.readsAsV0?.(sent) === true
  request.receiptCase = by.v0
    ? withCountry(by, request.receiptCase)
    : completed(by, request.receiptCase, { word, kind: 'Receipt', path: 'ftReceiptCase' })
  return wordOf(request.receiptCase)
}

interface ChargeAt {
  request: ReceiptRequest
  item: ChargeItem
  at: number
}

function completedCharge(by: Completing, { request, item, at }: ChargeAt): Cased<ChargeItem> {
  const word = chargeWord(item)
  if (isComplete(by, word)) return word
  item.chargeItemCase =
    item.chargeItemCase === 0n
      ? caseOfRate(by, item, request.receiptMoment)
      : completed(by, item.chargeItemCase, { word, kind: 'ChargeItem', path: chargePath(at) })
  return chargeWord(item)
}

function completedPay(by: Completing, item: PayItem, at: number): Cased<PayItem> {
  const word = payWord(item)
  if (isComplete(by, word)) return word
  item.payItemCase = completed(by, item.payItemCase, { word, kind: 'PayItem', path: payPath(at) })
  return payWord(item)
}

/** As nearly every word is that a program sends. */
function isComplete({ country }: Completing, word: Word): boolean {
  return word.country === country && word.version === 2
}

const VERSION_2 = 2n << 44n
const VERSION_MASK = 0xfn << 44n

interface Incomplete {
  word: Word
  kind: 'Receipt' | 'ChargeItem' | 'PayItem'
  path: string
}

function completed(by: Completing, value: bigint, { word, kind, path }: Incomplete): bigint {
  const fault = (code: string, message: string): bigint => {
    by.faults.push({ code: `${kind}Case${code}`, path, message })
    return value
  }
  const { country } = by.rules
  if (!isAtHome(word, country)) {
    const text = `${hexWord(value)} is of another country; this queue belongs to ${country}.`
    return fault('CountryMismatch', text)
  }
  const { version } = word
  // an item with a country and version 0 or 1 belongs to the tables of its v0 receipt
  if (by.v0 && word.country !== 0 && version <= 1) return value
  if (version === 0 || version === 2) return (withCountry(by, value) & ~VERSION_MASK) | VERSION_2
  return fault('VersionUnknown', `${hexWord(value)} has version ${version}; expected 2.`)
}

function withCountry({ home }: Completing, value: bigint): bigint {
  return value >> 48n === 0n ? value | home : value
}

function caseOfRate({ rules, home }: Completing, item: ChargeItem, receiptMoment: Date): bigint {
  const vat = rules.vatOfRate(item.vatRate, item.moment ?? receiptMoment)
  return home | VERSION_2 | BigInt(vat)
}
