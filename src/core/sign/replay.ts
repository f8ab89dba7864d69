// The receipt request flag: gives an already processed receipt back instead of making a new one.
// Called by lane.ts, so that everything before it in the queue is committed.

import type { ReceiptRequest } from '../../model/receipt.js'
import { decodeStoredRequest } from '../../model/stored-texts.js'
import { findAnswers, type StoredAnswer } from '../../store/replay.js'
import type { SignDeps, SignJob } from './job.js'

/**
 * Receipts with the same reference are compared in pages, newest first. Registers that give every
 * receipt the same reference exist; after so many the search ends.
 */
const PAGE = 200
const PAGES = 50

/**
 * The newest finished receipt with the same reference (and terminal, when one is given) and equal
 * items, or undefined.
 */
export async function findReceipt(deps: SignDeps, job: SignJob): Promise<StoredAnswer | undefined> {
  let before: bigint | null = null
  for (let page = 0; page < PAGES; page += 1) {
    const answers: StoredAnswer[] = await findAnswers(deps.store, {
      accountId: job.accountId,
      queueId: job.queueId,
      receiptReference: job.request.receiptReference,
      terminalId: job.request.terminalId,
      before,
      limit: PAGE,
    })
    const found = answers.find((answer) => isSame(answer, job.request))
    if (found !== undefined || answers.length < PAGE) return found
    before = answers.at(-1)?.timeStamp ?? null
  }
  return undefined
}

function isSame(answer: StoredAnswer, request: ReceiptRequest): boolean {
  return sameItems(decodeStoredRequest(answer.request), request)
}

/** Same number of items, and per place equal amount, case and moment. */
function sameItems(a: ReceiptRequest, b: ReceiptRequest): boolean {
  return (
    sameList(a.chargeItems, b.chargeItems, (item) => item.chargeItemCase) &&
    sameList(a.payItems, b.payItems, (item) => item.payItemCase)
  )
}

type Item = ReceiptRequest['chargeItems'][number] | ReceiptRequest['payItems'][number]

function sameList<T extends Item>(a: T[], b: T[], caseOf: (item: T) => bigint): boolean {
  if (a.length !== b.length) return false
  return a.every((item, index) => {
    const other = b[index]
    return (
      other !== undefined &&
      item.amount.equals(other.amount) &&
      caseOf(item) === caseOf(other) &&
      item.moment?.getTime() === other.moment?.getTime()
    )
  })
}

/** True for an answer that says "error": it is not given back. */
export function isErrorAnswer(response: string): boolean {
  const state = /"ftState":(-?\d+)/.exec(response)?.[1]
  return state !== undefined && (BigInt(state) & 0xffff_ffffn) === 0xeeee_eeeen
}
