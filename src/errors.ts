// Refusals: one class, one closed table. api/<group>/errors.ts decides which body each becomes.
import { ACCOUNT_REFUSALS } from './errors/account.js'
import { PLATFORM_REFUSALS } from './errors/platform.js'
import { PORTAL_REFUSALS } from './errors/portal.js'
import { POS_SYSTEM_REFUSALS } from './errors/possystem.js'
import { REQUEST_REFUSALS } from './errors/request.js'
import type { ErrorKind, ErrorRow } from './errors/row.js'
import { SIGNING_REFUSALS } from './errors/signing.js'

export type { ErrorKind } from './errors/row.js'

/** Every refusal there is; docs/errors.md describes each. */
export const errorTable = {
  ...REQUEST_REFUSALS,
  ...SIGNING_REFUSALS,
  ...POS_SYSTEM_REFUSALS,
  ...PLATFORM_REFUSALS,
  ...ACCOUNT_REFUSALS,
  ...PORTAL_REFUSALS,
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
