// Keys in the portal: only administrators, and to make, change or end one only those who have just
// said who they are.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openPortal, type PortalShop, Visit } from '../../support/portal.js'

let shop: PortalShop
beforeAll(async () => {
  shop = await openPortal()
})
afterAll(() => shop.close())

const KEYS = '/portal/platform/api-keys'
const CHANGES = [
  ['POST', KEYS, { name: 'x', scopes: ['all'] }],
  ['POST', `${KEYS}/${randomUUID()}/rotate`, {}],
  ['DELETE', `${KEYS}/${randomUUID()}`, undefined],
] as const

const codeOf = async (answer: Response) => ((await answer.json()) as { code: string }).code

it.each(['Member', 'Reader'] as const)('a %s neither sees nor makes any', async (role) => {
  const visit = new Visit(shop.url)
  await visit.logIn(await shop.person(shop.demo.dealer.accountId, role))
  for (const [method, path, body] of [['GET', KEYS, undefined], ...CHANGES] as const) {
    const answer = await visit.ask(method, path, { body })
    expect([answer.status, await codeOf(answer)], `${method} ${path}`).toEqual([403, 'RoleTooLow'])
  }
})

it('an administrator sees them, and is asked again before each change', async () => {
  const visit = new Visit(shop.url)
  await visit.logIn(shop.dealer)
  await shop.deps.store.pool.query(`update session set confirmed_at = now() - interval '1 hour'`)
  expect((await visit.ask('GET', KEYS)).status).toBe(200)
  for (const [method, path, body] of CHANGES) {
    const answer = await visit.ask(method, path, { body })
    expect([answer.status, await codeOf(answer)]).toEqual([403, 'ConfirmationRequired'])
  }
  const { password } = shop.dealer
  expect((await visit.call('POST', '/confirm', { body: { password } })).status).toBe(204)
  const [create, rotate, remove] = CHANGES
  expect((await visit.ask(create[0], create[1], { body: create[2] })).status).toBe(201)
  expect((await visit.ask(rotate[0], rotate[1], { body: rotate[2] })).status).toBe(404)
  expect((await visit.ask(remove[0], remove[1])).status).toBe(404)
})

it('a key opens nothing of the portal', async () => {
  const admin = new Visit(shop.url)
  await admin.logIn(shop.dealer)
  const made = await admin.ask('POST', KEYS, { body: { name: 'all', scopes: ['all'] } })
  const { token } = (await made.json()) as { token: string }
  const headers = { accountid: shop.demo.dealer.accountId, accesstoken: token }
  expect((await fetch(`${shop.url}/platform/v1/api-keys`, { headers })).status).toBe(200)
  for (const path of [KEYS, '/portal/session/me/sessions']) {
    expect((await fetch(shop.url + path, { headers })).status, path).toBe(401)
  }
})
