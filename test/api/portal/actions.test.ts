// What a person may do is told as the portal would answer the call itself.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openPortal, type PortalShop, Visit } from '../../support/portal.js'

let shop: PortalShop
let queueId: string
beforeAll(async () => {
  shop = await openPortal()
  queueId = shop.demo.cashBoxes.find(({ market }) => market === 'AT')?.queueId ?? ''
})
afterAll(() => shop.close())

async function told(visit: Visit): Promise<Record<string, string>> {
  const answer = await visit.ask('GET', `/portal/platform/actions?kind=queue&id=${queueId}`)
  const { items } = (await answer.json()) as {
    items: { operationId: string; allowed: boolean; code: string | null }[]
  }
  return Object.fromEntries(
    items.map(({ operationId, allowed, code }) => [operationId, allowed ? 'allowed' : `${code}`]),
  )
}

it('who may only read is told that his role is too low, who may write what he may', async () => {
  const reader = new Visit(shop.url)
  await reader.logIn(await shop.person(shop.demo.dealer.accountId, 'Reader'))
  const few = await told(reader)
  expect(Object.keys(few)).toContain('updateQueue')
  expect(new Set(Object.values(few))).toEqual(new Set(['RoleTooLow']))
  const member = new Visit(shop.url)
  await member.logIn(await shop.person(shop.demo.dealer.accountId, 'Member'))
  const all = await told(member)
  expect(all).toMatchObject({ updateQueue: 'allowed', closeOutage: 'NoOutage' })
  const tried = (visit: Visit) =>
    visit.ask('POST', '/portal/platform/actions', { body: { operationId: 'createWebhook' } })
  expect([(await tried(reader)).status, (await tried(member)).status]).toEqual([403, 200])
})
