// What registers send, as the interface has it in every country: case words, and sums of items.
import { amountOf, amountText } from './amount.js'
import { itemsIn, objectIn, textIn } from './texts-in-json.js'

export interface CaseWord {
  code: number
  isVersion2: boolean
  /** Of the flags above the code, as a number of their own. */
  has(flag: number): boolean
}

/** Undefined: it is no word. */
export function wordOf(text: string): CaseWord | undefined {
  if (!/^(?:-?\d{1,20}|0x[0-9a-f]{1,16})$/i.test(text)) return undefined
  const word = BigInt.asUintN(64, BigInt(text))
  return {
    code: Number(word & 0xffffn),
    isVersion2: ((word >> 44n) & 0xfn) === 2n,
    has: (flag) => ((word >> 16n) & BigInt(flag)) !== 0n,
  }
}

/** Which sums an item of version 0 raises; `rate`: in percent, without zeros at its end. */
export interface Raised {
  charge(code: number, rate: string): readonly string[]
  pay(code: number): readonly string[]
}

/**
 * What the items of a request add up to; undefined: a case of version 2 stands in it, or it is no
 * plain JSON.
 */
export function sumsOf(text: string, raised: Raised): Map<string, bigint> | undefined {
  const request = objectIn(text)
  if (request === undefined) return undefined
  const sums = new Map<string, bigint>()
  for (const [list, name, membersOf] of [
    ['cbChargeItems', 'ftChargeItemCase', raised.charge],
    ['cbPayItems', 'ftPayItemCase', raised.pay],
  ] as const) {
    for (const item of itemsIn(request, list)) {
      const [amount, rate] = ['Amount', 'VATRate'].map((one) => amountOf(textIn(item, one) || '0'))
      const word = wordOf(textIn(item, name))
      if (word === undefined || word.isVersion2) return undefined
      if (amount === undefined || rate === undefined) return undefined
      for (const member of membersOf(word.code, amountText(rate))) {
        sums.set(member, amount + (sums.get(member) ?? 0n))
      }
    }
  }
  return sums
}
