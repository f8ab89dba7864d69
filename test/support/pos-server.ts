// A server with the calls of group D: real database, and operations of the test's own where it
// wants some.
import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import type { Prepare } from '../../src/api/possystem/call.js'
import type { PosSystemParts } from '../../src/api/possystem/deps.js'
import { preparing } from '../../src/api/possystem/run.js'
import { buildApp } from '../../src/app.js'
import type { TestSettings } from './settings.js'
import { openShop, type Shop } from './shop.js'

export interface PosServer extends Shop {
  /** The four headers of the Austrian cash box, with a new operation id each time. */
  headers(more?: Headers): Record<string, string>
  row(sql: string, values?: unknown[]): Promise<Record<string, unknown>>
}

export type Headers = Record<string, string | undefined>

export async function startPosServer(
  variables: TestSettings = {},
  given: Omit<PosSystemParts, 'sign'> & { sign?: Prepare } = {},
): Promise<PosServer> {
  const shop = await openShop({ DATABASE_POOL: '4', ...variables }, undefined, {
    countries: ['AT'],
  })
  const { deps } = shop
  const { sign, ...rest } = given
  const parts: PosSystemParts =
    sign === undefined ? rest : { ...rest, sign: preparing(deps.operations, sign) }
  // the shop's own app goes on listening; what is called here is one with the test's operations
  const app = await buildApp({ ...deps, possystem: { ...deps.possystem, parts } })
  await app.ready()
  return {
    ...shop,
    app,
    headers: (more = {}) => posHeaders(shop.box, more),
    row: async (sql, values = []) => {
      const found = await deps.store.pool.query<Record<string, unknown>>(sql, values)
      return found.rows[0] ?? {}
    },
    close: async () => {
      await app.close()
      await shop.close()
    },
  }
}

export function posHeaders(
  box: { cashBoxId: string; accessToken: string },
  more: Headers = {},
): Record<string, string> {
  const all: Headers = {
    'x-cashbox-id': box.cashBoxId,
    'x-cashbox-accesstoken': box.accessToken,
    'x-operation-id': randomUUID(),
    'x-possystem-id': '00000000-0000-0000-0000-000000000000',
    ...more,
  }
  return Object.fromEntries(
    Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined),
  )
}

export interface PosCallInput {
  method?: 'GET' | 'POST' | 'PUT' | 'DELETE' | 'PATCH' | 'OPTIONS' | 'HEAD'
  headers?: Record<string, string>
  body?: string | Buffer
}

/** POST unless told; a body is JSON unless the headers say otherwise. */
export async function posCall(
  app: FastifyInstance,
  url: string,
  { method = 'POST', headers = {}, body }: PosCallInput = {},
) {
  const type = body === undefined ? {} : { 'content-type': 'application/json; charset=utf-8' }
  const answer = await app.inject({
    method,
    url,
    headers: { ...type, ...headers },
    ...(body === undefined ? {} : { payload: body }),
  })
  return {
    status: answer.statusCode,
    headers: answer.headers,
    text: answer.body,
    json: () => JSON.parse(answer.body) as Record<string, unknown>,
  }
}

export type PosReply = Awaited<ReturnType<typeof posCall>>
