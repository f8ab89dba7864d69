// Case words of both versions, as far as the verifier needs them. A text is a table by the code.
import { type CaseWord, type Raised, wordOf } from '../wire.js'

/** Receipts of version 0, from 00 to 16: their chains; `-`: they are not signed. */
const LETTERS = 'TTPIGGGGB-PPP-BGGGLL-AC'
/** Charge items of version 0, from 00 to 22: normal, reduced 1 and 2, super reduced, zero, none. */
const CHARGES = '?12nsz??12nsz12nsz12nsz12nsz12nsz?u'
/** Pay items of version 0, from 00 to 12: cash, no cash, internal. */
const PAYS = 'ccccnccnnncinniiiic'
/** Where the case says nothing of the rate, in percent. */
const BY_RATE: Readonly<Record<string, string>> = { '5.5': '1', '10': '2', '20': 'n', '0': 'z' }

/** Receipts of version 2 and what they are in version 0; 0002 is a payment in every form. */
const VERSION2: Readonly<Record<number, number>> = {
  ...{ 0: 0x00, 1: 0x01, 2: 0x0c, 3: 0x0e, 4: 0x01, 5: 0x09, 6: 0x08, 7: 0x08 },
  ...{ 4096: 0x03, 4097: 0x03, 4098: 0x03, 4099: 0x03 },
  ...{ 8192: 0x0f, 8193: 0x0f, 8208: 0x04, 8209: 0x05, 8210: 0x06, 8211: 0x07 },
  ...{ 12288: 0x14, 12289: 0x12, 12290: 0x13, 12291: 0x0d, 12292: 0x08, 12293: 0x02 },
  ...{ 12304: 0x16, 12305: 0x15, 16385: 0x10, 16386: 0x11 },
  ...{ 16401: 0x0f, 16402: 0x0f, 16417: 0x0f, 16418: 0x0f },
}
const flags = { late: 0x1, training: 0x2, abroad: 0x80 }
/** First digit of a code of version 2: receipts and invoices before, logs between the two. */
const categories = { closing: 2, life: 4 }

export const receiptCases = { foreignSale: 0x0e, zero: 0x0f, copy: 0x16 }
const LAST_SALE = 3
const NO_WORD: CaseWord = { code: 0xffff, isVersion2: false, has: () => false }

/** `code`: of version 0; `letter`: of its chain, undefined where there is no such case. */
export function readReceipt(text = '') {
  const { code: own, isVersion2, has } = wordOf(text) ?? NO_WORD
  const category = isVersion2 ? own >> 12 : 0
  const isAbroad = isVersion2 && own <= LAST_SALE && has(flags.abroad)
  const code = isAbroad ? receiptCases.foreignSale : isVersion2 ? (VERSION2[own] ?? -1) : own
  const isFlagged = category !== categories.closing && category !== categories.life
  const isTraining = isFlagged && has(flags.training)
  const isLate = category < categories.closing && has(flags.late)
  return { code, isTraining, isLate, letter: isTraining ? 'X' : LETTERS[code] }
}

/** Members of the totals that items raise. */
export const raised: Raised = {
  charge(code, rate) {
    const kind = CHARGES[code] === '?' ? (BY_RATE[rate] ?? 's') : (CHARGES[code] ?? 'u')
    return ['total', /[12s]/.test(kind) ? `ci-r${kind}` : `ci-${kind}`]
  },
  pay: (code) => [`pi-${PAYS[code] ?? 'u'}`],
}
