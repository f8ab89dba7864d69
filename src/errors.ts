// Refusals: one class, one closed table. api/<group>/errors.ts decides which body each becomes.

export type ErrorKind =
  | 'invalid'
  | 'unauthenticated'
  | 'forbidden'
  | 'missing'
  | 'method'
  | 'conflict'
  | 'too-large'
  | 'limited'
  | 'refused'
  | 'unavailable'
  | 'broken'

interface ErrorRow {
  kind: ErrorKind
  /** `{name}` is replaced by the detail of that name. */
  text: string
}

/** Every refusal there is; docs/errors.md describes each. */
export const errorTable = {
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
  COUNTRY_WRONG: {
    kind: 'invalid',
    text: '{field} is a case of another country: this queue belongs to {market}.{hint}',
  },
  CASH_BOX_OTHER: { kind: 'invalid', text: 'ftCashBoxID is not the cash box of this queue.' },
  CASH_BOX_OTHER_HEADER: {
    kind: 'unauthenticated',
    text: 'ftCashBoxID in the body differs from the header cashboxid.',
  },
  CREDENTIALS_MISSING: { kind: 'unauthenticated', text: 'The header {header} is missing.' },
  CREDENTIALS_WRONG: {
    kind: 'unauthenticated',
    text: 'The headers cashboxid and accesstoken do not belong together.',
  },
  CREDENTIALS_LIMITED: {
    kind: 'limited',
    text: 'Too many wrong credentials from this address; try again in a minute.',
  },
  ORIGIN_REFUSED: {
    kind: 'forbidden',
    text:
      'Pages of the origin {origin} may not call this server; MIDDLEWARE_ORIGINS names those ' +
      'that may.',
  },
  HOST_REFUSED: {
    kind: 'forbidden',
    text: 'This server is not called {host}; MIDDLEWARE_HOSTS names its further names.',
  },
  QUEUE_UNKNOWN: { kind: 'missing', text: 'There is no queue {queue} here.' },
  QUEUE_NOT_NAMED: {
    kind: 'invalid',
    text: 'The call names no queue: put the queue id into the path or into ftQueueID.',
  },
  MARKET_RULE: { kind: 'refused', text: '{reason}' },
  PROCESSING_FAILED: {
    kind: 'broken',
    text: 'An error occurred during receipt processing; the receipt is stored without a signature.',
  },
  JOURNAL_TYPE_UNKNOWN: {
    kind: 'invalid',
    text: 'ftJournalType {type} is not known for market {market}.',
  },
  JOURNAL_FORMAT: { kind: 'invalid', text: 'The journal {type} does not come as {format}.' },
  SPOOL_FULL: {
    kind: 'too-large',
    text: 'A part of the export is larger than {limit} bytes; ask for a shorter range.',
  },
  ACCOUNT_UNKNOWN: { kind: 'missing', text: 'There is no account {account} here.' },
  IDENTIFICATION_TAKEN: {
    kind: 'conflict',
    text: 'This account has a queue with the identification {identification} already.',
  },
  SCU_UNKNOWN: { kind: 'missing', text: 'There is no signing unit {scu} here.' },
  SCU_NONE: {
    kind: 'unauthenticated',
    text: 'This cash box holds no signing unit that this interface serves.',
  },
  DEVICE_FAILED: { kind: 'broken', text: 'The signing device {scu} failed: {reason}.' },
  SOFTWARE_DEVICE: {
    kind: 'broken',
    text: '{scu} is a software device; in production it needs ALLOW_SOFTWARE_DEVICES=true.',
  },
  HEADERS_MISSING: { kind: 'invalid', text: 'These headers are missing: {headers}.' },
  HEADER_INVALID: {
    kind: 'invalid',
    text: 'The header {header} is not valid: expected {expected}.',
  },
  ACCESS_WRONG: {
    kind: 'unauthenticated',
    text: 'The headers x-cashbox-id and x-cashbox-accesstoken do not belong together.',
  },
  CASH_BOX_UNUSABLE: {
    kind: 'invalid',
    text: 'The CashBox {cashBox} has no active Queue; create one, then send the call again.',
  },
  OPERATION_CONFLICT: {
    kind: 'conflict',
    text:
      'The operation {operation} was called with another method, path or body before; use a new ' +
      'x-operation-id for a new call.',
  },
  OPERATION_WAITS: { kind: 'unavailable', text: 'The operation {operation} is still running.' },
  PAYMENT_DECLINED: { kind: 'invalid', text: 'The payment was declined: {reason}.' },
  PAYMENT_CANCELLED: { kind: 'invalid', text: 'The payment was cancelled: {reason}.' },
  PAYMENT_TIMEOUT: {
    kind: 'broken',
    text: 'The payment terminal did not finish in time: {reason}.',
  },
  PAYMENT_UNKNOWN: {
    kind: 'broken',
    text:
      'The server stopped while the payment was running. Check on the terminal whether money has ' +
      'moved before paying again.',
  },
  PAYMENT_LOST: {
    kind: 'broken',
    text:
      'The connection to the payment terminal was lost: {reason}. Check on the terminal whether ' +
      'money has moved before paying again.',
  },
  TERMINAL_UNKNOWN: { kind: 'missing', text: 'There is no payment terminal {terminal} here.' },
  PROVIDER_NONE: {
    kind: 'invalid',
    text: 'No payment terminal takes {protocol} for {terminal}; {hint}.',
  },
  FORMAT_UNSUPPORTED: {
    kind: 'invalid',
    text: 'None of {accept} can be had here; ask for {formats}.',
  },
  PICTURE_TOO_LONG: {
    kind: 'invalid',
    text: 'The receipt is too long for {format}; ask for application/pdf or image/png.',
  },
  RENDERING_BUSY: {
    kind: 'unavailable',
    text: 'Too many receipts are being drawn; try again shortly.',
  },
  RECEIPT_UNKNOWN: { kind: 'missing', text: 'There is no issued receipt {queue}/{item} here.' },
  APP_WRONG: {
    kind: 'unauthenticated',
    text: 'The headers X-App-Id and X-App-Secret are needed, and must belong together.',
  },
  APP_UNKNOWN: { kind: 'missing', text: 'There is no receipt app {app} here.' },
  DOCUMENT_UNKNOWN: { kind: 'missing', text: 'This receipt has no document {document}.' },
  DOCUMENTS_FULL: {
    kind: 'refused',
    text: 'This receipt has {most} documents already; no further one is kept.',
  },
  FEED_FULL: {
    kind: 'unavailable',
    text: 'Too many devices listen for receipts ({most}); close one, then try again.',
  },
  CURSOR_TOO_OLD: {
    kind: 'conflict',
    text: 'Events up to {after} are gone; the oldest is {firstSeq}.',
  },
  CURSOR_AHEAD: { kind: 'conflict', text: 'There is no event {after} yet; the newest is {head}.' },
  EVENT_UNKNOWN: { kind: 'missing', text: 'There is no event {event} in this stream.' },
  STREAMS_FULL: {
    kind: 'unavailable',
    text: 'Too many follow events ({most}); close one, then try again.',
  },
  PROBLEM_UNKNOWN: { kind: 'missing', text: 'There is no problem {problem} here.' },
  WEBHOOK_UNKNOWN: { kind: 'missing', text: 'There is no webhook {webhook} here.' },
  WEBHOOKS_FULL: { kind: 'conflict', text: 'An account has {most} webhooks at most.' },
  JOB_UNKNOWN: { kind: 'missing', text: 'There is no job {job} here that could be tried again.' },
  MESSAGE_ERASED: {
    kind: 'refused',
    text: 'The address and the content of message {job} were erased; nothing of it can be sent.',
  },
  MESSAGES_LIMITED: {
    kind: 'limited',
    text: 'At most {limit} messages are sent about {of}.',
  },
  OPERATION_UNKNOWN: { kind: 'missing', text: 'There is no operation {operation} here.' },
  PIN_WRONG: { kind: 'unauthenticated', text: 'This PIN is unknown, used or over.' },
  PIN_NONE_FREE: {
    kind: 'unavailable',
    text: 'Too many PINs are live, or PINs are being guessed; try again in a few minutes.',
  },
  CASH_BOX_UNKNOWN: { kind: 'missing', text: 'There is no cash box {cashBox} here.' },
  PIN_LIMITED: {
    kind: 'limited',
    text: 'Too many wrong PINs came from this network; try again later.',
  },
  ACCOUNT_CREDENTIALS_WRONG: {
    kind: 'unauthenticated',
    text: 'The headers accountId and accessToken do not belong to an account.',
  },
  ACCOUNT_LIMITED: {
    kind: 'limited',
    text: 'Too many calls of this account; try again in {seconds} seconds.',
  },
  DEALER_ROLE_MISSING: { kind: 'forbidden', text: 'This account is not a PosDealer.' },
  AUTO_INVITE_ROLE_MISSING: {
    kind: 'forbidden',
    text: 'This account has not opted in to auto-invitation.',
  },
  MARKET_UNSUPPORTED: {
    kind: 'forbidden',
    text: 'This operation does not exist for accounts of market {market}.',
  },
  RIGHTS_TOO_LOW: {
    kind: 'forbidden',
    text: 'The connection to this PosOperator grants {given}; this operation needs {needed}.',
  },
  SHAPE_INVALID: { kind: 'invalid', text: 'The request is not valid; errors says why.' },
  OPERATOR_UNKNOWN: {
    kind: 'missing',
    text: 'There is no active connection to a PosOperator {operator}.',
  },
  CONNECTION_UNKNOWN: {
    kind: 'missing',
    text: 'There is no connection with the account {account}, or it has ended.',
  },
  OUTLET_UNKNOWN: { kind: 'missing', text: 'There is no outlet {outlet}.' },
  INVITATION_UNKNOWN: { kind: 'missing', text: 'There is no invitation {invitation}.' },
  PDF_UNKNOWN: { kind: 'missing', text: 'There is no stored PDF.' },
  HELPER_UNKNOWN: { kind: 'missing', text: 'There is no helper {helper}.' },
  TEMPLATE_UNKNOWN: { kind: 'missing', text: 'There is no template {template}.' },
  PLAN_UNKNOWN: { kind: 'missing', text: 'There is no rollout plan {plan}.' },
  ORDER_UNKNOWN: { kind: 'missing', text: 'There is no order {order}.' },
  QUEUE_WITHOUT_UNIT: {
    kind: 'conflict',
    text: 'Queue {queue} has no signing unit in this cash box, so it cannot be published.',
  },
  CONFIGURATION_AWAY: {
    kind: 'unavailable',
    text: 'The configuration could not be fetched from {from}: {reason}.',
  },
  NEVER_PUBLISHED: { kind: 'missing', text: 'Cash box {cashBox} was never published.' },
  PACKAGE_OTHER: {
    kind: 'conflict',
    text: 'The component {id} is of the package {package}, not of the one that the template names.',
  },
  SIGNING_ROLE_MISSING: {
    kind: 'forbidden',
    text: 'This account may not create instances that only sign (RKSV.Sign).',
  },
  OUTLET_NUMBER_TAKEN: { kind: 'conflict', text: 'The outlet number {number} is taken.' },
  OUTLET_LOCATION_MISSING: {
    kind: 'refused',
    text: 'Outlet {outlet} needs its location id ({expected}) before it can get this.',
  },
  INVITATION_EXISTS: { kind: 'conflict', text: 'There is an invitation for {email} already.' },
  INVITATION_PROCESSED: { kind: 'conflict', text: 'This invitation is processed already.' },
  PDF_INVALID: {
    kind: 'invalid',
    text: 'A PDF of at most 5 MiB is expected, with a name that ends in .pdf.',
  },
  CSV_FILE_INVALID: {
    kind: 'invalid',
    text: 'A CSV file that is not empty is expected in the form field file.',
  },
  CSV_INVALID: { kind: 'invalid', text: 'The file was not imported: {count} problems.' },
  CONNECTION_EXISTS: { kind: 'conflict', text: 'This PosOperator is connected already.' },
  COMPANY_EXISTS: { kind: 'conflict', text: 'This company has an account already.' },
  SETTINGS_CONFLICT: {
    kind: 'conflict',
    text: 'The settings were changed by somebody else meanwhile; read them and try again.',
  },
  SETTINGS_UNREADABLE: {
    kind: 'conflict',
    text: 'The stored settings cannot be read; they were left as they are.',
  },
  ENTITLEMENTS_INSUFFICIENT: {
    kind: 'conflict',
    text: 'Too few entitlements {name}: {required} are needed, {available} are there.',
  },
  ALREADY_SUBSCRIBED: { kind: 'conflict', text: 'This product is present already: {target}.' },
  IDEMPOTENCY_KEY_USED: {
    kind: 'conflict',
    text: 'The Idempotency-Key {key} was used for another call.',
  },
  IDEMPOTENCY_KEY_INVALID: {
    kind: 'invalid',
    text: 'The header Idempotency-Key must have 1 to 255 visible ASCII characters.',
  },
  SCU_SWITCH_IMPOSSIBLE: { kind: 'conflict', text: 'The switch is not possible: {reason}' },
  SCU_OUTLET_OTHER: {
    kind: 'conflict',
    text: 'The SCU {scu} belongs to another outlet ({outlet}) than the CashBox.',
  },
  SCU_IN_USE: { kind: 'conflict', text: 'The SCU {scu} is in use by the Queue {queue}.' },
  ORDER_TOO_LATE: { kind: 'conflict', text: 'The order {order} cannot be canceled any more.' },
  PLAN_FORBIDDEN: { kind: 'forbidden', text: 'This account may not use the plan {plan}.' },
  NOT_IN_PRODUCTION: { kind: 'missing', text: 'This call exists in the sandbox only.' },
  ROUTE_UNKNOWN: { kind: 'missing', text: 'There is nothing at {method} {path}.' },
  METHOD_WRONG: { kind: 'method', text: '{path} is called with {expected}, not with {method}.' },
  OVERLOADED: { kind: 'unavailable', text: 'Too many receipts are waiting; try again at once.' },
  DATABASE_AWAY: {
    kind: 'unavailable',
    text: 'The database does not answer or takes no writes; try again shortly.',
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

export type ErrorCode = keyof typeof errorTable
export type ErrorDetails = Record<string, string | number>
/** Several members at fault: JSON path to what is wrong with each. */
export type Faults = Readonly<Record<string, readonly string[]>>

export class FiscalError extends Error {
  readonly code: ErrorCode
  readonly kind: ErrorKind
  readonly details: ErrorDetails
  /** Where all members at fault were collected. */
  faults?: Faults
  /** What an answer says beside the text, where its form has room for it. */
  members?: Readonly<Record<string, unknown>>
  /** `faults` are in English only, so the whole answer is. */
  english?: true

  constructor(code: ErrorCode, details: ErrorDetails) {
    const row: ErrorRow = errorTable[code]
    super(row.text.replace(/\{(\w+)\}/g, (_, name: string) => String(details[name] ?? '')))
    this.name = 'FiscalError'
    this.code = code
    this.kind = row.kind
    this.details = details
  }

  /** The member of the request at fault, when there is one. */
  get field(): string | undefined {
    const field = this.details.field
    return field === undefined ? undefined : String(field)
  }
}

/** `throw fail('QUEUE_UNKNOWN', { queue })` */
export function fail(code: ErrorCode, details: ErrorDetails = {}): FiscalError {
  return new FiscalError(code, details)
}

export interface FieldFault {
  /** JSON path of the member. */
  path: string
  expected: string
  isMissing: boolean
}

/** One refusal for all members at fault; code and text are those of the first. */
export function failFields(found: readonly FieldFault[]): FiscalError {
  const errors = found.map(({ path: field, expected, isMissing }) =>
    fail(isMissing ? 'FIELD_MISSING' : 'FIELD_INVALID', { field, expected }),
  )
  const error = errors[0] ?? fail('INTERNAL')
  const faults: Record<string, string[]> = {}
  for (const one of errors) {
    const path = one.field ?? ''
    faults[path] = [...(faults[path] ?? []), one.message]
  }
  error.faults = faults
  return error
}
