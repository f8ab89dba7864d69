// What is refused, with which status, naming what, and what of it is stored.
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { markets } from '../../../src/market/index.js'
import {
  chargeItemFields,
  payItemFields,
  requestFields,
} from '../../../src/model/receipt-fields.js'
import {
  call,
  countRows,
  startServer,
  startTestServer,
  type TestServer,
} from '../../support/app.js'
import { austrianCase, saleText } from '../../support/receipts.js'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterEach(() => vi.restoreAllMocks())
afterAll(() => server.close())

const sign = (body: string | Buffer, path = '/json/v1/sign') => call(server, path, { body })

/** The country, and the marks of an error (v0 and v1 alike). */
const ERROR_STATE = `"ftState":${0x4154_2000_eeee_eeeen}`
const ERROR_TYPE = `"ftSignatureType":${0x4154_2000_0000_3000n}`

const VERSIONS = ['/json/v1/sign', '/json/v0/sign', '/sign']

describe('nothing is stored of', () => {
  const refused: [string, string | Buffer, string, string | undefined][] = [
    ['an empty body', '', 'BODY_MISSING', undefined],
    ['a blank body', ' \r\n', 'BODY_MISSING', undefined],
    ['half a body', saleText().slice(0, -20), 'BODY_MALFORMED', 'ftReceiptCase'],
    ['bytes that are no UTF-8', Buffer.from('{"a":"\xff"}', 'latin1'), 'BODY_MALFORMED', undefined],
    ['an array', '[]', 'BODY_MALFORMED', undefined],
    [
      'NaN',
      saleText({ cbChargeItems: '[{},{"Amount":NaN}]' }),
      'BODY_MALFORMED',
      'cbChargeItems[1].Amount',
    ],
    ['Infinity', saleText({ cbReceiptAmount: '-Infinity' }), 'BODY_MALFORMED', 'cbReceiptAmount'],
    ['a control character', saleText({ cbUser: '"a\\u0000"' }), 'BODY_MALFORMED', 'cbUser'],
    ['a raw control character', saleText({ cbUser: '"\u0001"' }), 'BODY_MALFORMED', 'cbUser'],
    ['half a character', saleText({ cbUser: '"\\ud83d"' }), 'BODY_MALFORMED', 'cbUser'],
    [
      'a text that is too long',
      saleText({ cbTerminalID: `"${'x'.repeat(1024)}"` }),
      'FIELD_INVALID',
      'cbTerminalID',
    ],
    [
      'four thousand characters in a description',
      saleText({ cbPayItems: `[{"Description":"${'é'.repeat(4000)}"}]` }),
      'FIELD_INVALID',
      'cbPayItems[0].Description',
    ],
    ['a missing case', saleText({ ftReceiptCase: undefined }), 'FIELD_MISSING', 'ftReceiptCase'],
    [
      'a missing moment',
      saleText({ cbReceiptMoment: undefined }),
      'FIELD_MISSING',
      'cbReceiptMoment',
    ],
    ['a wrong type', saleText({ cbChargeItems: '7' }), 'FIELD_INVALID', 'cbChargeItems'],
    [
      'a cash box id that is no GUID',
      saleText({ ftCashBoxID: '"1"' }),
      'FIELD_INVALID',
      'ftCashBoxID',
    ],
    [
      'two amounts',
      saleText({ cbPayItems: '[{"Amount":1,"Amount":2}]' }),
      'FIELD_DOUBLED',
      'cbPayItems[0].Amount',
    ],
    [
      'a German case',
      saleText({ ftReceiptCase: '4919338167972134913' }),
      'COUNTRY_WRONG',
      'ftReceiptCase',
    ],
    [
      'a French case',
      saleText({ ftReceiptCase: '"5067112530745229313"' }),
      'COUNTRY_WRONG',
      'ftReceiptCase',
    ],
    [
      'the slip of two demos',
      saleText({ ftReceiptCase: '307458639793225729' }),
      'COUNTRY_WRONG',
      'ftReceiptCase',
    ],
    [
      'another version nibble',
      saleText({ ftReceiptCase: '"0x4154500000000001"' }),
      'FIELD_INVALID',
      'ftReceiptCase',
    ],
    [
      'nesting',
      saleText({ deep: `${'['.repeat(100)}${']'.repeat(100)}` }),
      'BODY_MALFORMED',
      undefined,
    ],
  ]

  it.each(refused)('%s: 400 that names the member', async (_name, body, code, field) => {
    const before = await countRows(server)
    for (const path of VERSIONS) {
      const answer = await sign(body, path)
      expect(answer.status, answer.text).toBe(400)
      expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
      const { message, traceId, ...rest } = answer.json()
      if (field !== undefined) expect(rest.field).toBe(field)
      else delete rest.field
      expect(rest).toEqual(field === undefined ? { code } : { code, field })
      expect(String(message).length).toBeLessThan(300)
      expect(traceId).toMatch(/^[0-9a-f-]{36}$/)
    }
    expect(await countRows(server)).toEqual(before)
  })

  it('a wrong type in any member', async () => {
    const wrong: Record<string, string> = { int64: '1.5', decimal: '"x"', moment: '1' }
    const asJson = (field: { kind: string }) => wrong[field.kind] ?? 'true'
    const bodies: [string, string][] = [
      ...requestFields.map((field): [string, string] => [
        field.name,
        saleText({ [field.name]: asJson(field) }),
      ]),
      ...chargeItemFields.map((field): [string, string] => [
        `cbChargeItems[0].${field.name}`,
        saleText({ cbChargeItems: `[{"${field.name}":${asJson(field)}}]` }),
      ]),
      ...payItemFields.map((field): [string, string] => [
        `cbPayItems[1].${field.name}`,
        saleText({ cbPayItems: `[{},{"${field.name}":${asJson(field)}}]` }),
      ]),
    ]
    const before = await countRows(server)
    for (const [field, body] of bodies) {
      const answer = await sign(body)
      expect(answer.status, field).toBe(400)
      expect(answer.json()).toMatchObject({ code: 'FIELD_INVALID', field })
    }
    expect(await countRows(server)).toEqual(before)
  })

  it('and the queue goes on', async () => {
    expect((await sign(saleText())).status).toBe(200)
  })
})

/** The item that a call stored last. */
async function lastItem() {
  return server.row(`select i.*, (select count(*) from receipt_journal r
    where r.queue_item_id = i.id) as receipts, (select string_agg(a.message, '|')
    from action_journal a where a.queue_item_id = i.id) as actions
    from queue_item i where queue_id = '${server.box.queueId}' order by row desc limit 1`)
}

const numbers = (item: Record<string, unknown>) => {
  const found = /"ftReceiptIdentification":"ft([0-9A-F]+)#/.exec(String(item.response))
  return Number.parseInt(found?.[1] ?? '', 16)
}

describe('a rule of the market', () => {
  const items = { cbPayItems: '[]' }
  const rules: [string, string][] = [
    ['items on a zero receipt', saleText({ ftReceiptCase: austrianCase(2n) })],
    [
      'training on a monthly receipt',
      saleText({ ...items, cbChargeItems: '[]', ftReceiptCase: austrianCase(0x2_0005n) }),
    ],
  ]

  it.each(rules)('%s: 400, stored as an error, no number used', async (_name, body) => {
    expect((await sign(saleText())).status).toBe(200)
    const good = await lastItem()
    for (const path of VERSIONS) {
      const answer = await sign(body, path)
      expect(answer.status, answer.text).toBe(400)
      expect(answer.json()).toMatchObject({ code: 'MARKET_RULE', message: expect.any(String) })
      const item = await lastItem()
      expect(item.request).toBe(body)
      expect(item.response).toContain(ERROR_STATE)
      expect(item.response).toContain(
        `"ftSignatures":[{"ftSignatureFormat":1,${ERROR_TYPE},` +
          `"caption":"uncaught-exeption","data":${JSON.stringify(answer.json().message)}}]`,
      )
      expect(item.receipts).toBe(0n)
      expect(item.actions).toContain('0xEEEE_EEEE')
      expect(numbers(item)).toBe(numbers(good) + 1)
    }
    const next = await sign(saleText())
    expect(next.status).toBe(200)
    expect(numbers(await lastItem())).toBe(numbers(good) + 1)
  })

  it('an amount that no counter holds: 400 before anything is stored', async () => {
    expect((await sign(saleText())).status).toBe(200)
    const before = await lastItem()
    const body = saleText({
      cbChargeItems: '[{"Amount":92233720368547758.08,"VATRate":20}]',
      cbPayItems: '[{"Amount":92233720368547758.08,"ftPayItemCase":4707387510509010945}]',
    })
    for (const path of VERSIONS) {
      const answer = await sign(body, path)
      expect(answer.status, answer.text).toBe(400)
      expect(answer.json()).toMatchObject({
        code: 'FIELD_INVALID',
        message: expect.stringContaining('cbChargeItems[0].Amount'),
      })
      expect((await lastItem()).request).toBe(before.request)
    }
  })

  it('with version 2 tagging: 200 with the error state', async () => {
    const answer = await sign(saleText({ ftReceiptCase: '"0x4154200000002000"' }))
    expect(answer.status).toBe(200)
    expect(answer.text).toContain(ERROR_STATE)
  })
})

describe('a break inside the market', () => {
  it('is 500 without detail, stored as an error, and the queue goes on', async () => {
    expect((await sign(saleText())).status).toBe(200)
    const good = await lastItem()
    vi.spyOn(markets.AT, 'process').mockRejectedValue(new Error('select secret from somewhere'))
    for (const path of VERSIONS) {
      const answer = await sign(saleText(), path)
      expect(answer.status).toBe(500)
      expect(answer.json()).toMatchObject({ code: 'PROCESSING_FAILED' })
      expect(answer.text).not.toContain('select')
      const item = await lastItem()
      expect(item.response).toContain(ERROR_STATE)
      expect(item.response).not.toContain('select')
      expect(item.receipts).toBe(0n)
    }
    // a case without country gets the one of the queue
    await sign(saleText({ ftReceiptCase: '1' }))
    expect((await lastItem()).response).toContain(ERROR_STATE)
    vi.restoreAllMocks()
    expect((await sign(saleText())).status).toBe(200)
    expect(numbers(await lastItem())).toBe(numbers(good) + 1)
  })
})

describe('not now', () => {
  it('a database that is away is 503 with Retry-After', async () => {
    const config = { ...server.database.config, host: '127.0.0.1', port: 1 }
    const other = await startServer({ ...server, database: { ...server.database, config } })
    try {
      for (const path of ['/json/v1/sign', '/journal?type=1', '/echo']) {
        const answer = await call({ ...other, headers: server.headers }, path, { body: saleText() })
        expect(answer.status, answer.text).toBe(503)
        expect(answer.headers['retry-after']).toBe('1')
        expect(answer.json()).toMatchObject({ code: 'DATABASE_AWAY' })
      }
      const health = await call({ ...other, headers: server.headers }, '/health', { method: 'GET' })
      expect(health.status).toBe(503)
      const live = { method: 'GET' } as const
      expect((await call({ ...other, headers: server.headers }, '/health/live', live)).status).toBe(
        200,
      )
    } finally {
      await other.close()
    }
  })

  it('overload is 503 with Retry-After, and what was taken is signed', async () => {
    const other = await startServer(server, { signWaitingMax: 2 })
    try {
      const target = { ...other, headers: server.headers }
      const before = await countRows(server)
      const answers = await Promise.all(
        Array.from({ length: 40 }, () => call(target, '/json/v1/sign', { body: saleText() })),
      )
      const refused = answers.filter(({ status }) => status === 503)
      const signed = answers.filter(({ status }) => status === 200)
      expect(refused.length).toBeGreaterThan(0)
      expect(signed.length + refused.length).toBe(40)
      for (const { headers, json } of refused) {
        expect(headers['retry-after']).toBe('1')
        expect(json()).toMatchObject({ code: 'OVERLOADED' })
      }
      const after = await countRows(server)
      expect(Number(after.items) - Number(before.items)).toBe(signed.length)
    } finally {
      await other.close()
    }
  })
})
