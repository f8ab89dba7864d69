// The small JSON bodies of echo, journal and pair: an object whose names are matched without regard
// to case.
import type { FastifyRequest } from 'fastify'
import { fail } from '../../errors.js'
import { JsonNumber, type JsonObject, type JsonValue } from '../../lib/json.js'
import { utf8Text } from '../../lib/text.js'
import { bodyObject } from '../../model/body-json.js'
import { valuesOf } from '../../model/json-members.js'
import { checkPlain } from '../shared/encoding.js'
import { LONGEST_TEXT } from './headers.js'

export function bodyOf(request: FastifyRequest): Buffer {
  return Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
}

const JSON_TYPES = /^\s*(?:(?:application|text)\/json|[\w.!#$&^-]+\/[\w.!#$&^+-]+\+json)\s*(?:;|$)/i

/**
 * The body as text. Throws BODY_COMPRESSED, MEDIA_TYPE, BODY_MISSING, and BODY_MALFORMED for what
 * is no UTF-8. `known`: the text, where it was read before.
 */
export function bodyText(request: FastifyRequest, known?: string): string {
  checkPlain(request)
  const type = request.headers['content-type']
  if (type !== undefined && type.trim() !== '' && !JSON_TYPES.test(type)) {
    throw fail('MEDIA_TYPE', { type: type.slice(0, 100), expected: 'application/json' })
  }
  const text = known || utf8Text(bodyOf(request))
  if (text === undefined) throw fail('BODY_MALFORMED', { reason: 'the bytes are no UTF-8' })
  if (text.trim() === '') throw fail('BODY_MISSING', { expected: 'a JSON object' })
  return text
}

/** Throws BODY_MALFORMED for anything else, and for control characters in a string. */
export function objectOf(text: string): JsonObject {
  return bodyObject(text, 'it is no object', { cleanText: true })
}

/** Of several spellings the first that is not empty; undefined: there is none, or it is null. */
export function memberOf(object: JsonObject, name: string): JsonValue | undefined {
  const given = valuesOf(object, name).filter((value) => value !== null)
  return given.find((value) => value !== '') ?? given[0]
}

/** A string of at most 1023 characters. Throws FIELD_INVALID. */
export function textOf(value: JsonValue, field: string): string {
  if (typeof value === 'string' && value.length <= LONGEST_TEXT) return value
  throw fail('FIELD_INVALID', { field, expected: `a text of at most ${LONGEST_TEXT} characters` })
}

const INTEGER = /^-?\d{1,20}$/
const HEX = /^0x[0-9a-f]{1,16}$/i

export const INT64 = { from: -(1n << 63n), to: (1n << 63n) - 1n }
export const UINT64 = { from: 0n, to: (1n << 64n) - 1n }

/**
 * An integer of 64 bits, as number or as text; `0x…` may have `_` between its digits. `1.0` and
 * `1E3` are none: a writer of such numbers has lost digits already. Throws FIELD_INVALID.
 */
export function integerOf(value: JsonValue, field: string, range: typeof INT64): bigint {
  const found = wholeNumber(value)
  if (found !== undefined && found >= range.from && found <= range.to) return found
  throw fail('FIELD_INVALID', { field, expected: 'an integer of 64 bits: 1, "1" or "0x1"' })
}

function wholeNumber(value: JsonValue): bigint | undefined {
  if (value instanceof JsonNumber) return INTEGER.test(value.text) ? BigInt(value.text) : undefined
  if (typeof value !== 'string') return undefined
  const text = value.trim()
  const plain = /^0x/i.test(text) ? text.replaceAll('_', '') : text
  return INTEGER.test(plain) || HEX.test(plain) ? BigInt(plain) : undefined
}
