// Makes the reports that countries want of what has happened: a table of rules per market, one
// machine for all. It runs without receipts, and what is made twice is made once.
import { orderedId } from '../../../lib/id.js'
import type { MarketFacts } from '../../../market/facts.js'
import type { ReportRule } from '../../../model/report.js'
import type { Store } from '../../../store/client.js'
import { byOne } from '../../../store/event/problem/detectors.js'
import { findOccasions } from '../../../store/event/report/occasions.js'
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
const PIECE = 2_000
const PIECES = 10
const NAME = 'submissions'

/** `at`: as if it were this moment. Undefined: another process is at it, or was a moment ago. */
export function planReports(
  { store, facts }: PlannerDeps,
  { restMs, at = null }: { restMs: number; at?: Date | null },
): Promise<number | undefined> {
  return byOne(store, { name: NAME, restMs }, async (client) => {
    let made = 0
    for (const market of facts) {
      for (const rule of market.reports ?? []) made += await planRule(client, { market, rule, at })
      await readySubmissions(client, { market: market.code, zone: market.zone })
    }
    await supersedeSubmissions(client)
    await remindOfSubmissions(client)
    return made
  })
}

interface Planned {
  market: MarketFacts
  rule: ReportRule
  at: Date | null
}

async function planRule(client: Connection, { market, rule, at }: Planned): Promise<number> {
  const { kind, on, cause = null } = rule
  const asked = { market: market.code, kind, on, cause, zone: market.zone, at }
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
