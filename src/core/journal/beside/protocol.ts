// What the signing thread and the threads beside it say to each other. An order is answered with a
// head, and with bytes behind it where there are any; so many pieces may be on their way as the
// one who reads has given room for.
import { type ErrorCode, type ErrorDetails, type Faults, FiscalError } from '../../../errors.js'

/** Bytes of a piece; the last of an answer, and one that has waited, is shorter. */
export const PIECE_BYTES = 64 * 1024
/** Pieces of an order that nobody has taken yet. */
export const WINDOW = 4

/** To a thread. */
export type Asked =
  | { say: 'begin'; id: number; order: unknown }
  | { say: 'taken'; id: number }
  | { say: 'leave'; id: number }
  | { say: 'stop' }

/** From a thread; `over` is the last word on an order, whatever became of it. */
export type Told =
  | { say: 'opened'; id: number; head: unknown }
  | { say: 'piece'; id: number; bytes: Uint8Array }
  | { say: 'over'; id: number; fault?: Fault }

/** An error loses its class and its members between threads. */
export type Fault =
  | {
      code: ErrorCode
      details: ErrorDetails
      faults: Faults | undefined
      members: Readonly<Record<string, unknown>> | undefined
      english: true | undefined
    }
  | { message: string; stack: string | undefined }

export function faultOf(error: unknown): Fault {
  if (error instanceof FiscalError) {
    const { code, details, faults, members, english } = error
    return { code, details, faults, members, english }
  }
  const { message, stack } = error instanceof Error ? error : new Error(String(error))
  return { message, stack }
}

export function errorOf(fault: Fault): Error {
  if ('message' in fault) {
    return Object.assign(new Error(fault.message), { stack: fault.stack ?? fault.message })
  }
  const { code, details, faults, members, english } = fault
  const error = new FiscalError(code, details)
  if (faults !== undefined) error.faults = faults
  if (members !== undefined) error.members = members
  if (english !== undefined) error.english = english
  return error
}
