// Journal of group B over HTTP: the query decides, the body never does.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Call, call, startTestServer, type TestServer } from '../../support/app.js'
import { saleText } from '../../support/receipts.js'

let server: TestServer
let stamps: bigint[]
beforeAll(async () => {
  server = await startTestServer()
  for (const reference of ['one', 'two', 'three']) {
    const body = saleText({ cbReceiptReference: `"${reference}"` })
    expect((await call(server, '/sign', { body })).status).toBe(200)
  }
  const found = await server.row(
    'select array_agg(time_stamp::text order by time_stamp) as stamps from queue_item',
  )
  stamps = (found.stamps as string[]).map(BigInt)
})
afterAll(() => server.close())

const journal = (query: string, options: Call = {}) =>
  call(server, `/${server.box.queueId}/json/v1/journal${query}`, options)

/** The references of the queue items of a range, in order. */
async function references(range: string): Promise<unknown[]> {
  const answer = await journal(`?type=3${range}`)
  expect(answer.status, answer.text).toBe(200)
  return (JSON.parse(answer.text) as Record<string, unknown>[]).map((row) => row.cbReceiptReference)
}

const ALL = [expect.stringMatching(/^start-/), 'one', 'two', 'three']

describe('the body', () => {
  const bodies: [string, Call][] = [
    ['none', {}],
    [
      'none, labelled JSON, length 0',
      { headers: { 'content-type': 'application/json', 'content-length': '0' } },
    ],
    ['empty, labelled JSON', { body: '' }],
    ['two quotes', { body: '""' }],
    ['two quotes without a label', { body: '""', headers: { 'content-type': undefined } }],
    ['a form labelled JSON', { body: 'from=999999999999999999&to=1' }],
    [
      'a form',
      { body: 'type=2&to=1', headers: { 'content-type': 'application/x-www-form-urlencoded' } },
    ],
    ['half JSON', { body: '{"from":' }],
    ['XML', { body: '<a/>', headers: { 'content-type': 'text/xml' } }],
    ['bytes', { body: Buffer.from('ff00fe', 'hex') }],
    ['labelled with nonsense', { body: 'x', headers: { 'content-type': 'nonsense' } }],
    [
      'labelled with an unknown charset',
      { body: 'x', headers: { 'content-type': 'application/json; charset=utf-99' } },
    ],
  ]

  it.each(bodies)('%s: never read', async (_name, options) => {
    const answer = await journal('?type=3&from=0&to=0', options)
    expect(answer.status, answer.text).toBe(200)
    const rows = JSON.parse(answer.text) as Record<string, unknown>[]
    expect(rows.map((row) => row.cbReceiptReference)).toEqual(ALL)
  })
})

describe('the type', () => {
  it.each(['3', '0x3', '0x0000000000000003', '0X3', '+3', '003', '%203'])(
    'type=%s is the queue items',
    async (type) => {
      const answer = await journal(`?type=${type}`)
      expect(answer.status, answer.text).toBe(200)
      expect(answer.json()).toHaveLength(4)
    },
  )

  it.each([
    'ftJournalType=3',
    'FTJOURNALTYPE=3',
    'Type=3',
    'type=2&type=3',
    'type=3&ftJournalType=2',
  ])('%s names it as well', async (query) => {
    expect(await journal(`?${query}`).then(({ json }) => json().length)).toBe(4)
  })

  it.each(['', '?', '?type', '?type=', '?type=%20', '?from=0&to=0'])(
    'missing (%s) is 400',
    async (query) => {
      const answer = await journal(query)
      expect(answer.status).toBe(400)
      expect(answer.json()).toMatchObject({ code: 'FIELD_MISSING', field: 'type' })
    },
  )

  it.each([
    'abc',
    '1.5',
    '1e3',
    '0x',
    '0xg',
    '18446744073709551616',
    '0x10000000000000000',
    '1 2',
    '３',
  ])('%s is 400', async (type) => {
    const answer = await journal(`?type=${encodeURIComponent(type)}`)
    expect(answer.status, answer.text).toBe(400)
    expect(answer.json()).toMatchObject({ code: 'FIELD_INVALID', field: 'type' })
  })

  it.each([
    ['another country', '0x4445000000000002'],
    ['another country in decimal', '4919338167972134914'],
    ['an Austrian one that does not exist', '0x4154000000000099'],
    ['a negative one', '-1'],
    ['no country at all', '0xFFFF000000000001'],
  ])('of %s is 400', async (_name, type) => {
    const answer = await journal(`?type=${type}`)
    expect(answer.status, answer.text).toBe(400)
    expect(answer.json()).toMatchObject({ code: 'JOURNAL_TYPE_UNKNOWN' })
  })

  it.each(['0', '0xFE', '77'])('%s, small and unknown, gives the version', async (type) => {
    const answer = await journal(`?type=${type}`)
    expect(answer.json()).toMatchObject({
      Assembly: expect.stringMatching(/, Version=\d+\.\d+\.\d+\.\d+, Culture=neutral/),
      Version: expect.objectContaining({ Major: expect.any(Number) }),
    })
  })

  it.each([
    ['actions', '1', 'ftActionJournalId'],
    ['receipts', '2', 'ftReceiptJournalId'],
    ['items', '3', 'ftQueueItemId'],
    ['raw Austrian rows', '16724', 'ftJournalATId'],
  ])('%s', async (_name, type, member) => {
    const answer = await journal(`?type=${type}`)
    const rows = JSON.parse(answer.text) as Record<string, unknown>[]
    expect(rows.length).toBeGreaterThan(0)
    expect(Object.keys(rows[0] ?? {})).toContain(member)
  })

  it('raw journals of other countries are empty here', async () => {
    for (const type of ['17477', '18002', '19781'])
      expect((await journal(`?type=${type}`)).text).toBe('[]')
  })

  it('configuration, status and the legal export, without secrets', async () => {
    const configuration = await journal('?type=0xFF')
    expect(configuration.json()).toMatchObject({
      QueueATList: [{ ftQueueATId: server.box.queueId }],
    })
    const status = await journal('?type=4707387510509010944')
    expect(Object.keys(status.json())).toContain('QueueATList')
    const dep = await journal('?type=4707387510509010945')
    expect(dep.json()).toMatchObject({ 'Belege-Gruppe': [{ 'Belege-kompakt': expect.any(Array) }] })
    for (const { text } of [configuration, status, dep]) {
      expect(text).not.toMatch(/PrivateKey|EncryptionKeyBase64|accessToken/i)
    }
  })
})

describe('the range', () => {
  it('to zero, missing or empty has no end', async () => {
    for (const range of ['', '&from=0&to=0', '&from=&to=', '&to=00', '&from=0x0', '&from=-5']) {
      expect(await references(range), range).toEqual(ALL)
    }
  })

  it('both ends are inclusive, to the tick', async () => {
    const [, one = 0n, two = 0n] = stamps
    expect(await references(`&from=${one}&to=${two}`)).toEqual(['one', 'two'])
    expect(await references(`&from=${one + 1n}&to=${two}`)).toEqual(['two'])
    expect(await references(`&from=${one}&to=${two - 1n}`)).toEqual(['one'])
    expect(await references(`&from=${two}&to=${one}`)).toEqual([])
    expect(await references(`&from=0x${one.toString(16)}&to=0x${one.toString(16)}`)).toEqual([
      'one',
    ])
  })

  it('a negative to gives the first rows; paging neither skips nor repeats', async () => {
    expect(await references('&from=0&to=-2')).toEqual(ALL.slice(0, 2))
    const seen: unknown[] = []
    for (let pointer = 0n, page = 0; page < 10; page += 1) {
      const answer = await journal(`?type=3&from=${pointer}&to=-1`)
      const stamp = /"TimeStamp":(\d+)/.exec(answer.text)?.[1]
      if (stamp === undefined) break
      seen.push(...(JSON.parse(answer.text) as { cbReceiptReference: string }[]))
      pointer = BigInt(stamp) + 1n
    }
    expect(seen.map((row) => Reflect.get(Object(row), 'cbReceiptReference'))).toEqual(ALL)
  })

  it.each([
    ['from=9223372036854775807', 0],
    ['from=18446744073709551615', 0],
    ['to=9223372036854775807', 4],
    ['to=18446744073709551615', 4],
    ['to=-9223372036854775807', 4],
    ['from=0xFFFFFFFFFFFFFFFF', 0],
    ['from=-9223372036854775807', 4],
  ])('%s is taken', async (range, count) => {
    for (const type of ['1', '2', '3', '16724', '0x4154000000000001', '0x4154000000000131']) {
      expect((await journal(`?type=${type}&${range}`)).status, type).toBe(200)
    }
    expect(await references(`&${range}`)).toHaveLength(count)
  })

  it.each(['from=x', 'to=1.5', 'from=1e3', 'to=--1', 'to=99999999999999999999', 'from=1;drop'])(
    '%s is 400',
    async (range) => {
      const answer = await journal(`?type=3&${range}`)
      expect(answer.status).toBe(400)
      expect(answer.json()).toMatchObject({ code: 'FIELD_INVALID', field: range.split('=')[0] })
    },
  )
})

describe('the stream', () => {
  it('comes in chunks, not with a length', async () => {
    const answer = await fetch(`${server.url}/journal?type=3`, {
      method: 'POST',
      headers: server.headers,
    })
    expect(answer.headers.get('transfer-encoding')).toBe('chunked')
    expect(answer.headers.get('content-length')).toBeNull()
    expect(await answer.json()).toHaveLength(4)
  })
})
