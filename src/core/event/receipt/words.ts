// What the case words of a stored receipt mean, word by word, as the pages of receipts say it.
import { countryOf, hexWord, wordOf } from '../../../case/word.js'
import { Decimal } from '../../../lib/decimal.js'
import { JsonObject, LENIENT, parseJson } from '../../../lib/json.js'
import type { Market } from '../../../market/contract.js'
import type { StoredItem } from '../../../model/journal.js'
import { decimalIn, objectsIn, textIn, wordIn } from '../../../model/json-members.js'
import { vatLetter } from '../../../render/vat.js'
import { casesOf } from '../../../render/view-cases.js'
import { payName } from '../../../render/view-payments.js'
import { type Language, wordsOf as namesOf, type Words } from '../../../render/words.js'

export interface ReadWord {
  /** Where it stands: `cbChargeItems[0].ftChargeItemCase`. */
  path: string
  /** Decimal digits, as the register sent it. */
  value: string
  /** `0x4154000000000001`. */
  hex: string
  /** Letters of its country; '' where it names none. */
  market: string
  version: number
  /** What it belongs to, for people: the description of its item. */
  of: string
  /** For people. */
  means: string[]
}

/** Of the receipt, its items and its payments, in their order; `language`: of what they mean. */
export function wordsOf(market: Market, item: StoredItem, language: Language): ReadWord[] {
  const request = objectOf(item.request)
  const response = objectOf(item.response ?? '{}')
  const rules = market.facts.page
  const cases = casesOf({ request, response, rules, at: item.receiptMoment })
  const words = namesOf(language)
  const saying = (traits: object) =>
    Object.entries(traits).flatMap(([name, isSet]) => {
      const key = FLAGS[name]
      return isSet === true && key !== undefined ? [words[key]] : []
    })
  const receiptMeans = [words[cases.receipt.document], ...saying(cases.receipt)]
  return [
    wordAt(request, 'ftReceiptCase', { path: '', means: receiptMeans }),
    ...objectsIn(request, 'cbChargeItems').map((one, at) => {
      const traits = cases.chargeOf(one, decimalIn(one, 'VATRate') ?? Decimal.ZERO)
      const means = [`${words.rate} ${vatLetter(traits.vat)}`, ...saying(traits)]
      return wordAt(one, 'ftChargeItemCase', { path: `cbChargeItems[${at}].`, means })
    }),
    ...objectsIn(request, 'cbPayItems').map((one, at) => {
      const traits = cases.payOf(one)
      const means = [payName(traits.kind, words), ...saying(traits)]
      return wordAt(one, 'ftPayItemCase', { path: `cbPayItems[${at}].`, means })
    }),
  ]
}

/** Traits of receipts, items and payments that have a word of their own. */
const FLAGS: Readonly<Record<string, keyof Words>> = {
  ...{ training: 'training', void: 'void', refund: 'refund', handwritten: 'handwritten' },
  ...{ late: 'late', smallBusiness: 'smallBusiness', marginScheme: 'marginScheme', tip: 'tip' },
  ...{ voucher: 'voucher', discount: 'discount', downPayment: 'downPayment' },
  ...{ returnable: 'deposit', change: 'change' },
}

function objectOf(text: string): JsonObject {
  const value = parseJson(text, LENIENT)
  return value instanceof JsonObject ? value : new JsonObject()
}

function wordAt(
  object: JsonObject,
  name: string,
  { path, means }: Pick<ReadWord, 'path' | 'means'>,
): ReadWord {
  const value = wordIn(object, name) ?? 0n
  const word = wordOf(value)
  return {
    ...{ path: path + name, value: String(value), hex: hexWord(value), market: countryOf(word) },
    ...{ version: word.version, of: textIn(object, 'Description'), means },
  }
}
