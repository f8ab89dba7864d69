// Reading and editing of JSON objects that keep their numbers and the order of their members.
import { JsonNumber, JsonObject, type JsonValue } from './json.js'

/** The last member of this name in any case; null counts as missing. */
export function memberOf(object: JsonObject | undefined, name: string): JsonValue | undefined {
  if (object === undefined) return undefined
  const lower = name.toLowerCase()
  const at = object.names.findLastIndex((one) => one.toLowerCase() === lower)
  return at < 0 ? undefined : (object.values[at] ?? undefined)
}

/** The same when it is an object. */
export function objectMember(object: JsonObject | undefined, name: string): JsonObject | undefined {
  const value = memberOf(object, name)
  return value instanceof JsonObject ? value : undefined
}

/** The same when it is a list: those of its entries that are objects. */
export function rowsMember(object: JsonObject | undefined, name: string): JsonObject[] {
  const value = memberOf(object, name)
  if (value instanceof JsonObject) return [value]
  return Array.isArray(value) ? value.filter((row) => row instanceof JsonObject) : []
}

/** A scalar as text; undefined for null, lists and objects. */
export function textMember(object: JsonObject | undefined, name: string): string | undefined {
  const value = memberOf(object, name)
  if (value instanceof JsonNumber) return value.text
  if (typeof value === 'boolean') return String(value)
  return typeof value === 'string' ? value : undefined
}

/** The object, or the text, at the end of these names. */
export const objectAt = (
  object: JsonObject | undefined,
  ...path: readonly string[]
): JsonObject | undefined => path.reduce(objectMember, object)

export const textAt = (
  object: JsonObject | undefined,
  ...path: readonly string[]
): string | undefined => textMember(objectAt(object, ...path.slice(0, -1)), path.at(-1) ?? '')

/** What an object is made of here: JSON values, and numbers that JSON shows as they are. */
export type Part = JsonValue | number | bigint

export function jsonObject(members: Readonly<Record<string, Part>>): JsonObject {
  const object = new JsonObject()
  for (const [name, value] of Object.entries(members)) push(object, name, value)
  return object
}

function push(object: JsonObject, name: string, value: Part): void {
  object.names.push(name)
  const plain = typeof value === 'number' || typeof value === 'bigint'
  object.values.push(plain ? new JsonNumber(String(value)) : value)
}

/** A copy with these members in the place of those of the same name in any case, others behind. */
export function withMembers(
  object: JsonObject,
  members: Readonly<Record<string, Part>>,
): JsonObject {
  const names = new Set(Object.keys(members).map((name) => name.toLowerCase()))
  const copy = withoutMembers(object, (name) => names.has(name.toLowerCase()))
  for (const [name, value] of Object.entries(members)) push(copy, name, value)
  return copy
}

export function withoutMembers(object: JsonObject, gone: (name: string) => boolean): JsonObject {
  const copy = new JsonObject()
  for (const [at, name] of object.names.entries()) {
    const value = object.values[at]
    if (gone(name) || value === undefined) continue
    copy.names.push(name)
    copy.values.push(value)
  }
  return copy
}

/** As the programs of the markets read settings: numbers as numbers, the last of doubled names. */
export function plainOf(value: JsonValue): unknown {
  if (value instanceof JsonNumber) return Number(value.text)
  if (Array.isArray(value)) return value.map(plainOf)
  if (!(value instanceof JsonObject)) return value
  return Object.fromEntries(
    value.names.map((name, at) => [name, plainOf(value.values[at] ?? null)]),
  )
}
