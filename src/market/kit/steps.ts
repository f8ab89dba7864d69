// The steps that a receipt takes in every queue of version 2: is the queue in operation, what does
// the request mean, what is done, and what is answered.
import { type CallLimit, DeviceError, DeviceRefusal } from '../../device/device.js'
import type { ActionRow } from '../../model/journal.js'
import type {
  OutboxWork,
  Preview,
  PreviewInput,
  QueueRules,
  ReceiptInput,
  ReceiptOutcome,
  Unit,
} from '../contract.js'
import {
  addAction,
  type Draft,
  finished,
  isActive,
  newQueueDraft,
  priority,
  type QueueDraft,
  textItem,
} from './draft.js'
import { firstThatCan } from './first-unit.js'
import { isRefusal, type Refusal, refuse, refused } from './refusal.js'
import { isUsed, limitMs } from './unit-mode.js'

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
const isOn = (draft: Pick<Draft<unknown, never>, 'life'> & Parameters<typeof isActive>[0]) =>
  draft.life === undefined ? isActive(draft) : draft.life === 'begins'

export type Moments = { startMoment: Date | null; stopMoment: Date | null }
export const isOpen = ({ startMoment, stopMoment }: Moments): boolean =>
  startMoment !== null && stopMoment === null

/** The answer of a receipt that is refused; `kept`: what stays of its draft all the same. */
export const refusing =
  <S>(stateWord: bigint, kept: readonly ('state' | 'stateData' | 'journal')[]) =>
  <D>(draft: QueueDraft<S, D, unknown>, refusal: Refusal): ReceiptOutcome<S> => ({
    ...refused(draft.input, refusal, { stateWord, actions: draft.actions }),
    ...Object.fromEntries(kept.map((name) => [name, draft[name]])),
  })

interface Timed {
  settings: { 'scu-timeout-ms': number }
  input: { tools: Pick<ReceiptInput<unknown, never>['tools'], 'elapsedMs'> }
}

/** How long a call of this unit may still take, in milliseconds. */
export const timeLeft = ({ settings, input }: Timed, { scu }: Pick<Unit<unknown>, 'scu'>): number =>
  limitMs(scu, settings['scu-timeout-ms']) - input.tools.elapsedMs()

/** The first unit in use that says who it is, or why none does. */
export async function answering<D extends { identity(limit: CallLimit): Promise<I> }, I>(
  input: ReceiptInput<unknown, D>,
  milliseconds: number,
): Promise<(Unit<D> & { identity: I }) | string> {
  const found = await firstThatCan(input.units, async (unit) => {
    const timeoutMs = timeLeft({ input, settings: { 'scu-timeout-ms': milliseconds } }, unit)
    return { ...unit, identity: await unit.device.identity({ timeoutMs }) }
  })
  return found === '' ? 'the queue has no signing unit' : found
}

/**
 * What a call came to: its answer, a no as the refusal that tells it, or undefined where nobody
 * answers.
 */
export async function heard<T>(call: Promise<T>): Promise<T | Refusal | undefined> {
  try {
    return await call
  } catch (error) {
    if (error instanceof DeviceRefusal) return refuse(error.message)
    if (error instanceof DeviceError) return undefined
    throw error
  }
}

interface Answers<S> {
  /** A complete ftState of these bits. */
  word(bits: bigint): bigint
  outOfService: bigint
  /** What the state of the queue shows; `now`: its time in Unix milliseconds. */
  bitsOf(state: S, now: number): bigint
  /** Of the mark of the sandbox; left out: it has none of its own. */
  sandboxType?: bigint
}

/** The answer of an accepted receipt, and what the status shows between two of them. */
export function answersOf<S>({ word, outOfService, bitsOf, sandboxType = 0n }: Answers<S>) {
  const accepted = <D>(draft: QueueDraft<S, D, unknown>): ReceiptOutcome<S> => {
    const { state, input, signatures, stateData, journal, outbox } = draft
    const bits = isOn(draft) ? bitsOf(state, input.moment.getTime()) : outOfService
    const rest = { signatures, stateData, journal, outbox, sandboxType }
    return finished(draft, { stateWord: word(bits), ...rest })
  }
  const stateAt: NonNullable<QueueRules<S>['stateAt']> = (queue, state, { now }) =>
    word(isOpen(queue) ? bitsOf(state, now) : outOfService)
  return { accepted, stateAt }
}

export interface Life {
  isStart: boolean
  /** Behind the verb: `QueueES`. */
  what: string
  /** Of the signature item that says so. */
  types: { start: bigint; stop: bigint }
  /** Left out: its caption and the queue. */
  message?(type: string): string
  priority?: number
  scuId?: string
}

const CAPTIONS = { start: 'Initial-operation receipt', stop: 'Out-of-operation receipt' } as const

/**
 * The life of the queue begins or ends: the entry of the action journal, and the item on the
 * receipt.
 */
export function noteLife<S, D>(draft: Draft<S, D>, life: Life): void {
  const { queue, receipt, moment: Moment } = draft.input
  const { isStart, what, types, priority: level = priority.report, scuId } = life
  if (isStart && queue.startMoment === null) draft.life = 'begins'
  if (!isStart) draft.life = 'ends'
  const [kind, data] = [isStart ? 'start' : 'stop', `Queue-ID: ${queue.id}`] as const
  const caption = CAPTIONS[kind]
  draft.signatures.push(textItem(types[kind], caption, data))
  const word = receipt.request.receiptCase.toString(16)
  const type = `${word}-${isStart ? 'A' : 'Dea'}ctivate${what}`
  addAction(draft, {
    ...{ priority: level, type, message: life.message?.(type) ?? `${caption}. ${data}` },
    data: {
      ...{ CashBoxId: queue.cashBoxId, QueueId: queue.id, Moment },
      ...(scuId === undefined ? {} : { SCUId: scuId }),
      ...(isStart ? { IsStartReceipt: true } : { IsStopReceipt: true }),
      Version: 'V0',
    },
  })
}

/** An entry of the action journal from the work that follows receipts; `data`: as JSON. */
export const reported = (
  work: Pick<OutboxWork, 'newId'>,
  { type, message, data, priority: level = priority.report }: Reported,
): ActionRow => ({
  ...{ id: work.newId(), priority: level, type, message },
  ...{ dataJson: data === undefined ? null : JSON.stringify(data), dataBase64: null },
})

interface Reported {
  type: string
  message: string
  data?: object | undefined
  priority?: number
}

/** The unit that such work asks: the first one in use. */
export function unitOf<D>(work: OutboxWork): Unit<D> {
  const unit = work.units.find(({ scu }) => isUsed(scu)) as Unit<D> | undefined
  if (unit === undefined) throw new Error('there is no signing unit')
  return unit
}

/** What a receipt would become if every unit were like this one. */
export const tried = <S, D, O>(
  process: (input: ReceiptInput<S, D>) => O,
  input: PreviewInput<S>,
  device: D,
): O => process({ ...input, units: input.units.map((scu) => ({ scu, device })) })

/** What only a try would change. */
export const moved = <T extends string | number>(
  what: string,
  from: T,
  to: T,
): Preview<unknown>['changes'] => (from === to ? [] : [{ what, from, to }])

interface Tried<S, D> {
  /** Says yes to everything. */
  device(state: S): D
  /** What the state counts, by the names that people read. */
  numbers(state: S): Record<string, number>
}

export const previewOf =
  <S, D>(
    process: (input: ReceiptInput<S, D>) => Promise<ReceiptOutcome<S>>,
    { device, numbers }: Tried<S, D>,
  ) =>
  async (input: PreviewInput<S>): Promise<Preview<S>> => {
    const outcome = await tried(process, input, device(input.state))
    const before = numbers(input.state)
    const changes = Object.entries(numbers(outcome.state)).flatMap(([what, to]) =>
      moved(what, before[what] ?? 0, to),
    )
    return { v0: null, outcome, changes }
  }

interface QueueSteps<S, D, C, R> extends Answers<S>, Tried<S, D> {
  /** Codes of the receipts with which its life begins and ends. */
  life: { start: number; stop: number }
  /** ftState of a receipt that is refused; and what stays of its draft all the same. */
  refused: bigint
  kept: Parameters<typeof refusing>[1]
  read(draft: QueueDraft<S, D, C>): R | Refusal
  live(draft: QueueDraft<S, D, C>, isStart: boolean): Promise<undefined> | undefined
  /** Of all other receipts. */
  act(draft: QueueDraft<S, D, C>, reading: R): Promise<Refusal | undefined>
}

/** A queue that leaves all that it does to its draft: in earnest, only tried, and its status. */
export function queueOf<S extends object, D, C, R extends { code: number }>(
  steps: QueueSteps<S, D, C, R>,
) {
  const { accepted, stateAt } = answersOf<S>(steps)
  const { start, stop } = steps.life
  const process = (input: ReceiptInput<S, D>): Promise<ReceiptOutcome<S>> =>
    take(newQueueDraft<S, D, C>(input), {
      ...{ start, accepted, refused: refusing<S>(steps.refused, steps.kept) },
      read: (draft) => steps.read(draft),
      act: async (draft, reading) => {
        const isLife = reading.code === start || reading.code === stop
        return isLife ? steps.live(draft, reading.code === start) : steps.act(draft, reading)
      },
    })
  return { process, preview: previewOf<S, D>(process, steps), stateAt }
}
