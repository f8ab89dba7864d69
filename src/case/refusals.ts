// Receipts that no table of the queue's country can read: why, and where it stands.
import { type FiscalError, fail } from '../errors.js'
import { looksAllRounded, looksRounded, lostDigitsHint, roundedHint } from './lost-digits.js'
import { type CasedRequest, itemCaseThat } from './reader.js'
import type { CaseRules } from './rules.js'
import { hexWord, isAtHome, type Word } from './word.js'

const FIELD = 'ftReceiptCase'

/** Refuses what can be seen from the cases alone, before anything is stored. Throws FiscalError. */
export function admit({ request, words }: CasedRequest, { country }: CaseRules): void {
  const { receipt, tagging } = words
  if (!isAtHome(receipt, country)) throw ofAnother(country, request.receiptCase, FIELD)
  if (tagging === undefined) {
    throw fail('FIELD_INVALID', { field: FIELD, expected: 'a case of version 0, 1 or 2' })
  }
  if (tagging === 'v2') return
  const wrong = itemCaseThat((item) => !isAtHome(item, country), words)
  if (wrong !== undefined) throw ofAnother(country, wrong.word, wrong.field)
}

function ofAnother(market: string, word: bigint, field: string): FiscalError {
  return fail('COUNTRY_WRONG', { field, market, hint: roundedHint(word) })
}

/** What is told, and the member at fault. */
export interface Unread {
  message: string
  field: string
}

/** A receipt case of another country, or of a version that nobody has. */
export function foreignReceipt(
  { request, words }: CasedRequest,
  rules: CaseRules,
): Unread | undefined {
  const { receiptCase } = request
  if (!isAtHome(words.receipt, rules.country)) return foreign(rules, receiptCase, FIELD)
  if (words.tagging !== undefined) return undefined
  const message = `The receipt case ${hexWord(receiptCase)} has an unknown version.`
  return { message, field: FIELD }
}

/** The first item of a v2 receipt with another country or another version than 0 and 2. */
export function foreignItem({ words }: CasedRequest, rules: CaseRules): Unread | undefined {
  if (words.tagging !== 'v2') return undefined
  const isWrong = (word: Word) =>
    !isAtHome(word, rules.country) || (word.version !== 0 && word.version !== 2)
  const wrong = itemCaseThat(isWrong, words)
  return wrong && foreign(rules, wrong.word, wrong.field)
}

function foreign({ country, name }: CaseRules, value: bigint, field: string): Unread {
  const text = `The case ${hexWord(value)} is none of ${name}: this queue belongs to ${country}.`
  return { message: text + roundedHint(value), field }
}

/** Every complete word of the receipt has lost its last digits; see lost-digits.ts. */
export function isRounded({ request }: CasedRequest): boolean {
  return looksAllRounded(request)
}

/** The first item whose case a program has rounded, where what is left is in no table. */
export function roundedItem(
  { words }: CasedRequest,
  isInTable: (word: Word) => boolean,
): Unread | undefined {
  const wrong = itemCaseThat((word, value) => {
    // a thousand is a multiple of eight: of nearly every word one look at its last bits is enough
    return (word.code & 7) === 0 && looksRounded(value) && !isInTable(word)
  }, words)
  if (wrong === undefined) return undefined
  const message = `The case ${hexWord(wrong.word)} is not known. ${lostDigitsHint(wrong.word)}`
  return { message, field: wrong.field }
}

/** `what`: `is not known`. */
export function unknownReceipt({ request: { receiptCase } }: CasedRequest, what: string): Unread {
  const message = `The receipt case ${hexWord(receiptCase)} ${what}. ${lostDigitsHint(receiptCase)}`
  return { message, field: FIELD }
}
