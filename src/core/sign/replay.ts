// The receipt request flag: gives an already processed receipt back instead of making a new one.

import type { CaseRules } from '../../case/rules.js'
import { storedRequest } from '../../case/stored-receipt.js'
import type { ReceiptRequest } from '../../model/receipt.js'
import { findAnswers, type StoredAnswer } from '../../store/sign/replay.js'
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
export async function findReceipt(
  deps: Pick<SignDeps, 'store'>,
  job: SignJob,
  cases: CaseRules,
): Promise<StoredAnswer | undefined> {
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
    const found = answers.find((answer) => isSame(answer, job, cases))
    if (found !== undefined || answers.length < PAGE) return found
    before = answers.at(-1)?.timeStamp ?? null
  }
  return undefined
}

function isSame(answer: StoredAnswer, { request, version }: SignJob, cases: CaseRules): boolean {
  const isV2 = version === 'v2'
  // a caller of version v2 cannot read the answer of another version
  if (isV2 && answer.version !== version) return false
  const stored = storedRequest(answer.request, { version: answer.version, cases })
  const sameMoment = isV2 ? sameDefaulted([stored, request]) : sameAsSent
  const { chargeItems, payItems } = stored
  return (
    sameList([chargeItems, request.chargeItems], (item) => item.chargeItemCase, sameMoment) &&
    sameList([payItems, request.payItems], (item) => item.payItemCase, sameMoment)
  )
}

type Item = ReceiptRequest['chargeItems'][number] | ReceiptRequest['payItems'][number]
type SameMoment = (a: Item, b: Item) => boolean

const sameAsSent: SameMoment = (a, b) => a.moment?.getTime() === b.moment?.getTime()

/** Version v2: an item without moment has that of its receipt; two without any are alike. */
function sameDefaulted([a, b]: [ReceiptRequest, ReceiptRequest]): SameMoment {
  const timeOf = ({ moment }: Item, { receiptMoment }: ReceiptRequest): number =>
    (moment ?? receiptMoment).getTime()
  return (one, other) =>
    (one.moment === null && other.moment === null) || timeOf(one, a) === timeOf(other, b)
}

/** Same number of items, and per place equal amount, case and moment. */
function sameList<T extends Item>(
  [a, b]: [T[], T[]],
  caseOf: (item: T) => bigint,
  sameMoment: SameMoment,
): boolean {
  if (a.length !== b.length) return false
  return a.every((item, index) => {
    const other = b[index]
    return (
      other !== undefined &&
      item.amount.equals(other.amount) &&
      caseOf(item) === caseOf(other) &&
      sameMoment(item, other)
    )
  })
}

/** True for an answer that says "error": it is not given back. */
export function isErrorAnswer(response: string): boolean {
  const state = /"ftState":(-?\d+)/.exec(response)?.[1]
  return state !== undefined && (BigInt(state) & 0xffff_ffffn) === 0xeeee_eeeen
}
