// One receipt while it becomes an entry: the queue as it found it, and the rows that it will leave.
import { ticksOf } from '../../lib/ticks.js'
import type { MarketRow } from '../../market/contract.js'
import type { ActionRow } from '../../model/journal.js'
import type {
  ItemOperation,
  ItemRow,
  JournalledActionRow,
  JournalledMarketRow,
  QueueCertificate,
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
  /** The record of the call that asked for it. */
  readonly operation: ItemOperation | undefined
  readonly next: Position
  /** Undefined while there is no answer. */
  readonly result: SignResult | undefined
}

/** Filled by the steps of one entry, and seen by nobody else. */
export class EntryDraft {
  readonly markets: JournalledMarketRow[] = []
  readonly actions: JournalledActionRow[] = []
  readonly certificates: QueueCertificate[] = []
  notes: ReadonlySet<string>
  timeStamp: bigint

  constructor(readonly before: Position) {
    this.notes = before.notes
    this.timeStamp = before.head.timeStamp
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
    this.actions.push({
      ...action,
      queueId: this.before.head.id,
      queueItemId: itemId,
      moment: now,
      timeStamp: this.nextTick(now),
    })
  }

  journal(rows: readonly MarketRow[], { itemId, now }: { itemId: string; now: Date }): void {
    const queueId = this.before.head.id
    for (const row of rows) {
      // member by member: a spread with further members costs V8 more than all around it
      this.markets.push({
        id: row.id,
        kind: row.kind,
        number: row.number,
        scuId: row.scuId,
        certificate: row.certificate,
        content: row.content,
        queueId,
        queueItemId: itemId,
        timeStamp: this.nextTick(now),
      })
      const entry = row.certificate?.entry ?? null
      if (entry !== null && this.once(`certificate ${entry.fingerprint.toString('hex')}`)) {
        this.certificates.push({ ...entry, queueId })
      }
    }
  }
}

/** An entry of action journal rows alone. */
export function noteEntry(draft: EntryDraft): Entry {
  const { before, markets, actions, certificates, notes, timeStamp, nextVersion } = draft
  const { loaded, head, state } = before
  const next = { loaded, head: { ...head, timeStamp, version: nextVersion }, state, notes }
  return {
    ...{ item: undefined, completes: false, receipt: undefined, operation: undefined },
    ...{ markets, actions, certificates, next, result: undefined },
  }
}
