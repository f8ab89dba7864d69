// Transactions of the TSE whose end no receipt of the queue tells: those that a closing or another
// queue ended, and receipts that were finished later.
import { Decimal } from '../../../../lib/decimal.js'
import type { ExportSource, UnitRow } from '../../../../model/export-source.js'
import { blankRequest } from '../../../../model/receipt.js'
import type { BonType } from '../../cases.js'
import { ENDED_KIND, type Ended, readEnded } from '../../queue.js'
import type { TseData } from './answer.js'
import { readCaseData } from './case-data.js'
import type { StoredClosing } from './closings.js'
import type { Receipt } from './receipt.js'

/** What a receipt is where processData do not name its kind. */
const CANCELLED: BonType = 'AVBelegabbruch'
const SERIAL_DIGITS = 8

/** The slips of a closing that are no receipts, in the order of their ends. */
export async function endedReceipts(
  source: ExportSource,
  closing: StoredClosing,
): Promise<Receipt[]> {
  const found: UnitRow[] = []
  const after = await ticksOf(source, closing.previousRow)
  const last = await ticksOf(source, closing.row)
  for (const { scuId } of closing.units) {
    const asked = { kind: ENDED_KIND, after, upTo: closing.timeStamp } as const
    for await (const page of source.unitRows(scuId, asked)) {
      found.push(...page.filter((row) => belongs(row, { source, closing, last })))
    }
  }
  found.sort((a, b) => (a.timeStamp < b.timeStamp ? -1 : 1))
  // numbers rise within a closing: they begin with that of the closing, which is no slip
  return found.map((row, at) => slipOf(row, { source, number: closing.receiptNumber + at }))
}

/** Ticks of an item of the queue. */
async function ticksOf(source: ExportSource, row: number): Promise<bigint> {
  if (row === 0) return -1n
  for await (const page of source.itemsBetween({ from: row, to: row })) {
    const [item] = page
    if (item !== undefined) return item.timeStamp
  }
  return -1n
}

interface Place {
  source: ExportSource
  closing: StoredClosing
  /** Ticks of the closing receipt. */
  last: bigint
}

/** Own ones by the row of the receipt that ended them, those of other queues by their time. */
function belongs(row: UnitRow, { source, closing, last }: Place): boolean {
  const ended = readEnded(row.content)
  if (ended.client !== source.queue.identification) return false
  if (row.queueId !== source.queue.id) return row.timeStamp <= last
  return ended.row > closing.previousRow && ended.row <= closing.row
}

function slipOf(
  row: UnitRow,
  { source, number }: { source: ExportSource; number: number },
): Receipt {
  const ended = readEnded(row.content)
  const isOwn = row.queueId === source.queue.id
  return {
    row: ended.row,
    timeStamp: row.timeStamp,
    number,
    identification: isOwn ? ownId(ended) : foreignId(ended),
    moment: new Date(ended.end),
    request: blankRequest({
      receiptReference: ended.reference || null,
      receiptMoment: new Date(ended.end),
    }),
    flags: 0,
    bonType: CANCELLED,
    isOrder: false,
    charges: [],
    pays: [],
    data: readCaseData(null),
    tse: tseOf(ended),
  }
}

/** The receipt that ended it, and the transaction. */
function ownId({ receipt, transaction }: Ended): string {
  return `ft${receipt.toString(16).toUpperCase()}#T${transaction}`
}

/** No receipt of this queue ended it. */
function foreignId({ transaction, serialHex }: Ended): string {
  return `T${transaction}#${serialHex.slice(0, SERIAL_DIGITS)}`
}

function tseOf(ended: Ended): TseData {
  return {
    actionStart: new Date(ended.start),
    startTime: new Date(ended.start),
    logTime: new Date(ended.end),
    processType: ended.processType,
    processData: ended.processData,
    transactionNumber: new Decimal(BigInt(ended.transaction), 0),
    signatureCounter: new Decimal(BigInt(ended.counter), 0),
    signature: ended.signature,
    algorithm: ended.algorithm,
    timeFormat: ended.logTimeFormat,
    serial: ended.serialHex,
    fault: '',
  }
}

/** Receipts without signature get that of their later end; why there was none stays. */
export class LateEnds {
  private readonly source: ExportSource
  private readonly rows: { from: number; to: number }
  private found: Promise<Map<number, Ended>> | undefined

  /** Of the receipts of this page, which are looked for when the first of them has no signature. */
  constructor(source: ExportSource, page: readonly { row: number }[]) {
    this.source = source
    this.rows = { from: page[0]?.row ?? 0, to: page.at(-1)?.row ?? 0 }
  }

  async addTo(receipts: readonly Receipt[]): Promise<void> {
    const unsigned = receipts.filter(({ tse }) => tse.signature === '')
    if (unsigned.length === 0) return
    this.found ??= this.read()
    const found = await this.found
    for (const receipt of unsigned) {
      const ended = found.get(receipt.row)
      if (ended !== undefined) receipt.late = { ...tseOf(ended), fault: receipt.tse.fault }
    }
  }

  private async read(): Promise<Map<number, Ended>> {
    const rows = await this.source.lateRows(this.rows)
    return new Map(rows.map(({ number, content }) => [number, readEnded(content)]))
  }
}
