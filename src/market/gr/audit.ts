// A second look at what a Greek queue has stored: numbers of documents and outcomes, the UID on its
// answer, the counters at the end, and the books as a whole.
import type { Finding, Verdict } from '../../model/verdict.js'
import type { AuditedReceipt, Auditor } from '../contract.js'
import { expect, shownBy } from '../kit/audit.js'
import type { GrState } from './queue.js'
import { OUTCOMES, RECORDS, type StoredRecord } from './rows.js'

const BOOKS = 0x4752_2000_0000_0001n

export class GrAuditor implements Auditor {
  private readonly state: GrState
  private records = 0
  private outcomes = 0

  constructor(state: GrState) {
    this.state = state
  }

  receipt({ response, journal }: AuditedReceipt): Finding[] {
    const shown = response === null ? undefined : shownBy(response).items
    return journal.flatMap((row) => {
      if (row.kind === OUTCOMES) this.outcomes = Math.max(this.outcomes, row.number)
      if (row.kind !== RECORDS) return []
      const { uid, series, aa } = JSON.parse(row.content) as StoredRecord
      const before = this.records
      this.records = row.number
      const isShown = shown === undefined || shown.some(({ data }) => data === uid)
      return [
        ...expect('CHAIN_NUMBER', `${series}-${aa}`, [before + 1, row.number]),
        ...expect('ANSWER_MARK', `${series}-${aa}`, [true, isShown]),
      ]
    })
  }

  end(): Finding[] {
    const { records, transmission } = this.state
    return [
      ...expect('STATE_NUMBER', 'records', [this.records, records]),
      ...expect('STATE_SENT', 'records', [true, transmission.sent >= this.outcomes]),
    ]
  }

  legalExport(): { type: bigint } | undefined {
    return this.records === 0 ? undefined : { type: BOOKS }
  }

  judge({ findings }: Verdict): Finding[] {
    return [...findings]
  }
}
