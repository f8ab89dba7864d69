// One receipt of an archive: what was asked, what was answered, and whether its document says the
// same.
import { type Item, itemsIn, objectIn, textIn } from '../texts-in-json.js'
import { amountOf } from './amount.js'
import { type Block, MEMBERS, type Member, plus } from './payload.js'
import { chargeBucket, payBucket } from './word.js'

export interface Answer {
  identification: string
  moment: string
  /** Data of all signatures. */
  shown: string[]
}

export function readAnswer(text: string): Answer | undefined {
  const answer = objectIn(text)
  if (answer === undefined) return undefined
  return {
    identification: textIn(answer, 'ftReceiptIdentification'),
    moment: textIn(answer, 'ftReceiptMoment'),
    shown: itemsIn(answer, 'ftSignatures').map((one) => textIn(one, 'Data')),
  }
}

/**
 * What the items add up to, by their cases; undefined: a case of version 2 stands in it, or the
 * request is not plain JSON. The documents of those are proven by their signature alone.
 */
export function amountsOf(text: string): Block | undefined {
  const request = objectIn(text)
  if (request === undefined) return undefined
  let sum: Block = new Map(MEMBERS.map((name) => [name, 0n]))
  for (const item of itemsIn(request, 'cbChargeItems')) {
    const [amount, code] = [numberIn(item, 'Amount'), codeOf(item, 'ftChargeItemCase')]
    const rate = numberIn(item, 'VATRate')
    if (amount === undefined || rate === undefined || code === undefined) return undefined
    const bucket: Member = chargeBucket(code, rate)
    sum = plus(plus(sum, new Map([['total', amount]])), new Map([[bucket, amount]]))
  }
  for (const item of itemsIn(request, 'cbPayItems')) {
    const [amount, code] = [numberIn(item, 'Amount'), codeOf(item, 'ftPayItemCase')]
    if (amount === undefined || code === undefined) return undefined
    sum = plus(sum, new Map<Member, bigint>([[payBucket(code), amount]]))
  }
  return sum
}

/** What is not there is zero. */
function numberIn(item: Item, name: string): bigint | undefined {
  return amountOf(textIn(item, name) || '0')
}

function codeOf(item: Item, name: string): number | undefined {
  const text = textIn(item, name)
  if (!/^(?:-?\d{1,20}|0x[0-9a-f]{1,16})$/i.test(text)) return undefined
  const word = BigInt.asUintN(64, BigInt(text))
  return ((word >> 44n) & 0xfn) === 2n ? undefined : Number(word & 0xffffn)
}
