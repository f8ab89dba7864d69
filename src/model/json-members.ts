// Members of a JSON object that somebody else made: found in any case, read without complaint.
// Requests that are signed go through receipt-json.ts and pos-request.ts.
import { Decimal } from '../lib/decimal.js'
import { JsonNumber, JsonObject, type JsonValue, objectIn } from '../lib/json.js'
import { parseMoment } from '../lib/moment.js'
import { MULTIPLIERS } from './pos-fields.js'

/** The member of this name; else of one that differs in case only. Null counts as missing. */
export function memberOf(object: JsonObject, name: string): Exclude<JsonValue, null> | undefined {
  const exact = object.get(name)
  if (exact !== undefined && exact !== null) return exact
  return valuesOf(object, name).at(-1) ?? undefined
}

/** The values of all members with this name in any case, in their order. */
export function valuesOf(object: JsonObject, name: string): JsonValue[] {
  const lower = name.toLowerCase()
  const { names } = object
  // a body may have a hundred thousand names: most differ in their length
  return object.values.filter(
    (_, at) => names[at]?.length === lower.length && names[at]?.toLowerCase() === lower,
  )
}

/** Text or number as text; '' for everything else. */
export function textIn(object: JsonObject, name: string): string {
  const value = memberOf(object, name)
  if (typeof value === 'string') return value
  return value instanceof JsonNumber ? value.text : ''
}

const WORD = /^(?:\d{1,20}|0x[0-9a-f]{1,16})$/i

/**
 * A 64-bit word: integer, decimal text, or hexadecimal text with `_` between its groups. 0n when it
 * is missing, undefined when it cannot be read.
 */
export function wordIn(object: JsonObject, name: string): bigint | undefined {
  const value = memberOf(object, name)
  if (value === undefined || value === '') return 0n
  const text = textIn(object, name).replaceAll('_', '')
  return WORD.test(text) ? BigInt.asUintN(64, BigInt(text)) : undefined
}

/** A decimal member of an object, divided by the object's DecimalPrecisionMultiplier. */
export function decimalIn(object: JsonObject, name: string): Decimal | undefined {
  const value = Decimal.parse(textIn(object, name).trim())
  if (value === undefined) return undefined
  const digits = MULTIPLIERS[textIn(object, 'DecimalPrecisionMultiplier')] ?? 0
  return new Decimal(value.units, value.scale + digits)
}

/** Undefined also for the zero dates of some clients, which lie before 1900. */
export function momentIn(object: JsonObject, name: string): Date | undefined {
  const date = parseMoment(textIn(object, name))?.date
  return date !== undefined && date.getUTCFullYear() >= 1900 ? date : undefined
}

export function objectsIn(object: JsonObject, name: string): JsonObject[] {
  const value = memberOf(object, name)
  return Array.isArray(value) ? value.filter((one) => one instanceof JsonObject) : []
}

/** Lines of text; line ends inside of them split. */
export function linesIn(object: JsonObject, name: string): string[] {
  const value = memberOf(object, name)
  if (!Array.isArray(value)) return []
  return value.filter((one) => typeof one === 'string').flatMap((line) => line.split(/\r?\n/))
}

/** A member that may be an object, or a text that is the JSON of one. */
export function dataIn(object: JsonObject, name: string): JsonObject | undefined {
  return dataOf(memberOf(object, name))
}

/** An object, or a text that is the JSON of one. */
export function dataOf(value: JsonValue | undefined): JsonObject | undefined {
  if (value instanceof JsonObject) return value
  return typeof value === 'string' ? objectIn(value) : undefined
}
