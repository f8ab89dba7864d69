// Group B over REST with bodies in XML: the paths, forms and answers that its clients know.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Call, call, countRows, startTestServer, type TestServer } from '../../support/app.js'
import { saleText } from '../../support/receipts.js'
import { at, DATA, exactMembers, readXml, receiptXml } from '../../support/soap.js'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

const XML_TYPE = 'application/xml; charset=utf-8'
const JSON_TYPE = 'application/json; charset=utf-8'

const members = (changes: Record<string, string | undefined> = {}) =>
  exactMembers(saleText(changes))
const receipt = (changes?: Record<string, string | undefined>, root = 'ReceiptRequest') =>
  `<${root}>${receiptXml(members(changes))}</${root}>`

const post = (path: string, body?: string | Buffer, headers: Call['headers'] = {}) =>
  call(server, path, {
    ...(body === undefined ? {} : { body }),
    headers: { 'content-type': 'application/xml', ...headers },
  })

describe('addresses', () => {
  it.each([
    '/xml/sign',
    '/xml/v0/sign',
    '/v0/xml/sign',
    '/xml/V1/Sign',
    '/v1/xml/sign',
    '//xml/sign',
  ])('sign %s', async (path) => {
    for (const base of ['', `/${server.box.queueId}`]) {
      const answer = await post(base + path, receipt({ cbReceiptReference: JSON.stringify(path) }))
      expect(answer.status, answer.text).toBe(200)
      expect(answer.headers['content-type']).toBe(XML_TYPE)
      expect(answer.text).toContain(`xmlns="${DATA}"`)
      const response = at(readXml(answer.text), 'ReceiptResponse')
      expect(response).toMatchObject({
        ftQueueID: server.box.queueId,
        cbReceiptReference: path,
        ftState: '4707387510509010944',
      })
    }
  })

  it.each(['/xml/echo', '/xml/v0/echo', '/v0/xml/echo', '/XML/Echo'])('echo %s', async (path) => {
    const text = '<?xml version="1.0" encoding="utf-16"?><string>ä &lt; 🌍</string>'
    const answer = await post(path, text)
    expect([answer.status, answer.headers['content-type']]).toEqual([200, XML_TYPE])
    expect(answer.text).toContain('xmlns="http://schemas.microsoft.com/2003/10/Serialization/"')
    expect(at(readXml(answer.text), 'string')).toBe('ä < 🌍')
  })

  it.each(['/xml/journal', '/xml/v0/journal', '/xml/v1/journal'])(
    'journal %s gives JSON, although XML is accepted',
    async (path) => {
      const answer = await post(`${path}?type=1&from=0&to=0`, '', { accept: 'application/xml' })
      expect([answer.status, answer.headers['content-type']]).toEqual([200, JSON_TYPE])
      expect(answer.json()).toBeInstanceOf(Array)
      const asked = await post(`${path}?type=1&format=xml`, undefined, { accept: 'text/csv' })
      expect(asked.headers['content-type']).toBe(XML_TYPE)
    },
  )
})

describe('without a word in the path', () => {
  it('an XML body gets an XML answer, whatever its label says', async () => {
    for (const type of ['application/xml', 'text/xml; charset=utf-8', 'application/json', 'x']) {
      const answer = await post('/v1/sign', receipt(), { 'content-type': type })
      expect([answer.status, answer.headers['content-type']], answer.text).toEqual([200, XML_TYPE])
    }
    const echo = '<EchoRequest><Message>hello</Message></EchoRequest>'
    const answer = await post('/v1/Echo', echo)
    expect(at(readXml(answer.text), 'EchoResponse.Message')).toBe('hello')
  })

  it('what is accepted decides first', async () => {
    const json = await post('/sign', receipt(), { accept: 'application/json, text/xml;q=0.5' })
    expect(json.headers['content-type']).toBe(JSON_TYPE)
    expect(json.text).toContain('"ftState":4707387510509010944')
    const xml = await post('/sign', saleText(), { accept: 'text/xml' })
    expect(at(readXml(xml.text), 'ReceiptResponse.ftState')).toBe('4707387510509010944')
    const any = await post('/sign', saleText(), { accept: '*/*', 'content-type': 'text/xml' })
    expect(any.headers['content-type']).toBe(JSON_TYPE)
  })

  it('with one, the word decides about both', async () => {
    const xml = await post('/json/v1/sign', receipt())
    expect([xml.status, xml.json().code]).toEqual([400, 'BODY_MALFORMED'])
    const json = await post('/xml/v1/sign', saleText())
    expect([json.status, at(readXml(json.text), 'error.code')]).toEqual([400, 'XML_MALFORMED'])
  })
})

describe('a request', () => {
  it('is read in any order, case, namespace and with unknown members', async () => {
    const { cbChargeItems, ...rest } = members()
    const reversed = Object.fromEntries(Object.entries(rest).reverse())
    const items = receiptXml({ cbChargeItems }, 'q:')
    const body =
      `<q:Receipt xmlns:q="urn:x" xmlns:o="urn:y"><new>1</new>${items}` +
      `${receiptXml(reversed, 'o:').replaceAll('cbTerminalID>', 'CBTERMINALID>')}</q:Receipt>`
    const answer = await post('/xml/sign', body)
    expect(answer.status, answer.text).toBe(200)
    expect(at(readXml(answer.text), 'ReceiptResponse.cbTerminalID')).toBe('1')
  })

  it('may use the forms of XML Schema: blanks around, offsets, nil, empty numbers', async () => {
    const body = receipt()
      .replace('>2026-01-31T10:15:00Z<', '> 2026-01-31T11:15:00.1234567+01:00 <')
      .replace(/>(4707387510509010945)<\/ftR/, '>\n $1\t</ftR')
      .replace(
        '</cbPayItems>',
        '</cbPayItems><cbReceiptAmount/><cbArea i:nil="1" ' +
          'xmlns:i="http://www.w3.org/2001/XMLSchema-instance"/>',
      )
    const answer = await post('/xml/sign', body)
    expect(answer.status, answer.text).toBe(200)
    const row = await server.row('select request from queue_item order by row desc limit 1')
    expect(JSON.parse(String(row.request))).toMatchObject({
      cbReceiptMoment: '2026-01-31T10:15:00.123Z',
    })
    expect(String(row.request)).not.toMatch(/cbReceiptAmount|cbArea/)
  })

  it('is stored as JSON with exact numbers, and hashed as stored', async () => {
    const body = receipt().replaceAll('>4.9<', '>4.90<')
    expect((await post('/xml/v1/sign', body)).status).toBe(200)
    const row = await server.row(
      `select request, version, request_hash = sha256(request::bytea) as same
       from queue_item order by row desc limit 1`,
    )
    expect(row).toMatchObject({ version: 'v1', same: true })
    expect(row.request).toContain('"Amount":4.90')
    expect(row.request).toContain('"ftReceiptCase":4707387510509010945')
  })

  it('keeps texts: markup, line ends, characters beyond the first plane', async () => {
    const text = ' <a>&amp;\r\n\t"\' 🌍 '
    const answer = await post('/xml/sign', receipt({ cbReceiptReference: JSON.stringify(text) }))
    expect(answer.text).toContain('&#13;')
    const row = await server.row(
      'select receipt_reference from queue_item order by row desc limit 1',
    )
    expect(row.receipt_reference).toBe(text)
  })
})

describe('an answer', () => {
  it('has the order of the contract, and nil where a member must be there', async () => {
    const answer = await post('/xml/sign', receipt({ cbTerminalID: undefined }))
    const names = Object.keys(Object(at(readXml(answer.text), 'ReceiptResponse')))
    expect(names.filter((name) => !name.startsWith('@'))).toEqual([
      ...['ftCashBoxID', 'ftQueueID', 'ftQueueItemID', 'ftQueueRow', 'cbTerminalID'],
      ...['cbReceiptReference', 'ftCashBoxIdentification', 'ftReceiptIdentification'],
      ...['ftReceiptMoment', 'ftSignatures', 'ftState', 'ftStateData'],
    ])
    expect(answer.text).toContain('<cbTerminalID i:nil="true"')
  })

  it('to a receipt request that finds nothing is empty, in version 1 nil', async () => {
    const body = receipt({
      cbReceiptReference: '"never"',
      ftReceiptCase: String(0x4154_8000_0000_0001n),
    })
    const v0 = await post('/xml/sign', body)
    expect([v0.status, v0.text]).toEqual([204, ''])
    const v1 = await post('/xml/v1/sign', body)
    expect(v1.status).toBe(200)
    expect(at(readXml(v1.text), 'ReceiptResponse.@nil')).toBe('true')
  })

  it('of an empty echo is as empty', async () => {
    expect(await post('/xml/echo', '')).toMatchObject({ status: 200, text: '' })
    const v1 = await post('/xml/v1/echo', undefined)
    expect(at(readXml(v1.text), 'EchoResponse.Message.@nil')).toBe('true')
    const nil = '<string i:nil="true" xmlns:i="http://www.w3.org/2001/XMLSchema-instance"/>'
    expect(at(readXml((await post('/xml/echo', nil)).text), 'string.@nil')).toBe('true')
  })
})

describe('refused', () => {
  it.each<[string, string | undefined, string, string | undefined]>([
    ['an empty body', undefined, 'BODY_MISSING', undefined],
    ['no XML', '<ReceiptRequest>', 'XML_MALFORMED', undefined],
    ['a document type', `<!DOCTYPE a>${receipt()}`, 'XML_MALFORMED', undefined],
    [
      'a missing member',
      receipt({ cbReceiptMoment: undefined }),
      'FIELD_MISSING',
      'cbReceiptMoment',
    ],
    [
      'a number that is none',
      receipt().replace('>4.9<', '>4,9<'),
      'FIELD_INVALID',
      'cbChargeItems[0].Amount',
    ],
    [
      'an item that is none',
      receipt().replaceAll('ChargeItem>', 'Item>').replaceAll('ftItem', 'ftChargeItem'),
      'FIELD_INVALID',
      'cbChargeItems[0]',
    ],
    [
      'text in place of items',
      receipt().replace(/<cbPayItems>.*<\/cbPayItems>/, '<cbPayItems>x</cbPayItems>'),
      'FIELD_INVALID',
      'cbPayItems',
    ],
    [
      'elements in place of text',
      receipt().replace('<cbTerminalID>1<', '<cbTerminalID><x/><'),
      'FIELD_INVALID',
      'cbTerminalID',
    ],
    [
      'a member twice',
      receipt().replace('<cbTerminalID>', '<cbTerminalID>2</cbTerminalID><cbTerminalID>'),
      'FIELD_DOUBLED',
      'cbTerminalID',
    ],
    [
      'a text that is too long',
      receipt({ cbReceiptReference: JSON.stringify('x'.repeat(1024)) }),
      'FIELD_INVALID',
      'cbReceiptReference',
    ],
    [
      'another country',
      receipt({ ftReceiptCase: '4919338167972134913' }),
      'COUNTRY_WRONG',
      'ftReceiptCase',
    ],
  ])('%s: 400 in XML that names the member', async (_name, body, code, field) => {
    const before = await countRows(server)
    const answer = await post('/xml/sign', body)
    expect([answer.status, answer.headers['content-type']], answer.text).toEqual([400, XML_TYPE])
    const error = at(readXml(answer.text), 'error')
    expect(error).toMatchObject({ code, message: expect.any(String), traceId: expect.any(String) })
    expect(at(error, 'field')).toBe(field)
    expect(await countRows(server)).toEqual(before)
  })

  it('wrong credentials, a wrong method and a body too large in the same form', async () => {
    const wrong = await post('/xml/sign', receipt(), { accesstoken: 'x' })
    expect([wrong.status, at(readXml(wrong.text), 'error.code')]).toEqual([
      401,
      'CREDENTIALS_WRONG',
    ])
    const method = await call(server, '/xml/sign', { method: 'GET' })
    expect([method.status, at(readXml(method.text), 'error.code')]).toEqual([405, 'METHOD_WRONG'])
    const large = await post('/xml/sign', `<a>${'x'.repeat(3_000_000)}</a>`)
    expect([large.status, at(readXml(large.text), 'error.code')]).toEqual([413, 'BODY_TOO_LARGE'])
  })
})
