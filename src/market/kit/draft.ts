// A receipt on its way through a queue: which earlier ones are found for it, what the working copy
// of every country has, and how it becomes the outcome.
import type { CasedRequest } from '../../case/reader.js'
import { isoText } from '../../lib/ticks.js'
import type { ActionRow, MarketRow } from '../../model/journal.js'
import { type OpenOutage, OUTAGE_CAUSES, type OutageCause } from '../../model/outage.js'
import type { QueueView } from '../../model/queue.js'
import type { Signature } from '../../model/receipt.js'
import type {
  Fault,
  OutboxEntry,
  QueueRules,
  ReceiptInput,
  ReceiptOutcome,
  Referred,
  Sought,
} from '../contract.js'

/** ftSignatureFormat. */
export const formats = {
  ...{ text: 0x01n, link: 0x02n, qr: 0x03n, aztec: 0x08n, base64: 0x0dn },
} as const
/** Priorities of the action journal. */
export const priority = { report: -1, error: 0x10, warning: 0x20, information: 0x30 } as const

/** `own`: what the law asks for beside the named ones; a reference may be in it twice. */
export const seeking =
  (own?: (receipt: CasedRequest) => readonly Sought[] | undefined): QueueRules<never>['lookUp'] =>
  (receipt, named) => {
    const asked = own?.(receipt)
    if (asked === undefined && named.length === 0) return undefined
    const all = new Map<string, Sought>()
    for (const reference of named) all.set(reference, { reference, wants: 'receipts' })
    for (const { reference, wants } of asked ?? []) {
      const before = all.get(reference)?.wants ?? wants
      all.set(reference, { reference, wants: before === wants ? wants : 'both' })
    }
    return all.size === 0 ? undefined : [...all.values()]
  }

/** What was found under a reference. */
export function referredTo(previous: readonly Referred[], reference: string): Referred | undefined {
  return previous.find((one) => one.reference === reference)
}

/** What its newest row says; undefined: nothing is noted of it. */
export function newestOf<T>(previous: readonly Referred[], reference: string): T | undefined {
  const newest = referredTo(previous, reference)?.newest
  return newest === undefined ? undefined : (JSON.parse(newest) as T)
}

/** The steps of a market fill it; `D` is the opened device. */
export interface Draft<S, D> {
  readonly input: ReceiptInput<S, D>
  /** The working copy; steps assign to its members. */
  state: S
  /** Complete ftReceiptIdentification: `ft1A#` until the receipt gets a number of the law. */
  identification: string
  signatures: Signature[]
  journal: MarketRow[]
  actions: ActionRow[]
  life: ReceiptOutcome<S>['life']
}

export interface Held {
  /** Since when it has receipts that lie in this server alone (ISO text). */
  heldSince: string | null
}

/** Notes that the receipt lies here, of a queue that was put into operation. */
export function hold<D>(draft: Pick<Draft<Held, D>, 'state' | 'life' | 'input'>): void {
  if (draft.life === 'begins' || isActive(draft)) {
    draft.state.heldSince ??= isoText(draft.input.moment)
  }
}

/** Of a receipt of which nothing is known yet. */
export function newDraft<S extends object, D>(input: ReceiptInput<S, D>): Draft<S, D> {
  return {
    input,
    state: { ...input.state },
    identification: plainIdentification(input.queue),
    signatures: [],
    journal: [],
    actions: [],
    life: undefined,
  }
}

/** The same with the settings `C` of its queue, and with work and data that go with the answer. */
export interface QueueDraft<S, D, C> extends Draft<S, D> {
  readonly settings: C
  outbox: OutboxEntry[]
  stateData: string | null
}

export const newQueueDraft = <S extends object, D, C>(
  input: ReceiptInput<S, D>,
): QueueDraft<S, D, C> => ({
  ...newDraft(input),
  settings: input.queue.configuration as C,
  ...{ outbox: [], stateData: null },
})

type Of<K extends keyof ReceiptInput<unknown, never>> = {
  input: Pick<ReceiptInput<unknown, never>, K>
}

/** `ft1A#`: the receipts so far. */
export function plainIdentification({ receiptNumerator }: QueueView): string {
  return `ft${receiptNumerator.toString(16).toUpperCase()}#`
}

export function isActive({ input: { queue } }: Of<'queue'>): boolean {
  return queue.startMoment !== null && queue.stopMoment === null
}

export function hasItems({ input: { receipt } }: Of<'receipt'>): boolean {
  return receipt.request.chargeItems.length > 0 || receipt.request.payItems.length > 0
}

export interface Action {
  priority: number
  type: string
  message: string
  /** Written as JSON; `dataJson`: it is JSON already. */
  data?: unknown
  dataJson?: string
  /** The member of the same name, for what the law or the field puts there. */
  dataBase64?: string | null
  event?: ActionRow['event']
}

/** Adds an entry of the action journal; returns its id. */
export function addAction(
  draft: Of<'tools'> & { actions: ActionRow[] },
  { priority, type, message, data, dataJson, dataBase64 = null, event }: Action,
): string {
  const id = draft.input.tools.newId()
  const json = dataJson ?? (data === undefined ? null : JSON.stringify(data))
  const row: ActionRow = { id, priority, type, message, dataJson: json, dataBase64 }
  draft.actions.push(event === undefined ? row : { ...row, event })
  return id
}

export const outage = {
  opened: (cause: OutageCause) => ({ type: 'outage.opened', data: { cause } }) as const,
  /** `receipts`: how many were not signed, or entered later. */
  closed: (cause: OutageCause, receipts: number) =>
    ({ type: 'outage.closed', data: { cause, receipts } }) as const,
}

interface Mode {
  receipts: number
  since: number | null
}

/** What the counters and moments of a queue say; one of 0 receipts does not go on. */
export function openOutages(modes: Partial<Record<OutageCause, Mode>>): OpenOutage[] {
  return OUTAGE_CAUSES.flatMap((cause) => {
    const { receipts = 0, since = null } = modes[cause] ?? {}
    return receipts === 0 || since === null ? [] : [{ cause, since, receipts }]
  })
}

export const textItem = (type: bigint, caption: string, data: string): Signature => ({
  format: formats.text,
  ...{ type, caption, data },
})

/** Those that say something. */
export const saying = (...items: readonly Signature[]): Signature[] =>
  items.filter(({ data }) => data !== '')

/** The mark of the sandbox, last on the receipt; some countries give it a type of their own. */
export const sandboxMark = (queueId: string, type = 0n): Signature =>
  textItem(type, 'S A N D B O X', queueId)

const NO_FAULTS: readonly Fault[] = Object.freeze([])

/** The outcome of an accepted receipt. `signatures`: the whole list, without the sandbox mark. */
export function finished<S, D>(
  { input, identification, state, life, actions }: Draft<S, D>,
  rest: Pick<ReceiptOutcome<S>, 'stateWord' | 'signatures' | 'stateData' | 'journal'> & {
    sandboxType?: bigint
    /** Work that follows; an empty list says nothing. */
    outbox?: OutboxEntry[]
  },
): ReceiptOutcome<S> {
  const { stateWord, signatures, stateData, journal, sandboxType, outbox = [] } = rest
  const outcome: ReceiptOutcome<S> = {
    faults: NO_FAULTS,
    identification,
    stateWord,
    signatures: input.tools.sandbox
      ? withOne(signatures, sandboxMark(input.queue.id, sandboxType))
      : signatures,
    stateData,
    state,
    journal,
    actions,
  }
  if (life !== undefined) outcome.life = life
  if (outbox.length > 0) outcome.outbox = outbox
  return outcome
}

type Row = Pick<MarketRow, 'kind' | 'number'> &
  Partial<Pick<MarketRow, 'scuId' | 'certificate'>> & { content: object | string }

/** What a queue stores beside a receipt; an object as JSON. */
export function marketRow(of: { newId(): string }, row: Row): MarketRow {
  const { kind, number, content, scuId = null, certificate = null } = row
  const text = typeof content === 'string' ? content : JSON.stringify(content)
  return { id: of.newId(), kind, number, scuId, certificate, content: text }
}

/** The list with one more; a list that grows by pushing has room for 17 from its first one on. */
export const withOne = <T>(list: readonly T[], one: T): T[] =>
  list.length === 0 ? [one] : list.concat([one])

export function addRow(draft: Of<'tools'> & { journal: MarketRow[] }, row: Row): void {
  draft.journal.push(marketRow(draft.input.tools, row))
}
