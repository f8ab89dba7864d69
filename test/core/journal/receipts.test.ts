import { XMLParser } from 'fast-xml-parser'
import papaparse from 'papaparse'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Store } from '../../../src/store/client.js'
import { createTestDatabase, type TestDatabase } from '../../support/db.js'
import { journalText, openJournal } from '../../support/journal.js'
import {
  type MadeQueue,
  makeItem,
  makeQueue,
  makeReceipt,
  TICKS,
  testStore,
} from '../../support/make.js'

let database: TestDatabase
let store: Store
let queue: MadeQueue

beforeAll(async () => {
  database = await createTestDatabase()
  store = testStore(database.config)
})

beforeEach(async () => {
  queue = await makeQueue(store)
})

afterAll(async () => {
  await store.close()
  await database.drop()
})

const BOX = '3d6a1a2c-0d53-4c44-9a0f-64ad5d7a9c11'
const ITEM = '0198c3a0-2222-4000-8000-00000000000b'
const DATA = 'http://schemas.datacontract.org/2004/07/fiskaltrust.ifPOS.v0'

const REQUEST = `{
  "ftCashBoxID": "${BOX}", "cbTerminalID": "T1", "cbReceiptReference": "R-1",
  "cbReceiptMoment": "2026-03-14T10:00:00.5+01:00",
  "cbChargeItems": [
    {"Quantity": 2.0, "description": "=Käse & Brot", "Amount": -4.80, "VATRate": 10,
     "VATAmount": -0.44, "ftChargeItemCase": 4707387510509010945, "ProductNumber": "17",
     "Position": 1},
    {"Amount": "1e1", "Description": null}],
  "cbPayItems": [{"Description": "Cash", "Amount": 5.20, "ftPayItemCase": 4707387510509010944}],
  "ftReceiptCase": 4707387510509010945, "cbUser": 12
}`
const RESPONSE =
  `{"ftCashBoxID":"${BOX}","ftQueueID":"${BOX}","ftQueueItemID":"${ITEM}","ftQueueRow":1,` +
  '"cbTerminalID":"T1","cbReceiptReference":null,"ftCashBoxIdentification":"K 1",' +
  '"ftReceiptIdentification":"ft0#1","ftReceiptMoment":"\\/Date(1773478800500)\\/",' +
  '"ftSignatures":[{"ftSignatureFormat":3,"ftSignatureType":4707387510509010945,' +
  '"caption":"","data":"_R1-AT100_<x>&"}],"ftState":4707387510509010944}'

const HEAD =
  'ftQueueRow;ftReceiptIdentification;ftReceiptMoment;cbReceiptMoment;cbTerminalID;' +
  'cbReceiptReference;cbUser;ftReceiptCase;ftState;kind;position;quantity;description;amount;' +
  'vatRate;vatAmount;case;receiptTotal'

function csv(more: Parameters<typeof journalText>[2] = {}): Promise<string> {
  return journalText({ store, queue }, 3n, { format: 'csv', view: 'receipts', ...more })
}

describe('receipts as CSV', () => {
  it('have a line for each charge item and each pay item', async () => {
    const queueItemId = await makeItem(store, queue, {
      row: 1,
      request: REQUEST,
      response: RESPONSE,
      terminalId: 'T1',
      receiptReference: 'R-1',
    })
    await makeReceipt(store, queue, { timeStamp: TICKS + 11n, queueItemId, total: '5.20' })
    const { contentType } = await openJournal({ store, queue }, 3n, {
      format: 'csv',
      view: 'receipts',
    })
    expect(contentType).toBe('text/csv; charset=utf-8')
    const text = await csv()
    const receipt =
      '1;ft0#1;2026-03-14T09:00:00.5Z;2026-03-14T09:26:53.589Z;T1;R-1;12;' +
      '0x4154000000000001;0x4154000000000000;'
    expect(text).toBe(
      `\uFEFF${HEAD}\r\n` +
        `${receipt}charge;1;2.0;"'=Käse & Brot";-4.80;10;-0.44;0x4154000000000001;5.2\r\n` +
        `${receipt}charge;0;1;;10;0;;0x0000000000000000;5.2\r\n` +
        `${receipt}pay;0;1;Cash;5.20;;;0x4154000000000000;5.2\r\n`,
    )
  })

  it('have one line for a receipt without items, also a refused or unfinished one', async () => {
    const request = '{"cbReceiptMoment":"2026-01-01T00:00:00Z","ftReceiptCase":4707387510509010946}'
    const failed = RESPONSE.replace('4707387510509010944}', '4707422698889735918}')
    await makeItem(store, queue, { row: 1, request, response: failed })
    await makeItem(store, queue, { row: 2, request, response: null })
    const { data } = papaparse.parse<Record<string, string>>((await csv()).slice(1, -2), {
      header: true,
    })
    expect(data).toMatchObject([
      { ftQueueRow: '1', kind: 'none', ftState: '0x41542000EEEEEEEE', receiptTotal: '' },
      { ftQueueRow: '2', kind: 'none', ftState: '', ftReceiptIdentification: '', case: '' },
    ])
  })

  it('read texts of other interface versions: objects where older ones have texts', async () => {
    const request =
      '{"cbReceiptMoment":"2026-01-01T00:00:00Z","ftReceiptCase":4707422694881099777,' +
      '"cbUser":{"UserId":4707422694881099777},"cbChargeItems":[{"Description":"Tea","Amount":3,' +
      '"ftChargeItemCase":4707422694881099777,"ftChargeItemCaseData":{"a":[1.10]}}]}'
    await makeItem(store, queue, { row: 1, request })
    const { data } = papaparse.parse<Record<string, string>>((await csv()).slice(1, -2), {
      header: true,
    })
    expect(data).toMatchObject([
      { cbUser: '{"UserId":4707422694881099777}', description: 'Tea', case: '0x4154200000000001' },
    ])
  })

  it('go on behind a text that cannot be read', async () => {
    await makeItem(store, queue, { row: 1, request: 'no JSON', response: '[]', terminalId: 'T9' })
    await makeItem(store, queue, { row: 2, request: REQUEST, response: RESPONSE })
    const lines = (await csv()).split('\r\n')
    expect(lines[1]).toBe('1;;;2026-03-14T09:26:53.589Z;T9;;;;;none;;;;;;;;')
    expect(lines.length).toBe(6)
  })

  it('follow from and to', async () => {
    for (const row of [1, 2, 3, 4]) await makeItem(store, queue, { row })
    const text = await csv({ range: { from: TICKS + 20n, to: -2n } })
    expect(text.split('\r\n').map((line) => line.split(';')[0])).toEqual([
      '\uFEFFftQueueRow',
      '2',
      '3',
      '',
    ])
  })
})

describe('receipts as XML', () => {
  const options = {
    ignoreAttributes: false,
    attributeNamePrefix: '@',
    parseTagValue: false,
    trimValues: false,
  }

  async function receipts() {
    const text = await journalText({ store, queue }, 3n, { format: 'xml', view: 'receipts' })
    const parser = new XMLParser({ ...options, isArray: (name) => name === 'Receipt' })
    return parser.parse(text).Journal.Receipt
  }

  it('have the data contract form of request and response, in its order', async () => {
    await makeItem(store, queue, { row: 1, request: REQUEST, response: RESPONSE })
    const text = await journalText({ store, queue }, 3n, { format: 'xml', view: 'receipts' })
    const item = (content: string) => `<ChargeItem>${content}</ChargeItem>`
    expect(text.slice(text.indexOf('<Receipt>'))).toBe(
      `<Receipt><ReceiptRequest xmlns="${DATA}"><ftCashBoxID>${BOX}</ftCashBoxID>` +
        '<cbTerminalID>T1</cbTerminalID><cbReceiptReference>R-1</cbReceiptReference>' +
        '<cbReceiptMoment>2026-03-14T09:00:00.5Z</cbReceiptMoment><cbChargeItems>' +
        item(
          '<Position>1</Position><Quantity>2.0</Quantity>' +
            '<Description>=Käse &amp; Brot</Description><Amount>-4.80</Amount>' +
            '<VATRate>10</VATRate><ftChargeItemCase>4707387510509010945</ftChargeItemCase>' +
            '<VATAmount>-0.44</VATAmount><ProductNumber>17</ProductNumber>',
        ) +
        item(
          '<Quantity>1</Quantity><Description></Description><Amount>10</Amount>' +
            '<VATRate>0</VATRate><ftChargeItemCase>0</ftChargeItemCase>',
        ) +
        '</cbChargeItems><cbPayItems><PayItem><Quantity>1</Quantity>' +
        '<Description>Cash</Description><Amount>5.20</Amount>' +
        '<ftPayItemCase>4707387510509010944</ftPayItemCase></PayItem></cbPayItems>' +
        '<ftReceiptCase>4707387510509010945</ftReceiptCase><cbUser>12</cbUser></ReceiptRequest>' +
        `<ReceiptResponse xmlns="${DATA}"><ftCashBoxID>${BOX}</ftCashBoxID>` +
        `<ftQueueID>${BOX}</ftQueueID><ftQueueItemID>${ITEM}</ftQueueItemID>` +
        '<ftQueueRow>1</ftQueueRow><cbTerminalID>T1</cbTerminalID>' +
        '<cbReceiptReference i:nil="true"></cbReceiptReference>' +
        '<ftCashBoxIdentification>K 1</ftCashBoxIdentification>' +
        '<ftReceiptIdentification>ft0#1</ftReceiptIdentification>' +
        '<ftReceiptMoment>2026-03-14T09:00:00.5Z</ftReceiptMoment>' +
        '<ftSignatures><SignaturItem><ftSignatureFormat>3</ftSignatureFormat>' +
        '<ftSignatureType>4707387510509010945</ftSignatureType><Caption></Caption>' +
        '<Data>_R1-AT100_&lt;x&gt;&amp;</Data></SignaturItem></ftSignatures>' +
        '<ftState>4707387510509010944</ftState></ReceiptResponse></Receipt></Journal>',
    )
  })

  it('leave out the response of an item that has none, and what cannot be read', async () => {
    await makeItem(store, queue, { row: 1, request: REQUEST, response: null })
    await makeItem(store, queue, { row: 2, request: '[]', response: RESPONSE })
    const [unfinished, unreadable] = await receipts()
    expect(Object.keys(unfinished)).toEqual(['ReceiptRequest'])
    expect(Object.keys(unreadable)).toEqual(['ReceiptResponse'])
  })

  it('write empty arrays as empty elements', async () => {
    const request = '{"cbReceiptMoment":"2026-01-01T00:00:00Z","ftReceiptCase":4707387510509010946}'
    await makeItem(store, queue, { row: 1, request })
    const [{ ReceiptRequest }] = await receipts()
    expect(ReceiptRequest.cbChargeItems).toBe('')
    expect(ReceiptRequest.cbPayItems).toBe('')
    expect(ReceiptRequest.ftCashBoxID['@i:nil']).toBe('true')
  })
})
