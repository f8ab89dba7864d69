// A shop whose receipts are issued, with what the tests of group E need: readers, apps, deliveries.
import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { createReceiptApp } from '../../src/core/accounts/accounts.js'
import { headersOf } from './app.js'
import { type Pair, unknownPair } from './pairs.js'
import { posHeaders } from './pos-server.js'
import type { TestSettings } from './settings.js'
import { openShop, type Shop } from './shop.js'
import { signedPair } from './signed-pair.js'

export const CHROME = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/png,*/*;q=0.8'

export interface App {
  appId: string
  appSecret: string
}

/** An app as it calls; what is left out is not sent. */
export interface Caller extends Partial<App> {
  headers?: Record<string, string>
}

export interface ReceiptDesk {
  shop: Shop
  /** Issues a receipt of the shop's queue; with members one that nobody here has signed. */
  issued(members?: Parameters<typeof unknownPair>[0]): Promise<Pair>
  /** As a browser, unless the headers say otherwise. */
  open(path: string, headers?: Record<string, string>, method?: 'GET' | 'HEAD'): Promise<Answer>
  /** As the shop's till. */
  till(method: 'GET' | 'POST' | 'PUT', path: string, body?: string): Promise<Answer>
  app(name: string, shareUrl?: string): Promise<App>
  /** PUT by an app. */
  act(pair: Pair, app: Caller, body: unknown): Promise<Answer>
  /** Sets how receipts of the queue look. */
  settings(document: object): Promise<void>
  deliveries(pair: Pair): Promise<{ Count: number; Items: Record<string, unknown>[] }>
  close(): Promise<void>
}

type Answer = Awaited<ReturnType<Shop['app']['inject']>>

export const pathOf = ({ queueId, queueItemId }: Pair): string => `/${queueId}/${queueItemId}`

export async function openReceiptDesk(variables: TestSettings = {}): Promise<ReceiptDesk> {
  const settings = { DATABASE_POOL: '5', jobs: false, ...variables }
  const shop = await openShop(settings, undefined, { countries: ['AT'] })
  const till: ReceiptDesk['till'] = (method, url, body) =>
    shop.app.inject({
      method,
      url,
      headers: { ...posHeaders(shop.box), 'content-type': 'application/json' },
      ...(body === undefined ? {} : { payload: body }),
    })
  const deps = { store: shop.deps.store, now: () => new Date() }
  return {
    shop,
    till,
    issued: async (members) => {
      const pair = members === undefined ? await signedPair(shop) : unknownPair(members)
      const answer = await till('POST', '/v2/issue', pair.body)
      expect(answer.statusCode, answer.body).toBe(201)
      return pair
    },
    open: (url, headers = {}, method = 'GET') =>
      shop.app.inject({ method, url, headers: { accept: CHROME, ...headers } }),
    app: (name, shareUrl) => createReceiptApp(deps, { name, shareUrl: shareUrl ?? null }),
    act: (pair, app, body) =>
      shop.app.inject({
        method: 'PUT',
        url: pathOf(pair),
        headers: {
          'content-type': 'application/json',
          ...(app.appId === undefined ? {} : { 'x-app-id': app.appId }),
          ...(app.appSecret === undefined ? {} : { 'x-app-secret': app.appSecret }),
          ...app.headers,
        },
        payload: typeof body === 'string' ? body : JSON.stringify(body),
      }),
    settings: async (document) => {
      const answer = await shop.app.inject({
        method: 'POST',
        url: `/v1/configuration/${shop.box.queueId}/receiptsettings`,
        headers: { ...headersOf(shop.box), 'content-type': 'application/json' },
        payload: JSON.stringify(document),
      })
      expect(answer.statusCode, answer.body).toBe(200)
    },
    deliveries: async (pair) =>
      (await till('GET', `/v2/issue${pathOf(pair)}/deliveries`)).json<{
        Count: number
        Items: Record<string, unknown>[]
      }>(),
    close: () => shop.close(),
  }
}

/** A pair of ids under which nobody has issued anything. */
export const nowhere = (): Pair => ({ queueId: randomUUID(), queueItemId: randomUUID(), body: '' })
