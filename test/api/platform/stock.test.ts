// Merchants, CashBoxes and signing units of all merchants over HTTP: what is shown, what filters
// leave, who sees what, pages of any size, and what is known of a publication.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type AccountAccess, createAccount } from '../../../src/core/accounts/accounts.js'
import { readDueUnits } from '../../../src/core/event/fleet/facts.js'
import { createCashBox, createQueue, createScu } from '../../../src/core/rollout/create.js'
import { publish } from '../../../src/core/rollout/publication/publish.js'
import { marketOf } from '../../../src/market/index.js'
import { putConnection, type Right } from '../../../src/store/account/connections.js'
import { newAccount } from '../../support/dealer.js'
import { accountHeaders, openPlatform, type PlatformShop } from '../../support/platform.js'

let shop: PlatformShop
/** Connected by Read, by None, not at all. */
let merchants: string[]

const now = () => new Date()
const account = (name: string) =>
  createAccount({ store: shop.deps.store, now }, { ...newAccount('PosOperator'), name })

beforeAll(async () => {
  shop = await openPlatform()
  merchants = await Promise.all(
    (['Read', 'None', undefined] as const).map(async (right) => {
      const made = await account(`Merchant ${right ?? 'of others'}`)
      if (right !== undefined) await connect(made.accountId, right)
      return made.accountId
    }),
  )
  for (const description of ['one', 'another']) {
    await createScu(
      { store: shop.deps.store, now, marketOf },
      {
        ...{ accountId: shop.operatorId, cashBoxId: shop.box.cashBoxId, market: 'AT', description },
        package: 'fiskalwerk.SCU.AT.Software',
      },
    )
  }
  for (const accountId of merchants) {
    for (let one = 0; one < 5; one += 1) {
      const box = { accountId, outletId: null, description: `Till ${one}` }
      await createCashBox({ store: shop.deps.store, now, marketOf }, box)
    }
  }
})
afterAll(() => shop.close())

async function connect(toAccountId: string, rights: Right): Promise<void> {
  await putConnection(shop.deps.store, {
    ...{ id: randomUUID(), accountId: shop.dealer.accountId, toAccountId, rights },
    ...{ state: 'active', createdAt: now() },
  })
}

interface Page {
  status: number
  code?: string
  items: Record<string, unknown>[]
  next: string | null
}

async function list(path: string, as: AccountAccess = shop.dealer): Promise<Page> {
  const answer = await fetch(`${shop.url}/platform/v1/${path}`, { headers: accountHeaders(as) })
  return { status: answer.status, ...((await answer.json()) as Omit<Page, 'status'>) }
}

const idsOf = ({ items }: Page) => items.map(({ id }) => id)
const ids = async (path: string) => idsOf(await list(path))
const sql = (text: string, values: unknown[] = []) => shop.deps.store.pool.query(text, values)

async function paged(path: string, limit: number): Promise<unknown[]> {
  const found: unknown[] = []
  for (let next: string | null = ''; next !== null; ) {
    const page = await list(`${path}?limit=${limit}${next === '' ? '' : `&after=${next}`}`)
    found.push(...idsOf(page))
    next = page.next
  }
  return found
}

describe.each(['operators', 'cashboxes', 'scus'])('%s', (path) => {
  it('come in pages of any size, the same as at once', async () => {
    const all = await ids(path)
    expect(all.length).toBeGreaterThan(1)
    for (const limit of [1, 2, 4]) expect(await paged(path, limit)).toEqual(all)
  })

  it('are refused with what is no page, no limit and no filter', async () => {
    for (const query of ['after=bm9uZQ', 'limit=0', 'limit=201', 'market=x', 'search=%00']) {
      const { status } = await list(`${path}?${query}`)
      expect([query, status]).toEqual([query, query.startsWith('search') ? 200 : 400])
    }
  })

  it('of a stranger are his own alone', async () => {
    const stranger = await account('Nobody')
    const found = idsOf(await list(path, stranger))
    expect(found).toEqual(path === 'operators' ? [stranger.accountId] : [])
  })
})

it('operators are shown with what they have, worst problem and right', async () => {
  const { items } = await list('operators')
  const names = items.map(({ name }) => String(name))
  expect(names).toEqual([...names].sort((a, b) => (a < b ? -1 : 1)))
  expect(items.map(({ id }) => id)).not.toContain(merchants[1])
  expect(items.find(({ id }) => id === merchants[0])).toMatchObject({
    ...{ name: 'Merchant Read', right: 'Read', cashBoxes: 5, queues: 0, scus: 0 },
    ...{ lastReceipt: null, problems: 0, severity: null },
  })
  const demo = () =>
    list(`operators?search=${shop.operatorId}`).then((found) => found.items[0] ?? {})
  expect(await demo()).toMatchObject({ queues: 1, cashBoxes: 1 })
  expect(await ids('operators?problems=true')).toEqual([])
  await sql(
    `insert into problem (account_id, id, kind, severity, subject_kind, subject_id, since, details,
       found_at, snoozed_until) values ($1, $2, 'order', 2, 'order', $2, now(), '{}', now(), $3),
       ($1, $4, 'outage', 3, 'queue', $4, now(), '{}', now(), $3)`,
    [shop.operatorId, randomUUID(), new Date(Date.now() + 60_000), randomUUID()],
  )
  // what is to be done at once is not put off
  expect(await demo()).toMatchObject({ problems: 1, severity: 3 })
  expect(await ids('operators?problems=true')).toEqual([shop.operatorId])
  expect(await ids('operators?problems=false')).not.toContain(shop.operatorId)
  expect(await ids('operators?search=merchant%20READ')).toEqual([merchants[0]])
  expect(await ids('operators?market=FR')).toEqual([])
})

describe('CashBoxes', () => {
  const boxOf = async () =>
    (await list(`cashboxes?search=${shop.box.cashBoxId}`)).items[0] as Record<string, unknown>

  it('are those of merchants that the account may read', async () => {
    const { items } = await list('cashboxes')
    expect(items.filter(({ operatorId }) => operatorId === merchants[0])).toHaveLength(5)
    expect(new Set(items.map(({ operatorId }) => operatorId))).toEqual(
      new Set([merchants[0], shop.operatorId]),
    )
    expect(await ids(`cashboxes?operatorId=${merchants[2]}`)).toEqual([])
  })

  it('tell of changes, publication and who has fetched it', async () => {
    const { cashBoxId, accessToken } = shop.box
    const { items } = await list(`cashboxes?operatorId=${merchants[0]}&search=till%203`)
    expect(items).toMatchObject([
      {
        ...{ description: 'Till 3', published: 'never', publishedAt: null, fetched: false },
        ...{ state: 'unused', queues: 0, outletNumber: 1, lastReceipt: null, outage: null },
      },
    ])
    const fetchIt = () =>
      fetch(`${shop.url}/api/configuration/${cashBoxId}`, { headers: { accesstoken: accessToken } })
    const deps = { store: shop.deps.store, now, markets: [marketOf('AT')] }
    const key = { accountId: shop.operatorId, id: cashBoxId }
    const rebuild = () => deps.store.prisma.$transaction((tx) => publish(deps, tx, key))
    await rebuild()
    expect(await boxOf()).toMatchObject({ published: 'current', fetched: false, fetchedAt: null })
    expect((await fetchIt()).status).toBe(200)
    const fetched = await boxOf()
    expect(fetched).toMatchObject({ published: 'current', fetched: true, state: 'active' })
    expect(fetched.fetchedAt).not.toBeNull()
    // fetching again is no news
    await fetchIt()
    expect((await boxOf()).fetchedAt).toBe(fetched.fetchedAt)
    await rebuild()
    expect(await boxOf()).toMatchObject({ fetched: false, fetchedAt: fetched.fetchedAt })
    expect(await ids('cashboxes?unpublished=true')).toHaveLength(5)
    await sql('update cash_box set time_stamp = time_stamp + 1 where id = $1', [cashBoxId])
    expect(await boxOf()).toMatchObject({ published: 'changed' })
    expect(await ids('cashboxes?unpublished=true')).toContain(cashBoxId)
    expect(await ids('cashboxes?unpublished=false')).toEqual([])
  })

  it('have the state of their Queues, their newest receipt and their outage', async () => {
    const { cashBoxId, queueId } = shop.box
    await shop.receipt()
    const moment = (await sql('select last_moment from queue where id = $1', [queueId])).rows[0]
    expect(new Date(String((await boxOf()).lastReceipt))).toEqual(moment.last_moment)
    expect(await ids('cashboxes?state=active')).toEqual([cashBoxId])
    expect(await ids('cashboxes?state=unused')).toHaveLength(5)
    expect(await ids('cashboxes?outage=true')).toEqual([])
    await sql(
      `insert into outage (account_id, id, queue_id, cash_box_id, cause, began_at)
       values ($1, $2, $3, $4, 'device', '2026-01-01T00:00:00Z')`,
      [shop.operatorId, randomUUID(), queueId, cashBoxId],
    )
    expect(await ids('cashboxes?outage=true')).toEqual([cashBoxId])
    expect(await ids('cashboxes?outage=false')).toHaveLength(5)
    const since = '2026-01-01T00:00:00Z'
    expect(await boxOf()).toMatchObject({ outage: { cause: 'device', since } })
    expect(await ids('scus?outage=true')).toEqual([shop.box.scuIds[0]])
    await sql('update queue set stop_moment = now() where id = $1', [queueId])
    expect(await ids('cashboxes?state=stopped')).toEqual([cashBoxId])
    expect(await ids('cashboxes?state=active')).toEqual([])
    await sql('update queue set stop_moment = null where id = $1', [queueId])
    expect(await ids('scus?state=active')).toEqual([shop.box.scuIds[0]])
    expect(await ids('scus?state=unused')).toHaveLength(2)
    expect(await ids('scus?outletNumber=1')).toHaveLength(3)
    expect(await ids('cashboxes?outletNumber=1')).toHaveLength(6)
    expect(await ids('scus?outletNumber=2')).toEqual([])
    expect(await ids('cashboxes?outletNumber=2')).toEqual([])
  })
})

describe('signing units', () => {
  it('are shown with serial number and end of the certificate', async () => {
    const { items } = await list(`scus?search=${shop.box.scuIds[0]}`)
    const [first] = items
    expect(first).toMatchObject({ operatorId: shop.operatorId, market: 'AT', tseState: null })
    const end = new Date(String(first?.certificateEnds))
    expect(end.getTime()).toBeGreaterThan(Date.now())
    expect(String(first?.serialNumber)).toMatch(/^0x[0-9a-f]+$/i)
    const day = (shift: number) => new Date(end.getTime() + shift).toISOString()
    expect(await ids(`scus?certificateEndsBefore=${day(0)}`)).not.toContain(first?.id)
    expect(await ids(`scus?certificateEndsBefore=${day(1000)}`)).toContain(first?.id)
    expect(await ids(`cashboxes?certificateEndsBefore=${day(1000)}`)).toEqual([shop.box.cashBoxId])
    expect(await ids(`cashboxes?certificateEndsBefore=${day(-86_400_000)}`)).toEqual([])
    expect(await ids(`scus?search=${String(first?.serialNumber).toUpperCase()}`)).toEqual([
      first?.id,
    ])
  })

  it('that cannot be read hide no others, and are read when they can be', async () => {
    const { items } = await list('scus')
    const [first, second] = items
    const was = (await sql('select configuration from scu where id = $1', [first?.id])).rows[0]
    await sql(
      `update scu set configuration = 'nothing', time_stamp = time_stamp + 1 where id = $1`,
      [first?.id],
    )
    await sql('update unit_fact set described_at = null')
    const broken = await list('scus')
    expect(broken.items.find(({ id }) => id === first?.id)).toMatchObject({ serialNumber: null })
    expect(broken.items.find(({ id }) => id === second?.id)).toEqual(second)
    await sql('update scu set configuration = $2 where id = $1', [first?.id, was.configuration])
    await sql(`update unit_fact set described_at = now() - interval '2 minutes'`)
    await readDueUnits({ store: shop.deps.store, marketOf })
    expect((await list('scus')).items).toEqual(items)
  })
})

it('a CashBox is of the market of its Queues, and of its merchant before it has one', async () => {
  const deps = { store: shop.deps.store, now, marketOf }
  const { accountId } = await account('Merchant of two countries')
  await connect(accountId, 'Read')
  const make = async (description: string) =>
    (await createCashBox(deps, { accountId, outletId: null, description })).cashBoxId
  const [empty, german] = [await make('Without a Queue'), await make('Of a German till')]
  const queue = { accountId, cashBoxId: german, market: 'DE', description: '', scuIds: [] }
  await createQueue(deps, queue)
  const at = (query: string) => list(`cashboxes?operatorId=${accountId}${query}`)
  const markets = (await at('')).items.map(({ id, market }) => [id, market])
  expect(Object.fromEntries(markets)).toEqual({ [empty]: 'AT', [german]: 'DE' })
  expect(idsOf(await at('&market=AT'))).toEqual([empty])
  expect(idsOf(await at('&market=DE'))).toEqual([german])
  expect(idsOf(await at('&market=DE&outletNumber=1'))).toEqual([german])
  expect(idsOf(await at('&market=FR'))).toEqual([])
})
