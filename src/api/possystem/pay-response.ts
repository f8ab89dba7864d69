// /PayResponse of group D: how a payment ended, by its x-operation-id and without its body. Waits
// while it runs. Mounted by index.ts.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Leaving } from '../../core/operation/leaving.js'
import type { OperationKey, Operations, StoredOperation } from '../../core/operation/operation.js'
import { isPayment } from '../../core/operation/stored.js'
import { fail } from '../../errors.js'
import { JSON_TYPE } from './call.js'

export interface PayResponseDeps {
  operations: Pick<Operations, 'find'>
}

export interface PayResponseAnswer {
  status: number
  contentType: string
  body: string
}

const AGAIN_MS = 500

/**
 * The stored answer: 200 for what was answered with 201 first, failures as they were. Throws
 * OPERATION_UNKNOWN, and OPERATION_WAITS when its caller leaves.
 */
export async function readPayResponse(
  { operations }: PayResponseDeps,
  key: OperationKey,
  leaving?: Leaving,
): Promise<PayResponseAnswer> {
  for (;;) {
    const found = await operations.find(key)
    if (found === undefined || !isPayment(found) || found.state === 'rolledback') {
      throw fail('OPERATION_UNKNOWN', { operation: key.id })
    }
    if (found.state !== 'running') return answerOf(found)
    if (leaving?.hasLeft === true) throw fail('OPERATION_WAITS', { operation: key.id })
    await sleep(AGAIN_MS)
  }
}

function answerOf({ status, contentType, response }: StoredOperation): PayResponseAnswer {
  return {
    status: status === null || status === 201 ? 200 : status,
    contentType: contentType ?? JSON_TYPE,
    body: response ?? '',
  }
}
