// What waits in front of a queue, and what comes out of it.
import type { ReceiptWords } from '../../case/reader.js'
import type { Spans } from '../../lib/spans.js'
import type { Market, Referred, Sought } from '../../market/contract.js'
import type { QueueHead } from '../../model/queue.js'
import type { InterfaceVersion, ReceiptRequest, ReceiptResponse } from '../../model/receipt.js'
import type { ResponseStyle } from '../../model/response-json.js'
import type { Store } from '../../store/client.js'
import type { FailPoints } from '../fail-point.js'
import type { OperationCall } from '../operation/operation.js'
import type { PosWork } from '../receipt-rules/problem.js'
import type { Hint } from './member-hints.js'

/** A request that passed every check that needs no queue. */
export interface SignJob {
  accountId: string
  /** The cash box of the caller's credentials: the queue signs while that one holds it. */
  cashBoxId: string
  queueId: string
  /** True where nobody named the queue and the one in use was chosen: not once it stopped. */
  isUsual?: boolean
  version: InterfaceVersion
  request: ReceiptRequest
  /** Its case words, read once. */
  words: ReceiptWords
  /** The client's own text, which is stored and hashed. */
  requestText: string
  /** Its UTF-8, where it is at hand. */
  requestBytes?: Buffer | undefined
  style: ResponseStyle
  /** Group B in the sandbox: what is to be said about its members; others get no hints. */
  hints?: readonly Hint[] | undefined
  /** The operation that asks for it: its record is stored in the statement of the receipt. */
  operation?: OperationCall | undefined
  /** What the PosSystem API found in the request; for version v2. */
  pos?: PosWork
  /**
   * A receipt that this server makes by itself: its turn finds out whether the state of the queue
   * wants it still, and else nothing is stored and the result is `nothing`.
   */
  isWanted?(state: unknown): boolean
  /** What is to be found when it is the receipt's turn, as its country says. */
  sought?: readonly Sought[]
  /** What was found. */
  previous?: readonly Referred[]
}

export type SignResult =
  /** `found`: an earlier receipt was given back, and nothing was stored. */
  | {
      kind: 'answered'
      /** May be made when it is asked for. */
      readonly responseText: string
      /** Its UTF-8, where it is at hand. */
      readonly responseBytes?: Buffer
      /** What it says, where it was made just now. */
      readonly response?: ReceiptResponse | undefined
      queueItemId: string
      found?: true
      /** The signing unit was out: it says so instead of having a signature. */
      isUnsigned?: boolean
    }
  /** The market said no; the item is stored. */
  | { kind: 'refused'; message: string; field: string | undefined }
  /** The market broke; the item is stored. */
  | { kind: 'failed' }
  /** A receipt request that found nothing; version v2 is answered all the same. */
  | { kind: 'nothing'; responseText?: string }

export interface SignLog {
  error(details: object, message: string): void
  warn(details: object, message: string): void
}

export interface SignDeps {
  store: Store
  /** The number of this process among the servers that work on operations. */
  runner: number
  /** The table of market/index.ts. */
  marketOf(code: string): Market
  tools: DriverToolsOf
  now(): Date
  sandbox: boolean
  /** False in production unless allowed: software signing devices are refused. */
  software: boolean
  log: SignLog
  limits: SignLimits
  failPoints: FailPoints
  observe: SignObserver
  /** Left out: nobody wants traces. */
  spans?: Spans | undefined
}

export interface SignLimits {
  /** Most receipts that wait, and how long each of them may. */
  waiting: number
  waitingMs: number
  /** Most queues in memory. */
  queues: number
  /** Connections of the pool; the sign path leaves some of them to everybody else. */
  connections: number
}

type DriverToolsOf = Parameters<Market['drivers'][string]['open']>[1]

/** Where figures for /metrics go. */
export interface SignObserver {
  batch(receipts: number, queues: number): void
  receipt(market: string, outcome: SignResult['kind'], isUnsigned: boolean): void
  conflict(): void
  /** Since the receipt came in front of its queue. */
  settled(seconds: number): void
}

/** The head of a queue without the text of its state, which is made once per statement. */
export type QueueProgress = Omit<QueueHead, 'state'>

/** A queue in memory: its head as last committed, the market's parsed state, opened devices. */
export interface LoadedQueue {
  head: Readonly<QueueProgress>
  market: Market
  state: unknown
  /** The same as JSON text, as it is stored. */
  stateText: string
  configuration: unknown
  slots: { scu: QueueHead['scus'][number]; device: unknown }[]
  /** Ids of its units whose calls move their state; other queues may use them too. */
  shared: readonly string[]
  /** True when a call may wait: a device outside the process or with a fault script. */
  slow: boolean
  /** True when the item must be stored before the device is asked. */
  remote: boolean
  /** What was noted once in this process run. */
  noted: Set<string>
}
