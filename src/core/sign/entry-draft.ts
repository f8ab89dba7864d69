// One receipt while it becomes an entry: the queue as it found it, and the rows that it will leave.
import { keptHex } from '../../lib/hash.js'
import { orderedId } from '../../lib/id.js'
import { ticksOf } from '../../lib/ticks.js'
import type { OutboxEntry } from '../../market/contract.js'
import type { NewEvent } from '../../model/event.js'
import type { ActionRow, CertificateEntry, MarketRow } from '../../model/journal.js'
import type {
  ItemOperation,
  ItemRow,
  JournalledActionRow,
  JournalledMarketRow,
  OutboxRow,
  QueueCertificate,
  QueueEvent,
  ReceiptRow,
} from '../../store/sign/sign-batch.js'
import type { LoadedQueue, QueueProgress, SignResult } from './job.js'

/** A queue between two receipts of a batch. */
export interface Position {
  readonly loaded: LoadedQueue
  readonly head: Readonly<QueueProgress>
  readonly state: unknown
  /** What was noted since the queue was loaded. */
  readonly notes: ReadonlySet<string>
}

const NOTHING: ReadonlySet<string> = new Set()
const NO_OUTBOX: readonly OutboxRow[] = Object.freeze([])

export function positionOf(loaded: LoadedQueue): Position {
  return { loaded, head: loaded.head, state: loaded.state, notes: NOTHING }
}

/** What one receipt makes of its queue: what is stored, what is answered, and where it leads. */
export interface Entry {
  /** Undefined: only something was noted. */
  readonly item: ItemRow | undefined
  /** The item is stored already, and gets its answer now. */
  readonly completes: boolean
  /** None for an error. */
  readonly receipt: ReceiptRow | undefined
  readonly markets: readonly JournalledMarketRow[]
  readonly actions: readonly JournalledActionRow[]
  readonly certificates: readonly QueueCertificate[]
  readonly outbox: readonly OutboxRow[]
  /** Beside those of its receipt. */
  readonly events: readonly QueueEvent[]
  /** The record of the call that asked for it. */
  readonly operation: ItemOperation | undefined
  readonly next: Position
  /** Undefined while there is no answer. */
  readonly result: SignResult | undefined
}

const NO_MARKETS: readonly JournalledMarketRow[] = Object.freeze([])
const NO_ACTIONS: readonly JournalledActionRow[] = Object.freeze([])
const NO_CERTIFICATES: readonly QueueCertificate[] = Object.freeze([])
const NO_EVENTS: readonly QueueEvent[] = Object.freeze([])

/** What a receipt moves of its queue's head, beside the rows that its draft knows. */
export type HeadChange = Pick<
  QueueProgress,
  | ('secrets' | 'startMoment' | 'stopMoment' | 'currentRow' | 'queuedRow' | 'lastMoment')
  | ('receiptNumerator' | 'receiptTotalizer' | 'receiptHash' | 'lastReceiptId')
>

/** Filled by the steps of one entry, and seen by nobody else. */
export class EntryDraft {
  markets: readonly JournalledMarketRow[] = NO_MARKETS
  private acted: JournalledActionRow[] | undefined
  private certified: QueueCertificate[] | undefined
  outbox: readonly OutboxRow[] = NO_OUTBOX
  private happened: QueueEvent[] | undefined
  notes: ReadonlySet<string>
  timeStamp: bigint

  constructor(readonly before: Position) {
    this.notes = before.notes
    this.timeStamp = before.head.timeStamp
  }

  get actions(): readonly JournalledActionRow[] {
    return this.acted ?? NO_ACTIONS
  }

  get certificates(): readonly QueueCertificate[] {
    return this.certified ?? NO_CERTIFICATES
  }

  get events(): readonly QueueEvent[] {
    return this.happened ?? NO_EVENTS
  }

  get loaded(): LoadedQueue {
    return this.before.loaded
  }

  /** Of the head once the statement is written, however many entries it has. */
  get nextVersion(): bigint {
    return this.loaded.head.version + 1n
  }

  /** Ticks for the next row of this queue: now, or one more than the last. */
  nextTick(now: Date): bigint {
    const wanted = ticksOf(now.getTime())
    this.timeStamp = wanted > this.timeStamp ? wanted : this.timeStamp + 1n
    return this.timeStamp
  }

  /** True the first time in this process run of the queue. */
  once(key: string): boolean {
    if (this.loaded.noted.has(key) || this.notes.has(key)) return false
    this.notes = new Set(this.notes).add(key)
    return true
  }

  act(action: ActionRow, { itemId, now }: { itemId: string | null; now: Date }): void {
    const { id, priority, type, message, dataJson, dataBase64, event } = action
    if (event !== undefined) {
      const data = { ...event.data, queueItemId: itemId }
      this.happen({ ...event, subject: this.queue, data }, now)
    }
    this.acted ??= []
    this.acted.push({
      ...{ id, priority, type, message, dataJson, dataBase64 },
      queueId: this.before.head.id,
      queueItemId: itemId,
      moment: now,
      timeStamp: this.nextTick(now),
    })
  }

  get queue(): NewEvent['subject'] {
    return { kind: 'queue', id: this.before.head.id }
  }

  happen({ type, subject, data = {} }: NewEvent, now: Date): void {
    const { id: queueId, cashBoxId } = this.before.head
    this.happened ??= []
    this.happened.push({
      ...{ queueId, type, cashBoxId, subject, ticks: undefined, at: now },
      ...{ id: orderedId(now.getTime()), data: JSON.stringify(data) },
    })
  }

  /** The head behind this entry; `change`: what is not told by its rows. */
  headAfter(change: HeadChange): QueueProgress {
    const { head } = this.before
    // member by member, as everything that each receipt makes: see journal()
    return {
      accountId: head.accountId,
      id: head.id,
      cashBoxId: head.cashBoxId,
      market: head.market,
      description: head.description,
      identification: head.identification,
      configuration: head.configuration,
      secrets: change.secrets,
      timeoutMs: head.timeoutMs,
      startMoment: change.startMoment,
      stopMoment: change.stopMoment,
      currentRow: change.currentRow,
      queuedRow: change.queuedRow,
      receiptNumerator: change.receiptNumerator,
      receiptTotalizer: change.receiptTotalizer,
      receiptHash: change.receiptHash,
      lastMoment: change.lastMoment,
      timeStamp: this.timeStamp,
      version: this.nextVersion,
      lastReceiptId: change.lastReceiptId,
      lastMarketId: this.markets.at(-1)?.id ?? head.lastMarketId,
      lastActionId: this.actions.at(-1)?.id ?? head.lastActionId,
      seller: head.seller,
      scus: head.scus,
    }
  }

  follow(entries: readonly OutboxEntry[]): void {
    const queueId = this.before.head.id
    this.outbox = entries.map(({ kind, key, payload }) => ({
      ...{ queueId, kind, key, payload: JSON.stringify(payload) },
    }))
  }

  journal(rows: readonly MarketRow[], { itemId, now }: { itemId: string; now: Date }): void {
    if (rows.length === 0) return
    const queueId = this.before.head.id
    this.markets = rows.map((row) => ({
      // member by member: a spread with further members costs V8 more than all around it
      id: row.id,
      kind: row.kind,
      number: row.number,
      scuId: row.scuId,
      certificate: row.certificate,
      content: row.content,
      queueId,
      queueItemId: itemId,
      timeStamp: this.nextTick(now),
    }))
    for (const { certificate } of rows) this.certify(certificate?.entry ?? null)
  }

  /** A certificate is stored with the first row that refers to it. */
  private certify(entry: CertificateEntry | null): void {
    if (entry === null || !this.once(keptHex(entry.fingerprint))) return
    this.certified ??= []
    this.certified.push({ ...entry, queueId: this.before.head.id })
  }
}

/** An entry of action journal rows alone. */
export function noteEntry(draft: EntryDraft): Entry {
  const { before, markets, actions, certificates, notes } = draft
  const { loaded, head, state } = before
  const next = { loaded, head: draft.headAfter(head), state, notes }
  return {
    ...{ item: undefined, completes: false, receipt: undefined, operation: undefined },
    ...{ markets, actions, certificates, next, result: undefined },
    ...{ outbox: draft.outbox, events: draft.events },
  }
}
