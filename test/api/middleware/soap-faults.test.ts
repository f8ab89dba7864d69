// Refusals of group B over SOAP: faults with useful texts, in the version of the request.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Call, call, countRows, startTestServer, type TestServer } from '../../support/app.js'
import { saleText } from '../../support/receipts.js'
import {
  ENVELOPE_11,
  ENVELOPE_12,
  envelope,
  exactMembers,
  faultOf,
  operation,
  signOperation,
} from '../../support/soap.js'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

const sale = (changes: Record<string, string | undefined> = {}) =>
  signOperation(exactMembers(saleText(changes)))
const post = (body: string | Buffer, headers: Call['headers'] = {}) =>
  call(server, `/${server.box.queueId}`, {
    body,
    headers: { 'content-type': 'text/xml; charset=utf-8', ...headers },
  })
const hello = operation('Echo', '<message>hello</message>')

describe('faults', () => {
  it.each<[string, string, string, RegExp, string]>([
    ['no XML', '<a><b></a>', 'Client', /not valid XML: 1:/, 'XML_MALFORMED'],
    ['JSON', '{"message":"hello"}', 'Client', /not valid XML/, 'XML_MALFORMED'],
    ['nothing', '', 'Client', /expected a SOAP envelope/, 'BODY_MISSING'],
    ['no envelope', hello, 'Client', /no Envelope/, 'SOAP_MALFORMED'],
    ['no body', `<s:Envelope xmlns:s="${ENVELOPE_11}"/>`, 'Client', /no Body/, 'SOAP_MALFORMED'],
    ['an empty body', envelope(''), 'Client', /Body is empty/, 'SOAP_MALFORMED'],
    ['two elements', envelope(hello + hello), 'Client', /two elements/, 'SOAP_MALFORMED'],
    [
      'an unknown operation',
      envelope(operation('Void')),
      'Client',
      /only Sign, J/,
      'SOAP_MALFORMED',
    ],
    ['no namespace', envelope('<Echo/>'), 'Client', /tempuri\.org/, 'SOAP_MALFORMED'],
    [
      'another namespace',
      envelope('<Echo xmlns="http://tempuri.org/IPOS"/>'),
      'Client',
      /not in the namespace/,
      'SOAP_MALFORMED',
    ],
    ['no receipt', envelope(operation('Sign')), 'Client', /ReceiptRequest/, 'BODY_MISSING'],
    [
      'a missing member',
      envelope(sale({ cbReceiptMoment: undefined })),
      'Client',
      /cbReceiptMoment is missing/,
      'FIELD_MISSING',
    ],
    [
      'a case of another country, as a public demo sends it',
      envelope(sale({ ftReceiptCase: '307458639793225729' })),
      'Client',
      /another country/,
      'COUNTRY_WRONG',
    ],
  ])('%s', async (_name, body, code, text, name) => {
    const before = await countRows(server)
    const answer = await post(body)
    expect([answer.status, answer.headers['content-type']]).toEqual([
      500,
      'text/xml; charset=utf-8',
    ])
    const fault = faultOf(answer.text)
    expect(fault.code).toBe(`s:${code}`)
    expect(fault.text).toMatch(text)
    expect(fault.detail).toMatchObject({ code: name, traceId: expect.any(String) })
    expect(await countRows(server)).toEqual(before)
  })

  it('another SOAP is a version mismatch', async () => {
    const answer = await post(envelope(hello, 'http://www.w3.org/2001/06/soap-envelope'))
    expect(answer.status).toBe(500)
    expect(faultOf(answer.text)).toMatchObject({
      code: 's:VersionMismatch',
      text: expect.stringMatching(/1\.1 or 1\.2/),
    })
  })

  it('an action that contradicts the element is refused', async () => {
    for (const soapaction of ['"http://tempuri.org/IPOS/Sign"', '"urn:x"', 'Sign']) {
      const answer = await post(envelope(hello), { soapaction })
      expect(faultOf(answer.text).detail.code, soapaction).toBe('SOAP_ACTION')
    }
    const type = 'application/soap+xml; action="http://tempuri.org/IPOS/Journal"'
    const answer = await post(envelope(hello, ENVELOPE_12), { 'content-type': type })
    expect(faultOf(answer.text)).toMatchObject({
      code: 's:Sender',
      detail: { code: 'SOAP_ACTION' },
    })
  })

  it('headers are ignored unless they must be understood', async () => {
    const header = (more: string, uri = 'urn:x') =>
      `<s:Header><h:Thing xmlns:h="${uri}" ${more}>1</h:Thing></s:Header>`
    const ask = async (more: string, uri?: string) =>
      post(envelope(hello, ENVELOPE_11, header(more, uri)))
    for (const more of ['', 's:mustUnderstand="0"', 's:mustUnderstand="1" s:actor="urn:else"']) {
      expect((await ask(more)).status, more).toBe(200)
    }
    const wsa = 'http://www.w3.org/2005/08/addressing'
    expect((await ask('s:mustUnderstand="1"', wsa)).status).toBe(200)
    const refused = await ask('s:mustUnderstand="1"')
    expect(faultOf(refused.text)).toMatchObject({
      code: 's:MustUnderstand',
      text: expect.stringMatching(/Thing/),
    })
  })

  it("a rule of the market is the sender's, and its item is stored", async () => {
    const { items } = await countRows(server)
    const answer = await post(envelope(sale({ ftReceiptCase: '4707387510509010946' })))
    expect(answer.status).toBe(500)
    expect(faultOf(answer.text)).toMatchObject({
      code: 's:Client',
      detail: { code: 'MARKET_RULE' },
    })
    expect(Number((await countRows(server)).items)).toBe(Number(items) + 1)
  })

  it('in SOAP 1.2 they have its form', async () => {
    const answer = await post(envelope(operation('Void'), ENVELOPE_12))
    expect([answer.status, answer.headers['content-type']]).toEqual([
      500,
      'application/soap+xml; charset=utf-8',
    ])
    expect(faultOf(answer.text)).toMatchObject({
      code: 's:Sender',
      text: expect.stringMatching(/no operation Void/),
    })
  })
})
