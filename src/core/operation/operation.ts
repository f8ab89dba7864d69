// What a call with an idempotency key is, and what comes out of it.
import type { Leaving } from './leaving.js'

/** Whose operation: an id counts within its cash box. */
export interface OperationKey {
  accountId: string
  cashBoxId: string
  /** x-operation-id, in lower case. */
  id: string
}

export interface OperationCall extends OperationKey {
  method: string
  /** As it was called, version prefix included. */
  path: string
  /** SHA-256 of `requestText`. */
  bodyHash: Buffer
  /** JSON object, names in lower case, secrets replaced. */
  headers: string
  /** The body as it was sent. */
  requestText: string
  /** What its record keeps of the body; left out: all of it. */
  keptText?(): Promise<string>
}

export interface OperationAnswer {
  /** Of the first execution; 400 and more are failures, which are replayed as they are. */
  status: number
  contentType: string
  body: string
  /** The queue that served it, and its receipt where there is one. */
  queueId?: string
  queueItemId?: string
  /** False: a `recorded` execution has written nothing, for instance because it found a receipt. */
  recorded?: boolean
}

/**
 * What is left to do when a call is known to be new and well formed.
 * `claimed`: noted before it begins, because it works outside of this database (a payment); what it
 * throws becomes a failure that is kept.
 * `recorded`: writes its effects and its record in one transaction of its own (a receipt).
 * `noted`: has no effects, or such as may be repeated; its record is written behind it.
 */
export type Execution =
  | { kind: 'claimed'; run(): Promise<OperationAnswer> }
  | { kind: 'recorded'; run(): Promise<OperationAnswer> }
  | { kind: 'noted'; run(): Promise<OperationAnswer> }

/** What turns a call into work; may throw at once. */
export type Preparing = () => Execution | Promise<Execution>

export interface Outcome {
  answer: OperationAnswer
  /** True when the answer is that of an earlier call. */
  replayed: boolean
}

export interface Operations {
  /**
   * Once per key: runs, waits for whoever runs it, or gives the stored answer. `prepare` has no
   * effects and may be asked twice; what it throws is the answer of a new call alone and uses up
   * nothing.
   * Goes on when the caller has left. Throws OPERATION_CONFLICT for a known key with another
   * call, and OPERATION_WAITS when its caller leaves.
   */
  run(call: OperationCall, prepare: Preparing, leaving?: Leaving): Promise<Outcome>
  /**
   * The stored answer of a known call, undefined for a new one; for calls whose answer is too large
   * to be kept and is made again. Throws OPERATION_CONFLICT.
   */
  known(call: OperationCall): Promise<OperationAnswer | undefined>
  /** Writes the record of such a call. */
  note(call: OperationCall, answer: OperationAnswer): Promise<void>
  /** The record as stored; nothing waits. Undefined when this cash box never had it. */
  find(key: OperationKey): Promise<StoredOperation | undefined>
  /** By the reference of a receipt, newest first, at most 100; receipts without operation too. */
  byReference(query: ReferenceQuery): Promise<ReferencedReceipt[]>
  /** Payments that a server which died has left behind become failures; at the start and later. */
  resolveOrphans(): Promise<number>
  /**
   * Asks the server that runs this payment to stop it, again and again until it has ended, its
   * terminal says no, or the time is over. The end itself stands in the record.
   */
  stop(key: OperationKey, atMostMs: number): Promise<Stopped>
  /** What runs here hears of the wish to stop, perhaps several times, until the hearing ends. */
  onStop(key: OperationKey, asked: () => void): StopHearing
  /** Resolves when others see by its lock that this process is alive. */
  alive(): Promise<void>
  close(): Promise<void>
}

/** `rolledback`: a server died while it worked on it, and nothing of it is left. */
export type OperationState = 'running' | 'done' | 'failed' | 'rolledback'

export interface StoredOperation {
  id: string
  method: string
  path: string
  headers: string
  request: string | null
  state: OperationState
  status: number | null
  contentType: string | null
  response: string | null
  queueId: string | null
  queueItemId: string | null
  startedAt: Date
  /** Of the last change. */
  changedAt: Date
}

/** What an operation that can be stopped is told through. */
export interface StopHearing {
  /** It goes on: its terminal says no. */
  refuse(): void
  /** It is over, nobody can ask any more. */
  end(): void
}

/** `found` undefined: this cash box never had it. */
export interface Stopped {
  said: 'ended' | 'refused' | 'unanswered'
  found: StoredOperation | undefined
}

export interface ReferenceQuery {
  accountId: string
  cashBoxId: string
  queueIds: readonly string[]
  receiptReference: string
  /** Undefined: any. */
  terminalId: string | undefined
}

/** An item with this reference; `operation` where it was asked for by one. */
export interface ReferencedReceipt {
  queueId: string
  queueItemId: string
  queueMoment: Date
  /** Null while there is no answer. */
  response: string | null
  operation: StoredOperation | undefined
}
