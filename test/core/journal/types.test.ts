import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { initial } from '../../../src/market/at/queue.js'
import type { Export } from '../../../src/market/contract.js'
import type { Store } from '../../../src/store/client.js'
import { createTestDatabase, type TestDatabase } from '../../support/db.js'
import { EXPORT_TIME, journalText, openJournal } from '../../support/journal.js'
import {
  type MadeQueue,
  makeAction,
  makeCertificate,
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

beforeAll(async () => {
  database = await createTestDatabase()
  store = testStore(database.config)
})

afterAll(async () => {
  await store.close()
  await database.drop()
})

const AUSTRIA = 0x4154_0000_0000_0000n

function austrianQueue(): Promise<MadeQueue> {
  return makeQueue(store, { state: JSON.stringify(initial()) })
}

describe('version information', () => {
  const manifest = JSON.parse(
    readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'),
  )
  const [major, minor, build] = manifest.version.split('.').map(Number)

  it.each([
    ['type 0', 0n],
    ['an unknown small type', 0xfen],
    ['an unknown type below the country bits', 0x0001_0000_0000n],
    ['the country word of a market without raw journal', 0x4954n],
  ])('answers %s', async (_, type) => {
    const queue = await austrianQueue()
    const text = await journalText({ store, queue }, type)
    expect(JSON.parse(text)).toEqual({
      Assembly:
        `${manifest.name}, Version=${manifest.version}.0, ` +
        'Culture=neutral, PublicKeyToken=null',
      Version: {
        Major: major,
        Minor: minor,
        Build: build,
        Revision: 0,
        MajorRevision: 0,
        MinorRevision: 0,
      },
      ProcessingVersion: manifest.version,
    })
  })
})

describe('raw country journals', () => {
  it('of the own country have the members that the country gives them', async () => {
    const queue = await austrianQueue()
    await makeMarketRow(store, queue, { timeStamp: TICKS + 5n, number: 3n, content: 'aa.bb.cc' })
    const [row, ...rest] = JSON.parse(await journalText({ store, queue }, 0x4154n))
    expect(rest).toEqual([])
    expect(row).toMatchObject({
      Number: 3,
      JWSHeaderBase64url: 'aa',
      JWSPayloadBase64url: 'bb',
      JWSSignatureBase64url: 'cc',
      ftQueueId: queue.queueId,
      ftSignaturCreationUnitId: '00000000-0000-0000-0000-000000000000',
    })
  })

  it.each([
    ['DE', 0x4445n],
    ['FR', 0x4652n],
    ['ME', 0x4d45n],
  ])('of %s are an empty array on an Austrian queue', async (_, type) => {
    const queue = await austrianQueue()
    await makeMarketRow(store, queue, { timeStamp: TICKS })
    expect(await journalText({ store, queue }, type)).toBe('[]')
  })

  it('of Austria are an empty array elsewhere', async () => {
    const queue = await makeQueue(store, { market: 'DE' })
    await makeMarketRow(store, queue, { timeStamp: TICKS })
    expect(await journalText({ store, queue, market: makeMarket('DE') }, 0x4154n)).toBe('[]')
  })
})

describe('status', () => {
  it.each([
    ['the base type', AUSTRIA],
    ['version 2, number 000', 0x4154_2000_0000_1000n],
    ['version 2, number 001', 0x4154_2000_0000_1001n],
  ])('answers %s', async (_, type) => {
    const queue = await austrianQueue()
    const status = JSON.parse(await journalText({ store, queue }, type))
    expect(Object.keys(status)).toEqual(['QueueATList'])
    expect(status.QueueATList).toMatchObject([
      { ftQueueATId: queue.queueId, CashBoxIdentification: queue.identification },
    ])
  })

  it('has the name and the members of its country', async () => {
    const queue = await makeQueue(store, { market: 'PT', state: '{"counter":7}' })
    const text = await journalText({ store, queue, market: makeMarket('PT') }, 0x5054n << 48n)
    const list = `{"ftQueuePTId":"${queue.queueId}","Counter":7,"TimeStamp":${TICKS}}`
    expect(text).toBe(`{"QueuePTList":[${list}]}`)
  })
})

describe('market exports', () => {
  const COMPACT = 'eyJhbGciOiJFUzI1NiJ9.X1IxLUFUMTAw.c2lnbmF0dXJl'

  it.each([
    ['RKSV-DEP', 0x4154_0000_0000_0001n],
    ['RKSV-DEP under its version 2 number', 0x4154_2000_0000_1002n],
  ])('give the %s of the queue', async (_, type) => {
    const queue = await austrianQueue()
    const der = Buffer.from([0x30, 0x03, 0x01, 0x02, 0x03])
    const certificateFingerprint = await makeCertificate(store, queue.accountId, { der })
    for (const number of [1n, 2n]) {
      const timeStamp = TICKS + number
      const content = COMPACT
      await makeMarketRow(store, queue, { timeStamp, number, certificateFingerprint, content })
    }
    const { contentType } = await openJournal({ store, queue }, type)
    expect(contentType).toBe('application/json; charset=utf-8')
    expect(JSON.parse(await journalText({ store, queue }, type))).toEqual({
      'Belege-Gruppe': [
        {
          Signaturzertifikat: der.toString('base64'),
          Zertifizierungsstellen: [],
          'Belege-kompakt': [COMPACT, COMPACT],
        },
      ],
    })
  })

  it('apply from and to, and know the certificate before a range', async () => {
    const queue = await austrianQueue()
    const der = Buffer.from([0x30, 0x01, 0x07])
    const certificateFingerprint = await makeCertificate(store, queue.accountId, { der })
    const failed = `${COMPACT.slice(0, COMPACT.lastIndexOf('.'))}.${Buffer.from(
      'Sicherheitseinrichtung ausgefallen',
    ).toString('base64url')}`
    await makeMarketRow(store, queue, {
      timeStamp: TICKS + 1n,
      number: 1n,
      certificateFingerprint,
      content: COMPACT,
    })
    await makeMarketRow(store, queue, { timeStamp: TICKS + 2n, number: 2n, content: failed })
    const range = { from: TICKS + 2n, to: -10n }
    const text = await journalText({ store, queue }, AUSTRIA + 1n, { range })
    expect(JSON.parse(text)['Belege-Gruppe']).toEqual([
      {
        Signaturzertifikat: der.toString('base64'),
        Zertifizierungsstellen: [],
        'Belege-kompakt': [failed],
      },
    ])
  })

  it('give the electronic journal (DEP131) with its receipts by row', async () => {
    const queue = await austrianQueue()
    const request = '{"ftReceiptCase":4707387510509010945,"cbReceiptMoment":"2026-01-01T00:00:00Z"}'
    const queueItemId = await makeItem(store, queue, { row: 1, request })
    await makeReceipt(store, queue, { timeStamp: TICKS + 11n, queueItemId, total: '7.2' })
    await makeItem(store, queue, { row: 2, request, response: null })
    const json = JSON.parse(await journalText({ store, queue }, AUSTRIA + 0x131n))
    const entries = json.DEP131.Entries.map((entry: Record<string, unknown>) => [
      entry.ftQueueRow,
      entry.ftReceiptNumber,
      entry.ftReceiptTotal,
      entry.Request,
    ])
    expect(entries).toEqual([
      [1, 1, '7.20', request],
      [2, null, null, request],
    ])
    const csv = await journalText({ store, queue }, AUSTRIA + 0x132n)
    expect(csv.split('\r\n').length).toBe(4)
  })

  it('get exactly the queue, the range and the time of the call', async () => {
    let seen: unknown
    const exporter: Export = {
      matches: (word) => word === 0x4445_0000_0000_0002n,
      contentType: 'application/octet-stream',
      async *run(source) {
        seen = { queue: source.queue, range: source.range, now: source.now }
        yield new Uint8Array([0xff, 0x00, 0x80])
      },
    }
    const market = makeMarket('DE', [exporter])
    const queue = await makeQueue(store, { market: 'DE', configuration: '{"a":1}' })
    const range = { from: 2n ** 60n + 1n, to: -3n }
    const call = { store, queue, market }
    const { contentType, body } = await openJournal(call, (0x4445n << 48n) + 2n, { range })
    const pieces: unknown[] = []
    for await (const piece of body) pieces.push(piece)
    expect(contentType).toBe('application/octet-stream')
    expect(pieces).toEqual([new Uint8Array([0xff, 0x00, 0x80])])
    expect(seen).toMatchObject({
      queue: { accountId: queue.accountId, id: queue.queueId, configuration: { a: 1 } },
      range,
      now: EXPORT_TIME,
    })
  })
})

describe('what is refused', () => {
  it.each([
    ['an unknown Austrian type', AUSTRIA + 0x7fn],
    ['the status of another country', 0x4445n << 48n],
    ['an export of another country', (0x4652n << 48n) + 1n],
    ['country bits that are no letters', 0x0444_5001_0000_0001n],
    ['a negative type', -1n],
    ['a status of version 0 with the flag of ZIP', 0x4154_0000_0001_0000n],
    ['more than 64 bits', (1n << 64n) + 3n],
  ])('%s is JOURNAL_TYPE_UNKNOWN', async (_, type) => {
    const queue = await austrianQueue()
    await expect(openJournal({ store, queue }, type)).rejects.toMatchObject({
      code: 'JOURNAL_TYPE_UNKNOWN',
      kind: 'invalid',
      details: { market: 'AT' },
    })
  })

  it.each([
    ['version information as CSV', 0n, { format: 'csv' }],
    ['an unknown small type as XML', 0xfen, { format: 'xml' }],
    ['the configuration as CSV', 0xffn, { format: 'csv' }],
    ['the status as XML', AUSTRIA, { format: 'xml' }],
    ['RKSV-DEP as CSV', AUSTRIA + 1n, { format: 'csv' }],
    ['RKSV-DEP as XML', AUSTRIA + 1n, { format: 'xml' }],
    ['a CSV export as JSON', AUSTRIA + 0x132n, { format: 'json' }],
    ['receipts as JSON', 3n, { view: 'receipts' }],
    ['receipts as JSON by name', 3n, { view: 'receipts', format: 'json' }],
    ['receipts of the action journal', 1n, { view: 'receipts', format: 'csv' }],
    ['receipts of the raw journal', 0x4154n, { view: 'receipts', format: 'xml' }],
    ['receipts of RKSV-DEP', AUSTRIA + 1n, { view: 'receipts' }],
    ['receipts of the configuration', 0xffn, { view: 'receipts' }],
  ] as const)('%s is JOURNAL_FORMAT', async (_, type, more) => {
    const queue = await austrianQueue()
    await expect(openJournal({ store, queue }, type, more)).rejects.toMatchObject({
      code: 'JOURNAL_FORMAT',
      kind: 'invalid',
    })
  })

  it.each([
    ['RKSV-DEP as JSON', AUSTRIA + 1n, 'json', 'application/json; charset=utf-8'],
    ['a CSV export as CSV', AUSTRIA + 0x132n, 'csv', 'text/csv; charset=utf-8'],
    ['the status as JSON', AUSTRIA, 'json', 'application/json; charset=utf-8'],
  ] as const)('but not %s, which it is', async (_, type, format, expected) => {
    const queue = await austrianQueue()
    const { contentType } = await openJournal({ store, queue }, type, { format })
    expect(contentType).toBe(expected)
  })

  it('a queue of another account is not there', async () => {
    const [mine, other] = [await austrianQueue(), await austrianQueue()]
    const foreign = { accountId: mine.accountId, queueId: other.queueId }
    await expect(openJournal({ store, queue: foreign }, 3n)).rejects.toMatchObject({
      code: 'QUEUE_UNKNOWN',
      kind: 'missing',
    })
  })

  it('what breaks at once breaks before the first byte', async () => {
    const exporter: Export = {
      matches: (word) => word === 0x4445_0000_0000_0001n,
      contentType: 'text/plain',
      // biome-ignore lint/correctness/useYield: it breaks before
      async *run() {
        throw new Error('broken at the start')
      },
    }
    const queue = await makeQueue(store, { market: 'DE' })
    const market = makeMarket('DE', [exporter])
    const opening = openJournal({ store, queue, market }, (0x4445n << 48n) + 1n)
    await expect(opening).rejects.toThrow('broken at the start')
  })
})

describe('leaving early', () => {
  it('reaches an exporter, whether one piece was read or none', async () => {
    let left = 0
    const exporter: Export = {
      matches: (word) => word === 0x4445_0000_0000_0001n,
      contentType: 'text/plain',
      async *run() {
        try {
          for (;;) yield 'piece'
        } finally {
          left += 1
        }
      },
    }
    const queue = await makeQueue(store, { market: 'DE' })
    const market = makeMarket('DE', [exporter])
    const open = () => openJournal({ store, queue, market }, (0x4445n << 48n) + 1n)
    for await (const piece of (await open()).body) {
      expect(piece).toBe('piece')
      break
    }
    expect(left).toBe(1)
    const iterator = (await open()).body[Symbol.asyncIterator]()
    await iterator.return?.()
    expect(left).toBe(2)
    expect(await iterator.next()).toEqual({ done: true, value: undefined })
  })

  it('of a generic journal leaves every connection in the pool', async () => {
    const queue = await austrianQueue()
    for (let row = 1; row <= 40; row += 1) {
      const dataJson = JSON.stringify('x'.repeat(60_000))
      await makeAction(store, queue, { timeStamp: TICKS + BigInt(row), dataJson })
    }
    for (let round = 0; round < 20; round += 1) {
      for await (const piece of (await openJournal({ store, queue }, 1n)).body) {
        expect(piece.length).toBeGreaterThan(60_000)
        break
      }
    }
    expect(store.pool.idleCount).toBe(store.pool.totalCount)
    expect(store.pool.waitingCount).toBe(0)
  })
})
