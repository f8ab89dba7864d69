// One receipt of an archive: what was asked, what was answered, and whether its document says the
// same.
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
  const signatures = listOf(member(answer, 'ftSignatures'))
  return {
    identification: textOf(member(answer, 'ftReceiptIdentification')),
    moment: textOf(member(answer, 'ftReceiptMoment')),
    shown: signatures.map((one) => textOf(member(one, 'Data'))),
  }
}

/** The reference of the receipt that is copied. */
export function copiedBy(text: string): string {
  const request = objectIn(text)
  return request === undefined ? '' : textOf(member(request, 'cbPreviousReceiptReference')).trim()
}

/**
 * What the items add up to, by their cases; undefined: a case of version 2 stands in it, or the
 * request is not plain JSON. The documents of those are proven by their signature alone.
 */
export function amountsOf(text: string): Block | undefined {
  const request = objectIn(text)
  if (request === undefined) return undefined
  let sum: Block = new Map(MEMBERS.map((name) => [name, 0n]))
  for (const item of listOf(member(request, 'cbChargeItems'))) {
    const [amount, code] = [numberIn(item, 'Amount'), codeOf(item, 'ftChargeItemCase')]
    const rate = numberIn(item, 'VATRate')
    if (amount === undefined || rate === undefined || code === undefined) return undefined
    const bucket: Member = chargeBucket(code, rate)
    sum = plus(plus(sum, new Map([['total', amount]])), new Map([[bucket, amount]]))
  }
  for (const item of listOf(member(request, 'cbPayItems'))) {
    const [amount, code] = [numberIn(item, 'Amount'), codeOf(item, 'ftPayItemCase')]
    if (amount === undefined || code === undefined) return undefined
    sum = plus(sum, new Map<Member, bigint>([[payBucket(code), amount]]))
  }
  return sum
}

type Item = Readonly<Record<string, unknown>>

/** What is not there is zero. */
function numberIn(item: Item, name: string): bigint | undefined {
  return amountOf(textOf(member(item, name)) || '0')
}

function codeOf(item: Item, name: string): number | undefined {
  const text = textOf(member(item, name))
  if (!/^(?:-?\d{1,20}|0x[0-9a-f]{1,16})$/i.test(text)) return undefined
  const word = BigInt.asUintN(64, BigInt(text))
  return ((word >> 44n) & 0xfn) === 2n ? undefined : Number(word & 0xffffn)
}

/** Whatever the spelling: hosts of the field write it in two ways. */
function member(object: Item, name: string): unknown {
  const found = Object.keys(object).find((one) => one.toLowerCase() === name.toLowerCase())
  return found === undefined ? undefined : object[found]
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

const isItem = (value: unknown): value is Item =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const listOf = (value: unknown): Item[] => (Array.isArray(value) ? value.filter(isItem) : [])

const TOKEN = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g

/** Numbers become texts, so that none loses a digit. */
function objectIn(text: string): Item | undefined {
  try {
    const value: unknown = JSON.parse(
      text.replace(TOKEN, (token) => (token.startsWith('"') ? token : `"${token}"`)),
    )
    return isItem(value) ? value : undefined
  } catch {
    return undefined // as lenient programs write it: comments, a comma too many
  }
}
