// One call of group D after all checks of its headers. Made by the door (index.ts), taken by the
// operations of this folder.
import type { FastifyRequest } from 'fastify'
import type { Leaving } from '../../core/operation/leaving.js'
import type { Execution, OperationCall, Outcome } from '../../core/operation/operation.js'
import type { CashBoxAccess } from '../../store/rollout/cashboxes.js'

export interface PosCall {
  access: CashBoxAccess
  /** The call as it will be recorded. */
  operation: OperationCall
  /** x-possystem-id; the id of zeros where it may be missing and is. */
  posSystemId: string
  /** x-terminal-id: stands in for cbTerminalID. */
  terminalId: string | undefined
  bodyText: string
  request: FastifyRequest
}

/**
 * Checks the body of a new call and says what is to be done. Throws FiscalError (kind invalid) for
 * a body that is refused: that uses up nothing.
 */
export type Prepare = (call: PosCall) => Execution | Promise<Execution>

/** Carries out a call: once, or gives what an earlier one was answered with. */
export type Perform = (call: PosCall, leaving: Leaving) => Promise<Outcome>

export const JSON_TYPE = 'application/json; charset=utf-8'
