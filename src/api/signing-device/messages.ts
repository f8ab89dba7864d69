// The messages of group C as they are on the wire, and how a request is read: names in any case.
// The API page is made from the same schemas.
import { z } from 'zod'
import { fail } from '../../errors.js'
import { bytesOfBase64 } from '../../lib/base64.js'
import type { JsonObject, JsonValue } from '../../lib/json.js'
import { utf8Text } from '../../lib/text.js'
import { bodyObject } from '../../model/body-json.js'
import { valuesOf } from '../../model/json-members.js'

/** Most bytes that are signed at once. */
export const DATA_LIMIT = 64 * 1024

export const echoRequest = z
  .object({
    message: z.string().nullish().describe('Any text.'),
  })
  .meta({ id: 'signing.EchoRequest' })
export const echoResponse = z
  .object({
    message: z.string().nullable().describe('Exactly what was sent.'),
  })
  .meta({ id: 'signing.EchoResponse' })
export const signRequest = z
  .object({
    dataBase64: z
      .string()
      .min(1)
      .describe('Base64 of the bytes to sign, with or without padding; at most 64 KiB decoded.'),
  })
  .meta({ id: 'signing.SignRequest' })
export const signResponse = z
  .object({
    signedDataBase64: z
      .string()
      .describe(
        'Base64 of the signature: ES256, R and S with 32 bytes each, over the bytes as sent.',
      ),
  })
  .meta({ id: 'signing.SignResponse' })
export const certificateResponse = z
  .object({
    certificateBase64: z.string().describe('Base64 of the X.509 certificate (DER).'),
  })
  .meta({ id: 'signing.CertificateResponse' })
export const zdaResponse = z
  .object({
    zda: z.string().describe('Trust service provider (Vertrauensdiensteanbieter), e.g. AT100.'),
  })
  .meta({ id: 'signing.ZdaResponse' })

export interface MessageForm {
  /** A member as the schema wants it. */
  plain(member: JsonValue): unknown
  /** What the caller is told that was expected. */
  expected(issue: z.core.$ZodIssue | undefined, isMissing: boolean): string
}

const TEXTS: MessageForm = { plain: (member) => member, expected: () => 'a text' }

/** Reads the members that the schema knows; of several spellings the last one counts. */
export function readMessage<T extends z.ZodRawShape>(
  schema: z.ZodObject<T>,
  body: unknown,
  { plain, expected }: MessageForm = TEXTS,
): z.output<z.ZodObject<T>> {
  const message = jsonObject(body)
  const given: Record<string, unknown> = {}
  for (const name of Object.keys(schema.shape)) {
    const member = valuesOf(message, name).at(-1)
    if (member !== undefined) given[name] = plain(member)
  }
  const parsed = schema.safeParse(given)
  if (parsed.success) return parsed.data
  const issue = parsed.error.issues[0]
  const field = String(issue?.path[0] ?? '')
  const isMissing = (given[field] ?? '') === ''
  const told = { field, expected: expected(issue, isMissing) }
  throw fail(isMissing ? 'FIELD_MISSING' : 'FIELD_INVALID', told)
}

export function jsonObject(body: unknown): JsonObject {
  const text = Buffer.isBuffer(body) ? utf8Text(body) : ''
  if (text === undefined) throw fail('BODY_MALFORMED', { reason: 'the bytes are no UTF-8' })
  if (text.trim() === '') throw fail('BODY_MISSING', { expected: 'a JSON object' })
  return bodyObject(text, 'expected a JSON object', { cleanText: true })
}

/** The bytes to sign. Throws FIELD_INVALID for other characters and for more than the limit. */
export function dataOf(base64: string, field = 'dataBase64'): Buffer {
  const data = bytesOfBase64(base64)
  if (data === undefined) throw fail('FIELD_INVALID', { field, expected: 'standard Base64' })
  if (data.length > DATA_LIMIT) {
    throw fail('FIELD_INVALID', { field, expected: `at most ${DATA_LIMIT} bytes of data` })
  }
  return data
}
