// The checker of stored data: reads everything there is and reports every violation of the rules
// that must hold at any time. Constant memory; a running server is not disturbed.
import type { Auditor, Market } from '../../../market/contract.js'
import type { Finding } from '../../../model/verdict.js'
import type { Store } from '../../../store/client.js'
import {
  allQueues,
  countQueues,
  findDoubledItems,
  findLostReferences,
  findRowGaps,
} from '../../../store/journal/check.js'
import { findQueue, type StoredQueue } from '../../../store/journal/journal-queue.js'
import { inSnapshot } from '../../../store/journal/snapshot.js'
import { loadHeads, type QueueKey } from '../../../store/sign/queues.js'
import { viewOf } from '../../journal/configuration.js'
import { type Entry, entriesOf } from './entries.js'
import { checkExport } from './legal-export.js'
import { QueueCheck } from './queue-check.js'
import { differs, type Report, type Violation } from './rules.js'

export interface CheckDeps {
  store: Store
  /** The table of market/index.ts. */
  marketOf(code: string): Market
  now(): Date
}

export interface CheckSummary {
  queues: number
  items: number
  receipts: number
  violations: number
}

/** So many violations of one queue are told; a wrong key would give one per receipt. */
const MOST_PER_QUEUE = 100

/** Tells every violation, queue by queue; last what belongs to no single queue. */
export async function checkData(
  deps: CheckDeps,
  tell: (violation: Violation) => void,
  /** Called behind each queue. */
  progress: (done: number, queues: number) => void = () => undefined,
): Promise<CheckSummary> {
  const summary = { queues: 0, items: 0, receipts: 0, violations: 0 }
  const count = (violation: Violation): void => {
    summary.violations += 1
    tell(violation)
  }
  const queues = await countQueues(deps.store)
  for await (const key of allQueues(deps.store)) {
    summary.queues += 1
    await checkQueue(deps, { key, summary, report: reportOf(key.id, count) })
    progress(summary.queues, queues)
  }
  await checkReferences(deps.store, count)
  return summary
}

interface QueueJob {
  key: QueueKey
  summary: CheckSummary
  report: Report
}

function reportOf(queueId: string, tell: (violation: Violation) => void): Report {
  let told = 0
  return {
    add: (code, receipt, text) => {
      told += 1
      if (told <= MOST_PER_QUEUE) tell({ queueId, code, receipt, text })
      else if (told === MOST_PER_QUEUE + 1) {
        tell({ queueId, code: 'MORE', receipt: '', text: 'further findings are not listed' })
      }
    },
  }
}

async function checkQueue(deps: CheckDeps, { key, summary, report }: QueueJob): Promise<void> {
  const legal = await inSnapshot(deps.store, async (frozen) => {
    const queue = await findQueue(frozen, { accountId: key.accountId, queueId: key.id })
    // deleted since the list was read
    if (queue === undefined) return undefined
    for (const { expected, found } of await findRowGaps(frozen, key)) {
      report.add('ROW_GAP', '', differs(`row ${expected}`, `row ${found}`))
    }
    for (const id of await findDoubledItems(frozen, key)) {
      report.add('ITEM_DOUBLED', '', differs('one item', `several with the id ${id}`))
    }
    const auditor = await auditorOf(deps, { frozen, queue, report })
    const check = new QueueCheck(queue, { report, cases: deps.marketOf(queue.market).cases })
    let receipts = 0
    for await (const entry of entriesOf(frozen, { accountId: key.accountId, queueId: key.id })) {
      check.entry(entry)
      summary.items += entry.item === undefined ? 0 : 1
      receipts += entry.receipts.length
      addAll(report, audit(auditor, entry))
    }
    check.end()
    summary.receipts += receipts
    addAll(report, auditor?.end() ?? [])
    return auditor === undefined ? undefined : { auditor, upTo: check.newest }
  })
  if (legal !== undefined) addAll(report, await checkExport(deps, { key, ...legal }))
}

function addAll(report: Report, findings: Finding[]): void {
  for (const { code, receipt, text } of findings) report.add(code, receipt, text)
}

function audit(auditor: Auditor | undefined, entry: Entry): Finding[] {
  const { item, answers, markets, actions } = entry
  const row = item?.row ?? answers
  if (auditor === undefined || row === undefined) return []
  return auditor.receipt({
    row,
    response: item?.response ?? null,
    journal: markets,
    actionTypes: actions.map((action) => action.type),
  })
}

/** Undefined when the market has none, or when the queue cannot be opened. */
async function auditorOf(
  deps: CheckDeps,
  { frozen, queue, report }: { frozen: Store; queue: StoredQueue; report: Report },
): Promise<Auditor | undefined> {
  const market = deps.marketOf(queue.market)
  try {
    const head = (await loadHeads(frozen, [{ accountId: queue.accountId, id: queue.id }])).get(
      queue.id,
    )
    if (head === undefined) return undefined
    if (head instanceof Error) throw head
    const state = market.queue.state.parse(JSON.parse(head.state))
    return market.audit?.(viewOf(market, queue), state, head.secrets)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    report.add('QUEUE_CLOSED', '', differs('secrets and state that can be read', reason))
    return undefined
  }
}

async function checkReferences(store: Store, tell: (violation: Violation) => void): Promise<void> {
  for (const { column, queueId, accountId, target } of await inSnapshot(
    store,
    findLostReferences,
  )) {
    const text = `${column} of account ${accountId}: ${differs(`a row ${target}`, 'none')}`
    tell({ queueId, code: 'REFERENCE_LOST', receipt: '', text })
  }
}
