// SAF-T (PT) as a stream: master data and documents one by one.
import type { ReadPart } from '../contract.js'
import { textsOf } from '../windows-1252.js'
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

/** Throws BrokenXml. */
export const elementsOf = (read: ReadPart): AsyncGenerator<Found, void, undefined> =>
  elementsIn(textsOf(read), SHAPE)
