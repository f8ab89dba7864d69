// The body of /sign: read, checked, given its queue, its cases made complete.

import { type ReceiptWords, readCompleted } from '../../case/reader.js'
import type { Credentials } from '../../core/accounts/credentials.js'
import type { PosWork } from '../../core/receipt-rules/problem.js'
import { problemsOf } from '../../core/receipt-rules/rules.js'
import { type FieldFault, FiscalError, fail, failFields } from '../../errors.js'
import { LARGE, nextTurn } from '../../lib/slices.js'
import type { Market } from '../../market/contract.js'
import { senselessAmounts } from '../../model/amount-limits.js'
import { bodyObject, bodyObjectInSlices } from '../../model/body-json.js'
import {
  type DecodedPosRequest,
  decodePosRequest,
  decodePosRequestInSlices,
} from '../../model/pos-request.js'
import type { PosRequest } from '../../model/receipt.js'
import type { CashBoxQueue } from '../../store/rollout/cashboxes.js'
import type { PosCall } from './call.js'

/** What reading the body needs of a call. */
export type SignFacts = Pick<PosCall, 'access' | 'terminalId' | 'bodyText'> &
  Partial<Pick<PosCall, 'posSystemId' | 'operation'>>

export interface SignRequestDeps {
  /** The table of market/index.ts. */
  marketOf(code: string): Market
  /** SIGN_VALIDATION=strict. */
  strict: boolean
}

export interface SignRequest {
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
export function readSignRequest(
  deps: SignRequestDeps,
  call: SignFacts,
): SignRequest | Promise<SignRequest> {
  const decoded = decodedOf(call.bodyText)
  if (!(decoded instanceof Promise)) return signRequestOf(deps, call, decoded)
  return decoded.then(async (one) => {
    await nextTurn()
    return signRequestOf(deps, call, one)
  })
}

/** The body of /sign as it was sent. Throws BODY_MISSING, BODY_MALFORMED. */
export function decodedOf(text: string): DecodedPosRequest | Promise<DecodedPosRequest> {
  if (text.trim() === '') throw fail('BODY_MISSING', { expected: 'a ReceiptRequest' })
  const otherwise = 'expected an object, a ReceiptRequest'
  if (text.length < LARGE) return decodePosRequest(bodyObject(text, otherwise))
  return bodyObjectInSlices(text, otherwise).then(decodePosRequestInSlices)
}

function signRequestOf(
  deps: SignRequestDeps,
  call: SignFacts,
  { request, facts, faults }: DecodedPosRequest,
): SignRequest {
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
  credentials: Pick<Credentials, 'renewed'>
}

/** With the cash box as it is now. Throws what was found before when it is gone. */
export async function readAnew<T extends SignFacts>(
  deps: RenewingDeps,
  { call, error }: { call: T; error: unknown },
): Promise<{ call: T; read: SignRequest }> {
  if (!isOtherQueue(error)) throw error
  const access = await deps.credentials.renewed(call.access)
  if (access === undefined) throw error
  const now = { ...call, access }
  return { call: now, read: await readSignRequest(deps, now) }
}

/** What the sign path and the dry run are told alike of a receipt of version 2. */
export function workOf(call: SignFacts, { queue, isUsual, request, words, pos }: SignRequest) {
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
  { access }: SignFacts,
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
function fillIn(call: SignFacts, request: PosRequest, queue: CashBoxQueue): void {
  request.cashBoxId = call.access.cashBoxId
  request.queueId = queue.id
  request.terminalId ??= call.terminalId ?? null
  const { posSystemId = NO_SYSTEM } = call
  if (posSystemId !== NO_SYSTEM) request.posSystemId ??= posSystemId
}
