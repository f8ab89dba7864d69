// What makes two calls the same: SHA-256 over method, canonical path and canonical body, so that a
// repetition may order its members anew or write 10.0 for 10. Called by api/possystem.
import { fail } from '../../errors.js'
import { sameBytes, sha256 } from '../../lib/hash.js'
import { JsonNumber, JsonObject, type JsonValue, jsonIn } from '../../lib/json.js'
import { utf8Text } from '../../lib/text.js'
import type { OperationKey } from './operation.js'

/** A body, read once. */
export interface ReadBody {
  bytes: Buffer
  /** Undefined: no UTF-8. */
  text: string | undefined
  /** Undefined: no JSON. */
  value: JsonValue | undefined
}

export function readBody(bytes: Buffer): ReadBody {
  const text = utf8Text(bytes)
  return { bytes, text, value: text === undefined ? undefined : jsonIn(text) }
}

/**
 * `METHOD path LF body`. The path counts without query, version prefix, helper id in front of it,
 * doubled slashes and case. A body that is no JSON counts byte by byte.
 */
export function fingerprint(method: string, path: string, { bytes, value }: ReadBody): Buffer {
  const head = `${method.toUpperCase()} ${canonicalPath(path)}\n`
  return value === undefined
    ? sha256(Buffer.concat([Buffer.from(head, 'utf8'), bytes]))
    : sha256(head + canonical(value))
}

/** Throws OPERATION_CONFLICT. */
export function checkSame(call: OperationKey & { fingerprint: Buffer }, other: Uint8Array): void {
  if (!sameBytes(call.fingerprint, other)) throw fail('OPERATION_CONFLICT', { operation: call.id })
}

const HELPER = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}'
/** `/v2`, `/v2.1`, and the id that a local launcher puts in front of them. */
const PREFIX = new RegExp(`^(/${HELPER})?/v2(\\.1)?(?=/|$)`)

export function canonicalPath(path: string): string {
  const [bare = ''] = path.split('?')
  const plain = `/${decoded(bare)}`
    .toLowerCase()
    .replace(/\/+/g, '/')
    .replace(/(?<=.)\/$/, '')
  return plain.replace(PREFIX, '')
}

function decoded(path: string): string {
  if (!path.includes('%')) return path
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

function canonical(value: JsonValue): string {
  if (typeof value === 'string') return JSON.stringify(value)
  if (value instanceof JsonNumber) return canonicalNumber(value.text)
  if (value instanceof JsonObject) return canonicalObject(value)
  return Array.isArray(value) ? `[${value.map(canonical).join(',')}]` : String(value)
}

function canonicalObject({ names, values }: JsonObject): string {
  const { order, labels } = shapeOf(names)
  let text = '{'
  for (let at = 0; at < order.length; at += 1) {
    text += labels[at] + canonical(values[order[at] ?? 0] ?? null)
  }
  return `${text}}`
}

/** How members of these names are written: their places in order, and what stands before each. */
interface Shape {
  order: number[]
  labels: string[]
}

/** Items of receipts have few shapes, and sorting names costs more than everything else here. */
const shapes = new Map<string, Shape>()
const MOST_SHAPES = 500
/** Of names that are kept, in code units; so much of an attacker's text stays in memory. */
const LONGEST_SHAPE = 600

function shapeOf(names: readonly string[]): Shape {
  const key = names.join('\u0000')
  const known = shapes.get(key)
  // names that hold the separator could look like others
  if (known !== undefined && known.order.length === names.length) return known
  const shape = newShape(names)
  if (key.length > LONGEST_SHAPE || names.some((name) => name.includes('\u0000'))) return shape
  if (shapes.size >= MOST_SHAPES) shapes.clear()
  shapes.set(key, shape)
  return shape
}

/** A name that stands twice keeps the order of its values. */
function newShape(names: readonly string[]): Shape {
  const order = names.map((_name, at) => at)
  order.sort((a, b) => byCodePoint(names[a] ?? '', names[b] ?? ''))
  const labels = order.map((at, place) => {
    return `${place === 0 ? '' : ','}${JSON.stringify(names[at])}:`
  })
  return { order, labels }
}

/** Code units order differently: half pairs stand below U+E000 there. */
function byCodePoint(a: string, b: string): number {
  const length = Math.min(a.length, b.length)
  for (let at = 0; at < length; at += 1) {
    const [left, right] = [a.charCodeAt(at), b.charCodeAt(at)]
    if (left !== right) return raised(left) - raised(right)
  }
  return a.length - b.length
}

const FIRST_HALF = 0xd800
const AFTER_HALVES = 0xe000

/** Half pairs above everything else, as the characters that they make up are. */
function raised(unit: number): number {
  return unit >= FIRST_HALF && unit < AFTER_HALVES ? unit + 0x1_0000 : unit
}

const NUMBER = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?)(\d+))?$/
/** Zeros that are written out at most: `1e99` in five bytes must not become a hundred of them. */
const MOST_PLACES = 64
/** Exponents with more digits are compared as they stand. */
const EXPONENT_DIGITS = 12

/** Whole, or with a last decimal that is not 0: written in the shortest way already. */
const SHORTEST = /^(?:0|-?[1-9]\d*|-?(?:0|[1-9]\d*)\.\d*[1-9])$/

/** The shortest plain notation: `10.0` is 10, `1E-2` is 0.01, `-0.0` is 0. */
function canonicalNumber(text: string): string {
  if (SHORTEST.test(text)) return text
  const [, minus = '', whole = '', fraction = '', sign = '', power = '0'] = NUMBER.exec(text) ?? []
  const digits = stripEnd(stripStart(whole + fraction))
  if (digits === '') return '0'
  const raise = stripStart(power)
  if (raise.length > EXPONENT_DIGITS) return `${minus}${whole}.${fraction}e${sign}${raise}`
  const exponent = Number(`${sign}${raise === '' ? '0' : raise}`)
  // digits stand directly behind the point when it is 0
  const point = stripStartCount(whole + fraction, whole.length) + exponent
  return minus + written(digits, point)
}

/** 0.digits × 10^point */
function written(digits: string, point: number): string {
  const places = Math.abs(point)
  if (places > MOST_PLACES + digits.length) return `0.${digits}e${point}`
  if (point <= 0) return `0.${'0'.repeat(-point)}${digits}`
  if (point >= digits.length) return digits + '0'.repeat(point - digits.length)
  return `${digits.slice(0, point)}.${digits.slice(point)}`
}

/** Where the point stands once the leading zeros are gone. */
function stripStartCount(digits: string, point: number): number {
  return point - (digits.length - stripStart(digits).length)
}

function stripStart(digits: string): string {
  let at = 0
  while (digits.charCodeAt(at) === 0x30) at += 1
  return digits.slice(at)
}

function stripEnd(digits: string): string {
  let end = digits.length
  while (digits.charCodeAt(end - 1) === 0x30) end -= 1
  return digits.slice(0, end)
}
