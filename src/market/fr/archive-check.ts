// After an archive receipt: the hashes of its range are made once more from what is stored, and the
// action journal tells what came of it (event 90 of the French technical journal).
import type { ExportSource } from '../../model/export-source.js'
import type { StoredItem, StoredMarketRow } from '../../model/journal.js'
import type { OutboxWorker } from '../contract.js'
import { type Newest, NONE } from '../kit/chain-audit.js'
import { priority } from '../kit/draft.js'
import { checkReceipts, each, ticksOfRows } from '../kit/receipt-range.js'
import { reported } from '../kit/steps.js'
import { linkOf } from './audit.js'
import { archiveAt } from './export/archive.js'
import { type FrState, frState } from './queue.js'
import { actionText } from './text.js'

/** Kind of the work; its payload has the row of the archive receipt. */
export const ARCHIVE_CHECK = 'archive-check'

/** An archive holds at most so many days (BOI § 220: it is made once a year at least). */
export const ARCHIVE_DAYS = 365

/** So many places are named; the rest is counted. */
const NAMED = 20

export const checkArchive: OutboxWorker = async (work) => {
  const { payload, source, write } = work
  const from = BigInt(payload.row ?? 0)
  const { row, ends } = await archiveAt({ ...source, range: { from, to: 0n } })
  const wrong: string[] = []
  const first = await checkReceipts(source, ends, wrong)
  await checkDocuments(source, { first, last: row }, wrong)
  const isRight = wrong.length === 0
  const action = reported(work, {
    type: 'JET-90',
    message: isRight
      ? actionText('archiveRight')
      : actionText('archiveWrong', String(wrong.length)),
    data: isRight ? undefined : wrong.slice(0, NAMED),
    priority: isRight ? priority.information : priority.report,
  })
  const { message: caption, dataJson } = action
  const told = { moment: source.now.getTime(), caption, data: dataJson ?? '' }
  await write(
    [{ itemId: row.queueItemId, journal: [], actions: [action] }],
    isRight ? undefined : (state: FrState) => withMessage(state, told),
  )
}

/** What the newest of them say is enough: the action journal has all. */
const MOST_MESSAGES = 10

/** The operator is told by the next zero receipt. */
const withMessage = (state: FrState, told: FrState['messages'][number]): FrState => ({
  ...state,
  messages: [...state.messages, told].slice(-MOST_MESSAGES),
})

/** Event 110 of the French technical journal, with the newest receipt of the queue. */
export const noteExport: OutboxWorker = async (work) => {
  const { type, from, to } = work.payload
  const { lastReceipt } = frState.parse(JSON.parse(work.source.state))
  // of each archive the server tells by itself; the law asks what people have taken out
  if (type === '' || lastReceipt === null) return
  const action = reported(work, {
    type: 'JET-110',
    message: actionText('exported', String(type)),
    data: { type, from, to },
    priority: priority.information,
  })
  await work.write([{ itemId: lastReceipt.itemId, journal: [], actions: [action] }])
}

/** Letter by letter: numbers without gaps, each document chained to the one before. */
async function checkDocuments(
  source: ExportSource,
  { first, last }: { first: StoredItem; last: StoredMarketRow },
  wrong: string[],
): Promise<void> {
  const chains = new Map<string, Newest>()
  const { from } = ticksOfRows(first, last)
  for await (const row of each(source.marketRows({ range: { from, to: last.timeStamp } }))) {
    const { kind, number, content } = row
    if (kind.length > 1) continue
    const isFirst = number === 1 || first.receiptNumber === 1
    const last = chains.get(kind) ?? (isFirst ? NONE : undefined)
    const { hash, before } = linkOf(content)
    const isRight = last === undefined || (number === last.number + 1 && before === last.hash)
    if (!isRight) wrong.push(`document ${kind}${number}`)
    chains.set(kind, { number, hash })
  }
}
