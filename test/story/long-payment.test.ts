// A till pays for minutes and loses its server meanwhile: one that is stopped, one that is killed,
// one that is only restarted. Whatever happened, the same call tells how it ended.
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type PosAnswer,
  posCall,
  posHeaders,
  posSale,
  posUntilAnswered,
} from '../support/group-d.js'
import { Server } from '../support/server.js'
import type { TestSettings } from '../support/settings.js'
import { Site } from '../support/site.js'
import type { Till } from '../support/stand.js'

const MINUTES = 60_000
/** Six minutes are three seconds. */
const SCALE = '0.0084'

let site: Site
let settings: TestSettings
let server: Server
let till: Till

beforeAll(async () => {
  site = await Site.make({ tills: 1, external: true })
  settings = await site.settings({ DUMMY_PAYMENT_TIME_SCALE: SCALE })
  const [only] = site.tills
  if (only === undefined) throw new Error('no till')
  till = only
  server = await Server.start(settings)
}, MINUTES)

afterAll(async () => {
  await server.kill()
  await site.remove()
})

const BODY =
  '{"Action":"payment","Protocol":"use_auto","cbPayItem":{"Description":"Card","Amount":30000.80}}'
const call = (operationId: string) => ({ path: '/v2/pay', body: BODY, operationId })
/** Until there is an answer, as clients do it. */
const pay = (id: string) => posUntilAnswered(() => server.url, till, call(id))

async function stateOf(id: string): Promise<string> {
  const look = { method: 'GET', path: `/v2/operation/${id}`, operationId: id }
  const { body } = await posCall(server.url, till, look)
  return String((JSON.parse(body) as { State: string }).State)
}

/** A payment that runs, and its client who waits for it through everything. */
async function paying(): Promise<{ id: string; waiting: Promise<PosAnswer> }> {
  const id = randomUUID()
  const waiting = pay(id)
  await begun(id)
  return { id, waiting }
}

/** A call is running from its arrival; a moment later the terminal is at work. */
async function begun(id: string): Promise<void> {
  await expect.poll(() => stateOf(id)).toBe('running')
  await sleep(500)
}

const isPaid = ({ body }: PosAnswer) => body.includes('"ftPayItemCase":')

describe('a long payment', () => {
  it(
    'ends while its server is stopped; the next one tells the result',
    async () => {
      const { id, waiting } = await paying()
      const { code } = await server.stop()
      expect(code, server.output).toBe(0)
      server = await Server.start(settings)
      const again = await pay(id)
      expect([again.status, isPaid(again)], again.body).toEqual([200, true])
      expect((await waiting).body).toBe(again.body)
      expect(await stateOf(id)).toBe('done')
    },
    2 * MINUTES,
  )

  it(
    'whose client has left ends as well while its server is stopped',
    async () => {
      const id = randomUUID()
      const leaving = new AbortController()
      const headers = posHeaders(till, id)
      const { signal } = leaving
      const sent = fetch(`${server.url}/v2/pay`, { method: 'POST', headers, body: BODY, signal })
      const left = expect(sent).rejects.toThrow('abort')
      await begun(id)
      leaving.abort()
      await left
      const { code } = await server.stop()
      expect(code, server.output).toBe(0)
      server = await Server.start(settings)
      const told = await pay(id)
      expect([told.status, isPaid(told)], told.body).toEqual([200, true])
    },
    2 * MINUTES,
  )

  it(
    'that ended before a restart is found after it',
    async () => {
      const { id, waiting } = await paying()
      const paid = await waiting
      expect(paid.status, paid.body).toBe(201)
      await server.kill()
      server = await Server.start(settings)
      const again = await pay(id)
      expect([again.status, again.body, again.contentType]).toEqual([
        ...[200, paid.body, paid.contentType],
      ])
    },
    2 * MINUTES,
  )

  it(
    'whose server was killed is never made again: the till is told to look at the terminal',
    async () => {
      const { id, waiting } = await paying()
      await server.kill()
      server = await Server.start(settings)
      const told = await pay(id)
      expect(told.status).toBe(500)
      expect(JSON.parse(told.body)).toMatchObject({
        ...{ status: '500', code: 'internal_error', instance: `/v2/pay#${id}` },
        detail: expect.stringContaining('terminal'),
      })
      const again = await pay(id)
      expect([again.status, again.body]).toEqual([500, told.body])
      expect((await waiting).body).toBe(told.body)
      const sale = { path: '/v2/sign', body: posSale(till, 'after'), operationId: randomUUID() }
      expect((await posCall(server.url, till, sale)).status, 'everything else goes on').toBe(201)
    },
    2 * MINUTES,
  )
})
