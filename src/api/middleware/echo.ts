// Echo of group B: version 0 sends a JSON string, version 1 an object with `message`.
import { fail } from '../../errors.js'
import { JsonObject } from '../../lib/json.js'
import { utf8Text } from '../../lib/text.js'
import { bodyJson } from '../../model/body-json.js'
import { valuesOf } from '../../model/json-members.js'
import type { Version } from './routes.js'

/** The JSON text of the answer; an empty or null message comes back just as empty. */
export function echo(body: Buffer, version: Version): string {
  const text = utf8Text(body)
  if (text === undefined) throw fail('BODY_MALFORMED', { reason: 'the bytes are no UTF-8' })
  if (text.trim() === '') return version === 'v1' ? '{"message":null}' : ''
  const value = bodyJson(text)
  if (value === null) return version === 'v1' ? '{"message":null}' : 'null'
  if (typeof value === 'string') return JSON.stringify(value)
  if (value instanceof JsonObject) return `{"message":${message(value)}}`
  throw fail('FIELD_INVALID', { field: 'message', expected: 'a string' })
}

function message(object: JsonObject): string {
  const value = valuesOf(object, 'message').at(-1) ?? null
  if (value === null) return 'null'
  if (typeof value === 'string') return JSON.stringify(value)
  throw fail('FIELD_INVALID', { field: 'message', expected: 'a string' })
}
