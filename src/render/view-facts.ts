// The head of a shown receipt: number, moment, register, references, customer.

import type { ReceiptTraits } from '../case/traits.js'
import { JsonObject } from '../lib/json.js'
import { dataIn, memberOf, momentIn, objectsIn, textIn } from '../model/json-members.js'
import { dateText, plainText } from './plain-text.js'
import type { PublishedPair } from './published-pair.js'
import type { Told } from './view-marks.js'
import { type Language, type Words, wordsOf } from './words.js'

/** What stands in the head of a receipt. */
export interface Fact {
  label: string
  value: string
  /** What pages show in a place of its own: technical ones say nothing to the customer. */
  is?: 'number' | 'moment' | 'technical'
}

/** A reference that is longer is a key of the register, which says nothing to anybody. */
const LONGEST_REFERENCE = 32
/** More references than these are counted only. */
const MOST_REFERENCES = 10

/** When the queue took it; of a pair that names no such moment, when the register made it. */
export function momentOf({ request, response }: PublishedPair): Date | undefined {
  return momentIn(response, 'ftReceiptMoment') ?? momentIn(request, 'cbReceiptMoment')
}

export function factsOf(
  pair: PublishedPair,
  { language, receipt, told }: { language: Language; receipt: ReceiptTraits; told: Told },
): Fact[] {
  const { request, response, zone } = pair
  const words = wordsOf(language)
  const when = (moment: Date | undefined): string =>
    moment === undefined ? '' : dateText(moment, { zone, language })
  const made = when(momentOf(pair))
  const entered = receipt.handwritten || receipt.late
  const original = entered ? when(momentIn(request, 'cbReceiptMoment')) : ''
  const facts: Fact[] = [
    { label: words.number, value: textIn(response, 'ftReceiptIdentification'), is: 'number' },
    { label: words.moment, value: made, is: 'moment' },
    { label: words.original, value: original === made ? '' : original },
    ...technical(words.register, textIn(response, 'ftCashBoxIdentification')),
    ...technical(words.reference, shortOnly(textIn(request, 'cbReceiptReference'))),
    ...technical(words.terminal, terminalOf(request)),
    { label: words.operator, value: told.omits.has('operator') ? '' : textIn(request, 'cbUser') },
    ...told.head,
    { label: words.previous, value: previousOf(request, response).join(', ') },
  ]
  return facts
    .map((fact) => ({ ...fact, value: plainText(fact.value).trim() }))
    .filter(({ value }) => value !== '')
}

const technical = (label: string, value: string): Fact[] => [{ label, value, is: 'technical' }]

/** Registers whose program has no name for it send the word that their language has for nothing. */
function terminalOf(request: JsonObject): string {
  const name = textIn(request, 'cbTerminalID').trim()
  return NOTHING.has(name.toLowerCase()) ? '' : name
}

const NOTHING: ReadonlySet<string> = new Set(['undefined', 'null'])

function shortOnly(reference: string): string {
  return reference.length <= LONGEST_REFERENCE ? reference : ''
}

/** Numbers of the receipts that were found, else the references that were sent. */
function previousOf(request: JsonObject, response: JsonObject): string[] {
  const data = dataIn(response, 'ftStateData')
  const pairs = data === undefined ? [] : objectsIn(data, 'ftPreviousReceiptReference')
  const numbers = pairs.flatMap((pair) => {
    const found = memberOf(pair, 'ReceiptResponse')
    return found instanceof JsonObject ? [textIn(found, 'ftReceiptIdentification')] : []
  })
  const known = numbers.filter((number) => number !== '')
  const texts = known.length > 0 ? known : sentReferences(request)
  return texts.slice(0, MOST_REFERENCES)
}

function sentReferences(request: JsonObject): string[] {
  const given = memberOf(request, 'cbPreviousReceiptReference')
  const texts = Array.isArray(given) ? given : [given]
  return texts
    .filter((one) => typeof one === 'string')
    .map(shortOnly)
    .filter((text) => text !== '')
}

/** Members of a customer, with and without their prefix. */
export function customerOf(request: JsonObject, words: Words): string[] {
  const customer = dataIn(request, 'cbCustomer')
  if (customer === undefined) return []
  const member = (name: string): string =>
    plainText(textIn(customer, `Customer${name}`) || textIn(customer, name))
  const place = `${member('Zip')} ${member('City')}`.trim()
  const lines = [
    member('Name'),
    member('Street'),
    place,
    member('Country'),
    labelled(words.vatNumber, member('VATId')),
  ]
  return lines.filter((line) => line !== '')
}

const labelled = (label: string, value: string): string =>
  value === '' ? '' : `${label}: ${value}`
