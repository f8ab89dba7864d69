// Guesses of passwords and codes, and a server behind TLS: a shop with the usual limits.
import { Secret, TOTP } from 'otpauth'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { codeOf, openPortal, type PortalShop, Visit, visitOf } from '../../support/portal.js'

const LIMIT = 4
let shop: PortalShop
beforeAll(async () => {
  const settings = { RATE_LIMITS: `credentials=${LIMIT}`, TRUST_PROXY: 'true' }
  shop = await openPortal({ ...settings, PUBLIC_URL: 'https://portal.example' })
})
afterAll(() => shop.close())

/** As a proxy hands it over. */
const from = (address: string) => ({ 'x-forwarded-for': address, 'x-forwarded-proto': 'https' })

async function tries(address: string, email: string, password: string, count: number) {
  const headers = from(address)
  const all = Array.from({ length: count }, () =>
    new Visit(shop.url).call('POST', '/session', { body: { email, password }, headers }),
  )
  return (await Promise.all(all)).map(({ status }) => status).toSorted()
}

it('beyond the limit no password is looked at, also when all come at once', async () => {
  const { email, password } = shop.dealer
  const answers = await tries('192.0.2.1', email, 'Wrong-Password-1', LIMIT * 3)
  expect(answers.filter((status) => status === 401)).toHaveLength(LIMIT)
  expect(answers.filter((status) => status === 429)).toHaveLength(LIMIT * 2)
  expect(await tries('192.0.2.1', ` ${email.toUpperCase()}`, password, 1)).toEqual([429])
  // whoever is elsewhere is not locked out by it, and who is right is not counted
  for (let login = 0; login < LIMIT + 2; login += 1) {
    expect(await tries('198.51.100.1', email, password, 1)).toEqual([200])
  }
  expect(await tries('192.0.2.1', shop.merchant.email, shop.merchant.password, 1)).toEqual([200])
})

it('codes of the second factor are guesses as well', async () => {
  const person = await shop.person(shop.demo.dealer.accountId, 'Member')
  const visit = await visitOf(shop.url, person)
  const { secret = '' } = (await (await visit.call('POST', '/me/codes')).json()) as {
    secret?: string
  }
  const code = (step: number) =>
    new TOTP({ secret: Secret.fromBase32(secret) }).generate({
      timestamp: Date.now() + step * 30_000,
    })
  expect((await visit.call('PUT', '/me/codes', { body: { code: code(0) } })).status).toBe(200)
  const told: string[] = []
  for (let at = 0; at <= LIMIT; at += 1) {
    told.push(
      await codeOf(await new Visit(shop.url).logIn(person, at < LIMIT ? '000000' : code(1))),
    )
  }
  expect(told.at(-2)).toBe('401 CodeWrong')
  expect(told.at(-1)).toMatch(/^429 /)
})

it('behind TLS the cookie belongs to this host alone, and passwords are Argon2id', async () => {
  const answer = await new Visit(shop.url).call('POST', '/session', {
    ...{ body: shop.dealer, headers: from('203.0.113.7') },
  })
  const [cookie = ''] = answer.headers.getSetCookie()
  expect(cookie).toMatch(/^__Host-fw=[\w-]{43};/)
  expect(cookie).toContain('Secure')
  expect(cookie).toContain('Path=/')
  expect(cookie).not.toMatch(/Domain=/i)
  const { rows } = await shop.deps.store.pool.query<{ password: string }>(
    'select password_hash as password from person where password_hash is not null',
  )
  expect(rows.length).toBeGreaterThan(1)
  for (const { password } of rows) expect(password).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
})
