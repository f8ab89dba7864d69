// Refusals as statuses of gRPC with a text, and code, field and trace id in the trailers.
import { randomUUID } from 'node:crypto'
import { Metadata, type StatusObject, status } from '@grpc/grpc-js'
import { type ErrorKind, FiscalError, fail } from '../../../errors.js'

/** What clients of the field know: processing is UNKNOWN, bad input INVALID_ARGUMENT. */
const STATUSES: Record<ErrorKind, status> = {
  invalid: status.INVALID_ARGUMENT,
  refused: status.INVALID_ARGUMENT,
  // nothing but the message and its metadata can name what is missing
  missing: status.INVALID_ARGUMENT,
  unauthenticated: status.UNAUTHENTICATED,
  forbidden: status.PERMISSION_DENIED,
  method: status.UNIMPLEMENTED,
  conflict: status.ABORTED,
  'too-large': status.RESOURCE_EXHAUSTED,
  limited: status.RESOURCE_EXHAUSTED,
  broken: status.UNKNOWN,
  unavailable: status.UNAVAILABLE,
}

/** A receipt request has found nothing. */
export const NOTHING: StatusObject = {
  code: status.CANCELLED,
  details: 'No message returned',
  metadata: new Metadata(),
}

export interface ErrorLog {
  error(about: object, text: string): void
}

/** Unexpected errors are logged and hidden. */
export function statusOf(error: unknown, log: ErrorLog): StatusObject {
  const traceId = randomUUID()
  const refusal = error instanceof FiscalError ? error : fail('INTERNAL')
  if (refusal.kind === 'broken') log.error({ reqId: traceId, err: error }, refusal.message)
  const metadata = new Metadata()
  metadata.set('code', refusal.code)
  metadata.set('traceid', traceId)
  if (refusal.field !== undefined) metadata.set('field', ascii(refusal.field))
  return { code: STATUSES[refusal.kind], details: sendable(refusal.message), metadata }
}

/** Trailers share a few kilobytes, and a third of them at worst is text. */
const MOST_TEXT = 1000

/** Half of a surrogate pair cannot be sent. */
function sendable(text: string): string {
  return Buffer.from(text.slice(0, MOST_TEXT)).toString()
}

const ascii = (text: string) => text.slice(0, MOST_TEXT).replace(/[^\x20-\x7e]/g, '?')
