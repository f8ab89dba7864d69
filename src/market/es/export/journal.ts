// Exports of Spain: what was told the authority and what it answered (GovernmentAPI), one element
// for each record, and the log of events.
import type { ExportSource } from '../../../model/export-source.js'
import type { Export } from '../../contract.js'
import { isWord } from '../../kit/journal-word.js'
import { exchangesOf } from '../../kit/outcomes.js'
import { storedIn } from '../../kit/receipt-range.js'
import {
  EVENTS,
  OUTCOMES,
  RECORDS,
  type StoredEvent,
  type StoredOutcome,
  type StoredRecord,
} from '../rows.js'
import { requestOf } from '../transmit.js'

export interface GovernmentApi {
  Request: string
  Response: string
  Version: 'V0'
}

/** Without an answer: what will be sent, and nothing. */
export function governmentApi(
  record: StoredRecord,
  outcome: StoredOutcome | undefined,
): GovernmentApi {
  const Request = requestOf(record, outcome?.isIncident ?? false)
  return { Request, Response: outcome?.response ?? '', Version: 'V0' }
}

type Kept = (record: StoredRecord) => boolean

const CHAINS = { records: RECORDS, outcomes: OUTCOMES }

/** Records of the range, each with its outcome. */
async function* exchanges(source: ExportSource, isKept: Kept): AsyncGenerator<string> {
  let isFirst = true
  yield '['
  const all = exchangesOf<StoredRecord, StoredOutcome>(source, CHAINS)
  for await (const { record, outcome } of all) {
    if (!isKept(record)) continue
    yield (isFirst ? '' : ',') + JSON.stringify(governmentApi(record, outcome))
    isFirst = false
  }
  yield ']'
}

const JSON_TYPE = 'application/json; charset=utf-8'

export const verifactuJournal: Export = {
  matches: isWord('0x4553200000000001'),
  beforeCommon: true,
  contentType: JSON_TYPE,
  run: (source) => exchanges(source, ({ kind }) => kind === 'VeriFactu'),
}

export const ticketbaiJournal: Export = {
  matches: isWord('0x4553200000000002'),
  beforeCommon: true,
  contentType: JSON_TYPE,
  run: (source) => exchanges(source, ({ kind }) => kind !== 'VeriFactu'),
}

/** Whatever the kind of the queue is: what its verifier reads. */
export const recordJournal: Export = {
  matches: isWord('0x4553200000001001'),
  contentType: JSON_TYPE,
  run: (source) => exchanges(source, () => true),
}

export const eventJournal: Export = {
  matches: isWord('0x4553200000000003'),
  beforeCommon: true,
  contentType: JSON_TYPE,
  async *run(source) {
    let isFirst = true
    yield '['
    for await (const { xml } of storedIn<StoredEvent>(source, { kind: EVENTS })) {
      const shown: GovernmentApi = { Request: xml, Response: '', Version: 'V0' }
      yield (isFirst ? '' : ',') + JSON.stringify(shown)
      isFirst = false
    }
    yield ']'
  },
}
