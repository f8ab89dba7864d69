// The JSON text of a request's body: whatever is none is BODY_MALFORMED.
import { type ErrorDetails, fail } from '../errors.js'
import {
  JsonError,
  JsonObject,
  type JsonOptions,
  type JsonValue,
  parseJson,
  parseJsonInSlices,
} from '../lib/json.js'
import { LARGE } from '../lib/slices.js'

/** What a sender has to be told of a fault. */
type Told = (fault: JsonError) => ErrorDetails

/**
 * A receipt of ten thousand items has fewer. What costs two bytes to send would cost a hundred to
 * keep in mind.
 */
const MOST_VALUES = 250_000

const REASON: Told = ({ message }) => ({ reason: message })

/** Throws BODY_MALFORMED; `told`: what the refusal says of the fault. */
export function bodyJson(text: string, options: JsonOptions = {}, told = REASON): JsonValue {
  try {
    return parseJson(text, { values: MOST_VALUES, ...options })
  } catch (error) {
    throw refusalOf(error, told)
  }
}

/** The same of a large text in short pieces, with turns of others between them. */
export async function bodyJsonInSlices(
  text: string,
  options: JsonOptions = {},
  told = REASON,
): Promise<JsonValue> {
  if (text.length < LARGE) return bodyJson(text, options, told)
  try {
    return await parseJsonInSlices(text, { values: MOST_VALUES, ...options })
  } catch (error) {
    throw refusalOf(error, told)
  }
}

function refusalOf(error: unknown, told: Told): unknown {
  return error instanceof JsonError ? fail('BODY_MALFORMED', told(error)) : error
}

/** Throws BODY_MALFORMED for everything but an object, with `otherwise` for other JSON. */
export function bodyObject(text: string, otherwise: string, options?: JsonOptions): JsonObject {
  return objectOr(bodyJson(text, options), otherwise)
}

/** The same of a large text in short pieces. */
export async function bodyObjectInSlices(
  text: string,
  otherwise: string,
  options?: JsonOptions,
): Promise<JsonObject> {
  return objectOr(await bodyJsonInSlices(text, options), otherwise)
}

function objectOr(value: JsonValue, otherwise: string): JsonObject {
  if (value instanceof JsonObject) return value
  throw fail('BODY_MALFORMED', { reason: otherwise })
}
