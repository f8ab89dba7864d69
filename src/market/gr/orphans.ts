// Documents that the authority has and no receipt: of a process that died before it could store
// them. The same sale takes its document over; of another one it is taken back.
import { invoicesDoc, type Transmitted, uidOf } from '../../device/gr/mydata.js'
import { contentOf, idOf, marksIn, reversalOf, reverseType, xmlOf } from '../../device/gr/whole.js'
import { parseXml } from '../../lib/xml-read.js'
import { dayOf, type GrDraft } from './draft.js'
import { invoiceOf, type StoredRecord } from './rows.js'

/** Begin of the addresses of this queue's documents. */
export const placeOf = ({ input }: GrDraft, base: string): string => `${base}/${input.queue.id}/`

/** What the authority has under the number of this document, from this queue. */
export function orphanOf(
  record: StoredRecord,
  { all, place }: { all: readonly Transmitted[]; place: string },
): Transmitted | undefined {
  return all.find(({ url, invoice }) => {
    const { series, aa } = idOf(invoice)
    return url.startsWith(place) && series === record.series && aa === record.aa
  })
}

/** The document as the authority has it, where it is this very sale. */
export function sameSale(record: StoredRecord, orphan: Transmitted): StoredRecord | undefined {
  const [ours] = parseXml(invoicesDoc([invoiceOf(record)])).children
  if (ours === undefined || contentOf(ours) !== contentOf(orphan.invoice)) return undefined
  return { ...record, xml: xmlOf(orphan.invoice, orphan.url) }
}

export interface Settlement {
  record: StoredRecord
  /** The authority has it already, of a process that died behind this. */
  known: Transmitted | undefined
}

export interface Ended {
  orphan: Transmitted
  all: readonly Transmitted[]
  place: string
}

/**
 * What takes an orphan back, under this number. Undefined: it is of another program, or of a kind
 * that only people can settle.
 */
export function endOf(
  { orphan, all, place }: Ended,
  by: Pick<StoredRecord, 'series' | 'aa' | 'date'> & { url: string },
): Settlement | undefined {
  const type = reverseType(orphan.invoice)
  if (type === undefined || !orphan.url.startsWith(place)) return undefined
  const plain = { reference: '', failure: 0, settles: orphan.mark } as const
  const known = all.find(
    ({ invoice, url }) => url.startsWith(place) && marksIn(invoice).includes(orphan.mark),
  )
  if (known !== undefined) {
    const { invoice, uid, url } = known
    return { record: { ...idOf(invoice), ...plain, uid, xml: xmlOf(invoice, url) }, known }
  }
  const { vat, branch } = idOf(orphan.invoice)
  const { url, ...numbered } = by
  const id = { vat, branch, ...numbered, type, variation: '' }
  const xml = reversalOf(orphan.invoice, { ...id, mark: orphan.mark, url })
  return { record: { ...id, ...plain, uid: uidOf(id), xml }, known }
}

/** Under the next number of the series. */
export function settlementOf(draft: GrDraft, ended: Ended): Settlement | undefined {
  const { receipt, moment } = draft.input
  const { series } = idOf(ended.orphan.invoice)
  const numbered = { series, aa: String(draft.state.number + 1), date: dayOf(moment) }
  return endOf(ended, { ...numbered, url: `${ended.place}${receipt.id}` })
}
