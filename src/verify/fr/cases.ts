// Case words of both versions, as far as the verifier needs them. lists.json has them by codes of
// version 0 in hexadecimal: receipts with their chains (`-`: not signed) and the periods that they
// end, items with the totals that they raise. 0002 of version 2 is a payment in every form.
import { type CaseWord, type Raised, wordOf } from '../wire.js'
import lists from './lists.json' with { type: 'json' }

type Lists = Readonly<Record<'version2' | 'charges' | 'rates' | 'pays', Record<string, string>>>
const { version2, charges, rates, pays }: Lists = lists
const receipts: Readonly<Record<string, { chain: string; ends?: string }>> = lists.receipts
const flags = { late: 0x1, training: 0x2, abroad: 0x80 }
/** First digit of a code of version 2: receipts and invoices before, logs between the two. */
const categories = { closing: 2, life: 4 }

export const receiptCases = { foreignSale: '0e', zero: '0f', copy: '16' }
const LAST_SALE = 3
const NO_WORD: CaseWord = { code: 0xffff, isVersion2: false, has: () => false }
const hex = (code: number, digits = 2): string => code.toString(16).padStart(digits, '0')

/** `code`: of version 0; `letter`: of its chain, undefined where there is no such case. */
export function readReceipt(text = '') {
  const { code: own, isVersion2, has } = wordOf(text) ?? NO_WORD
  const category = isVersion2 ? own >> 12 : 0
  const isAbroad = isVersion2 && own <= LAST_SALE && has(flags.abroad)
  const plain = isVersion2 ? (version2[hex(own, 4)] ?? '') : hex(own)
  const code = isAbroad ? receiptCases.foreignSale : plain
  const isFlagged = category !== categories.closing && category !== categories.life
  const isTraining = isFlagged && has(flags.training)
  const isLate = category < categories.closing && has(flags.late)
  const { chain, ends = '' } = receipts[code] ?? {}
  return { code, isTraining, isLate, letter: isTraining ? 'X' : chain, ends }
}

/** Members of the totals that items raise; what no list has is of no known kind. */
export const raised: Raised = {
  charge(code, rate) {
    const member = charges[hex(code)] ?? 'ci-u'
    return ['total', member === 'by rate' ? (rates[rate] ?? 'ci-rs') : member]
  },
  pay: (code) => [pays[hex(code)] ?? 'pi-u'],
}
