// Queues of all merchants and their outages over HTTP: what is shown, what filters leave, who sees
// what, and pages of a list that grows.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type AccountAccess, createAccount } from '../../../src/core/accounts/accounts.js'
import { createCashBox, createQueue } from '../../../src/core/rollout/create.js'
import { marketOf } from '../../../src/market/index.js'
import { putConnection, type Right } from '../../../src/store/account/connections.js'
import { newAccount } from '../../support/dealer.js'
import { accountHeaders, openPlatform, type PlatformShop } from '../../support/platform.js'

let shop: PlatformShop
/** Connected by Read, by None, not at all. */
let merchants: string[]
/** Of the first merchant. */
let queues: string[]

beforeAll(async () => {
  shop = await openPlatform()
  merchants = await Promise.all(
    (['Read', 'None', undefined] as const).map(async (right) => {
      const made = await account(`Merchant ${right ?? 'of others'}`)
      if (right !== undefined) await connect(shop.dealer, made.accountId, right)
      return made.accountId
    }),
  )
  queues = []
  for (const accountId of merchants) {
    for (let one = 0; one < 5; one += 1) queues.push(await queueOf(accountId, one))
  }
})
afterAll(() => shop.close())

const now = () => new Date()
const account = (name: string) =>
  createAccount({ store: shop.deps.store, now }, { ...newAccount('PosOperator'), name })

async function connect(from: AccountAccess, toAccountId: string, rights: Right): Promise<void> {
  await putConnection(shop.deps.store, {
    ...{ id: randomUUID(), accountId: from.accountId, toAccountId, rights },
    ...{ state: 'active', createdAt: now() },
  })
}

async function queueOf(accountId: string, one: number): Promise<string> {
  const deps = { store: shop.deps.store, now, marketOf }
  const box = { accountId, outletId: null, description: `Box ${one}` }
  const { cashBoxId } = await createCashBox(deps, box)
  return createQueue(deps, {
    ...{ accountId, cashBoxId, market: 'AT', description: `Till ${one}`, configuration: {} },
    ...{ identification: `K-${accountId.slice(0, 8)}-${one}`, scuIds: [] },
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

describe('Queues', () => {
  it('are those of merchants that the account may read, with what is known of each', async () => {
    const { items } = await list('queues')
    const own = queues.slice(0, 5)
    expect(items.map(({ id }) => id).sort()).toEqual([...own, shop.box.queueId].sort())
    const shown = items.find(({ id }) => id === own[0])
    expect(shown).toMatchObject({
      ...{ operatorId: merchants[0], operatorName: 'Merchant Read', market: 'AT' },
      ...{ description: 'Till 0', state: 'unused', startMoment: null, stopMoment: null },
      ...{ lastReceipt: null, receipts: 0, outage: null },
    })
    const demo = items.find(({ id }) => id === shop.box.queueId)
    expect(demo).toMatchObject({ state: 'active', cashBoxId: shop.box.cashBoxId })
    const [row] = (
      await shop.deps.store.pool.query('select last_moment from queue where id = $1', [demo?.id])
    ).rows
    expect(new Date(String(demo?.lastReceipt))).toEqual(row.last_moment)
  })

  it('come in pages of any size, the same as at once', async () => {
    const all = idsOf(await list('queues'))
    for (const limit of [1, 2, 4, 6]) {
      const found: unknown[] = []
      for (let next: string | null = ''; next !== null; ) {
        const page = await list(`queues?limit=${limit}${next === '' ? '' : `&after=${next}`}`)
        found.push(...idsOf(page))
        next = page.next
      }
      expect(found).toEqual(all)
    }
  })

  it('are found by merchant, state, market, text, and by what is wrong with them', async () => {
    const [first = '', , , , fifth = ''] = queues
    const demo = shop.box.queueId
    const ids = async (query: string) => idsOf(await list(`queues?${query}`))
    expect(await ids('state=active')).toEqual([demo])
    expect(await ids('state=stopped')).toEqual([])
    expect(await ids('market=de')).toEqual([])
    expect(await ids(`operatorId=${merchants[0]}&search=till%204`)).toEqual([fifth])
    expect(await ids(`search=${first.toUpperCase()}`)).toEqual([first])
    expect(await ids('search=merchant%20read')).toHaveLength(5)
    // no letter of a pattern
    expect(await ids('search=%25')).toEqual([])
    expect(await ids(`operatorId=${merchants[1]}`)).toEqual([])
    expect(await ids(`operatorId=${merchants[2]}`)).toEqual([])
    expect(await ids('silentHours=48')).toEqual([])
    await shop.deps.store.pool.query(
      `update queue set last_moment = now() - interval '50 hours',
         start_moment = now() - interval '9 days' where id = $1`,
      [demo],
    )
    expect(await ids('silentHours=48')).toEqual([demo])
    expect(await ids('silentHours=51')).toEqual([])
  })

  it.each([
    ['queues?after=bm9uZQ'],
    ['queues?after=e30'],
    ['queues?limit=0'],
    ['queues?state=dead'],
    ['outages?after=x'],
    ['outages?from=yesterday'],
  ])('%s is refused', async (path) => {
    expect(await list(path)).toMatchObject({ status: 400, code: 'RequestInvalid' })
  })
})

describe('outages', () => {
  const fault = (method: string, body?: string) =>
    fetch(`${shop.url}/sandbox/scus/${shop.box.scuIds[0]}/fault`, {
      method,
      headers: {
        ...{ cashboxid: shop.box.cashBoxId, accesstoken: shop.box.accessToken },
        'content-type': 'application/json',
      },
      ...(body === undefined ? {} : { body }),
    })

  it('are shown from their first receipt to the one that ends them, each once', async () => {
    const { queueId } = shop.box
    const outageOf = async () =>
      (await list('queues?state=active')).items.find(({ id }) => id === queueId)?.outage
    for (let round = 1; round <= 2; round += 1) {
      await fault('PUT', '{"steps":[{"do":"unreachable"}]}')
      await shop.receipt()
      await shop.receipt()
      await expect.poll(outageOf).toMatchObject({ cause: 'device' })
      expect(idsOf(await list('queues?outage=true'))).toEqual([queueId])
      const open = await list('outages?open=true')
      expect(open.items).toMatchObject([{ queueId, endedAt: null, operatorId: shop.operatorId }])
      await fault('DELETE')
      await shop.receipt(2n)
      await expect.poll(outageOf).toBe(null)
      const ended = await list('outages')
      expect(ended.items).toHaveLength(round)
      expect(ended.items.every(({ endedAt }) => endedAt !== null)).toBe(true)
    }
    const { items } = await list('outages')
    const times = items.map(({ beganAt }) => String(beganAt))
    expect(times).toEqual([...times].sort().reverse())
    const [newest, oldest] = times
    expect(idsOf(await list(`outages?to=${newest}`))).toEqual([items[1]?.id])
    expect(idsOf(await list(`outages?from=${newest}`))).toEqual([items[0]?.id])
    expect(idsOf(await list(`outages?to=${oldest}`))).toEqual([])
    const first = await list('outages?limit=1')
    expect(idsOf(await list(`outages?limit=1&after=${first.next}`))).toEqual([items[1]?.id])
    const stranger = await account('Nobody')
    expect((await list('outages', stranger)).items).toEqual([])
    expect((await list('queues', stranger)).items).toEqual([])
  })
})
