// One receipt of an archive: what was asked, what was answered, and whether its document says the
// same.
import { Decimal } from '../../lib/decimal.js'
import { JsonNumber, JsonObject, type JsonValue, LENIENT, objectIn } from '../../lib/json.js'
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
  const request = objectIn(text, LENIENT)
  return request === undefined ? '' : textOf(member(request, 'cbPreviousReceiptReference')).trim()
}

/**
 * What the items add up to, by their cases; undefined: a case of version 2 or a number that is none
 * stands in it. The documents of those are proven by their signature alone.
 */
export function amountsOf(text: string): Block | undefined {
  const request = objectIn(text, LENIENT)
  if (request === undefined) return undefined
  let sum: Block = new Map(MEMBERS.map((name) => [name, Decimal.ZERO]))
  for (const item of listOf(member(request, 'cbChargeItems'))) {
    const [amount, code] = [amountOf(item, 'Amount'), codeOf(item, 'ftChargeItemCase')]
    const rate = amountOf(item, 'VATRate')?.toShortString()
    if (amount === undefined || rate === undefined || code === undefined) return undefined
    const bucket: Member = chargeBucket(code, rate)
    sum = plus(plus(sum, new Map([['total', amount]])), new Map([[bucket, amount]]))
  }
  for (const item of listOf(member(request, 'cbPayItems'))) {
    const [amount, code] = [amountOf(item, 'Amount'), codeOf(item, 'ftPayItemCase')]
    if (amount === undefined || code === undefined) return undefined
    sum = plus(sum, new Map<Member, Decimal>([[payBucket(code), amount]]))
  }
  return sum
}

function amountOf(item: JsonObject, name: string): Decimal | undefined {
  const value = member(item, name)
  if (value === undefined || value === null) return Decimal.ZERO
  return Decimal.parse(value instanceof JsonNumber ? value.text : textOf(value))
}

function codeOf(item: JsonObject, name: string): number | undefined {
  const value = member(item, name)
  const text = value instanceof JsonNumber ? value.text : textOf(value)
  if (!/^(?:-?\d{1,20}|0x[0-9a-f]{1,16})$/i.test(text)) return undefined
  const word = BigInt.asUintN(64, BigInt(text))
  return ((word >> 44n) & 0xfn) === 2n ? undefined : Number(word & 0xffffn)
}

/** Whatever the spelling: hosts of the field write it in two ways. */
function member(object: JsonObject, name: string): JsonValue | undefined {
  const at = object.names.findIndex((one) => one.toLowerCase() === name.toLowerCase())
  return at < 0 ? undefined : object.values[at]
}

const textOf = (value: JsonValue | undefined): string => (typeof value === 'string' ? value : '')

function listOf(value: JsonValue | undefined): JsonObject[] {
  return Array.isArray(value) ? value.filter((one) => one instanceof JsonObject) : []
}
