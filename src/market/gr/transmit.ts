// Documents on their way to myDATA: one while its receipt is made, the others after it was stored.

import { DeviceError } from '../../device/device.js'
import { sendInvoice, transmittedAfter } from '../../device/gr/calls.js'
import { invoicesDoc, isDuplicate, type Transmitted, toldIn } from '../../device/gr/mydata.js'
import type { GrDevice } from '../../device/gr/unit.js'
import { COUNTED, keyOf } from '../../model/counted.js'
import type { StoredMarketRow } from '../../model/journal.js'
import type { Again, OutboxWork, Unit } from '../contract.js'
import { marketRow } from '../kit/draft.js'
import { reported, unitOf } from '../kit/steps.js'
import { type Courier, type Cursor, type Kept, transmit } from '../kit/transmission.js'
import { dayOf } from './draft.js'
import { isOwn, leftFor, orphanOf, settled, withLeft, withoutLeft } from './orphans.js'
import { type GrState, grState } from './queue.js'
import {
  invoiceOf,
  type LateMark,
  type LeftDocument,
  OUTCOMES,
  outcomeOf,
  RECORDS,
  type StoredOutcome,
  type StoredRecord,
  taken,
} from './rows.js'
import { text } from './text.js'

export const SEND = 'send'

// ---------------------------------------------------------------------------- after it was stored

const MOST = 100
const TIMEOUT_MS = 30_000
const LONGEST_PAUSE_MS = 60_000

export function workSend(work: OutboxWork): Promise<Again | undefined> {
  const state = grState.parse(JSON.parse(work.source.state))
  const books = new LeftInBooks(state.left)
  const kept: Kept<GrState> = {
    read: ({ transmission, records }) => ({ cursor: transmission, records }),
    write: (now, transmission) => ({ ...now, transmission, left: books.moved(now, transmission) }),
  }
  const courier = courierOf(work, { unit: unitOf(work), lastMark: state.lastMark, books })
  return transmit(work, state, { kept, courier })
}

/** Documents without a receipt, as far as this work knows of them. */
class LeftInBooks {
  private known: readonly LeftDocument[]
  private readonly changes: { number: number; found?: LeftDocument; gone?: LeftDocument }[] = []

  constructor(known: readonly LeftDocument[]) {
    this.known = known
  }

  of(record: StoredRecord): LeftDocument | undefined {
    return leftFor(this.known, record)
  }

  /** What telling the record of this row has left there. */
  found({ number }: StoredMarketRow, { left }: StoredOutcome): void {
    if (left !== undefined) this.changes.push({ number, found: left })
  }

  /** The record of this row is such a document; it stands in the books already. */
  taken(row: StoredMarketRow): StoredOutcome | undefined {
    const gone = this.of(recordIn(row))
    if (gone === undefined) return undefined
    this.changes.push({ number: row.number, gone })
    return { ...taken(gone), instead: [] }
  }

  /** With the answer of a record, and only then: receipts move it as well. */
  moved({ left, transmission: { sent } }: GrState, next: Cursor): LeftDocument[] {
    const told = this.changes.filter(({ number }) => sent < number && number <= next.sent)
    const found = told.flatMap((one) => one.found ?? [])
    const gone = told.flatMap((one) => one.gone ?? [])
    const moved = withoutLeft(withLeft(left, found), gone)
    this.known = moved
    return moved
  }
}

const recordIn = ({ content }: StoredMarketRow) => JSON.parse(content) as StoredRecord

interface Through {
  unit: Unit<GrDevice>
  lastMark: string
  books: LeftInBooks
}

function courierOf(
  work: OutboxWork,
  { unit: { scu, device }, lastMark, books }: Through,
): Courier<StoredOutcome> {
  const known = (vat: string) =>
    transmittedAfter(device, { vat, after: lastMark, timeoutMs: TIMEOUT_MS })
  /** What the authority has under the number of a document: that one, or one of a dead process. */
  const thereOf = async (row: StoredMarketRow | undefined, all: Map<string, Transmitted>) => {
    const record = row && recordIn(row)
    if (row === undefined || record === undefined) return undefined
    const found = all.get(record.uid) ?? orphanOf(record, [...all.values()])
    if (found === undefined) return undefined
    if (isOwn(record, found)) return taken(found)
    const today = dayOf(work.tools.now())
    return settled({
      ...{ record, number: row.number, orphan: found, all, today },
      send: async (one) => (await sendInvoice(device, invoiceOf(one), TIMEOUT_MS)).told,
    })
  }
  const send: Courier<StoredOutcome>['send'] = async (rows, cursor) => {
    const records = rows.map(recordIn)
    const again = records.findIndex((one) => books.of(one) !== undefined)
    if (again > 0) return send(rows.slice(0, again), cursor)
    const left = rows[0] && books.taken(rows[0])
    if (left !== undefined) return { outcomes: [left], waitMs: 0 }
    const body = invoicesDoc(records.map((one) => invoiceOf(one)))
    const call = { method: 'POST', name: 'SendInvoices', body } as const
    const told = toldIn(await device.call(call, { timeoutMs: TIMEOUT_MS }))
    // what does not fit the schema is answered once for the whole message, and nothing of it is
    // taken: the first document by itself shows whose fault it is
    const whole = told.find(({ statusCode }) => statusCode === 'XMLSyntaxError')
    if (whole !== undefined && rows.length > 1) return send(rows.slice(0, 1), cursor)
    const outcomes: StoredOutcome[] = []
    for (const [at, record] of records.entries()) {
      const one = told.find(({ index }) => index === at + 1) ?? whole
      if (one === undefined) throw new DeviceError('the answer is not complete')
      const there = isDuplicate(one) ? await known(record.vat) : undefined
      const before = there && (await thereOf(rows[at], there))
      outcomes.push(before ?? outcomeOf(one))
    }
    return { outcomes, waitMs: 0 }
  }
  return {
    ...{ chain: RECORDS, most: MOST, longestPauseMs: LONGEST_PAUSE_MS },
    together: (rows) => rows.length,
    send,
    find: async (rows) => {
      const [first] = rows.map(recordIn)
      const there = await known(first?.vat ?? '')
      const outcomes: StoredOutcome[] = []
      for (const row of rows) {
        const found = await thereOf(row, there)
        if (found === undefined) break
        outcomes.push(found)
      }
      return outcomes
    },
    note: (row, outcome) => {
      books.found(row, outcome)
      return noteOf(work, { row, outcome, scuId: scu.id })
    },
  }
}

interface Answered {
  row: StoredMarketRow
  outcome: StoredOutcome
  scuId: string
}

function noteOf(work: OutboxWork, { row, outcome, scuId }: Answered) {
  const { series, aa, reference } = recordIn(row)
  const rowOf = (kind: string, number: number, content: object) =>
    marketRow(work, { kind, number, scuId, content })
  const told = rowOf(OUTCOMES, row.number, outcome satisfies StoredOutcome)
  const late: LateMark = { reference, mark: outcome.mark }
  const message = `${series}-${aa}: ${outcome.code} ${outcome.text}`
  const refusals = outcome.isTaken ? [] : [reported(work, { type: 'DocumentRefused', message })]
  const last = outcome.instead?.at(-1)?.record
  const moves =
    last === undefined || last.series === series
      ? []
      : [{ type: 'DocumentRenumbered', message: text('moved', series, aa, last.series, last.aa) }]
  return {
    itemId: row.queueItemId,
    journal: outcome.isTaken ? [told, rowOf(COUNTED, keyOf(reference), late)] : [told],
    actions: [...moves.map((one) => reported(work, one)), ...refusals],
  }
}
