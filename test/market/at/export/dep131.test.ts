import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { parseJson } from '../../../../src/lib/json.js'
import { writeJson } from '../../../../src/lib/json-write.js'
import { dep131Json } from '../../../../src/market/at/export/dep131.js'
import type { StoredItem } from '../../../../src/model/journal.js'
import { CASH_BOX_ID, exportSource, QUEUE_ID, textOf } from '../../../support/export-source.js'
import { storedItem } from '../../../support/stored-item.js'

const MACHINE_CODE =
  '_R1-AT100_OFP-AT-0001_ft1#2_2025-01-05T08:15:30_12,00_23,90_4,50_0,00_3,15_nT70y2s=_' +
  '7a3f19c2_V0iKKybfAew=_4RlR=='
const REQUEST = `{
  "ftCashBoxID": "${CASH_BOX_ID}", "cbTerminalID": "T1", "cbUser": "Änne \\"A\\"",
  "cbChargeItems": [ { "Quantity": 2.50, "Description": "Kaffee \\/ groß", "Amount": 12.00,
    "VATRate": 20.0, "ftChargeItemCase": 4707387510509010947 } ],
  "cbPayItems": [ { "Amount": "12.00", "ftPayItemCase": "4707387510509010945" } ],
  "ftReceiptCase": 4707387510509010945, "cbReceiptMoment": "2025-01-05T07:15:00Z" }`
const RESPONSE =
  `{"ftReceiptIdentification":"ft1#2","ftReceiptMoment":"2025-01-05T07:15:30.25Z",` +
  '"ftSignatures":[{"ftSignatureFormat":1,"ftSignatureType":0,"caption":"A","data":"x"},' +
  '{"ftSignatureFormat":3,"ftSignatureType":4707387510509010945,"caption":"",' +
  `"data":"${MACHINE_CODE}"}],` +
  `"ftState":4707387510509010944}`
const sha256Text = (text: string) => createHash('sha256').update(text).digest('base64')

async function exported(items: StoredItem[], range = { from: 0n, to: 0n }) {
  const text = await textOf(dep131Json.run(exportSource({ items, range, pageSize: 2 })))
  return { text, dep: JSON.parse(text).DEP131 }
}
const entryOf = async (item: StoredItem) => (await exported([item])).dep.Entries[0]

describe('DEP131 as JSON', () => {
  it('names register, queue, range and time of the export', async () => {
    const range = { from: 638716572000000000n, to: 638717436000000000n }
    const { dep } = await exported([], range)
    expect(dep).toEqual({
      Version: '1.0',
      CashBoxId: CASH_BOX_ID,
      QueueId: QUEUE_ID,
      'Kassen-ID': 'OFP-AT-0001',
      From: '2025-01-05T07:00:00.000Z',
      To: '2025-01-06T07:00:00.000Z',
      Created: '2025-07-02T06:30:15.250Z',
      Entries: [],
    })
    expect(dep131Json.contentType).toBe('application/json; charset=utf-8')
  })

  it('reaches from the year 1 to the export itself when nothing else is asked', async () => {
    for (const to of [0n, -100n]) {
      const { dep } = await exported([], { from: 0n, to })
      expect([dep.From, dep.To]).toEqual(['0001-01-01T00:00:00.000Z', dep.Created])
    }
    const { dep } = await exported([], { from: 0n, to: 9223372036854775807n })
    expect(dep.To).toBe('9999-12-31T23:59:59.999Z')
  })

  it('shows every member of a signed receipt', async () => {
    const item = storedItem({
      row: 2,
      request: REQUEST,
      response: RESPONSE,
      receiptNumber: 2,
      receiptTotal: '12.000000000000',
    })
    expect(await entryOf(item)).toEqual({
      ftQueueRow: 2,
      ftQueueItemId: '00000000-0000-7000-8000-000000000002',
      ftReceiptNumber: 2,
      ftReceiptIdentification: 'ft1#2',
      ftReceiptMoment: '2025-01-05T07:15:30.250Z',
      cbReceiptMoment: '2025-01-05T07:15:00.000Z',
      cbTerminalID: 'T1',
      cbReceiptReference: 'R-1',
      cbUser: 'Änne "A"',
      ftReceiptCase: '0x4154000000000001',
      ftState: '0x4154000000000000',
      ftReceiptTotal: '12.00',
      ChargeItems: [
        {
          Quantity: 2.5,
          Description: 'Kaffee / groß',
          Amount: 12,
          VATRate: 20,
          // JSON.parse bends it here; the next test looks at the text
          ftChargeItemCase: Number('4707387510509010947'),
        },
      ],
      PayItems: [{ Amount: '12.00', ftPayItemCase: '4707387510509010945' }],
      MachineCode: MACHINE_CODE,
      Request: REQUEST,
      RequestHash: sha256Text(REQUEST),
      Response: RESPONSE,
      ResponseHash: sha256Text(RESPONSE),
      ftReceiptHash: sha256Text('receipt 2'),
    })
  })

  it('keeps every number of the items exactly as it was sent', async () => {
    const item = storedItem({ row: 1, request: REQUEST, response: RESPONSE })
    const { text } = await exported([item])
    expect(text).toContain(
      '"ChargeItems":[{"Quantity":2.50,"Description":"Kaffee / groß","Amount":12.00,' +
        '"VATRate":20.0,"ftChargeItemCase":4707387510509010947}]',
    )
  })

  it('reads member names in any case, the last spelling wins', async () => {
    const request = '{"FTRECEIPTCASE":"0x4154000000000002","CBUSER":7,"cbUser":"eight"}'
    const response = '{"FtState":"4707387510509010946","ftSignatures":[{"Data":"_R1-AT1_x"}]}'
    const entry = await entryOf(storedItem({ row: 1, request, response }))
    expect(entry).toMatchObject({
      ftReceiptCase: '0x4154000000000002',
      cbUser: 'eight',
      ftState: '0x4154000000000002',
      MachineCode: '_R1-AT1_x',
    })
  })

  it('shows a user that was sent as number or object as text', async () => {
    const user = async (sent: string) =>
      (await entryOf(storedItem({ row: 1, request: `{"cbUser":${sent}}` }))).cbUser
    expect(await user('12')).toBe('12')
    expect(await user('{"UserId":"u1","Pin":4707387510509010945}')).toBe(
      '{"UserId":"u1","Pin":4707387510509010945}',
    )
    expect(await user('null')).toBeNull()
  })

  it('reads receipt moments in the WCF form of older clients', async () => {
    const response = String.raw`{"ftReceiptMoment":"\/Date(1593452740505)\/"}`
    const entry = await entryOf(storedItem({ row: 1, response }))
    expect(entry.ftReceiptMoment).toBe('2020-06-29T17:45:40.505Z')
  })

  it('holds unfinished items with null response, and errors without number and hash', async () => {
    const unfinished = await entryOf(storedItem({ row: 1, response: null, receiptNumber: null }))
    expect(unfinished).toMatchObject({
      Response: null,
      ResponseHash: null,
      ftReceiptIdentification: null,
      ftReceiptMoment: null,
      ftState: null,
      MachineCode: null,
      ftReceiptNumber: null,
    })
    const response = '{"ftState":4707422698889735918,"ftSignatures":[{"data":"refused"}]}'
    const none = { receiptNumber: null, receipt: null, receiptTotal: null }
    expect(await entryOf(storedItem({ row: 1, response, ...none }))).toMatchObject({
      ftState: '0x41542000EEEEEEEE',
      ftReceiptNumber: null,
      ftReceiptHash: null,
      ftReceiptTotal: null,
      MachineCode: null,
      ChargeItems: [],
      PayItems: [],
    })
  })

  it('carries texts that are no JSON and lists that are none as they are', async () => {
    const request = '{"cbChargeItems":null,"cbPayItems":"none","ftReceiptCase":1.5}'
    expect(await entryOf(storedItem({ row: 1, request }))).toMatchObject({
      ChargeItems: [],
      PayItems: [],
      ftReceiptCase: null,
    })
    const broken = await entryOf(storedItem({ row: 1, request: 'not JSON "\u2028' }))
    expect(broken).toMatchObject({ Request: 'not JSON "\u2028', ftReceiptCase: null })
  })

  it('writes totals with at least two decimals and exactly', async () => {
    const total = async (receiptTotal: string) =>
      (await entryOf(storedItem({ row: 1, receiptTotal }))).ftReceiptTotal
    expect(await total('0')).toBe('0.00')
    expect(await total('-1234.5')).toBe('-1234.50')
    expect(await total('0.125000000000')).toBe('0.125')
    expect(await total('99999999999999999.99')).toBe('99999999999999999.99')
  })

  it('lists all items in the order of their rows, over pages and pieces', async () => {
    const items = Array.from({ length: 501 }, (_, at) =>
      storedItem({ row: at + 1, request: REQUEST, response: RESPONSE }),
    )
    const { dep, text } = await exported(items)
    const rows = dep.Entries.map((entry: { ftQueueRow: number }) => entry.ftQueueRow)
    expect(rows).toEqual(Array.from({ length: 501 }, (_, at) => at + 1))
    expect(writeJson(parseJson(text))).toBe(text)
  })

  it('gives pieces away while it reads', async () => {
    const items = Array.from({ length: 600 }, (_, at) =>
      storedItem({ row: at + 1, request: REQUEST, response: RESPONSE }),
    )
    const source = exportSource({ items, pageSize: 10 })
    const first = await dep131Json.run(source)[Symbol.asyncIterator]().next()
    expect(String(first.value).length).toBeLessThan(70_000)
    expect(source.pagesRead).toBeLessThan(10)
  })
})
