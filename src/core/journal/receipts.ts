// The receipts view of the queue items, the "full export" of a register: a line for each charge
// item and pay item (CSV), or requests and responses as elements (XML).

import type { CaseRules } from '../../case/rules.js'
import { requestOfItem } from '../../case/stored-receipt.js'
import { hexWord } from '../../case/word.js'
import { CSV_START, csvCells, csvLines } from '../../lib/csv.js'
import { JsonError } from '../../lib/json.js'
import { isoText } from '../../lib/ticks.js'
import { element } from '../../lib/xml-write.js'
import type { StoredItem } from '../../model/journal.js'
import type { ChargeItem, PayItem, ReceiptRequest, ReceiptResponse } from '../../model/receipt.js'
import { requestTree, responseTree } from '../../model/receipt-xml.js'
import { responseIn, responseValue, StoredTextError } from '../../model/stored-texts.js'
import { amountOf } from './cell.js'
import { type XmlHead, xmlHead } from './xml.js'

const PIECE = 64 * 1024

const COLUMNS = [
  ...['ftQueueRow', 'ftReceiptIdentification', 'ftReceiptMoment', 'cbReceiptMoment'],
  ...['cbTerminalID', 'cbReceiptReference', 'cbUser', 'ftReceiptCase', 'ftState'],
  ...['kind', 'position', 'quantity', 'description', 'amount', 'vatRate', 'vatAmount', 'case'],
  'receiptTotal',
]

type Pages = AsyncIterable<StoredItem[]>

/** What is exported, and how the cases of its country are read. */
export interface Receipts {
  pages: Pages
  cases: CaseRules
}

/** In the order of the queue rows; items that were refused or never finished are in it as well. */
export async function* receiptsCsv({
  pages,
  cases,
}: Receipts): AsyncGenerator<string, void, undefined> {
  let text = CSV_START + csvLines([COLUMNS])
  for await (const page of pages) {
    for (const item of page) {
      text += linesOf(item, cases)
      if (text.length < PIECE) continue
      yield text
      text = ''
    }
  }
  if (text !== '') yield text
}

/** `<Receipt>` with `<ReceiptRequest>` and, once there is an answer, `<ReceiptResponse>`. */
export async function* receiptsXml(
  { pages, cases }: Receipts,
  head: XmlHead,
): AsyncGenerator<string, void, undefined> {
  let text = xmlHead(head)
  for await (const page of pages) {
    for (const item of page) {
      const { request, response } = textsOf(item, cases)
      text += element('Receipt', {
        ...(request === undefined ? {} : { ReceiptRequest: requestTree(request) }),
        ...(response === undefined ? {} : { ReceiptResponse: responseTree(response) }),
      })
      if (text.length < PIECE) continue
      yield text
      text = ''
    }
  }
  yield `${text}</Journal>`
}

function textsOf(item: StoredItem, cases: CaseRules) {
  return {
    request: readable(() => requestOfItem(item, cases)),
    response: readable(() =>
      item.response === null ? undefined : responseIn(responseValue(item)),
    ),
  }
}

/** A text that cannot be read must not take the whole file with it: its row shows what is known. */
function readable<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch (error) {
    if (error instanceof JsonError || error instanceof StoredTextError) return undefined
    throw error
  }
}

function linesOf(item: StoredItem, cases: CaseRules): string {
  const { request, response } = textsOf(item, cases)
  const start = csvCells(startOf(item, request, response))
  const total = csvCells([item.receiptTotal === null ? '' : amountOf(item.receiptTotal).text])
  const lines = [
    ...(request?.chargeItems ?? []).map(chargeCells),
    ...(request?.payItems ?? []).map(payCells),
  ]
  if (lines.length === 0) lines.push(['none', '', '', '', '', '', '', ''])
  return lines.map((cells) => `${start};${csvCells(cells)};${total}\r\n`).join('')
}

function startOf(
  item: StoredItem,
  request: ReceiptRequest | undefined,
  response: ReceiptResponse | undefined,
): string[] {
  return [
    String(item.row),
    response?.receiptIdentification ?? '',
    response === undefined ? '' : isoText(response.receiptMoment),
    isoText(item.receiptMoment),
    item.terminalId ?? '',
    item.receiptReference ?? '',
    request?.user ?? '',
    request === undefined ? '' : hexWord(request.receiptCase),
    response === undefined ? '' : hexWord(response.state),
  ]
}

function chargeCells(item: ChargeItem): string[] {
  return [
    'charge',
    String(item.position),
    item.quantity.toString(),
    item.description,
    item.amount.toString(),
    item.vatRate.toString(),
    item.vatAmount?.toString() ?? '',
    hexWord(item.chargeItemCase),
  ]
}

function payCells(item: PayItem): string[] {
  return [
    'pay',
    String(item.position),
    item.quantity.toString(),
    item.description,
    item.amount.toString(),
    '',
    '',
    hexWord(item.payItemCase),
  ]
}
