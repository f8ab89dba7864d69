// What people try on the portal who should not be in it, or not as far: sessions that they have
// planted, names that they guess, roles that they would like to have.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isOwn } from '../../../portal/src/api/next.js'
import { codeOf, openPortal, type PortalShop, Visit, visitOf } from '../../support/portal.js'

let shop: PortalShop

beforeAll(async () => {
  shop = await openPortal()
})
afterAll(() => shop.close())

const dealerId = () => shop.demo.dealer.accountId

describe('a session', () => {
  it('is never one that somebody else has planted in the browser', async () => {
    const planted = `fw-local=${'A'.repeat(43)}`
    const visit = new Visit(shop.url)
    const headers = { cookie: planted }
    const { email, password } = shop.dealer
    const answer = await visit.call('POST', '/session', { body: { email, password }, headers })
    expect(answer.status).toBe(200)
    expect(visit.cookie).toMatch(/^fw-local=/)
    expect(visit.cookie).not.toBe(planted)
    const after = await visit.call('GET', '/session', { headers })
    expect(await after.json()).toBeNull()
  })
  it('that was begun before ends with a login by the link of a mail', async () => {
    const attacker = await visitOf(shop.url, shop.merchant)
    const { cookie } = attacker
    const { link } = await shop.invited(dealerId())
    const body = { token: link.split('#')[1], password: 'Fresh-Flowers-1' }
    const victim = await attacker.call('POST', '/links/follow', { body })
    expect(victim.status).toBe(204)
    expect(attacker.cookie).not.toBe(cookie)
    const former = await new Visit(shop.url).call('GET', '/session', { headers: { cookie } })
    expect(await former.json()).toBeNull()
  })
  it('ends everywhere else when the password is changed', async () => {
    const person = await shop.person(dealerId(), 'Member')
    const [here, stolen] = [await visitOf(shop.url, person), await visitOf(shop.url, person)]
    const body = { former: person.password, password: 'Another-Password-1' }
    expect((await here.call('PUT', '/me/password', { body })).status).toBe(204)
    expect((await here.call('GET', '/me/sessions')).status).toBe(200)
    expect((await stolen.call('GET', '/me/sessions')).status).toBe(401)
  })
  it('is not opened by a password that is being changed', async () => {
    const { email, password } = await shop.person(dealerId(), 'Member')
    const { rows } = await shop.deps.store.pool.query('select id from person where email = $1', [
      email,
    ])
    const client = await shop.deps.store.pool.connect()
    try {
      await client.query('begin')
      await client.query("update person set password_hash = 'other' where email = $1", [email])
      const login = new Visit(shop.url).call('POST', '/session', { body: { email, password } })
      const waits = `select from pg_stat_activity where wait_event_type = 'Lock'
        and query like 'insert into session%'`
      const isThere = async () => (await shop.deps.store.pool.query(waits)).rowCount
      await expect.poll(isThere).toBe(1)
      await client.query('delete from session where person_id = $1', [rows[0]?.id])
      await client.query('commit')
      const answer = await login
      expect([answer.status, await answer.text()]).toEqual([
        401,
        expect.stringContaining('LoginWrong'),
      ])
    } finally {
      client.release()
    }
  })
})

describe('who has a login', () => {
  it('shows neither in an answer nor in its time', async () => {
    const visit = new Visit(shop.url)
    const timed = async (path: string, body: object) => {
      const begun = performance.now()
      const answer = await visit.call('POST', path, { body })
      const { traceId: _, ...told } = (await answer.json().catch(() => ({}))) as {
        traceId?: string
      }
      return { ms: performance.now() - begun, told: JSON.stringify([answer.status, told]) }
    }
    const emails = [shop.dealer.email, 'nobody@portal.example']
    for (const [path, tries] of [
      ['/session', 7],
      ['/links', 3],
    ] as const) {
      const seen = emails.map(() => [] as Awaited<ReturnType<typeof timed>>[])
      for (let at = 0; at < tries; at++) {
        for (const [which, email] of emails.entries()) {
          seen[which]?.push(await timed(path, { email, password: 'Wrong-Password-1' }))
        }
      }
      const [known = [], unknown = []] = seen
      expect(unknown.map(({ told }) => told)).toEqual(known.map(({ told }) => told))
      const fastest = (all: typeof known) => Math.min(...all.map(({ ms }) => ms))
      // without the work for nobody the second one is a tenth of the first
      expect(fastest(unknown)).toBeGreaterThan(fastest(known) * 0.5)
      expect(fastest(known)).toBeGreaterThan(fastest(unknown) * 0.5)
    }
  })
  it('is not told by a passkey: it is asked for without a name', async () => {
    const asked = await new Visit(shop.url.replace('127.0.0.1', 'localhost')).call(
      ...(['POST', '/session/passkey/begin'] as const),
    )
    expect(asked.status).toBe(200)
    expect(await asked.json()).not.toHaveProperty('allowCredentials.0')
  })
})

describe('a role', () => {
  const people = async (visit: Visit, method: string, path: string, body?: object) =>
    codeOf(await visit.call(method, path, body === undefined ? {} : { body }))

  it('is raised by nobody who is not an administrator, nor for another company', async () => {
    const person = await shop.person(dealerId(), 'Member')
    const member = await visitOf(shop.url, person)
    const own = `/people/${member.session?.person.id}`
    const role = { role: 'Administrator' }
    expect(await people(member, 'PATCH', own, role)).toBe('403 RoleTooLow')
    const newcomer = { email: 'x@portal.example', name: 'X', ...role }
    expect(await people(member, 'POST', '/people', newcomer)).toBe('403 RoleTooLow')
    expect(await people(member, 'POST', '/access/reset')).toBe('403 RoleTooLow')
    // the administrator of one company, and somebody of another one
    const merchant = await visitOf(shop.url, shop.merchant)
    expect(await people(merchant, 'PATCH', own, role)).toBe('404 PersonNotFound')
    expect(await people(merchant, 'DELETE', own)).toBe('404 PersonNotFound')
    const headers = { 'x-account': dealerId() }
    const named = await merchant.call('GET', '/people', { headers })
    expect(await codeOf(named)).toBe('409 AccountChanged')
    const elsewhere = { accountId: dealerId() }
    expect(await people(merchant, 'PUT', '/session/account', elsewhere)).toMatch(/^404/)
    expect(await people(merchant, 'PUT', '/session/account', { accountId: randomUUID() })).toMatch(
      /^404/,
    )
    // ids of sessions and passkeys of others are like none
    const foreign = member.session?.person.id
    expect(await people(merchant, 'DELETE', `/me/passkeys/${foreign}`)).toBe('404 PasskeyNotFound')
    expect((await member.call('GET', '/me/sessions')).status).toBe(200)
  })
  it('that was lowered or taken away counts at once, in sessions that are open', async () => {
    const person = await shop.person(dealerId(), 'Administrator')
    const visit = await visitOf(shop.url, person)
    const other = await visitOf(shop.url, shop.dealer)
    const path = `/people/${visit.session?.person.id}`
    expect(await people(visit, 'GET', '/people')).toMatch(/^200/)
    expect(await people(other, 'PATCH', path, { role: 'Reader' })).toMatch(/^200/)
    expect(await people(visit, 'GET', '/people')).toBe('403 RoleTooLow')
    const outlet = { body: { number: 98, name: 'x' } }
    const outlets = `/portal/api/posoperators/${shop.demo.operator.accountId}/outlets`
    expect((await visit.ask('POST', outlets, outlet)).status).toBe(403)
    expect((await other.call('DELETE', path)).status).toBe(204)
    expect((await visit.ask('GET', outlets)).status).toBe(401)
  })
})

describe('a merchant', () => {
  it('does for itself what a dealer does for it, and nothing that only dealers do', async () => {
    const visit = await visitOf(shop.url, shop.merchant)
    const { accountId: own } = shop.demo.operator
    const base = `/portal/api/posoperators/${own}`
    const outlet = { outletNumber: 61, name: 'Own', address: 'Ring 3', postalCode: '1010' }
    const body = { ...outlet, city: 'Wien', country: 'AT' }
    expect((await visit.ask('POST', `${base}/outlets`, { body })).status).toBe(200)
    const boxes = await (await visit.ask('GET', `${base}/cashboxes`)).json()
    expect(boxes).toContainEqual(expect.objectContaining({ cashBoxId: shop.box.cashBoxId }))
    const pin = await visit.ask('POST', `${base}/cashboxes/${shop.box.cashBoxId}/pairing-pin`)
    expect(pin.status).toBe(200)
    // by its token as well
    const access = await (await visit.call('POST', '/access/reset')).json()
    const { accessToken } = access as { accessToken: string }
    const headers = { accountid: own.toUpperCase(), accesstoken: accessToken }
    const outlets = await fetch(`${shop.url}/api/posoperators/${own}/outlets`, { headers })
    expect(outlets.status).toBe(200)
    const others = base.replace(own, dealerId())
    expect(await codeOf(await visit.ask('GET', `${others}/outlets`))).toBe(
      '403 PosDealerRoleRequired',
    )
    expect(await codeOf(await visit.ask('GET', '/portal/api/posoperators'))).toBe(
      '403 PosDealerRoleRequired',
    )
    expect(await codeOf(await visit.ask('GET', '/portal/api/pos-operators-invitation'))).toBe(
      '403 PosDealerRoleRequired',
    )
  })
})

describe('where a login leads', () => {
  it('is a page of the portal, whatever stands in the address', () => {
    for (const next of ['/', '/queues?state=active', '/operators/1/cashboxes/2?a=/b']) {
      expect(isOwn(next), next).toBe(true)
    }
    const foreign = ['//evil.example', '/\\evil.example', 'https://evil.example', 'evil.example']
    const odd = ['javascript:alert(1)', '/\t/evil.example', '/a\\b', '', '/login?next=/', null]
    for (const next of [...foreign, ...odd]) expect(isOwn(next), String(next)).toBe(false)
  })
})
