// Whether an answer is what the OpenAPI page promises for its status: media type, members, types.
import { expect } from 'vitest'
import { pageOf } from '../../../src/api/dealer/document.js'
import type { Operation } from '../../../src/api/dealer/operation.js'
import type { Reply } from '../dealer.js'

interface Schema {
  type?: string
  nullable?: boolean
  enum?: unknown[]
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  additionalProperties?: Schema | boolean
  anyOf?: Schema[]
}

interface Promised {
  content?: Record<string, { schema: Schema }>
}

/** Fails unless the page of the row promises this answer. */
export function expectPromised(row: Operation, reply: Reply): void {
  const { response } = pageOf(row) as { response: Record<string, Promised> }
  const promised = response[String(reply.status)]
  if (promised === undefined) throw new Error(`${row.id}: ${reply.status} is on no page`)
  if (reply.status === 204) return
  const [type = ''] = String(reply.headers['content-type']).split(';')
  const schema = promised.content?.[type]?.schema
  if (schema === undefined) throw new Error(`${row.id}: ${reply.status} is promised in no ${type}`)
  const value: unknown = type.endsWith('json') ? JSON.parse(reply.text) : reply.text
  expect(faultsOf(schema, value, '$'), reply.text).toEqual([])
}

/** Where the value is not what the schema says, and members that it does not name. */
function faultsOf(schema: Schema, value: unknown, path: string): string[] {
  const { anyOf, type, nullable } = schema
  if (anyOf !== undefined) {
    return anyOf.some((one) => faultsOf(one, value, path).length === 0) ? [] : [`${path}: no form`]
  }
  if (value === null) return nullable === true || type === undefined ? [] : [`${path}: null`]
  if (schema.enum !== undefined && !schema.enum.includes(value)) return [`${path}: ${value}`]
  if (type === undefined) return []
  if (type === 'array') return listFaults(schema, value, path)
  if (type === 'object') return objectFaults(schema, value, path)
  const given: string = Number.isInteger(value) && type === 'integer' ? type : typeof value
  return given === type ? [] : [`${path}: ${given} instead of ${type}`]
}

function listFaults({ items = {} }: Schema, value: unknown, path: string): string[] {
  if (!Array.isArray(value)) return [`${path}: no list`]
  return value.flatMap((one, at) => faultsOf(items, one, `${path}[${at}]`))
}

function objectFaults(schema: Schema, value: unknown, path: string): string[] {
  if (typeof value !== 'object' || Array.isArray(value)) return [`${path}: no object`]
  const { properties = {}, required = [], additionalProperties } = schema
  const missing = required.filter((name) => !(name in Object(value)))
  const members = Object.entries(value as object).flatMap(([name, one]: [string, unknown]) => {
    const here = `${path}.${name}`
    const known = properties[name]
    if (known !== undefined) return faultsOf(known, one, here)
    // refusals may say more; what is said of success is said completely
    if (typeof additionalProperties === 'object') return faultsOf(additionalProperties, one, here)
    return Object.keys(properties).length === 0 || REFUSAL in properties ? [] : [`${here}: unknown`]
  })
  return [...missing.map((name) => `${path}.${name}: missing`), ...members]
}

/** The member that error objects have, and nothing else. */
const REFUSAL = 'TraceId'
