// Whoever may not read a merchant learns nothing of what is his: each operation of the Platform
// with an id, and each list with a filter, answers a foreign id and one that nobody has alike. Made
// from the table of operations: one with a new kind of id fails until such a thing is made here.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { BASE } from '../../../src/api/platform/document.js'
import type { Operation } from '../../../src/api/platform/operation.js'
import { platformOperations } from '../../../src/api/platform/operations.js'
import {
  type AccountAccess,
  connectAccounts,
  createAccount,
} from '../../../src/core/accounts/accounts.js'
import { insertJob } from '../../../src/store/event/job/jobs.js'
import { newAccount } from '../../support/dealer.js'
import { accountHeaders, openPlatform, type PlatformShop } from '../../support/platform.js'

let shop: PlatformShop
let stranger: AccountAccess
let reader: AccountAccess
let receiptId: string
beforeAll(async () => {
  shop = await openPlatform({ OUTBOUND_ALLOW: '127.0.0.1:1' })
  await shop.deps.jobs.stop()
  const accounts = { store: shop.deps.store, now: () => new Date() }
  stranger = await createAccount(accounts, newAccount('PosDealer'))
  reader = await createAccount(accounts, newAccount('PosDealer'))
  await connectAccounts(accounts, {
    ...{ accountId: reader.accountId, toAccountId: shop.operatorId, rights: 'Read' },
  })
  const { text } = await shop.receipt()
  receiptId = (JSON.parse(text) as { ftQueueItemID: string }).ftQueueItemID
})
afterAll(() => shop.close())

const sql = async (text: string, ...values: unknown[]) =>
  (await shop.deps.store.pool.query<{ id: string }>(text, values)).rows

async function ask(
  path: string,
  { method = 'GET', body, as }: { method?: string; body?: unknown; as: AccountAccess },
) {
  const answer = await fetch(shop.url + BASE + path, {
    method,
    headers: { ...accountHeaders(as), 'content-type': 'application/json', 'accept-language': 'en' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  if (answer.headers.get('content-type')?.startsWith('text/event-stream') === true) {
    await answer.body?.cancel()
    return { status: answer.status, text: 'a stream' }
  }
  return { status: answer.status, text: await answer.text() }
}

const made = async (path: string, body: unknown, idOf: (json: Made) => string | undefined) => {
  const { status, text } = await ask(path, { method: 'POST', body, as: shop.dealer })
  const id = idOf(JSON.parse(text) as Made)
  if (id === undefined) throw new Error(`${path} answered ${status}: ${text}`)
  return id
}
interface Made {
  webhook?: { id: string }
  key?: { id: string }
}

async function job(kind: string): Promise<string> {
  const id = randomUUID()
  const { operatorId: accountId, dealer } = shop
  const row = { accountId, id, kind, askedBy: dealer.accountId, args: {}, at: new Date() }
  await shop.deps.store.prisma.$transaction((tx) => insertJob(tx, row))
  return id
}

async function inserted(table: string, columns: string, ...values: unknown[]): Promise<string> {
  const id = randomUUID()
  const places = values.map((_, at) => `$${at + 3}`)
  await sql(
    `insert into ${table} (account_id, id, ${columns}) values ($1, $2, ${places.join(', ')})`,
    ...[shop.operatorId, id, ...values],
  )
  return id
}

const now = new Date()
/** A thing of the shop, by the part of the path before its id; `before`: the id before it. */
const THINGS: Readonly<Record<string, (before: string) => Promise<string> | string>> = {
  operators: () => shop.operatorId,
  queues: () => shop.box.queueId,
  cashboxes: () => shop.box.cashBoxId,
  receipts: () => receiptId,
  scus: async () => (await sql('select id from scu limit 1'))[0]?.id ?? '',
  jobs: () => job('k'),
  inspections: () => job('inspection'),
  links: (before) =>
    inserted(
      'inspection_link',
      'inspection_id, made_by, created_at, until',
      ...[before, shop.dealer.accountId, now, now],
    ),
  wallets: () => 'apple',
  webhooks: () =>
    made(
      '/webhooks',
      { url: 'http://127.0.0.1:1/x', types: ['order.done'] },
      (json) => json.webhook?.id,
    ),
  'api-keys': () =>
    made('/api-keys', { name: 'k', scopes: ['platform:read'] }, (json) => json.key?.id),
  problems: () =>
    inserted(
      'problem',
      'kind, severity, subject_kind, subject_id, cash_box_id, since, details, found_at',
      ...['message', 1, 'message', randomUUID(), shop.box.cashBoxId, now, '{}', now],
    ),
  submissions: () =>
    inserted(
      'submission',
      `market, kind, subject, occasion, queue_id, cash_box_id, moment, due, state, is_ready,
        created_at, changed_at`,
      ...['AT', 'register_outage', `queue/${shop.box.queueId}`, randomUUID(), shop.box.queueId],
      ...[shop.box.cashBoxId, now, now, 'ready', true, now, now],
    ),
  calls: () =>
    inserted(
      'kept_call',
      'at, is_proven, via, api, method, path, status, ms, trace_id, headers, body_bytes',
      ...[now, true, 'program', 'middleware', 'GET', '/', 200, 1, 'x', '{}', 0],
    ),
  backups: () =>
    inserted(
      'backup',
      'queue_id, period, period_from, period_to, receipts, bytes, verified, findings, stored_at',
      ...[shop.box.queueId, '2026-01', new Date(performance.now() * 1_000), now],
      ...[0, 0, 0, 0, now],
    ),
}
/** Of the account that owns it alone: whoever is connected does not see it either. */
const OWN = new Set(['webhooks', 'api-keys'])
/** A number of the caller's own stream, a name of his own; there is no foreign one. */
const OWN_NAMES = new Set(['events', 'drafts'])

/** The ids of the shop for this path. */
async function idsOf({ path }: Operation): Promise<string[]> {
  const ids: string[] = []
  for (const [, kind = ''] of path.matchAll(/\/([\w-]+)\/:\w+/g)) {
    const thing = THINGS[kind]
    if (thing === undefined) throw new Error(`what is an id behind /${kind}/?`)
    ids.push(await thing(ids.at(-1) ?? ''))
  }
  return ids
}

const filled = ({ path }: Operation, ids: readonly string[]) => {
  const rest = [...ids]
  return path.replace(/:\w+/g, () => rest.shift() ?? '')
}

const bodyOf = ({ id, body, example, bodyOptional }: Operation): unknown => {
  if (body === undefined || bodyOptional === true) return undefined
  if (example === undefined) throw new Error(`${id} has no example of its body`)
  return example
}

// the maker of a wallet is no secret
const IDS = [
  '(?<=/wallets/)[\\w-]+',
  '[0-9a-f]{8}-[0-9a-f-]{27}',
  '00-[0-9a-f]{32}-[0-9a-f]{16}-\\d\\d',
]
const ANY_ID = new RegExp(IDS.join('|'), 'g')

/** Without the ids that were asked for, and that of the call. */
const alike = ({ status, text }: { status: number; text: string }) =>
  `${status} ${text.replace(ANY_ID, '…')}`

const withIds = platformOperations
  .filter(({ path }) => path.includes(':') && !OWN_NAMES.has(path.split('/')[1] ?? ''))
  .map((row) => [row.id, row] as const)

describe.each(withIds)('%s', (_id, row) => {
  it('answers foreign ids as those that nobody has', async () => {
    const ids = await idsOf(row)
    const call = { method: row.method, body: bodyOf(row) }
    const seen = (given: readonly string[], as: AccountAccess) =>
      ask(filled(row, given), { ...call, as })
    const unknown = await seen(
      ids.map(() => randomUUID()),
      stranger,
    )
    expect(unknown.status).toBe(404)
    const told = alike(unknown)
    expect(alike(await seen(ids, stranger))).toBe(told)
    const [first = ''] = ids
    if (ids.length > 1) {
      expect(alike(await seen([first, randomUUID()], stranger))).toBe(told)
    }
    // who may know of it hears something else: the ids are right
    const owner = await seen(ids, shop.dealer)
    expect(alike(owner)).not.toBe(told)
    if (ids.length > 1) expect((await seen([first, randomUUID()], shop.dealer)).status).toBe(404)
  })

  it('lets nobody change what he may only read', async () => {
    if (row.method === 'GET' || row.right === 'Read') return
    const own = OWN.has(row.path.split('/')[1] ?? '')
    const ids = await idsOf(row)
    const call = { method: row.method, body: bodyOf(row), as: reader }
    expect((await ask(filled(row, ids), call)).status).toBe(own ? 404 : 403)
  })
})

const FILTERS = ['operatorId', 'queueId', 'cashBoxId'] as const
const filtered = platformOperations.flatMap((row) =>
  FILTERS.filter((name) => row.method === 'GET' && name in row.query.shape).map(
    (name) => [row.id, name, row] as const,
  ),
)

it.each(filtered)('%s by a foreign %s is as by one that nobody has', async (_id, name, row) => {
  const ids = {
    operatorId: shop.operatorId,
    queueId: shop.box.queueId,
    cashBoxId: shop.box.cashBoxId,
  }
  const asked = (id: string) => ask(`${row.path}?${name}=${id}`, { as: stranger })
  expect(alike(await asked(ids[name]))).toBe(alike(await asked(randomUUID())))
})

const MOMENTS = ['2000-01-01T00:00:00Z', '2100-01-01T00:00:00Z']
/** By the name of the filter, where its form alone does not say what makes sense. */
const VALUES: Readonly<Record<string, readonly string[]>> = {
  ...{
    market: ['AT', 'DE'],
    search: ['a', 'demo', 'till'],
    q: ['demo', 'till'],
    types: ['queue.started'],
  },
  ...{ from: MOMENTS, to: MOMENTS, due: MOMENTS, certificateEndsBefore: MOMENTS },
}
const OF_A_PAGE = new Set([...FILTERS, 'limit', 'after', 'wait', 'id', 'key'])
interface Form {
  enum?: string[]
  type?: string
  minimum?: number
}

/** Each list with each value of each filter. */
const valued = platformOperations
  .filter(({ method, path }) => method === 'GET' && !path.includes(':') && path !== '/actions')
  .flatMap((row) => {
    const { properties = {} } = z.toJSONSchema(row.query, { io: 'input', unrepresentable: 'any' })
    return Object.entries(properties).flatMap(([name, form]) => {
      if (OF_A_PAGE.has(name)) return []
      const { enum: named, type, minimum = 0 } = form as Form
      const numbers = type === 'integer' ? [String(minimum), String(minimum + 1)] : undefined
      const either = type === 'boolean' ? ['true', 'false'] : undefined
      const values = named ?? either ?? VALUES[name] ?? numbers ?? ['x']
      return values.map((value) => `${row.path}?${name}=${value}`)
    })
  })

it('no filter of a list shows a stranger what is not his', async () => {
  const units = await sql('select id from scu')
  const things = [
    ...[shop.operatorId, shop.box.queueId, shop.box.cashBoxId, receiptId],
    ...units.map(({ id }) => id),
  ]
  // nobody who has asked for them: his own calls would have their ids
  const accounts = { store: shop.deps.store, now: () => new Date() }
  const newcomer = await createAccount(accounts, newAccount('PosDealer'))
  const shown: string[] = []
  for (const path of valued) {
    const seen = await ask(path, { as: newcomer })
    expect([path, things.filter((id) => seen.text.includes(id))]).toEqual([path, []])
    const { text } = await ask(path, { as: shop.dealer })
    if (things.some((id) => text.includes(id))) shown.push(path)
  }
  // the same questions show them to who may see them
  for (const list of ['operators', 'queues', 'cashboxes', 'scus', 'search', 'events']) {
    expect([list, shown.some((path) => path.startsWith(`/${list}?`))]).toEqual([list, true])
  }
})
