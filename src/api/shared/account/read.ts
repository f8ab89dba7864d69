// Path, query and body of a call by the schemas of its row; everything that is wrong is told at
// once.
import type { FastifyRequest } from 'fastify'
import type { z } from 'zod'
import { faultOf, pathText } from '../../../core/shape-fault.js'
import { type Faults, fail } from '../../../errors.js'
import { JsonError, JsonObject, type JsonValue, parseJson } from '../../../lib/json.js'
import type { Language } from '../../../lib/language.js'
import { utf8Text } from '../../../lib/text.js'
import { sentenceOf } from '../../../notify/message.js'
import type { Operation } from './operation.js'
import { type Source, shaped } from './shape.js'

export interface Read {
  params: Record<string, unknown>
  query: Record<string, unknown>
  body: unknown
}

type Collected = Record<string, string[]>

/** Where path, query and body come from. */
export type Given = Pick<FastifyRequest, 'params' | 'query' | 'body' | 'headers'>

/** Throws SHAPE_INVALID with `faults`, MEDIA_TYPE, or what the row says for a wrong path. */
export function readCall(operation: Operation, request: Given, language: Language): Read {
  const faults: Collected = {}
  const judge = (schema: z.ZodType, value: JsonValue | undefined, source: Source) =>
    judged({ schema, value, source, language }, faults)
  const params = judge(operation.params, objectOf(request.params), 'text')
  if (operation.badPath !== undefined && Object.keys(faults).length > 0)
    throw fail(operation.badPath, { invitation: idIn(request.params) })
  const query = judge(operation.query, objectOf(request.query, operation.emptyRefused), 'text')
  const body = bodyOf(operation, request, { judge, faults, language })
  if (Object.keys(faults).length > 0) throw invalid(faults)
  return {
    params: params as Record<string, unknown>,
    query: query as Record<string, unknown>,
    body,
  }
}

const LONGEST_NAMED = 100

/** As it stands in the path, for a sentence. */
function idIn(params: unknown): string {
  const { id } = Object(params) as { id?: unknown }
  return String(id).replace(CONTROL, '\ufffd').slice(0, LONGEST_NAMED)
}

export function invalid(faults: Faults) {
  const refusal = fail('SHAPE_INVALID')
  refusal.faults = faults
  return refusal
}

interface Judged {
  schema: z.ZodType
  value: JsonValue | undefined
  source: Source
  language: Language
}

function judged({ schema, value, source, language }: Judged, faults: Collected): unknown {
  const parsed = schema.safeParse(shaped(schema, value, source), {
    error: (issue) => faultOf(issue, pathText(issue.path ?? []), language),
  })
  if (parsed.success) return parsed.data
  for (const { path, message } of parsed.error.issues) note(faults, pathText(path), message)
  return undefined
}

function note(faults: Collected, path: string, message: string): void {
  faults[path] = [...(faults[path] ?? []), message]
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
const CONTROL = /[\u0000-\u001f\u007f]/g

/** Parameters as if they were a JSON object of texts; the last of several, empty ones left out. */
function objectOf(given: unknown, keepEmpty = false): JsonObject {
  const object = new JsonObject()
  for (const [name, value] of Object.entries(Object(given) as Record<string, unknown>)) {
    const last: unknown = Array.isArray(value) ? value.at(-1) : value
    if (typeof last !== 'string' || (last === '' && !keepEmpty)) continue
    object.names.push(name)
    // no database takes them, and no id has them
    object.values.push(last.replace(CONTROL, '\ufffd'))
  }
  return object
}

interface Judging {
  judge(schema: z.ZodType, value: JsonValue | undefined, source: Source): unknown
  faults: Collected
  language: Language
}

function bodyOf(operation: Operation, request: Given, judging: Judging): unknown {
  const { body: schema, upload } = operation
  if (upload === 'stream' || upload === 'bytes') return request.body
  if (upload === 'text') return textOf(request, judging)
  if (schema === undefined) return undefined
  const text = textOf(request, judging)
  if (text === undefined) return undefined
  if (text.trim() === '') {
    if (operation.bodyOptional === true) return judging.judge(schema, new JsonObject(), 'json')
    note(judging.faults, '$', sentenceOf('bodyNeeded', judging.language))
    return undefined
  }
  refuseOtherTypes(request)
  const value = parsed(text, judging)
  return value === undefined ? undefined : judging.judge(schema, value, 'json')
}

function textOf(request: Given, { faults, language }: Judging): string | undefined {
  const text = utf8Text(Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0))
  if (text === undefined) {
    note(faults, '$', sentenceOf('notUtf8', language))
  }
  return text
}

const JSON_TYPES = /^\s*(?:(?:application|text)\/json|[\w.!#$&^-]+\/[\w.!#$&^+-]+\+json)\s*(?:;|$)/i

function refuseOtherTypes(request: Given): void {
  const type = request.headers['content-type'] ?? ''
  if (type.trim() === '' || JSON_TYPES.test(type)) return
  throw fail('MEDIA_TYPE', { type: type.slice(0, 100), expected: 'application/json' })
}

function parsed(text: string, { faults, language }: Judging): JsonValue | undefined {
  try {
    return parseJson(text, { cleanText: true, trailingComma: true })
  } catch (error) {
    if (!(error instanceof JsonError)) throw error
    const { message: reason, position } = error
    note(faults, '$', sentenceOf('bodyMalformed', language, { reason, position }))
    return undefined
  }
}
