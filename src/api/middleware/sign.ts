// Sign of group B: reads the request, finds the queue, hands it to core/sign, answers the stored
// text.
import type { FastifyRequest } from 'fastify'
import type { SignResult } from '../../core/sign/job.js'
import { fail } from '../../errors.js'
import { utf8Text } from '../../lib/text.js'
import type { ReceiptRequest } from '../../model/receipt.js'
import { decodeRequest } from '../../model/receipt-json.js'
import { type Caller, callerOf, chooseQueue } from './auth.js'
import type { MiddlewareDeps } from './deps.js'
import type { Version } from './routes.js'

export interface SignAnswer {
  status: number
  /** JSON text, '' for an answer without body. */
  body: string
}

export async function sign(
  deps: MiddlewareDeps,
  request: FastifyRequest,
  version: Version,
): Promise<SignAnswer> {
  const early = deps.authentication ? await callerOf(deps, request) : undefined
  const requestText = bodyText(request)
  const { request: receipt, wcfDates } = decodeRequest(requestText)
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
  return answerOf(result, version)
}

function bodyText(request: FastifyRequest): string {
  const { body } = request
  const text = Buffer.isBuffer(body) ? utf8Text(body) : ''
  if (text === undefined) throw fail('BODY_MALFORMED', { reason: 'the bytes are no UTF-8' })
  return text
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

function answerOf(result: SignResult, version: Version): SignAnswer {
  switch (result.kind) {
    case 'answered':
      return { status: 200, body: result.responseText }
    case 'nothing':
      return version === 'v1' ? { status: 200, body: 'null' } : { status: 204, body: '' }
    case 'refused':
      throw fail('MARKET_RULE', {
        reason: result.message,
        ...(result.field === undefined ? {} : { field: result.field }),
      })
    default:
      throw fail('PROCESSING_FAILED')
  }
}
