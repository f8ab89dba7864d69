// Wrong paths, queries and bodies, made from the schemas of a row: each member once missing, of
// another type, too long, too large.
import { z } from 'zod'
import type { Operation } from '../../../src/api/dealer/operation.js'

interface JsonSchema {
  type?: string
  format?: string
  properties?: Record<string, JsonSchema>
  required?: string[]
  items?: JsonSchema
  anyOf?: JsonSchema[]
  oneOf?: JsonSchema[]
  maxLength?: number
  minimum?: number
  maximum?: number
  minItems?: number
}

type Json = Record<string, unknown>

const schemaOf = (schema: z.ZodType): JsonSchema =>
  z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema

/** What there may be beside null. */
const formsOf = (schema: JsonSchema): JsonSchema[] =>
  (schema.anyOf ?? schema.oneOf ?? [schema]).filter(({ type }) => type !== 'null')

/** Members of a body that hold ids. */
export function placesOf({ body, upload }: Operation): string[] {
  if (body === undefined || upload !== undefined) return []
  const found: string[] = []
  const walk = (schema: JsonSchema, path: string): void => {
    for (const form of formsOf(schema)) {
      if (form.format === 'uuid') found.push(path)
      if (form.items !== undefined) walk(form.items, path)
      for (const [name, member] of Object.entries(form.properties ?? {})) {
        walk(member, path === '' ? name : `${path}.${name}`)
      }
    }
  }
  walk(schemaOf(body), '')
  return found
}

export interface Wrong<T> {
  what: string
  given: T
  /** The key under which `errors` tells of it. */
  member: string
}

const at = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`)

/** Bodies with one fault each; `right` is a body that works. */
export function wrongMembers(row: Operation, right: unknown): Wrong<unknown>[] {
  if (row.body === undefined || row.upload !== undefined) return []
  return membersOf(schemaOf(row.body), right as Json, '')
}

function membersOf(schema: JsonSchema, right: Json, path: string): Wrong<unknown>[] {
  const [form = {}] = formsOf(schema)
  const required = new Set(form.required ?? [])
  return Object.entries(form.properties ?? {}).flatMap(([name, member]) => {
    const here = at(path, name)
    const put = (value: unknown): Json => ({ ...right, [name]: value })
    const wrong = valuesFor(member).map(([what, value, below = '']) => ({
      ...{ what: `${here}: ${what}`, given: put(value), member: here + below },
    }))
    const missing = { ...right }
    delete missing[name]
    const absent = { what: `${here}: missing`, given: missing, member: here }
    const [inner = {}] = formsOf(member)
    const value = right[name]
    const deeper =
      inner.properties === undefined || typeof value !== 'object' || value === null
        ? []
        : membersOf(member, value as Json, here).map((one) => ({ ...one, given: put(one.given) }))
    return [...(required.has(name) && required.size > 0 ? [absent] : []), ...wrong, ...deeper]
  })
}

type Value = readonly [what: string, value: unknown, below?: string]

function valuesFor(member: JsonSchema): Value[] {
  const forms = formsOf(member)
  const types = forms.map(({ type }) => type)
  // any JSON: nothing is wrong there
  if (types.includes(undefined) && forms.every(({ properties }) => properties === undefined)) {
    return []
  }
  const values: Value[] = types.includes('object') ? [] : [['an object', { a: 1 }]]
  if (!types.some((type) => type === 'integer' || type === 'number' || type === 'string')) {
    values.push(['a number', 7])
  }
  if (types.length > 1) return values
  const [form = {}] = forms
  if (form.type === 'string') values.push(['a list', ['x']])
  if (form.maxLength !== undefined && form.maxLength < 10_000) {
    values.push(['too long', 'x'.repeat(form.maxLength + 1)])
  }
  if (form.format === 'uuid') values.push(['no GUID', 'x'], ['half a GUID', '3f2504e0-4f89'])
  if (form.format === 'date-time') values.push(['no moment', 'yesterday'])
  if (form.type === 'integer') values.push(['a fraction', 1.5], ['a word', 'one'])
  if (form.maximum !== undefined) values.push(['too large', form.maximum + 1])
  if (form.minimum !== undefined) values.push(['too small', form.minimum - 1])
  if (form.type === 'array') values.push(['an item of another type', [{ a: 1 }], '[0]'])
  if (form.type === 'array' && (form.minItems ?? 0) > 0) values.push(['no item', []])
  return values
}

/** Path segments and query values with one fault each. */
export function wrongTexts(schema: z.ZodObject): Wrong<Record<string, string>>[] {
  const { properties = {} } = schemaOf(schema)
  return Object.entries(properties).flatMap(([member, one]) => {
    const [form = {}] = formsOf(one)
    return textsFor(form).map((text) => ({
      what: `${member}=${text}`,
      given: { [member]: text },
      member,
    }))
  })
}

function textsFor({ type, format }: JsonSchema): string[] {
  if (format === 'uuid') return ['x', '3f2504e0-4f89-41d3-9a0c-0305e82c330', '7', "'; --", '%00']
  if (format === 'date-time') return ['yesterday', '2026-13-01']
  if (type === 'integer' || type === 'number') return ['x', '1.5', '99999999999999999999', '0x1']
  if (type === 'boolean') return ['x', '2']
  return []
}
