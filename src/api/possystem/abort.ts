// POST /operation/{id}/abort of group D: asks the terminal of a running payment to stop and tells
// what has come of it. Mounted by index.ts.
import type { Operations, Stopped } from '../../core/operation/operation.js'
import { isPayment } from '../../core/operation/stored.js'
import { fail } from '../../errors.js'
import { isUuid } from '../../lib/id.js'
import { operationFields } from './look-up.js'
import { paymentEndOf } from './payment-end.js'
import { jsonAnswer, type PosAnswer, type PosRead, type Respond } from './read.js'

export interface AbortDeps {
  operations: Pick<Operations, 'stop'>
  /** How long the terminal has to answer. */
  waitMs?: number
}

const WAIT_MS = 10_000

export const abortOutcomes = [
  ...(['never', 'aborted', 'toolate', 'refused', 'unanswered', 'unknown'] as const),
]
type AbortOutcome = (typeof abortOutcomes)[number]

/** Always answers; an operation of another cash box is one that was never seen. */
export function abortOperation({ operations, waitMs = WAIT_MS }: AbortDeps): Respond {
  return async ({ access, params }: PosRead): Promise<PosAnswer> => {
    const { id = '' } = params
    if (!isUuid(id)) throw fail('FIELD_INVALID', { field: 'operationId', expected: 'a UUID' })
    const { accountId, cashBoxId } = access
    const stopped = await operations.stop({ accountId, cashBoxId, id: id.toLowerCase() }, waitMs)
    const { found } = stopped
    const shown = found === undefined ? { State: 'never' } : operationFields(found)
    return jsonAnswer({ Outcome: outcomeOf(stopped), ...shown })
  }
}

function outcomeOf({ said, found }: Stopped): AbortOutcome {
  if (found === undefined) return 'never'
  if (said !== 'ended') return said
  if (found.state === 'rolledback') return 'aborted'
  if (!isPayment(found)) return 'toolate'
  const end = paymentEndOf(found)
  if (end === 'unknown') return 'unknown'
  return end === 'cancelled' ? 'aborted' : 'toolate'
}
