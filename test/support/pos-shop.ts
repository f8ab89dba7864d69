// A server of group D with everything real behind it: database, port, signing units, payments, and
// cash boxes of both countries.
import { randomUUID } from 'node:crypto'
import type { ConnectionTimes } from '../../src/api/shared/connection.js'
import { createAccount } from '../../src/core/accounts/accounts.js'
import { createCashBox, createQueue, createScu } from '../../src/core/rollout/create.js'
import { marketOf } from '../../src/market/index.js'
import { startServer } from './app.js'
import type { TestDatabase } from './db.js'
import {
  type WireBox,
  type WireCall,
  type WireHeaders,
  type WireReply,
  wire,
  wireHeaders,
} from './pos-wire.js'
import type { TestSettings } from './settings.js'
import { openShop, type Shop } from './shop.js'

export interface PosBox extends WireBox {
  market: string
  accountId: string
  queueId: string
}

export interface SendOptions extends Omit<WireCall, 'body'> {
  id?: string
  headers?: WireHeaders
  /** Instead of the shop's own server. */
  url?: string
}

/** A body, and how it is sent. */
type Sent = [body?: string | object, options?: SendOptions]

export interface PosShop extends Shop {
  at: PosBox
  de: PosBox
  /** A cash box of an account of its own; its queue gets no start receipt unless told. */
  more(market: 'AT' | 'DE', started?: boolean): Promise<PosBox>
  /** With all headers of the box; POST unless told otherwise. */
  send(box: WireBox, path: string, ...sent: Sent): Promise<WireReply>
  /** GET with the headers of the box. */
  read(box: WireBox, path: string, headers?: WireHeaders): Promise<WireReply>
  /** How many rows everything has that a call may write. */
  counts(): Promise<Record<string, string>>
  rows(sql: string, values?: unknown[]): Promise<Record<string, unknown>[]>
  /** A further server on the same database. */
  beside(variables?: TestSettings, times?: ConnectionTimes): Promise<BesideServer>
}

export interface BesideServer {
  url: string
  server: Awaited<ReturnType<typeof startServer>>
  close(): Promise<void>
}

const TABLES = [
  ...['operation', 'queue_item', 'receipt_journal', 'action_journal', 'market_row'],
  ...['payment', 'issued_receipt', 'issued_address', 'delivery'],
]

export async function openPosShop(
  variables: TestSettings = {},
  countries: readonly ('AT' | 'DE')[] = ['AT', 'DE'],
  database?: TestDatabase,
): Promise<PosShop> {
  const settings = { DATABASE_POOL: '4', RATE_LIMITS: 'credentials=0', ...variables }
  const shop = await openShop(settings, undefined, { countries, ...(database && { database }) })
  const { pool } = shop.deps.store
  const rows: PosShop['rows'] = async (sql, values = []) =>
    (await pool.query<Record<string, unknown>>(sql, values)).rows
  const send: PosShop['send'] = (box, path, ...[body, options = {}]) => {
    const { id, headers, url, ...call } = options
    return wire(url ?? shop.url, path, {
      ...call,
      headers: wireHeaders(box, { ...(id && { 'x-operation-id': id }), ...headers }),
      ...(body === undefined ? {} : { body: bodyText(body) }),
    })
  }
  const boxOf = (market: string): PosBox => {
    const box = shop.demo.cashBoxes.find((one) => one.market === market)
    return { ...EMPTY, ...box, accountId: shop.demo.operator.accountId }
  }
  return {
    ...shop,
    at: boxOf('AT'),
    de: boxOf('DE'),
    rows,
    send,
    read: (box, path, headers = {}) =>
      wire(shop.url, path, { method: 'GET', headers: wireHeaders(box, headers) }),
    counts: async () => {
      const parts = TABLES.map((name) => `(select count(*) from ${name})::text as ${name}`)
      const heads = `(select sum(version) from queue)::text as versions`
      return (await rows(`select ${[...parts, heads].join(', ')}`))[0] as Record<string, string>
    },
    more: async (market, started = false) => {
      const box = await newBox(shop, market)
      if (started) await start(send, box)
      return box
    },
    beside: async (more = {}, times) => {
      const server = await startServer(shop, { RATE_LIMITS: 'credentials=0', ...more }, times)
      const url = await server.app.listen({ host: '127.0.0.1', port: 0 })
      return { url, server, close: server.close }
    },
  }
}

const EMPTY = { market: '', cashBoxId: '', accessToken: '', queueId: '' }

const bodyText = (body: string | object): string => (typeof body === 'string' ? body : jsonOf(body))

/** bigint as digits. */
export function jsonOf(value: object): string {
  return JSON.stringify(value, (_name, one: unknown) =>
    typeof one === 'bigint' ? `\u0001${one}\u0001` : one,
  ).replace(/"\\u0001(\d+)\\u0001"/g, '$1')
}

async function newBox({ deps }: Shop, market: 'AT' | 'DE'): Promise<PosBox> {
  const rollout = { store: deps.store, marketOf, now: () => new Date() }
  const { accountId } = await createAccount(rollout, {
    ...{ kind: 'PosOperator', name: 'Café Wire', market, country: market },
    ...{ email: `${randomUUID()}@test.example`, roles: [], autoInvite: false },
  })
  const names = { accountId, description: 'wire' }
  const box = await createCashBox(rollout, { ...names, outletId: null })
  const unit = { ...names, cashBoxId: box.cashBoxId, market }
  const { scuPackage } = marketOf(market).rollout.demo
  const scuIds = [await createScu(rollout, { ...unit, package: scuPackage })]
  return { ...box, market, accountId, queueId: await createQueue(rollout, { ...unit, scuIds }) }
}

/** Base of the case words of a country, version 2. */
export const baseOf = (market: string): bigint =>
  market === 'DE' ? 0x4445_2000_0000_0000n : 0x4154_2000_0000_0000n

const START = 0x4001n

async function start(send: PosShop['send'], box: PosBox): Promise<void> {
  const body = { ...receipt(`start-${randomUUID()}`), ftReceiptCase: baseOf(box.market) | START }
  const reply = await send(box, '/v2/sign', body)
  if (reply.status !== 201) throw new Error(`the start receipt was refused: ${reply.text}`)
}

/** Without items. */
export function receipt(reference: string = randomUUID(), more: object = {}): object {
  return {
    cbTerminalID: 'T1',
    cbReceiptReference: reference,
    cbReceiptMoment: '2026-01-30T09:15:00Z',
    cbChargeItems: [],
    cbPayItems: [],
    ...more,
  }
}

/** One item, paid in cash; the amount goes out as it is written here. */
export function sale(reference: string = randomUUID(), more: object = {}, amount = 12): object {
  return receipt(reference, {
    cbChargeItems: [{ Quantity: 1, Description: 'Kaffee', Amount: amount, VATRate: 0 }],
    cbPayItems: [{ Description: 'Bar', Amount: amount }],
    ...more,
  })
}

export function payment(amount: string | number = '10.00', more: object = {}): string {
  const head = jsonOf({ Action: 'payment', Protocol: 'use_auto', ...more }).slice(0, -1)
  return `${head},"cbPayItem":{"Description":"Card","Amount":${amount}}}`
}

/** The digits of a number in a JSON text, which JSON.parse would round. */
export function digitsOf(text: string, name: string): string {
  const found = new RegExp(`"${name}":(-?[\\d.]+)`).exec(text)?.[1]
  if (found === undefined) throw new Error(`no number ${name} in ${text}`)
  return found
}

const LOW = 0xffff_ffffn

/** The low half of ftState. */
export const lowState = (reply: WireReply): bigint => BigInt(digitsOf(reply.text, 'ftState')) & LOW

export interface Signature {
  Caption?: string
  Data: string
}

export function signaturesOf(reply: WireReply): Signature[] {
  return reply.json().ftSignatures as Signature[]
}
