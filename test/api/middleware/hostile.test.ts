// Whatever comes in: texts return unchanged, everything else is a 4xx, and the queue goes on.
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { JsonObject, parseJson } from '../../../src/lib/json.js'
import {
  chargeItemFields,
  payItemFields,
  requestFields,
} from '../../../src/model/receipt-fields.js'
import { call, startTestServer, type TestServer } from '../../support/app.js'
import { NAUGHTY_STRINGS } from '../../support/naughty-strings.js'
import { parts } from '../../support/parts.js'
import { saleText } from '../../support/receipts.js'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

const SIGN = '/json/v1/sign'

/** A sale with the text in every member that is a text. */
function everywhere(text: string): string {
  const json = JSON.stringify(text)
  const texts = (fields: readonly { kind: string; name: string }[]) =>
    fields.filter(({ kind }) => kind === 'text').map(({ name }) => [name, json])
  const item = (fields: Parameters<typeof texts>[0], more: string) =>
    `[{${texts(fields).map(([name, value]) => `"${name}":${value}`)},${more}}]`
  return saleText({
    ...Object.fromEntries(texts(requestFields)),
    cbChargeItems: item(chargeItemFields, '"Amount":1,"VATRate":20'),
    cbPayItems: item(payItemFields, '"Amount":1,"ftPayItemCase":1'),
    [JSON.stringify(`x${text}`).slice(1, -1)]: json,
  })
}

describe('a text', () => {
  it('returns unchanged from every member that holds one', async () => {
    expect(NAUGHTY_STRINGS.length).toBeGreaterThan(150)
    for (const text of NAUGHTY_STRINGS) {
      const body = everywhere(text)
      const answer = await call(server, SIGN, { body })
      expect(answer.status, `${JSON.stringify(text)}: ${answer.text}`).toBe(200)
      expect(answer.json()).toMatchObject({ cbTerminalID: text, cbReceiptReference: text })
      const row = await server.row(
        'select request, terminal_id, receipt_reference from queue_item where id = $1',
        [answer.json().ftQueueItemID],
      )
      expect(row).toEqual({ request: body, terminal_id: text, receipt_reference: text })
    }
  })

  it('returns unchanged from the journal', async () => {
    const { text } = await call(server, '/journal?type=3')
    const rows = JSON.parse(text) as Record<string, string>[]
    const told = rows.slice(1).map((row) => row.cbReceiptReference)
    expect(told).toEqual(NAUGHTY_STRINGS)
    for (const row of rows.slice(1)) {
      const request = JSON.parse(row.request ?? '') as Record<string, unknown>
      expect(request.cbUser).toBe(row.cbReceiptReference)
    }
  })

  it('returns unchanged from echo', async () => {
    for (const text of NAUGHTY_STRINGS) {
      const v0 = await call(server, '/v0/echo', { body: JSON.stringify(text) })
      expect(JSON.parse(v0.text)).toBe(text)
      const v1 = await call(server, '/v1/echo', { body: JSON.stringify({ message: text }) })
      expect(v1.json()).toEqual({ message: text })
    }
  })

  it('in a header, a path or a query is a 4xx', async () => {
    for (const text of NAUGHTY_STRINGS) {
      // a letter in front: a path of dots alone is another path for every client
      const word = `q${encodeURIComponent(text)}`.slice(0, 2000)
      const path = await call(server, `/${word}/json/v1/sign`, { body: saleText() })
      expect([400, 404], text).toContain(path.status)
      const query = await call(server, `/journal?type=${word}&from=${word}&format=${word}`)
      expect(query.status, text).toBe(400)
      const cashboxid = Buffer.from(text)
        .toString('latin1')
        .replace(/[\r\n]/g, '')
      const header = await call(server, SIGN, { body: saleText(), headers: { cashboxid } })
      expect([401, 429], text).toContain(header.status)
    }
  })
})

/** Pieces that hurt, to be put anywhere. */
const pieces = fc.constantFrom(
  ...['{', '}', '[', ']', '"', ':', ',', '\\', '\\u0000', '\\ud800', 'null', 'NaN', '-', '1e999'],
  ...[
    '0x',
    '""',
    '[]',
    '{}',
    '[[[[',
    '/Date(',
    '\u0000',
    '\ufeff',
    'ÿ',
    '🌍',
    '99999999999999999999',
  ],
  ...[
    '-1',
    '1e-400',
    'true',
    '"ftReceiptCase":',
    '"cbChargeItems":',
    '[null]',
    '4919338167972134913',
  ],
)

type Mutation = (text: string) => string

const place = (at: number, text: string) => Math.floor(at * (text.length + 1))

const mutations: fc.Arbitrary<Mutation> = fc.oneof(
  fc.tuple(parts, pieces).map(
    ([at, piece]): Mutation =>
      (text) =>
        text.slice(0, place(at, text)) + piece + text.slice(place(at, text)),
  ),
  fc.tuple(parts, fc.nat({ max: 40 })).map(
    ([at, count]): Mutation =>
      (text) =>
        text.slice(0, place(at, text)) + text.slice(place(at, text) + count),
  ),
  fc.tuple(parts, fc.nat({ max: 40 })).map(
    ([at, count]): Mutation =>
      (text) =>
        text.slice(0, place(at, text) + count) + text.slice(place(at, text)),
  ),
  // another value for any one member
  fc.tuple(fc.nat({ max: 30 }), pieces).map(
    ([which, piece]): Mutation =>
      (text) => {
        let count = 0
        return text.replace(/:("[^"]*"|[\d.]+)/g, (found) =>
          count++ === which ? `:${piece}` : found,
        )
      },
  ),
)

const paths = fc.constantFrom(
  ...['/json/v1/sign', '/sign', '/v0/echo', '/v1/echo', '/json/echo', '/journal?type=3&from='],
)

describe('mutations', () => {
  it('of calls give an answer below 500 in the form of group B', async () => {
    const calls = fc.record({
      path: paths,
      type: fc.constantFrom('application/json', 'text/xml', 'x', '', 'application/json; charset=x'),
      changes: fc.array(mutations, { minLength: 1, maxLength: 4 }),
    })
    await fc.assert(
      fc.asyncProperty(calls, async ({ path, type, changes }) => {
        const body = changes.reduce((text, change) => change(text), saleText())
        const tail = path.endsWith('=') ? encodeURIComponent(body.slice(0, 500)) : ''
        const headers = { 'content-type': type === '' ? undefined : type }
        const answer = await call(server, path + tail, { body, headers })
        expect(answer.status, answer.text).toBeLessThan(500)
        if (answer.status >= 400) {
          expect(answer.json()).toMatchObject({
            message: expect.any(String),
            code: expect.stringMatching(/^[A-Z_]+$/),
            traceId: expect.any(String),
          })
        }
      }),
      { numRuns: 200 },
    )
  })

  it('of bytes as well', async () => {
    const calls = fc.tuple(
      fc.array(fc.tuple(fc.nat(), fc.nat({ max: 255 })), { maxLength: 6 }),
      paths,
    )
    await fc.assert(
      fc.asyncProperty(calls, async ([changes, path]) => {
        const body = Buffer.from(saleText())
        for (const [at, byte] of changes) body[at % body.length] = byte
        expect((await call(server, path, { body })).status).toBeLessThan(500)
      }),
      { numRuns: 200 },
    )
  })

  it('left the queue in order: rows without gap, and the next receipt is signed', async () => {
    const answer = await call(server, SIGN, { body: saleText() })
    expect(answer.status).toBe(200)
    const { count, last } = await server.row(
      'select count(*)::int as count, max(row)::int as last from queue_item',
    )
    expect(count).toBe(last)
    const value = parseJson(answer.text)
    expect(value instanceof JsonObject && value.names.includes('ftState')).toBe(true)
  })
})
