// One receipt of a German queue, from the request to the complete answer; in earnest, or only
// tried with a TSE that signs nothing.
import {
  type FinishSignature,
  type MemoryExport,
  type TransactionCall,
  TSE_STATES,
  type Tse,
  type TseIdentity,
  type TseInfo,
  type TseSignature,
} from '../../device/tse/tse.js'
import type { Change, Preview, PreviewInput, ReceiptOutcome } from '../contract.js'
import { finished, hold, isActive } from '../kit/draft.js'
import { type Refusal, refuse, refused } from '../kit/refusal.js'
import { moved } from '../kit/steps.js'
import { COUNTRY, ERROR_STATE, type Path, receiptCases, stateBits, stateWord } from './cases.js'
import { isClosingDue, noteFirst } from './closing.js'
import { logRows, slotOf } from './device-calls.js'
import { failedAnswer, refuseFlags, refuseInOutage, transactionNumbers } from './guard.js'
import type { DeState } from './queue.js'
import { readReceipt } from './reading.js'
import { type DeInput, has, newDraft, type ReceiptDraft } from './receipt-draft.js'
import {
  dailyClosing,
  disabled,
  handwritten,
  lateSigned,
  periodClosing,
  startMigration,
  switching,
  zero,
} from './steps/daily.js'
import { business, failTransaction, startTransaction, updateTransaction } from './steps/flow.js'
import { finishSwitch, initiateSwitch, start, stop } from './steps/life.js'
import { refusals } from './text.js'

const NOBODY: TseIdentity = {
  serialHex: '',
  algorithm: '',
  logTimeFormat: '',
  publicKey: Buffer.alloc(0),
  certificationId: '',
  certificate: { fingerprint: Buffer.alloc(0), der: Buffer.alloc(0), chain: [] },
}

const NO_EXPORT: MemoryExport = { from: 0, to: 0, without: [], erased: false }

/** Knows the transactions that the queue knows, and those that the receipt names. */
export class PretendedTse implements Tse {
  private readonly moment: Date
  private open: number[]
  private state: TseInfo['state'] = TSE_STATES.initialized

  constructor({ openTransactions, leftOpen }: DeState, moment: Date, named: readonly number[]) {
    this.moment = moment
    const own = openTransactions.map(({ number }) => number)
    this.open = [...new Set([...own, ...leftOpen, ...named])]
  }

  identity(): TseIdentity {
    return NOBODY
  }

  async info(): Promise<TseInfo> {
    return {
      identity: NOBODY,
      state: this.state,
      firmwareId: '',
      maxClients: 1,
      clientIds: ['any'],
      maxOpenTransactions: this.open.length,
      openTransactions: [...this.open].sort((a, b) => a - b),
      maxSignatures: 0,
      signatures: 0,
      maxLogMemory: 0,
      logMemory: 0,
    }
  }

  async startTransaction(): Promise<TseSignature> {
    const transactionNumber = Math.max(0, ...this.open) + 1
    this.open.push(transactionNumber)
    return this.signatureOf(transactionNumber)
  }

  async updateTransaction(
    call: TransactionCall & { transactionNumber: number },
  ): Promise<TseSignature> {
    return this.signatureOf(call.transactionNumber)
  }

  async finishTransaction(
    call: TransactionCall & { transactionNumber: number },
  ): Promise<FinishSignature> {
    this.open = this.open.filter((number) => number !== call.transactionNumber)
    return { ...this.signatureOf(call.transactionNumber), startMoment: this.moment }
  }

  async setState(state: TseInfo['state']): Promise<TseInfo['state']> {
    this.state = state
    return state
  }

  async registerClient(clientId: string): Promise<string[]> {
    return [clientId]
  }

  async unregisterClient(): Promise<string[]> {
    return []
  }

  async setTime(): Promise<void> {
    return undefined
  }

  async selfTest(): Promise<void> {
    return undefined
  }

  async exportMemory(): Promise<MemoryExport> {
    return NO_EXPORT
  }

  takeLogs(): [] {
    return []
  }

  private signatureOf(transactionNumber: number): TseSignature {
    const { moment } = this
    return { transactionNumber, moment, signatureCounter: 0, signature: Buffer.alloc(0) }
  }
}

// -------------------------------------------------------------------------------------- in earnest

const paths: Record<Path, (draft: ReceiptDraft) => Promise<Refusal | undefined>> = {
  business,
  zero,
  start,
  stop,
  monthly: periodClosing,
  yearly: periodClosing,
  daily: dailyClosing,
  startTransaction,
  updateTransaction,
  failTransaction,
  initiateSwitch,
  finishSwitch,
  startMigration,
}

/** Cases that try the TSE even in failed mode. */
const TRIES_ALWAYS: ReadonlySet<number> = new Set([
  receiptCases.zero,
  receiptCases.failTransaction,
  receiptCases.stop,
  receiptCases.initiateSwitch,
  receiptCases.finishSwitch,
])

/**
 * Signs with the TSE what the KassenSichV wants signed. A failed TSE is part of a normal answer; a
 * broken rule is a refusal, which changes nothing; anything thrown is a broken program.
 */
export async function process(input: DeInput): Promise<ReceiptOutcome<DeState>> {
  if (input.state.migrated) return refusedBy(input, refuse(refusals.migrated))
  const reading = readReceipt(input.receipt)
  if (reading.kind === 'refusal') return refusedBy(input, reading)
  const draft = newDraft(input, reading)
  const without = unsignedPath(draft)
  if (without !== undefined) {
    const wrong = without === failedAnswer ? refuseInOutage(draft) : undefined
    if (wrong !== undefined) return refusedBy(input, wrong)
    without(draft)
    return accepted(draft)
  }
  const refusal = refuseFlags(draft) ?? (await paths[reading.row.path](draft))
  return refusal === undefined ? accepted(draft) : refusedBy(input, refusal, draft)
}

/** What is done without TSE, in the order in which it is looked at. */
function unsignedPath(draft: ReceiptDraft): ((draft: ReceiptDraft) => void) | undefined {
  const { code } = draft.reading
  if (!isActive(draft)) {
    if (code !== receiptCases.start) return disabled
  } else if (draft.state.scuId === null && !continuesSwitch(draft)) {
    return switching
  }
  if (has(draft, 'lateSigning')) return lateSigned
  if (has(draft, 'handwritten')) return handwritten
  if (draft.state.sscdFailCount > 0 && !TRIES_ALWAYS.has(code)) return failedAnswer
  return undefined
}

function continuesSwitch(draft: ReceiptDraft): boolean {
  const { code } = draft.reading
  if (code === receiptCases.finishSwitch) return true
  return code === receiptCases.initiateSwitch && has(draft, 'void')
}

const UNANSWERED = stateBits.outOfService | stateBits.switching

function accepted(draft: ReceiptDraft): ReceiptOutcome<DeState> {
  const { input, state } = draft
  if (slotOf(draft, state.scuId)?.device.keepsLog === true) state.lastRow = input.receipt.row
  noteFirst(draft)
  hold(draft)
  const hasData = Object.keys(draft.stateData).length > 0
  const outcome = finished(draft, {
    stateWord: stateWord(draft.bits | modeBits(draft), draft.words),
    signatures: draft.signatures,
    stateData: hasData ? JSON.stringify(draft.stateData) : null,
    journal: [...logRows(draft), ...draft.journal],
  })
  const warnings = warningsOf(draft)
  if (warnings.length > 0) outcome.warnings = warnings
  return outcome
}

/** Bits that follow from the state as the receipt leaves it. */
function modeBits(draft: ReceiptDraft): number {
  const { state, input, bits } = draft
  const failed = state.sscdFailCount > 0 && (bits & UNANSWERED) === 0
  const due = isActive(draft) && isClosingDue(state, input.moment.getTime())
  return (failed ? stateBits.tseFailed : 0) | (due ? stateBits.dailyDue : 0)
}

/** What the DSFinV-K wants of every slip (Bon), and accepts nothing instead of. */
const WANTED = [
  ['terminalId', 'cbTerminalID'],
  ['receiptReference', 'cbReceiptReference'],
  ['user', 'cbUser'],
  ['posSystemId', 'ftPosSystemId'],
] as const
const NO_WARNINGS: readonly string[] = Object.freeze([])

function warningsOf({ reading, state, input: { receipt } }: ReceiptDraft): readonly string[] {
  // what is no slip is in no DSFinV-K
  if (reading.bonType === null) return NO_WARNINGS
  // most receipts lack nothing, or always the same
  if (WANTED.every(([key]) => receipt.request[key])) return NO_WARNINGS
  // a receipt that names no system has the first one of the master data
  const hasSystem = (state.masterData?.PosSystems ?? []).length > 0
  return WANTED.filter(
    ([key]) => !receipt.request[key] && !(key === 'posSystemId' && hasSystem),
  ).map(([, name]) => `${name} is missing in a receipt; the DSFinV-K wants it`)
}

/** A TSE may have logged before the rule was broken: its messages are kept all the same. */
function refusedBy(input: DeInput, refusal: Refusal, draft?: ReceiptDraft) {
  const journal = draft === undefined ? [] : logRows(draft)
  return refused(input, refusal, { stateWord: ERROR_STATE, journal })
}

// -------------------------------------------------------------------------------------- only tried

export async function preview(input: PreviewInput<DeState>): Promise<Preview<DeState>> {
  const named = namedIn(input)
  const units = input.units.map((scu) => ({
    scu: { ...scu, actions: [] },
    device: new PretendedTse(input.state, input.moment, named),
  }))
  const outcome = await process({ ...input, units })
  return {
    v0: v0WordOf(input),
    outcome,
    changes: outcome.faults.length === 0 ? changesOf(input.state, outcome.state) : [],
  }
}

/** Nobody asks the TSE whether the transactions that a fail-transaction receipt names are open. */
function namedIn({ receipt }: PreviewInput<DeState>): readonly number[] {
  const reading = readReceipt(receipt)
  if (reading.kind === 'refusal' || reading.row.path !== 'failTransaction') return []
  const numbers = transactionNumbers(reading.caseData)
  return Array.isArray(numbers) ? numbers : []
}

const IMPLICIT = 0x0001_0000_0000n
const RECEIPT_REQUEST_V0 = 0x0000_8000_0000_0000n

/** Receipts whose flow depends on what is open are shown without the implicit flag. */
function v0WordOf({ receipt: input }: PreviewInput<DeState>): bigint | null {
  const reading = readReceipt(input)
  if (reading.kind === 'refusal') return null
  const { request, words } = input
  if (words.tagging !== 'v2') return request.receiptCase
  const flow = reading.flow === 'implicit' ? IMPLICIT : 0n
  const asks = words.asks ? RECEIPT_REQUEST_V0 : 0n
  const low = (BigInt(reading.flags) << 16n) | BigInt(reading.code)
  return (BigInt(COUNTRY) << 48n) | asks | flow | low
}

type Shown = readonly [what: string, of: (state: DeState) => string | number]

const SHOWN: readonly Shown[] = [
  ['DailyClosingNumber', (state) => state.dailyClosingNumber],
  ['OpenTransactions', (state) => state.openTransactions.length + state.leftOpen.length],
  ['FailedReceipts', (state) => state.sscdFailCount],
  ['LateSignedReceipts', (state) => state.usedFailedCount],
  ['SigningUnit', (state) => state.scuId ?? ''],
]

function changesOf(before: DeState, after: DeState): Change[] {
  return SHOWN.flatMap(([what, of]) => moved(what, of(before), of(after)))
}
