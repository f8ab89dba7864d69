// Group B over SOAP: envelopes as clients write them, answers and faults in the same version.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  addForeignBox,
  type Call,
  call,
  startServer,
  startTestServer,
  type TestServer,
} from '../../support/app.js'
import { saleText } from '../../support/receipts.js'
import {
  at,
  ENVELOPE_11,
  ENVELOPE_12,
  envelope,
  exactMembers,
  faultOf,
  operation,
  readXml,
  signOperation,
} from '../../support/soap.js'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

const members = (changes: Record<string, string | undefined> = {}) =>
  exactMembers(saleText(changes))
const sale = (changes?: Record<string, string | undefined>) => signOperation(members(changes))
const post = (body: string | Buffer, headers: Call['headers'] = {}, path?: string) =>
  call(server, path ?? `/${server.box.queueId}`, {
    body,
    headers: { 'content-type': 'text/xml; charset=utf-8', ...headers },
  })
const resultOf = (text: string, name: string) =>
  at(readXml(text), `Envelope.Body.${name}Response.${name}Result`)
const hello = operation('Echo', '<message>hello</message>')

/** The envelopes that public clients were seen to send. */
describe('a call as it is sent by', () => {
  const wsa =
    '<wsa:Action xmlns:wsa="http://www.w3.org/2005/08/addressing">http://tempuri.org/IPOS/Echo' +
    '</wsa:Action><wsa:MessageID xmlns:wsa="http://www.w3.org/2005/08/addressing">urn:uuid:1' +
    '</wsa:MessageID><wsa:To xmlns:wsa="http://www.w3.org/2005/08/addressing">' +
    'http://localhost:1200/fiskaltrust</wsa:To>'

  it.each<[string, string, Call['headers']]>([
    [
      'gSOAP',
      `<?xml version="1.0" encoding="UTF-8"?><SOAP-ENV:Envelope xmlns:SOAP-ENV="${ENVELOPE_11}" ` +
        'xmlns:SOAP-ENC="http://schemas.xmlsoap.org/soap/encoding/" ' +
        'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" ' +
        'xmlns:xsd="http://www.w3.org/2001/XMLSchema" xmlns:ns1="http://tempuri.org/">' +
        '<SOAP-ENV:Body><ns1:Echo><ns1:message>hello</ns1:message></ns1:Echo></SOAP-ENV:Body>' +
        '</SOAP-ENV:Envelope>',
      { soapaction: '"http://tempuri.org/IPOS/Echo"', connection: 'close' },
    ],
    [
      'zeep, with addressing headers that name another address',
      `<soap-env:Envelope xmlns:soap-env="${ENVELOPE_11}"><soap-env:Header>${wsa}` +
        '</soap-env:Header><soap-env:Body><ns0:Echo xmlns:ns0="http://tempuri.org/">' +
        '<ns0:message>hello</ns0:message></ns0:Echo></soap-env:Body></soap-env:Envelope>',
      { soapaction: '"http://tempuri.org/IPOS/Echo"' },
    ],
    ['.NET', envelope(hello), { soapaction: '"http://tempuri.org/IPOS/Echo"', expect: undefined }],
    [
      'somebody who leaves the quotes out',
      envelope(hello),
      { soapaction: 'http://tempuri.org/IPOS/Echo' },
    ],
    ['somebody with an empty action', envelope(hello), { soapaction: '""' }],
    ['somebody without an action', envelope(hello), {}],
    ['somebody without a type', envelope(hello), { 'content-type': undefined }],
    [
      'somebody with white space and comments',
      `\ufeff<?xml version="1.0"?>\n<!-- x -->\n<?x y?>\n${envelope(`\n ${hello}\n `)}\n`,
      {},
    ],
  ])('%s', async (_name, body, headers) => {
    const answer = await post(body, headers)
    expect(answer.status, answer.text).toBe(200)
    expect(answer.headers['content-type']).toBe('text/xml; charset=utf-8')
    expect(resultOf(answer.text, 'Echo')).toBe('hello')
    expect(answer.text).toContain(`="${ENVELOPE_11}"`)
  })

  it('SOAP 1.2, answered in kind', async () => {
    const type = 'application/soap+xml; charset=utf-8; action="http://tempuri.org/IPOS/Echo"'
    const answer = await post(envelope(hello, ENVELOPE_12), { 'content-type': type })
    expect([answer.status, answer.headers['content-type']]).toEqual([
      200,
      'application/soap+xml; charset=utf-8',
    ])
    expect(answer.text).toContain(`="${ENVELOPE_12}"`)
    expect(resultOf(answer.text, 'Echo')).toBe('hello')
  })

  it('version 1: both spellings of its names, and an object to echo', async () => {
    const nested = '<message><Message>hello</Message></message>'
    const v1 = await post(envelope(operation('v1_x002F_Echo', nested)), {
      soapaction: '"http://tempuri.org/IPOS/v1/Echo"',
    })
    const path = 'Envelope.Body.v1_x002F_EchoResponse.v1_x002F_EchoResult.Message'
    expect(at(readXml(v1.text), path), v1.text).toBe('hello')
    const plain = await post(envelope(operation('Echo', nested)), {
      soapaction: 'http://tempuri.org/IPOS/v1/Echo',
    })
    expect(at(resultOf(plain.text, 'Echo'), 'Message'), plain.text).toBe('hello')
    const signed = await post(
      envelope(sale().replaceAll('Sign', 'v1_x002F_Sign').replaceAll('data', 'request')),
    )
    const state = 'Envelope.Body.v1_x002F_SignResponse.v1_x002F_SignResult.ftState'
    expect(at(readXml(signed.text), state), signed.text).toBe('4707387510509010944')
    const { version } = await server.row('select version from queue_item order by row desc limit 1')
    expect(version).toBe('v1')
  })
})

describe('addresses', () => {
  it('the queue, with and without a slash, in capitals; aliases; the bare address', async () => {
    const { queueId } = server.box
    const other = await startServer(server, { QUEUE_ALIASES: `fiskaltrust=${queueId}` })
    try {
      const { headers } = server
      const paths = [
        `/${queueId}/`,
        `/${queueId.toUpperCase()}`,
        '/fiskaltrust',
        '//FISKALTRUST/',
        '/',
      ]
      for (const path of paths) {
        const body = envelope(sale())
        const answer = await call({ ...other, headers }, path, { body })
        expect(at(resultOf(answer.text, 'Sign'), 'ftQueueID'), answer.text).toBe(queueId)
      }
    } finally {
      await other.close()
    }
  })

  it('what is no queue is 404, a foreign queue is a fault that tells nothing', async () => {
    const word = await post(envelope(hello), {}, '/nobody')
    expect([word.status, faultOf(word.text).detail.code]).toEqual([404, 'ROUTE_UNKNOWN'])
    const json = await post('{}', { 'content-type': 'application/json' }, '/nobody')
    expect([json.status, json.json().code]).toEqual([404, 'ROUTE_UNKNOWN'])
    const { queueId } = await addForeignBox(server)
    const texts = new Set<string>()
    for (const id of [queueId, '0e0af2cb-1a2b-4c3d-8e9f-001122334455']) {
      const answer = await post(envelope(hello), {}, `/${id}`)
      expect(answer.status).toBe(500)
      const { code, text } = faultOf(answer.text)
      texts.add(`${code} ${text.replace(id, 'ID')}`)
    }
    expect([...texts]).toEqual(['s:Client There is no queue ID here.'])
  })

  it.each(['GET', 'PUT', 'DELETE', 'PATCH'])(
    '%s is 405 at a queue, and 404 elsewhere',
    async (method) => {
      const ask = async (path: string) => {
        const { status } = await fetch(`${server.url}/${path}`, { method })
        return status
      }
      expect(await ask(server.box.queueId)).toBe(405)
      expect(await ask('nobody')).toBe(404)
    },
  )
})

describe('credentials', () => {
  const basic = (user: string, password: string) =>
    `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`
  const none = { cashboxid: undefined, accesstoken: undefined }

  it('come by HTTP Basic or by the two headers', async () => {
    const { cashboxid, accesstoken } = server.headers
    const authorization = basic(cashboxid, accesstoken)
    const answer = await post(envelope(sale()), { ...none, authorization })
    expect(at(resultOf(answer.text, 'Sign'), 'ftCashBoxID'), answer.text).toBe(cashboxid)
    expect((await post(envelope(hello), { authorization: 'Basic !' })).status).toBe(200)
  })

  it.each<[string, (own: TestServer['headers']) => Record<string, string>]>([
    ['missing', () => ({})],
    ['wrong', ({ cashboxid }) => ({ authorization: basic(cashboxid, 'x') })],
    ['no Base64', () => ({ authorization: 'Basic ***' })],
    ['without a colon', () => ({ authorization: 'Basic eA==' })],
    ['another scheme', ({ accesstoken }) => ({ authorization: `Bearer ${accesstoken}` })],
  ])('%s: 401 that asks for Basic, before the envelope is read', async (_name, headers) => {
    for (const body of [envelope(hello), '<not xml']) {
      const answer = await post(body, { ...none, ...headers(server.headers) })
      expect(answer.status).toBe(401)
      expect(answer.headers['www-authenticate']).toMatch(/^Basic realm=/)
      expect(faultOf(answer.text).code).toBe('s:Client')
    }
  })

  it('a locally hosted server asks for none', async () => {
    const QUEUE_ALIASES = `*=${server.box.queueId}`
    const local = await startServer(server, { MIDDLEWARE_AUTH: 'off', QUEUE_ALIASES })
    try {
      const { queueId, cashBoxId } = server.box
      const target = { ...local, headers: { cashboxid: '', accesstoken: '' } }
      const body = envelope(sale({ ftCashBoxID: JSON.stringify(cashBoxId) }))
      const answer = await call(target, `/${queueId}`, { body })
      expect(at(resultOf(answer.text, 'Sign'), 'ftQueueID'), answer.text).toBe(queueId)
      const bare = await call(target, '/', { body: envelope(operation('Journal')) })
      expect(resultOf(bare.text, 'Journal'), bare.text).toMatch(/^[A-Za-z0-9+/]+=*$/)
    } finally {
      await local.close()
    }
  })
})

describe('Sign', () => {
  it('answers in the order of the contract with the members under their own prefix', async () => {
    const answer = await post(envelope(sale()))
    const names = [...answer.text.matchAll(/<(a:ft\w+|a:cb\w+)[ >]/g)].map(([, name]) => name)
    expect(names.filter((name) => !String(name).startsWith('a:ftSignature'))).toEqual([
      ...['a:ftCashBoxID', 'a:ftQueueID', 'a:ftQueueItemID', 'a:ftQueueRow', 'a:cbTerminalID'],
      ...['a:cbReceiptReference', 'a:ftCashBoxIdentification', 'a:ftReceiptIdentification'],
      ...['a:ftReceiptMoment', 'a:ftState', 'a:ftStateData'],
    ])
    const item = /<a:SignaturItem>.*?<\/a:SignaturItem>/.exec(answer.text)?.[0] ?? ''
    expect([...item.matchAll(/<a:(\w+)>/g)].map(([, name]) => name)).toEqual([
      ...['SignaturItem', 'ftSignatureFormat', 'ftSignatureType', 'Caption', 'Data'],
    ])
    expect(answer.text).toContain('<SignResponse xmlns="http://tempuri.org/"')
  })

  it('takes receipts without lines, with empty lists, and with nil where nothing is', async () => {
    for (const lists of [
      { cbChargeItems: '[]', cbPayItems: '[]' },
      { cbChargeItems: 'null', cbPayItems: 'null', cbReceiptAmount: 'null', cbUser: 'null' },
      { cbChargeItems: undefined, cbPayItems: undefined },
    ]) {
      const answer = await post(envelope(sale({ ...lists, ftReceiptCase: '4707387510509010946' })))
      expect(at(resultOf(answer.text, 'Sign'), 'ftState'), answer.text).toBe('4707387510509010944')
    }
  })

  it('takes the members of the older contract', async () => {
    const body = sale({ ftPosSystemId: undefined, cbPreviousReceiptID: '"r-0"' })
    expect((await post(envelope(body))).status).toBe(200)
    const row = await server.row('select request from queue_item order by row desc limit 1')
    expect(JSON.parse(String(row.request))).toMatchObject({ cbPreviousReceiptReference: 'r-0' })
  })

  it('of a receipt request is nil, or the receipt that was found', async () => {
    const flagged = (reference: string) => ({
      cbReceiptReference: JSON.stringify(reference),
      ftReceiptCase: String(0x4154_8000_0000_0001n),
    })
    const none = await post(envelope(sale(flagged('never'))))
    expect([none.status, at(resultOf(none.text, 'Sign'), '@nil')]).toEqual([200, 'true'])
    const first = await post(envelope(sale({ cbReceiptReference: '"found"' })))
    const again = await post(envelope(sale(flagged('found'))))
    expect(again.text).toBe(first.text)
  })
})

describe('Journal', () => {
  const journal = async (inner: string, name = 'Journal') => {
    const answer = await post(envelope(operation(name, inner)))
    expect(answer.status, answer.text).toBe(200)
    return Buffer.from(String(resultOf(answer.text, 'Journal')), 'base64').toString()
  }

  it('is the same bytes as over REST, in one element', async () => {
    for (const type of [0, 1, 2, 3, 0xff, 0x4154]) {
      const rest = await call(server, `/journal?type=${type}`)
      expect(await journal(`<ftJournalType>${type}</ftJournalType><from>0</from><to>0</to>`)).toBe(
        rest.text,
      )
    }
    const dep = await call(server, '/journal?type=0x4154000000000001')
    expect(await journal('<ftJournalType>4707387510509010945</ftJournalType>')).toBe(dep.text)
  })

  it('takes the parameter of the older contract, ranges, and nothing at all', async () => {
    const rows = JSON.parse(await journal('<type>3</type><from/><to>-2</to>')) as unknown[]
    expect(rows).toHaveLength(2)
    expect(JSON.parse(await journal(''))).toMatchObject({ Assembly: expect.any(String) })
  })

  it('of an unknown type is a fault, not a broken stream', async () => {
    const inner = '<ftJournalType>5067112530745229313</ftJournalType>'
    const answer = await post(envelope(operation('Journal', inner)))
    expect(answer.status).toBe(500)
    expect(faultOf(answer.text)).toMatchObject({
      code: 's:Client',
      text: expect.stringContaining('0x4652000000000001'),
      detail: { code: 'JOURNAL_TYPE_UNKNOWN' },
    })
    const wrong = await post(envelope(operation('Journal', '<from>x</from>')))
    expect(faultOf(wrong.text).detail).toMatchObject({ code: 'FIELD_INVALID', field: 'from' })
  })
})
