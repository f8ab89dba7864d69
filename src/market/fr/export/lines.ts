// What the law wants to be kept of each receipt, line by line (BOI-TVA-DECLA-30-10-30 § 50), as a
// table: for the restitution of data until the administration has published a format.
import { readStored } from '../../../case/stored-receipt.js'
import { csvLines, EXACT } from '../../../lib/csv.js'
import type { Decimal } from '../../../lib/decimal.js'
import { JsonNumber, type JsonObject, objectIn } from '../../../lib/json.js'
import type { StoredItem } from '../../../model/journal.js'
import type { ChargeItem, PayItem } from '../../../model/receipt.js'
import type { LegalFile } from '../../contract.js'
import { caseRules, receiptFlags } from '../cases.js'
import { NOTHING_READ, readReceipt } from '../reading.js'

const COLUMNS = [
  ...['Caisse', 'Document', 'Horodatage', 'Reference', 'ReferencePrecedente', 'Operateur'],
  ...['Cas', 'Mode', 'TotalTTC', 'Ligne', 'Libelle', 'Quantite', 'Unite', 'PrixUnitaire'],
  ...['TauxTVA', 'MontantHT', 'MontantTVA', 'MontantTTC'],
]

export const lines: LegalFile = {
  name: 'restitution.csv',
  sharesItems: true,
  async *run(source) {
    yield csvLines([COLUMNS], EXACT)
    for await (const page of source.items()) {
      const receipts = page.filter(({ receiptNumber }) => receiptNumber !== null)
      const rows = receipts.flatMap((item) => rowsOf(item, source.queue.identification))
      yield csvLines(rows, EXACT)
    }
  },
}

const text = (value: Decimal | null): string => value?.toString() ?? ''

function memberOf(data: JsonObject | undefined, name: string): string {
  const value = data?.get(name)
  if (value instanceof JsonNumber) return value.text
  return typeof value === 'string' ? value : ''
}

/** A row for each item, one at least for each receipt. */
function rowsOf(item: StoredItem, register: string): string[][] {
  const read = readStored(item.request, { version: item.version, cases: caseRules })
  const { request } = read
  const answer = objectIn(item.response ?? '')
  const reading = readReceipt(read)
  const { training, failed } = reading.kind === 'reading' ? reading : NOTHING_READ
  const isVoid = (read.words.receipt.flags & receiptFlags.void) !== 0
  const modes = [training && 'école', failed && 'dégradé', isVoid && 'annulation']
  const head = [
    register,
    memberOf(answer, 'ftReceiptIdentification'),
    memberOf(answer, 'ftReceiptMoment'),
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
  const net = memberOf(objectIn(item.chargeItemCaseData ?? ''), 'NetAmount')
  return [
    ...['article', item.description, text(item.quantity), item.unit ?? '', text(item.unitPrice)],
    ...[text(item.vatRate), net, text(item.vatAmount), text(item.amount)],
  ]
}

function payCells({ description, quantity, amount }: PayItem): string[] {
  return ['paiement', description, text(quantity), '', '', '', '', '', text(amount)]
}
