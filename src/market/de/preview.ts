// A receipt that is only tried: the rules of the queue with a TSE that signs nothing.
import type { Change, Preview, PreviewInput } from '../contract.js'
import { COUNTRY } from './case-words.js'
import { PretendedTse } from './pretended-tse.js'
import { process } from './process.js'
import { readReceipt } from './reading.js'
import type { DeState } from './state.js'
import { transactionNumbers } from './steps/numbers.js'

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
  return SHOWN.map(([what, of]) => ({ what, from: of(before), to: of(after) })).filter(
    ({ from, to }) => from !== to,
  )
}
