// The items of a request with their meaning in the v0/v1 tables, whatever their tagging.
import type { ChargeItem, PayItem, ReceiptRequest } from '../../model/receipt.js'
import { type Tagging, wordOf } from '../../case/word.js'
import { type ChargeCase, chargeCase, type PayCase, payCase } from './item-cases.js'
import { chargeCodeOf, type ItemCode, payCodeOf } from './item-mapping.js'

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
export function linesOf(request: ReceiptRequest, tagging: Tagging): Lines {
  const charges = request.chargeItems.map((item) => {
    const { code, flags } = codeOf(item.chargeItemCase, tagging, (word) =>
      chargeCodeOf(word, item, request.receiptMoment),
    )
    return { code, flags, found: chargeCase(code), item }
  })
  const pays = request.payItems.map((item) => {
    const { code, flags } = codeOf(item.payItemCase, tagging, (word) => payCodeOf(word, item))
    return { code, flags, found: payCase(code), item }
  })
  return { charges, pays }
}

function codeOf(
  value: bigint,
  tagging: Tagging,
  map: (word: { code: number; flags: number }) => ItemCode,
): ItemCode {
  const { version, code, flags } = wordOf(value)
  return tagging === 'v2' || version === 2 ? map({ code, flags }) : { code, flags }
}
