// The outage of a queue as accounts look at it: its state, the clock of the law and the next step;
// and what a person wants done.
import { fail } from '../../../errors.js'
import type { Market } from '../../../market/contract.js'
import type { AutopilotPolicy, OpenOutage, OutageState } from '../../../model/outage.js'
import { grants, type Right } from '../../../store/account/connections.js'
import type { Store } from '../../../store/client.js'
import {
  askForClosing,
  type BoxView,
  findBoxView,
  findQueueView,
  type OutageView,
  outagesOfQueue,
  type QueueView,
  setPolicy,
  type UnitView,
  unitsOfOutages,
} from '../../../store/event/outage-view.js'
import { type Actor, audited } from '../../audit/audit.js'
import type { NextStep } from './words.js'

export interface OutageDesk {
  /** Throws QUEUE_UNKNOWN. */
  show(accountId: string, queueId: string): Promise<ShownQueue>
  /** Throws QUEUE_UNKNOWN, RIGHTS_TOO_LOW and OUTAGE_NONE. */
  close(actor: Actor, queueId: string): Promise<{ queueId: string; outageIds: string[] }>
  /** Throws CASH_BOX_UNKNOWN. */
  policy(accountId: string, cashBoxId: string): Promise<ShownPolicy>
  /** Null: the default. Throws CASH_BOX_UNKNOWN and RIGHTS_TOO_LOW. */
  choose(actor: Actor, cashBoxId: string, policy: AutopilotPolicy | null): Promise<ShownPolicy>
}

export interface ShownPolicy {
  cashBoxId: string
  /** What counts for its queues; null: it has none, or of several markets. */
  policy: AutopilotPolicy | null
  chosen: AutopilotPolicy | null
}

export interface ShownQueue {
  queue: QueueView
  state: OutageState
  step: NextStep
  open: ShownOutage[]
  /** The newest one that is over. */
  last: OutageView | undefined
  units: UnitView[]
}

export type ShownOutage = OutageView & { since: Date; report: Report | undefined }

export interface Report {
  state: 'none' | 'due'
  law: string
  /** It is to be told when it lasts until then, and by then. */
  deadline: Date
  reportBy: Date
  secondsLeft: number
}

export interface DeskDeps {
  store: Store
  now(): Date
  marketOf(code: string): Market
  acting: readonly string[]
}

export function createOutageDesk({ store, now, marketOf, acting }: DeskDeps): OutageDesk {
  const queueOf = async (accountId: string, id: string) => {
    const found = await findQueueView(store, { accountId, id, acting })
    if (found === undefined) throw fail('QUEUE_UNKNOWN', { queue: id })
    return found
  }
  const boxOf = async (accountId: string, id: string) => {
    const found = await findBoxView(store, { accountId, id })
    if (found === undefined) throw fail('CASH_BOX_UNKNOWN', { cashBox: id })
    return found
  }
  const policyOf = ({ id, chosen, markets }: BoxView): ShownPolicy => {
    const usual = new Set(markets.map((code) => (acting.includes(code) ? 'act' : 'advise')))
    const [only] = usual.size === 1 ? usual : []
    return { cashBoxId: id, policy: chosen ?? only ?? null, chosen }
  }
  return {
    show: async (accountId, queueId) => {
      const queue = await queueOf(accountId, queueId)
      const [outages, units] = await Promise.all([
        outagesOfQueue(store, queue),
        unitsOfOutages(store, queue),
      ])
      return shownOf({ queue, outages, units }, marketOf(queue.market))
    },
    close: async (actor, queueId) => {
      const queue = await queueOf(actor.accountId, queueId)
      return audited({ store, now }, writerOf(actor, queue), async (tx) => {
        const outageIds = await askForClosing(tx, queue, actor.accountId)
        if (outageIds.length === 0) throw fail('OUTAGE_NONE', { queue: queueId })
        const result = { queueId, outageIds }
        return { result, subjects: { queueId }, after: { closing: 'asked', outageIds } }
      })
    },
    policy: async (accountId, cashBoxId) => policyOf(await boxOf(accountId, cashBoxId)),
    choose: async (actor, cashBoxId, policy) => {
      const box = await boxOf(actor.accountId, cashBoxId)
      await audited({ store, now }, writerOf(actor, box), async (tx) => {
        if (policy === box.chosen) return { result: undefined, unchanged: true }
        await setPolicy(tx, box, policy)
        const subjects = { cashBoxId }
        const [before, after] = [{ autopilot: box.chosen }, { autopilot: policy }]
        return { result: undefined, subjects, before, after }
      })
      return policyOf({ ...box, chosen: policy })
    },
  }
}

/** Throws RIGHTS_TOO_LOW. */
function writerOf(actor: Actor, { accountId, right }: { accountId: string; right: Right }): Actor {
  if (!grants(right, 'ReadWrite')) {
    throw fail('RIGHTS_TOO_LOW', { given: right, needed: 'ReadWrite' })
  }
  return { ...actor, onBehalfOf: accountId === actor.accountId ? null : accountId }
}

interface Found {
  queue: QueueView
  outages: readonly OutageView[]
  units: UnitView[]
}

function shownOf({ queue, outages, units }: Found, market: Market): ShownQueue {
  const told = market.outage?.openIn(market.queue.state.parse(JSON.parse(queue.state))) ?? []
  const open = outages
    .filter(({ endedAt }) => endedAt === null)
    .map((outage) => shownOutage(outage, { queue, market, told }))
  const last = outages.find(({ endedAt }) => endedAt !== null)
  // the unit comes first: nothing of a queue is signed without it
  const [first] = open
  const state = first?.state ?? 'ok'
  return { queue, state, step: stepOf(first, queue), open, last, units }
}

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

function shownOutage(
  outage: OutageView,
  { queue, market, told }: Pick<Found, 'queue'> & { market: Market; told: readonly OpenOutage[] },
): ShownOutage {
  const open = told.find(({ cause }) => cause === outage.cause)
  const began = open?.since ?? outage.beganAt.getTime()
  // a server whose clock ran ahead postpones nothing
  const since = Math.min(began, outage.openedAt.getTime())
  const receipts = open?.receipts ?? outage.receipts
  const report = reportOf(market, since, queue.now.getTime())
  return { ...outage, receipts, since: new Date(since), report }
}

function reportOf({ facts }: Market, since: number, now: number): Report | undefined {
  const rule = facts.outage?.report
  if (rule === undefined) return undefined
  const deadline = since + rule.afterHours * HOUR_MS
  return {
    state: now > deadline ? 'due' : 'none',
    law: rule.law,
    deadline: new Date(deadline),
    reportBy: new Date(deadline + rule.withinDays * DAY_MS),
    secondsLeft: Math.max(0, Math.ceil((deadline - now) / 1000)),
  }
}

function stepOf(outage: ShownOutage | undefined, { policy }: QueueView): NextStep {
  if (outage === undefined) return 'none'
  const { state, cause, askedAt } = outage
  const isActed = askedAt !== null || (policy === 'act' && cause === 'device')
  if (state === 'closing') return 'wait_for_closing'
  if (cause === 'register') return isActed ? 'wait_for_closing' : 'enter_then_send'
  if (state === 'answering') return isActed ? 'wait_for_closing' : 'send_zero_receipt'
  return isActed ? 'mend_unit' : 'mend_unit_then_send'
}
