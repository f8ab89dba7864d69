// What became of an earlier document: returned or voided. Each document leaves a row of kind
// `counted` under its hashed reference, and whatever is done to it a newer one.
import type { CasedRequest } from '../../case/reader.js'
import type { RtReference } from '../../device/it/unit.js'
import type { Sought } from '../contract.js'
import { noteCounted } from '../kit/counted.js'
import { referredTo } from '../kit/draft.js'
import type { Refusal } from '../kit/refusal.js'
import { receipts } from './cases.js'
import type { ItDraft } from './draft.js'
import type { StoredFate } from './rows.js'
import { refuse } from './text.js'

/** The receipt that is referred to, and what became of it. */
export function lookUp({ request, words }: CasedRequest): readonly Sought[] | undefined {
  const previous = request.previousReceiptReference?.trim() ?? ''
  const act = receipts[words.receipt.code]
  if (previous === '' || (act !== 'document' && act !== 'copy')) return undefined
  return [{ reference: previous, wants: 'both' }]
}

/** The newest document of this reference. */
export function originalOf({ input }: ItDraft, previous: string): StoredFate | Refusal {
  const { receipts: found = [], newest } = referredTo(input.previous, previous) ?? {}
  if (found.length === 0) return refuse('PreviousReceiptNotFound', [previous])
  if (newest === undefined) return refuse('PreviousReceiptNoDocument', [previous])
  return JSON.parse(newest) as StoredFate
}

export function referenceOf({ serial, z, doc, date, fate, left }: StoredFate): RtReference {
  const rest = Object.entries(left).map(([key, cents]) => [key, BigInt(cents)] as const)
  return { serial, z, doc, date, fate, left: Object.fromEntries(rest) }
}

export const noteFate = (draft: ItDraft, reference: string, fate: StoredFate): void =>
  noteCounted(draft, reference, fate)
