// Italian tax numbers: codice fiscale of persons, partita IVA of companies.
import { luhnDigit } from '../../lib/check-digits.js'

const FISCAL_CODE =
  /^[A-Z]{6}[0-9LMNPQRSTUV]{2}[ABCDEHLMPRST][0-9LMNPQRSTUV]{2}[A-Z][0-9LMNPQRSTUV]{3}[A-Z]$/
/** Letters that stand for 0 to 9 where two persons had the same code. */
const OMOCODIA = 'LMNPQRSTUV'
/** The place of a letter is its worth in an odd position; digits count as A to J. */
const ODD = 'BAKPLCQDREVOSFTGUHMINJWZYX'
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'

export const isVatNumber = (text: string): boolean =>
  /^\d{11}$/.test(text) && !/^0+$/.test(text) && text.endsWith(`${luhnDigit(text.slice(0, -1))}`)

export function isFiscalCode(text: string): boolean {
  if (!FISCAL_CODE.test(text)) return false
  const day = Number(text.slice(9, 11).replace(/[A-Z]/g, (one) => `${OMOCODIA.indexOf(one)}`))
  if (!((day >= 1 && day <= 31) || (day >= 41 && day <= 71))) return false
  let sum = 0
  for (const [at, one] of [...text.slice(0, -1)].entries()) {
    const plain = /\d/.test(one) ? Number(one) : LETTERS.indexOf(one)
    sum += at % 2 === 0 ? ODD.indexOf(LETTERS[plain] ?? '') : plain
  }
  return LETTERS[sum % 26] === text.at(-1)
}

export const isTaxId = (text: string): boolean => isVatNumber(text) || isFiscalCode(text)
