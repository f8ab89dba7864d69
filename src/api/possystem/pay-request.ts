// PayRequest of group D: names in any case, numbers exact, every fault with its path.

import { protocolNames, protocolOf } from '../../core/payment/providers.js'
import { isCurrency } from '../../device/payment/currency.js'
import {
  ANY_TERMINAL,
  type OriginalNames,
  type PaymentAction,
  type PayRequest,
  paymentActions,
} from '../../device/payment/order.js'
import { fail } from '../../errors.js'
import { Decimal } from '../../lib/decimal.js'
import { isUuid } from '../../lib/id.js'
import { JsonNumber, JsonObject, type JsonValue } from '../../lib/json.js'
import { CONTROL_CHARACTER } from '../../lib/text.js'
import { bodyJson } from '../../model/body-json.js'
import { dataOf, valuesOf } from '../../model/json-members.js'
import { MULTIPLIERS } from '../../model/pos-fields.js'

/** Longest text of a request, in UTF-16 code units. */
const LONGEST = 1023
/** What the requests of cash registers may carry: digits of a decimal. */
const MOST_DIGITS = 28
const NO_ID = '00000000-0000-0000-0000-000000000000'
const ITEM = 'cbPayItem'

/** terminalId: x-terminal-id, for a request without cbTerminalID. Throws what is `invalid`. */
export function decodePayRequest(text: string, terminalId: string | undefined): PayRequest {
  const body = bodyOf(text)
  const action = actionOf(textAt(body, 'Action', ''))
  const requestedProtocol = needed(textAt(body, 'Protocol', ''), 'Protocol', protocolNames)
  const protocol = protocolOf(requestedProtocol)
  if (protocol === undefined) throw invalid('Protocol', protocolNames.join(', '))
  const item = memberOf(body, ITEM)
  if (item === undefined) throw fail('FIELD_MISSING', { field: ITEM, expected: 'an object' })
  if (!(item instanceof JsonObject)) throw invalid(ITEM, 'an object')
  return {
    action,
    requestedProtocol,
    protocol,
    description: textAt(item, 'Description', `${ITEM}.`) ?? 'Card',
    amount: amountOf(item, action),
    currency: currencyOf(item),
    terminalId: textAt(body, 'cbTerminalID', '') ?? headerText(terminalId) ?? ANY_TERMINAL,
    original: originalOf(item),
  }
}

function bodyOf(text: string): JsonObject {
  if (text.trim() === '') throw fail('BODY_MISSING', { expected: 'a PayRequest' })
  const value = bodyJson(text, {}, ({ message, path }) => ({
    reason: message,
    ...(path === '' ? {} : { field: path }),
  }))
  if (value instanceof JsonObject) return value
  throw fail('BODY_MALFORMED', { reason: 'expected an object' })
}

// ---------------------------------------------------------------------- members

/**
 * The first value that says something, of all spellings; null and '' say nothing. Throws
 * FIELD_DOUBLED for a spelling that comes twice.
 */
function memberOf(object: JsonObject, name: string): JsonValue | undefined {
  const lower = name.toLowerCase()
  const spelled = object.names.filter((one) => one.toLowerCase() === lower)
  if (new Set(spelled).size < spelled.length) throw fail('FIELD_DOUBLED', { field: name })
  return valuesOf(object, name).find((value) => value !== null && value !== '')
}

function textAt(object: JsonObject, name: string, path: string): string | undefined {
  const value = memberOf(object, name)
  if (value === undefined) return undefined
  if (typeof value !== 'string') throw invalid(`${path}${name}`, 'a text')
  return checkedText(value, `${path}${name}`)
}

function checkedText(value: string, field: string): string | undefined {
  if (value.length > LONGEST) throw invalid(field, `at most ${LONGEST} characters`)
  if (CONTROL_CHARACTER.test(value)) throw invalid(field, 'a text without control characters')
  return value.trim() === '' ? undefined : value
}

function headerText(value: string | undefined): string | undefined {
  return value === undefined ? undefined : checkedText(value, 'x-terminal-id')
}

function needed(value: string | undefined, field: string, words: readonly string[]): string {
  if (value !== undefined) return value
  throw fail('FIELD_MISSING', { field, expected: `one of ${words.join(', ')}` })
}

function invalid(field: string, expected: string) {
  return fail('FIELD_INVALID', { field, expected })
}

// ------------------------------------------------------------------------ words

function actionOf(text: string | undefined): PaymentAction {
  const word = needed(text, 'Action', paymentActions).toLowerCase()
  const action = word === 'sale' ? 'payment' : paymentActions.find((one) => one === word)
  if (action === undefined) throw invalid('Action', paymentActions.join(', '))
  return action
}

function currencyOf(item: JsonObject): string | undefined {
  const given = textAt(item, 'Currency', `${ITEM}.`)?.trim().toUpperCase()
  if (given === undefined || isCurrency(given)) return given
  throw invalid(`${ITEM}.Currency`, 'three letters of ISO 4217, such as EUR')
}

/** Missing counts as 0, because published clients leave out what has its default value. */
function amountOf(item: JsonObject, action: PaymentAction): Decimal {
  const field = `${ITEM}.Amount`
  const amount = scaled(item, decimalOf(memberOf(item, 'Amount'), field))
  if (action === 'payment') {
    if (amount.isPositive) return amount
    throw invalid(field, 'a number above 0; money goes back by Action refund or cancel')
  }
  if (amount.isZero) throw invalid(field, 'a number other than 0')
  return amount.isNegative ? amount : amount.negated()
}

function decimalOf(value: JsonValue | undefined, field: string): Decimal {
  if (value === undefined) return Decimal.ZERO
  const expected = `a number with at most ${MOST_DIGITS} digits`
  if (!(value instanceof JsonNumber)) throw invalid(field, expected)
  const parsed = Decimal.parse(value.text)
  const digits = value.text
    .replace(/[eE].*$/, '')
    .replace(/\D/g, '')
    .replace(/^0+/, '')
  if (parsed === undefined || digits.length > MOST_DIGITS) throw invalid(field, expected)
  return parsed
}

function scaled(item: JsonObject, amount: Decimal): Decimal {
  const given = memberOf(item, 'DecimalPrecisionMultiplier')
  if (given === undefined) return amount
  const field = `${ITEM}.DecimalPrecisionMultiplier`
  const precision = given instanceof JsonNumber ? MULTIPLIERS[given.text] : undefined
  if (precision === undefined) throw invalid(field, 'one of 1, 100, 10000, 1000000, 100000000')
  if (precision === 0) return amount
  if (amount.toShortString().includes('.')) {
    throw invalid(`${ITEM}.Amount`, 'a whole number, because it has a multiplier')
  }
  return new Decimal(Decimal.of(amount.toShortString()).units, precision)
}

// ------------------------------------------------------------- the earlier payment

/** All spellings of ftPayItemId differ in case only. */
function originalOf(item: JsonObject): OriginalNames {
  const given = textAt(item, 'ftPayItemId', `${ITEM}.`)?.trim()
  const itemId = given === undefined || given === NO_ID ? undefined : given
  if (itemId !== undefined && !isUuid(itemId)) throw invalid(`${ITEM}.ftPayItemId`, 'a uuid')
  const barcode = textAt(item, 'MoneyBarcode', `${ITEM}.`)
  const references = [barcode, terminalReference(item)].filter((one) => one !== undefined)
  return { itemId: itemId?.toLowerCase(), references: references.map((one) => one.trim()) }
}

/** OperationID of the terminal's answer, deep in the case data; of any other form: none. */
function terminalReference(item: JsonObject): string | undefined {
  const path = ['Provider', 'ProtocolResponse', 'OperationID']
  const data = dataOf(memberOf(item, 'ftPayItemCaseData'))
  const found = path.reduce<JsonValue | undefined>((value, name) => {
    const object = dataOf(value)
    return object === undefined ? undefined : memberOf(object, name)
  }, data)
  if (typeof found !== 'string' || found.length > LONGEST || CONTROL_CHARACTER.test(found))
    return undefined
  return found.trim() === '' ? undefined : found
}
