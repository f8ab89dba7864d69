// One process, one port: groups are reached by prefix or by host name, and production keeps its
// promises.
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { call, type Server, startServer, startTestServer, type TestServer } from '../support/app.js'
import { saleText } from '../support/receipts.js'

let server: TestServer
const others: Server[] = []
beforeAll(async () => {
  server = await startTestServer()
})
afterEach(async () => {
  for (const other of others.splice(0)) await other.close()
})
afterAll(() => server.close())

async function mounted(variables: Record<string, string>) {
  const other = await startServer(server, variables)
  others.push(other)
  return { ...other, headers: server.headers }
}

describe('a prefix', () => {
  it('stands in front of every address of the group, and of no other', async () => {
    const one = await mounted({ MOUNT_MIDDLEWARE: '/mw/pos' })
    const base = `/mw/pos/${server.box.queueId}`
    expect((await call(one, `${base}/json/v1/sign`, { body: saleText() })).status).toBe(200)
    expect((await call(one, '//MW//pos/json/V0/echo', { body: '"x"' })).text).toBe('"x"')
    expect((await call(one, `${base}/journal?type=1`)).status).toBe(200)
    expect((await call(one, base, { method: 'GET' })).status).toBe(405)
    expect((await call(one, '/json/v1/sign', { body: saleText() })).status).toBe(404)
    expect((await call(one, '/health', { method: 'GET' })).status).toBe(200)
    const page = await call(one, '/docs/middleware/openapi.json', { method: 'GET' })
    const { servers, paths } = page.json() as { servers: object[]; paths: object }
    expect(servers).toMatchObject([{ url: '/mw/pos' }])
    expect(Object.keys(paths)).toContain('/{queue}/json/v1/sign')
  })
})

describe('a host name', () => {
  it('leads to the group under that name only, with any port and in any case', async () => {
    const one = await mounted({ MOUNT_MIDDLEWARE: 'pos.example.com' })
    const statusOf = async (host: string) =>
      (await call(one, '/json/v1/sign', { body: saleText(), headers: { host } })).status
    expect(await statusOf('pos.example.com')).toBe(200)
    expect(await statusOf('pos.example.com:8443')).toBe(200)
    expect(await statusOf('POS.Example.COM')).toBe(200)
    for (const host of ['example.com', 'xpos.example.com', 'posXexample.com', '127.0.0.1:8080']) {
      expect(await statusOf(host), host).toBe(404)
    }
  })

  it('goes together with a prefix, and with a port of its own', async () => {
    const one = await mounted({
      MOUNT_MIDDLEWARE: 'pos.example.com:8443/mw',
      MOUNT_SIGNING_DEVICE: 'scd.example.com',
    })
    const headers = (host: string) => ({ headers: { host }, body: '"x"' })
    expect((await call(one, '/mw/echo', headers('pos.example.com:8443'))).status).toBe(200)
    expect((await call(one, '/mw/echo', headers('pos.example.com'))).status).toBe(404)
    // there group D is alone
    const other = await call(one, '/echo', headers('pos.example.com:8443'))
    expect([other.status, other.json().code]).toEqual([400, 'missing_header'])
    const body = '{"message":"x"}'
    const device = { headers: { host: 'scd.example.com' }, body }
    expect((await call(one, '/api/v0/iatsscd/echo', device)).status).toBe(200)
    expect((await call(one, '/api/v0/iatsscd/echo', { body })).status).toBe(404)
  })

  it('two groups under two names keep the same words apart', async () => {
    const one = await mounted({
      MOUNT_MIDDLEWARE: 'pos.example.com/api',
      MOUNT_SIGNING_DEVICE: 'scd.example.com',
    })
    const echo = (host: string, body: string) => call(one, '/api/echo', { headers: { host }, body })
    expect((await echo('pos.example.com', '"x"')).text).toBe('"x"')
    expect((await echo('scd.example.com', '{"message":"x"}')).json()).toEqual({ message: 'x' })
  })
})

describe('production', () => {
  const sign = (target: Awaited<ReturnType<typeof mounted>>) =>
    call(target, '/json/v1/sign', { body: saleText() })

  it('refuses software signing devices, and stores nothing', async () => {
    const before = await server.row('select count(*) from queue_item')
    const answer = await sign(await mounted({ ENVIRONMENT: 'production' }))
    expect(answer.status).toBe(500)
    expect(answer.json()).toMatchObject({
      code: 'SOFTWARE_DEVICE',
      message: expect.stringContaining('ALLOW_SOFTWARE_DEVICES'),
    })
    expect(await server.row('select count(*) from queue_item')).toEqual(before)
  })

  it('takes them when the operator insists, without the sandbox mark', async () => {
    const variables = { ENVIRONMENT: 'production', ALLOW_SOFTWARE_DEVICES: 'true' }
    const answer = await sign(await mounted(variables))
    expect(answer.status, answer.text).toBe(200)
    expect(answer.text).not.toContain('S A N D B O X')
    expect(answer.text).not.toContain('ftStateData')
    expect((await sign(await mounted({}))).text).toContain('S A N D B O X')
  })

  it('answers no fault scripts', async () => {
    const one = await mounted({ ENVIRONMENT: 'production' })
    const path = `/sandbox/scus/${server.box.scuIds[0]}/fault`
    for (const method of ['GET', 'PUT', 'DELETE'] as const) {
      const body = method === 'PUT' ? { body: '{"steps":[]}' } : {}
      expect((await call(one, path, { method, ...body })).status).toBe(404)
    }
  })
})
