// Logging in at a provider of logins that really runs: who comes in, who does not, and what the
// page says when it goes wrong.
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createSso } from '../../src/core/accounts/people/sso.js'
import { createOutbound } from '../../src/device/outbound.js'
import { browserIsMissing, launchBrowser } from '../support/browser.js'
import { type OidcAccount, openProvider, type TestProvider } from '../support/oidc.js'
import { codeOf, openPortal, type PortalShop, Visit, visitOf } from '../support/portal.js'
import { violations, visitWith } from '../support/portal-visit.js'

let provider: TestProvider
let shop: PortalShop
let browser: Browser | undefined

const isLeftOut = browserIsMissing()

beforeAll(async () => {
  provider = await openProvider(() => [`${shop.url}/portal/session/sso/back`])
  const { issuer, clientId, clientSecret } = provider
  const client = `${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`
  shop = await openPortal({ SSO_ISSUER: issuer.replace('//', `//${client}@`) })
  if (!isLeftOut) browser = await launchBrowser()
})
afterAll(async () => {
  await browser?.close()
  await shop.close()
})

/** Goes to the provider as this account; the address that it sends the browser back to. */
async function wayBack(
  visit: Visit,
  account: OidcAccount | undefined,
  wish = { purpose: 'login', next: '/queues?state=active' },
): Promise<string> {
  provider.account = account
  const begun = await visit.call('POST', '/sso', { body: wish })
  let { address } = (await begun.json()) as { address: string }
  const jar = new Map<string, string>()
  for (let hop = 0; hop < 10 && !address.startsWith(shop.url); hop++) {
    const cookie = [...jar].map((pair) => pair.join('=')).join('; ')
    const answer = await fetch(address, { redirect: 'manual', headers: { cookie } })
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      jar.set(name, value)
    }
    const next = answer.headers.get('location')
    if (next === null) throw new Error(`${answer.status}: ${await answer.text()}`)
    address = new URL(next, address).href
  }
  return address.slice(shop.url.length)
}

/** Where the portal leads the browser, and whether somebody is logged in then. */
async function arrival(visit: Visit, back: string): Promise<{ to: string; email?: string }> {
  const answer = await visit.ask('GET', back, { headers: { 'sec-fetch-site': 'cross-site' } })
  expect(answer.status).toBe(303)
  const location = new URL(answer.headers.get('location') ?? '', shop.url)
  expect(location.origin).toBe(shop.url)
  const fault = location.searchParams.get('fault')
  const session = (await (await visit.call('GET', '/session')).json()) as {
    person: { email: string }
  } | null
  const email = session === null ? {} : { email: session.person.email }
  return { to: fault ?? location.pathname + location.search, ...email }
}

const comes = async (account: OidcAccount | undefined) => {
  const visit = new Visit(shop.url)
  return arrival(visit, await wayBack(visit, account))
}

const invited = () => shop.invited(shop.demo.dealer.accountId)

describe('a login at the provider', () => {
  it('lets in who was invited, by a checked address, and keeps knowing him', async () => {
    const { email } = await invited()
    const account = { sub: 'ida', email: email.toUpperCase(), email_verified: true }
    expect(await comes(account)).toEqual({ to: '/portal/queues?state=active', email })
    // the subject counts from then on, whatever the address says
    expect(await comes({ sub: 'ida', email: 'other@x.example' })).toEqual({
      ...{ to: '/portal/queues?state=active', email },
    })
  })

  it('lets nobody in by an address that is not checked, or not known', async () => {
    const { email } = await invited()
    expect(await comes({ sub: 'eve', email })).toEqual({ to: 'SSO_UNVERIFIED' })
    expect(await comes({ sub: 'eve', email, email_verified: false })).toEqual({
      to: 'SSO_UNVERIFIED',
    })
    const stranger = { sub: 'eve', email: 'nobody@x.example', email_verified: true }
    expect(await comes(stranger)).toEqual({ to: 'SSO_UNKNOWN' })
    expect(await comes({ sub: 'eve' })).toEqual({ to: 'SSO_UNKNOWN' })
  })

  it('does not take the place of a second factor until its owner connects both', async () => {
    const person = await shop.person(shop.demo.dealer.accountId, 'Member')
    const visit = await visitOf(shop.url, person)
    await shop.deps.store.pool.query('update person set code_since = now() where email = $1', [
      person.email,
    ])
    const account = { sub: 'max', email: person.email, email_verified: true }
    expect(await comes(account)).toEqual({ to: 'SSO_LINK_FIRST' })
    const back = await wayBack(visit, account, { purpose: 'link', next: '/me' })
    expect(await arrival(visit, back)).toEqual({ to: '/portal/me', email: person.email })
    expect((await comes(account)).email).toBe(person.email)
    // what belongs to one cannot be connected with another
    const other = await visitOf(shop.url, shop.dealer)
    const taken = await wayBack(other, account, { purpose: 'link', next: '/me' })
    expect((await arrival(other, taken)).to).toBe('SSO_OTHER')
  })

  it('confirms who is logged in, and nobody else', async () => {
    const person = await shop.person(shop.demo.dealer.accountId, 'Administrator')
    const visit = await visitOf(shop.url, person)
    const account = { sub: 'lea', email: person.email, email_verified: true }
    const link = await wayBack(visit, account, { purpose: 'link', next: '/me' })
    await arrival(visit, link)
    await shop.deps.store.pool.query(`update session set confirmed_at = now() - interval '1 hour'`)
    const wish = { purpose: 'confirm', next: '/company' }
    const wrong = await wayBack(visit, { sub: 'ida' }, wish)
    expect((await arrival(visit, wrong)).to).toBe('SSO_OTHER')
    expect(await codeOf(await visit.call('GET', '/access'))).toBe('403 ConfirmationRequired')
    const right = await wayBack(visit, account, wish)
    expect((await arrival(visit, right)).to).toBe('/portal/company')
    expect((await visit.call('GET', '/access')).status).toBe(200)
  })

  it('comes back once, to the browser that began it, with its own state', async () => {
    const { email } = await invited()
    const account = { sub: 'tim', email, email_verified: true }
    const visit = new Visit(shop.url)
    const back = await wayBack(visit, account)
    expect((await arrival(new Visit(shop.url), back)).to).toBe('SSO_STALE')
    const { cookie } = visit
    expect((await arrival(visit, back)).email).toBe(email)
    const replay = await fetch(shop.url + back, { redirect: 'manual', headers: { cookie } })
    expect(replay.headers.get('location')).toContain('fault=SSO_STALE')
    expect(replay.headers.getSetCookie().join()).not.toContain('fw-local=')
    const other = new Visit(shop.url)
    const swapped = (await wayBack(other, account)).replace(/state=[^&]+/, 'state=forged')
    expect(await arrival(other, swapped)).toEqual({ to: 'SSO_WRONG' })
  })

  it('that was called off, or leads elsewhere, says so', async () => {
    expect(await comes(undefined)).toEqual({ to: 'SSO_DENIED' })
    for (const next of ['//evil.example', 'https://evil.example', '/\\evil.example', 'x']) {
      const body = { purpose: 'login', next }
      expect((await new Visit(shop.url).call('POST', '/sso', { body })).status).toBe(400)
    }
    const body = { purpose: 'login', next: '/' }
    const headers = { 'sec-fetch-site': 'cross-site' }
    const foreign = await new Visit(shop.url).call('POST', '/sso', { body, headers })
    expect(await codeOf(foreign)).toBe('403 NotFromPortal')
  })

  it.skipIf(isLeftOut)('in a browser: one button, and the page that was asked for', async () => {
    if (browser === undefined) return
    const { email } = await invited()
    provider.account = { sub: 'uma', email, email_verified: true }
    const { page, faults, context } = await visitWith({ browser, url: shop.url })
    await page.goto(`${shop.url}/portal/company`)
    const { host } = new URL(provider.issuer)
    await page.getByRole('button', { name: `Log in at ${host}` }).click()
    await page.getByRole('heading', { name: 'People' }).waitFor()
    expect(new URL(page.url()).pathname).toBe('/portal/company')
    expect(faults.filter((one) => !one.startsWith(`foreign: ${provider.issuer}`))).toEqual([])
    await page.goto(`${shop.url}/portal/login?fault=SSO_UNVERIFIED&trace=t&next=%2F%2Fevil.example`)
    await page.getByRole('alert').filter({ hasText: 'has not checked your e-mail' }).waitFor()
    expect(await page.getByRole('link', { name: 'Go on to the portal' }).getAttribute('href')).toBe(
      '/portal',
    )
    expect(await violations(page)).toEqual([])
    await context.close()
  })

  it('says whether the provider is somebody else, or away', async () => {
    const sso = (issuer: string) =>
      createSso({
        ...{ store: shop.deps.store, now: () => new Date(), issuer },
        ...{ call: createOutbound({ allow: [] }), clientId: 'a', clientSecret: 'b' },
      })
    const wish = { purpose: 'login', next: '/', base: shop.url, address: '127.0.0.1' } as const
    const begin = (issuer: string) => sso(issuer).begin({ ...wish, session: undefined })
    const elsewhere = provider.issuer.replace('localhost', '127.0.0.1')
    await expect(begin(elsewhere)).rejects.toMatchObject({ code: 'SSO_WRONG' })
    const visit = new Visit(shop.url)
    const back = await wayBack(visit, { sub: 'ida' })
    await provider.close()
    await expect(begin(provider.issuer)).rejects.toMatchObject({ code: 'SSO_UNREACHABLE' })
    expect(await arrival(visit, back)).toEqual({ to: 'SSO_UNREACHABLE' })
  })
})
