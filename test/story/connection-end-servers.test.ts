// The end of a connection and repeated orders while two servers run, one of which has a clock that
// stands still: what it remembers by time it remembers for ever. Letters go to a real SMTP server.
import { randomBytes, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type AccountAccess, createAccount } from '../../src/core/accounts/accounts.js'
import { grantEntitlement } from '../../src/core/sales/entitlements.js'
import { importPlans } from '../../src/core/sales/plans.js'
import { putConnection } from '../../src/store/account/connections.js'
import { type DealerStand, newAccount, openDealer, refusal } from '../support/dealer.js'
import { type MailServer, startMailServer } from '../support/mail-server.js'

let one: DealerStand
let other: DealerStand
let mails: MailServer
beforeAll(async () => {
  mails = await startMailServer()
  const variables = {
    MASTER_KEY: randomBytes(32).toString('base64'),
    SMTP_URL: `smtp://127.0.0.1:${mails.port}`,
    MAIL_FROM: 'robot@fiskalwerk.example',
    PUBLIC_URL: 'https://fiskalwerk.example',
    ...{ RATE_LIMITS: 'dealer=0,credentials=0', DATABASE_POOL: '12' },
  }
  one = await openDealer({ variables })
  const moment = new Date()
  other = await openDealer({ variables, beside: one.database, now: () => moment })
  await one.deps.jobs.start()
  await other.deps.jobs.start()
}, 60_000)
afterAll(async () => {
  await one.deps.jobs.stop()
  await other.deps.jobs.stop()
  await other.close()
  await one.close()
  await mails.stop()
})

async function merchant(): Promise<AccountAccess> {
  const deps = { store: one.deps.store, now: () => new Date() }
  const made = await createAccount(deps, newAccount('PosOperator', { roles: ['PosOperator'] }))
  await putConnection(one.deps.store, {
    ...{ id: randomUUID(), accountId: one.dealer.accountId, toAccountId: made.accountId },
    ...{ rights: 'Full', state: 'active', createdAt: new Date() },
  })
  return made
}

/** Status of reading and writing below the merchant, and whether the list has it. */
async function sees({ call }: DealerStand, { accountId }: AccountAccess): Promise<unknown[]> {
  const as = one.dealer
  const path = `/api/posoperators/${accountId}`
  const body = { name: 'Ring', address: 'Ring 2', postalCode: '1010', city: 'Wien', country: 'AT' }
  return [
    (await call(`GET ${path}/outlets`, { as })).status,
    (await call(`POST ${path}/outlets`, { as, body })).status,
    (await call('GET /api/posoperators', { as })).list().some(({ id }) => id === accountId),
  ]
}
const ALL = [200, 200, true]
const NONE = [404, 404, false]

const endsOf = async ({ accountId }: AccountAccess) => ({
  connection: await one.rows('select ends_at from connection where to_account_id = $1', [
    accountId,
  ]),
  audit: await one.rows(
    `select account_id, on_behalf_of from audit_entry where operation = 'endConnection'
       and subjects::jsonb ->> 'operatorId' = $1`,
    [accountId],
  ),
  letters: await one.rows(
    `select m.id from message m where m.subject = (
       select 'connection/' || c.id from connection c where c.to_account_id = $1)`,
    [accountId],
  ),
})

const mailsTo = async (text: string, count: number) => {
  const found = () => mails.mails.filter(({ raw, email }) => `${raw}${email.text}`.includes(text))
  await expect.poll(() => found().length, { timeout: 20_000 }).toBe(count)
  return found()
}

describe('a connection that ends on one server', () => {
  it.each(['dealer', 'merchant'] as const)(
    'by its %s: the other server, which has seen it a moment ago, refuses at once',
    async (by) => {
      const shop = await merchant()
      for (const server of [one, other]) expect(await sees(server, shop)).toEqual(ALL)
      const as = by === 'dealer' ? one.dealer : shop
      const to = by === 'dealer' ? shop.accountId : one.dealer.accountId
      const reply = await one.call(`DELETE /api/connections/${to}`, { as })
      expect(reply.json()).toMatchObject({ state: 'ended' })
      for (const server of [other, one]) expect(await sees(server, shop)).toEqual(NONE)
      const seen = await other.call('GET /api/connections', { as: shop })
      expect(seen.list()).toMatchObject([{ state: 'ended' }])
    },
  )

  it('on a date that comes by itself: no server has it in its list any more', async () => {
    const shop = await merchant()
    for (const server of [one, other]) expect(await sees(server, shop)).toEqual(ALL)
    const on = new Date(Date.now() + 3_000).toISOString()
    const reply = await one.call(`DELETE /api/connections/${shop.accountId}?on=${on}`)
    expect(reply.json()).toMatchObject({ state: 'active' })
    // with the date, both lists are new: they are kept from here
    for (const server of [one, other]) expect(await sees(server, shop)).toEqual(ALL)
    await expect
      .poll(async () => (await one.rows('select now() > $1::timestamptz as ok', [on]))[0]?.ok, {
        timeout: 10_000,
      })
      .toBe(true)
    for (const server of [one, other]) expect(await sees(server, shop)).toEqual(NONE)
  }, 30_000)

  it('tells both by a letter that arrives', async () => {
    const shop = await merchant()
    const name = `Gasthaus ${randomUUID()}`
    await one.rows('update account set name = $2, email = $3 where id = $1', [
      ...[shop.accountId, name, 'wirt@gasthaus.example'],
    ])
    const path = `DELETE /api/connections/${one.dealer.accountId}`
    expect((await one.call(path, { as: shop })).status).toBe(200)
    const letters = await mailsTo(name, 2)
    const to = letters.flatMap((letter) => letter.to)
    const [dealer] = await one.rows('select email from account where id = $1', [
      one.dealer.accountId,
    ])
    expect(to.toSorted()).toEqual(['wirt@gasthaus.example', String(dealer?.email)].toSorted())
  }, 30_000)
})

describe('two ends at once, one at each server', () => {
  it('by dealer and merchant are one end: one date, one row, one letter to each', async () => {
    for (let round = 0; round < 5; round += 1) {
      const shop = await merchant()
      const replies = await Promise.all([
        one.call(`DELETE /api/connections/${shop.accountId}`),
        other.call(`DELETE /api/connections/${one.dealer.accountId}`, { as: shop }),
      ])
      expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 404])
      const { connection, audit, letters } = await endsOf(shop)
      expect([audit.length, letters.length]).toEqual([1, 2])
      const won = replies.find(({ status }) => status === 200)
      const told = new Date(String(won?.json().endsAt)).getTime()
      expect(connection.map(({ ends_at }) => (ends_at as Date).getTime())).toEqual([told])
    }
  })

  it('on the same date are one end as well', async () => {
    const shop = await merchant()
    const on = '?on=2999-12-31'
    const replies = await Promise.all([
      one.call(`DELETE /api/connections/${shop.accountId}${on}`),
      other.call(`DELETE /api/connections/${one.dealer.accountId}${on}`, { as: shop }),
    ])
    for (const { status, text } of replies) {
      expect([status, text]).toEqual([200, expect.stringContaining('2999-12-31T00:00:00')])
    }
    const { audit, letters } = await endsOf(shop)
    expect([audit.length, letters.length]).toEqual([1, 2])
  })
})

describe('an order with an Idempotency-Key at two servers', () => {
  async function order() {
    const name = `AT_${randomUUID()}`
    const number = `4154-${String(1_000 + Math.floor(Math.random() * 8_999))}`
    const included = [{ number: '4154-000001', name: 'Product', entitlement: name }]
    const whole = { number, title: 'Plan', rolloutType: 'Outlet', includedProducts: included }
    await importPlans(one.deps.dealer.sales, [whole])
    const accountId = one.dealer.accountId
    const lot = { accountId, market: 'AT', name, terms: '5', validTo: null }
    await grantEntitlement(one.deps.dealer.sales, lot)
    // by the clock that stands still it is not valid yet
    await one.rows(`update entitlement_lot set valid_from = '2020-01-01' where name = $1`, [name])
    const path = `/api/posoperators/${await one.operator('ReadWrite')}`
    const body = { name: 'Ring', address: 'R 2', postalCode: '1010', city: 'Wien', country: 'AT' }
    for (let at = 0; at < 2; at += 1) await one.call(`POST ${path}/outlets`, { body })
    const keyed = (server: DealerStand, outletNumbers: number[]) =>
      server.call(`POST ${path}/produce/outlets`, {
        ...{ as: one.dealer, body: { rolloutPlanNumber: number, outletNumbers } },
        headers: { 'idempotency-key': name },
      })
    const left = async () =>
      Number(
        (await one.rows('select remaining from entitlement_lot where name = $1', [name]))[0]
          ?.remaining,
      )
    return { keyed, left }
  }

  it('is executed once, and every repetition at either server has its answer', async () => {
    const { keyed, left } = await order()
    const all = await Promise.all([one, other, one, other, other, one].map((at) => keyed(at, [3])))
    const answers = new Set(all.map(({ status, text }) => `${status} ${text}`))
    expect([...answers]).toEqual([expect.stringMatching(/^200 /)])
    for (const server of [other, one]) expect((await keyed(server, [3])).text).toBe(all[0]?.text)
    expect(await left()).toBe(4)
  })

  it('is 409 for another body, while the first one is at work as well', async () => {
    const { keyed, left } = await order()
    // the lot is held: the first call waits within its transaction
    const holder = await one.deps.store.pool.connect()
    await holder.query('begin')
    await holder.query('select 1 from entitlement_lot for update')
    const first = keyed(one, [3])
    const isWaiting = async () =>
      (
        await one.rows(`select 1 from pg_stat_activity where wait_event_type = 'Lock'
        and datname = current_database()`)
      ).length
    await expect.poll(isWaiting, { timeout: 10_000 }).toBe(1)
    const second = keyed(other, [4])
    await expect.poll(isWaiting, { timeout: 10_000 }).toBe(2)
    await holder.query('commit')
    holder.release()
    const same = keyed(other, [3])
    expect((await first).status).toBe(200)
    expect(refusal(await second)).toEqual({ status: 409, code: 'IdempotencyKeyUsed' })
    expect((await same).text).toBe((await first).text)
    expect(refusal(await keyed(one, [4])).status).toBe(409)
    expect(await left()).toBe(4)
  }, 30_000)
})
