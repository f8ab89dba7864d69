// One receipt of an Austrian queue, from the request to the complete answer; in earnest, or only
// tried with a device that signs nothing.

import { certificateEntry, type RksvDevice, SIGNATURE_BYTES } from '../../device/rksv.js'
import { type Soon, whenThere } from '../../lib/soon.js'
import type { Change, Preview, PreviewInput, ReceiptOutcome } from '../contract.js'
import { finished, hold, isActive } from '../kit/draft.js'
import { type Refusal, refused } from '../kit/refusal.js'
import { moved, tried } from '../kit/steps.js'
import { v0WordOf } from '../kit/v0-cases.js'
import { COUNTRY, ERROR_STATE, type Path, stateWord } from './cases.js'
import { RECEIPT_TABLES } from './mapping.js'
import { enterModes, modeBits, rememberIdentification } from './modes.js'
import type { AtState } from './queue.js'
import { readReceipt } from './reading.js'
import { type AtInput, newDraft, type ReceiptDraft } from './receipt-draft.js'
import { disabled, monthly, pos, start, stop, yearly, zero } from './steps.js'

const paths: Record<Path, (draft: ReceiptDraft) => Soon<Refusal | undefined>> = {
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
export function process(input: AtInput): Soon<ReceiptOutcome<AtState>> {
  const reading = readReceipt(input.receipt)
  if (reading.kind === 'refusal') return refused(input, reading, { stateWord: ERROR_STATE })
  const draft = newDraft(input, reading)
  enterModes(draft)
  if (isOutOfService(draft)) {
    disabled(draft)
    return accepted(draft)
  }
  return whenThere(paths[reading.path](draft), (refusal) =>
    refusal === undefined ? accepted(draft) : refused(input, refusal, { stateWord: ERROR_STATE }),
  )
}

/** Only a start receipt works on a queue that is not active, and never on a stopped one. */
function isOutOfService(draft: ReceiptDraft): boolean {
  if (isActive(draft)) return false
  return draft.reading.path !== 'start' || draft.input.queue.stopMoment !== null
}

function accepted(draft: ReceiptDraft): ReceiptOutcome<AtState> {
  const { input, reading, state, stateData, journal } = draft
  rememberIdentification(draft)
  hold(draft)
  const bits = draft.bits | modeBits(state, input.moment.getTime())
  const outcome = finished(draft, {
    stateWord: stateWord(bits, reading.tagging),
    signatures: draft.explanations.concat(draft.signatures, draft.notifications),
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
  const outcome = await tried(process, input, pretended)
  return {
    v0: v0Of(input),
    outcome,
    changes: outcome.faults.length === 0 ? changesOf(input.state, outcome.state) : [],
  }
}

/** Those of receipts that v0/v1 has under the same bits. */
const SHOWN_FLAGS = 0xff

function v0Of({ receipt: input }: PreviewInput<AtState>): bigint | null {
  const reading = readReceipt(input)
  if (reading.kind === 'refusal') return null
  const tables = { ...RECEIPT_TABLES, flags: SHOWN_FLAGS }
  return v0WordOf(input, reading.code, { base: BigInt(COUNTRY) << 48n, tables })
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
  return SHOWN.flatMap(([what, key]) => moved(what, before[key] ?? '', after[key] ?? ''))
}
