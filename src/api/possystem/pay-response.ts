// The result of a payment by its operation id, without its body; waits for one that is running.
// Called by index.ts.
import { setTimeout as sleep } from 'node:timers/promises'
import { canonicalPath } from '../../core/operation/fingerprint.js'
import type { Operations, StoredOperation } from '../../core/operation/operation.js'
import { fail } from '../../errors.js'
import { JSON_TYPE } from './call.js'
import type { PosHead } from './headers.js'
import type { PosAnswer } from './read.js'
import { repeated } from './run.js'

const AGAIN_MS = 500

/** Throws OPERATION_UNKNOWN for what is no known payment, OPERATION_WAITS when `signal` ends it. */
export async function payResponse(
  { operations }: { operations: Operations },
  { access, operationId: id }: PosHead,
  signal: AbortSignal,
): Promise<PosAnswer> {
  const { accountId, cashBoxId } = access
  for (;;) {
    const found = await operations.find({ accountId, cashBoxId, id })
    if (found === undefined || !isPayment(found) || found.state === 'rolledback') {
      throw fail('OPERATION_UNKNOWN', { operation: id })
    }
    if (found.state !== 'running') return answerOf(found)
    // nothing is held meanwhile, no connection either
    await sleep(AGAIN_MS, undefined, { signal }).catch(() => {
      throw fail('OPERATION_WAITS', { operation: id })
    })
  }
}

/** Its path may have a prefix in front, of the version or of the place where the group is. */
function isPayment({ path }: StoredOperation): boolean {
  return canonicalPath(path).endsWith('/pay')
}

function answerOf({ status, contentType, response }: StoredOperation): PosAnswer {
  return {
    status: repeated(status ?? 0),
    contentType: contentType ?? JSON_TYPE,
    body: response ?? '',
  }
}
