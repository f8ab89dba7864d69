// The German technical security device (Technische Sicherheitseinrichtung, TSE) as the queue sees
// it.

import type { CertificateEntry } from '../../model/journal.js'
import type { CallLimit } from '../device.js'
import type { WholeTar } from './kept-tars.js'

/** Package of the TSE that lies in this server (src/simulator/tse). */
export const SOFTWARE_PACKAGE = 'fiskalwerk.SCU.DE.Software'

/** Of one device: a receipt that closes all of them still fits into one row of the journal. */
export const MOST_OPEN_TRANSACTIONS = 2_000

/** Numbers as in the German signing-device interface. */
export const TSE_STATES = { uninitialized: 0, initialized: 1, terminated: 2 } as const

export type TseState = (typeof TSE_STATES)[keyof typeof TSE_STATES]

/** Who the device is: the same for its whole life. */
export interface TseIdentity {
  /** SHA-256 of the public point, 64 lower-case hexadecimal digits. */
  serialHex: string
  /** `ecdsa-plain-SHA256` or `ecdsa-plain-SHA384`. */
  algorithm: string
  /** `unixTime`. */
  logTimeFormat: string
  /** The uncompressed point 04‖X‖Y. */
  publicKey: Buffer
  certificationId: string
  /** Leaf certificate with its issuers; stored once per account. */
  certificate: CertificateEntry
}

export interface TseInfo {
  identity: TseIdentity
  state: TseState
  firmwareId: string
  maxClients: number
  clientIds: string[]
  maxOpenTransactions: number
  /** Ascending. */
  openTransactions: number[]
  maxSignatures: number
  /** The signature counter. */
  signatures: number
  maxLogMemory: number
  /** Bytes of the log messages that the device still holds. */
  logMemory: number
}

/** Of what a unit has answered, whatever it is. */
export const isTseInfo = (answer: unknown): answer is TseInfo =>
  typeof answer === 'object' && answer !== null && 'maxSignatures' in answer && 'identity' in answer

/** One call that concerns a transaction. */
export interface TransactionCall {
  clientId: string
  processType: string
  processData: Buffer
  queueItemId: string
  /** The call may have reached the device before: it is done once (start and finish). */
  isRetry: boolean
}

export interface FinishedTransaction {
  transactionNumber: number
  /** Log time of its start, where the queue knows it: not every device tells it at the end. */
  startMoment?: Date | undefined
}

/** The signed log message of a call. */
export interface TseSignature {
  transactionNumber: number
  /** Log time of the message, whole seconds. */
  moment: Date
  signatureCounter: number
  /** r‖s. */
  signature: Buffer
}

export interface FinishSignature extends TseSignature {
  /** Log time of the start. */
  startMoment: Date
}

/** Log messages that a call left in the device, in the order of their counters. */
export interface LogMessage {
  signatureCounter: number
  /** The whole DER structure. */
  der: Buffer
}

/** What an export of the whole memory holds, and what is left in the device after it. */
export interface MemoryExport {
  /** First and last signature counter of the memory, both inclusive. */
  from: number
  to: number
  /** Counters in that range that an earlier export has erased. */
  without: [from: number, to: number][]
  erased: boolean
  /** The export itself, from a device that keeps its log itself. */
  tar?: WholeTar
}

/**
 * Every call throws DeviceError when the device refuses, fails or does not answer in time.
 * What the device has to remember is in its SCU head when a call returns or throws, and what it
 * logged is in `takeLogs`: both are written with the receipt, in one commit.
 */
export interface Tse {
  /**
   * The device keeps its log itself: `takeLogs` has only what its answers prove, with gaps, and an
   * export brings its bytes.
   */
  readonly keepsLog?: true
  /** Throws DeviceError while a device outside the process was never reached. */
  identity(): TseIdentity
  info(limit: CallLimit): Promise<TseInfo>
  startTransaction(call: TransactionCall, limit: CallLimit): Promise<TseSignature>
  updateTransaction(
    call: TransactionCall & { transactionNumber: number },
    limit: CallLimit,
  ): Promise<TseSignature>
  finishTransaction(
    call: TransactionCall & FinishedTransaction,
    limit: CallLimit,
  ): Promise<FinishSignature>
  /** Answers with the state that it has afterwards, which may be the old one. */
  setState(state: TseState, limit: CallLimit): Promise<TseState>
  /** All client ids afterwards. */
  registerClient(clientId: string, limit: CallLimit): Promise<string[]>
  unregisterClient(clientId: string, limit: CallLimit): Promise<string[]>
  setTime(limit: CallLimit): Promise<void>
  selfTest(limit: CallLimit): Promise<void>
  /**
   * The memory as it is, for an archive. With `erase` log messages go, but for those of open
   * transactions.
   */
  exportMemory(erase: boolean, limit: CallLimit): Promise<MemoryExport>
  /** The log messages since it was asked last; empties the list. */
  takeLogs(): LogMessage[]
}
