// What the results of a terminal become.
import { type FiscalError, fail } from '../../errors.js'
import type { Decimal } from '../../lib/decimal.js'
import { JsonNumber } from '../../lib/json.js'

export const failedResults = ['DECLINED', 'CANCELLED', 'TIMEOUT'] as const
export type FailedResult = (typeof failedResults)[number]

const CODES = {
  DECLINED: 'PAYMENT_DECLINED',
  CANCELLED: 'PAYMENT_CANCELLED',
  TIMEOUT: 'PAYMENT_TIMEOUT',
} as const

/** An end without money moved. */
export function failedWith(result: FailedResult, reason: string): FiscalError {
  return fail(CODES[result], { reason })
}

export function isFailure(error: FiscalError): boolean {
  return Object.values<string>(CODES).includes(error.code)
}

/** The shortest exact number: `10.00` leaves as 10. */
export function numberOf(amount: Decimal): JsonNumber {
  return new JsonNumber(amount.toShortString())
}
