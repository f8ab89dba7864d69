// A second look at queues that tell an authority of every document: numbers of records and of their
// outcomes, what the answer shows, the counters at the end, and the journal as a whole.
import type { StoredMarketRow } from '../../model/journal.js'
import type { Finding, Verdict } from '../../model/verdict.js'
import type { AuditedReceipt, Auditor } from '../contract.js'
import { expect, type Shown, shownBy } from './audit.js'

interface State {
  records: number
  transmission: { sent: number }
}

export interface Recorded {
  /** Letters of both chains. */
  records: string
  outcomes: string
  /** Type of the journal that has all of them. */
  journal: bigint
  /** Its name, and whether the answer shows it; `shown` undefined: there is no answer. */
  told(row: StoredMarketRow, shown: Shown | undefined): { name: string; isShown: boolean }
  /** More that holds at the end. */
  end?(): Finding[]
}

export function recordAuditor(state: State, recorded: Recorded): Auditor {
  let records = 0
  let outcomes = 0
  const checked = (row: StoredMarketRow, shown: Shown | undefined): Finding[] => {
    // of one record one outcome, in their order; they may lie behind later receipts
    if (row.kind === recorded.outcomes) outcomes = Math.max(outcomes, row.number)
    if (row.kind !== recorded.records) return []
    const { name, isShown } = recorded.told(row, shown)
    const before = records
    records = row.number
    return [
      ...expect('CHAIN_NUMBER', name, [before + 1, row.number]),
      ...expect('ANSWER_MARK', name, [true, isShown]),
    ]
  }
  return {
    receipt({ response, journal }: AuditedReceipt) {
      const shown = response === null ? undefined : shownBy(response)
      return journal.flatMap((row) => checked(row, shown))
    },
    end: () => [
      ...expect('STATE_NUMBER', 'records', [records, state.records]),
      ...(recorded.end?.() ?? []),
      ...expect('STATE_SENT', 'records', [true, state.transmission.sent >= outcomes]),
    ],
    legalExport: () => (records === 0 ? undefined : { type: recorded.journal }),
    judge: ({ findings }: Verdict) => [...findings],
  }
}
