// Group C over SOAP: the published service, and a client that a public tool makes from our WSDL.
import { X509Certificate } from 'node:crypto'
import { BasicAuthSecurity, type Client, createClientAsync } from 'soap'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { verifies } from '../../support/group-c.js'
import {
  makeBox,
  makeServer,
  makeSigner,
  type TestBox,
  type TestServer,
  type TestSigner,
} from '../../support/make-scu.js'
import { at, ENVELOPE_12, envelope, faultOf, operation, readXml } from '../../support/soap.js'

let server: TestServer
let box: TestSigner
let url: string
beforeAll(async () => {
  server = await makeServer()
  box = await makeSigner(server)
  url = await server.app.listen({ host: '127.0.0.1', port: 0 })
})
afterAll(() => server.close())

const basic = ({ cashBoxId, accessToken }: TestBox) =>
  `Basic ${Buffer.from(`${cashBoxId}:${accessToken}`).toString('base64')}`

async function post(body: string, headers: Record<string, string> = {}) {
  const answer = await server.app.inject({
    method: 'POST',
    url: '/rksv',
    headers: { authorization: basic(box), 'content-type': 'text/xml; charset=utf-8', ...headers },
    payload: body,
  })
  return { status: answer.statusCode, headers: answer.headers, text: answer.body }
}

const signOf = (data: string) => envelope(operation('Sign', `<data>${data}</data>`))
const resultOf = (text: string, name: string) =>
  at(readXml(text), `Envelope.Body.${name}Response.${name}Result`)
const ask = async (client: Client, name: string, input: object): Promise<unknown> => {
  const answer: unknown = await client[`${name}Async`](input)
  return Array.isArray(answer) ? at(answer[0], `${name}Result`) : undefined
}

describe('a client generated from the WSDL', () => {
  it('echoes, signs, reads certificate and ZDA', async () => {
    const client = await createClientAsync(`${url}/rksv?wsdl`)
    client.setSecurity(new BasicAuthSecurity(box.cashBoxId, box.accessToken))
    expect(Object.keys(Object(at(client.describe(), 'rksv.CustomBinding_IATSSCD'))).sort()).toEqual(
      ['Certificate', 'Echo', 'Sign', 'ZDA'],
    )
    expect(await ask(client, 'Echo', { message: 'Österreich <&>' })).toBe('Österreich <&>')
    const der = Buffer.from(String(await ask(client, 'Certificate', {})), 'base64')
    expect(new X509Certificate(der).subject).toContain('AT RKSV EMULATOR')
    const data = Buffer.of(1, 2, 3, 4, 5)
    const signed = await ask(client, 'Sign', { data: data.toString('base64') })
    const signature = Buffer.from(String(signed), 'base64')
    expect(signature).toHaveLength(64)
    expect(await verifies(der, data, signature)).toBe(true)
    expect(await ask(client, 'ZDA', {})).toBe('AT100')
  })

  it('is told that its credentials are wrong', async () => {
    const client = await createClientAsync(`${url}/rksv?singleWsdl`)
    client.setSecurity(new BasicAuthSecurity(box.cashBoxId, 'x'))
    await expect(ask(client, 'ZDA', {})).rejects.toThrow(/do not belong together/)
  })
})

describe('the description', () => {
  it('needs no credentials, names the address, and has the published names', async () => {
    const reply = await fetch(`${url}/rksv?wsdl`)
    expect([reply.status, reply.headers.get('content-type')]).toEqual([
      200,
      'text/xml; charset=utf-8',
    ])
    const text = await reply.text()
    expect(text).toContain(`<soap:address location="${url}/rksv"`)
    expect(at(readXml(text), 'definitions')).toMatchObject({
      '@name': 'rksv',
      '@targetNamespace': 'http://tempuri.org/',
      types: { schema: { '@elementFormDefault': 'qualified' } },
      portType: { '@name': 'IATSSCD' },
      binding: { '@name': 'CustomBinding_IATSSCD' },
      service: { '@name': 'rksv', port: { '@name': 'CustomBinding_IATSSCD' } },
    })
    for (const name of ['Echo', 'Sign', 'Certificate', 'ZDA']) {
      expect(text).toContain(`wsaw:Action="http://tempuri.org/IATSSCD/${name}"`)
      expect(text).toContain(`wsaw:Action="http://tempuri.org/IATSSCD/${name}Response"`)
      expect(text).toContain(`<wsdl:message name="IATSSCD_${name}_OutputMessage">`)
    }
  })

  it('other methods are 405', async () => {
    for (const method of ['GET', 'PUT', 'DELETE'] as const) {
      const answer = await server.app.inject({ method, url: '/rksv' })
      expect([answer.statusCode, answer.headers.allow], method).toEqual([405, 'POST'])
    }
  })
})

describe('a call', () => {
  it('is the published example byte for byte, in both directions', async () => {
    const body = `<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body>
 <Sign xmlns="http://tempuri.org/"><data>AQIDBAU=</data></Sign>
</s:Body></s:Envelope>`
    const answer = await post(body, { soapaction: '"http://tempuri.org/IATSSCD/Sign"' })
    expect([answer.status, answer.headers['content-type']]).toEqual([
      200,
      'text/xml; charset=utf-8',
    ])
    const signature = /<SignResult>([A-Za-z0-9+/]{86}==)</.exec(answer.text)?.[1] ?? ''
    expect(answer.text).toBe(
      '<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body>' +
        '<SignResponse xmlns="http://tempuri.org/">' +
        `<SignResult>${signature}</SignResult></SignResponse></s:Body></s:Envelope>`,
    )
  })

  it('takes the headers of REST instead, Base64 in lines, and any prefix', async () => {
    const body = envelope(
      '<q:Sign xmlns:q="http://tempuri.org/"><q:data>\n AQID\r\n BAU= </q:data></q:Sign>',
    )
    const answer = await post(body, { authorization: '', ...box.headers })
    expect(resultOf(answer.text, 'Sign'), answer.text).toMatch(/^.{88}$/)
  })

  it('echoes nothing for nothing', async () => {
    for (const inner of [
      '',
      '<message xmlns:i="http://www.w3.org/2001/XMLSchema-instance" i:nil="true"/>',
    ]) {
      const answer = await post(envelope(operation('Echo', inner)))
      expect(at(resultOf(answer.text, 'Echo'), '@nil')).toBe('true')
    }
    expect(resultOf((await post(envelope(operation('Echo', '<message/>')))).text, 'Echo')).toBe('')
  })
})

describe('refused', () => {
  it.each<[string, string, string]>([
    ['no data', envelope(operation('Sign')), 'FIELD_MISSING'],
    ['empty data', signOf(''), 'FIELD_MISSING'],
    ['no Base64', signOf('AQID*'), 'FIELD_INVALID'],
    ['more than 64 KiB', signOf(Buffer.alloc(65_537).toString('base64')), 'FIELD_INVALID'],
    ['an unknown operation', envelope(operation('Journal')), 'SOAP_MALFORMED'],
    ['a document type', `<!DOCTYPE a>${signOf('AQID')}`, 'XML_MALFORMED'],
    ['no XML', 'AQIDBAU=', 'XML_MALFORMED'],
  ])('%s: a fault of the client', async (_name, body, code) => {
    const answer = await post(body)
    expect(answer.status).toBe(500)
    expect(faultOf(answer.text)).toMatchObject({ code: 's:Client', detail: { code } })
  })

  it('an action that contradicts the element', async () => {
    const answer = await post(signOf('AQID'), { soapaction: 'http://tempuri.org/IATSSCD/Echo' })
    expect(faultOf(answer.text).detail.code).toBe('SOAP_ACTION')
  })

  it('SOAP 1.2: a version mismatch, told in 1.1', async () => {
    const type = { 'content-type': 'application/soap+xml' }
    const answer = await post(envelope(operation('ZDA'), ENVELOPE_12), type)
    expect(answer.status).toBe(500)
    expect(faultOf(answer.text).code).toBe('s:VersionMismatch')
    expect(answer.headers['content-type']).toBe('text/xml; charset=utf-8')
  })

  it('missing and wrong credentials, and a box without a unit: 401', async () => {
    const bare = await makeBox(server)
    for (const authorization of ['', 'Basic eDp5', `Basic ${'e'.repeat(5000)}`, basic(bare)]) {
      const answer = await post(envelope(operation('ZDA')), { authorization })
      expect(answer.status, authorization).toBe(401)
      expect(answer.headers['www-authenticate']).toMatch(/^Basic realm=/)
      expect(faultOf(answer.text).code).toBe('s:Client')
    }
  })

  it('more than 256 KiB: 413', async () => {
    const answer = await post(signOf('A'.repeat(262_144)))
    expect([answer.status, faultOf(answer.text).detail.code]).toEqual([413, 'BODY_TOO_LARGE'])
  })

  it('a device that is switched off is our fault', async () => {
    await server.app.inject({
      method: 'PUT',
      url: `/sandbox/scus/${box.scuId}/fault`,
      headers: { ...box.headers, 'content-type': 'application/json' },
      payload: '{"steps":[{"do":"unreachable"}]}',
    })
    const answer = await post(signOf('AQID'))
    expect(answer.status).toBe(500)
    expect(faultOf(answer.text)).toMatchObject({
      code: 's:Server',
      detail: { code: 'DEVICE_FAILED' },
    })
  })
})
