// What a dry run tells beside the rules: numbers that are signed as they are and were hardly meant.
// Never an error, and never looked at when a receipt is signed.

import { type Cased, readWords } from '../../case/reader.js'
import type { CaseFault, CaseRules } from '../../case/rules.js'
import { hexWord, isVersion2, type Word } from '../../case/word.js'
import { objectIn } from '../../lib/json.js'
import type { ChargeItem, PayItem, PosRequest } from '../../model/receipt.js'

/** `sent`: the request as it was read, its cases not yet completed. */
export function remarksOf(sent: PosRequest, rules: CaseRules): CaseFault[] {
  const { receipt, charges, pays } = readWords(sent)
  if (rules.readsAsV0?.(receipt) === true) return []
  return [
    ...likeV0(receipt, { value: sent.receiptCase, path: 'ftReceiptCase' }),
    ...charges.flatMap((word, at) => {
      const path = `cbChargeItems[${at}]`
      const { item } = word
      return [
        ...likeV0(word, { value: item.chargeItemCase, path: `${path}.ftChargeItemCase` }),
        ...vatCode(word, `${path}.ftChargeItemCase`),
        ...rateWithoutCode(item, { path, sent, rules }),
      ]
    }),
    ...pays.flatMap((word, at) => {
      const path = `cbPayItems[${at}]`
      const { payItemCase: value } = word.item
      return [
        ...likeV0(word, { value, path: `${path}.ftPayItemCase` }),
        ...foreignMoney(word, path),
      ]
    }),
    ...(rules.wanted?.(sent) ?? []),
  ]
}

interface Sent {
  value: bigint
  path: string
}

/** A complete word without the version: its number is taken for one of version 2. */
function likeV0({ country, version }: Word, { value, path }: Sent): CaseFault[] {
  if (country === 0 || version !== 0) return []
  const text = hexWord(value)
  const message = `${text} looks like a case of v0; it is read by the tables of version 2.`
  return [{ code: 'LooksLikeV0', path, message }]
}

const LAST_VAT = 8

function vatCode(word: Word, path: string): CaseFault[] {
  const vat = word.code & 0xf
  if (vat <= LAST_VAT || (word.country !== 0 && !isVersion2(word))) return []
  return [{ code: 'VatCodeUnknown', path, message: `VAT ${vat} is not defined; the rate decides.` }]
}

interface Place {
  path: string
  sent: PosRequest
  rules: CaseRules
}

/** Items whose case leaves the VAT to a rate that the country does not have. */
function rateWithoutCode(
  { vatRate, moment }: ChargeItem,
  { path, sent, rules }: Place,
): CaseFault[] {
  const at = moment ?? sent.receiptMoment
  const isKnown = rules.isRate?.(vatRate) ?? rules.vatOfRate(vatRate, at) !== 0
  if (isKnown) return []
  const message = `${vatRate.toShortString()} % is no rate of ${rules.country} with a VAT code.`
  return [{ code: 'VatRateUnknown', path: `${path}.VATRate`, message }]
}

// ------------------------------------------------------------- foreign currency

const CASH = 0x01
const KIND = 0xff
const FOREIGN_FLAG = 0x0010
const SYMBOL = 'foreignCurrencySymbol'
const AMOUNT = 'foreignCurrencyAmount'

function foreignMoney({ item, code, flags }: Cased<PayItem>, path: string): CaseFault[] {
  const data = objectIn(item.payItemCaseData)
  const names = new Set(data?.names.map((name) => name.toLowerCase()))
  const lacks = [SYMBOL, AMOUNT].filter((name) => !names.has(name.toLowerCase()))
  const isForeign = (code & KIND) === CASH && (flags & FOREIGN_FLAG) !== 0
  if (isForeign && lacks.length > 0) {
    const message =
      `A payment in foreign currency has ${SYMBOL} and ${AMOUNT} in its case data; ` +
      `missing: ${lacks.join(', ')}.`
    return [{ code: 'ForeignCurrencyMissing', path: `${path}.ftPayItemCaseData`, message }]
  }
  if (isForeign || lacks.length > 0) return []
  const message = 'The case data name a foreign currency; the flag 0010 of cash is not set.'
  return [{ code: 'ForeignCurrencyFlagMissing', path: `${path}.ftPayItemCase`, message }]
}
