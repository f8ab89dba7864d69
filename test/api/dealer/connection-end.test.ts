// The end of a connection: by the dealer, by the merchant, on its page, by the command line; now or
// on a date; in every server.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type AccountAccess, createAccount } from '../../../src/core/accounts/accounts.js'
import { auditLines } from '../../../src/core/audit/reading.js'
import { putConnection } from '../../../src/store/account/connections.js'
import { type DealerStand, newAccount, openDealer, refusal } from '../../support/dealer.js'
import { person } from '../../support/invitations.js'

let stand: DealerStand
beforeAll(async () => {
  stand = await openDealer({ variables: { RATE_LIMITS: 'credentials=0' } })
})
afterAll(() => stand.close())

async function merchant(state: 'active' | 'pending' = 'active'): Promise<AccountAccess> {
  const deps = { store: stand.deps.store, now: () => new Date() }
  const made = await createAccount(deps, newAccount('PosOperator', { roles: ['PosOperator'] }))
  await putConnection(stand.deps.store, {
    ...{ id: crypto.randomUUID(), accountId: stand.dealer.accountId, toAccountId: made.accountId },
    ...{ rights: 'Full', state, createdAt: new Date() },
  })
  return made
}

const sees = async ({ accountId }: AccountAccess): Promise<boolean[]> => [
  (await stand.call(`GET /api/posoperators/${accountId}`)).status === 200,
  (await stand.call(`GET /api/posoperators/${accountId}/outlets`)).status === 200,
  (await stand.call('GET /api/posoperators')).list().some(({ id }) => id === accountId),
  (await stand.call('GET /api/posoperators?limit=1000')).list().some(({ id }) => id === accountId),
]
const ALL = [true, true, true, true]
const NONE = [false, false, false, false]

const mailsAbout = (id: unknown) =>
  stand.rows('select account_id, kind from message where subject = $1', [`connection/${id}`])

/** With a last digit that is written: zeros at the end are left out of an answer. */
const TOMORROW = () =>
  new Date(Math.floor(Date.now() / 1_000) * 1_000 + 24 * 3_600_000 + 123).toISOString()

/** The clock of the database is everybody's, so the end is moved to where the clock is. */
const letItCome = (id: unknown) =>
  stand.rows(`update connection set ends_at = now() - interval '1 second' where id = $1`, [id])

describe('a connection that is ended', () => {
  it('by its dealer gives no right any more, and both are told', async () => {
    const other = await merchant()
    expect(await sees(other)).toEqual(ALL)
    const reply = await stand.call(`DELETE /api/connections/${other.accountId}`)
    expect(reply.json()).toMatchObject({ state: 'ended', accessRights: 'Full' })
    expect(await sees(other)).toEqual(NONE)
    const mails = await mailsAbout(reply.json().id)
    expect(mails.map((one) => one.account_id).toSorted()).toEqual(
      [stand.dealer.accountId, other.accountId].toSorted(),
    )
    expect((await stand.audit()).at(-1)).toMatchObject({
      ...{ operation: 'endConnection', accountId: stand.dealer.accountId },
      ...{ onBehalfOf: other.accountId, before: { state: 'active' }, after: { by: 'dealer' } },
    })
  })

  it('by its merchant as well', async () => {
    const other = await merchant()
    const path = `DELETE /api/connections/${stand.dealer.accountId}`
    const reply = await stand.call(path, { as: other })
    expect(reply.json()).toMatchObject({ state: 'ended' })
    expect(await sees(other)).toEqual(NONE)
    expect(refusal(await stand.call(path, { as: other }))).toEqual({
      ...{ status: 404, code: 'ConnectionNotFound' },
    })
    expect((await stand.call('GET /api/connections', { as: other })).list()).toMatchObject([
      { state: 'ended', dealer: { id: stand.dealer.accountId } },
    ])
    // the dealer, whose right is gone, finds out by whom
    for (const accountId of [stand.dealer.accountId, other.accountId]) {
      const [line] = await auditLines(stand.deps.store, { accountId, limit: 1 })
      expect(line).toMatchObject({
        ...{ operation: 'endConnection', accountId: other.accountId, onBehalfOf: null },
        concerns: stand.dealer.accountId,
      })
    }
  })

  it('not by an empty date: it could not be taken back', async () => {
    const other = await merchant()
    const reply = await stand.call(`DELETE /api/connections/${other.accountId}?on=`)
    expect(reply.status).toBe(400)
    expect(Object.keys(reply.json().errors as object)).toEqual(['on'])
    expect(await sees(other)).toEqual(ALL)
  })

  it('on a date gives its rights until then, and not afterwards', async () => {
    const other = await merchant()
    const on = TOMORROW()
    const reply = await stand.call(`DELETE /api/connections/${other.accountId}?on=${on}`)
    expect(reply.json()).toMatchObject({ state: 'active', endsAt: on })
    expect(await sees(other)).toEqual(ALL)
    await letItCome(reply.json().id)
    expect(await sees(other)).toEqual(NONE)
  })

  it('can be ended earlier by the other side, and not later', async () => {
    const other = await merchant()
    const first = TOMORROW()
    const path = `DELETE /api/connections/${other.accountId}`
    await stand.call(`${path}?on=${first}`)
    expect((await stand.call(`${path}?on=2999-01-01`)).json()).toMatchObject({ endsAt: first })
    const now = await stand.call(`DELETE /api/connections/${stand.dealer.accountId}`, { as: other })
    expect(now.json()).toMatchObject({ state: 'ended' })
    expect(await sees(other)).toEqual(NONE)
  })

  it('before it was accepted is no invitation any more', async () => {
    const other = await merchant('pending')
    const reply = await stand.call(`DELETE /api/connections/${other.accountId}?on=${TOMORROW()}`)
    expect(reply.json()).toMatchObject({ state: 'ended' })
    expect(await sees(other)).toEqual(NONE)
  })

  it('is nobody else’s to end', async () => {
    const other = await merchant()
    const as = await stand.account()
    for (const id of [other.accountId, stand.dealer.accountId]) {
      const reply = await stand.call(`DELETE /api/connections/${id}`, { as })
      expect(refusal(reply)).toEqual({ status: 404, code: 'ConnectionNotFound' })
      // it names the account that was asked for
      expect(reply.json().Message).toContain(id)
    }
    expect(await sees(other)).toEqual(ALL)
  })

  it('by both at the same moment ends once', async () => {
    const other = await merchant()
    const calls = [
      stand.call(`DELETE /api/connections/${other.accountId}`),
      stand.call(`DELETE /api/connections/${stand.dealer.accountId}`, { as: other }),
    ]
    const statuses = (await Promise.all(calls)).map(({ status }) => status)
    expect(statuses.toSorted()).toEqual([200, 404])
  })
})

describe('the page of a merchant', () => {
  const page = (url: string, form?: string) =>
    stand.app.inject({
      ...{ method: form === undefined ? 'GET' : 'POST', url },
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        'accept-language': 'en',
      },
      ...(form === undefined ? {} : { payload: form }),
    })

  /** The path of the link of a new invitation, which was accepted. */
  async function accepted(): Promise<{ link: string; operator: string }> {
    const made = await stand.call('POST /api/pos-operators-invitation', { body: person() })
    const base = `/api/pos-operators-invitation/${made.json().id}`
    await stand.call(`POST ${base}/execute`)
    const sent = await stand.call(`POST ${base}/resend?copyToClipboard=true`)
    const link = new URL(String(sent.json().text)).pathname
    expect((await page(link, 'name=Eva&agree=yes')).statusCode).toBe(200)
    const invitation = await stand.call(`GET ${base}`)
    return { link, operator: String(invitation.json().resultAccountId) }
  }

  it('ends the connection at once, only when that is confirmed', async () => {
    const { link, operator } = await accepted()
    const asked = await page(link)
    expect(asked.body).toContain(`action="${link}/end"`)
    expect(asked.body).toContain('Agreement')
    expect((await page(`${link}/end`, 'on=')).statusCode).toBe(400)
    expect((await page(`${link}/end`, 'on=2026-02-31&sure=yes')).statusCode).toBe(400)
    expect((await stand.call(`GET /api/posoperators/${operator}`)).status).toBe(200)
    const done = await page(`${link}/end`, 'on=&sure=yes')
    expect(done.statusCode).toBe(200)
    expect(done.body).toContain('has ended')
    expect((await stand.call(`GET /api/posoperators/${operator}`)).status).toBe(404)
    expect((await page(link)).body).toContain('has ended')
    // nothing is left to do twice
    expect((await page(`${link}/end`, 'on=&sure=yes')).body).toContain('has ended')
  })

  it('ends it on a day, and shows that day until then', async () => {
    const { link, operator } = await accepted()
    const done = await page(`${link}/end`, 'on=2999-12-31&sure=yes')
    expect(done.body).toContain('2999-12-31')
    expect((await page(link)).body).toContain('2999-12-31')
    expect((await stand.call(`GET /api/posoperators/${operator}`)).status).toBe(200)
  })

  it('of a connection that has ended does not come back with a new invitation', async () => {
    const { link, operator } = await accepted()
    await page(`${link}/end`, 'sure=yes')
    const found = await stand.rows('select id from invitation where result_account_id = $1', [
      operator,
    ])
    const base = `POST /api/pos-operators-invitation/${found[0]?.id}`
    await stand.call(`${base}/reset`)
    const again = await stand.call(`${base}/execute`)
    expect(again.json()).toMatchObject({ success: true })
    expect((await page(link)).statusCode).toBe(404)
    expect((await stand.call(`GET /api/posoperators/${operator}`)).status).toBe(404)
    const sent = await stand.call(`${base}/resend?copyToClipboard=true`)
    const fresh = new URL(String(sent.json().text)).pathname
    await page(fresh, 'name=Eva&agree=yes')
    expect((await stand.call(`GET /api/posoperators/${operator}`)).status).toBe(200)
  })
})
