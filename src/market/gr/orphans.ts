// Documents that the authority has and no receipt: of a process that died before it could store
// them. The same sale takes its document over; of another one it is taken back. Where the next
// receipt got the same number while the authority was silent, that one is told under a number of a
// series of its own.
import type { Told, Transmitted } from '../../device/gr/mydata.js'
import * as whole from '../../device/gr/whole.js'
import { sha256 } from '../../lib/hash.js'
import type { XmlElement } from '../../lib/xml-read.js'
import {
  type Instead,
  type LeftDocument,
  outcomeOf,
  type StoredOutcome,
  type StoredRecord,
  taken,
} from './rows.js'

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
  by: Parameters<typeof whole.takingBack>[1],
): Settlement | undefined {
  const back = whole.takingBack(orphan, by)
  if (back === undefined || !whole.isBeside(record, orphan)) return undefined
  const { mark: settles } = orphan
  const known = all.find(
    (one) => whole.marksIn(one.invoice).includes(settles) && whole.isBeside(record, one),
  )
  const { uid, xml, ...id } = known === undefined ? back : whole.writtenAs(known)
  return { record: { ...id, reference: '', failure: 0, settles, uid, xml }, known }
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

/** Done twice it changes nothing more: what is there already is found. */
export async function settled(clash: Clash): Promise<StoredOutcome> {
  const { record, orphan, all, send } = clash
  const same = whole.sameSale(record, orphan)
  if (same !== undefined) return { ...taken(orphan), instead: [insteadOf(same, taken(orphan))] }
  const told = async (one: StoredRecord): Promise<StoredOutcome> => {
    const there = all.get(one.uid)
    return there === undefined ? outcomeOf(await send(one)) : taken(there)
  }
  const aa = String(clash.number)
  // where the other one lies nothing else does
  const by = { series: seriesOf(record, 'R'), aa, date: clash.today, url: orphan.url }
  const back = endOf(record, { orphan, all: [...all.values()] }, by)?.record
  const end = back && (await told(back))
  const moved = whole.renumbered(record, { series: seriesOf(record, 'L'), aa })
  const outcome = await told(moved)
  const first = back && end?.isTaken ? [insteadOf(back, end)] : []
  const instead = [...first, insteadOf(moved, outcome)]
  if (back !== undefined || !whole.isBeside(record, orphan)) return { ...outcome, instead }
  const there = insteadOf(leftRecord(orphan), taken(orphan))
  return { ...outcome, instead: [there, ...instead], left: leftOf(orphan) }
}

const insteadOf = (record: StoredRecord, outcome: StoredOutcome): Instead => ({
  ...{ record, mark: outcome.mark, authenticationCode: outcome.authenticationCode },
})

const LONGEST_SERIES = 48
const seriesOf = ({ series }: StoredRecord, mark: string): string =>
  `${series.slice(0, LONGEST_SERIES)}-${mark}`

// ------------------------------------------------------------- what nothing takes back

// A credit has no reversal. It stands in the books, and the same sale, when its program sends it
// again, is that document and no second one.

type LeftDocuments = readonly LeftDocument[]

/** Older ones are a matter of people. */
const MOST = 50

const contentKey = (invoice: XmlElement): string =>
  sha256(whole.contentOf(invoice, ['aa'])).toString('base64')

export const leftOf = ({ invoice, ...there }: Transmitted): LeftDocument => ({
  ...{ content: contentKey(invoice), aa: whole.idOf(invoice).aa, uid: there.uid, url: there.url },
  ...{ mark: there.mark, authenticationCode: there.authenticationCode, qrUrl: there.qrUrl },
})

/** The document itself, for the books. */
export const leftRecord = (there: Transmitted): StoredRecord => ({
  ...{ ...whole.writtenAs(there), reference: '', failure: 0, isLeft: true },
})

/** The one that this sale is. */
export function leftFor(left: LeftDocuments, record: StoredRecord): LeftDocument | undefined {
  const sent = left.length === 0 ? undefined : whole.treeIn(record)
  const content = sent && contentKey(sent)
  return left.find((one) => one.content === content)
}

interface LeftChange {
  found?: LeftDocuments
  gone?: LeftDocuments
}

/** The newest ones that are left then. */
export const leftAfter = (left: LeftDocuments, { found = [], gone = [] }: LeftChange) =>
  without([...without(left, found), ...found].slice(-MOST), gone)

const without = (all: LeftDocuments, some: LeftDocuments): LeftDocument[] =>
  all.filter(({ mark }) => some.every((one) => one.mark !== mark))
