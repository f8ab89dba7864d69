// One receipt on a queue head held in memory: market decision, answer text, journal rows, next head.
// Nothing is written here. Called by batch.ts and lane.ts; middleware pipeline steps 4 to 8.
import { randomBytes } from 'node:crypto'
import { Decimal } from '../../lib/decimal.js'
import { sha256 } from '../../lib/hash.js'
import { orderedId, randomId } from '../../lib/id.js'
import { ticksOf } from '../../lib/ticks.js'
import type { Accepted, ActionRow, Refused, SignOutcome } from '../../market/market.js'
import { casePartsOf, countryOf, hexWord } from '../../model/case.js'
import type { QueueHead } from '../../model/queue.js'
import type { ReceiptRequest, ReceiptResponse, Signature } from '../../model/receipt.js'
import { encodeResponse } from '../../model/response-json.js'
import { queueSecrets } from '../../store/queues.js'
import type { ItemRow, SignBatch } from '../../store/sign-statement.js'
import { PROCESSING_VERSION } from '../version.js'
import { chainHash } from './chain.js'
import type { LoadedQueue, SignDeps, SignJob, SignResult } from './job.js'

const DEFAULT_TIMEOUT_MS = 15_000

/** A queue on its way through a batch: the head moves on in memory, the loaded one stays. */
export interface Course {
  loaded: LoadedQueue
  head: QueueHead
  state: unknown
  notes: Set<string>
}

export function startCourse(loaded: LoadedQueue): Course {
  return { loaded, head: { ...loaded.head }, state: loaded.state, notes: new Set() }
}

export function emptyBatch(): SignBatch {
  return {
    heads: [],
    items: [],
    completions: [],
    receipts: [],
    markets: [],
    actions: [],
    certificates: [],
    scus: [],
  }
}

/** Ticks for the next row of this queue: now, or one more than the last. */
export function nextTick(course: Course, now: Date): bigint {
  const wanted = ticksOf(now.getTime())
  const last = course.head.timeStamp
  const tick = wanted > last ? wanted : last + 1n
  course.head.timeStamp = tick
  return tick
}

/** The item as it is accepted: row number, texts and hashes, no answer yet. */
export function acceptItem(deps: SignDeps, course: Course, job: SignJob): ItemRow {
  const now = deps.now()
  const row = course.head.queuedRow + 1
  course.head.queuedRow = row
  return {
    queueId: job.queueId,
    row,
    id: randomId(),
    queueMoment: now,
    timeoutMs: course.head.timeoutMs === 0 ? DEFAULT_TIMEOUT_MS : course.head.timeoutMs,
    workMoment: null,
    doneMoment: null,
    receiptMoment: job.request.receiptMoment,
    terminalId: job.request.terminalId,
    receiptReference: job.request.receiptReference,
    country: countryOf(job.request.receiptCase) || course.loaded.market.facts.code,
    version: job.version,
    request: job.requestText,
    requestHash: sha256(job.requestText),
    response: null,
    responseHash: null,
    processingVersion: PROCESSING_VERSION,
    timeStamp: nextTick(course, now),
  }
}

/**
 * Lets the market decide on an accepted item and adds every row to the batch. `item` is completed
 * in place; the course carries the next head.
 */
export async function signItem(
  deps: SignDeps,
  course: Course,
  work: { job: SignJob; item: ItemRow; batch: SignBatch },
): Promise<SignResult> {
  const { job, item, batch } = work
  const now = deps.now()
  const moment = laterOf(now, course.head.lastMoment)
  item.workMoment = now
  noteStart(course, { batch, item, now })
  const outcome = await decide(deps, course, { job, item, moment })
  collectDeviceActions(course, { batch, item, now })
  for (const action of outcome.actions) pushAction(course, { batch, item, now, action })
  if (outcome.kind === 'accepted') {
    accept(deps, course, { ...work, outcome, moment })
    return { kind: 'answered', responseText: item.response ?? '' }
  }
  return reject(deps, course, { ...work, outcome, moment })
}

type Work = { job: SignJob; item: ItemRow; batch: SignBatch; moment: Date }

async function decide(
  deps: SignDeps,
  course: Course,
  { job, item, moment }: { job: SignJob; item: ItemRow; moment: Date },
): Promise<SignOutcome<unknown> | Broken> {
  const { loaded, head } = course
  try {
    return await loaded.market.process({
      request: job.request,
      queue: {
        id: head.id,
        cashBoxId: head.cashBoxId,
        identification: head.identification,
        configuration: loaded.configuration,
        startMoment: head.startMoment,
        stopMoment: head.stopMoment,
        receiptNumerator: head.receiptNumerator,
      },
      item: { id: item.id, row: item.row },
      state: course.state,
      secrets: head.secrets,
      moment,
      sandbox: deps.sandbox,
      devices: loaded.slots,
      once: (key) => noteOnce(course, key),
      newId: () => orderedId(moment.getTime()),
      randomBytes: (count) => randomBytes(count),
    })
  } catch (error) {
    deps.log.error({ err: error, queueId: head.id, queueItemId: item.id }, 'market step broke')
    const base = BigInt.asUintN(64, job.request.receiptCase) & 0xffff_0000_0000_0000n
    return {
      kind: 'broken',
      message: 'An unexpected error occurred.',
      stateWord: base | 0x2000_eeee_eeeen,
      signatureType: base | 0x2000_0000_3000n,
      answered: casePartsOf(job.request.receiptCase).version === 2n,
      actions: [],
    }
  }
}

interface Broken extends Omit<Refused, 'kind'> {
  kind: 'broken'
}

function accept(deps: SignDeps, course: Course, work: Work & { outcome: Accepted<unknown> }): void {
  const { job, item, batch, moment, outcome } = work
  const response = answer(course, work, {
    identification: outcome.identification,
    state: outcome.stateWord,
    signatures: outcome.signatures,
    stateData: outcome.stateData,
  })
  const { responseHash } = finishItem(deps, course, { job, item, batch, response })
  journalReceipt(course, { job, item, batch, moment, responseHash })
  for (const row of outcome.journal) {
    batch.markets.push({
      ...row,
      queueId: item.queueId,
      queueItemId: item.id,
      timeStamp: nextTick(course, moment),
    })
    if (row.certificate?.entry) {
      batch.certificates.push({ ...row.certificate.entry, accountId: course.head.accountId })
    }
  }
  course.state = outcome.state
  const { head } = course
  head.secrets = outcome.secrets ?? head.secrets
  head.startMoment = outcome.startMoment ?? head.startMoment
  head.stopMoment = outcome.stopMoment ?? head.stopMoment
  head.lastMoment = moment
}

/** Middleware pipeline, "failure inside the market code": stored, without number and chain. */
function reject(
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
    item,
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
  course.head.lastMoment = work.moment
  if (outcome.answered) return { kind: 'answered', responseText }
  if (outcome.kind === 'broken') return { kind: 'failed' }
  return { kind: 'refused', message: outcome.message, field: outcome.field }
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

interface ActionWork {
  batch: SignBatch
  item: ItemRow | null
  now: Date
  action: ActionRow
}

export function pushAction(course: Course, { batch, item, now, action }: ActionWork): void {
  batch.actions.push({
    ...action,
    queueId: course.head.id,
    queueItemId: item?.id ?? null,
    moment: now,
    timeStamp: nextTick(course, now),
  })
}

function noteOnce(course: Course, key: string): boolean {
  if (course.loaded.noted.has(key) || course.notes.has(key)) return false
  course.notes.add(key)
  return true
}

function noteStart(course: Course, work: Omit<ActionWork, 'action'>): void {
  if (!noteOnce(course, 'queue-started')) return
  const { head } = course
  const configuration = JSON.parse(head.configuration) as unknown
  pushAction(course, {
    ...work,
    action: {
      id: orderedId(work.now.getTime()),
      priority: 0x30,
      type: 'MiddlewareConfiguration',
      message: 'Queue started',
      dataJson: JSON.stringify({
        ftQueueId: head.id,
        CountryCode: head.market,
        Configuration: configuration,
        ftSignaturCreationUnits: head.scus.map((scu) => ({ Id: scu.id, Package: scu.package })),
      }),
      dataBase64: null,
    },
  })
}

/** What fault scripts and drivers reported during the call. */
function collectDeviceActions(course: Course, work: Omit<ActionWork, 'action'>): void {
  for (const scu of course.head.scus) {
    for (const action of scu.actions.splice(0)) {
      pushAction(course, {
        ...work,
        action: {
          id: orderedId(work.now.getTime()),
          priority: 0x20,
          type: action.type,
          message: action.message,
          dataJson: action.dataJson,
          dataBase64: null,
        },
      })
    }
  }
}

function laterOf(now: Date, last: Date | null): Date {
  return last !== null && last.getTime() > now.getTime() ? last : now
}

/** The head of this course as a move of the statement. */
export function finishCourse(deps: SignDeps, course: Course, batch: SignBatch): void {
  const { loaded } = course
  const changed = course.head.secrets !== loaded.head.secrets
  batch.heads.push({
    version: loaded.head.version,
    next: { ...course.head, state: stateText(course) },
    secretsSealed: changed
      ? deps.store.sealer.seal(course.head.secrets, queueSecrets(course.head.id))
      : null,
  })
  for (const scu of course.head.scus.filter((unit) => unit.changed)) {
    batch.scus.push({
      accountId: scu.accountId,
      id: scu.id,
      version: scu.version,
      state: scu.state,
      faultScript: scu.faultScript,
      timeStamp: course.head.timeStamp,
    })
  }
}

/** The market's state is checked on every write, as it is on every read. */
function stateText(course: Course): string {
  if (course.state === course.loaded.state) return course.loaded.head.state
  return JSON.stringify(course.loaded.market.state.parse(course.state))
}
