// Logging in to the portal: what a session may do, for how long, and what is refused.
import { Secret, TOTP } from 'otpauth'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { codeIn, pixelsOf } from '../../support/pictures.js'
import { codeOf, openPortal, type PortalShop, Visit, visitOf } from '../../support/portal.js'

let shop: PortalShop

beforeAll(async () => {
  shop = await openPortal()
})
afterAll(() => shop.close())

const OUTLETS = () => `/portal/api/posoperators/${shop.demo.operator.accountId}/outlets`

describe('logging in', () => {
  it('makes a session whose cookie no script reads and no other site sends', async () => {
    const answer = await new Visit(shop.url).logIn(shop.dealer)
    expect(answer.status).toBe(200)
    const [cookie = ''] = answer.headers.getSetCookie()
    expect(cookie).toMatch(/^fw-local=[\w-]{43};/)
    expect(cookie).toContain('HttpOnly')
    expect(cookie).toContain('SameSite=Strict')
    expect(cookie).not.toMatch(/Expires|Max-Age/)
  })
  it('says the same of a wrong password and of somebody there is not', async () => {
    const wrong = await new Visit(shop.url).logIn({ ...shop.dealer, password: 'Wrong-1234' })
    const nobody = await new Visit(shop.url).logIn({ email: 'no@body.example', password: 'x' })
    const plain = async (answer: Response) => {
      const { traceId: _, ...rest } = (await answer.json()) as Record<string, unknown>
      return [answer.status, rest]
    }
    expect(await plain(wrong)).toEqual(await plain(nobody))
    expect(wrong.status).toBe(401)
  })
  it('takes another session each time, and ends the one that the browser had', async () => {
    const visit = await visitOf(shop.url, shop.dealer)
    const former = visit.cookie
    await visit.logIn(shop.dealer)
    expect(visit.cookie).not.toBe(former)
    const stolen = await visit.call('GET', '/me/sessions', { headers: { cookie: former } })
    expect(await codeOf(stolen)).toBe('401 SessionRequired')
  })
  it('is not begun by a page of another site', async () => {
    const from = { 'sec-fetch-site': 'cross-site' }
    const answer = await new Visit(shop.url).call('POST', '/session', {
      body: shop.dealer,
      headers: from,
    })
    expect(await codeOf(answer)).toBe('403 NotFromPortal')
  })
})

describe('a session', () => {
  it('calls groups A and F as the account', async () => {
    const visit = await visitOf(shop.url, shop.dealer)
    const outlets = await visit.ask('GET', OUTLETS())
    expect(outlets.status).toBe(200)
    const queues = await visit.ask('GET', '/portal/platform/queues')
    expect(((await queues.json()) as { items: unknown[] }).items).toHaveLength(1)
  })
  it('changes nothing without its token, or for another account', async () => {
    const visit = await visitOf(shop.url, shop.dealer)
    const outlet = { number: 77, name: 'Prater', address: 'Ring 1', city: 'Wien' }
    const without = await visit.ask('POST', OUTLETS(), {
      body: outlet,
      headers: { 'x-csrf-token': 'x' },
    })
    expect(await codeOf(without)).toBe('403 NotFromPortal')
    const other = { 'x-account': shop.demo.operator.accountId }
    const foreign = await visit.ask('POST', OUTLETS(), { body: outlet, headers: other })
    expect(foreign.status).toBe(409)
    const elsewhere = await visit.ask('POST', OUTLETS(), {
      body: outlet,
      headers: { 'sec-fetch-site': 'same-site' },
    })
    expect(await codeOf(elsewhere)).toBe('403 NotFromPortal')
    const outlets = (await (await visit.ask('GET', OUTLETS())).json()) as { number: number }[]
    expect(outlets.map(({ number }) => number)).not.toContain(77)
  })
  it('is over when somebody has logged out, wherever the cookie is', async () => {
    const visit = await visitOf(shop.url, shop.dealer)
    const { cookie } = visit
    expect((await visit.call('DELETE', '/session')).status).toBe(204)
    const after = await visit.ask('GET', OUTLETS(), { headers: { cookie } })
    expect(await codeOf(after)).toMatch(/^401/)
  })
  it('ends after half an hour of silence, and after twelve hours at the latest', async () => {
    const visit = await visitOf(shop.url, shop.dealer)
    const age = (column: string, text: string) =>
      shop.deps.store.pool.query(
        `update session set ${column} = now() - interval '${text}' where person_id = $1`,
        [visit.session?.person.id],
      )
    await age('seen_at', '29 minutes')
    expect((await visit.call('GET', '/me/sessions')).status).toBe(200)
    await age('seen_at', '31 minutes')
    expect((await visit.call('GET', '/me/sessions')).status).toBe(401)
    const other = await visitOf(shop.url, shop.dealer)
    await age('created_at', '12 hours 1 minute')
    expect((await other.call('GET', '/me/sessions')).status).toBe(401)
  })
  it('is one of several, which the person sees and ends', async () => {
    const one = await visitOf(shop.url, shop.merchant)
    const two = await visitOf(shop.url, shop.merchant)
    const list = (await (await one.call('GET', '/me/sessions')).json()) as { current: boolean }[]
    expect(list.filter(({ current }) => current)).toHaveLength(1)
    expect((await one.call('DELETE', '/me/sessions')).status).toBe(204)
    expect((await two.call('GET', '/me/sessions')).status).toBe(401)
    expect((await one.call('GET', '/me/sessions')).status).toBe(200)
  })
  it('the token of the account opens no session, and the cookie no public address', async () => {
    const { accountId: accountid, accessToken: accesstoken } = shop.demo.dealer
    const headers = { accountid, accesstoken }
    const portal = await fetch(shop.url + OUTLETS(), { headers })
    expect(portal.status).toBe(401)
    const visit = await visitOf(shop.url, shop.dealer)
    const open = await visit.ask('GET', OUTLETS().replace('/portal', ''))
    expect(open.status).toBe(401)
  })
})

describe('roles', () => {
  it('a reader changes nothing, a member has no tokens, nobody sees nothing', async () => {
    const { accountId } = shop.demo.dealer
    const reader = await visitOf(shop.url, await shop.person(accountId, 'Reader'))
    expect((await reader.ask('GET', OUTLETS())).status).toBe(200)
    const written = await reader.ask('POST', OUTLETS(), { body: { number: 9, name: 'x' } })
    expect(written.status).toBe(403)
    const member = await visitOf(shop.url, await shop.person(accountId, 'Member'))
    expect(await codeOf(await member.call('GET', '/access'))).toBe('403 RoleTooLow')
    expect(await codeOf(await member.call('GET', '/people'))).toBe('403 RoleTooLow')
    const none = await visitOf(shop.url, await shop.person(accountId, 'None'))
    expect((await none.call('GET', '/session')).status).toBe(200)
    expect((await none.ask('GET', OUTLETS())).status).toBe(403)
  })
  it('the last administrator stays, also when two go at the same moment', async () => {
    const { accountId } = shop.demo.operator
    const first = await visitOf(shop.url, shop.merchant)
    const second = await visitOf(shop.url, await shop.person(accountId, 'Administrator'))
    const [one, two] = [first.session?.person.id, second.session?.person.id]
    const answers = await Promise.all([
      first.call('PATCH', `/people/${one}`, { body: { role: 'Reader' } }),
      second.call('PATCH', `/people/${two}`, { body: { role: 'Reader' } }),
    ])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
    const { rows } = await shop.deps.store.pool.query(
      `select count(*)::int as count from employee
       where account_id = $1 and role = 'Administrator'`,
      [accountId],
    )
    expect(rows[0].count).toBe(1)
  })
  it('tokens and people ask for the password again after five minutes', async () => {
    const visit = await visitOf(shop.url, shop.dealer)
    const webhook = { url: 'https://hooks.example/x', types: ['order.done'] }
    const made = await visit.ask('POST', '/portal/platform/webhooks', { body: webhook })
    const { id } = ((await made.json()) as { webhook: { id: string } }).webhook
    const known = async () => (await visit.ask('GET', `/portal/platform/webhooks/${id}`)).text()
    const before = await known()
    const shown = (await (await visit.call('GET', '/access')).json()) as { accessToken: string }
    expect(shown.accessToken).toBe(shop.demo.dealer.accessToken)
    await shop.deps.store.pool.query(
      `update session set confirmed_at = now() - interval '6 minutes'`,
    )
    expect(await codeOf(await visit.call('GET', '/access'))).toBe('403 ConfirmationRequired')
    const { accountId } = shop.demo.operator
    for (const [line, body] of [
      [`POST /api/posoperators/${accountId}/personal-data/erase`, { olderThanDays: 365 }],
      ['POST /platform/webhooks', webhook],
      [`POST /platform/webhooks/${id}/rotate-secret`, { overlapHours: 0 }],
      [`PATCH /platform/webhooks/${id}`, { url: 'https://elsewhere.example/x' }],
      [`PATCH /platform/webhooks/${id}`, { types: [] }],
      [`PATCH /platform/webhooks/${id}`, { asymmetric: true }],
    ] as const) {
      const [method = '', path = ''] = line.split(' ')
      const answer = await visit.ask(method, `/portal${path}`, { body })
      expect(await codeOf(answer), line).toBe('403 ConfirmationRequired')
    }
    expect(await known()).toBe(before)
    const wrong = await visit.call('POST', '/confirm', { body: { password: 'Wrong-1' } })
    expect(await codeOf(wrong)).toBe('401 LoginWrong')
    const { password } = shop.dealer
    expect((await visit.call('POST', '/confirm', { body: { password } })).status).toBe(204)
    expect((await visit.call('GET', '/access')).status).toBe(200)
  })
})

describe('publishing', () => {
  const session = () => shop.deps.portal.session
  afterEach(() => {
    session().environment = 'sandbox'
  })

  it.each(['sandbox', 'production'] as const)('asks for the password again: %s', async (where) => {
    const visit = await visitOf(shop.url, shop.dealer)
    await shop.deps.store.pool.query(
      `update session set confirmed_at = now() - interval '6 minutes'`,
    )
    session().environment = where
    const { accountId } = shop.demo.operator
    const path = `/portal/api/posoperators/${accountId}/templates`
    const code = await codeOf(await visit.ask('POST', path, { body: {} }))
    expect(code === '403 ConfirmationRequired', code).toBe(where === 'production')
    const { password } = shop.dealer
    await visit.call('POST', '/confirm', { body: { password } })
    expect(await codeOf(await visit.ask('POST', path, { body: {} }))).not.toContain('403')
  })
})

describe('the second factor', () => {
  it('asks for codes, takes none twice, and lets recovery codes in once', async () => {
    const person = await shop.person(shop.demo.dealer.accountId, 'Member')
    const visit = await visitOf(shop.url, person)
    const begun = (await (await visit.call('POST', '/me/codes')).json()) as Record<string, string>
    const { secret = '', address = '', picture = '' } = begun
    // the app of a phone reads the same out of the picture
    const [kind, png = ''] = picture.split(',')
    expect(kind).toBe('data:image/png;base64')
    expect(codeIn(await pixelsOf(Buffer.from(png, 'base64')))).toBe(address)
    expect(new URL(address).searchParams.get('secret')).toBe(secret)
    const code = (offset = 0) =>
      new TOTP({ secret: Secret.fromBase32(secret) }).generate({
        timestamp: Date.now() + offset * 30_000,
      })
    expect(
      await codeOf(await visit.call('PUT', '/me/codes', { body: { code: '000000' } })),
    ).toMatch(/^401/)
    const confirmed = await visit.call('PUT', '/me/codes', { body: { code: code() } })
    const { recoveryCodes } = (await confirmed.json()) as { recoveryCodes: string[] }
    expect(new Set(recoveryCodes).size).toBe(10)

    expect(await codeOf(await new Visit(shop.url).logIn(person))).toBe('401 CodeRequired')
    const again = await new Visit(shop.url).logIn(person, code())
    expect(await codeOf(again)).toBe('401 CodeWrong')
    expect((await new Visit(shop.url).logIn(person, code(1))).status).toBe(200)
    const [first = ''] = recoveryCodes
    expect((await new Visit(shop.url).logIn(person, first)).status).toBe(200)
    expect(await codeOf(await new Visit(shop.url).logIn(person, first))).toBe('401 CodeWrong')
  })
})

describe('work that was begun', () => {
  const at = (name: string) => `/portal/platform/drafts/${name}`
  const body = { document: '{"company":"Blümen 🌷 \n"}' }

  it('is there after a logout, for colleagues too, and for nobody else', async () => {
    const visit = await visitOf(shop.url, shop.dealer)
    expect((await visit.ask('PUT', at('merchant-1'), { body })).status).toBe(200)
    await visit.call('DELETE', '/session')
    const again = await visitOf(shop.url, shop.dealer)
    const kept = await (await again.ask('GET', at('merchant-1'))).json()
    expect(kept).toEqual({ ...body, changedAt: expect.stringMatching(/^20/) })
    const other = await shop.person(shop.demo.operator.accountId, 'Member')
    const merchant = await visitOf(shop.url, other)
    const none = { document: null, changedAt: null }
    expect(await (await merchant.ask('GET', at('merchant-1'))).json()).toEqual(none)
    expect((await merchant.ask('DELETE', at('merchant-1'))).status).toBe(204)
    expect(await (await again.ask('GET', at('merchant-1'))).json()).toEqual(kept)
    expect((await again.ask('DELETE', at('merchant-1'))).status).toBe(204)
    expect(await (await again.ask('GET', at('merchant-1'))).json()).toEqual(none)
  })
  it('has a name and a length, and is kept by nobody who only reads', async () => {
    const visit = await visitOf(shop.url, shop.dealer)
    for (const name of ['A', 'a.b', 'x'.repeat(81)]) {
      expect((await visit.ask('PUT', at(name), { body })).status, name).toBe(400)
    }
    const long = { document: 'x'.repeat(60_001) }
    expect((await visit.ask('PUT', at('long'), { body: long })).status).toBe(400)
    const person = await shop.person(shop.demo.dealer.accountId, 'Reader')
    const reader = await visitOf(shop.url, person)
    expect(await codeOf(await reader.ask('PUT', at('x'), { body }))).toBe('403 RoleTooLow')
  })
  it('makes room: what nobody has touched for 90 days, and the oldest of a hundred', async () => {
    const { pool } = shop.deps.store
    const { accountId } = shop.demo.dealer
    const visit = await visitOf(shop.url, shop.dealer)
    const add = (from: number, to: number, age: string) =>
      pool.query(
        `insert into draft (account_id, name, document, changed_at)
         select $1, 'd-' || n, '', now() - interval '${age}' - n * interval '1 second'
         from generate_series($2::int, $3::int) n`,
        [accountId, from, to],
      )
    await add(1, 3, '91 days')
    await add(4, 103, '1 day')
    expect((await visit.ask('PUT', at('newest'), { body })).status).toBe(200)
    const { rows } = await pool.query<{ name: string }>(
      'select name from draft where account_id = $1 order by changed_at desc',
      [accountId],
    )
    const names = rows.map(({ name }) => name)
    expect([names.length, names[0], names.at(-1)]).toEqual([100, 'newest', 'd-102'])
  })
})
