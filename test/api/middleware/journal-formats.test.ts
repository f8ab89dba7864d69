// Journals as JSON, CSV and XML, asked for by query or by header.
import papaparse from 'papaparse'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { call, startTestServer, type TestServer } from '../../support/app.js'
import { saleText } from '../../support/receipts.js'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
  const body = saleText({ cbReceiptReference: '"=1+1"', cbUser: '"a;b \\"c\\"\\n<d> & é"' })
  expect((await call(server, '/sign', { body })).status).toBe(200)
})
afterAll(() => server.close())

const journal = (query: string, accept?: string) =>
  call(server, `/json/v1/journal?${query}`, { headers: { accept } })

const JSON_TYPE = 'application/json; charset=utf-8'
const CSV_TYPE = 'text/csv; charset=utf-8'
const XML_TYPE = 'application/xml; charset=utf-8'

describe('the format', () => {
  it.each([
    ['type=3', undefined, JSON_TYPE],
    ['type=3', '*/*', JSON_TYPE],
    ['type=3', 'application/json', JSON_TYPE],
    ['type=3', 'text/html, */*', JSON_TYPE],
    ['type=3', 'text/csv', CSV_TYPE],
    ['type=3', 'text/csv; q=0.9', CSV_TYPE],
    ['type=3', 'application/xml', XML_TYPE],
    ['type=3', 'text/xml', XML_TYPE],
    ['type=3&format=json', 'text/csv', JSON_TYPE],
    ['type=3&format=csv', 'application/xml', CSV_TYPE],
    ['type=3&format=XML', undefined, XML_TYPE],
    ['type=1&format=csv', undefined, CSV_TYPE],
    ['type=2&format=xml', undefined, XML_TYPE],
    ['type=16724&format=csv', undefined, CSV_TYPE],
    ['type=3&format=csv&view=receipts', undefined, CSV_TYPE],
    ['type=3&format=xml&view=receipts', undefined, XML_TYPE],
  ])('%s with Accept %s', async (query, accept, type) => {
    const answer = await journal(query, accept)
    expect(answer.status, answer.text).toBe(200)
    expect(answer.headers['content-type']).toBe(type)
    expect(answer.text.slice(0, 1)).toBe(
      { [JSON_TYPE]: '[', [CSV_TYPE]: '\ufeff', [XML_TYPE]: '<' }[type],
    )
  })

  it.each([
    ['type=3&format=pdf', 'FIELD_INVALID', 'format'],
    ['type=3&format=', 'FIELD_INVALID', 'format'],
    ['type=3&view=rows', 'FIELD_INVALID', 'view'],
    ['type=3&view=receipts', 'JOURNAL_FORMAT', undefined],
    ['type=2&view=receipts&format=csv', 'JOURNAL_FORMAT', undefined],
    ['type=0xFF&format=csv', 'JOURNAL_FORMAT', undefined],
    ['type=0&format=xml', 'JOURNAL_FORMAT', undefined],
    ['type=0x4154000000000001&format=csv', 'JOURNAL_FORMAT', undefined],
  ])('%s is 400', async (query, code, field) => {
    const answer = await journal(query)
    expect(answer.status, answer.text).toBe(400)
    expect(answer.json().code).toBe(code)
    expect(answer.json().field).toBe(field)
  })
})

describe('CSV', () => {
  it('gives every text back, but for the apostrophe before formulas', async () => {
    const { text } = await journal('type=3&format=csv')
    const { data } = papaparse.parse<Record<string, string>>(text.slice(1).trimEnd(), {
      delimiter: ';',
      header: true,
    })
    const row = await server.row('select request, response from queue_item where row = 2')
    expect(data[1]).toMatchObject({ cbReceiptReference: "'=1+1", ftQueueRow: '2' })
    expect(data[1]?.request).toBe(row.request)
    expect(data[1]?.response).toBe(row.response)
    expect(Object.keys(data[0] ?? {})[0]).toBe('ftQueueItemId')
  })
})

describe('XML', () => {
  it('holds the request as text, so that its hash can be checked', async () => {
    const { text } = await journal('type=3&format=xml')
    expect(text).toMatch(/^<\?xml version="1.0" encoding="utf-8"\?>\s*<Journal type="/i)
    const requests = [...text.matchAll(/<request>([^<]*)<\/request>/g)].map(
      (found) => found[1] ?? '',
    )
    const plain = (requests[1] ?? '')
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
      .replaceAll('&quot;', '"')
      .replaceAll('&apos;', "'")
      .replaceAll('&#xD;', '\r')
      .replaceAll('&amp;', '&')
    const row = await server.row('select request from queue_item where row = 2')
    expect(plain).toBe(row.request)
  })
})
