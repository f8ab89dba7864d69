// Exports of Spain: what was told the authority and what it answered (GovernmentAPI), one element
// for each record, and the log of events.
import type { ExportSource } from '../../../model/export-source.js'
import type { StoredMarketRow } from '../../../model/journal.js'
import type { Export } from '../../contract.js'
import { isWord } from '../../kit/journal-word.js'
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

/** Records of the range, each with its outcome: both chains are in the order of their numbers. */
async function* exchanges(source: ExportSource, isKept: Kept): AsyncGenerator<string> {
  const outcomes = new Outcomes(source)
  let isFirst = true
  yield '['
  for await (const page of source.chainRows(RECORDS)) {
    for (const row of page) {
      const record = JSON.parse(row.content) as StoredRecord
      if (!isKept(record)) continue
      const outcome = await outcomes.of(row)
      yield (isFirst ? '' : ',') + JSON.stringify(governmentApi(record, outcome))
      isFirst = false
    }
  }
  yield ']'
}

/** Read once, beside the records. */
class Outcomes {
  private pages: AsyncIterator<StoredMarketRow[]> | undefined
  private page: StoredMarketRow[] = []
  private readonly source: ExportSource

  constructor(source: ExportSource) {
    this.source = source
  }

  async of({ number, timeStamp }: StoredMarketRow): Promise<StoredOutcome | undefined> {
    // an outcome is never older than its record
    this.pages ??= this.source
      .chainRows(OUTCOMES, { from: timeStamp, to: 0n })
      [Symbol.asyncIterator]()
    for (;;) {
      const [next] = this.page
      if (next === undefined) {
        const { value, done } = await this.pages.next()
        if (done === true) return undefined
        this.page = [...value]
      } else if (next.number > number) return undefined
      else {
        this.page.shift()
        if (next.number === number) return JSON.parse(next.content) as StoredOutcome
      }
    }
  }
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
    for await (const page of source.chainRows(EVENTS)) {
      for (const { content } of page) {
        const { xml } = JSON.parse(content) as StoredEvent
        const shown: GovernmentApi = { Request: xml, Response: '', Version: 'V0' }
        yield (isFirst ? '' : ',') + JSON.stringify(shown)
        isFirst = false
      }
    }
    yield ']'
  },
}
