// What the schemas find wrong, in sentences of our own: the words of their library never get out.
import type { z } from 'zod'
import type { Language } from '../lib/language.js'
import { type SentenceKey, sentenceOf } from '../notify/message.js'

type Issue = z.core.$ZodRawIssue

/** What the library calls a type. */
const EXPECTED: Readonly<Record<string, SentenceKey>> = {
  object: 'anObject',
  record: 'anObject',
  array: 'aList',
  tuple: 'aList',
  string: 'aText',
  number: 'aNumber',
  int: 'aWholeNumber',
  safeint: 'aWholeNumber',
  bigint: 'aWholeNumber',
  boolean: 'trueOrFalse',
}

/** A sentence about the member at the path of the issue, `name`. */
export function faultOf(issue: Issue, name: string, language: Language): string {
  if (issue.code === 'custom') {
    const key = (issue.params as { say?: SentenceKey } | undefined)?.say
    if (key !== undefined) return sentenceOf(key, language)
  }
  const named = name === '$' ? sentenceOf('theBody', language) : name
  const bound = boundOf(issue)
  if (bound !== undefined) {
    return sentenceOf(bound.key, language, { name: named, limit: bound.limit })
  }
  const expected = expectedIn(issue, language)
  return sentenceOf(stateOf(issue.input), language, { name: named, expected })
}

/** `company.identifiers.vatId`, `queueIds[1]`; `$` for the whole. */
export function pathText(path: readonly PropertyKey[]): string {
  const text = path.reduce<string>((before, part) => {
    if (typeof part === 'number') return `${before}[${part}]`
    return before === '' ? String(part) : `${before}.${String(part)}`
  }, '')
  return text === '' ? '$' : text
}

/** For `safeParse`: what a schema has no words of its own for, in English. */
export const PLAINLY = {
  error: (issue: Issue): string => faultOf(issue, pathText(issue.path ?? []), 'en'),
}

/** The same where the sentence around it names the member: `a whole number`. */
export const EXPECTED_ONLY = {
  error: (issue: Issue): string => {
    const bound = boundOf(issue)
    return bound === undefined
      ? expectedIn(issue, 'en')
      : (WITHIN[bound.key]?.(bound.limit) ?? 'another value')
  },
}

const WITHIN: Readonly<Partial<Record<SentenceKey, (limit: string) => string>>> = {
  faultTooLong: (limit) => `at most ${limit} characters`,
  faultTooShort: (limit) => `at least ${limit} characters`,
  faultTooMany: (limit) => `at most ${limit} entries`,
  faultTooFew: (limit) => `at least ${limit} entries`,
  faultTooLarge: (limit) => `at most ${limit}`,
  faultTooSmall: (limit) => `at least ${limit}`,
}

function stateOf(input: unknown): SentenceKey {
  if (input === undefined) return 'faultMissing'
  return input === null ? 'faultNull' : 'faultType'
}

function expectedIn(issue: Issue, language: Language): string {
  if (issue.code === 'invalid_type') {
    return sentenceOf(EXPECTED[issue.expected] ?? 'anotherValue', language)
  }
  if (issue.code === 'invalid_value') {
    return sentenceOf('oneOf', language, { values: issue.values.map(String).join(', ') })
  }
  if (issue.code === 'invalid_union') {
    const ways = issue.errors.flatMap(([first]) => (first === undefined ? [] : [first]))
    const words = new Set(ways.map((one) => expectedIn(one as Issue, language)))
    return words.size === 0 ? sentenceOf('anotherValue', language) : [...words].join(' / ')
  }
  return sentenceOf('anotherValue', language)
}

interface Bound {
  key: SentenceKey
  limit: string
}

function boundOf(issue: Issue): Bound | undefined {
  if (issue.code === 'too_big') {
    return { key: BEYOND[issue.origin] ?? 'faultTooLarge', limit: String(issue.maximum) }
  }
  if (issue.code === 'too_small') {
    return { key: BELOW[issue.origin] ?? 'faultTooSmall', limit: String(issue.minimum) }
  }
  return undefined
}

const BEYOND: Readonly<Record<string, SentenceKey>> = {
  string: 'faultTooLong',
  array: 'faultTooMany',
}
const BELOW: Readonly<Record<string, SentenceKey>> = {
  string: 'faultTooShort',
  array: 'faultTooFew',
}
