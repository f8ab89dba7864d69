// What a market decided becomes rows: the answer text, the receipt journal, the market's own
// journal.

import { hexWord } from '../../case/word.js'
import { Decimal } from '../../lib/decimal.js'
import { sha256 } from '../../lib/hash.js'
import { orderedId } from '../../lib/id.js'
import type { ReceiptOutcome } from '../../market/contract.js'
import type { MarketRow } from '../../model/journal.js'
import { encodePosResponse } from '../../model/pos-response.js'
import type {
  ReceiptLines,
  ReceiptRequest,
  ReceiptResponse,
  Signature,
} from '../../model/receipt.js'
import { encodeResponse, type ResponseStyle } from '../../model/response-json.js'
import type { ItemRow, SignBatch } from '../../store/sign/sign-batch.js'
import { chainHash } from './chain.js'
import { hintSignatures } from './hints.js'
import type { SignDeps, SignJob, SignResult } from './job.js'
import {
  failureSignatures,
  posSignatures,
  posStateData,
  respondItems,
  SANDBOX,
  withSandboxMark,
} from './pos-answer.js'
import { nextTick, noteOnce, pushAction, type QueueDraft } from './queue-draft.js'
import { faultText, type Rejection } from './rejection.js'

export type Work = {
  job: SignJob
  item: ItemRow
  batch: SignBatch
  moment: Date
}

export function accept(
  deps: SignDeps,
  draft: QueueDraft,
  work: Work & { outcome: ReceiptOutcome<unknown> },
): void {
  const { job, item, batch, moment, outcome } = work
  const response = answer(draft, work, {
    identification: outcome.identification,
    state: outcome.stateWord,
    lines: outcome.lines,
    ...shown(deps, draft, { job, outcome }),
  })
  const { responseHash } = finishItem(deps, draft, { job, item, batch, response })
  journalReceipt(draft, { job, item, batch, moment, responseHash })
  journalMarket(draft, work, outcome.journal)
  for (const { kind, key, payload } of outcome.outbox ?? []) {
    batch.outbox.push({ queueId: item.queueId, kind, key, payload: JSON.stringify(payload) })
  }
  draft.state = outcome.state
  for (const warning of outcome.warnings ?? []) {
    if (!noteOnce(draft, warning)) continue
    deps.log.warn({ queueId: item.queueId, queueItemId: item.id }, warning)
  }
  const { head } = draft
  head.secrets = outcome.secrets ?? head.secrets
  if (outcome.life === 'begins') head.startMoment = moment
  if (outcome.life === 'ends') head.stopMoment = moment
  head.lastMoment = moment
}

/** What the market says, and what version v2 says besides. */
function shown(
  deps: SignDeps,
  draft: QueueDraft,
  { job, outcome }: { job: SignJob; outcome: ReceiptOutcome<unknown> },
): Pick<AnswerParts, 'signatures' | 'stateData'> {
  const { signatures, stateData } = outcome
  if (job.version !== 'v2') {
    return { signatures: withHints(draft, { job, given: signatures }), stateData }
  }
  const sandboxOf = deps.sandbox ? draft.head.id : undefined
  return {
    signatures: posSignatures(draft.loaded.market, { job, given: signatures, sandboxOf }),
    stateData: posStateData(job, stateData),
  }
}

/** The mark of the sandbox stays the last. */
function withHints(
  { loaded }: QueueDraft,
  { job, given }: { job: SignJob; given: Signature[] },
): Signature[] {
  const { request, words, hints: known } = job
  if (known === undefined) return given
  const hints = hintSignatures({ request, words, known, rules: loaded.market.cases })
  if (hints.length === 0) return given
  const isMark = ({ type, caption }: Signature) => type === 0n && caption === SANDBOX
  return [...given.filter((one) => !isMark(one)), ...hints, ...given.filter(isMark)]
}

/** Why there is no receipt; version v2 names the kind of failure. */
function failure(
  deps: SignDeps,
  draft: QueueDraft,
  { job, outcome }: { job: SignJob; outcome: Rejection },
): Signature[] {
  const { market } = draft.loaded
  const { faults } = outcome
  if (job.version !== 'v2') return failureSignatures({}, { market, faults })
  const given = failureSignatures(job, { market, faults })
  return withSandboxMark(given, deps.sandbox ? draft.head.id : undefined)
}

/** Middleware pipeline, "failure inside the market code": stored, without number and chain. */
export function reject(
  deps: SignDeps,
  draft: QueueDraft,
  work: Work & { outcome: Rejection },
): SignResult {
  const { job, item, batch, outcome } = work
  const response = answer(draft, work, {
    identification: `ft${draft.head.receiptNumerator.toString(16).toUpperCase()}#`,
    state: outcome.stateWord,
    signatures: failure(deps, draft, { job, outcome }),
    stateData: null,
  })
  const { responseText } = finishItem(deps, draft, { job, item, batch, response })
  pushAction(draft, {
    batch,
    itemId: item.id,
    now: deps.now(),
    action: {
      id: orderedId(work.moment.getTime()),
      priority: 0x10,
      type: hexWord(outcome.stateWord),
      message:
        'An error occurred during receipt processing, resulting in ftState = 0xEEEE_EEEE.' +
        ` ${faultText(outcome.faults)}`,
      dataJson: null,
      dataBase64: null,
    },
  })
  journalMarket(draft, work, outcome.journal ?? [])
  draft.head.lastMoment = work.moment
  if (outcome.answered || job.version === 'v2')
    return { kind: 'answered', responseText, queueItemId: item.id }
  if (outcome.kind === 'broken') return { kind: 'failed' }
  return { kind: 'refused', message: faultText(outcome.faults), field: outcome.faults[0]?.member }
}

function journalMarket(
  draft: QueueDraft,
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
      timeStamp: nextTick(draft, moment),
    })
    draft.head.lastMarketId = row.id
    const entry = row.certificate?.entry ?? null
    if (entry !== null && noteOnce(draft, `certificate ${entry.fingerprint.toString('hex')}`)) {
      batch.certificates.push({ ...entry, queueId: item.queueId })
    }
  }
}

interface AnswerParts {
  identification: string
  state: bigint
  lines?: ReceiptLines | undefined
  signatures: Signature[]
  stateData: string | null
}

function answer(draft: QueueDraft, work: Work, parts: AnswerParts): ReceiptResponse {
  const items = work.job.version === 'v2' ? respondItems(work.job.words) : undefined
  return {
    cashBoxId: work.job.cashBoxId,
    queueId: draft.head.id,
    queueItemId: work.item.id,
    queueRow: BigInt(work.item.row),
    terminalId: work.job.request.terminalId,
    receiptReference: work.job.request.receiptReference,
    cashBoxIdentification: draft.head.identification,
    receiptIdentification: parts.identification,
    receiptMoment: work.moment,
    receiptHeader: parts.lines?.header ?? null,
    chargeItems: items?.chargeItems ?? null,
    chargeLines: parts.lines?.charge ?? null,
    payItems: items?.payItems ?? null,
    payLines: parts.lines?.pay ?? null,
    signatures: parts.signatures,
    receiptFooter: parts.lines?.footer ?? null,
    state: parts.state,
    stateData: parts.stateData,
  }
}

function finishItem(
  deps: SignDeps,
  draft: QueueDraft,
  work: { job: SignJob; item: ItemRow; batch: SignBatch; response: ReceiptResponse },
): { responseText: string; responseHash: Buffer } {
  const { version, style } = work.job
  const responseText =
    version === 'v2'
      ? encodePosResponse(work.response)
      : encodeResponse(work.response, styleOf(draft, style))
  const responseHash = sha256(responseText)
  work.item.response = responseText
  work.item.responseHash = responseHash
  work.item.doneMoment = deps.now()
  draft.head.currentRow += 1
  return { responseText, responseHash }
}

/** A queue may say how nested members are named; it counts more than the server's setting. */
function styleOf({ loaded }: QueueDraft, style: ResponseStyle): ResponseStyle {
  const { 'nested-names': names } = loaded.configuration as { 'nested-names'?: unknown }
  return names === undefined ? style : { ...style, pascal: names === 'pascal' }
}

function journalReceipt(
  draft: QueueDraft,
  work: { job: SignJob; item: ItemRow; batch: SignBatch; moment: Date; responseHash: Buffer },
): void {
  const { item, moment } = work
  const id = orderedId(moment.getTime())
  const receiptNumber = draft.head.receiptNumerator + 1
  const receiptTotal = totalOf(work.job.request)
  const receiptHash = chainHash({
    previous: draft.head.receiptHash,
    receiptJournalId: id,
    receiptMoment: moment,
    receiptNumber,
    requestHash: item.requestHash,
    responseHash: work.responseHash,
  })
  work.batch.receipts.push({
    queueId: item.queueId,
    timeStamp: nextTick(draft, moment),
    id,
    receiptMoment: moment,
    receiptNumber,
    receiptTotal,
    queueItemId: item.id,
    receiptHash,
  })
  draft.head.receiptNumerator = receiptNumber
  draft.head.receiptTotalizer = draft.head.receiptTotalizer.plus(receiptTotal)
  draft.head.receiptHash = receiptHash
  draft.head.lastReceiptId = id
}

/** cbReceiptAmount when given, else the sum of the charge items. */
export function totalOf(request: ReceiptRequest): Decimal {
  if (request.receiptAmount !== null) return request.receiptAmount
  return request.chargeItems.reduce((sum, item) => sum.plus(item.amount), Decimal.ZERO)
}
