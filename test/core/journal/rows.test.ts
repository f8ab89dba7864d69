import { createHash } from 'node:crypto'
import { XMLParser } from 'fast-xml-parser'
import papaparse from 'papaparse'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Store } from '../../../src/store/client.js'
import { createTestDatabase, type TestDatabase } from '../../support/db.js'
import { journalText, openJournal } from '../../support/journal.js'
import {
  type MadeQueue,
  makeAction,
  makeItem,
  makeMarketRow,
  makeQueue,
  makeReceipt,
  TICKS,
  testStore,
} from '../../support/make.js'
import { makeMarket } from '../../support/make-market.js'

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

const sha256 = (text: string) => createHash('sha256').update(text).digest('base64')
const ID = '0198c3a0-1111-7000-8000-00000000000a'
const ITEM = '0198c3a0-2222-4000-8000-00000000000b'

// every kind of character that a format could bend, in a text that is JSON
const AWKWARD =
  `{"a" : "Käse & <b>Brot</b> ]]> \\"quoted\\" 'x' \\u0000 \\uffff € 🧾 ; , \t",` +
  '\r\n\n  "b":4707387510509010945}'

/** Rows of a CSV with head line, by column name. */
function csvRows(text: string): Record<string, string>[] {
  expect(text.startsWith('\uFEFF')).toBe(true)
  expect(text.endsWith('\r\n')).toBe(true)
  const parsed = papaparse.parse<Record<string, string>>(text.slice(1, -2), {
    header: true,
    delimiter: ';',
    newline: '\r\n',
  })
  expect(parsed.errors).toEqual([])
  return parsed.data
}

function xmlOf(text: string) {
  const parser = new XMLParser({
    ignoreAttributes: false,
    attributeNamePrefix: '@',
    parseTagValue: false,
    trimValues: false,
    htmlEntities: true,
    isArray: (name) => name.startsWith('ftQueueItem') && name !== 'ftQueueItemId',
  })
  return parser.parse(text)
}

describe('JSON rows', () => {
  it('of the action journal have these members in this order', async () => {
    await makeAction(store, queue, { timeStamp: TICKS + 1n, id: ID, priority: -1 })
    const dataJson = '{"n":4707387510509010945}'
    await makeAction(store, queue, {
      timeStamp: TICKS + 2n,
      id: ID,
      queueItemId: ITEM,
      message: AWKWARD,
      dataJson,
      dataBase64: 'AAEC',
    })
    expect(await journalText({ store, queue }, 1n)).toBe(
      `[{"ftActionJournalId":"${ID}","ftQueueId":"${queue.queueId}","ftQueueItemId":null,` +
        '"Moment":"2026-03-14T09:26:53.589Z","Priority":-1,"Type":"TestType",' +
        '"Message":"Message","DataBase64":null,"DataJson":null,"TimeStamp":639028224000000001},' +
        `{"ftActionJournalId":"${ID}","ftQueueId":"${queue.queueId}","ftQueueItemId":"${ITEM}",` +
        '"Moment":"2026-03-14T09:26:53.589Z","Priority":48,"Type":"TestType",' +
        `"Message":${JSON.stringify(AWKWARD)},"DataBase64":"AAEC",` +
        `"DataJson":${JSON.stringify(dataJson)},"TimeStamp":639028224000000002}]`,
    )
  })

  it('of the receipt journal have these members in this order, numbers exact', async () => {
    const hash = Buffer.alloc(32, 0xfb)
    await makeReceipt(store, queue, {
      timeStamp: TICKS + 1n,
      id: ID,
      queueItemId: ITEM,
      number: 9007199254740993n,
      total: '-98765432109876543210.123456789',
      hash,
    })
    expect(await journalText({ store, queue }, 2n)).toBe(
      `[{"ftReceiptJournalId":"${ID}","ftReceiptMoment":"2026-03-14T09:26:53.589Z",` +
        '"ftReceiptNumber":9007199254740993,"ftReceiptTotal":-98765432109876543210.123456789,' +
        `"ftQueueId":"${queue.queueId}","ftQueueItemId":"${ITEM}",` +
        `"ftReceiptHash":"${hash.toString('base64')}","TimeStamp":639028224000000001}]`,
    )
  })

  it.each([
    ['0', '0.0'],
    ['12', '12.0'],
    ['12.50', '12.5'],
    ['-0.005', '-0.005'],
    ['100', '100.0'],
  ])('show the total %s as %s', async (total, shown) => {
    await makeReceipt(store, queue, { timeStamp: TICKS, total })
    expect(await journalText({ store, queue }, 2n)).toContain(`"ftReceiptTotal":${shown},`)
  })

  it('of queue items have these members in this order, texts exact, nulls written', async () => {
    const response = '{"ftState":4707387510509010944}'
    const parts = { row: 7, id: ID, terminalId: 'T"1', request: AWKWARD, response }
    await makeItem(store, queue, parts)
    await makeItem(store, queue, { row: 8, id: ITEM, response: null, receiptReference: '=1+1' })
    expect(await journalText({ store, queue }, 3n)).toBe(
      `[{"ftQueueItemId":"${ID}","ftQueueId":"${queue.queueId}","ftQueueRow":7,` +
        '"ftQueueMoment":"2026-03-14T09:26:53.589Z","ftQueueTimeout":15000,' +
        '"ftWorkMoment":"2026-03-14T09:26:53.589Z","ftDoneMoment":"2026-03-14T09:26:53.589Z",' +
        '"cbReceiptMoment":"2026-03-14T09:26:53.589Z","cbTerminalID":"T\\"1",' +
        '"cbReceiptReference":null,"country":"AT","version":"v1",' +
        `"request":${JSON.stringify(AWKWARD)},"requestHash":"${sha256(AWKWARD)}",` +
        `"response":${JSON.stringify(response)},"responseHash":"${sha256(response)}",` +
        '"TimeStamp":639028224000000070,"ProcessingVersion":"1.2.3"},' +
        `{"ftQueueItemId":"${ITEM}","ftQueueId":"${queue.queueId}","ftQueueRow":8,` +
        '"ftQueueMoment":"2026-03-14T09:26:53.589Z","ftQueueTimeout":15000,' +
        '"ftWorkMoment":null,"ftDoneMoment":null,' +
        '"cbReceiptMoment":"2026-03-14T09:26:53.589Z","cbTerminalID":null,' +
        '"cbReceiptReference":"=1+1","country":"AT","version":"v1",' +
        `"request":"{}","requestHash":"${sha256('{}')}","response":null,"responseHash":null,` +
        '"TimeStamp":639028224000000080,"ProcessingVersion":"1.2.3"}]',
    )
  })

  it.each([1n, 2n, 3n, 0x4154n])(
    'of type %s are an empty array when there are none',
    async (type) => {
      const { contentType } = await openJournal({ store, queue }, type)
      expect(contentType).toBe('application/json; charset=utf-8')
      expect(await journalText({ store, queue }, type)).toBe('[]')
    },
  )

  it('stay one array over many pages and pieces, restricted by from and to', async () => {
    const text = JSON.stringify('y'.repeat(40_000))
    for (let row = 1; row <= 120; row += 1) await makeItem(store, queue, { row, request: text })
    const range = { from: TICKS + 20n, to: -110n }
    const { body } = await openJournal({ store, queue }, 3n, { range })
    const pieces: string[] = []
    for await (const piece of body) pieces.push(String(piece))
    expect(pieces.length).toBeGreaterThan(20)
    const rows = JSON.parse(pieces.join('')) as { ftQueueRow: number; request: string }[]
    expect(rows.map((row) => row.ftQueueRow)).toEqual(
      Array.from({ length: 110 }, (_, index) => index + 2),
    )
    expect(rows.every((row) => row.request === text)).toBe(true)
  })
})

describe('CSV rows', () => {
  it('give back every member of a queue item, nulls as empty cells', async () => {
    await makeItem(store, queue, { row: 7, id: ID, request: AWKWARD, receiptReference: 'R 7' })
    await makeItem(store, queue, { row: 8, id: ITEM, response: null })
    const { contentType } = await openJournal({ store, queue }, 3n, { format: 'csv' })
    expect(contentType).toBe('text/csv; charset=utf-8')
    const text = await journalText({ store, queue }, 3n, { format: 'csv' })
    expect(text.slice(1, text.indexOf('\r\n'))).toBe(
      'ftQueueItemId;ftQueueId;ftQueueRow;ftQueueMoment;ftQueueTimeout;ftWorkMoment;ftDoneMoment;' +
        'cbReceiptMoment;cbTerminalID;cbReceiptReference;country;version;request;requestHash;' +
        'response;responseHash;TimeStamp;ProcessingVersion',
    )
    const [first, second, ...rest] = csvRows(text)
    expect(rest).toEqual([])
    expect(first).toEqual({
      ftQueueItemId: ID,
      ftQueueId: queue.queueId,
      ftQueueRow: '7',
      ftQueueMoment: '2026-03-14T09:26:53.589Z',
      ftQueueTimeout: '15000',
      ftWorkMoment: '2026-03-14T09:26:53.589Z',
      ftDoneMoment: '2026-03-14T09:26:53.589Z',
      cbReceiptMoment: '2026-03-14T09:26:53.589Z',
      cbTerminalID: '',
      cbReceiptReference: 'R 7',
      country: 'AT',
      version: 'v1',
      request: AWKWARD,
      requestHash: sha256(AWKWARD),
      response: '{}',
      responseHash: sha256('{}'),
      TimeStamp: '639028224000000070',
      ProcessingVersion: '1.2.3',
    })
    expect(second).toMatchObject({ ftWorkMoment: '', response: '', responseHash: '' })
  })

  it.each([
    ['=cmd|x', "'=cmd|x"],
    ['+49 1', "'+49 1"],
    ['-x', "'-x"],
    ['@SUM(1)', "'@SUM(1)"],
    ['\tx', "'\tx"],
    ['-12.50', '-12.50'],
    ['+7', '+7'],
    ['x=1', 'x=1'],
  ])('give a text like %j to a spreadsheet as %j', async (reference, cell) => {
    await makeItem(store, queue, { row: 1, receiptReference: reference })
    const [row] = csvRows(await journalText({ store, queue }, 3n, { format: 'csv' }))
    expect(row?.cbReceiptReference).toBe(cell)
  })

  it('write receipt totals with a point and negative ones as numbers', async () => {
    await makeReceipt(store, queue, { timeStamp: TICKS, total: '-1234.50', number: 3n })
    const [row] = csvRows(await journalText({ store, queue }, 2n, { format: 'csv' }))
    expect(row).toMatchObject({ ftReceiptTotal: '-1234.5', ftReceiptNumber: '3' })
  })

  it('have their head line also when there are none', async () => {
    const text = await journalText({ store, queue }, 1n, { format: 'csv' })
    expect(text).toBe(
      '\uFEFFftActionJournalId;ftQueueId;ftQueueItemId;Moment;Priority;Type;Message;' +
        'DataBase64;DataJson;TimeStamp\r\n',
    )
  })

  it('of a raw country journal have the members that the country gives them', async () => {
    await makeMarketRow(store, queue, { timeStamp: TICKS, id: ID, number: 4n, content: 'a;b' })
    const call = { store, queue, market: makeMarket('AT') }
    expect(await journalText(call, 0x4154n, { format: 'csv' })).toBe(
      `\uFEFFftJournalATId;Number;Content;ftQueueId;TimeStamp\r\n${ID};4;"a;b";` +
        `${queue.queueId};639028224000000000\r\n`,
    )
    // of another country nobody knows the members: the mark that says UTF-8, and no line
    expect(await journalText(call, 0x4445n, { format: 'csv' })).toBe('\uFEFF')
  })
})

describe('XML rows', () => {
  it('give back the texts of queue items so that their hashes fit', async () => {
    await makeItem(store, queue, { row: 7, id: ID, request: AWKWARD, response: AWKWARD })
    await makeItem(store, queue, { row: 8, id: ITEM, response: null, terminalId: '<&>"\'' })
    const range = { from: 5n, to: -9n }
    const { contentType } = await openJournal({ store, queue }, 3n, { format: 'xml' })
    expect(contentType).toBe('application/xml; charset=utf-8')
    const text = await journalText({ store, queue }, 3n, { format: 'xml', range })
    expect(text.startsWith('<?xml version="1.0" encoding="UTF-8"?>\n<Journal ')).toBe(true)
    const { Journal } = xmlOf(text)
    expect(Journal).toMatchObject({ '@type': '0x0000000000000003', '@from': '5', '@to': '-9' })
    const [first, second] = Journal.ftQueueItem
    expect(first.request).toBe(AWKWARD)
    expect(sha256(first.request)).toBe(first.requestHash)
    expect(sha256(first.response)).toBe(first.responseHash)
    expect(Object.keys(first)).toEqual(
      [
        'ftQueueItemId ftQueueId ftQueueRow ftQueueMoment ftQueueTimeout ftWorkMoment',
        'ftDoneMoment cbReceiptMoment country version request requestHash response',
        'responseHash TimeStamp ProcessingVersion',
      ].flatMap((names) => names.split(' ')),
    )
    expect(second.cbTerminalID).toBe('<&>"\'')
    expect(Object.keys(second)).not.toContain('response')
  })

  it('carry a text with characters that XML does not have as Base64', async () => {
    const request = '{"a":"\uffff\ufffe"}'
    await makeItem(store, queue, { row: 1, request })
    const text = await journalText({ store, queue }, 3n, { format: 'xml' })
    expect(text).not.toMatch(/[\ufffe\uffff]/)
    const [item] = xmlOf(text).Journal.ftQueueItem
    expect(item.request['@encoding']).toBe('base64')
    expect(Buffer.from(item.request['#text'], 'base64').toString()).toBe(request)
  })

  it.each([
    [1n, 'ftActionJournal', () => makeAction(store, queue, { timeStamp: TICKS })],
    [2n, 'ftReceiptJournal', () => makeReceipt(store, queue, { timeStamp: TICKS })],
    [0x4154n, 'ftJournalAT', () => makeMarketRow(store, queue, { timeStamp: TICKS })],
  ])('of type %s are elements %s', async (type, name, make) => {
    await make()
    const { Journal } = xmlOf(await journalText({ store, queue }, type, { format: 'xml' }))
    expect(Journal[name].TimeStamp).toBe(String(TICKS))
    expect(Journal[name].ftQueueId).toBe(queue.queueId)
  })

  it('are an empty root element when there are none', async () => {
    const text = await journalText({ store, queue }, 0x4445n, { format: 'xml' })
    expect(xmlOf(text).Journal).toMatchObject({ '@type': '0x0000000000004445' })
    expect(text.endsWith('></Journal>')).toBe(true)
  })
})
