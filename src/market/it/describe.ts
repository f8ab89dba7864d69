// The Italian members of status, configuration and raw journal exports.
import { dateOrNull, describedBy } from '../kit/describe.js'
import forms from './describe.json' with { type: 'json' }
import type { ItState } from './queue.js'
import { RECORDS, type StoredRecord } from './rows.js'

export const describe = describedBy<ItState, StoredRecord>(forms, {
  kinds: [RECORDS],
  queue: ({ openSince, failedAt }) => ({
    ...{ openDate: dateOrNull(openSince), failDate: dateOrNull(failedAt) },
  }),
})
