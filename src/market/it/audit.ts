// A second look at what an Italian queue has stored: the numbers of its rows, their documents on
// the answers, the chain at the end, and the journal as a whole.
import { sha256 } from '../../lib/hash.js'
import type { Finding, Verdict } from '../../model/verdict.js'
import type { AuditedReceipt, Auditor } from '../contract.js'
import { expect, shownBy } from '../kit/audit.js'
import { types } from './cases.js'
import { four } from './draft.js'
import type { ItState } from './queue.js'
import { RECORDS, type StoredRecord } from './rows.js'

export class ItAuditor implements Auditor {
  private readonly state: ItState
  private records = 0
  private hash = ''

  constructor(state: ItState) {
    this.state = state
  }

  receipt({ response, journal }: AuditedReceipt): Finding[] {
    const shown = response === null ? undefined : shownBy(response)
    return journal
      .filter(({ kind }) => kind === RECORDS)
      .flatMap(({ number, content }) => {
        const { previous, z, doc, receiptReference } = JSON.parse(content) as StoredRecord
        this.records += 1
        const before = this.hash
        this.hash = sha256(content).toString('hex')
        const of = (type: bigint) => shown?.items.find((one) => one.type === `${type}`)?.data
        return [
          ...expect('ROW_NUMBER', receiptReference, [this.records, number]),
          ...expect('ROW_CHAIN', receiptReference, [before, previous]),
          ...(shown === undefined
            ? []
            : expect('ANSWER_Z', receiptReference, [four(z), of(types.z)])),
          ...(shown === undefined || doc === 0
            ? []
            : expect('ANSWER_DOCUMENT', receiptReference, [four(doc), of(types.doc)])),
        ]
      })
  }

  end(): Finding[] {
    return [
      ...expect('STATE_NUMBER', 'records', [this.records, this.state.records]),
      ...expect('STATE_CHAIN', 'records', [this.hash, this.state.hash]),
    ]
  }

  legalExport(): { type: bigint } | undefined {
    return this.records === 0 ? undefined : { type: 0x4954_2000_0000_1001n }
  }

  judge({ findings }: Verdict): Finding[] {
    return [...findings]
  }
}
