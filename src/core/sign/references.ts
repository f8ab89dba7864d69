// The earlier receipts that a request refers to (cbPreviousReceiptReference) and rows that tell of
// them, looked up when it is its turn: everything before it is committed then.

import type { ReceiptWords } from '../../case/reader.js'
import type { CaseRules } from '../../case/rules.js'
import { readStored } from '../../case/stored-receipt.js'
import { receiptTraits } from '../../case/traits.js'
import { objectIn } from '../../lib/json.js'
import type { Market, Referred, Sought } from '../../market/contract.js'
import { keyOf } from '../../model/counted.js'
import type { ReceiptRequest } from '../../model/receipt.js'
import type { Store } from '../../store/client.js'
import { countRows } from '../../store/journal/journal-chains.js'
import { findAnswers, findMentions, type StoredAnswer } from '../../store/sign/replay.js'
import type { PosWork, Problem } from '../receipt-rules/problem.js'
import type { SignJob } from './job.js'
import { isErrorAnswer } from './replay.js'

/** Errors and steps of a business act are stepped over, so many per look and looks in all. */
const PAGE = 20
const PAGES = 50

const PATH = 'cbPreviousReceiptReference'

/** True when the receipt has to wait for its turn alone. */
export function refersToReceipts({ sought }: Pick<SignJob, 'sought'>): boolean {
  return sought !== undefined
}

const NONE: readonly string[] = []

/** The job with the references that its country wants looked up. */
export function withReferences<J extends SignJob>(job: J, market: Market): J {
  const sought = market.queue.lookUp(job, job.pos?.references ?? NONE)
  return sought === undefined ? job : { ...job, sought }
}

const NO_ROWS = { counted: 0 }

interface Search {
  store: Store
  job: SignJob
  cases: CaseRules
}

/** The job with the receipts that it refers to, or with the problem that there is none. */
export async function withPrevious(search: Search): Promise<SignJob> {
  const { job } = search
  const { sought, pos } = job
  if (sought === undefined) return job
  const previous: Referred[] = []
  for (const one of sought) previous.push(await found(search, one))
  if (pos === undefined) return { ...job, previous }
  const named = previous.filter(({ reference }) => pos.references.includes(reference))
  const problems = [...pos.problems]
  for (const one of named) problems.push(...(await problemsOf(search, pos, one)))
  const only = named.flatMap(({ receipts }) => (receipts.length === 1 ? receipts : []))
  return { ...job, previous, pos: { ...pos, previous: only, problems } }
}

async function found(search: Search, { reference, wants }: Sought): Promise<Referred> {
  const { store, job } = search
  const rows = wants === 'receipts' ? NO_ROWS : await countRows(store, job, keyOf(reference))
  const receipts = wants === 'rows' ? [] : await candidates(search, reference)
  return { reference, receipts, ...rows }
}

async function problemsOf(
  search: Search,
  pos: PosWork,
  { reference, receipts }: Referred,
): Promise<Problem[]> {
  const [original] = receipts
  if (original === undefined || receipts.length > 1) return [unresolved(reference, receipts.length)]
  return voidProblems(search, { pos, reference, original })
}

function unresolved(reference: string, count: number): Problem {
  const what = count === 0 ? 'No finished receipt has' : 'More than one finished receipt has'
  return {
    code: count === 0 ? 'PreviousReceiptNotFound' : 'PreviousReceiptAmbiguous',
    path: PATH,
    message: `${what} the reference ${reference}.`,
    always: true,
  }
}

/** At most two finished receipts with this reference that are no errors. */
async function candidates(
  { store, job, cases }: Search,
  reference: string,
): Promise<StoredAnswer[]> {
  const found: StoredAnswer[] = []
  let before: bigint | null = null
  for (let page = 0; page < PAGES && found.length < 2; page += 1) {
    const answers: StoredAnswer[] = await findAnswers(store, {
      accountId: job.accountId,
      queueId: job.queueId,
      receiptReference: reference,
      terminalId: null,
      before,
      limit: PAGE,
    })
    found.push(...answers.filter((answer) => isReceipt(answer, cases)))
    if (answers.length < PAGE) break
    before = answers.at(-1)?.timeStamp ?? null
  }
  return found.slice(0, 2)
}

function isReceipt(answer: StoredAnswer, cases: CaseRules): boolean {
  if (isErrorAnswer(answer.response)) return false
  if (cases.isStep === undefined) return true
  return !cases.isStep(readStored(answer.request, { version: answer.version, cases }).words.receipt)
}

// ------------------------------------------------------------------ voided before

interface Question {
  pos: PosWork
  reference: string
  original: StoredAnswer
}

/** Looked for only where it is an error: no index leads from a receipt to what voids it. */
async function voidProblems(
  { store, job, cases }: Search,
  { pos, reference, original }: Question,
): Promise<Problem[]> {
  if (!pos.strict) return []
  const mentions = await findMentions(store, {
    accountId: job.accountId,
    queueId: job.queueId,
    text: JSON.stringify(reference),
    after: original.timeStamp,
  })
  const isVoided = mentions.some((answer) => {
    if (isErrorAnswer(answer.response)) return false
    const { request, words } = readStored(answer.request, { version: answer.version, cases })
    return isVoid(words) && refersTo(request, reference)
  })
  if (!isVoided) return []
  const code = isVoid(job.words) ? 'VoidAlreadyExists' : 'PreviousReceiptIsVoided'
  const message = `The receipt with the reference ${reference} was voided before.`
  return [{ code, path: PATH, message, always: false }]
}

function isVoid({ receipt }: ReceiptWords): boolean {
  return receiptTraits(receipt).void
}

function refersTo({ previousReceiptReference: text }: ReceiptRequest, reference: string): boolean {
  if (text === reference) return true
  const list =
    text === null ? undefined : objectIn(`{"list":${text.startsWith('[') ? text : '[]'}}`)
  const given = list?.get('list')
  return Array.isArray(given) && given.includes(reference)
}
