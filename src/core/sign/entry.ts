// One receipt on the position of its queue becomes an entry: accepted as an item, decided by the
// market, answered. Nothing is written here, and nothing that was before it changes.
import { countryOf, hexWord } from '../../case/word.js'
import { sha256 } from '../../lib/hash.js'
import { orderedId } from '../../lib/id.js'
import { LARGE, nextTurn } from '../../lib/slices.js'
import { type Soon, whenThere } from '../../lib/soon.js'
import { PROCESSING_VERSION } from '../../lib/version.js'
import type { ReceiptOutcome } from '../../market/contract.js'
import type { NewEvent } from '../../model/event.js'
import type { ItemRow } from '../../store/sign/sign-batch.js'
import { type AnswerText, acceptedAnswer, failedAnswer, GivenAnswer } from './answer.js'
import { receiptRow } from './chain.js'
import { type Decided, type Decision, decide } from './decide.js'
import { type Entry, EntryDraft, type Position } from './entry-draft.js'
import type { SignDeps, SignJob } from './job.js'
import { recordOf } from './operation.js'
import { problemAction } from './pos-answer.js'
import { faultText, type Rejection, rejectionOf } from './rejection.js'

const DEFAULT_TIMEOUT_MS = 15_000

/** The item before its device is asked: row number, texts and hashes, no answer yet. */
export function storedEntry(deps: SignDeps, before: Position, job: SignJob): Entry {
  const draft = new EntryDraft(before)
  const item = acceptItem(deps, draft, job)
  const { loaded, head, state } = before
  const next = draft.headAfter({ ...head, queuedRow: item.row })
  return {
    item,
    completes: false,
    receipt: undefined,
    markets: draft.markets,
    actions: draft.actions,
    certificates: draft.certificates,
    outbox: draft.outbox,
    events: draft.events,
    operation: recordOf(deps, job, item),
    next: { loaded, head: next, state, notes: draft.notes },
    result: undefined,
  }
}

/**
 * `stored`: the item where it is stored already, and only its answer is to be made. At once where
 * the device answers at once and the receipt is of the usual size.
 */
export function entry(
  deps: SignDeps,
  before: Position,
  { job, stored }: { job: SignJob; stored?: ItemRow | undefined },
): Soon<Entry> {
  const draft = new EntryDraft(before)
  const item = stored ?? acceptItem(deps, draft, job)
  const now = deps.now()
  const moment = laterOf(now, before.head.lastMoment)
  noteStart(draft, { itemId: item.id, now })
  const work = { job, item, moment, worked: now, completes: stored !== undefined }
  // nobody else takes this queue meanwhile: a queue has one batch or lane at a time
  if (job.requestText.length >= LARGE) return largeEntry(deps, draft, work)
  return whenThere(decide(deps, draft, work), (outcome) => left(deps, draft, { work, outcome }))
}

async function largeEntry(deps: SignDeps, draft: EntryDraft, work: Decided): Promise<Entry> {
  await nextTurn()
  const outcome = await decide(deps, draft, work)
  await nextTurn()
  return left(deps, draft, { work, outcome })
}

/** What the decision leaves. */
function left(
  deps: SignDeps,
  draft: EntryDraft,
  { work, outcome }: { work: Decided; outcome: Decision },
): Entry {
  const { job, item, moment, worked, completes } = work
  const at = { itemId: item.id, now: worked }
  collectDeviceActions(draft, at)
  for (const action of outcome.actions ?? []) draft.act(action, at)
  if ('kind' in outcome || outcome.faults.length > 0) {
    const rejection = rejectionOf(outcome, job.words)
    return refused(deps, draft, { job, item, moment, worked, completes, outcome: rejection })
  }
  return accepted(deps, draft, { job, item, moment, worked, completes, outcome })
}

function acceptItem(deps: SignDeps, draft: EntryDraft, job: SignJob): ItemRow {
  const now = deps.now()
  const { head, loaded } = draft.before
  return {
    queueId: job.queueId,
    row: head.queuedRow + 1,
    id: orderedId(now.getTime()),
    queueMoment: now,
    timeoutMs: head.timeoutMs === 0 ? DEFAULT_TIMEOUT_MS : head.timeoutMs,
    workMoment: null,
    doneMoment: null,
    receiptMoment: job.request.receiptMoment,
    terminalId: job.request.terminalId,
    posSystemId: job.request.posSystemId,
    receiptReference: job.request.receiptReference,
    country: countryOf(job.words.receipt) || loaded.market.facts.code,
    version: job.version,
    request: job.requestText,
    requestBytes: job.requestBytes,
    requestHash: hashOf(job),
    response: null,
    responseHash: null,
    processingVersion: PROCESSING_VERSION,
    timeStamp: draft.nextTick(now),
    operationId: job.operation?.id ?? null,
  }
}

/** Bodies of operations were hashed when they came in. */
function hashOf({ operation, requestText, requestBytes }: SignJob): Buffer {
  const known = operation?.requestText === requestText
  return known ? operation.bodyHash : sha256(requestBytes ?? requestText)
}

// -------------------------------------------------------- what the decision leaves

function accepted(
  deps: SignDeps,
  draft: EntryDraft,
  work: Decided & { outcome: ReceiptOutcome<unknown> },
): Entry {
  const { job, item: given, moment, worked, outcome, completes } = work
  const { before } = draft
  const { loaded, head } = before
  const itemId = given.id
  const problem = problemAction(job, worked)
  if (problem !== undefined) draft.act(problem, { itemId, now: worked })
  const answered = acceptedAnswer({ deps, before, job, item: given, moment }, outcome)
  const doneMoment = deps.now()
  const timeStamp = draft.nextTick(moment)
  const receipt = receiptRow(head, { job, item: given, moment, answered, timeStamp })
  draft.journal(outcome.journal, { itemId, now: moment })
  if (outcome.outbox !== undefined) draft.follow(outcome.outbox)
  for (const warning of outcome.warnings ?? []) {
    if (!draft.once(warning)) continue
    deps.log.warn({ queueId: head.id, queueItemId: itemId }, warning)
  }
  if (outcome.life !== undefined) draft.happen(lifeEvent(draft, outcome.life), moment)
  const item = answeredItem(draft, work, { answered, doneMoment })
  return {
    item,
    completes,
    receipt,
    markets: draft.markets,
    actions: draft.actions,
    certificates: draft.certificates,
    outbox: draft.outbox,
    events: draft.events,
    operation: recordOf(deps, job, item),
    next: {
      loaded,
      head: draft.headAfter({
        secrets: outcome.secrets ?? head.secrets,
        startMoment: outcome.life === 'begins' ? moment : head.startMoment,
        stopMoment: outcome.life === 'ends' ? moment : head.stopMoment,
        currentRow: head.currentRow + 1,
        queuedRow: Math.max(head.queuedRow, item.row),
        lastMoment: moment,
        receiptNumerator: receipt.receiptNumber,
        receiptTotalizer: head.receiptTotalizer.plus(receipt.receiptTotal),
        receiptHash: receipt.receiptHash,
        lastReceiptId: receipt.id,
      }),
      state: outcome.state,
      notes: draft.notes,
    },
    result: new GivenAnswer(
      answered,
      itemId,
      loaded.market.facts.page?.outageOf(outcome.signatures) !== undefined,
    ),
  }
}

function lifeEvent({ queue: subject }: EntryDraft, life: 'begins' | 'ends'): NewEvent {
  return { type: life === 'begins' ? 'queue.started' : 'queue.stopped', subject }
}

/** Middleware pipeline, "failure inside the market code": stored, without number and chain. */
function refused(deps: SignDeps, draft: EntryDraft, work: Decided & { outcome: Rejection }): Entry {
  const { job, moment, outcome, completes } = work
  const { loaded, head, state } = draft.before
  const itemId = work.item.id
  const { answer, result } = failedAnswer({ deps, before: draft.before, ...work }, outcome)
  const doneMoment = deps.now()
  draft.act(failureAction(outcome, moment), { itemId, now: deps.now() })
  draft.journal(outcome.journal ?? [], { itemId, now: moment })
  const subject = { kind: 'receipt', id: itemId } as const
  draft.happen({ type: 'receipt.failed', subject, data: { queueId: head.id } }, moment)
  const item = answeredItem(draft, work, { answered: answer, doneMoment })
  return {
    item,
    completes,
    receipt: undefined,
    markets: draft.markets,
    actions: draft.actions,
    certificates: draft.certificates,
    outbox: draft.outbox,
    events: draft.events,
    operation: recordOf(deps, job, item),
    next: {
      loaded,
      head: draft.headAfter({
        ...head,
        queuedRow: Math.max(head.queuedRow, item.row),
        currentRow: head.currentRow + 1,
        lastMoment: moment,
      }),
      state: outcome.state ?? state,
      notes: draft.notes,
    },
    result,
  }
}

/** An item that is completed was written last, and others have it; a new one gets its answer. */
function answeredItem(
  draft: EntryDraft,
  { item, worked, completes }: Decided,
  { answered, doneMoment }: { answered: AnswerText; doneMoment: Date },
): ItemRow {
  const row: Open<ItemRow> = completes ? { ...item, timeStamp: draft.timeStamp } : item
  row.workMoment = worked
  row.doneMoment = doneMoment
  row.response = answered.bytes
  row.responseHash = answered.hash
  return row
}

type Open<T> = { -readonly [Name in keyof T]: T[Name] }

function failureAction({ stateWord, faults }: Rejection, moment: Date) {
  return {
    id: orderedId(moment.getTime()),
    priority: 0x10,
    type: hexWord(stateWord),
    message:
      'An error occurred during receipt processing, resulting in ftState = 0xEEEE_EEEE.' +
      ` ${faultText(faults)}`,
    dataJson: null,
    dataBase64: null,
  }
}

// ------------------------------------------------------------------ what is noted

interface Noting {
  itemId: string
  now: Date
}

function noteStart(draft: EntryDraft, at: Noting): void {
  if (!draft.once('queue-started')) return
  const { head } = draft.before
  const configuration = JSON.parse(head.configuration) as unknown
  draft.act(
    {
      id: orderedId(at.now.getTime()),
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
    at,
  )
}

/** What fault scripts and drivers reported during the call. */
function collectDeviceActions(draft: EntryDraft, at: Noting): void {
  for (const scu of draft.before.head.scus) {
    if (scu.actions.length === 0) continue
    for (const { type, message, dataJson } of scu.actions.splice(0)) {
      const id = orderedId(at.now.getTime())
      draft.act({ id, priority: 0x20, type, message, dataJson, dataBase64: null }, at)
    }
  }
}

function laterOf(now: Date, last: Date | null): Date {
  return last !== null && last.getTime() > now.getTime() ? last : now
}
