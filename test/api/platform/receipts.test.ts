// Receipts as the Platform shows them: who sees them, what their numbers mean, and that each check
// finds what was changed behind the back of the server.
import { randomUUID } from 'node:crypto'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { createAccount } from '../../../src/core/accounts/accounts.js'
import type { DemoCashBox } from '../../../src/core/rollout/demo.js'
import { writeJson } from '../../../src/lib/json-write.js'
import { marketOf } from '../../../src/market/index.js'
import { receiptDays } from '../../../src/store/event/fleet/receipts.js'
import { newAccount } from '../../support/dealer.js'
import { unlock } from '../../support/forger.js'
import { accountHeaders } from '../../support/platform.js'
import { openShop, type Shop } from '../../support/shop.js'

let shop: Shop
beforeAll(async () => {
  shop = await openShop({}, undefined, { countries: ['AT', 'DE', 'FR'] })
})
afterAll(() => shop.close())

async function ask<T>(path: string, who = shop.demo.dealer): Promise<T & { code?: string }> {
  const answer = await fetch(`${shop.url}/platform/v1/queues${path}`, {
    headers: { ...accountHeaders(who), 'accept-language': 'en' },
  })
  return (await answer.json()) as T & { code?: string }
}

const boxOf = (market: string): DemoCashBox => {
  const box = shop.demo.cashBoxes.find((one) => one.market === market)
  if (box === undefined) throw new Error(`the demo has none in ${market}`)
  return box
}

async function sell(box: DemoCashBox): Promise<string> {
  const body = writeJson({
    ...{ cbTerminalID: '1', cbReceiptReference: randomUUID(), ftCashBoxID: box.cashBoxId },
    cbReceiptMoment: new Date().toISOString(),
    ...marketOf(box.market).rollout.demo.sale,
  })
  const headers = { cashboxid: box.cashBoxId, accesstoken: box.accessToken }
  const answer = await fetch(`${shop.url}/json/v1/sign`, {
    ...{ method: 'POST', body, headers: { ...headers, 'content-type': 'application/json' } },
  })
  const told = (await answer.json()) as { ftQueueItemID: string }
  return told.ftQueueItemID
}

interface Seen {
  row: string | number
  total: string
  request: string
  words: { path: string; hex: string; means: string[] }[]
  checks: { check: string; ok: boolean | null; text: string }[]
  previous: { id: string } | null
  next: { id: string } | null
}

const look = (box: DemoCashBox, id: string) => ask<Seen>(`/${box.queueId}/receipts/${id}`)
const verdicts = ({ checks }: Seen) => checks.map(({ check, ok }) => `${check} ${ok}`)

describe.each(['AT', 'DE', 'FR'])('a receipt of %s', (market) => {
  it('holds in all its checks, and knows the ones beside it', async () => {
    const box = boxOf(market)
    const ids = [await sell(box), await sell(box), await sell(box)]
    const seen = await look(box, ids[1] ?? '')
    expect(seen.checks.map(({ text }) => text).join('\n')).not.toMatch(/expected/)
    expect(verdicts(seen)).toEqual(['request true', 'answer true', 'chain true', 'signature true'])
    expect([seen.previous?.id, seen.next?.id]).toEqual([ids[0], ids[2]])
    const list = await ask<{ items: { id: string }[] }>(`/${box.queueId}/receipts?limit=3`)
    expect(list.items.map(({ id }) => id)).toEqual(ids.toReversed())
  })
})

it('receipts per day are those of all Queues, by the days of the country, today last', async () => {
  const { operator, dealer } = shop.demo
  const path = `/platform/v1/operators/${operator.accountId}/receipt-days`
  const days = async (query = '', who = dealer) => {
    const answer = await fetch(`${shop.url}${path}${query}`, { headers: accountHeaders(who) })
    return { status: answer.status, told: (await answer.json()) as { receipts: number }[] }
  }
  const today = async () => Number((await days('?days=1')).told[0]?.receipts)
  const before = await today()
  for (const market of ['AT', 'DE', 'FR']) await sell(boxOf(market))
  expect((await today()) - before).toBe(3)
  const { told } = await days()
  expect(told).toHaveLength(30)
  expect(told.slice(0, 29).every(({ receipts }) => receipts === 0)).toBe(true)
  expect((await days('?days=0')).status).toBe(400)
  const making = { store: shop.deps.store, now: () => new Date() }
  const stranger = await createAccount(making, newAccount('PosDealer'))
  expect((await days('', stranger)).status).toBeGreaterThanOrEqual(403)
  // seen from tomorrow they were yesterday; a day ends with that of the zone
  const now = new Date(Date.now() + 24 * 60 * 60 * 1000)
  const seen = await receiptDays(shop.deps.store, operator.accountId, {
    ...{ zone: 'Europe/Vienna', days: 3, now },
  })
  expect(seen.map(({ receipts }) => Number(receipts))).toEqual([0, before + 3, 0])
  const far = { zone: 'Pacific/Kiritimati', days: 2, now: new Date(Date.UTC(2026, 0, 1, 12)) }
  const named = await receiptDays(shop.deps.store, operator.accountId, far)
  expect(named.map(({ day }) => day)).toEqual(['2026-01-01', '2026-01-02'])
})

it('says what the numbers of a receipt mean, as the pages of receipts call it', async () => {
  const box = boxOf('AT')
  const { words } = await look(box, await sell(box))
  // CCCC_vlll_gggg_xxxx: 0x4154 is AT; items of version 0: 3 is the normal rate, 1 the reduced one
  expect(words.map(({ path, hex, means }) => `${path} ${hex} ${means.join()}`)).toEqual([
    'ftReceiptCase 0x4154000000000001 Receipt',
    'cbChargeItems[0].ftChargeItemCase 0x4154000000000003 VAT A',
    'cbChargeItems[1].ftChargeItemCase 0x4154000000000001 VAT B',
    'cbPayItems[0].ftPayItemCase 0x4154000000000001 Cash',
  ])
})

it('is drawn whether it was issued or not, and in a look that is only tried', async () => {
  const box = boxOf('AT')
  const id = await sell(box)
  const headers = accountHeaders(shop.demo.dealer)
  const paper = (format: string) =>
    fetch(`${shop.url}/platform/v1/queues/${box.queueId}/receipts/${id}/paper?format=${format}`, {
      headers,
    })
  const picture = Buffer.from(await (await paper('png')).arrayBuffer())
  expect(picture.subarray(1, 4).toString()).toBe('PNG')
  const text = await (await paper('txt')).text()
  expect(text).toContain('Café Demo')
  const operatorId = shop.demo.operator.accountId
  const tried = (body: unknown) =>
    fetch(`${shop.url}/platform/v1/operators/${operatorId}/receipt-preview?width=58`, {
      ...{ method: 'POST', body: JSON.stringify(body) },
      headers: { ...headers, 'content-type': 'application/json' },
    })
  const [one, other] = [await tried({ name1Text: 'Ring' }), await tried({ name1Text: 'Ringe' })]
  expect([one.status, one.headers.get('content-type')]).toEqual([200, 'image/png'])
  const bytesOf = async (answer: Response) => Buffer.from(await answer.arrayBuffer())
  expect((await bytesOf(one)).equals(await bytesOf(other))).toBe(false)
  expect((await tried({ primaryColor: 'red' })).status).toBe(400)
  expect(await (await paper('txt')).text()).toBe(text)
})

it('is nobody else’s: neither its Queue nor its receipts are there for others', async () => {
  const box = boxOf('AT')
  const id = await sell(box)
  const { store } = shop.deps
  const now = () => new Date()
  const stranger = await createAccount({ store, now }, newAccount('PosDealer'))
  for (const path of ['', `/${id}`, `/${id}/paper`]) {
    const { code } = await ask(`/${box.queueId}/receipts${path}`, stranger)
    expect(code, path).toBe('QueueNotFound')
  }
  const other = boxOf('DE').queueId
  expect((await ask(`/${other}/receipts/${id}`)).code).toBe('ReceiptNotFound')
})

it('tells which check a change of the stored rows breaks', async () => {
  const box = boxOf('AT')
  const [first, id] = [await sell(box), await sell(box)]
  const { superuser: login } = inject('cluster')
  const { database } = shop.database.config
  const superuser = new Client({ ...login, ...(database === undefined ? {} : { database }) })
  await superuser.connect()
  await unlock(superuser)
  const change = async (statement: string, item = id) => {
    await superuser.query(`${statement} and queue_id = $2`, [item, box.queueId])
    return verdicts(await look(box, id))
  }
  try {
    const answer = `update queue_item set response = response || ' ' where id = $1`
    expect(await change(answer)).toContain('answer false')
    const request = `update queue_item set request = request || ' ' where id = $1`
    expect(await change(request)).toContain('request false')
    // the third part of a JWS: another signature over the same
    const signature = `update recorded_receipt set content =
      left(content, -8) || reverse(right(content, 8)) where queue_item_id = $1`
    expect(await change(signature)).toContain('signature false')
    const chain = `update receipt_journal set receipt_hash = sha256(receipt_hash)
      where queue_item_id = $1`
    expect(await change(chain, first)).toContain('chain false')
  } finally {
    await superuser.end()
  }
})
