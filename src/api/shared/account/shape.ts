// Brings what was sent into the form that a schema expects: names in any case, enumerations by name
// or ordinal, numbers without loss. The schema itself then judges.
import type { z } from 'zod'
import { JsonNumber, JsonObject, type JsonValue } from '../../../lib/json.js'

/** json: a body. text: path and query, where everything is text. */
export type Source = 'json' | 'text'

type Given = JsonValue | undefined

interface Def {
  type: string
  innerType?: z.ZodType
  in?: z.ZodType
  element?: z.ZodType
  valueType?: z.ZodType
  shape?: Record<string, z.ZodType>
  catchall?: z.ZodType
  entries?: Record<string, string>
  options?: readonly z.ZodType[]
  getter?(): z.ZodType
}

const defOf = (schema: z.ZodType): Def => (schema as unknown as { _zod: { def: Def } })._zod.def

const NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/
const WHOLE = /^-?\d{1,30}$/

/** A plain value for `schema`; what does not fit is left as it is, for the schema to refuse. */
export function shaped(schema: z.ZodType, value: Given, source: Source): unknown {
  const def = defOf(schema)
  const inner = def.innerType ?? (def.type === 'pipe' ? def.in : undefined) ?? def.getter?.()
  if (inner !== undefined) return shaped(inner, value, source)
  if (value === null || value === undefined) return value
  const shape = SHAPES[def.type]
  return shape === undefined ? value : shape(def, value, source)
}

type Shaper = (def: Def, value: JsonValue, source: Source) => unknown

const SHAPES: Readonly<Record<string, Shaper>> = {
  object: (def, value, source) => {
    if (!(value instanceof JsonObject)) return noObject(value)
    const known = Object.entries(def.shape ?? {}).map(([name, schema]) => {
      return [name, shaped(schema, memberOf(value, name), source)] as const
    })
    return Object.fromEntries(known.filter(([, member]) => member !== undefined))
  },
  record: (def, value, source) => {
    if (!(value instanceof JsonObject) || def.valueType === undefined) return noObject(value)
    const { valueType } = def
    return Object.fromEntries(
      value.names.map((name, at) => [name, shaped(valueType, value.values[at], source)]),
    )
  },
  array: ({ element }, value, source) =>
    Array.isArray(value) && element !== undefined
      ? value.map((one) => shaped(element, one, source))
      : value,
  enum: (def, value) => enumerated(Object.values(def.entries ?? {}), value),
  number: (_def, value, source) => {
    const digits = digitsOf(value, source)
    return digits !== undefined && NUMBER.test(digits) ? Number(digits) : value
  },
  bigint: (_def, value, source) => {
    const digits = digitsOf(value, source)
    return digits !== undefined && WHOLE.test(digits) ? BigInt(digits) : value
  },
  boolean: (_def, value, source) => {
    if (source === 'json' || typeof value !== 'string') return value
    const word = value.trim().toLowerCase()
    return word === 'true' ? true : word === 'false' ? false : value
  },
  union: ({ options = [] }, value, source) => {
    const tried = options.map((option) => ({ option, made: shaped(option, value, source) }))
    const fitting = tried.find(({ option, made }) => option.safeParse(made).success)
    return (fitting ?? tried[0])?.made
  },
}

/** A number is kept as an object of our own, which a schema would take for one of the sender. */
function noObject(value: JsonValue): unknown {
  return value instanceof JsonNumber ? Number(value.text) : value
}

function digitsOf(value: JsonValue, source: Source): string | undefined {
  if (value instanceof JsonNumber) return value.text
  return source === 'text' && typeof value === 'string' ? value.trim() : undefined
}

function enumerated(names: readonly string[], value: JsonValue): unknown {
  const text = value instanceof JsonNumber ? value.text : value
  if (typeof text !== 'string') return value
  const word = text.trim()
  if (/^\d{1,4}$/.test(word)) return names[Number(word)] ?? word
  return names.find((name) => name.toLowerCase() === word.toLowerCase()) ?? word
}

/** The last member of this name in any case. */
function memberOf(object: JsonObject, name: string): Given {
  const lower = name.toLowerCase()
  const at = object.names.findLastIndex((one) => one.toLowerCase() === lower)
  return at < 0 ? undefined : object.values[at]
}
