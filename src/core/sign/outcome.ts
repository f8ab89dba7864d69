// What a market decided becomes rows: the answer text, the receipt journal, the market's own
// journal. Called by step.ts.
import { Decimal } from '../../lib/decimal.js'
import { sha256 } from '../../lib/hash.js'
import { orderedId } from '../../lib/id.js'
import type { Accepted, MarketRow, Refused } from '../../market/market.js'
import { hexWord } from '../../model/case.js'
import type { ReceiptRequest, ReceiptResponse, Signature } from '../../model/receipt.js'
import { encodeResponse } from '../../model/response-json.js'
import type { ItemRow, SignBatch } from '../../store/sign-batch.js'
import { chainHash } from './chain.js'
import { type Course, nextTick, noteOnce, pushAction } from './course.js'
import type { SignDeps, SignJob, SignResult } from './job.js'

export type Work = {
  job: SignJob
  item: ItemRow
  batch: SignBatch
  moment: Date
}

export interface Broken extends Omit<Refused, 'kind'> {
  kind: 'broken'
}

export function accept(
  deps: SignDeps,
  course: Course,
  work: Work & { outcome: Accepted<unknown> },
): void {
  const { job, item, batch, moment, outcome } = work
  const response = answer(course, work, {
    identification: outcome.identification,
    state: outcome.stateWord,
    signatures: outcome.signatures,
    stateData: outcome.stateData,
  })
  const { responseHash } = finishItem(deps, course, { job, item, batch, response })
  journalReceipt(course, { job, item, batch, moment, responseHash })
  journalMarket(course, work, outcome.journal)
  course.state = outcome.state
  for (const warning of outcome.warnings ?? []) {
    if (!noteOnce(course, warning)) continue
    deps.log.warn({ queueId: item.queueId, queueItemId: item.id }, warning)
  }
  const { head } = course
  head.secrets = outcome.secrets ?? head.secrets
  head.startMoment = outcome.startMoment ?? head.startMoment
  head.stopMoment = outcome.stopMoment ?? head.stopMoment
  head.lastMoment = moment
}

/** Middleware pipeline, "failure inside the market code": stored, without number and chain. */
export function reject(
  deps: SignDeps,
  course: Course,
  work: Work & { outcome: Refused | Broken },
): SignResult {
  const { job, item, batch, outcome } = work
  const response = answer(course, work, {
    identification: `ft${course.head.receiptNumerator.toString(16).toUpperCase()}#`,
    state: outcome.stateWord,
    signatures: [
      {
        format: 1n,
        type: outcome.signatureType,
        caption: 'uncaught-exeption',
        data: outcome.message,
      },
    ],
    stateData: null,
  })
  const { responseText } = finishItem(deps, course, { job, item, batch, response })
  pushAction(course, {
    batch,
    itemId: item.id,
    now: deps.now(),
    action: {
      id: orderedId(work.moment.getTime()),
      priority: 0x10,
      type: hexWord(outcome.stateWord),
      message:
        'An error occurred during receipt processing, resulting in ftState = 0xEEEE_EEEE.' +
        ` ${outcome.message}`,
      dataJson: null,
      dataBase64: null,
    },
  })
  journalMarket(course, work, outcome.journal ?? [])
  course.head.lastMoment = work.moment
  if (outcome.answered) return { kind: 'answered', responseText, queueItemId: item.id }
  if (outcome.kind === 'broken') return { kind: 'failed' }
  return { kind: 'refused', message: outcome.message, field: outcome.field }
}

function journalMarket(
  course: Course,
  { item, batch, moment }: Work,
  rows: readonly MarketRow[],
): void {
  for (const row of rows) {
    // member by member, here and in the call of accept(): a spread with further members costs V8
    // more than everything else around it
    batch.markets.push({
      id: row.id,
      kind: row.kind,
      number: row.number,
      scuId: row.scuId,
      certificate: row.certificate,
      content: row.content,
      queueId: item.queueId,
      queueItemId: item.id,
      timeStamp: nextTick(course, moment),
    })
    const entry = row.certificate?.entry ?? null
    if (entry !== null && noteOnce(course, `certificate ${entry.fingerprint.toString('hex')}`)) {
      batch.certificates.push({ ...entry, queueId: item.queueId })
    }
  }
}

interface AnswerParts {
  identification: string
  state: bigint
  signatures: Signature[]
  stateData: string | null
}

function answer(course: Course, work: Work, parts: AnswerParts): ReceiptResponse {
  return {
    cashBoxId: course.head.cashBoxId,
    queueId: course.head.id,
    queueItemId: work.item.id,
    queueRow: BigInt(work.item.row),
    terminalId: work.job.request.terminalId,
    receiptReference: work.job.request.receiptReference,
    cashBoxIdentification: course.head.identification,
    receiptIdentification: parts.identification,
    receiptMoment: work.moment,
    receiptHeader: null,
    chargeItems: null,
    chargeLines: null,
    payItems: null,
    payLines: null,
    signatures: parts.signatures,
    receiptFooter: null,
    state: parts.state,
    stateData: parts.stateData,
  }
}

function finishItem(
  deps: SignDeps,
  course: Course,
  work: { job: SignJob; item: ItemRow; batch: SignBatch; response: ReceiptResponse },
): { responseText: string; responseHash: Buffer } {
  const responseText = encodeResponse(work.response, work.job.style)
  const responseHash = sha256(responseText)
  work.item.response = responseText
  work.item.responseHash = responseHash
  work.item.doneMoment = deps.now()
  course.head.currentRow += 1
  return { responseText, responseHash }
}

function journalReceipt(
  course: Course,
  work: { job: SignJob; item: ItemRow; batch: SignBatch; moment: Date; responseHash: Buffer },
): void {
  const { item, moment } = work
  const id = orderedId(moment.getTime())
  const receiptNumber = course.head.receiptNumerator + 1
  const receiptTotal = totalOf(work.job.request)
  const receiptHash = chainHash({
    previous: course.head.receiptHash,
    receiptJournalId: id,
    receiptMoment: moment,
    receiptNumber,
    requestHash: item.requestHash,
    responseHash: work.responseHash,
  })
  work.batch.receipts.push({
    queueId: item.queueId,
    timeStamp: nextTick(course, moment),
    id,
    receiptMoment: moment,
    receiptNumber,
    receiptTotal,
    queueItemId: item.id,
    receiptHash,
  })
  course.head.receiptNumerator = receiptNumber
  course.head.receiptTotalizer = course.head.receiptTotalizer.plus(receiptTotal)
  course.head.receiptHash = receiptHash
}

/** cbReceiptAmount when given, else the sum of the charge items. */
export function totalOf(request: ReceiptRequest): Decimal {
  if (request.receiptAmount !== null) return request.receiptAmount
  return request.chargeItems.reduce((sum, item) => sum.plus(item.amount), Decimal.ZERO)
}
