// The JSON text of a request's body: whatever is none is BODY_MALFORMED. Called by the readers of
// bodies in api, by core/issue and by receipt-json.ts.
import { type ErrorDetails, fail } from '../errors.js'
import { JsonError, JsonObject, type JsonOptions, type JsonValue, parseJson } from '../lib/json.js'

/** Throws BODY_MALFORMED; `told`: what the refusal says of the fault. */
export function bodyJson(
  text: string,
  options: JsonOptions = {},
  told: (fault: JsonError) => ErrorDetails = ({ message }) => ({ reason: message }),
): JsonValue {
  try {
    return parseJson(text, options)
  } catch (error) {
    if (error instanceof JsonError) throw fail('BODY_MALFORMED', told(error))
    throw error
  }
}

/** Throws BODY_MALFORMED for everything but an object, with `otherwise` for other JSON. */
export function bodyObject(text: string, otherwise: string, options?: JsonOptions): JsonObject {
  const value = bodyJson(text, options)
  if (value instanceof JsonObject) return value
  throw fail('BODY_MALFORMED', { reason: otherwise })
}
