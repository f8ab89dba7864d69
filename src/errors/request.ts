// Refusals of every group: what cannot be read, found or served.
import type { ErrorRow } from './row.js'

export const REQUEST_REFUSALS = {
  BODY_MALFORMED: { kind: 'invalid', text: 'The body is not valid JSON: {reason}.' },
  FORM_MALFORMED: { kind: 'invalid', text: 'The form is broken, or not all of it arrived.' },
  XML_MALFORMED: { kind: 'invalid', text: 'The body is not valid XML: {reason}.' },
  SOAP_MALFORMED: {
    kind: 'invalid',
    text: 'The body is no SOAP message of this service: {reason}.',
  },
  SOAP_VERSION: { kind: 'invalid', text: 'The envelope is not one of SOAP {expected}.' },
  SOAP_HEADER: {
    kind: 'invalid',
    text: 'The SOAP header {header} must be understood, and is not; leave it out.',
  },
  SOAP_ACTION: { kind: 'invalid', text: 'The action {action} is not that of {element}.' },
  PROTO_MALFORMED: { kind: 'invalid', text: 'The bytes are not such a message: {reason}.' },
  BODY_MISSING: { kind: 'invalid', text: 'The body is empty; expected {expected}.' },
  BODY_TOO_LARGE: { kind: 'too-large', text: 'The body is larger than {limit} bytes.' },
  BODY_COMPRESSED: {
    kind: 'invalid',
    text: 'The body is compressed ({encoding}), which is not read here; send it as it is.',
  },
  BODY_BROKEN: {
    kind: 'invalid',
    text: 'The body is not packed as its Content-Encoding says: {reason}.',
  },
  MEDIA_TYPE: {
    kind: 'invalid',
    text: 'Content type {type} is not understood here; send {expected}.',
  },
  FIELD_MISSING: { kind: 'invalid', text: '{field} is missing; expected {expected}.' },
  FIELD_INVALID: { kind: 'invalid', text: '{field} is not valid: expected {expected}.' },
  FIELD_DOUBLED: { kind: 'invalid', text: '{field} is given twice.' },
  ROUTE_UNKNOWN: { kind: 'missing', text: 'There is nothing at {method} {path}.' },
  METHOD_WRONG: { kind: 'method', text: '{path} is called with {expected}, not with {method}.' },
  OVERLOADED: { kind: 'unavailable', text: 'Too many receipts are waiting; try again at once.' },
  DATABASE_AWAY: {
    kind: 'unavailable',
    text: 'The database does not answer or takes no writes; try again shortly.',
  },
  EXPORTS_BUSY: {
    kind: 'limited',
    text: 'Too many exports run or wait; try again in {seconds} seconds.',
  },
  EXPORT_LOST: {
    kind: 'unavailable',
    text: 'What worked on it has ended before it was done; try again.',
  },
  ADDRESS_MALFORMED: {
    kind: 'invalid',
    text: 'The address cannot be read: % takes two hexadecimal digits of UTF-8 behind it.',
  },
  REQUEST_INVALID: { kind: 'invalid', text: '{reason}' },
  INTERNAL: {
    kind: 'broken',
    text: 'An unexpected error occurred; the log has it under the trace id.',
  },
} as const satisfies Record<string, ErrorRow>
