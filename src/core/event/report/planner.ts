// Makes the reports that countries want of what has happened: a table of rules per market, one
// machine for all. It runs without receipts, and what is made twice is made once.
import { orderedId } from '../../../lib/id.js'
import type { MarketFacts } from '../../../market/facts.js'
import type { ReportRule } from '../../../model/report.js'
import type { Store } from '../../../store/client.js'
import { byOne } from '../../../store/event/problem/detectors.js'
import { accountsWithNews, findOccasions } from '../../../store/event/report/occasions.js'
import {
  insertSubmissions,
  readySubmissions,
  remindOfSubmissions,
  supersedeSubmissions,
} from '../../../store/event/report/submissions.js'
import type { Connection } from '../../../store/transaction.js'

export interface PlannerDeps {
  store: Store
  /** Of every country. */
  facts: readonly MarketFacts[]
}

/** Of one rule at a time; a rule with more goes on with the next look. */
const PIECE = 10_000
const PIECES = 20
const NAME = 'submissions'
/** Everything is looked at so often, and what is news with every look. */
const WHOLE_MS = 3_600_000
const NEWS_HOURS = 3

interface Look {
  restMs: number
  /** As if it were this moment; null: now. */
  at?: Date | null
}

/**
 * What has happened lately is looked for each time, over all registers once an hour: each rule in a
 * transaction of its own. Undefined: another process is at it, or was a moment ago.
 */
export async function planReports(deps: PlannerDeps, look: Look): Promise<number | undefined> {
  const { restMs, at = null } = look
  const wholeMs = restMs === 0 ? 0 : WHOLE_MS
  let made: number | undefined
  for (const market of deps.facts) {
    for (const rule of market.reports ?? []) {
      const name = `${NAME} ${market.code} ${rule.kind}`
      const more = await byOne(deps.store, { name, restMs: wholeMs }, (client) =>
        planRule(client, { market, rule, at, accountIds: null }),
      )
      if (more !== undefined) made = (made ?? 0) + more
    }
  }
  const news = await byOne(deps.store, { name: NAME, restMs }, (client) =>
    planNews(client, { facts: deps.facts, at }),
  )
  return news === undefined ? made : (made ?? 0) + news
}

/** Of the accounts that have some; what planned ones wait for, and whose day comes nearer. */
async function planNews(
  client: Connection,
  { facts, at }: { facts: readonly MarketFacts[]; at: Date | null },
): Promise<number> {
  const accountIds = await accountsWithNews(client, NEWS_HOURS)
  let made = 0
  for (const market of facts) {
    for (const rule of (accountIds.length > 0 && market.reports) || []) {
      made += await planRule(client, { market, rule, at, accountIds })
    }
    await readySubmissions(client, { market: market.code, zone: market.zone })
  }
  await supersedeSubmissions(client)
  await remindOfSubmissions(client)
  return made
}

interface Planned {
  market: MarketFacts
  rule: ReportRule
  at: Date | null
  /** Null: all. */
  accountIds: readonly string[] | null
}

async function planRule(
  client: Connection,
  { market, rule, at, accountIds }: Planned,
): Promise<number> {
  const { kind, on, cause = null } = rule
  const asked = { market: market.code, kind, on, cause, zone: market.zone, at, accountIds }
  let made = 0
  for (let piece = 0; piece < PIECES; piece += 1) {
    const found = await findOccasions(client, asked, PIECE)
    const rows = found.map((one) => ({
      ...one,
      id: orderedId(one.moment.getTime()),
      due: rule.due(one.moment),
    }))
    if (rows.length > 0) made += await insertSubmissions(client, asked, rows)
    if (found.length < PIECE) break
  }
  return made
}
