// Sign of group B: reads the request in the form of its interface, finds the queue, hands it to
// core/sign.
import { readWords } from '../../case/reader.js'
import type { SignResult } from '../../core/sign/job.js'
import { memberHints } from '../../core/sign/member-hints.js'
import { FiscalError, fail } from '../../errors.js'
import { LARGE, nextTurn } from '../../lib/slices.js'
import { utf8Text } from '../../lib/text.js'
import type { XmlElement } from '../../lib/xml-read.js'
import { senselessAmounts } from '../../model/amount-limits.js'
import type { ReceiptRequest } from '../../model/receipt.js'
import {
  type DecodedRequest,
  decodeObjectInSlices,
  decodeRequest,
  decodeRequestInSlices,
  decodeRequestObject,
} from '../../model/receipt-json.js'
import { requestObject } from '../../model/receipt-xml.js'
import { encodeRequest } from '../../model/response-json.js'
import type { CallOrigin } from '../shared/caller.js'
import { type Caller, callerAtOnce, callerOf, chooseQueue } from './auth.js'
import type { MiddlewareDeps } from './deps.js'
import type { Version } from './routes.js'

/** A request as the interface has read it, with the text that is stored for it. */
export interface ReadReceipt extends DecodedRequest {
  requestText: string
  /** The same as it came, where it came in UTF-8. */
  requestBytes?: Buffer
  /** False where a missing amount and 0 are the same bytes. */
  tellsMissing?: boolean
}

export interface SignCall {
  version: Version
  /** Where the credentials were looked at already. */
  caller?: Caller | undefined
  /** The caller anew, where the queue has left its cash box; left out: by headers and receipt. */
  again?(): Promise<Caller>
  /** Runs after the credentials were looked at; of a large body in pieces. */
  read(): ReadReceipt | Promise<ReadReceipt>
}

/** Looks at the cash box in memory, and then anew as often as the queue turns out to have moved. */
const MOST_LOOKS = 3

/** An answer as it is stored. */
export type Answered = Pick<
  Extract<SignResult, { kind: 'answered' }>,
  'responseText' | 'responseBytes' | 'response'
>

/**
 * Undefined where a receipt request finds nothing. A known caller with a receipt of the usual size
 * waits for nothing but his answer.
 */
export function sign(
  deps: MiddlewareDeps,
  request: CallOrigin,
  call: SignCall,
): Promise<Answered | undefined> {
  const caller = call.caller ?? callerAtOnce(deps, request)
  if (caller === undefined) return signUnknown(deps, request, call)
  const receipt = received(deps, call.read())
  if (!(receipt instanceof Promise)) return signRead(deps, request, { call, caller, receipt })
  return receipt.then((read) => signRead(deps, request, { call, caller, receipt: read }))
}

async function signUnknown(
  deps: MiddlewareDeps,
  request: CallOrigin,
  call: SignCall,
): Promise<Answered | undefined> {
  const early = deps.authentication ? await callerOf(deps, request) : undefined
  const receipt = await received(deps, call.read())
  const caller = early ?? (await callerOf(deps, request, receipt.request))
  return signRead(deps, request, { call, caller, receipt })
}

interface Known {
  call: SignCall
  caller: Caller
  receipt: Received
}

function signRead(
  deps: MiddlewareDeps,
  request: CallOrigin,
  known: Known,
): Promise<Answered | undefined> {
  let work: SignWork
  try {
    const { call, caller, receipt } = known
    work = workOf(deps, { version: call.version, receipt, caller })
  } catch (error) {
    if (!isUnknownQueue(error)) throw error
    return lookAnew(deps, request, { known, look: 1 })
  }
  return deps.signing.sign(work).then(answerOf, (error: unknown) => {
    if (!isUnknownQueue(error)) throw error
    return lookAnew(deps, request, { known, look: 2 })
  })
}

/** `look`: which one it is. */
async function lookAnew(
  deps: MiddlewareDeps,
  request: CallOrigin,
  { known, look }: { known: Known; look: number },
): Promise<Answered | undefined> {
  const { call, caller, receipt } = known
  deps.credentials.forget(caller.access.cashBoxId)
  const now = await (call.again?.() ?? callerOf(deps, request, receipt.request))
  const work = workOf(deps, { version: call.version, receipt, caller: now })
  try {
    return answerOf(await deps.signing.sign(work))
  } catch (error) {
    if (look === MOST_LOOKS || !isUnknownQueue(error)) throw error
    return lookAnew(deps, request, { known, look: look + 1 })
  }
}

const NO_HINTS: SignWork['hints'] = Object.freeze([])

/** What is kept while a receipt waits: not the members as they came, a third of its memory. */
type Received = Pick<ReadReceipt, 'request' | 'requestText' | 'wcfDates'> &
  Pick<SignWork, 'hints' | 'requestBytes'>

function received(
  deps: MiddlewareDeps,
  read: ReadReceipt | Promise<ReadReceipt>,
): Received | Promise<Received> {
  if (read instanceof Promise) return read.then((receipt) => withoutMembers(deps, receipt))
  return withoutMembers(deps, read)
}

function withoutMembers({ sandbox }: MiddlewareDeps, receipt: ReadReceipt): Received {
  const { request, requestText, requestBytes, wcfDates, root, tellsMissing = true } = receipt
  const found = root === undefined ? NO_HINTS : memberHints(root, tellsMissing)
  const hints = sandbox ? found : undefined
  return { request, requestText, requestBytes, wcfDates, hints }
}

type SignWork = Parameters<MiddlewareDeps['signing']['sign']>[0]

const isUnknownQueue = (error: unknown): boolean =>
  error instanceof FiscalError &&
  (error.code === 'QUEUE_UNKNOWN' || error.code === 'QUEUE_NOT_NAMED')

function workOf(
  deps: MiddlewareDeps,
  { version, receipt, caller }: { version: Version; receipt: Received; caller: Caller },
): SignWork {
  const { request, requestText, requestBytes, wcfDates, hints } = receipt
  checkCashBox(deps, request, caller)
  checkAmounts(request)
  const queue = chooseQueue(caller, request.queueId)
  return {
    accountId: caller.access.accountId,
    cashBoxId: caller.access.cashBoxId,
    queueId: queue.id,
    market: queue.market,
    version: version === 'v1' ? 'v1' : 'v0',
    request,
    words: readWords(request),
    requestText,
    requestBytes,
    style: { wcfDates, pascal: deps.pascal },
    hints,
  }
}

/** The client's own text. */
export function receiptOfJson(body: Buffer): ReadReceipt | Promise<ReadReceipt> {
  if (body.length >= LARGE) return largeReceiptOfJson(body)
  const requestText = textOf(body)
  const { request, wcfDates, root } = decodeRequest(requestText)
  return { request, wcfDates, root, requestText, ...bytesBehind(body) }
}

/** Text and bytes are the same but for a byte order mark, which is not stored. */
function bytesBehind(body: Buffer): { requestBytes: Buffer } | undefined {
  return body[0] === BYTE_ORDER_MARK ? undefined : { requestBytes: body }
}

const BYTE_ORDER_MARK = 0xef

async function largeReceiptOfJson(body: Buffer): Promise<ReadReceipt> {
  await nextTurn()
  const requestText = textOf(body)
  return { ...(await decodeRequestInSlices(requestText)), requestText }
}

function textOf(body: Buffer): string {
  const text = utf8Text(body)
  if (text !== undefined) return text
  throw fail('BODY_MALFORMED', { reason: 'the bytes are no UTF-8' })
}

/** Stored as the JSON that the field table writes; dates of the answer have one form. */
export function receiptOfXml(element: XmlElement): ReadReceipt {
  return stored(decodeRequestObject(requestObject(element)))
}

/** The same of what the quick reader has read: known members in their usual form. */
export function receiptOfUsualXml(request: ReceiptRequest): ReadReceipt {
  return stored({ request, root: undefined, wcfDates: false })
}

/** The same of a large body in pieces. */
export async function largeReceiptOfXml(element: XmlElement): Promise<ReadReceipt> {
  await nextTurn()
  const decoded = await decodeObjectInSlices(requestObject(element))
  await nextTurn()
  return stored(decoded)
}

function stored({ request, root }: DecodedRequest): ReadReceipt {
  const { requestText, requestBytes } = encodeRequest(request)
  return { request, root, requestText, requestBytes, wcfDates: false }
}

/** A missing ftCashBoxID is taken from the header; another one than the queue's is refused. */
function checkCashBox(deps: MiddlewareDeps, receipt: ReceiptRequest, caller: Caller): void {
  const named = receipt.cashBoxId ?? caller.headerBox
  if (named === undefined) {
    throw fail('FIELD_MISSING', { field: 'ftCashBoxID', expected: 'the GUID of the cash box' })
  }
  if (named === caller.access.cashBoxId) return
  throw fail(deps.authentication ? 'CASH_BOX_OTHER_HEADER' : 'CASH_BOX_OTHER', {
    field: 'ftCashBoxID',
  })
}

function checkAmounts(receipt: ReceiptRequest): void {
  const [first] = senselessAmounts(receipt)
  if (first === undefined) return
  throw fail('FIELD_INVALID', { field: first.path, expected: first.expected })
}

function answerOf(result: SignResult): Answered | undefined {
  switch (result.kind) {
    case 'answered':
      return result
    case 'nothing':
      return undefined
    case 'refused':
      throw fail('MARKET_RULE', {
        reason: result.message,
        ...(result.field === undefined ? {} : { field: result.field }),
      })
    default:
      throw fail('PROCESSING_FAILED')
  }
}
