// Bodies of Sign in XML as nearly every register sends them, read in one pass. Whatever else there
// is, a fault included, is left to the thorough readers: undefined.
import { XmlCursor } from '../../lib/xml-cursor.js'
import { xmlText } from '../../lib/xml-read.js'
import type { ReceiptRequest } from '../../model/receipt.js'
import { usualXmlRequest } from '../../model/receipt-xml-usual.js'
import { type EnteredSoap, enterSoap, enters, leaves } from '../shared/soap.js'
import { middlewareService } from './contract.js'

/** The receipt of a body over REST. */
export function usualReceipt(body: Buffer): ReceiptRequest | undefined {
  const cursor = new XmlCursor(xmlText(body) ?? '')
  const receipt = enters(cursor) ? usualXmlRequest(cursor) : undefined
  return receipt !== undefined && leaves(cursor, 1) && cursor.ends() ? receipt : undefined
}

/** The same of an envelope. */
export function usualSign(body: Buffer): (EnteredSoap & { receipt: ReceiptRequest }) | undefined {
  const cursor = new XmlCursor(xmlText(body) ?? '')
  const entered = enterSoap(cursor, middlewareService)
  if (entered === undefined || !NAMES.has(entered.element.name)) return undefined
  if (!enters(cursor) || !(cursor.isNamed('data') || cursor.isNamed('request'))) return undefined
  const receipt = usualXmlRequest(cursor)
  const isWhole = receipt !== undefined && leaves(cursor, DEPTH) && cursor.ends()
  return isWhole ? { ...entered, receipt } : undefined
}

const NAMES: ReadonlySet<string> = new Set(['Sign', 'v1_x002F_Sign'])
/** The receipt, the operation, the body and the envelope. */
const DEPTH = 4
