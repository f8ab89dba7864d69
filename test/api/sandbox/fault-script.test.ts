import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Answer, call } from '../../support/group-c.js'
import {
  makeBox,
  makeQueue,
  makeScu,
  makeServer,
  makeSigner,
  type TestBox,
  type TestServer,
  type TestSigner,
} from '../../support/make-scu.js'

const STEPS = [
  { do: 'garbage', calls: 12 },
  { do: 'delay', calls: 1, ms: 20 },
  { do: 'unreachable' },
]

let server: TestServer
let box: TestSigner

beforeAll(async () => {
  server = await makeServer()
})
afterAll(() => server.close())
beforeEach(async () => {
  box = await makeSigner(server)
})

type Method = 'PUT' | 'GET' | 'DELETE'

function fault(method: Method, body?: unknown, scuId = box.scuId): Promise<Answer> {
  const path = `/sandbox/scus/${scuId}/fault`
  return call(server.app, { method, path, headers: box.headers, body })
}

async function rows<T extends object>(sql: string, values: unknown[]): Promise<T[]> {
  const found = await server.deps.store.pool.query<T>(sql, values)
  return found.rows
}

interface QueueRow {
  version: bigint
  time_stamp: bigint
}

async function queueRow(id: string): Promise<QueueRow> {
  const [row] = await rows<QueueRow>('select version, time_stamp from queue where id = $1', [id])
  if (row === undefined) throw new Error('no queue')
  return row
}

interface ActionRow {
  type: string
  message: string
  data_json: string
  time_stamp: bigint
}

function actions(queueId: string): Promise<ActionRow[]> {
  return rows<ActionRow>(
    `select type, message, data_json, time_stamp from action_journal
     where queue_id = $1 order by time_stamp`,
    [queueId],
  )
}

async function unitVersion(): Promise<bigint> {
  const [row] = await rows<{ version: bigint }>('select version from scu where id = $1', [
    box.scuId,
  ])
  return row?.version ?? -1n
}

describe('setting, showing and clearing', () => {
  it('answers with the unit and its steps', async () => {
    const { scuId } = box
    expect(await fault('GET')).toMatchObject({ status: 200, body: { scuId, steps: [] } })
    expect(await fault('PUT', { steps: STEPS })).toMatchObject({ status: 200 })
    expect((await fault('GET')).body).toEqual({ scuId, steps: STEPS })
    const cleared = await fault('DELETE')
    expect([cleared.status, cleared.body]).toEqual([200, { scuId, steps: [] }])
    expect((await fault('GET')).body).toEqual({ scuId, steps: [] })
  })
  it('a new script takes the place of the old one', async () => {
    await fault('PUT', { steps: STEPS })
    const steps = [{ do: 'error', calls: 1 }]
    expect((await fault('PUT', { steps })).body).toEqual({ scuId: box.scuId, steps })
  })
  it('the id of the unit and the path are read in any case', async () => {
    const path = `/Sandbox/SCUS/${box.scuId.toUpperCase()}/Fault`
    const { headers } = box
    const answer = await call(server.app, { method: 'GET', path, headers })
    expect(answer.body).toEqual({ scuId: box.scuId, steps: [] })
  })
  it('the API page shows the three calls', async () => {
    const { body } = await call(server.app, { method: 'GET', path: '/docs/sandbox/openapi.json' })
    const paths = body.paths as Record<string, object>
    expect(Object.keys(paths['/sandbox/scus/{scuId}/fault'] ?? {}).sort()).toEqual([
      'delete',
      'get',
      'put',
    ])
  })
})

describe('journals of the queues that use the unit', () => {
  it('setting and clearing are entries in each of them', async () => {
    const queues = [
      await makeQueue(server, box, [box.scuId]),
      await makeQueue(server, box, [box.scuId]),
    ]
    const other = await makeQueue(server, box, [await makeScu(server, box)])
    await fault('PUT', { steps: STEPS })
    await fault('DELETE')
    for (const queueId of queues) {
      const found = await actions(queueId)
      expect(found.map((row) => row.type)).toEqual(['FaultScript-set', 'FaultScript-cleared'])
      for (const row of found) {
        expect(row.message).toContain(box.scuId)
        expect(JSON.parse(row.data_json)).toEqual({ scuId: box.scuId, steps: STEPS })
      }
    }
    expect(await actions(other)).toEqual([])
  })
  it('move the version of unit and queue, and keep the order of time stamps', async () => {
    const queueId = await makeQueue(server, box, [box.scuId])
    // a clock that was ahead when the last receipt was signed
    await rows('update queue set time_stamp = time_stamp + 36000000000 where id = $1', [queueId])
    const before = await queueRow(queueId)
    const version = await unitVersion()
    await fault('PUT', { steps: STEPS })
    await fault('DELETE')
    const after = await queueRow(queueId)
    expect(after.version).toBe(before.version + 2n)
    expect(await unitVersion()).toBe(version + 2n)
    const stamps = (await actions(queueId)).map((row) => row.time_stamp)
    expect(stamps).toEqual([before.time_stamp + 1n, before.time_stamp + 2n])
    expect(after.time_stamp).toBe(before.time_stamp + 2n)
  })
  it('clearing what was never set is no event', async () => {
    const queueId = await makeQueue(server, box, [box.scuId])
    expect((await fault('DELETE')).status).toBe(200)
    expect(await actions(queueId)).toEqual([])
  })
  it('the end of a step during a call of the device is an entry too', async () => {
    const queueId = await makeQueue(server, box, [box.scuId])
    await fault('PUT', { steps: [{ do: 'error', calls: 2 }, { do: 'unreachable' }] })
    const before = await queueRow(queueId)
    const path = '/api/v0/iatsscd/sign'
    const request = { method: 'POST', path, headers: box.headers } as const
    const body = { dataBase64: 'AQ==' }
    expect((await call(server.app, { ...request, body })).status).toBe(500)
    expect((await queueRow(queueId)).version).toBe(before.version)
    expect((await call(server.app, { ...request, body })).status).toBe(500)
    const types = (await actions(queueId)).map((row) => row.type)
    expect(types).toEqual(['FaultScript-set', 'FaultScript-ended'])
    expect((await queueRow(queueId)).version).toBe(before.version + 1n)
  })
})

describe('who may', () => {
  const calls = [
    ['PUT', { steps: STEPS }],
    ['GET', undefined],
    ['DELETE', undefined],
  ] as const

  it.each(calls)(
    '%s: a unit of somebody else looks like one that does not exist',
    async (method, body) => {
      const foreign = await makeSigner(server)
      const seen = await fault(method, body, foreign.scuId)
      const unknown = await fault(method, body, randomUUID())
      expect([seen.status, unknown.status]).toEqual([404, 404])
      expect(seen.body.code).toBe('SCU_UNKNOWN')
      expect(Object.keys(seen.body)).toEqual(Object.keys(unknown.body))
      expect((await fault(method, body, 'no-guid')).status).toBe(404)
      const [row] = await rows<{ fault_script: string | null }>(
        'select fault_script from scu where id = $1',
        [foreign.scuId],
      )
      expect(row).toEqual({ fault_script: null })
    },
  )
  it('a unit in another cash box of the same operator is not reached either', async () => {
    const path = `/sandbox/scus/${box.scuId}/fault`
    const other: TestBox = await makeBox(server)
    const answer = await call(server.app, { method: 'GET', path, headers: other.headers })
    expect(answer.status).toBe(404)
  })
  it.each(calls)('%s: headers are needed, in the body of group B', async (method, body) => {
    const path = `/sandbox/scus/${box.scuId}/fault`
    const none = await call(server.app, { method, path, body })
    expect([none.status, none.body.code]).toEqual([401, 'CREDENTIALS_MISSING'])
    const headers = { ...box.headers, accesstoken: 'wrong' }
    const wrong = await call(server.app, { method, path, headers, body })
    expect([wrong.status, wrong.body.code]).toEqual([401, 'CREDENTIALS_WRONG'])
    expect(wrong.body.message).toEqual(expect.any(String))
  })
  it.each(calls)('%s: production answers 404, with and without headers', async (method, body) => {
    const { database } = server
    const env = { ENVIRONMENT: 'production', ALLOW_SOFTWARE_DEVICES: 'true' }
    const production = await makeServer({ database, env })
    const path = `/sandbox/scus/${box.scuId}/fault`
    for (const headers of [box.headers, {}]) {
      const answer = await call(production.app, { method, path, headers, body })
      expect(answer.status).toBe(404)
    }
    await production.close()
    expect((await fault('GET')).body.steps).toEqual([])
  })
})

describe('scripts that are no scripts', () => {
  it.each([
    [[{ do: 'explode' }], 'steps[0].do'],
    [[{ do: 'error', calls: 1 }, { do: 'memory-full' }], 'steps[1].do'],
    [[{ do: 'error', calls: 0 }], 'steps[0].calls'],
    [[{ do: 'error', calls: 1.5 }], 'steps[0].calls'],
    [[{ do: 'error' }, { do: 'error' }, { do: 'delay', calls: 1 }], 'steps[2].ms'],
    [[{ do: 'delay', ms: -1 }], 'steps[0].ms'],
    [[{ do: 'error', times: 3 }], 'steps[0]'],
    [[{ calls: 1 }], 'steps[0].do'],
    [['error'], 'steps[0]'],
    [[], 'steps'],
    [{ do: 'error' }, 'steps'],
    ['error', 'steps'],
  ])('%j is refused, naming %s', async (steps, field) => {
    await fault('PUT', { steps: STEPS })
    const { status, body } = await fault('PUT', { steps })
    expect([status, body.field]).toEqual([400, field])
    expect(body.message).toContain(field)
    expect((await fault('GET')).body.steps).toEqual(STEPS)
  })
  it('a kind of another market is refused with those that the device knows', async () => {
    const { body } = await fault('PUT', { steps: [{ do: 'pin-locked' }] })
    expect(body.message).toContain('unreachable')
    expect(body.message).not.toContain('pin-locked')
  })
  it.each([[{}], [{ steps: STEPS, more: 1 }], [[]], ['{"steps":']])(
    'the body %j is refused',
    async (body) => {
      expect((await fault('PUT', body)).status).toBe(400)
    },
  )
  it('a device outside this server takes no script', async () => {
    const scuId = await makeScu(server, box, {
      package: 'fiskalwerk.SCU.AT.Remote',
      url: 'https://signer.example',
      configuration: { cashboxid: randomUUID(), accesstoken: 'token' },
    })
    const { status, body } = await fault('PUT', { steps: STEPS }, scuId)
    expect([status, body.field]).toEqual([400, 'steps[0].do'])
  })
})
