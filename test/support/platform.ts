// The demo shop with the Platform at work: its dealer, calls with his credentials, and what his
// stream says.
import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import type { AccountAccess } from '../../src/core/accounts/accounts.js'
import { austrianCase, saleText } from './receipts.js'
import type { TestSettings } from './settings.js'
import { openShop, type Shop } from './shop.js'

export interface PlatformShop extends Shop {
  dealer: AccountAccess
  operatorId: string
  /** Signs a sale, or whatever the code says; the answer. */
  receipt(code?: bigint): Promise<{ status: number; text: string }>
}

export async function openPlatform(settings: TestSettings = {}): Promise<PlatformShop> {
  const shop = await openShop(settings, undefined, { countries: ['AT'] })
  shop.deps.pump.start()
  const { box, demo, url } = shop
  return {
    ...shop,
    dealer: demo.dealer,
    operatorId: demo.operator.accountId,
    receipt: async (code = 1n) => {
      const body = saleText({
        cbReceiptReference: `"${randomUUID()}"`,
        cbReceiptMoment: `"${new Date().toISOString()}"`,
        ftCashBoxID: `"${box.cashBoxId}"`,
        ...(code === 1n ? {} : { cbChargeItems: '[]', cbPayItems: '[]' }),
        ftReceiptCase: austrianCase(code),
      })
      const headers = {
        ...{ cashboxid: box.cashBoxId, accesstoken: box.accessToken },
        'content-type': 'application/json',
      }
      const answer = await fetch(`${url}/json/v1/sign`, { method: 'POST', headers, body })
      return { status: answer.status, text: await answer.text() }
    },
  }
}

export const accountHeaders = ({ accountId, accessToken }: AccountAccess) => ({
  accountid: accountId,
  accesstoken: accessToken,
})

export interface ToldEvent {
  specversion: string
  id: string
  seq: number
  source: string
  type: string
  subject?: string
  time: string
  cashboxid?: string
  datacontenttype: string
  data: Record<string, unknown> | null
}

export interface EventList {
  items: ToldEvent[]
  next: number
  head: number
  firstSeq: number
}

/** `query` begins with `?`. */
export async function eventsOf(
  { url, dealer }: Pick<PlatformShop, 'url' | 'dealer'>,
  query = '',
  as: AccountAccess = dealer,
): Promise<EventList> {
  const answer = await fetch(`${url}/platform/v1/events${query}`, { headers: accountHeaders(as) })
  if (answer.status !== 200) throw new Error(`${answer.status} ${await answer.text()}`)
  return (await answer.json()) as EventList
}

/** The head of the stream once everything that has happened by now is in it. */
export async function settledHead(
  shop: Pick<PlatformShop, 'url' | 'dealer' | 'deps'>,
  as: AccountAccess = shop.dealer,
): Promise<number> {
  const waiting = async () => (await shop.deps.store.pool.query('select from inbox')).rowCount
  await expect.poll(waiting, { timeout: 10_000 }).toBe(0)
  return (await eventsOf(shop, '?limit=1', as)).head
}

/** Waits until the stream has so many events behind `after`. */
export async function eventsBehind(
  shop: Pick<PlatformShop, 'url' | 'dealer'>,
  after: number,
  { count, as = shop.dealer }: { count: number; as?: AccountAccess },
): Promise<ToldEvent[]> {
  const found: ToldEvent[] = []
  for (let next = after; found.length < count; ) {
    const page = await eventsOf(shop, `?after=${next}&wait=10`, as)
    if (page.items.length === 0) throw new Error(`only ${found.length} of ${count} events came`)
    found.push(...page.items)
    next = page.next
  }
  return found
}
