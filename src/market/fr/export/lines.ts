// What the law wants to be kept of each receipt, line by line (BOI-TVA-DECLA-30-10-30 § 50), as a
// table: for the restitution of data until the administration has published a format.
import { readStored } from '../../../case/stored-receipt.js'
import { csvLines, EXACT } from '../../../lib/csv.js'
import type { Decimal } from '../../../lib/decimal.js'
import { JsonObject, objectIn } from '../../../lib/json.js'
import type { StoredItem } from '../../../model/journal.js'
import { textIn } from '../../../model/json-members.js'
import type { ChargeItem, PayItem } from '../../../model/receipt.js'
import type { LegalFile } from '../../contract.js'
import { csvTable } from '../../kit/csv-table.js'
import { caseRules, receiptFlags } from '../cases.js'
import { NOTHING_READ, readReceipt } from '../reading.js'
import tables from './columns.json' with { type: 'json' }

export const lines: LegalFile = {
  name: 'restitution.csv',
  sharesItems: true,
  run: (source) =>
    csvTable(source.items(), {
      columns: tables.restitution,
      linesOf: (item) => csvLines(rowsOf(item, source.queue.identification), EXACT),
      form: EXACT,
    }),
}

const text = (value: Decimal | null): string => value?.toString() ?? ''

const objectOf = (json: string | null): JsonObject => objectIn(json ?? '') ?? new JsonObject()

/** A row for each item, one at least for each receipt. */
function rowsOf(item: StoredItem, register: string): string[][] {
  if (item.receiptNumber === null) return []
  const read = readStored(item.request, { version: item.version, cases: caseRules })
  const { request } = read
  const answer = objectOf(item.response)
  const reading = readReceipt(read)
  const { training, failed } = reading.kind === 'reading' ? reading : NOTHING_READ
  const isVoid = (read.words.receipt.flags & receiptFlags.void) !== 0
  const modes = [training && 'école', failed && 'dégradé', isVoid && 'annulation']
  const head = [
    register,
    textIn(answer, 'ftReceiptIdentification'),
    textIn(answer, 'ftReceiptMoment'),
    request.receiptReference ?? '',
    request.previousReceiptReference ?? '',
    request.user ?? '',
    BigInt.asIntN(64, request.receiptCase).toString(),
    modes.filter((mode) => mode !== false).join(' '),
    item.receiptTotal ?? '',
  ]
  const cells = [...request.chargeItems.map(chargeCells), ...request.payItems.map(payCells)]
  return (cells.length === 0 ? [EMPTY] : cells).map((own) => [...head, ...own])
}

const EMPTY: string[] = Array(9).fill('')

function chargeCells(item: ChargeItem): string[] {
  const net = textIn(objectOf(item.chargeItemCaseData), 'NetAmount')
  return [
    ...['article', item.description, text(item.quantity), item.unit ?? '', text(item.unitPrice)],
    ...[text(item.vatRate), net, text(item.vatAmount), text(item.amount)],
  ]
}

function payCells({ description, quantity, amount }: PayItem): string[] {
  return ['paiement', description, text(quantity), '', '', '', '', '', text(amount)]
}
