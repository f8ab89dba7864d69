// FinanzOnline notifications: what the taxpayer has to tell the tax office, as action and as item.
// The queue sends nothing itself.
import { isoText } from '../../lib/ticks.js'
import type { Signature } from '../../model/receipt.js'
import { addAction, priority } from '../kit/draft.js'
import { formats } from './case-words.js'
import type { ReceiptDraft } from './receipt-draft.js'
import { finanzOnline } from './text.js'

const TYPE = '0x4154000000000003'

export type Notice =
  | { kind: 'activation'; jws: string; isStartReceipt: boolean }
  | { kind: 'deactivation'; jws: string; isStopReceipt: boolean }
  | { kind: 'verification'; jws: string }

interface Written {
  type: string
  caption: string
  /** Members of Data with the given DEPValue. */
  data(depValue: string): Record<string, unknown>
  /** DEPValue of the item: a printed code has no room for a JWS that nobody verifies. */
  itemValue: string
}

/** Writes the action journal entry and returns the item for the receipt. */
export function notify(draft: ReceiptDraft, notice: Notice): Signature {
  const { type, caption, data, itemValue } = write(draft, notice)
  const id = addAction(draft, {
    priority: priority.report,
    type,
    message: caption,
    data: data(notice.jws),
    dataBase64: 'jws',
  })
  const item = { ActionJournalId: id, Type: type, Data: data(itemValue) }
  return finanzOnlineItem(draft, caption, JSON.stringify(item))
}

function write({ input: { queue, moment } }: ReceiptDraft, notice: Notice): Written {
  const ids = { CashBoxId: queue.cashBoxId, QueueId: queue.id }
  const CashBoxIdentification = queue.identification
  const Moment = isoText(moment)
  if (notice.kind === 'verification') {
    return {
      type: `${TYPE}-FonVerifySignature`,
      caption: finanzOnline.verification(notice.jws),
      data: (DEPValue) => ({ ...ids, DEPValue, CashBoxIdentification }),
      itemValue: notice.jws,
    }
  }
  const activation = notice.kind === 'activation'
  const last = activation
    ? { IsStartReceipt: notice.isStartReceipt }
    : { IsStopReceipt: notice.isStopReceipt }
  return {
    type: `${TYPE}-${activation ? 'FonActivateQueue' : 'FonDeactivateQueue'}`,
    caption: finanzOnline[notice.kind](queue.id),
    data: (DEPValue) => ({ ...ids, Moment, CashBoxIdentification, DEPValue, ...last }),
    itemValue: '',
  }
}

function finanzOnlineItem(draft: ReceiptDraft, caption: string, data: string): Signature {
  return { format: formats.aztec, type: draft.types.finanzOnline, caption, data }
}

/** The notification that was made on an earlier receipt and waits for a zero receipt. */
export function waitingNotification(draft: ReceiptDraft): Signature | undefined {
  const { messageData } = draft.state
  if (messageData === null) return undefined
  return finanzOnlineItem(draft, finanzOnline.deactivation(draft.input.queue.id), messageData)
}
