// Sign of group D: a ReceiptRequest of version 2 becomes a receipt of its queue, once per
// operation. Mounted by the door of this folder.
import type { Execution, OperationAnswer } from '../../core/operation/operation.js'
import type { SignResult } from '../../core/sign/job.js'
import type { Signing } from '../../core/sign/sign.js'
import { fail } from '../../errors.js'
import { JSON_TYPE, type PosCall, type Prepare } from './call.js'
import { readSignRequest, type SignRequest, type SignRequestDeps, workOf } from './sign-request.js'

export interface SignDeps extends SignRequestDeps {
  signing: Pick<Signing, 'sign'>
}

/** Of the first execution; a failure inside of the answer is an answer as well. */
const CREATED = 201

export function prepareSign(deps: SignDeps): Prepare {
  return (call) => execution(deps, call)
}

function execution(deps: SignDeps, call: PosCall): Execution {
  const read = readSignRequest(deps, call)
  return { kind: 'recorded', run: () => signed(deps, call, read) }
}

function signed({ signing }: SignDeps, call: PosCall, read: SignRequest): Promise<OperationAnswer> {
  const work = workOf(call, read)
  return signing.sign(work).then((result) => answerOf(result, read.queue.id))
}

/** What was found or not found was not stored, so the record of the operation is not either. */
function answerOf(result: SignResult, queueId: string): OperationAnswer {
  const status = CREATED
  const contentType = JSON_TYPE
  if (result.kind === 'answered') {
    const { responseText: body, queueItemId, found } = result
    return { status, contentType, queueId, body, queueItemId, recorded: found !== true }
  }
  if (result.kind === 'nothing' && result.responseText !== undefined) {
    return { status, contentType, queueId, body: result.responseText, recorded: false }
  }
  throw fail('PROCESSING_FAILED')
}
