// Documents that the authority has and no receipt: of a process that died before it could store
// them. The same sale takes its document over; of another one it is taken back. Where the next
// receipt got the same number while the authority was silent, that one is told under a number of a
// series of its own.
import { invoicesDoc, type Told, type Transmitted, uidOf } from '../../device/gr/mydata.js'
import { contentOf, idOf, marksIn, reversalOf, reverseType, xmlOf } from '../../device/gr/whole.js'
import { sha256 } from '../../lib/hash.js'
import { parseXml, type XmlElement } from '../../lib/xml-read.js'
import { escapeXml } from '../../lib/xml-write.js'
import {
  type Instead,
  invoiceOf,
  type LeftDocument,
  outcomeOf,
  type StoredOutcome,
  type StoredRecord,
  taken,
} from './rows.js'

/** What the authority has under the number of this document, from this queue. */
export function orphanOf(
  record: StoredRecord,
  all: readonly Transmitted[],
): Transmitted | undefined {
  const place = placeIn(record)
  return all.find(({ url, invoice }) => {
    const { series, aa } = idOf(invoice)
    return url.startsWith(place) && series === record.series && aa === record.aa
  })
}

/** The document as the authority has it, where it is this very sale. */
export function sameSale(record: StoredRecord, orphan: Transmitted): StoredRecord | undefined {
  const ours = treeIn(record)
  if (ours === undefined || contentOf(ours) !== contentOf(orphan.invoice)) return undefined
  return { ...record, xml: xmlOf(orphan.invoice, orphan.url) }
}

export interface Settlement {
  record: StoredRecord
  /** The authority has it already, of a process that died behind this. */
  known: Transmitted | undefined
}

interface Ended {
  orphan: Transmitted
  /** All that the authority has behind the newest MARK. */
  all: readonly Transmitted[]
}

/**
 * What takes the orphan of this record back, under this number. Undefined: it is of another
 * program, or of a kind that only people can settle.
 */
export function endOf(
  record: StoredRecord,
  { orphan, all }: Ended,
  by: Pick<StoredRecord, 'series' | 'aa' | 'date'> & { url: string },
): Settlement | undefined {
  const place = placeIn(record)
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

// ------------------------------------------------------------- a number that two receipts have

interface Clash {
  record: StoredRecord
  /** Of its row: it makes numbers that nothing else has. */
  number: number
  /** What the authority has under its number, and all that it has behind the newest MARK. */
  orphan: Transmitted
  all: ReadonlyMap<string, Transmitted>
  /** `2026-06-01`, in Athens. */
  today: string
  send(record: StoredRecord): Promise<Told>
}

const treeIn = (record: StoredRecord): XmlElement | undefined =>
  parseXml(invoicesDoc([invoiceOf(record)])).children[0]

const addressIn = (record: StoredRecord): string =>
  treeIn(record)?.children.find(({ name }) => name === 'downloadingInvoiceUrl')?.text ?? ''

/** Begin of the addresses of its queue's documents. */
function placeIn(record: StoredRecord): string {
  const address = addressIn(record)
  return address.slice(0, address.lastIndexOf('/') + 1)
}

export const isOwn = (record: StoredRecord, { url }: Transmitted): boolean =>
  addressIn(record) === url

/** Done twice it changes nothing more: what is there already is found. */
export async function settled(clash: Clash): Promise<StoredOutcome> {
  const { record, orphan, all, send } = clash
  const same = sameSale(record, orphan)
  if (same !== undefined) return { ...taken(orphan), instead: [insteadOf(same, taken(orphan))] }
  const told = async (one: StoredRecord): Promise<StoredOutcome> => {
    const there = all.get(one.uid)
    return there === undefined ? outcomeOf(await send(one)) : taken(there)
  }
  const number = { series: seriesOf(record, 'R'), aa: String(clash.number), date: clash.today }
  // where the other one lies nothing else does
  const by = { ...number, url: orphan.url }
  const back = endOf(record, { orphan, all: [...all.values()] }, by)?.record
  const end = back && (await told(back))
  const moved = movedFrom(clash)
  const outcome = await told(moved)
  const first = back && end?.isTaken ? [insteadOf(back, end)] : []
  const instead = [...first, insteadOf(moved, outcome)]
  const isLeft = back === undefined && orphan.url.startsWith(placeIn(record))
  if (!isLeft) return { ...outcome, instead }
  const there = insteadOf(leftRecord(orphan), taken(orphan))
  return { ...outcome, instead: [there, ...instead], left: leftOf(orphan) }
}

const insteadOf = (record: StoredRecord, outcome: StoredOutcome): Instead => ({
  ...{ record, mark: outcome.mark, authenticationCode: outcome.authenticationCode },
})

const LONGEST_SERIES = 48
const seriesOf = ({ series }: StoredRecord, mark: string): string =>
  `${series.slice(0, LONGEST_SERIES)}-${mark}`

function movedFrom({ record, number }: Clash): StoredRecord {
  const id = { ...record, series: seriesOf(record, 'L'), aa: String(number) }
  return { ...id, uid: uidOf(id), xml: xmlWith(record, id) }
}

type Numbered = Pick<StoredRecord, 'series' | 'aa'>

/** What it says, under another number. */
function xmlWith(record: StoredRecord, by: Numbered): string {
  const head = ({ series, aa }: Numbered) => `<series>${escapeXml(series)}</series><aa>${aa}</aa>`
  return record.xml.replace(head(record), () => head(by))
}

// ------------------------------------------------------------- what nothing takes back

// A credit has no reversal. It stands in the books, and the same sale, when its program sends it
// again, is that document and no second one.

type LeftDocuments = readonly LeftDocument[]

/** Older ones are a matter of people. */
const MOST = 50

const contentKey = (invoice: XmlElement): string =>
  sha256(contentOf(invoice, ['aa'])).toString('base64')

export const leftOf = ({ invoice, ...there }: Transmitted): LeftDocument => ({
  ...{ content: contentKey(invoice), aa: idOf(invoice).aa, uid: there.uid, url: there.url },
  ...{ mark: there.mark, authenticationCode: there.authenticationCode, qrUrl: there.qrUrl },
})

/** The document itself, for the books. */
export const leftRecord = ({ invoice, uid, url }: Transmitted): StoredRecord => ({
  ...{ ...idOf(invoice), uid, xml: xmlOf(invoice, url) },
  ...{ reference: '', failure: 0, isLeft: true },
})

/** The one that this sale is. */
export function leftFor(left: LeftDocuments, record: StoredRecord): LeftDocument | undefined {
  const sent = left.length === 0 ? undefined : treeIn(record)
  const content = sent && contentKey(sent)
  return left.find((one) => one.content === content)
}

/** The sale as that document. */
export const asLeft = (record: StoredRecord, { aa, uid }: LeftDocument): StoredRecord => ({
  ...{ ...record, aa, uid, xml: xmlWith(record, { ...record, aa }) },
})

interface LeftChange {
  found?: LeftDocuments
  gone?: LeftDocuments
}

/** The newest ones that are left then. */
export const leftAfter = (left: LeftDocuments, { found = [], gone = [] }: LeftChange) =>
  without([...without(left, found), ...found].slice(-MOST), gone)

const without = (all: LeftDocuments, some: LeftDocuments): LeftDocument[] =>
  all.filter(({ mark }) => some.every((one) => one.mark !== mark))
