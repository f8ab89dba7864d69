// Pay items out of what a terminal did, with the case words of the CashBox's country.

import { countryWord } from '../../case/word.js'
import type { PaymentAction, PaymentOrder, PaymentResult } from '../../device/payment/order.js'
import type { Decimal } from '../../lib/decimal.js'
import { randomId } from '../../lib/id.js'

export interface PaidItem {
  id: string
  description: string
  amount: Decimal
  payItemCase: bigint
  /** Only the first item has it. */
  caseData: { provider: string; action: PaymentAction; result: PaymentResult } | undefined
}

// ftPayItemCase, version 2: CCCC_vlll_gggg_xxPP
const VERSION = 0x2000n << 32n
/** PP 04 debit card; electronic money (0080), amount verified through an interface (0100). */
const CARD = 0x0180_0004n
const FLAGS: Record<PaymentAction, bigint> = {
  payment: 0n,
  cancel: 0x0001_0000n,
  refund: 0x0002_0000n,
}
const TIP = 0x0040_0000n

/** market: `AT` */
export function payItemCase(market: string, action: PaymentAction): bigint {
  return (countryWord(market) << 48n) | VERSION | CARD | FLAGS[action]
}

/** Their sum is what the register gets: the tip is taken off again by a second item. */
export function itemsOf(
  order: Pick<PaymentOrder, 'action' | 'description'>,
  result: PaymentResult,
  by: { provider: string; market: string },
): PaidItem[] {
  const { action, description } = order
  const word = payItemCase(by.market, action)
  const main: PaidItem = {
    id: randomId(),
    description,
    amount: result.charged,
    payItemCase: word,
    caseData: { provider: by.provider, action, result },
  }
  if (result.tip.isZero) return [main]
  return [
    main,
    {
      id: randomId(),
      description: 'Tip',
      amount: result.tip.negated(),
      payItemCase: word | TIP,
      caseData: undefined,
    },
  ]
}
