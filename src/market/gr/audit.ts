// A second look at what a Greek queue has stored: the UID of a document stands on its answer.
import type { Auditor } from '../contract.js'
import { recordAuditor } from '../kit/record-audit.js'
import type { GrState } from './queue.js'
import { OUTCOMES, RECORDS, type StoredRecord } from './rows.js'

export const auditorOf = (state: GrState): Auditor =>
  recordAuditor(state, {
    ...{ records: RECORDS, outcomes: OUTCOMES, journal: 0x4752_2000_0000_0001n },
    told: ({ content }, shown) => {
      const { uid, series, aa, settles, isLeft } = JSON.parse(content) as StoredRecord
      // what takes a document back, or leaves it, stands beside a receipt that was refused
      const isFree = shown === undefined || settles !== undefined || isLeft === true
      const isShown = isFree || shown.items.some(({ data }) => data === uid)
      return { name: `${series}-${aa}`, isShown }
    },
  })
