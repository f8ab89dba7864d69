// The Greek members of status, configuration and raw journal exports, and the books.

import { invoiceOf, invoicesDoc } from '../../device/gr/mydata.js'
import type { Export } from '../contract.js'
import { describedBy, silenceOf, textOrNull } from '../kit/describe.js'
import { isWord } from '../kit/journal-word.js'
import { exchangesOf } from '../kit/outcomes.js'
import forms from './describe.json' with { type: 'json' }
import type { GrState } from './queue.js'
import { OUTCOMES, RECORDS, type StoredOutcome, type StoredRecord } from './rows.js'

/** A document as it is sent. */
export const describe = describedBy<GrState, StoredRecord>(forms, {
  kinds: [RECORDS],
  queue: (state) => ({ ...silenceOf(state), mark: textOrNull(state.lastMark) }),
  row: (record) => ({ data: invoicesDoc([invoiceOf(record)]) }),
})

const MARKER = '<!---->'
const CHAINS = { records: RECORDS, outcomes: OUTCOMES }

/** Documents of the range with their MARKs. */
export const books: Export = {
  matches: isWord('0x4752200000000001', '0x4752200000001001'),
  beforeCommon: true,
  contentType: 'application/xml; charset=utf-8',
  async *run(source) {
    const [begin = '', end = ''] = invoicesDoc([MARKER]).split(MARKER)
    yield `<?xml version="1.0" encoding="utf-8"?>${begin}`
    const all = exchangesOf<StoredRecord, StoredOutcome>(source, CHAINS)
    for await (const { record, outcome } of all) {
      const { mark = '', authenticationCode = '', instead } = outcome ?? {}
      for (const one of instead ?? [{ record, mark, authenticationCode }]) {
        yield invoiceOf(one.record, one)
      }
    }
    yield end
  },
}
