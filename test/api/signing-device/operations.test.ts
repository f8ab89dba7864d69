import { X509Certificate } from 'node:crypto'
import { compactVerify, importX509 } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { call, certificate, sign, verifies } from '../../support/group-c.js'
import {
  makeBox,
  makeScu,
  makeServer,
  makeSigner,
  type TestServer,
  type TestSigner,
} from '../../support/make-scu.js'

const BASE = '/api/v0/iatsscd'
let server: TestServer
let box: TestSigner

beforeAll(async () => {
  server = await makeServer()
  box = await makeSigner(server)
})
afterAll(() => server.close())

function post(path: string, body: unknown) {
  return call(server.app, { method: 'POST', path, headers: box.headers, body })
}

function get(path: string) {
  return call(server.app, { method: 'GET', path, headers: box.headers })
}

describe('echo', () => {
  it.each([
    'Hello, Österreich! 🧾',
    '',
    ' blank around ',
    '\ttab and\r\nlines',
    '"quotes" \\ and \u2028',
  ])('returns %j exactly', async (message) => {
    const { status, body } = await post(`${BASE}/echo`, { message })
    expect(status).toBe(200)
    expect(body).toEqual({ message })
  })
  it('returns null for null', async () => {
    expect((await post(`${BASE}/echo`, { message: null })).body).toEqual({ message: null })
  })
  it('returns no message where none was sent', async () => {
    expect((await post(`${BASE}/echo`, {})).body).toEqual({ message: null })
  })
  it('returns a long text unchanged', async () => {
    const message = 'ä€🧾'.repeat(20_000)
    expect((await post(`${BASE}/echo`, { message })).body).toEqual({ message })
  })
})

describe('sign', () => {
  it.each([
    ['the five bytes 1,2,3,4,5', Buffer.of(1, 2, 3, 4, 5)],
    ['one byte', Buffer.of(0)],
    ['bytes that are no text', Buffer.from(Array.from({ length: 256 }, (_, index) => index))],
    ['64 KiB', Buffer.alloc(65_536, 'receipt')],
  ])('signs %s so that the certificate verifies them', async (_name, data) => {
    const { status, body } = await sign(server.app, box, data.toString('base64'))
    expect(status).toBe(200)
    expect(Object.keys(body)).toEqual(['signedDataBase64'])
    const text = String(body.signedDataBase64)
    expect(text).toMatch(/^[A-Za-z0-9+/]{86}==$/)
    const der = await certificate(server.app, box)
    const signature = Buffer.from(text, 'base64')
    expect(await verifies(der, data, signature)).toBe(true)
    expect(await verifies(der, Buffer.concat([data, data]), signature)).toBe(false)
  })

  it('makes the third part of a JWS that a JOSE library accepts', async () => {
    const payload = Buffer.from('_R1-AT100_box_1_2016-03-11T04:24:44_0,00').toString('base64url')
    const input = `eyJhbGciOiJFUzI1NiJ9.${payload}`
    const { body } = await sign(server.app, box, Buffer.from(input).toString('base64'))
    const signature = Buffer.from(String(body.signedDataBase64), 'base64').toString('base64url')
    const pem = new X509Certificate(await certificate(server.app, box)).toString()
    const verified = await compactVerify(`${input}.${signature}`, await importX509(pem, 'ES256'))
    expect(Buffer.from(verified.payload).toString('base64url')).toBe(payload)
  })

  it.each(['AQIDBAU', 'AQIDBAU='])('reads %s, with and without padding', async (text) => {
    const { body } = await sign(server.app, box, text)
    const signature = Buffer.from(String(body.signedDataBase64), 'base64')
    const der = await certificate(server.app, box)
    expect(await verifies(der, Buffer.of(1, 2, 3, 4, 5), signature)).toBe(true)
  })
})

describe('certificate and ZDA', () => {
  it('the certificate is X.509 with a P-256 key and names the signing unit', async () => {
    const { status, body } = await get(`${BASE}/certificate`)
    expect(status).toBe(200)
    expect(Object.keys(body)).toEqual(['certificateBase64'])
    const read = new X509Certificate(Buffer.from(String(body.certificateBase64), 'base64'))
    expect(read.publicKey.asymmetricKeyDetails?.namedCurve).toBe('prime256v1')
    expect(read.subject).toContain(box.scuId)
  })
  it('ZDA is AT100 unless the unit is configured otherwise', async () => {
    expect(await get(`${BASE}/zda`)).toMatchObject({ status: 200, body: { zda: 'AT100' } })
    const other = await makeSigner(server, { configuration: { zda: 'AT9' } })
    const { headers } = other
    const answer = await call(server.app, { method: 'GET', path: `${BASE}/zda`, headers })
    expect(answer.body).toEqual({ zda: 'AT9' })
  })
})

describe('spellings', () => {
  it.each(['/API/V0/IATSSCD/', '/api/v0/IAtSscd/', '/api/', '/API/'])(
    'the operations answer below %s',
    async (base) => {
      expect((await post(`${base}Echo`, { message: 'x' })).body).toEqual({ message: 'x' })
      expect((await post(`${base}SIGN`, { dataBase64: 'AQ==' })).status).toBe(200)
      expect((await get(`${base}Certificate`)).status).toBe(200)
      expect((await get(`${base}ZDA`)).body).toEqual({ zda: 'AT100' })
    },
  )
  it.each(['dataBase64', 'DataBase64', 'DATABASE64', 'database64'])(
    'the property %s is understood',
    async (name) => {
      expect((await post(`${BASE}/sign`, { [name]: 'AQIDBAU=' })).status).toBe(200)
    },
  )
  it('answers are in camel case, whatever the request is in', async () => {
    expect((await post('/api/echo', { Message: 'x' })).body).toEqual({ message: 'x' })
  })
  it('members that nobody asked for are ignored', async () => {
    const body = { dataBase64: 'AQ==', extra: { deep: [1, 2] } }
    expect((await post(`${BASE}/sign`, body)).status).toBe(200)
  })
  it('a body without a content type is read as JSON', async () => {
    const { statusCode } = await server.app.inject({
      method: 'POST',
      url: `${BASE}/echo`,
      headers: box.headers,
      payload: Buffer.from('{"message":"x"}'),
    })
    expect(statusCode).toBe(200)
  })
})

describe('several units in a cash box', () => {
  it('the oldest one in normal mode signs; backups and deactivated ones do not', async () => {
    const held = await makeBox(server)
    await makeScu(server, held, { mode: 99 })
    await makeScu(server, held, { mode: 1 })
    const first = await makeScu(server, held)
    await makeScu(server, held)
    const der = await certificate(server.app, held)
    expect(new X509Certificate(der).subject).toContain(first)
  })
  it('the second byte of the mode is a time-out, not a rank', async () => {
    const held = await makeSigner(server, { mode: 0x0500 })
    expect((await sign(server.app, held, 'AQ==')).status).toBe(200)
  })
})

describe('the API page', () => {
  it('shows the four Austrian operations once, with their messages', async () => {
    const path = '/docs/signing-device/openapi.json'
    const { body } = await call(server.app, { method: 'GET', path })
    const paths = body.paths as Record<string, Record<string, Record<string, unknown>>>
    const austrian = Object.keys(paths).filter((one) => !one.includes('/idesscd/'))
    expect(austrian.sort()).toEqual([
      ...['certificate', 'echo', 'sign', 'zda'].map((name) => `${BASE}/${name}`),
      '/rksv',
    ])
    expect(Object.keys(paths[`${BASE}/sign`] ?? {})).toEqual(['post'])
    expect(JSON.stringify(paths[`${BASE}/sign`])).toContain('/SignResponse"')
    expect(JSON.stringify(body)).toContain('signedDataBase64')
  })
})
