// The public parsing suite (JSONTestSuite, test_parsing): y_ must be read, n_ must be refused, i_
// either way. vectors/json-test-suite.json holds each file as text, as hex bytes, or as a
// repetition.
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { JsonError, type JsonValue, parseJson } from '../../src/lib/json.js'
import { utf8Text } from '../../src/lib/text.js'
import { plainOf } from '../support/json-plain.js'

type Entry = string | { hex: string } | { repeat: string; times: number }

const suite = JSON.parse(
  readFileSync(new URL('vectors/json-test-suite.json', import.meta.url), 'utf8'),
) as Record<string, Entry>

function bytesOf(entry: Entry): Buffer {
  if (typeof entry === 'string') return Buffer.from(entry, 'utf8')
  if ('hex' in entry) return Buffer.from(entry.hex, 'hex')
  return Buffer.from(entry.repeat.repeat(entry.times))
}

/** undefined: refused, either as bytes or as text. */
function read(bytes: Buffer, cleanText = false): JsonValue | undefined {
  const text = utf8Text(bytes)
  if (text === undefined) return undefined
  try {
    return parseJson(text, { cleanText })
  } catch (error) {
    if (error instanceof JsonError) return undefined
    throw error
  }
}

const entriesOf = (kind: string) =>
  Object.entries(suite)
    .filter(([name]) => name.startsWith(kind))
    .map(([name, entry]) => [name, bytesOf(entry)] as const)

/** Files that may be read or refused, and what we do. */
const EITHER_WAY: Record<string, 'read' | 'refused'> = {
  i_number_double_huge_neg_exp: 'read',
  i_number_huge_exp: 'read',
  i_number_neg_int_huge_exp: 'read',
  i_number_pos_double_huge_exp: 'read',
  i_number_real_neg_overflow: 'read',
  i_number_real_pos_overflow: 'read',
  i_number_real_underflow: 'read',
  i_number_too_big_neg_int: 'read',
  i_number_too_big_pos_int: 'read',
  i_number_very_big_negative_int: 'read',
  'i_structure_UTF-8_BOM_empty_object': 'read',
}

const HALF_SURROGATES = [
  'i_object_key_lone_2nd_surrogate',
  'i_string_1st_surrogate_but_2nd_missing',
  'i_string_1st_valid_surrogate_2nd_invalid',
  'i_string_incomplete_surrogate_and_escape_valid',
  'i_string_incomplete_surrogate_pair',
  'i_string_incomplete_surrogates_escape_valid',
  'i_string_invalid_lonely_surrogate',
  'i_string_invalid_surrogate',
  'i_string_inverted_surrogates_U+1D11E',
  'i_string_lone_second_surrogate',
]

describe('the public JSON suite', () => {
  it('is here as a whole', () => {
    expect(['y_', 'n_', 'i_'].map((kind) => entriesOf(kind).length)).toEqual([95, 188, 35])
  })

  it.each(entriesOf('y_'))('%s is read like JSON.parse reads it', (_name, bytes) => {
    const value = read(bytes)
    expect(value).toBeDefined()
    expect(plainOf(value ?? null)).toEqual(JSON.parse(bytes.toString('utf8')))
  })

  it.each(entriesOf('n_'))('%s is refused', (_name, bytes) => {
    expect(read(bytes)).toBeUndefined()
  })

  it.each(entriesOf('i_'))('%s is read or refused as decided', (name, bytes) => {
    if (HALF_SURROGATES.includes(name)) {
      expect(read(bytes)).toBeDefined()
      expect(read(bytes, true)).toBeUndefined()
    } else {
      expect(read(bytes) === undefined ? 'refused' : 'read').toBe(EITHER_WAY[name] ?? 'refused')
    }
  })
})
