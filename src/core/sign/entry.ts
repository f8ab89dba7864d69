// One receipt on the position of its queue becomes an entry: accepted as an item, decided by the
// market, answered. Nothing is written here, and nothing that was before it changes.
import { randomBytes } from 'node:crypto'
import { countryOf, countryWord, hexWord } from '../../case/word.js'
import { sha256 } from '../../lib/hash.js'
import { orderedId, randomId } from '../../lib/id.js'
import { LARGE, nextTurn } from '../../lib/slices.js'
import type { Accepted } from '../../market/contract.js'
import type { ScuHead } from '../../model/scu.js'
import type { ItemRow } from '../../store/sign/sign-batch.js'
import { driverOf } from '../drivers.js'
import { PROCESSING_VERSION } from '../version.js'
import { type AnswerText, acceptedAnswer, type Failed, failedAnswer } from './answer.js'
import { receiptRow } from './chain.js'
import { type Entry, EntryDraft, type Position } from './entry-draft.js'
import type { LoadedQueue, SignDeps, SignJob } from './job.js'
import { refusalOfMoved } from './membership.js'
import { recordOf } from './operation.js'
import { posRefusal, problemAction } from './pos-answer.js'

const DEFAULT_TIMEOUT_MS = 15_000

/** The item before its device is asked: row number, texts and hashes, no answer yet. */
export function storedEntry(deps: SignDeps, before: Position, job: SignJob): Entry {
  const draft = new EntryDraft(before)
  const item = acceptItem(deps, draft, job)
  const { loaded, head, state } = before
  const { timeStamp, nextVersion: version } = draft
  const next = { ...head, queuedRow: item.row, timeStamp, version }
  return {
    item,
    completes: false,
    receipt: undefined,
    markets: draft.markets,
    actions: draft.actions,
    certificates: draft.certificates,
    operation: recordOf(deps, job, item),
    next: { loaded, head: next, state, notes: draft.notes },
    result: undefined,
  }
}

/** `stored`: the item where it is stored already, and only its answer is to be made. */
export async function entry(
  deps: SignDeps,
  before: Position,
  { job, stored }: { job: SignJob; stored?: ItemRow | undefined },
): Promise<Entry> {
  const draft = new EntryDraft(before)
  const item = stored ?? acceptItem(deps, draft, job)
  const now = deps.now()
  const moment = laterOf(now, before.head.lastMoment)
  const at = { itemId: item.id, now }
  noteStart(draft, at)
  // nobody else takes this queue meanwhile: a queue has one batch or lane at a time
  const isLarge = job.requestText.length >= LARGE
  if (isLarge) await nextTurn()
  const outcome = await decide(deps, draft, { job, item, moment })
  if (isLarge) await nextTurn()
  collectDeviceActions(draft, at)
  for (const action of outcome.actions) draft.act(action, at)
  const work = { job, item, moment, worked: now, completes: stored !== undefined }
  return outcome.kind === 'accepted'
    ? accepted(deps, draft, { ...work, outcome })
    : refused(deps, draft, { ...work, outcome })
}

function acceptItem(deps: SignDeps, draft: EntryDraft, job: SignJob): ItemRow {
  const now = deps.now()
  const { head, loaded } = draft.before
  return {
    queueId: job.queueId,
    row: head.queuedRow + 1,
    id: randomId(),
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
    requestHash: hashOf(job),
    response: null,
    responseHash: null,
    processingVersion: PROCESSING_VERSION,
    timeStamp: draft.nextTick(now),
    operationId: job.operation?.id ?? null,
  }
}

/** Bodies of operations were hashed when they came in. */
function hashOf({ operation, requestText }: SignJob): Buffer {
  const known = operation?.requestText === requestText
  return known ? operation.bodyHash : sha256(requestText)
}

// ------------------------------------------------------------------- the decision

async function decide(
  deps: SignDeps,
  draft: EntryDraft,
  { job, item, moment }: { job: SignJob; item: ItemRow; moment: Date },
): Promise<Accepted<unknown> | Failed> {
  const { loaded, head, state } = draft.before
  const wrong = posRefusal(loaded.market, job)
  if (wrong !== undefined) return wrong
  // accepted and stored while the cash box held the queue: whoever left is not signed for
  if (head.cashBoxId !== job.cashBoxId) return refusalOfMoved(countryWord(loaded.market.facts.code))
  const began = performance.now()
  const units = unitsBefore(loaded)
  try {
    await deps.failPoints.reach('before-device')
    const outcome = await loaded.market.process({
      request: job.request,
      words: job.words,
      answersV2: job.version === 'v2',
      queue: {
        id: head.id,
        cashBoxId: job.cashBoxId,
        identification: head.identification,
        configuration: loaded.configuration,
        startMoment: head.startMoment,
        stopMoment: head.stopMoment,
        receiptNumerator: head.receiptNumerator,
      },
      item: { id: item.id, row: item.row },
      state,
      secrets: head.secrets,
      moment,
      lastMoment: head.lastMoment,
      elapsedMs: () => performance.now() - began,
      sandbox: deps.sandbox,
      devices: loaded.slots,
      once: (key) => draft.once(key),
      newId: () => orderedId(moment.getTime()),
      randomBytes: (count) => randomBytes(count),
    })
    await deps.failPoints.reach('after-device')
    return outcome
  } catch (error) {
    deps.log.error({ err: error, queueId: head.id, queueItemId: item.id }, 'market step broke')
    restoreUnits(deps, loaded, units)
    // the queue's country, also where the case names none
    const base = countryWord(loaded.market.facts.code) << 48n
    return {
      kind: 'broken',
      message: 'An unexpected error occurred.',
      stateWord: base | 0x2000_eeee_eeeen,
      signatureType: base | 0x2000_0000_3000n,
      answered: job.words.tagging === 'v2',
      actions: [],
    }
  }
}

type Slot = LoadedQueue['slots'][number]

/** What a step that breaks must not leave behind: nobody would journal what the device did. */
function unitsBefore({ slots, shared }: LoadedQueue): ScuHead[] {
  return shared.length === 0 ? [] : slots.map(({ scu }) => ({ ...scu }))
}

/** The objects stay, since other queues hold them; the devices read them anew. */
function restoreUnits(deps: SignDeps, { market, slots }: LoadedQueue, before: ScuHead[]): void {
  before.forEach((unit, at) => {
    const slot: Slot | undefined = slots[at]
    if (slot === undefined) return
    Object.assign(slot.scu, { ...unit, actions: [] })
    slot.device = driverOf(market, slot.scu).open(slot.scu, deps.tools)
  })
}

// -------------------------------------------------------- what the decision leaves

interface Decided {
  job: SignJob
  item: ItemRow
  moment: Date
  worked: Date
  completes: boolean
}

function accepted(
  deps: SignDeps,
  draft: EntryDraft,
  work: Decided & { outcome: Accepted<unknown> },
): Entry {
  const { job, moment, worked, outcome, completes } = work
  const { loaded, head } = draft.before
  const itemId = work.item.id
  const problem = problemAction(job, worked)
  if (problem !== undefined) draft.act(problem, { itemId, now: worked })
  const answered = acceptedAnswer({ deps, before: draft.before, ...work }, outcome)
  const doneMoment = deps.now()
  const receipt = receiptRow(head, { ...work, answered, timeStamp: draft.nextTick(moment) })
  draft.journal(outcome.journal, { itemId, now: moment })
  for (const warning of outcome.warnings ?? []) {
    if (!draft.once(warning)) continue
    deps.log.warn({ queueId: head.id, queueItemId: itemId }, warning)
  }
  const item = answeredItem(draft, work, { answered, doneMoment })
  return {
    item,
    completes,
    receipt,
    markets: draft.markets,
    actions: draft.actions,
    certificates: draft.certificates,
    operation: recordOf(deps, job, item),
    next: {
      loaded,
      head: {
        ...head,
        queuedRow: Math.max(head.queuedRow, item.row),
        currentRow: head.currentRow + 1,
        receiptNumerator: receipt.receiptNumber,
        receiptTotalizer: head.receiptTotalizer.plus(receipt.receiptTotal),
        receiptHash: receipt.receiptHash,
        secrets: outcome.secrets ?? head.secrets,
        startMoment: outcome.startMoment ?? head.startMoment,
        stopMoment: outcome.stopMoment ?? head.stopMoment,
        lastMoment: moment,
        timeStamp: draft.timeStamp,
        version: draft.nextVersion,
      },
      state: outcome.state,
      notes: draft.notes,
    },
    result: { kind: 'answered', responseText: answered.text, queueItemId: itemId },
  }
}

/** Middleware pipeline, "failure inside the market code": stored, without number and chain. */
function refused(deps: SignDeps, draft: EntryDraft, work: Decided & { outcome: Failed }): Entry {
  const { job, moment, outcome, completes } = work
  const { loaded, head, state } = draft.before
  const itemId = work.item.id
  const answered = failedAnswer({ deps, before: draft.before, ...work }, outcome)
  const doneMoment = deps.now()
  draft.act(failureAction(outcome, moment), { itemId, now: deps.now() })
  draft.journal(outcome.journal ?? [], { itemId, now: moment })
  const item = answeredItem(draft, work, { answered, doneMoment })
  return {
    item,
    completes,
    receipt: undefined,
    markets: draft.markets,
    actions: draft.actions,
    certificates: draft.certificates,
    operation: recordOf(deps, job, item),
    next: {
      loaded,
      head: {
        ...head,
        queuedRow: Math.max(head.queuedRow, item.row),
        currentRow: head.currentRow + 1,
        lastMoment: moment,
        timeStamp: draft.timeStamp,
        version: draft.nextVersion,
      },
      state,
      notes: draft.notes,
    },
    result: answered.result,
  }
}

/** An item that is completed was written last. */
function answeredItem(
  draft: EntryDraft,
  { item, worked, completes }: Decided,
  { answered, doneMoment }: { answered: AnswerText; doneMoment: Date },
): ItemRow {
  return {
    ...item,
    workMoment: worked,
    doneMoment,
    response: answered.text,
    responseHash: answered.hash,
    timeStamp: completes ? draft.timeStamp : item.timeStamp,
  }
}

function failureAction({ stateWord, message }: Failed, moment: Date) {
  return {
    id: orderedId(moment.getTime()),
    priority: 0x10,
    type: hexWord(stateWord),
    message:
      'An error occurred during receipt processing, resulting in ftState = 0xEEEE_EEEE.' +
      ` ${message}`,
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
    for (const { type, message, dataJson } of scu.actions.splice(0)) {
      const id = orderedId(at.now.getTime())
      draft.act({ id, priority: 0x20, type, message, dataJson, dataBase64: null }, at)
    }
  }
}

function laterOf(now: Date, last: Date | null): Date {
  return last !== null && last.getTime() > now.getTime() ? last : now
}
