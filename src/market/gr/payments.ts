// How a document was paid, as myDATA numbers it: tips hang on their payment, cards bring the
// signature of the provider.
import type { Cased } from '../../case/reader.js'
import { payTraits } from '../../case/traits.js'
import { paymentTree } from '../../device/gr/document.js'
import { formatCents } from '../../lib/decimal.js'
import { objectIn } from '../../lib/json.js'
import { textAt } from '../../lib/json-object.js'
import type { XmlTree } from '../../lib/xml-write.js'
import type { PayItem } from '../../model/receipt.js'
import type { Refusal } from '../kit/refusal.js'
import { NOT_TOLD, TRANSFER, transferWay, ways } from './cases.js'
import { refuse } from './text.js'

interface Paid {
  position: string
  kind: number
  type: number
  amount: bigint
  tip: bigint
  item: PayItem
}

export function paymentsOf(pays: readonly Cased<PayItem>[], refunds: boolean): XmlTree[] | Refusal {
  const paid: Paid[] = []
  for (const [at, one] of pays.entries()) {
    const { kind, tip, change } = payTraits(one)
    if (kind === NOT_TOLD) continue
    const { item } = one
    const text = item.description.toUpperCase()
    const way = kind === TRANSFER ? transferWay({ text }) : ways[kind]
    if (way === undefined)
      return refuse('payment', String(kind), `0x${item.payItemCase.toString(16)}`)
    const position = String(item.position > 0n ? item.position : at + 1)
    const amount = refunds ? -item.amount.toCents() : item.amount.toCents()
    const before = paid.at(-1)
    if (tip && amount < 0n) {
      if (before === undefined) return refuse('tipAlone', position, item.description)
      if (before.tip !== 0n) return refuse('tipTwice', position, item.description, before.position)
      if (before.kind !== kind) {
        return refuse('tipOther', position, item.description, before.position)
      }
      Object.assign(before, { amount: before.amount + amount, tip: -amount })
    } else if (change && amount < 0n && before !== undefined && before.kind === kind) {
      before.amount += amount
    } else {
      paid.push({ position, kind, type: way, amount, tip: 0n, item })
    }
  }
  const wrong = paid.find(({ amount }) => amount < 0n)
  return wrong === undefined ? paid.map(treeOf) : refuse('negative', formatCents(wrong.amount, '.'))
}

const treeOf = ({ item, ...paid }: Paid): XmlTree =>
  paymentTree({ ...paid, text: item.description, ...(paid.type === 7 ? signed(item) : {}) })

/**
 * In the original's own form, or in that of the provider. What the provider signs is made where
 * the terminal is asked; it is handed on as it comes.
 */
function signed({ payItemCaseData }: PayItem): { id?: string; signature?: string } {
  const data = objectIn(payItemCaseData)
  const of = (name: string, message: string) =>
    textAt(data, 'aadeSignatureData', name) ?? textAt(data, 'Provider', message, name)
  const id = of('aadeTransactionId', 'ProtocolResponse')
  const signature = of('aadeProviderSignature', 'ProtocolRequest')
  return id === undefined || signature === undefined ? {} : { id, signature }
}
