// Sign of group B: reads the request in the form of its door, finds the queue, hands it to
// core/sign. Called by the doors REST JSON, REST XML, SOAP and gRPC.
import type { SignResult } from '../../core/sign/job.js'
import { fail } from '../../errors.js'
import { utf8Text } from '../../lib/text.js'
import type { XmlElement } from '../../lib/xml-read.js'
import type { ReceiptRequest } from '../../model/receipt.js'
import {
  type DecodedRequest,
  decodeRequest,
  decodeRequestObject,
} from '../../model/receipt-json.js'
import { requestObject } from '../../model/receipt-xml.js'
import { encodeRequest } from '../../model/response-json.js'
import type { CallOrigin } from '../shared/caller.js'
import { type Caller, callerOf, chooseQueue } from './auth.js'
import type { MiddlewareDeps } from './deps.js'
import type { Version } from './routes.js'

/** A request as the door has read it, with the text that is stored for it. */
export interface ReadReceipt extends DecodedRequest {
  requestText: string
}

export interface SignCall {
  version: Version
  /** Where the credentials were looked at already. */
  caller?: Caller | undefined
  /** Runs after the credentials were looked at. */
  read(): ReadReceipt
}

/** The text of the answer, as it is stored; undefined where a receipt request finds nothing. */
export async function sign(
  deps: MiddlewareDeps,
  request: CallOrigin,
  { version, caller: known, read }: SignCall,
): Promise<string | undefined> {
  const early = known ?? (deps.authentication ? await callerOf(deps, request) : undefined)
  const { request: receipt, requestText, wcfDates } = read()
  const caller = early ?? (await callerOf(deps, request, receipt))
  checkCashBox(deps, receipt, caller)
  const queue = chooseQueue(caller, receipt.queueId)
  const result = await deps.signing.sign({
    accountId: caller.access.accountId,
    queueId: queue.id,
    market: queue.market,
    version: version === 'v1' ? 'v1' : 'v0',
    request: receipt,
    requestText,
    style: { wcfDates, pascal: deps.pascal },
  })
  return answerOf(result)
}

/** The client's own text. */
export function receiptOfJson(body: Buffer): ReadReceipt {
  const requestText = utf8Text(body)
  if (requestText === undefined) throw fail('BODY_MALFORMED', { reason: 'the bytes are no UTF-8' })
  return { ...decodeRequest(requestText), requestText }
}

/** Stored as the JSON that the field table writes; dates of the answer have one form. */
export function receiptOfXml(element: XmlElement): ReadReceipt {
  const { request } = decodeRequestObject(requestObject(element))
  return { request, requestText: encodeRequest(request), wcfDates: false }
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

function answerOf(result: SignResult): string | undefined {
  switch (result.kind) {
    case 'answered':
      return result.responseText
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
