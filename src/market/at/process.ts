// One receipt of an Austrian queue, from the request to the complete answer; in earnest, or only
// tried with a device that signs nothing.

import { certificateEntry, type RksvDevice, SIGNATURE_BYTES } from '../../device/rksv.js'
import type { Change, Preview, PreviewInput, ReceiptOutcome } from '../contract.js'
import { finished, isActive } from '../kit/draft.js'
import { type Refusal, refused } from '../kit/refusal.js'
import { COUNTRY, ERROR_STATE, type Path, stateWord } from './cases.js'
import { enterModes, modeBits, rememberIdentification } from './modes.js'
import type { AtState } from './queue.js'
import { readReceipt } from './reading.js'
import { type AtInput, newDraft, type ReceiptDraft } from './receipt-draft.js'
import { disabled, monthly, pos, start, stop, yearly, zero } from './steps.js'

const paths: Record<Path, (draft: ReceiptDraft) => Promise<Refusal | undefined>> = {
  pos,
  zero,
  start,
  stop,
  monthly,
  yearly,
}

/**
 * Signs what the RKSV wants signed. A failed device is part of a normal answer; a broken rule is a
 * refusal, which changes nothing; anything thrown is a broken program.
 */
export async function process(input: AtInput): Promise<ReceiptOutcome<AtState>> {
  const reading = readReceipt(input.receipt)
  if (reading.kind === 'refusal') return refused(input, reading, { stateWord: ERROR_STATE })
  const draft = newDraft(input, reading)
  enterModes(draft)
  if (isOutOfService(draft)) {
    disabled(draft)
    return accepted(draft)
  }
  const refusal = await paths[reading.path](draft)
  return refusal === undefined
    ? accepted(draft)
    : refused(input, refusal, { stateWord: ERROR_STATE })
}

/** Only a start receipt works on a queue that is not active, and never on a stopped one. */
function isOutOfService(draft: ReceiptDraft): boolean {
  if (isActive(draft)) return false
  return draft.reading.path !== 'start' || draft.input.queue.stopMoment !== null
}

function accepted(draft: ReceiptDraft): ReceiptOutcome<AtState> {
  const { input, reading, state, stateData, journal } = draft
  rememberIdentification(draft)
  const bits = draft.bits | modeBits(state, input.moment.getTime())
  const outcome = finished(draft, {
    stateWord: stateWord(bits, reading.tagging),
    signatures: [...draft.explanations, ...draft.signatures, ...draft.notifications],
    stateData,
    journal,
  })
  if (draft.secrets !== undefined) outcome.secrets = draft.secrets
  return outcome
}

// -------------------------------------------------------------------------------------- only tried

const NOBODY = {
  zda: 'AT0',
  serialHex: '0',
  certificate: certificateEntry(Buffer.alloc(0)),
}

/** Says yes to everything; what it signs is never shown. */
const pretended: RksvDevice = {
  identity: async () => NOBODY,
  sign: async () => ({ ...NOBODY, signature: Buffer.alloc(SIGNATURE_BYTES) }),
  mustVerify: () => false,
}

export async function preview(input: PreviewInput<AtState>): Promise<Preview<AtState>> {
  const units = input.units.map((scu) => ({ scu, device: pretended }))
  const outcome = await process({ ...input, units })
  return {
    v0: v0WordOf(input),
    outcome,
    changes: outcome.faults.length === 0 ? changesOf(input.state, outcome.state) : [],
  }
}

/** Flags of receipts and invoices, and of logs, that v0/v1 have under the same bits. */
const FLAGS_BY_CATEGORY: Record<number, number> = { 0: 0xff, 1: 0xff, 3: 0x02 }
const RECEIPT_REQUEST_V0 = 0x0000_8000_0000_0000n

function v0WordOf({ receipt: input }: PreviewInput<AtState>): bigint | null {
  const reading = readReceipt(input)
  if (reading.kind === 'refusal') return null
  const { receipt, asks } = input.words
  const flags = receipt.flags & (FLAGS_BY_CATEGORY[receipt.code >>> 12] ?? 0)
  const asking = asks ? RECEIPT_REQUEST_V0 : 0n
  return (BigInt(COUNTRY) << 48n) | asking | (BigInt(flags) << 16n) | BigInt(reading.code)
}

const SHOWN: readonly (readonly [what: string, key: keyof AtState])[] = [
  ['CashNumerator', 'cashNumerator'],
  ['TurnoverCounter', 'cashTotalizer'],
  ['LastSettlementMonth', 'lastSettlementMonth'],
  ['FailedReceipts', 'sscdFailCount'],
  ['LateSignedReceipts', 'usedFailedCount'],
  ['HandwrittenReceipts', 'usedMobileCount'],
  ['PendingMessages', 'messageCount'],
]

function changesOf(before: AtState, after: AtState): Change[] {
  return SHOWN.filter(([, key]) => before[key] !== after[key]).map(([what, key]) => ({
    what,
    from: before[key] ?? '',
    to: after[key] ?? '',
  }))
}
