// Sign of group D: a ReceiptRequest of version 2 becomes a receipt of its queue, once per
// operation. Mounted by the door of this folder.
import type { Execution, OperationAnswer } from '../../core/operation/operation.js'
import type { SignResult } from '../../core/sign/job.js'
import type { Signing } from '../../core/sign/sign.js'
import { fail } from '../../errors.js'
import { JSON_TYPE, type PosCall, type Prepare } from './call.js'
import {
  isOtherQueue,
  type RenewingDeps,
  readAnew,
  readSignRequest,
  type SignRequest,
  workOf,
} from './sign-request.js'

export interface SignDeps extends RenewingDeps {
  signing: Pick<Signing, 'sign'>
}

/** Of the first execution; a failure inside of the answer is an answer as well. */
const CREATED = 201

export function prepareSign(deps: SignDeps): Prepare {
  return (call) => execution(deps, call)
}

function execution(deps: SignDeps, call: PosCall): Execution | Promise<Execution> {
  const anew = (error: unknown) =>
    readAnew(deps, { call, error }).then((now) => executionOf(deps, now))
  try {
    const read = readSignRequest(deps, call)
    if (!(read instanceof Promise)) return executionOf(deps, { call, read })
    return read.then((one) => executionOf(deps, { call, read: one }), anew)
  } catch (error) {
    return anew(error)
  }
}

interface Ready {
  call: PosCall
  read: SignRequest
}

function executionOf(deps: SignDeps, ready: Ready): Execution {
  return { kind: 'recorded', run: () => signed(deps, ready, 1) }
}

/** Looks at the cash box in memory, and then anew as often as the queue turns out to have moved. */
const MOST_LOOKS = 3

async function again(
  deps: SignDeps,
  { call, error, look }: { call: PosCall; error: unknown; look: number },
): Promise<OperationAnswer> {
  if (look === MOST_LOOKS || !isOtherQueue(error)) throw error
  return signed(deps, await readAnew(deps, { call, error }), look + 1)
}

function signed(deps: SignDeps, { call, read }: Ready, look: number): Promise<OperationAnswer> {
  return deps.signing.sign(workOf(call, read)).then(
    (result) => answerOf(result, read.queue.id),
    (error) => again(deps, { call, error, look }),
  )
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
