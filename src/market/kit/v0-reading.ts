// A request of a country that has the tables of version 0: cases of either tagging become codes of
// version 0.
import type { CasedRequest } from '../../case/reader.js'
import { type ChargeMeant, payCodeOf } from '../../case/v0-items.js'
import { isVersion2, type Tagging } from '../../case/word.js'
import type { Decimal } from '../../lib/decimal.js'
import type { ChargeItem, PayItem } from '../../model/receipt.js'
import { type ReceiptTables, receiptCodeOf, receiptFlagsOf } from './v0-cases.js'

/** How a country reads them; `C` and `P`: what it makes of an item and its code of version 0. */
export interface V0Rules<C, P> {
  receipts: ReceiptTables
  /** Of an item of version 2. */
  chargeCode(meant: ChargeMeant): number
  charge(code: number, item: ChargeItem): C
  pay(code: number, item: PayItem): P
  /** What was paid in cash. */
  cash(pays: readonly P[]): Decimal
}

export interface V0Reading<C, P> {
  tagging: Tagging
  /** Undefined: version 2 has no such receipt. */
  code: number | undefined
  flags: number
  charges: C[]
  pays: P[]
}

/** Items of a receipt of version 2 are of version 2, with or without version nibble. */
export function readV0<C, P>({ words }: CasedRequest, rules: V0Rules<C, P>): V0Reading<C, P> {
  const { receipt } = words
  const isLater = isVersion2(receipt)
  const charges = words.charges.map((word) => {
    const { code, flags, item } = word
    const isMapped = isLater || isVersion2(word)
    return rules.charge(
      isMapped ? rules.chargeCode({ code, flags, rate: item.vatRate }) : code,
      item,
    )
  })
  const pays = words.pays.map((word) => {
    const { code, flags, item } = word
    const isMapped = isLater || isVersion2(word)
    return rules.pay(isMapped ? payCodeOf(code, flags, item.amount) : code, item)
  })
  if (!isLater) return { tagging: 'v0', code: receipt.code, flags: receipt.flags, charges, pays }
  const moved = () => ({ chargeItems: charges.length, cash: rules.cash(pays) })
  const code = receiptCodeOf(receipt, rules.receipts, moved)
  return { tagging: 'v2', code, flags: receiptFlagsOf(receipt, rules.receipts), charges, pays }
}
