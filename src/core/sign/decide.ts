// What a market makes of one receipt. A device that answers at once makes nobody wait; a step that
// breaks becomes an answer as well, and leaves no trace on its units.
import { countryWord } from '../../case/word.js'
import { type Soon, whenThere } from '../../lib/soon.js'
import type { ReceiptOutcome, Referred } from '../../market/contract.js'
import type { ScuHead } from '../../model/scu.js'
import type { ItemRow } from '../../store/sign/sign-batch.js'
import { driverOf, openDevice } from '../drivers.js'
import type { EntryDraft } from './entry-draft.js'
import type { LoadedQueue, SignDeps, SignJob } from './job.js'
import { refusalOfMoved } from './membership.js'
import { posRefusal } from './pos-answer.js'
import { ReceiptTools } from './receipt-tools.js'
import { errorState, type Rejection } from './rejection.js'

/** What is decided about. */
export interface Decided {
  job: SignJob
  item: ItemRow
  moment: Date
  worked: Date
  completes: boolean
}

export type Decision = ReceiptOutcome<unknown> | Rejection

export function decide(deps: SignDeps, draft: EntryDraft, work: Decided): Soon<Decision> {
  const { loaded, head } = draft.before
  const { job } = work
  const wrong = posRefusal(loaded.market, job)
  if (wrong !== undefined) return wrong
  // accepted and stored while the cash box held the queue: whoever left is not signed for
  if (head.cashBoxId !== job.cashBoxId) return refusalOfMoved(countryWord(loaded.market.facts.code))
  const units = unitsBefore(loaded)
  try {
    const outcome = askMarket(deps, draft, work)
    if (!(outcome instanceof Promise)) return outcome
    return outcome.catch((error: unknown) => broken(deps, draft, { work, units, error }))
  } catch (error) {
    return broken(deps, draft, { work, units, error })
  }
}

function askMarket(deps: SignDeps, draft: EntryDraft, work: Decided): Soon<Decision> {
  const { failPoints } = deps
  const before = failPoints.reach('before-device')
  const outcome =
    before === undefined ? step(deps, draft, work) : before.then(() => step(deps, draft, work))
  return whenThere(outcome, (made) => {
    const after = failPoints.reach('after-device')
    return after === undefined ? made : after.then(() => made)
  })
}

function step(deps: SignDeps, draft: EntryDraft, { job, item, moment }: Decided): Soon<Decision> {
  const { loaded, head, state } = draft.before
  return loaded.market.process({
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
    state,
    secrets: head.secrets,
    units: loaded.slots,
    moment,
    previous: job.previous ?? NOTHING,
    seller: head.seller,
    journal: head,
    tools: new ReceiptTools(draft, { moment, sandbox: deps.sandbox }),
  })
}

function broken(
  deps: SignDeps,
  { before: { loaded, head } }: EntryDraft,
  { work, units, error }: { work: Decided; units: ScuHead[]; error: unknown },
): Rejection {
  const { job, item } = work
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
    slot.device = openDevice(driverOf(market, slot.scu), slot.scu, deps.tools)
  })
}
