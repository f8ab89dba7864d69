// What makes two calls the same: method, canonical path, and the bytes of their bodies, or else
// their canonical bodies: a repetition may order its members anew or write 10.0 for 10.
import { fail } from '../../errors.js'
import { sameBytes, sha256, sha256InSlices } from '../../lib/hash.js'
import {
  JsonError,
  JsonNumber,
  JsonObject,
  type JsonValue,
  jsonIn,
  parseJsonInSlices,
} from '../../lib/json.js'
import { LARGE, nextTurn } from '../../lib/slices.js'
import { utf8Text } from '../../lib/text.js'

/** A call as far as it is compared. */
export interface Compared {
  method: string
  /** As it was called. */
  path: string
  bodyHash: Uint8Array
  /** The body; null for one that was not kept. */
  text: string | null
}

/** Throws OPERATION_CONFLICT when the known call of this id was another one. */
export async function checkSame(
  call: Compared & { id: string },
  known: Compared,
  prefix: string,
): Promise<void> {
  if (!(await isSame(call, known, prefix))) {
    throw fail('OPERATION_CONFLICT', { operation: call.id })
  }
}

/**
 * What is repeated is nearly always repeated byte by byte; the canonical form costs as much as
 * reading the body twice.
 */
export async function isSame(call: Compared, known: Compared, prefix: string): Promise<boolean> {
  const head = ({ method, path }: Compared): string => headOf(method, belowMount(path, prefix))
  if (head(call) !== head(known)) return false
  if (sameBytes(call.bodyHash, known.bodyHash)) return true
  if (known.text === null) return false
  return sameBytes(await bodyPrint(call), await bodyPrint(known))
}

/** Of a large body in pieces, with turns of others between them. */
async function bodyPrint({ method, text }: Compared): Promise<Buffer> {
  const body = text ?? ''
  if (body.length < LARGE) return fingerprint(method, '', Buffer.from(body, 'utf8'))
  const value = await largeJson(body)
  await nextTurn()
  return sha256InSlices(headOf(method, '') + (value === undefined ? body : canonical(value)))
}

async function largeJson(text: string): Promise<JsonValue | undefined> {
  try {
    return await parseJsonInSlices(text)
  } catch (error) {
    if (error instanceof JsonError) return undefined
    throw error
  }
}

const headOf = (method: string, path: string): string =>
  `${method.toUpperCase()} ${canonicalPath(path)}\n`

/** A call stays the same when its group is mounted elsewhere. */
function belowMount(path: string, prefix: string): string {
  const plain = path.replace(/\/+/g, '/')
  return plain.toLowerCase().startsWith(prefix.toLowerCase()) ? plain.slice(prefix.length) : plain
}

/**
 * SHA-256 of `METHOD path LF canonical body`. The path counts without query, version prefix, helper
 * id in front of it, doubled slashes and case. A body that is no JSON counts byte by byte.
 */
export function fingerprint(method: string, path: string, body: Buffer): Buffer {
  const head = headOf(method, path)
  const text = utf8Text(body)
  const value = text === undefined ? undefined : jsonIn(text)
  return value === undefined
    ? sha256(Buffer.concat([Buffer.from(head, 'utf8'), body]))
    : sha256(head + canonical(value))
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

/** A name that stands twice keeps the order of its values. */
function canonicalObject({ names, values }: JsonObject): string {
  const members = names.map((name, at) => ({ name, value: values[at] ?? null }))
  members.sort((a, b) => byCodePoint(a.name, b.name))
  return `{${members.map(({ name, value }) => `${JSON.stringify(name)}:${canonical(value)}`)}}`
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

/** The shortest plain notation: `10.0` is 10, `1E-2` is 0.01, `-0.0` is 0. */
function canonicalNumber(text: string): string {
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
