// Documents on their way to myDATA after their receipts were stored.
import { sendInvoice, sendInvoices, transmittedAfter } from '../../device/gr/calls.js'
import { invoiceOf, isDuplicate, type Told, type Transmitted } from '../../device/gr/mydata.js'
import type { GrDevice } from '../../device/gr/unit.js'
import { isOwn, underNumberOf } from '../../device/gr/whole.js'
import { COUNTED, keyOf } from '../../model/counted.js'
import type { StoredMarketRow } from '../../model/journal.js'
import type { OutboxNote, OutboxWork, Unit } from '../contract.js'
import { marketRow } from '../kit/draft.js'
import { reported, unitOf } from '../kit/steps.js'
import { type Answered, type Courier, type Cursor, keptIn, sending } from '../kit/transmission.js'
import { dayOf } from './draft.js'
import { leftAfter, leftFor, settled } from './orphans.js'
import { type GrState, grState } from './queue.js'
import {
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

const TIMEOUT_MS = 30_000

export const workSend = sending(grState, (work, state) => {
  const courier = new Post(work, state)
  return {
    courier,
    kept: keptIn<GrState>((now, next) => ({ left: courier.leftBehind(now, next) })),
  }
})

const recordIn = ({ content }: StoredMarketRow) => JSON.parse(content) as StoredRecord
type Rows = readonly StoredMarketRow[]

/** What is sent of a queue, and what becomes of it. */
class Post implements Courier<StoredOutcome> {
  readonly chain = RECORDS
  readonly most = 100
  readonly longestPauseMs = 60_000
  private readonly work: OutboxWork
  private readonly unit: Unit<GrDevice>
  private readonly lastMark: string
  /** Documents without a receipt, as far as this work knows of them. */
  private left: GrState['left']
  /** By the numbers of the records with which they are. */
  private readonly found = new Map<number, LeftDocument>()
  private readonly gone = new Map<number, LeftDocument>()

  constructor(work: OutboxWork, { lastMark, left }: GrState) {
    this.work = work
    this.unit = unitOf(work)
    this.lastMark = lastMark
    this.left = left
  }

  /** Moved with the answer of a record, and only then: receipts move it as well. */
  leftBehind({ left, transmission: { sent } }: GrState, next: Cursor): GrState['left'] {
    const told = (all: ReadonlyMap<number, LeftDocument>) =>
      [...all].flatMap(([number, one]) => (sent < number && number <= next.sent ? one : []))
    const moved = leftAfter(left, { found: told(this.found), gone: told(this.gone) })
    this.left = moved
    return moved
  }

  async send(rows: Rows): Promise<Answered<StoredOutcome>> {
    const records = rows.map(recordIn)
    const left = records.map((one) => leftFor(this.left, one))
    const again = left.findIndex((one) => one !== undefined)
    if (again > 0) return this.send(rows.slice(0, again))
    const [[first], [gone]] = [rows, left]
    if (first !== undefined && gone !== undefined) {
      // it stands in the books already
      this.gone.set(first.number, gone)
      return { outcomes: [{ ...taken(gone), instead: [] }], waitMs: 0 }
    }
    const invoices = records.map((one) => invoiceOf(one))
    const told = await sendInvoices(this.unit.device, invoices, TIMEOUT_MS)
    // the first document by itself shows whose fault it is
    if (told === undefined) return this.send(rows.slice(0, 1))
    const outcomes: StoredOutcome[] = []
    for (const [at, row] of rows.entries()) {
      const one = told[at] as Told
      const before = isDuplicate(one) ? await this.there(row, await this.known(row)) : undefined
      outcomes.push(before ?? outcomeOf(one))
    }
    return { outcomes, waitMs: 0 }
  }

  async find(rows: Rows): Promise<StoredOutcome[]> {
    const outcomes: StoredOutcome[] = []
    const all = rows[0] === undefined ? new Map() : await this.known(rows[0])
    for (const row of rows) {
      const found = await this.there(row, all)
      if (found === undefined) break
      outcomes.push(found)
    }
    return outcomes
  }

  private known(row: StoredMarketRow): Promise<Map<string, Transmitted>> {
    const { vat } = recordIn(row)
    const asked = { vat, after: this.lastMark, timeoutMs: TIMEOUT_MS }
    return transmittedAfter(this.unit.device, asked)
  }

  /** What the authority has under the number of a document: that one, or one of a dead process. */
  private async there(row: StoredMarketRow, all: Map<string, Transmitted>) {
    const record = recordIn(row)
    const orphan = all.get(record.uid) ?? underNumberOf(record, [...all.values()])
    if (orphan === undefined) return undefined
    if (isOwn(record, orphan)) return taken(orphan)
    return settled({
      ...{ record, number: row.number, orphan, all, today: dayOf(this.work.tools.now()) },
      send: async (one) => (await sendInvoice(this.unit.device, invoiceOf(one), TIMEOUT_MS)).told,
    })
  }

  note(
    { content, number, queueItemId: itemId }: StoredMarketRow,
    outcome: StoredOutcome,
  ): OutboxNote {
    const { work, unit } = this
    const { series, aa, reference } = JSON.parse(content) as StoredRecord
    const { left, instead, isTaken, mark, code, text: reason } = outcome
    if (left !== undefined) this.found.set(number, left)
    const late: LateMark = { reference, mark }
    const rows = [
      { kind: OUTCOMES, number, content: outcome },
      ...(isTaken ? [{ kind: COUNTED, number: keyOf(reference), content: late }] : []),
    ]
    const journal = rows.map((row) => marketRow(work, { ...row, scuId: unit.scu.id }))
    const message = `${series}-${aa}: ${code} ${reason}`
    const actions = isTaken ? [] : [reported(work, { type: 'DocumentRefused', message })]
    const last = instead?.at(-1)?.record
    if (last !== undefined && last.series !== series) {
      const message = text('moved', series, aa, last.series, last.aa)
      actions.unshift(reported(work, { type: 'DocumentRenumbered', message }))
    }
    return { itemId, journal, actions }
  }
}
