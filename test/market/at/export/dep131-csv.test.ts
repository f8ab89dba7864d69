import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { dep131Csv } from '../../../../src/market/at/export/dep131-csv.js'
import type { StoredItem } from '../../../../src/model/journal.js'
import { exportSource, textOf } from '../../../support/export-source.js'
import { storedItem } from '../../../support/stored-item.js'

const HEADER =
  'Zeile;Belegnummer;Datum;Kassendatum;Kassen-ID;Terminal;Belegreferenz;Bediener;Belegfall;' +
  'Status;Art;Position;Menge;Bezeichnung;Betrag;USt-Satz;USt-Betrag;Fallcode;Belegsumme;Hash'
const REQUEST = `{"cbUser":"Anna","ftReceiptCase":4707387510509010945,
  "cbChargeItems":[
    {"Position":1,"Quantity":2.50,"Description":"Kaffee","Amount":12.0,"VATRate":20.0,"VATAmount":2,
     "ftChargeItemCase":4707387510509010947},
    {"position":2,"quantity":"1","description":"Rabatt; \\"Stamm\\"\\ngast","amount":"-1234.56",
     "vatRate":4.9,"ftChargeItemCase":"4707387510509010948"},
    {}],
  "cbPayItems":[{"Amount":1E1,"Description":"Bar","ftPayItemCase":4707387510509010945}]}`
const RESPONSE =
  '{"ftReceiptIdentification":"ft1#2","ftReceiptMoment":"2025-07-01T10:00:00.999Z",' +
  '"ftState":4707387510509010946}'
const hash = (row: number) => createHash('sha256').update(`receipt ${row}`).digest('base64')

async function linesOf(items: StoredItem[]): Promise<string[]> {
  const text = await textOf(dep131Csv.run(exportSource({ items, pageSize: 2 })))
  expect(text.startsWith('\uFEFF')).toBe(true)
  expect(text.endsWith('\r\n')).toBe(true)
  return text.slice(1, -2).split('\r\n')
}

describe('DEP131 as CSV', () => {
  it('is the header alone for an empty journal', async () => {
    const text = await textOf(dep131Csv.run(exportSource({})))
    expect(text).toBe(`\uFEFF${HEADER}\r\n`)
    expect(dep131Csv.contentType).toBe('text/csv; charset=utf-8')
  })

  it('has one line per charge item and pay item, with comma and Vienna time', async () => {
    const item = storedItem({
      row: 7,
      request: REQUEST,
      response: RESPONSE,
      receiptTotal: '-1222.560000000000',
      receiptMoment: new Date('2025-01-05T07:15:00Z'),
    })
    const start =
      '7;ft1#2;2025-07-01 12:00:00;2025-01-05 08:15:00;OFP-AT-0001;T1;R-1;Anna;' +
      '0x4154000000000001;0x4154000000000002'
    const end = `-1222,56;${hash(7)}`
    expect(await linesOf([item])).toEqual([
      HEADER,
      `${start};L;1;2,50;Kaffee;12,00;20,0;2,00;0x4154000000000003;${end}`,
      `${start};L;2;1;"Rabatt; ""Stamm""\ngast";-1234,56;4,9;;0x4154000000000004;${end}`,
      `${start};L;0;1;;0,00;0;;;${end}`,
      `${start};Z;0;1;Bar;10,00;;;0x4154000000000001;${end}`,
    ])
  })

  it('has one line of kind B for an item without charge and pay items', async () => {
    const zero = storedItem({
      row: 1,
      request: '{"ftReceiptCase":4707387510509010946}',
      response: RESPONSE,
    })
    const [, line] = await linesOf([zero])
    expect(line).toBe(
      '1;ft1#2;2025-07-01 12:00:00;2025-01-05 08:15:00;OFP-AT-0001;T1;R-1;;' +
        `0x4154000000000002;0x4154000000000002;B;;;;;;;;0,00;${hash(1)}`,
    )
  })

  it('has a line for items that failed or never finished', async () => {
    const none = { receiptNumber: null, receipt: null, receiptTotal: null, terminalId: null }
    const [, line] = await linesOf([storedItem({ row: 3, response: null, ...none })])
    expect(line).toBe('3;;;2025-01-05 08:15:00;OFP-AT-0001;;R-1;;;;B;;;;;;;;;')
  })

  it('never lets a text of the receipt become a formula', async () => {
    const texts = ['=1+1', '+SUM(A1)', '-cmd|x', '@A1', '\t=1', '\r=1', '\n=1', '=HYPERLINK("x")']
    for (const text of texts) {
      const request = JSON.stringify({ cbUser: text, cbChargeItems: [{ Description: text }] })
      const item = storedItem({ row: 1, request, terminalId: text, receiptReference: text })
      const csv = await textOf(dep131Csv.run(exportSource({ items: [item] })))
      const cell = `"'${text.replaceAll('"', '""')}"`
      expect(csv.split(cell)).toHaveLength(5)
    }
  })

  it('leaves numbers alone, also negative ones in text columns', async () => {
    for (const text of ['-12,50', '-12.50', '+3', '-7', '12']) {
      const request = JSON.stringify({ cbChargeItems: [{ Description: text }] })
      const [, line] = await linesOf([storedItem({ row: 1, request })])
      expect(line?.split(';')[13]).toBe(text)
    }
  })

  it('lists all items in the order of their rows, over pages and pieces', async () => {
    const items = Array.from({ length: 515 }, (_, at) => storedItem({ row: at + 1 }))
    const rows = (await linesOf(items)).slice(1).map((line) => line.split(';')[0])
    expect(rows).toEqual(Array.from({ length: 515 }, (_, at) => String(at + 1)))
  })

  it('gives pieces away while it reads', async () => {
    const items = Array.from({ length: 2000 }, (_, at) => storedItem({ row: at + 1 }))
    const source = exportSource({ items, pageSize: 10 })
    const pieces = dep131Csv.run(source)[Symbol.asyncIterator]()
    await pieces.next()
    expect(source.pagesRead).toBe(0)
    await pieces.next()
    expect(source.pagesRead).toBeLessThan(30)
  })
})
