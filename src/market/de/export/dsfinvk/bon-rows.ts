// The rows of one slip in the files of its transactions.
import type { Decimal } from '../../../../lib/decimal.js'
import { sha256 } from '../../../../lib/hash.js'
import { receiptFlags } from '../../cases.js'
import type { Bon } from './bons.js'
import { readCaseData } from './case-data.js'
import { cellText, type Row } from './cells.js'
import { countryCode } from './countries.js'
import type { Line } from './lines.js'

/** AVSonstige needs a name (DSFinV-K Annex B). */
const OTHER_NAME = 'Sonstiger Vorgang'
/** For what must be filled and was not sent. */
const UNKNOWN = '-'
const USER_DIGITS = 16
/** Longest ARTIKELTEXT. */
const ARTICLE_TEXT = 255
/** Longest TSE_VORGANGSDATEN. */
const DATA_LENGTH = 1000

export const flag = (on: boolean): string => (on ? '1' : '0')
export const isoText = (date: Date | undefined): string => date?.toISOString() ?? ''

export function transactionRow(bon: Bon): Row<'transactions'> {
  const { receipt, type, gross } = bon
  const { request, data } = receipt
  return {
    BON_ID: receipt.identification,
    BON_NR: receipt.number,
    BON_TYP: type,
    BON_NAME: data.text('ReceiptName').trim() || (type === 'AVSonstige' ? OTHER_NAME : ''),
    TERMINAL_ID: request.terminalId ?? '',
    BON_STORNO: flag((receipt.flags & receiptFlags.void) !== 0),
    ...moments(bon),
    BEDIENER_ID: data.text('UserId').trim() || userHash(request.user ?? ''),
    BEDIENER_NAME: request.user ?? '',
    UMS_BRUTTO: gross,
    ...customerCells(request.customer),
    BON_NOTIZ: data.text('ReceiptNote'),
  }
}

/**
 * Without Vorgangsbeginn or log time it is the queue's moment. Log times are whole seconds and
 * clocks of registers differ: what would start behind its end starts with it.
 */
function moments({ receipt: { tse, moment } }: Bon) {
  const end = tse.logTime ?? moment
  const start = tse.actionStart ?? moment
  return { BON_START: isoText(start < end ? start : end), BON_ENDE: isoText(end) }
}

function userHash(name: string): string {
  return name === '' ? UNKNOWN : sha256(name).toString('hex').slice(0, USER_DIGITS)
}

/**
 * cbCustomer is a JSON object; another text is taken as a name. Name, number and kind of a known
 * customer must be filled (Annex G).
 */
function customerCells(customer: string | null) {
  const data = readCaseData(customer)
  const name = data.isEmpty ? (customer ?? '') : data.text('CustomerName')
  const cells = {
    KUNDE_NAME: name.trim(),
    KUNDE_ID: data.text('CustomerId').trim(),
    KUNDE_TYP: data.text('CustomerType').trim(),
    KUNDE_STRASSE: data.text('CustomerStreet'),
    KUNDE_PLZ: data.text('CustomerZip'),
    KUNDE_ORT: data.text('CustomerCity'),
    KUNDE_LAND: countryCode(data.text('CustomerCountry')),
    KUNDE_USTID: data.text('CustomerVATId'),
  }
  if (Object.values(cells).every((cell) => cell.trim() === '')) return cells
  const { KUNDE_NAME, KUNDE_ID, KUNDE_TYP } = cells
  return {
    ...cells,
    KUNDE_NAME: KUNDE_NAME || UNKNOWN,
    KUNDE_ID: KUNDE_ID || UNKNOWN,
    KUNDE_TYP: KUNDE_TYP || UNKNOWN,
  }
}

export function tseRow({ receipt }: Bon, tseId: number): Row<'transactions_tse'> {
  const { identification } = receipt
  const tse = receipt.late ?? receipt.tse
  const signed = tse.signature !== ''
  return {
    BON_ID: identification,
    TSE_ID: tseId,
    TSE_TANR: signed ? tse.transactionNumber : null,
    TSE_TA_START: signed ? isoText(tse.startTime) : '',
    TSE_TA_ENDE: signed ? isoText(tse.logTime) : '',
    TSE_TA_VORGANGSART: signed ? tse.processType : '',
    TSE_TA_SIGZ: signed ? tse.signatureCounter : null,
    TSE_TA_SIG: tse.signature,
    TSE_TA_FEHLER: tse.fault,
    TSE_VORGANGSDATEN: signed ? exactData(tse.processData) : '',
  }
}

// CR parts the lines of an order: it stays, in quotes
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
const CHANGED_IN_CELL = /[\u0000-\u000c\u000e-\u001f\u007f-\u009f\u2028\u2029]|^\s|\s$/

/** What was signed, exactly; left empty (the column is optional) where a cell would change it. */
function exactData(data: string): string {
  return data.length > DATA_LENGTH || CHANGED_IN_CELL.test(data) ? '' : data
}

export function lineRow(bon: Bon, line: Line, cells: LineCells): Row<'lines'> {
  return {
    BON_ID: bon.receipt.identification,
    POS_ZEILE: cells.position,
    GUTSCHEIN_NR: line.voucher,
    ARTIKELTEXT: cellText(line.text, ARTICLE_TEXT) || line.gvType,
    POS_TERMINAL_ID: line.terminal || (bon.receipt.request.terminalId ?? ''),
    GV_TYP: line.gvType,
    GV_NAME: line.gvName,
    INHAUS: flag(!line.takeAway),
    // a cancelled position is a line of its own with a negative quantity (DSFinV-K 4.2.3)
    P_STORNO: flag(false),
    AGENTUR_ID: cells.agency,
    ART_NR: line.article,
    GTIN: line.gtin,
    WARENGR_ID: line.groupId,
    WARENGR: line.group,
    MENGE: line.quantity,
    FAKTOR: line.factor,
    EINHEIT: line.unit,
    STK_BR: line.price,
  }
}

export interface LineCells {
  position: string
  agency: number
}

export function lineVatRow(bonId: string, position: string, line: Line): Row<'lines_vat'> {
  return {
    BON_ID: bonId,
    POS_ZEILE: position,
    UST_SCHLUESSEL: line.key,
    POS_BRUTTO: line.gross,
    POS_NETTO: line.net,
    POS_UST: line.tax,
  }
}

export function subItemRows(bonId: string, position: string, line: Line): Row<'subitems'>[] {
  return line.subItems.map((item) => ({
    BON_ID: bonId,
    POS_ZEILE: position,
    ZI_ART_NR: item.article.trim() || item.gtin.trim() || UNKNOWN,
    ZI_GTIN: item.gtin,
    ZI_NAME: item.name,
    ZI_WARENGR_ID: item.groupId,
    ZI_WARENGR: item.group,
    ZI_MENGE: item.quantity,
    ZI_FAKTOR: item.factor,
    ZI_EINHEIT: item.unit,
    ZI_UST_SCHLUESSEL: item.key,
    ZI_BASISPREIS_BRUTTO: item.gross,
    ZI_BASISPREIS_NETTO: item.net,
    ZI_BASISPREIS_UST: item.tax,
  }))
}

export function paymentRows(bon: Bon): Row<'datapayment'>[] {
  return bon.payments.map((payment) => ({
    BON_ID: bon.receipt.identification,
    ZAHLART_TYP: payment.type,
    ZAHLART_NAME: payment.name,
    ZAHLWAEH_CODE: payment.currency,
    ZAHLWAEH_BETRAG: payment.foreign,
    BASISWAEH_BETRAG: payment.amount,
  }))
}

export function bonVatRows(bon: Bon): Row<'transactions_vat'>[] {
  const cents = (key: number, sums: { gross: Decimal; net: Decimal; tax: Decimal }) => ({
    BON_ID: bon.receipt.identification,
    UST_SCHLUESSEL: key,
    BON_BRUTTO: sums.gross,
    BON_NETTO: sums.net,
    BON_UST: sums.tax,
  })
  return bon.taxes.map((sum) => cents(sum.key, sum))
}
