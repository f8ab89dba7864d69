// The ProblemBody of groups D and E: its codes, and the one table that leads to them.
import type { ErrorCode, ErrorKind, Faults, FiscalError } from '../../errors.js'

interface Problem {
  status: number
  title: string
}

/** Every `code` there is, with its status and title. */
export const problems = {
  missing_header: { status: 400, title: 'Missing header' },
  invalid_header: { status: 400, title: 'Invalid header' },
  unauthorized: { status: 401, title: 'Unauthorized' },
  cashbox_not_configured: { status: 400, title: 'CashBox not configured' },
  invalid_json: { status: 400, title: 'Invalid JSON' },
  unsupported_media_type: { status: 400, title: 'Unsupported media type' },
  payload_too_large: { status: 400, title: 'Payload too large' },
  validation_failed: { status: 400, title: 'Validation failed' },
  operation_conflict: { status: 409, title: 'Operation conflict' },
  no_payment_provider: { status: 400, title: 'No payment provider' },
  payment_declined: { status: 400, title: 'Payment declined' },
  payment_cancelled: { status: 400, title: 'Payment cancelled' },
  payment_timeout: { status: 500, title: 'Payment timed out' },
  unsupported_format: { status: 400, title: 'Unsupported format' },
  not_found: { status: 404, title: 'Not found' },
  method_not_allowed: { status: 405, title: 'Method not allowed' },
  too_many_requests: { status: 429, title: 'Too many requests' },
  internal_error: { status: 500, title: 'Internal error' },
  service_unavailable: { status: 503, title: 'Service unavailable' },
} as const satisfies Record<string, Problem>

export type ProblemCode = keyof typeof problems

/** What a refusal becomes when its code says nothing more precise. */
const BY_KIND: Record<ErrorKind, ProblemCode> = {
  invalid: 'validation_failed',
  refused: 'validation_failed',
  unauthenticated: 'unauthorized',
  forbidden: 'unauthorized',
  missing: 'not_found',
  method: 'method_not_allowed',
  conflict: 'operation_conflict',
  'too-large': 'payload_too_large',
  limited: 'too_many_requests',
  broken: 'internal_error',
  unavailable: 'service_unavailable',
}

const BY_CODE: Partial<Record<ErrorCode, ProblemCode>> = {
  HEADERS_MISSING: 'missing_header',
  HEADER_INVALID: 'invalid_header',
  CASH_BOX_UNUSABLE: 'cashbox_not_configured',
  BODY_MALFORMED: 'invalid_json',
  BODY_MISSING: 'invalid_json',
  BODY_COMPRESSED: 'unsupported_media_type',
  BODY_BROKEN: 'unsupported_media_type',
  MEDIA_TYPE: 'unsupported_media_type',
  PROVIDER_NONE: 'no_payment_provider',
  PAYMENT_DECLINED: 'payment_declined',
  PAYMENT_CANCELLED: 'payment_cancelled',
  PAYMENT_TIMEOUT: 'payment_timeout',
  FORMAT_UNSUPPORTED: 'unsupported_format',
  PICTURE_TOO_LONG: 'unsupported_format',
}

export function problemCodeOf({ code, kind }: FiscalError): ProblemCode {
  return BY_CODE[code] ?? BY_KIND[kind]
}

/** The body; `instance` is the path, with the operation id behind it where one is known. */
export function problemBody(
  refusal: FiscalError,
  instance: string,
  statuses: Statuses = {},
): string {
  const code = problemCodeOf(refusal)
  const { status, title } = problemOf(code, statuses)
  const { message } = refusal
  const errors = code === 'validation_failed' ? faultsOf(refusal) : undefined
  return JSON.stringify({
    type: 'about:blank',
    status: String(status),
    title,
    detail: message,
    instance,
    code,
    errors,
  })
}

/** What is wrong with which member; undefined where none is at fault. */
function faultsOf({ faults, field, message }: FiscalError): Faults | undefined {
  return faults ?? (field === undefined ? undefined : { [field]: [message] })
}

/** Where a group has another status than the table. */
export type Statuses = Partial<Record<ProblemCode, number>>

export function problemOf(code: ProblemCode, statuses: Statuses): Problem {
  const { status, title } = problems[code]
  return { title, status: statuses[code] ?? status }
}

export const PROBLEM_MEDIA = 'application/problem+json'

/** Readers of receipts are told the status that all others know. */
export const RECEIPT_STATUSES: Statuses = { payload_too_large: 413 }
