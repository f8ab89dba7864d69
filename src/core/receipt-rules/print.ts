// The lines of a receipt that is only tried: what a printer of 42 columns would get, with marks in
// the places of signatures.

import { caseName } from '../../case/names.js'
import type { Cased, ReceiptWords } from '../../case/reader.js'
import { type ReceiptTraits, receiptTraits } from '../../case/traits.js'
import { type Decimal, formatCents } from '../../lib/decimal.js'
import type { Market } from '../../market/contract.js'
import type { ChargeItem, ReceiptRequest, Signature } from '../../model/receipt.js'
import { sumOf } from './rules.js'
import { letterOf, vatRows } from './sums.js'

const WIDTH = 42
const LINE = '-'.repeat(WIDTH)
const LONGEST_REFERENCE = 32

export interface Printed {
  market: Market
  /** ftCashBoxIdentification. */
  register: string
  request: ReceiptRequest
  words: ReceiptWords
  /** None for a receipt that is an error. */
  signatures: readonly Signature[]
}

export function printLines(printed: Printed): string[] {
  const { request, words } = printed
  return [
    ...marks(words),
    ...head(printed),
    LINE,
    ...words.charges.flatMap((word) => chargeLines(printed, word)),
    LINE,
    ...sides('Total EUR', money(sumOf(request.chargeItems))),
    ...vatTable(printed),
    LINE,
    ...request.payItems.flatMap((item) => sides(item.description, money(item.amount))),
    LINE,
    ...printed.signatures.flatMap(signatureLines),
  ]
}

const MARKS: readonly (readonly [trait: keyof ReceiptTraits, text: string])[] = [
  ['training', '*** TRAINING ***'],
  ['void', '*** VOID ***'],
  ['refund', '*** REFUND ***'],
]

function marks({ receipt }: ReceiptWords): string[] {
  if (receipt.code >>> 12 > LAST_SALE) return []
  const traits = receiptTraits(receipt)
  return MARKS.filter(([trait]) => traits[trait]).map(([, text]) => text)
}

/** `t` of receipts and invoices. */
const LAST_SALE = 1

function head({ market, register, request, words }: Printed): string[] {
  const { terminalId, receiptReference: reference } = request
  const short = reference !== null && [...reference].length <= LONGEST_REFERENCE
  return [
    ...wrapped(caseName(words.receipt)),
    '<ftReceiptIdentification>',
    localText(request.receiptMoment, market.facts.zone),
    ...wrapped(register),
    ...(short ? wrapped(reference) : []),
    ...(terminalId === null ? [] : wrapped(`Terminal ${terminalId}`)),
  ]
}

/** `30.01.2026 10:15` */
function localText(moment: Date, timeZone: string): string {
  return new Intl.DateTimeFormat('de-AT', {
    timeZone,
    day: '2-digit',
    month: '2-digit',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
  })
    .format(moment)
    .replace(', ', ' ')
}

function chargeLines({ request, market }: Printed, word: Cased<ChargeItem>): string[] {
  const { item } = word
  const letter = letterOf(word, request, market.cases)
  const count = item.quantity.toShortString()
  const many = count === '1' || item.quantity.isZero ? '' : `${count.replace('.', ',')} x `
  return sides(`${many}${item.description}`, `${money(item.amount)} ${letter}`)
}

function vatTable({ request, words, market }: Printed): string[] {
  return vatRows({ request, words }, market.cases).flatMap(({ letter, rate, net, tax, gross }) => {
    const percent = rate.toShortString().replace('.', ',')
    const [netText, taxText, grossText] = [net, tax, gross].map((one) => formatCents(one, ','))
    return sides(`${letter} ${percent} %`, `${netText} + ${taxText} = ${grossText}`)
  })
}

const money = (amount: Decimal): string => formatCents(amount.toCents(), ',')

const TEXT = 1n
/** Types of version 2 that need not be printed, or must not be shown. */
const NOT_PRINTED = 0x0030_0000n

/** What a unit would have to make is not made up: its place is marked. */
function signatureLines({ format, type, caption, data }: Signature): string[] {
  const isText = (format & 0xffn) === TEXT
  if (isText && (type & NOT_PRINTED) === 0n) return [caption, data].flatMap(wrapped)
  if (isText) return []
  return (type & NOT_PRINTED) === 0n
    ? [`<${caption === '' ? 'code of the signature' : caption}>`]
    : []
}

/** Left and right on one line where both fit. */
function sides(left: string, right: string): string[] {
  const lines = wrapped(left)
  const last = lines.pop() ?? ''
  const gap = WIDTH - [...last].length - right.length
  if (gap > 0) return [...lines, last + ' '.repeat(gap) + right]
  return [...lines, last, right.padStart(WIDTH)]
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
const CONTROL = /[\u0000-\u0009\u000b-\u001f\u007f]/g
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
const ANY_CONTROL = /[\u0000-\u001f\u007f]/

/** Lines of at most 42 characters without control characters; none for an empty text. */
function wrapped(text: string): string[] {
  // as nearly every line of thousands is
  if (text.length <= WIDTH && !ANY_CONTROL.test(text)) return text === '' ? [] : [text]
  return text
    .replaceAll('\r\n', '\n')
    .split('\n')
    .flatMap((line) => {
      const signs = [...line.replaceAll(CONTROL, ' ')]
      const parts: string[] = []
      for (let at = 0; at < signs.length; at += WIDTH)
        parts.push(signs.slice(at, at + WIDTH).join(''))
      return parts
    })
}
