// A call of /sign as a command: read by its group before, carried out here, once per operation.
import { fail } from '../../errors.js'
import type { Leaving } from '../operation/leaving.js'
import type {
  Execution,
  OperationAnswer,
  OperationCall,
  Operations,
  Outcome,
} from '../operation/operation.js'
import type { SignResult } from './job.js'
import {
  isOtherQueue,
  type PosCommand,
  type PosReceipt,
  type RenewingDeps,
  readAnew,
  readReceipt,
  workOf,
} from './pos-receipt.js'
import type { Signing } from './sign.js'

export interface PosSigningDeps extends RenewingDeps {
  signing: Pick<Signing, 'sign'>
  operations: Pick<Operations, 'run'>
}

export type SignCommand = PosCommand & { operation: OperationCall }

export interface PosSigning {
  /** What is wrong with a body is told to a new call alone, and uses up nothing. */
  sign(command: SignCommand, leaving?: Leaving): Promise<Outcome>
}

export function createPosSigning(deps: PosSigningDeps): PosSigning {
  return {
    sign: (command, leaving) => {
      let given: PosCommand = command
      const prepare = () => {
        const now = given
        // reading completes the request: whoever prepares once more begins with the text
        if (given.body?.kind === 'read') given = { ...command, body: undefined }
        return execution(deps, now)
      }
      return deps.operations.run(command.operation, prepare, leaving)
    },
  }
}

/** Of the first execution; a failure inside of the answer is an answer as well. */
const CREATED = 201
const JSON_TYPE = 'application/json; charset=utf-8'

function execution(deps: PosSigningDeps, command: PosCommand): Execution | Promise<Execution> {
  const anew = (error: unknown) =>
    readAnew(deps, { command, error }).then((now) => executionOf(deps, now))
  try {
    const read = readReceipt(deps, command)
    if (!(read instanceof Promise)) return executionOf(deps, { command, read })
    return read.then((one) => executionOf(deps, { command, read: one }), anew)
  } catch (error) {
    return anew(error)
  }
}

interface Ready {
  command: PosCommand
  read: PosReceipt
}

function executionOf(deps: PosSigningDeps, ready: Ready): Execution {
  return { kind: 'recorded', run: () => signed(deps, ready, 1) }
}

/** Looks at the cash box in memory, and then anew as often as the queue turns out to have moved. */
const MOST_LOOKS = 3

async function again(
  deps: PosSigningDeps,
  { command, error, look }: { command: PosCommand; error: unknown; look: number },
): Promise<OperationAnswer> {
  if (look === MOST_LOOKS || !isOtherQueue(error)) throw error
  return signed(deps, await readAnew(deps, { command, error }), look + 1)
}

function signed(
  deps: PosSigningDeps,
  { command, read }: Ready,
  look: number,
): Promise<OperationAnswer> {
  return deps.signing.sign(workOf(command, read)).then(
    (result) => answerOf(result, read.queue.id),
    (error) => again(deps, { command, error, look }),
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
