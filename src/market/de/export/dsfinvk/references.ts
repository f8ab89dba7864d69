// Where a slip points to: earlier receipts of the same business case, and documents elsewhere.

import type { ExportSource } from '../../../../model/export-source.js'
import { CLOSING_KIND } from '../../queue.js'
import type { Bon } from './bons.js'
import { textsIn } from './case-data.js'
import type { Row } from './cells.js'
import { type StoredClosing, storedClosing } from './closings.js'
import { type ReferredSlip, slipOf } from './receipt.js'

const OWN = 'Transaktion'
const OTHER = 'ExterneSonstige'
/** REF_TYP (Annex E). */
const KINDS = [OWN, 'ExterneRechnung', 'ExternerLieferschein', OTHER]
/**
 * How many receipts that are no slips are stepped over while an earlier slip with the same
 * reference is looked for: start, updates and deltas of one explicit transaction.
 */
const MOST_STEPS = 64
const CLOSINGS_KEPT = 32

/** What a slip says of others: all of it that is kept until they are found. */
export interface Pointer {
  /** BON_ID of the slip. */
  id: string
  row: number
  references: readonly string[]
  given: Row<'references'> | undefined
}

interface Question {
  pointer: Pointer
  reference: string
  row: number
}

export class References {
  private readonly source: ExportSource
  private readonly closing: StoredClosing
  /** Closings before this one that were asked for lately. */
  private known: StoredClosing[] = []

  constructor(source: ExportSource, closing: StoredClosing) {
    this.source = source
    this.closing = closing
  }

  /** Rows of references.csv for these slips, in their order. */
  async of(pointers: readonly Pointer[]): Promise<Row<'references'>[]> {
    const found = await this.earlierOf(pointers)
    const rows: Row<'references'>[] = []
    for (const pointer of pointers) {
      for (const earlier of found.get(pointer)?.values() ?? []) {
        rows.push(await this.row(pointer, earlier))
      }
      if (pointer.given !== undefined) rows.push(pointer.given)
    }
    found.clear()
    return rows
  }

  /** Earlier slips by row, so that one which is referred to twice comes once. */
  private async earlierOf(
    pointers: readonly Pointer[],
  ): Promise<Map<Pointer, Map<number, ReferredSlip>>> {
    const found = new Map<Pointer, Map<number, ReferredSlip>>()
    let open = pointers.flatMap(questionsOf)
    for (let step = 0; step < MOST_STEPS && open.length > 0; step += 1) {
      const items = await this.source.receiptsBefore(open)
      const next: Question[] = []
      open.forEach((question, at) => {
        const item = items[at]
        if (item === undefined) return
        const slip = slipOf(item)
        if (slip === undefined) {
          next.push({ ...question, row: item.row })
          return
        }
        const known = found.get(question.pointer) ?? new Map<number, ReferredSlip>()
        found.set(question.pointer, known.set(slip.row, slip))
      })
      open.length = 0 // nothing hangs on to a page of slips that has been written: see pass.ts
      open = next
    }
    return found
  }

  private async row({ id }: Pointer, earlier: ReferredSlip): Promise<Row<'references'>> {
    const closing = await this.closingOf(earlier)
    return {
      BON_ID: id,
      POS_ZEILE: '',
      REF_TYP: OWN,
      REF_NAME: '',
      REF_DATUM: closing === undefined ? '' : new Date(closing.moment).toISOString(),
      REF_Z_KASSE_ID: this.source.queue.identification,
      REF_Z_NR: closing?.number ?? null,
      REF_BON_ID: earlier.identification,
    }
  }

  private async closingOf(receipt: ReferredSlip): Promise<StoredClosing | undefined> {
    const holds = ({ previousRow, row }: StoredClosing) =>
      previousRow < receipt.row && receipt.row < row
    if (holds(this.closing)) return this.closing
    const known = this.known.find(holds)
    if (known !== undefined) return known
    // time stamps are those of the last write: a closing may come too early for the row
    let after = receipt.timeStamp
    for (;;) {
      const row = await this.source.marketRowAfter(CLOSING_KIND, after)
      if (row === undefined) return undefined
      const closing = storedClosing(row)
      if (holds(closing)) {
        this.known = [closing, ...this.known].slice(0, CLOSINGS_KEPT)
        return closing
      }
      if (closing.row > receipt.row) return undefined
      after = row.timeStamp
    }
  }
}

/** References of one slip, each once: the previous receipt first. */
export function referencesIn({ receipt }: Bon): string[] {
  const { previousReceiptReference, receiptReference } = receipt.request
  return Array.from(new Set([...textsIn(previousReceiptReference), ...textsIn(receiptReference)]))
}

export function pointerOf(bon: Bon): Pointer {
  const { identification: id, row } = bon.receipt
  return { id, row, references: referencesIn(bon), given: givenReference(bon) }
}

function questionsOf(pointer: Pointer): Question[] {
  const { row } = pointer
  return pointer.references.map((reference) => ({ pointer, reference, row }))
}

/** What the request itself says of another document (ftReceiptCaseData). */
function givenReference({ receipt }: Bon): Row<'references'> | undefined {
  const { data } = receipt
  const [sent, id] = [data.text('RefType').trim(), data.text('RefReceiptId').trim()]
  if (sent === '' || id === '') return undefined
  const type = KINDS.find((kind) => kind.toLowerCase() === sent.toLowerCase())
  const own = type === OWN
  const number = own ? data.decimal('RefClosingNr') : undefined
  return {
    BON_ID: receipt.identification,
    POS_ZEILE: '',
    REF_TYP: type ?? OTHER,
    // a kind that the standard does not have is the description of another kind
    REF_NAME: data.text('RefName').trim() || (type === undefined ? sent : ''),
    REF_DATUM: own ? (data.moment('RefMoment')?.toISOString() ?? '') : '',
    REF_Z_KASSE_ID: own ? data.text('RefCashBoxIdentification') : '',
    REF_Z_NR: number ?? null,
    REF_BON_ID: id,
  }
}
