// A receipt that is only tried: the rules of the queue with a device that signs nothing.
// The `preview` of the market: called for dry runs.

import { certificateEntry, type RksvDevice, SIGNATURE_BYTES } from '../../device/rksv.js'
import type { Change, Preview, PreviewInput } from '../contract.js'
import { COUNTRY } from './case-words.js'
import { process } from './process.js'
import { readReceipt } from './reading.js'
import type { AtState } from './state.js'

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
