// A number that two receipts have: a process died behind the document that it had sent, and the
// next receipt got the same number while the authority was silent. The same sale takes that
// document over; of another one it is taken back, and this one is told under a number of a series
// of its own.
import { invoicesDoc, type Told, type Transmitted, uidOf } from '../../device/gr/mydata.js'
import { parseXml } from '../../lib/xml-read.js'
import { escapeXml } from '../../lib/xml-write.js'
import { endOf, sameSale } from './orphans.js'
import {
  type Instead,
  invoiceOf,
  outcomeOf,
  type StoredOutcome,
  type StoredRecord,
  taken,
} from './rows.js'

export interface Clash {
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

const addressIn = (record: StoredRecord): string => {
  const [invoice] = parseXml(invoicesDoc([invoiceOf(record)])).children
  return invoice?.children.find(({ name }) => name === 'downloadingInvoiceUrl')?.text ?? ''
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
  const address = addressIn(record)
  const place = address.slice(0, address.lastIndexOf('/') + 1)
  const number = { series: seriesOf(record, 'R'), aa: String(clash.number), date: clash.today }
  // where the other one lies nothing else does
  const ended = { orphan, all: [...all.values()], place }
  const back = endOf(ended, { ...number, url: orphan.url })?.record
  const end = back && (await told(back))
  const moved = movedFrom(clash)
  const outcome = await told(moved)
  const first = back && end?.isTaken ? [insteadOf(back, end)] : []
  return { ...outcome, instead: [...first, insteadOf(moved, outcome)] }
}

const insteadOf = (record: StoredRecord, outcome: StoredOutcome): Instead => ({
  ...{ record, mark: outcome.mark, authenticationCode: outcome.authenticationCode },
})

const LONGEST_SERIES = 48
const seriesOf = ({ series }: StoredRecord, mark: string): string =>
  `${series.slice(0, LONGEST_SERIES)}-${mark}`

function movedFrom({ record, number }: Clash): StoredRecord {
  const id = { ...record, series: seriesOf(record, 'L'), aa: String(number) }
  const head = (one: StoredRecord) => `<series>${escapeXml(one.series)}</series><aa>${one.aa}</aa>`
  return { ...id, uid: uidOf(id), xml: record.xml.replace(head(record), () => head(id)) }
}
