// What people are told: FinanzOnline notifications for the taxpayer, as action and as item (the
// queue sends nothing itself), and in the sandbox why a receipt is signed and counted.
import { isoText } from '../../lib/ticks.js'
import type { Signature } from '../../model/receipt.js'
import { addAction, formats, priority } from '../kit/draft.js'
import type { Decision } from './decision.js'
import { hint, type ReceiptDraft } from './receipt-draft.js'
import { explanations, finanzOnline, signAndCount } from './text.js'

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

// ------------------------------------------------------------------------- why a receipt is signed

/** Zero, start, stop, monthly and yearly receipts: signed and counted whatever they hold. */
export function explainZero(draft: ReceiptDraft): void {
  if (!draft.input.tools.sandbox) return
  const data = signAndCount(true, true)
  if (draft.configuration.SignAll) draft.explanations.push(hint(draft, explanations.signAll, data))
  draft.explanations.push(hint(draft, explanations.zero, data))
  setStateData(draft, {
    Number: -1,
    Exception: '',
    Signing: true,
    Counting: true,
    ZeroReceipt: true,
  })
}

export function explainSignAll(draft: ReceiptDraft, counting: boolean): void {
  if (!draft.input.tools.sandbox) return
  draft.explanations.push(hint(draft, explanations.signAll, signAndCount(true, counting)))
  const data = { Number: -1, Exception: '', Signing: true, Counting: counting, ZeroReceipt: false }
  setStateData(draft, data)
}

export function explainDecision(draft: ReceiptDraft, decision: Decision): void {
  if (!draft.input.tools.sandbox) return
  const { number, table, effects, label } = decision
  const verdict = signAndCount(table.sign, table.count)
  draft.explanations.push(hint(draft, `${explanations.decision} ${number}`, verdict))
  for (const { exception, sign, count } of effects) {
    const caption = `${explanations.exception} ${exception}`
    draft.explanations.push(hint(draft, caption, signAndCount(sign, count)))
  }
  setStateData(draft, {
    Number: number,
    Exception: label,
    Signing: decision.sign,
    Counting: decision.count,
    ZeroReceipt: false,
  })
}

interface StateData {
  Number: number
  Exception: string
  Signing: boolean
  Counting: boolean
  ZeroReceipt: boolean
}

/** v0/v1: the object itself; v2: under the key of the market. */
function setStateData(draft: ReceiptDraft, data: StateData): void {
  draft.stateData = JSON.stringify(draft.reading.tagging === 'v2' ? { AT: data } : data)
}
