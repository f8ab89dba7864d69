// The Spanish members of status, configuration and raw journal exports.
import { describedBy, silenceOf, textOrNull } from '../kit/describe.js'
import forms from './describe.json' with { type: 'json' }
import type { EsState } from './queue.js'
import { RECORDS, type StoredRecord } from './rows.js'
import { requestOf } from './transmit.js'

/** A record as it is sent; its answer stands in the export. */
export const describe = describedBy<EsState, StoredRecord>(forms, {
  kinds: [RECORDS],
  queue: (state) => ({
    ...{ ...silenceOf(state), hash: state.last?.mark ?? null },
    stopped: textOrNull(state.transmission.stopped),
  }),
  row: (record) => ({
    data: JSON.stringify({ Request: requestOf(record, false), Response: '', Version: 'V0' }),
    type: record.kind === 'VeriFactu' ? 'VeriFactu' : 'TicketBAI',
  }),
})
