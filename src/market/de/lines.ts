// The items of a request with their meaning in the v0/v1 tables, whatever their tagging.
import type { CasedRequest } from '../../case/reader.js'
import { isVersion2, type Word } from '../../case/word.js'
import type { ChargeItem, PayItem } from '../../model/receipt.js'
import { type ChargeCase, chargeCase, type PayCase, payCase } from './item-cases.js'
import { chargeCodeOf, payCodeOf } from './item-mapping.js'

export interface ChargeLine {
  /** v0/v1 code and flags (bits 16 to 31) of the item. */
  code: number
  flags: number
  found: ChargeCase
  item: ChargeItem
}

export interface PayLine {
  code: number
  flags: number
  found: PayCase
  item: PayItem
}

export interface Lines {
  charges: ChargeLine[]
  pays: PayLine[]
}

/** Items of a v2 receipt are v2; on a v0/v1 receipt version nibble 2 makes an item v2. */
export function linesOf({ request, words }: CasedRequest): Lines {
  const isV2 = (word: Word) => words.tagging === 'v2' || isVersion2(word)
  const charges = words.charges.map((word) => {
    const { item } = word
    const { code, flags } = isV2(word) ? chargeCodeOf(word, item, request.receiptMoment) : word
    return { code, flags, found: chargeCase(code), item }
  })
  const pays = words.pays.map((word) => {
    const { item } = word
    const { code, flags } = isV2(word) ? payCodeOf(word, item) : word
    return { code, flags, found: payCase(code), item }
  })
  return { charges, pays }
}
