// The writing half of json.ts: numbers leave exactly as they are held, 64-bit words included.
import { Decimal } from './decimal.js'
import { JsonNumber, JsonObject } from './json.js'
import { mapInSlices } from './slices.js'
import { isoText } from './ticks.js'

/** Lists up to so many items are looked into for large ones. */
const FEW = 8

/**
 * JSON text of a value. bigint, Decimal and JsonNumber become JSON numbers, a Date ISO 8601 in UTC,
 * null stays; members that are undefined are left out.
 * Throws for what has no JSON form: undefined as such, functions, NaN and infinity.
 */
export function writeJson(value: unknown): string {
  if (value === null) return 'null'
  if (typeof value === 'string') return quoted(value)
  if (typeof value === 'boolean' || typeof value === 'bigint') return String(value)
  if (typeof value === 'number') return numberText(value)
  if (Array.isArray(value)) return listText(value)
  if (typeof value === 'object') return objectText(value)
  throw new TypeError(`no JSON form for ${typeof value}`)
}

function numberText(value: number): string {
  if (!Number.isFinite(value)) throw new TypeError(`no JSON form for ${value}`)
  return JSON.stringify(value)
}

function objectText(value: object): string {
  if (value instanceof JsonNumber) return value.text
  if (value instanceof Decimal) return value.toString()
  if (value instanceof Date) return `"${isoText(value)}"`
  if (value instanceof JsonObject) {
    const { names, values } = value
    let text = '{'
    for (let at = 0; at < names.length; at += 1) {
      if (at > 0) text += ','
      text += memberText(names[at] ?? '', values[at])
    }
    return `${text}}`
  }
  return plainText(value)
}

// long texts: no array and no join, each of which would hold all of them once more
function plainText(value: object): string {
  let text = ''
  for (const [name, member] of Object.entries(value)) {
    if (member !== undefined) text += `${text === '' ? '{' : ','}${memberText(name, member)}`
  }
  return text === '' ? '{}' : `${text}}`
}

function listText(values: readonly unknown[]): string {
  let text = '['
  for (let at = 0; at < values.length; at += 1) {
    if (at > 0) text += ','
    text += writeJson(values[at])
  }
  return `${text}]`
}

function memberText(name: string, value: unknown): string {
  return `${quoted(name)}:${writeJson(value)}`
}

/** Letters that stand for themselves; a short text of them needs no look at each by the engine. */
const PLAIN = /^[\w .,:#/+-]*$/
const SHORT = 64

function quoted(text: string): string {
  return text.length <= SHORT && PLAIN.test(text) ? `"${text}"` : JSON.stringify(text)
}

/** The same text of a large value in short pieces, with turns of others between them. */
export async function writeJsonInSlices(value: unknown): Promise<string> {
  if (Array.isArray(value)) {
    const items = value.length > FEW ? await mapInSlices(value, writeJson) : await each(value)
    return `[${items.join(',')}]`
  }
  if (!(value instanceof JsonObject)) return writeJson(value)
  const members = await each(value.values)
  return `{${members.map((text, at) => `${JSON.stringify(value.names[at])}:${text}`).join(',')}}`
}

async function each(values: readonly unknown[]): Promise<string[]> {
  const texts: string[] = []
  for (const value of values) texts.push(await writeJsonInSlices(value))
  return texts
}
