// The steps that a receipt takes in every queue of version 2: is the queue in operation, what does
// the request mean, what is done, and what is answered.
import type { CallLimit } from '../../device/device.js'
import type { ActionRow, MarketRow } from '../../model/journal.js'
import type { OutboxWork, QueueRules, ReceiptInput, ReceiptOutcome, Unit } from '../contract.js'
import { addAction, type Draft, isActive, priority } from './draft.js'
import { firstThatCan } from './first-unit.js'
import { isRefusal, type Refusal } from './refusal.js'
import { limitMs } from './unit-mode.js'

export interface Steps<X, R, S> {
  /** Of the start receipt, which goes on where others are not looked at. */
  start: number
  read(draft: X): R | Refusal
  act(draft: X, reading: R): Promise<Refusal | undefined>
  accepted(draft: X): ReceiptOutcome<S>
  refused(draft: X, refusal: Refusal): ReceiptOutcome<S>
}

export async function take<S, D, X extends Draft<S, D>, R extends object>(
  draft: X,
  steps: Steps<X, R, S>,
): Promise<ReceiptOutcome<S>> {
  const { queue, receipt } = draft.input
  const begins = receipt.words.receipt.code === steps.start && queue.startMoment === null
  if (!isActive(draft) && !begins) {
    // before the start and after the stop every receipt gets the same answer, and none is checked
    const message = `Queue ${queue.id} is out of operation.`
    addAction(draft, { priority: priority.warning, type: 'OutOfOrder', message })
    return steps.accepted(draft)
  }
  const reading = steps.read(draft)
  const wrong = isNo(reading) ? reading : await steps.act(draft, reading)
  return wrong === undefined ? steps.accepted(draft) : steps.refused(draft, wrong)
}

const isNo = (value: object): value is Refusal => 'kind' in value && isRefusal(value as Refusal)

/** In operation when its answer is given. */
export const isOn = (
  draft: Pick<Draft<unknown, never>, 'life'> & Parameters<typeof isActive>[0],
) => (draft.life === undefined ? isActive(draft) : draft.life === 'begins')

export type StateAt<S> = NonNullable<QueueRules<S>['stateAt']>

export type Moments = { startMoment: Date | null; stopMoment: Date | null }
export const isOpen = ({ startMoment, stopMoment }: Moments): boolean =>
  startMoment !== null && stopMoment === null

/** The first unit in use that says who it is, or why none does. */
export async function answering<D extends { identity(limit: CallLimit): Promise<I> }, I>(
  input: ReceiptInput<unknown, D>,
  timeoutMs: number,
): Promise<(Unit<D> & { identity: I }) | string> {
  const found = await firstThatCan(input.units, async (unit) => {
    const left = limitMs(unit.scu, timeoutMs) - input.tools.elapsedMs()
    return { ...unit, identity: await unit.device.identity({ timeoutMs: left }) }
  })
  return found === '' ? 'the queue has no signing unit' : found
}

export interface Life {
  isStart: boolean
  /** Behind the verb: `QueueES`. */
  what: string
  message(type: string): string
  priority?: number
  scuId?: string
}

/** The entry of the action journal of a start or a stop. */
export function noteLife<S, D>(draft: Draft<S, D>, life: Life): void {
  const { queue, receipt, moment: Moment } = draft.input
  const { isStart, what, message, priority: level = priority.report, scuId } = life
  const word = receipt.request.receiptCase.toString(16)
  const type = `${word}-${isStart ? 'A' : 'Dea'}ctivate${what}`
  addAction(draft, {
    ...{ priority: level, type, message: message(type) },
    data: {
      ...{ CashBoxId: queue.cashBoxId, QueueId: queue.id, Moment },
      ...(scuId === undefined ? {} : { SCUId: scuId }),
      ...(isStart ? { IsStartReceipt: true } : { IsStopReceipt: true }),
      Version: 'V0',
    },
  })
}

/** What a queue stores beside a receipt, as JSON. */
export function marketRow(
  of: { newId(): string },
  row: { kind: string; number: number; content: object; scuId?: string | null },
): MarketRow {
  const { kind, number, content, scuId = null } = row
  return {
    id: of.newId(),
    kind,
    number,
    scuId,
    certificate: null,
    content: JSON.stringify(content),
  }
}

/** An entry of the action journal from the work that follows receipts. */
export const reported = (work: OutboxWork, type: string, message: string): ActionRow => ({
  ...{ id: work.newId(), priority: priority.report, type, message },
  ...{ dataJson: null, dataBase64: null },
})
