// Which tables the case words of a receipt belong to, and what they say.
import type { Decimal } from '../lib/decimal.js'
import type { JsonObject } from '../lib/json.js'
import { isCountryWord } from '../case/word.js'
import { wordIn } from '../model/json-members.js'
import {
  type ChargeTraits,
  chargeTraits,
  isVersion2,
  type PageRules,
  type PayTraits,
  payTraits,
  type ReceiptTraits,
  receiptTraits,
} from '../case/traits.js'

export interface Cases {
  receipt: ReceiptTraits
  chargeOf(item: JsonObject, rate: Decimal): ChargeTraits
  payOf(item: JsonObject): PayTraits
}

export interface CasesInput {
  request: JsonObject
  response: JsonObject
  rules: PageRules | undefined
  /** Of the receipt: rates change. */
  at: Date
}

/**
 * An answer in version 0 means words of version 0, as long as they do not say 2 themselves. Else
 * all words are of version 2, with the exceptions of the country.
 */
export function casesOf({ request, response, rules, at }: CasesInput): Cases {
  const word = wordIn(request, 'ftReceiptCase') ?? 0n
  const state = wordIn(response, 'ftState') ?? 0n
  const answered = isCountryWord(state) && !isVersion2(state)
  const old = rules !== undefined && (answered || rules.readsAsV0?.(word) === true)
  const isOld = (one: bigint): boolean => old && !isVersion2(one)
  return {
    receipt: rules !== undefined && isOld(word) ? rules.receiptOf(word) : receiptTraits(word),
    chargeOf: (item, rate) => {
      const one = wordIn(item, 'ftChargeItemCase') ?? 0n
      if (rules === undefined) return chargeTraits(one)
      if (isOld(one)) return rules.chargeOf({ word: one, rate, at })
      const traits = chargeTraits(one)
      return one === 0n ? { ...traits, vat: rules.vatOfRate(rate, at) } : traits
    },
    payOf: (item) => {
      const one = wordIn(item, 'ftPayItemCase') ?? 0n
      return rules !== undefined && isOld(one) ? rules.payOf(one) : payTraits(one)
    },
  }
}
