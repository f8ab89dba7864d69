// Which tables the case words of a receipt belong to, and what they say.

import {
  type ChargeTraits,
  chargeTraits,
  type PageRules,
  type PayTraits,
  payTraits,
  type ReceiptTraits,
  receiptTraits,
} from '../case/traits.js'
import { isVersion2, type Word, wordOf } from '../case/word.js'
import type { Decimal } from '../lib/decimal.js'
import type { JsonObject } from '../lib/json.js'
import { wordIn } from '../model/json-members.js'

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
  const word = wordOf(wordIn(request, 'ftReceiptCase') ?? 0n)
  const state = wordOf(wordIn(response, 'ftState') ?? 0n)
  const answered = state.country !== 0 && !isVersion2(state)
  const old = rules !== undefined && (answered || rules.readsAsV0?.(word) === true)
  const isOld = (one: Word): boolean => old && !isVersion2(one)
  return {
    receipt: rules !== undefined && isOld(word) ? rules.receiptOf(word) : receiptTraits(word),
    chargeOf: (item, rate) => {
      const sent = wordIn(item, 'ftChargeItemCase') ?? 0n
      const one = wordOf(sent)
      if (rules === undefined) return chargeTraits(one)
      if (isOld(one)) return rules.chargeOf({ word: one, rate, at })
      const traits = chargeTraits(one)
      // neither names a rate
      const silent = sent === 0n || traits.vat === 0
      return silent ? { ...traits, vat: rules.vatOfRate(rate, at) } : traits
    },
    payOf: (item) => {
      const one = wordOf(wordIn(item, 'ftPayItemCase') ?? 0n)
      return rules !== undefined && isOld(one) ? rules.payOf(one) : payTraits(one)
    },
  }
}
