// Sign of group D: a ReceiptRequest of version 2 becomes a receipt of its queue, once per operation.
// Mounted by the door of this folder.
import type { Execution, OperationAnswer } from '../../core/operation/operation.js'
import type { SignJob, SignResult } from '../../core/sign/job.js'
import type { Signing } from '../../core/sign/sign.js'
import { fail } from '../../errors.js'
import { JSON_TYPE, type PosCall, type Prepare } from './call.js'
import { readSignRequest, type SignRequest, type SignRequestDeps } from './sign-request.js'

export interface SignDeps extends SignRequestDeps {
  signing: Pick<Signing, 'sign'>
}

/** Of the first execution; a failure inside of the answer is an answer as well. */
const CREATED = 201

/** Version 2 has its own encoding; the style of the older ones is not looked at. */
const STYLE: SignJob['style'] = { wcfDates: false, pascal: true }

export function prepareSign(deps: SignDeps): Prepare {
  return async (call) => execution(deps, call)
}

function execution(deps: SignDeps, call: PosCall): Execution {
  const read = readSignRequest(deps, call)
  const asks = read.market.isReceiptRequest(read.request.receiptCase)
  return {
    // a receipt request may be repeated: what it made once it finds the next time
    kind: asks ? 'noted' : 'recorded',
    run: () => signed(deps, { call, read, asks }),
  }
}

async function signed(
  { signing }: SignDeps,
  { call, read, asks }: { call: PosCall; read: SignRequest; asks: boolean },
): Promise<OperationAnswer> {
  const { queue, request, pos } = read
  const result = await signing.sign({
    accountId: call.access.accountId,
    queueId: queue.id,
    market: queue.market,
    version: 'v2',
    request,
    requestText: call.bodyText,
    style: STYLE,
    pos,
    ...(asks ? {} : { operation: call.operation }),
  })
  return answerOf(result, queue.id)
}

function answerOf(result: SignResult, queueId: string): OperationAnswer {
  const answer = { status: CREATED, contentType: JSON_TYPE, queueId }
  if (result.kind === 'answered') {
    return { ...answer, body: result.responseText, queueItemId: result.queueItemId }
  }
  if (result.kind === 'nothing' && result.responseText !== undefined) {
    return { ...answer, body: result.responseText }
  }
  throw fail('PROCESSING_FAILED')
}
