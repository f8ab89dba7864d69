// Compact JWS as laws use them: texts joined by dots. The headers are fixed, so that nothing is
// serialised again.
import { JsonObject, objectIn } from '../../lib/json.js'

/** `header.payload`: the bytes that a device signs. `header`: in base64url. */
export function signingInput(header: string, payload: string): string {
  return `${header}.${Buffer.from(payload).toString('base64url')}`
}

export function compactJws(input: string, signature: Buffer): string {
  return `${input}.${signature.toString('base64url')}`
}

/** What was signed, as text. */
export function payloadOf(jws: string): string {
  return Buffer.from(jws.split('.')[1] ?? '', 'base64url').toString()
}

/** Its members; none where it is no JSON object. */
export function membersIn(jws: string): JsonObject {
  return objectIn(payloadOf(jws)) ?? new JsonObject()
}
