// SAF-T (PT) as a stream: master data and documents one by one.
import type { ReadPart } from '../contract.js'
import { elementsIn, type Found, type Shape } from '../xml-elements.js'

const SHAPE: Shape = {
  root: 'AuditFile',
  namespace: 'urn:OECD:StandardAuditFile-Tax:PT_1.04_01',
  whole: new Set([
    ...['Header', 'Customer', 'Product', 'TaxTableEntry', 'Invoice', 'WorkDocument', 'Payment'],
    ...['NumberOfEntries', 'TotalDebit', 'TotalCredit'],
  ]),
  tables: new Set(['SalesInvoices', 'WorkingDocuments', 'Payments', 'MovementOfGoods']),
}

/** Bytes 80 to 9F of Windows-1252, which Node reads as those of Latin 1. */
const UPPER = '€\ufffd‚ƒ„…†‡ˆ‰Š‹Œ\ufffdŽ\ufffd\ufffd‘’“”•–—˜™š›œ\ufffdžŸ'
const FIRST_UPPER = 0x80

export function decoded(piece: Uint8Array): string {
  return Buffer.from(piece)
    .toString('latin1')
    .replace(/[\u0080-\u009f]/g, (one) => UPPER.charAt(one.charCodeAt(0) - FIRST_UPPER))
}

async function* textsOf(read: ReadPart): AsyncGenerator<string> {
  for await (const piece of read()) yield decoded(piece)
}

/** Throws BrokenXml. */
export const elementsOf = (read: ReadPart): AsyncGenerator<Found, void, undefined> =>
  elementsIn(textsOf(read), SHAPE)
