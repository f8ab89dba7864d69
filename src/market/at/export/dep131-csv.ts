// DEP131 (§ 131 BAO) as a table: a line per charge item and pay item, at least one per queue item.
import { CSV_START, csvCells } from '../../../lib/csv.js'
import type { JsonValue } from '../../../lib/json.js'
import type { StoredItem } from '../../../model/journal.js'
import type { Export } from '../../contract.js'
import { csvTable } from '../../kit/csv-table.js'
import { isWord } from '../../kit/journal-word.js'
import { vienna } from '../local-time.js'
import { moneyText, numberText, withComma } from './amount-text.js'
import { membersOf, plainText, storedReceiptOf, wordText } from './stored-receipt.js'

const COLUMNS = [
  ...['Zeile', 'Belegnummer', 'Datum', 'Kassendatum', 'Kassen-ID', 'Terminal', 'Belegreferenz'],
  ...['Bediener', 'Belegfall', 'Status'],
  ...['Art', 'Position', 'Menge', 'Bezeichnung', 'Betrag', 'USt-Satz', 'USt-Betrag', 'Fallcode'],
  ...['Belegsumme', 'Hash'],
]

export const dep131Csv: Export = {
  matches: isWord('0x4154000000000132'),
  contentType: 'text/csv; charset=utf-8',
  run: (source) =>
    csvTable(source.items(), {
      columns: COLUMNS,
      linesOf: (item) => linesOf(item, source.queue.identification),
      start: CSV_START,
    }),
}

function linesOf(item: StoredItem, cashRegister: string): string {
  const receipt = storedReceiptOf(item)
  const start = csvCells([
    String(item.row),
    receipt.identification ?? '',
    receipt.moment === null ? '' : clockText(receipt.moment),
    clockText(item.receiptMoment),
    cashRegister,
    item.terminalId ?? '',
    item.receiptReference ?? '',
    receipt.user ?? '',
    receipt.receiptCase ?? '',
    receipt.state ?? '',
  ])
  const end = csvCells([
    item.receiptTotal === null ? '' : withComma(moneyText(item.receiptTotal)),
    item.receipt?.receiptHash.toString('base64') ?? '',
  ])
  const lines = [
    ...receipt.chargeItems.map((line) => lineCells('L', line)),
    ...receipt.payItems.map((line) => lineCells('Z', line)),
  ]
  if (lines.length === 0) lines.push(['B', '', '', '', '', '', '', ''])
  return lines.map((cells) => `${start};${csvCells(cells)};${end}\r\n`).join('')
}

function clockText(date: Date): string {
  return vienna.text(date).replace('T', ' ')
}

/** The columns from Art to Fallcode: L is a charge item (Leistung), Z a pay item (Zahlung). */
function lineCells(kind: 'L' | 'Z', line: JsonValue): string[] {
  const members = membersOf(line)
  const text = (name: string, missing: string) => plainText(members.get(name)) ?? missing
  const vatAmount = text('vatamount', '')
  return [
    kind,
    // what the interface puts where a member is missing: position 0, quantity 1, amount and rate 0
    text('position', '0'),
    withComma(numberText(text('quantity', '1'))),
    text('description', ''),
    withComma(moneyText(text('amount', '0'))),
    kind === 'L' ? withComma(numberText(text('vatrate', '0'))) : '',
    kind === 'L' && vatAmount !== '' ? withComma(moneyText(vatAmount)) : '',
    wordText(members.get(kind === 'L' ? 'ftchargeitemcase' : 'ftpayitemcase')) ?? '',
  ]
}
