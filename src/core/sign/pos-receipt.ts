// A receipt of the PosSystem API: its queue, its cases made complete, and what the rules say of it.
import { type ReceiptWords, readCompleted } from '../../case/reader.js'
import { type FieldFault, FiscalError, fail, failFields } from '../../errors.js'
import { LARGE, nextTurn } from '../../lib/slices.js'
import type { Market } from '../../market/contract.js'
import { senselessAmounts } from '../../model/amount-limits.js'
import {
  type DecodedPosRequest,
  decodePosText,
  decodePosTextInSlices,
} from '../../model/pos-request.js'
import type { PosRequest } from '../../model/receipt.js'
import type { CashBoxAccess, CashBoxQueue } from '../../store/rollout/cashboxes.js'
import type { OperationCall } from '../operation/operation.js'
import type { PosWork } from '../receipt-rules/problem.js'
import { problemsOf } from '../receipt-rules/rules.js'

/** A call of /sign, read by its group. */
export interface PosCommand {
  access: CashBoxAccess
  /** x-terminal-id: stands in for cbTerminalID. */
  terminalId: string | undefined
  posSystemId?: string
  /** Left out: the receipt is only tried. */
  operation?: OperationCall
  bodyText: string
  /** Undefined for a large one: it is read when it is known that the call is a new one. */
  body: PosBody | undefined
}

/** A fault is what the call is refused with. */
export type PosBody =
  | { kind: 'read'; decoded: DecodedPosRequest }
  | { kind: 'refused'; fault: unknown }

export interface SignRequestDeps {
  /** The table of market/index.ts. */
  marketOf(code: string): Market
  /** SIGN_VALIDATION=strict. */
  strict: boolean
}

export interface PosReceipt {
  queue: CashBoxQueue
  /** Nobody named it, and it is in use. */
  isUsual: boolean
  market: Market
  request: PosRequest
  words: ReceiptWords
  pos: PosWork
}

/**
 * Throws FiscalError (kind invalid) with every fault of the body; nothing is stored by then. A
 * large body is read in pieces with turns of others between them.
 */
export function readReceipt(
  deps: SignRequestDeps,
  command: PosCommand,
): PosReceipt | Promise<PosReceipt> {
  const { body, bodyText } = command
  if (body?.kind === 'refused') throw body.fault
  if (body !== undefined) return receiptOf(deps, command, body.decoded)
  if (bodyText.length < LARGE) return receiptOf(deps, command, decodePosText(bodyText))
  return decodePosTextInSlices(bodyText).then(async (decoded) => {
    await nextTurn()
    return receiptOf(deps, command, decoded)
  })
}

function receiptOf(
  deps: SignRequestDeps,
  call: PosCommand,
  { request, facts, faults }: DecodedPosRequest,
): PosReceipt {
  const isNamed = request.queueId !== null
  const queue = queueOf(call, request, faults)
  if (faults.length === 0) faults.push(...senselessAmounts(request))
  if (faults.length > 0) throw failFields(faults)
  if (queue === undefined) throw fail('CASH_BOX_UNUSABLE', { cashBox: call.access.cashBoxId })
  fillIn(call, request, queue)
  const market = deps.marketOf(queue.market)
  const { words, faults: caseFaults } = readCompleted(request, market.cases)
  const problems = problemsOf({ request, words, facts, caseFaults, rules: market.cases })
  const { references } = facts
  const isUsual = !isNamed && !queue.stopped
  return {
    queue,
    isUsual,
    market,
    request,
    words,
    pos: { strict: deps.strict, problems, references },
  }
}

/** The cash box of a call does not hold the queue, as far as was remembered when it came. */
export function isOtherQueue(error: unknown): boolean {
  if (!(error instanceof FiscalError)) return false
  if (error.code === 'CASH_BOX_UNUSABLE' || error.code === 'QUEUE_UNKNOWN') return true
  return error.faults?.ftQueueID !== undefined
}

export interface RenewingDeps extends SignRequestDeps {
  credentials: { renewed(access: CashBoxAccess): Promise<CashBoxAccess | undefined> }
}

/** With the cash box as it is now. Throws what was found before when it is gone. */
export async function readAnew<C extends PosCommand>(
  deps: RenewingDeps,
  { command, error }: { command: C; error: unknown },
): Promise<{ command: C; read: PosReceipt }> {
  if (!isOtherQueue(error)) throw error
  const access = await deps.credentials.renewed(command.access)
  if (access === undefined) throw error
  const now = { ...command, access, body: undefined }
  return { command: now, read: await readReceipt(deps, now) }
}

/** What the sign path and the dry run are told alike of a receipt of version 2. */
export function workOf(call: PosCommand, { queue, isUsual, request, words, pos }: PosReceipt) {
  const { access, bodyText, operation } = call
  return {
    accountId: access.accountId,
    cashBoxId: access.cashBoxId,
    queueId: queue.id,
    isUsual,
    market: queue.market,
    version: 'v2' as const,
    request,
    words,
    requestText: bodyText,
    // version 2 has its own encoding; the style of the older ones is not looked at
    style: { wcfDates: false, pascal: true },
    pos,
    operation,
  }
}

/** The queue that the body names, else the oldest in use; undefined: the cash box has none. */
function queueOf(
  { access }: PosCommand,
  { cashBoxId, queueId }: PosRequest,
  faults: FieldFault[],
): CashBoxQueue | undefined {
  if (cashBoxId !== null && cashBoxId !== access.cashBoxId) {
    const expected = 'the CashBox of the header x-cashbox-id, or nothing'
    faults.push({ path: 'ftCashBoxID', expected, isMissing: false })
  }
  if (queueId === null) return access.queues.find(({ stopped }) => !stopped) ?? access.queues[0]
  const named = access.queues.find(({ id }) => id === queueId)
  if (named === undefined) {
    faults.push({ path: 'ftQueueID', expected: 'a Queue of this CashBox', isMissing: false })
  }
  return named
}

const NO_SYSTEM = '00000000-0000-0000-0000-000000000000'

/** What the headers say where the body is silent; the stored text stays the client's. */
function fillIn(call: PosCommand, request: PosRequest, queue: CashBoxQueue): void {
  request.cashBoxId = call.access.cashBoxId
  request.queueId = queue.id
  request.terminalId ??= call.terminalId ?? null
  const { posSystemId = NO_SYSTEM } = call
  if (posSystemId !== NO_SYSTEM) request.posSystemId ??= posSystemId
}
