// The demo shop with its reports: looks of the planner, moments moved in the database, and calls.
import { randomUUID } from 'node:crypto'
import type { AccountAccess } from '../../src/core/accounts/accounts.js'
import { planReports } from '../../src/core/event/report/planner.js'
import { everyFacts } from '../../src/market/index.js'
import { send } from './http.js'
import { accountHeaders, openPlatform, type PlatformShop } from './platform.js'

export interface Report {
  id: string
  kind: string
  title: string
  state: string
  subject: string
  occasion: string
  operatorId: string
  queueId: string | null
  moment: string
  due: string
  doneOn: string | null
  reference: string | null
  note: string | null
  doneBy: string | null
}

const ENGLISH = { 'accept-language': 'en' }

export interface Called {
  as?: AccountAccess
  method?: string
  body?: unknown
  headers?: Record<string, string>
}

export interface ReportShop extends PlatformShop {
  sql(text: string, ...values: unknown[]): Promise<Record<string, unknown>[]>
  /** How many reports are new. */
  look(at?: Date): Promise<number | undefined>
  call(path: string, called?: Called): Promise<{ status: number; text: string; type: string }>
  json<T>(path: string, called?: Called): Promise<T>
  /** `query` without the question mark. */
  reports(query?: string, as?: AccountAccess): Promise<Report[]>
  /** An outage of the demo's Queue, `hours` long from so many hours ago; null: it goes on. */
  outage(cause: 'device' | 'register', ago: string, long: string | null): Promise<string>
}

export async function openReports(): Promise<ReportShop> {
  const shop = await openPlatform()
  const { store } = shop.deps
  const sql: ReportShop['sql'] = async (text, ...values) =>
    (await store.pool.query(text, values)).rows as Record<string, unknown>[]
  await sql("update report_start set at = '2020-01-01'")
  const call: ReportShop['call'] = async (path, { as = shop.dealer, ...called } = {}) => {
    const { body, method = body === undefined ? 'GET' : 'POST', headers = {} } = called
    const usual = { ...accountHeaders(as), 'content-type': 'application/json', ...ENGLISH }
    return send(shop.url, {
      method,
      path: `/platform/v1/${path}`,
      headers: { ...usual, ...headers },
      body: body === undefined ? undefined : JSON.stringify(body),
    })
  }
  const json: ReportShop['json'] = async <T>(path: string, called?: Called) =>
    JSON.parse((await call(path, called)).text) as T
  return {
    ...{ ...shop, sql, call, json },
    look: (at) =>
      planReports({ store, facts: everyFacts }, { restMs: 0, ...(at === undefined ? {} : { at }) }),
    reports: async (query = '', as = shop.dealer) =>
      (await json<{ items: Report[] }>(`submissions?limit=200&${query}`, { as })).items,
    outage: async (cause, ago, long) => {
      const id = randomUUID()
      await sql(
        `insert into outage (account_id, id, queue_id, cash_box_id, cause, began_at, ended_at)
         values ($1, $2, $3, $4, $5, date_trunc('milliseconds', now()) - $6::interval,
           date_trunc('milliseconds', now()) - $6::interval + $7::interval)`,
        ...[shop.operatorId, id, shop.box.queueId, shop.box.cashBoxId, cause, ago, long],
      )
      return id
    },
  }
}
