// What parseJson read as plain values, so that it can be compared with JSON.parse.
import { JsonNumber, JsonObject, type JsonValue } from '../../src/lib/json.js'

/** Numbers become doubles, of doubled members the last one stays. */
export function plainOf(value: JsonValue): unknown {
  if (value instanceof JsonNumber) return Number(value.text)
  if (Array.isArray(value)) return value.map(plainOf)
  if (!(value instanceof JsonObject)) return value
  const members = value.names.map((name, at) => [name, plainOf(value.values[at] ?? null)] as const)
  return Object.fromEntries(members)
}
