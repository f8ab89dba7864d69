import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Answer, call, certificate, sign } from '../../support/group-c.js'
import {
  makeBox,
  makeScu,
  makeServer,
  makeSigner,
  type TestServer,
  type TestSigner,
} from '../../support/make-scu.js'

const BASE = '/api/v0/iatsscd'
const OPERATIONS = [
  { method: 'POST', path: `${BASE}/echo`, body: { message: 'x' } },
  { method: 'POST', path: `${BASE}/sign`, body: { dataBase64: 'AQ==' } },
  { method: 'GET', path: `${BASE}/certificate` },
  { method: 'GET', path: `${BASE}/zda` },
] as const

let server: TestServer
let box: TestSigner

beforeAll(async () => {
  server = await makeServer()
  box = await makeSigner(server)
})
afterAll(() => server.close())

/** Problem details with our members, and nothing else. */
function expectProblem({ status, headers, body }: Answer, code: string): void {
  expect(String(headers['content-type'])).toMatch(/^application\/problem\+json/)
  const { field, ...rest } = body
  expect(rest).toEqual({
    type: 'about:blank',
    title: expect.any(String),
    status,
    detail: expect.any(String),
    code,
    traceId: expect.stringMatching(/^[0-9a-f-]{36}$/),
  })
  expect(['undefined', 'string']).toContain(typeof field)
}

describe.each(OPERATIONS)('$method $path', (operation) => {
  async function refused(headers: Record<string, string>): Promise<Answer> {
    const answer = await call(server.app, { ...operation, headers })
    expect(answer.status).toBe(401)
    return answer
  }
  it('without a token is refused', async () => {
    const { cashboxid } = box.headers
    expectProblem(await refused({ cashboxid }), 'CREDENTIALS_MISSING')
  })
  it('without a cash box is refused', async () => {
    const { accesstoken } = box.headers
    expectProblem(await refused({ accesstoken }), 'CREDENTIALS_MISSING')
  })
  it('with the token of another cash box is refused', async () => {
    const other = await makeSigner(server)
    const headers = { ...box.headers, accesstoken: other.accessToken }
    expectProblem(await refused(headers), 'CREDENTIALS_WRONG')
  })
  it.each([randomUUID(), 'no-guid'])('with the unknown cash box %s is refused', async (id) => {
    expectProblem(await refused({ ...box.headers, cashboxid: id }), 'CREDENTIALS_WRONG')
  })
  it('with a cash box that holds no signing unit is refused', async () => {
    expectProblem(await refused((await makeBox(server)).headers), 'SCU_NONE')
  })
  it('with a cash box whose only unit is deactivated is refused', async () => {
    const held = await makeBox(server)
    await makeScu(server, held, { mode: 99 })
    expectProblem(await refused(held.headers), 'SCU_NONE')
  })
  it('with another method is refused and told the right one', async () => {
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const) {
      if (method === operation.method) continue
      const { path } = operation
      const answer = await call(server.app, { method, path, headers: box.headers })
      expect([answer.status, answer.headers.allow]).toEqual([405, operation.method])
      expectProblem(answer, 'METHOD_WRONG')
    }
  })
})

describe('bodies of sign', () => {
  async function refused(body: unknown, code: string): Promise<Answer> {
    const path = `${BASE}/sign`
    const answer = await call(server.app, { method: 'POST', path, headers: box.headers, body })
    expect(answer.status).toBe(400)
    expectProblem(answer, code)
    return answer
  }

  it.each(['{"dataBase64":', 'AQIDBAU=', '"AQIDBAU="', '[]', 'null', '{"dataBase64":"AQ=="} x'])(
    'that are no JSON object are refused: %s',
    async (body) => {
      await refused(body, 'BODY_MALFORMED')
    },
  )
  it('that are no UTF-8 are refused', async () => {
    const { statusCode } = await server.app.inject({
      method: 'POST',
      url: `${BASE}/sign`,
      headers: { ...box.headers, 'content-type': 'application/json' },
      payload: Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d]),
    })
    expect(statusCode).toBe(400)
  })
  it('that are empty are refused', async () => {
    await refused(' ', 'BODY_MISSING')
  })
  it('that nest a hundred thousand levels deep are refused', async () => {
    await refused('['.repeat(100_000), 'BODY_MALFORMED')
  })
  it.each([{}, { dataBase64: null }, { dataBase64: '' }, { data: 'AQ==' }])(
    'without data are refused: %j',
    async (body) => {
      expect((await refused(body, 'FIELD_MISSING')).body.field).toBe('dataBase64')
    },
  )
  it.each([[5], [true], [['AQ==']], [{}]])(
    'with data that is no text are refused: %j',
    async (dataBase64) => {
      await refused({ dataBase64 }, 'FIELD_INVALID')
    },
  )
  it.each([
    'AQ-_',
    'AQ==\n',
    ' AQ==',
    'A',
    'AQIDB',
    'AQ=',
    'AQI==',
    'A===',
    '=',
    'AQ==AQ==',
    'AQ*=',
  ])('with text that is no standard Base64 are refused: %j', async (dataBase64) => {
    expect((await refused({ dataBase64 }, 'FIELD_INVALID')).body.field).toBe('dataBase64')
  })
  it.each([65_537, 100_000, 200_000, 3_000_000])(
    'with %i bytes of data are refused',
    async (bytes) => {
      const dataBase64 = Buffer.alloc(bytes).toString('base64')
      expect((await refused({ dataBase64 }, 'FIELD_INVALID')).body.detail).toContain('65536')
    },
  )
})

describe('bodies of echo', () => {
  it.each([[5], [true], [['x']], [{}]])(
    'with a message that is no text are refused: %j',
    async (message) => {
      const request = { method: 'POST', path: `${BASE}/echo`, headers: box.headers } as const
      const answer = await call(server.app, { ...request, body: { message } })
      expect(answer.status).toBe(400)
      expectProblem(answer, 'FIELD_INVALID')
    },
  )
  it('beyond 256 KiB are refused as too large', async () => {
    const request = { method: 'POST', path: `${BASE}/echo`, headers: box.headers } as const
    const answer = await call(server.app, { ...request, body: { message: 'x'.repeat(262_144) } })
    expect(answer.status).toBe(413)
    expectProblem(answer, 'BODY_TOO_LARGE')
  })
})

describe('addresses', () => {
  it.each(['nothing', 'sign/twice'])('%j below the path of the group is a problem', async (end) => {
    const path = `${BASE}/${end}`
    const answer = await call(server.app, { method: 'GET', path, headers: box.headers })
    expect(answer.status).toBe(404)
    expectProblem(answer, 'ROUTE_UNKNOWN')
  })
})

describe('guessing', () => {
  it('is stopped at the eleventh wrong token, and right ones pass all the same', async () => {
    const guessed = await makeSigner(server)
    const headers = { ...guessed.headers, accesstoken: 'guess' }
    const path = `${BASE}/zda`
    const statuses: number[] = []
    for (let turn = 1; turn <= 11; turn += 1) {
      statuses.push((await call(server.app, { method: 'GET', path, headers })).status)
    }
    expect(statuses).toEqual([...Array<number>(10).fill(401), 429])
    const answer = await call(server.app, { method: 'GET', path, headers })
    expectProblem(answer, 'CREDENTIALS_LIMITED')
    expect(answer.headers['retry-after']).toBe('60')
    expect((await sign(server.app, guessed, 'AQ==')).status).toBe(200)
  })
})

describe('other servers', () => {
  it('headers are asked for where group B asks for none', async () => {
    const local = await makeServer({
      database: server.database,
      env: { MIDDLEWARE_AUTH: 'off' },
    })
    const answer = await call(local.app, { method: 'GET', path: `${BASE}/zda` })
    expect(answer.status).toBe(401)
    await local.close()
  })
  it('production refuses a device with its key in the server, and says why', async () => {
    const production = await makeServer({
      database: server.database,
      env: { ENVIRONMENT: 'production' },
    })
    const answer = await sign(production.app, box, 'AQ==')
    expect(answer.status).toBe(500)
    expectProblem(answer, 'SOFTWARE_DEVICE')
    expect(answer.body.detail).toContain('ALLOW_SOFTWARE_DEVICES')
    await production.close()
  })
  it('production signs with it where the administrator allowed it', async () => {
    const production = await makeServer({
      database: server.database,
      env: { ENVIRONMENT: 'production', ALLOW_SOFTWARE_DEVICES: 'true' },
    })
    expect((await sign(production.app, box, 'AQ==')).status).toBe(200)
    await production.close()
  })
  it('the group can be mounted below a prefix', async () => {
    const mounted = await makeServer({
      database: server.database,
      env: { MOUNT_SIGNING_DEVICE: '/device' },
    })
    const { headers } = box
    const at = async (path: string) =>
      (await call(mounted.app, { method: 'GET', path, headers })).status
    expect(await at(`/device${BASE}/zda`)).toBe(200)
    expect(await at(`${BASE}/zda`)).toBe(404)
    await mounted.close()
  })
})

describe('secrets', () => {
  it('no answer shows the token or the key of the device', async () => {
    const units = await server.deps.store.pool.query<{ secrets_sealed: Buffer }>(
      'select secrets_sealed from scu where id = $1',
      [box.scuId],
    )
    const sealed = units.rows[0]?.secrets_sealed ?? Buffer.alloc(0)
    const opened = server.deps.store.sealer.open(sealed, `scu:${box.scuId}`)
    const key = String(JSON.parse(opened).privateKeyPkcs8Base64)
    const der = await certificate(server.app, box)
    const wrong = await sign(server.app, box, box.accessToken)
    const shown = JSON.stringify([der.toString('base64'), wrong.body])
    expect(key.length).toBeGreaterThan(100)
    expect(shown).not.toContain(key.slice(60, 100))
    expect(shown).not.toContain(box.accessToken)
  })
})
