// /pay of group D: lets a terminal of the CashBox take or give back money. Mounted by index.ts.
import type { OperationAnswer } from '../../core/operation/operation.js'
import type { PaidItem } from '../../core/payment/items.js'
import type { Paid, Payments } from '../../core/payment/payments.js'
import { numberOf } from '../../device/payment/result.js'
import { fail } from '../../errors.js'
import { writeJson } from '../../lib/json-write.js'
import { JSON_TYPE, type PosCall, type Prepare } from './call.js'
import { decodePayRequest } from './pay-request.js'

export interface PayDeps {
  payments: Payments
}

export function preparePay({ payments }: PayDeps): Prepare {
  return async ({ access, operation, terminalId, bodyText }: PosCall) => {
    const request = decodePayRequest(bodyText, terminalId)
    const { accountId, cashBoxId } = access
    const [queue] = access.queues
    if (queue === undefined) throw fail('CASH_BOX_UNUSABLE', { cashBox: cashBoxId })
    const prepared = await payments.prepare({
      accountId,
      cashBoxId,
      operationId: operation.id,
      market: queue.market,
      request,
    })
    const protocol = request.requestedProtocol
    const run = async (): Promise<OperationAnswer> => {
      const paid = await prepared.run()
      return {
        status: 201,
        contentType: JSON_TYPE,
        body: payResponse({ protocol, queueId: queue.id, paid }),
        queueId: queue.id,
      }
    }
    return { kind: 'claimed', run }
  }
}

/** Both spellings of the ids: the documentation and the wire model of clients differ. */
function payResponse(parts: { protocol: string; queueId: string; paid: Paid }): string {
  const { protocol, queueId, paid } = parts
  const moment = paid.moment.toISOString()
  return writeJson({
    Protocol: protocol,
    ftQueueId: queueId,
    ftQueueID: queueId,
    ftPayItems: paid.items.map((item) => ({
      ftPayItemId: item.id,
      ftPayItemID: item.id,
      Description: item.description,
      Amount: numberOf(item.amount),
      ftPayItemCase: item.payItemCase,
      ftPayItemCaseData: caseDataOf(item),
      Moment: moment,
    })),
  })
}

function caseDataOf({ caseData }: PaidItem): object | undefined {
  if (caseData === undefined) return undefined
  const { provider, action, result } = caseData
  return {
    Provider: {
      Protocol: provider,
      Action: action,
      ProtocolRequest: result.request,
      ProtocolResponse: result.response,
    },
    Receipt: result.receipt,
  }
}
