// A second look at what a Spanish queue has stored: the mark of a record stands on its answer, and
// the chain ends with the last one.
import type { Auditor } from '../contract.js'
import { expect } from '../kit/audit.js'
import { recordAuditor } from '../kit/record-audit.js'
import { ERROR_STATE } from './cases.js'
import type { EsState } from './queue.js'
import { OUTCOMES, RECORDS, type StoredRecord } from './rows.js'

export function auditorOf(state: EsState): Auditor {
  let last = ''
  return recordAuditor(state, {
    ...{ records: RECORDS, outcomes: OUTCOMES, journal: 0x4553_2000_0000_1001n },
    told: ({ content }, shown) => {
      const { number, mark, operation, kind } = JSON.parse(content) as StoredRecord
      if (kind === 'VeriFactu' || operation === 'Alta') last = mark
      // a record that the authority refused has no answer that shows it
      const isShown =
        shown === undefined ||
        shown.state === ERROR_STATE ||
        shown.items.some(({ data }) => data.startsWith(mark))
      return { name: number, isShown }
    },
    end: () => expect('STATE_CHAIN', 'records', [last, state.last?.mark ?? '']),
  })
}
