// Receipts of a Queue as tables, which are the same in every country: queue items with request and
// answer, and the receipt journal, whose hashes are chained.
import { createHash } from 'node:crypto'
import type { Table, TableRow } from './csv-table.js'
import { receiptHash } from './receipt-chain.js'
import type { Report } from './reporter.js'
import { RowsByNumber } from './rows-by-number.js'
import { quote } from './text.js'
import { itemsIn, objectIn, textIn } from './texts-in-json.js'

export type ReceiptCode = 'ITEM_HASH' | 'RECEIPT_NUMBER' | 'RECEIPT_ROW' | 'RECEIPT_HASH'

/** One receipt: what was asked, what was answered, and what its row in the journal is called. */
export interface TableReceipt {
  itemId: string
  request: string
  /** ftReceiptIdentification; '' where the answer cannot be read. */
  identification: string
  /** ftReceiptMoment as it was answered. */
  moment: string
  /** Data of all signatures. */
  shown: string[]
  /** From 1; 0: the answer says none. */
  number: number
  /** ftReceiptJournalId; '' where there is no row. */
  journalId: string
}

/** `ft1A#T3` is receipt 27: the number before it is in the identification. 0: it is none. */
export function receiptNumber(identification: string): number {
  const hex = /^ft([0-9A-F]{1,12})#/.exec(identification)?.[1]
  return hex === undefined ? 0 : Number.parseInt(hex, 16) + 1
}

export interface Tables {
  items: Table
  receipts: Table
  /** What the country writes for receipts, in their order: one row at most for each. */
  documents: Table
  /** The receipt of such a row. */
  numberOf(document: TableRow): number
}

/** A receipt and its document; a document alone has no receipt. */
export type Pair = { receipt?: TableReceipt; document?: TableRow | undefined }

/** One by one; closes the tables. `isBeginning`: nothing stands before the first. */
export async function* receiptsOf(
  { items, receipts, documents, numberOf }: Tables,
  isBeginning: boolean,
  report: Report<ReceiptCode>,
): AsyncGenerator<Pair, void, undefined> {
  const rows = new RowsByNumber(receipts.rows, (row) => Number(row.ftReceiptNumber))
  const others = new RowsByNumber(documents.rows, numberOf)
  const chain = new Chain(isBeginning, report)
  try {
    for await (const item of items.rows) {
      const receipt = receiptIn(item)
      const { number } = receipt
      for (const document of await others.before(number)) yield { document }
      for (const row of await rows.before(number)) chain.stray(row)
      chain.item(item, receipt)
      receipt.journalId = chain.row(item, receipt, await rows.at(number))
      yield { receipt, document: await others.at(number) }
    }
    for (const row of await rows.before(Number.POSITIVE_INFINITY)) chain.stray(row)
    for (const document of await others.before(Number.POSITIVE_INFINITY)) yield { document }
  } finally {
    for (const table of [items, receipts, documents]) await table.rows.return()
  }
}

function receiptIn(item: TableRow): TableReceipt {
  const answer = objectIn(item.response ?? '') ?? {}
  const identification = textIn(answer, 'ftReceiptIdentification')
  return {
    itemId: item.ftQueueItemId ?? '',
    request: item.request ?? '',
    identification,
    moment: textIn(answer, 'ftReceiptMoment'),
    shown: itemsIn(answer, 'ftSignatures').map((one) => textIn(one, 'Data')),
    number: receiptNumber(identification),
    journalId: '',
  }
}

class Chain {
  private readonly report: Report<ReceiptCode>
  /** Undefined: what stands before the next receipt is not known. */
  private number: number | undefined
  private hash: Buffer | undefined

  constructor(isBeginning: boolean, report: Report<ReceiptCode>) {
    this.report = report
    if (!isBeginning) return
    this.number = 0
    this.hash = Buffer.alloc(0)
  }

  item(item: TableRow, { number, identification, itemId }: TableReceipt): void {
    const place = identification === '' ? itemId : identification
    for (const name of ['request', 'response'] as const) {
      const own = createHash('sha256').update(item[name] ?? '')
      if (own.digest('base64') === item[`${name}Hash`]) continue
      this.report('ITEM_HASH', place, `${name} is not the one of its hash`)
    }
    if (this.number !== undefined && number !== this.number + 1) {
      this.report('RECEIPT_NUMBER', place, `receipt ${number} follows ${this.number}`)
    }
    this.number = number
  }

  stray(row: TableRow): void {
    this.report('RECEIPT_ROW', '', `receipt ${quote(row.ftReceiptNumber ?? '')} has no item`)
  }

  row(item: TableRow, receipt: TableReceipt, row: TableRow | undefined): string {
    const { identification, moment, number, itemId } = receipt
    if (row === undefined || row.ftQueueItemId !== itemId) {
      this.report('RECEIPT_ROW', identification, 'the receipt has no row in receiptJournals')
      this.hash = undefined
      return ''
    }
    const { ftReceiptJournalId: id = '', ftReceiptHash: own = '' } = row
    const { requestHash = '', responseHash = '' } = item
    const hash =
      this.hash && receiptHash(this.hash, { id, number, moment, requestHash, responseHash })
    if (hash !== undefined && hash !== own) {
      const text = 'ftReceiptHash is not chained to the receipt before'
      this.report('RECEIPT_HASH', identification, text)
    }
    this.hash = Buffer.from(own, 'base64')
    return id
  }
}
