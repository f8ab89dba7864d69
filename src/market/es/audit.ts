// A second look at what a Spanish queue has stored: the numbers of records and outcomes, the record
// on its answer, the chain at the end, and the journal as a whole.
import type { StoredMarketRow } from '../../model/journal.js'
import type { Finding, Verdict } from '../../model/verdict.js'
import type { AuditedReceipt, Auditor } from '../contract.js'
import { expect, shownBy } from '../kit/audit.js'
import { ERROR_STATE } from './cases.js'
import type { EsState } from './queue.js'
import { OUTCOMES, RECORDS, type StoredRecord } from './rows.js'

const JOURNAL = 0x4553_2000_0000_1001n

export class EsAuditor implements Auditor {
  private readonly state: EsState
  private records = 0
  private outcomes = 0
  private mark = ''

  constructor(state: EsState) {
    this.state = state
  }

  receipt({ response, journal }: AuditedReceipt): Finding[] {
    const shown = response === null ? undefined : shownBy(response)
    return journal.flatMap((row) => {
      if (row.kind === RECORDS) return this.record(row, shown)
      return row.kind === OUTCOMES ? this.outcome(row) : []
    })
  }

  end(): Finding[] {
    const { records, last, transmission } = this.state
    return [
      ...expect('STATE_NUMBER', 'records', [this.records, records]),
      ...expect('STATE_CHAIN', 'records', [this.mark, last?.mark ?? '']),
      ...expect('STATE_SENT', 'records', [true, transmission.sent >= this.outcomes]),
    ]
  }

  legalExport(): { type: bigint } | undefined {
    return this.records === 0 ? undefined : { type: JOURNAL }
  }

  judge({ findings }: Verdict): Finding[] {
    return [...findings]
  }

  private record(row: StoredMarketRow, shown: ReturnType<typeof shownBy> | undefined): Finding[] {
    const record = JSON.parse(row.content) as StoredRecord
    const { number, mark, operation, kind } = record
    const before = this.records
    this.records = row.number
    if (kind === 'VeriFactu' || operation === 'Alta') this.mark = mark
    // a record that the authority refused has no answer that shows it
    const isShown =
      shown === undefined ||
      shown.state === ERROR_STATE ||
      shown.items.some(({ data }) => data.startsWith(mark))
    return [
      ...expect('CHAIN_NUMBER', number, [before + 1, row.number]),
      ...expect('ANSWER_MARK', number, [true, isShown]),
    ]
  }

  /** Of one record one, in their order; they may lie behind later receipts. */
  private outcome({ number }: StoredMarketRow): Finding[] {
    this.outcomes = Math.max(this.outcomes, number)
    return []
  }
}
