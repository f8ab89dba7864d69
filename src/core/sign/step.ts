// One receipt on a queue head held in memory: accepted as an item, decided by the market. Nothing
// is written here. Middleware pipeline steps 4 to 8.
import { countryOf, countryWord } from '../../case/word.js'
import { sha256 } from '../../lib/hash.js'
import { orderedId, randomId } from '../../lib/id.js'
import { LARGE, nextTurn } from '../../lib/slices.js'
import type { ReceiptOutcome, Referred } from '../../market/contract.js'
import type { ScuHead } from '../../model/scu.js'
import type { ItemRow, SignBatch } from '../../store/sign/sign-batch.js'
import { driverOf } from '../drivers.js'
import { PROCESSING_VERSION } from '../version.js'
import type { LoadedQueue, SignDeps, SignJob, SignResult } from './job.js'
import { refusalOfMoved } from './membership.js'
import { posRefusal, problemAction } from './pos-answer.js'
import { type ActionWork, nextTick, noteOnce, pushAction, type QueueDraft } from './queue-draft.js'
import { accept, reject } from './receipt-rows.js'
import { ReceiptTools } from './receipt-tools.js'
import { errorState, type Rejection, rejectionOf } from './rejection.js'

const DEFAULT_TIMEOUT_MS = 15_000

/** The item as it is accepted: row number, texts and hashes, no answer yet. */
export function acceptItem(deps: SignDeps, draft: QueueDraft, job: SignJob): ItemRow {
  const now = deps.now()
  const row = draft.head.queuedRow + 1
  draft.head.queuedRow = row
  return {
    queueId: job.queueId,
    row,
    id: randomId(),
    queueMoment: now,
    timeoutMs: draft.head.timeoutMs === 0 ? DEFAULT_TIMEOUT_MS : draft.head.timeoutMs,
    workMoment: null,
    doneMoment: null,
    receiptMoment: job.request.receiptMoment,
    terminalId: job.request.terminalId,
    posSystemId: job.request.posSystemId,
    receiptReference: job.request.receiptReference,
    country: countryOf(job.words.receipt) || draft.loaded.market.facts.code,
    version: job.version,
    request: job.requestText,
    requestHash: hashOf(job),
    response: null,
    responseHash: null,
    processingVersion: PROCESSING_VERSION,
    timeStamp: nextTick(draft, now),
    operationId: job.operation?.id ?? null,
  }
}

/** Bodies of operations were hashed when they came in. */
function hashOf({ operation, requestText }: SignJob): Buffer {
  const known = operation?.requestText === requestText
  return known ? operation.bodyHash : sha256(requestText)
}

/**
 * Lets the market decide on an accepted item and adds every row to the batch. `item` is completed
 * in place; the draft carries the next head.
 */
export async function signItem(
  deps: SignDeps,
  draft: QueueDraft,
  work: { job: SignJob; item: ItemRow; batch: SignBatch },
): Promise<SignResult> {
  const { job, item, batch } = work
  const now = deps.now()
  const moment = laterOf(now, draft.head.lastMoment)
  item.workMoment = now
  noteStart(draft, { batch, itemId: item.id, now })
  // nobody else takes this queue meanwhile: a queue has one batch or lane at a time
  const isLarge = job.requestText.length >= LARGE
  if (isLarge) await nextTurn()
  const outcome = await decide(deps, draft, { job, item, moment })
  if (isLarge) await nextTurn()
  collectDeviceActions(draft, { batch, itemId: item.id, now })
  for (const action of outcome.actions ?? []) {
    pushAction(draft, { batch, itemId: item.id, now, action })
  }
  if (!('kind' in outcome) && outcome.faults.length === 0) {
    const action = problemAction(job, now)
    if (action !== undefined) pushAction(draft, { batch, itemId: item.id, now, action })
    accept(deps, draft, { job, item, batch, outcome, moment })
    return { kind: 'answered', responseText: item.response ?? '', queueItemId: item.id }
  }
  return reject(deps, draft, { ...work, moment, outcome: rejectionOf(outcome, job.words) })
}

async function decide(
  deps: SignDeps,
  draft: QueueDraft,
  { job, item, moment }: { job: SignJob; item: ItemRow; moment: Date },
): Promise<ReceiptOutcome<unknown> | Rejection> {
  const { loaded, head } = draft
  const wrong = posRefusal(loaded.market, job)
  if (wrong !== undefined) return wrong
  // accepted and stored while the cash box held the queue: whoever left is not signed for
  if (head.cashBoxId !== job.cashBoxId) return refusalOfMoved(countryWord(loaded.market.facts.code))
  const units = unitsBefore(loaded)
  try {
    await deps.failPoints.reach('before-device')
    const outcome = await loaded.market.process({
      receipt: {
        request: job.request,
        words: job.words,
        id: item.id,
        row: item.row,
        answersV2: job.version === 'v2',
      },
      queue: {
        id: head.id,
        cashBoxId: job.cashBoxId,
        identification: head.identification,
        configuration: loaded.configuration,
        startMoment: head.startMoment,
        stopMoment: head.stopMoment,
        lastMoment: head.lastMoment,
        receiptNumerator: head.receiptNumerator,
      },
      state: draft.state,
      secrets: head.secrets,
      units: loaded.slots,
      moment,
      previous: job.previous ?? NOTHING,
      seller: head.seller,
      journal: head,
      tools: new ReceiptTools(draft, { moment, sandbox: deps.sandbox }),
    })
    await deps.failPoints.reach('after-device')
    return outcome
  } catch (error) {
    deps.log.error({ err: error, queueId: head.id, queueItemId: item.id }, 'market step broke')
    restoreUnits(deps, loaded, units)
    return {
      kind: 'broken',
      faults: [{ message: 'An unexpected error occurred.' }],
      // the queue's country, also where the case names none
      stateWord: errorState(countryWord(loaded.market.facts.code)),
      answered: job.words.tagging === 'v2',
    }
  }
}

const NOTHING: readonly Referred[] = Object.freeze([])

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

function noteStart(draft: QueueDraft, work: Omit<ActionWork, 'action'>): void {
  if (!noteOnce(draft, 'queue-started')) return
  const { head } = draft
  const configuration = JSON.parse(head.configuration) as unknown
  pushAction(draft, {
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
function collectDeviceActions(draft: QueueDraft, work: Omit<ActionWork, 'action'>): void {
  for (const scu of draft.head.scus) {
    for (const action of scu.actions.splice(0)) {
      pushAction(draft, {
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
