// Personal data that a dealer erases: of one PosOperator, or of the own account; of nobody else.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type DealerStand, openDealer, refusal } from '../../support/dealer.js'

let stand: DealerStand
beforeAll(async () => {
  stand = await openDealer({ variables: { RATE_LIMITS: 'credentials=0' } })
})
afterAll(() => stand.close())

async function contact(accountId: string, email: string): Promise<void> {
  await stand.rows(
    `insert into contact (account_id, id, email, email_key, first_name, last_name, details,
       created_at) values ($1, $2, $3, $3, 'Eva', 'Muster', '{}', now())`,
    [accountId, randomUUID(), email],
  )
}

async function visit(accountId: string): Promise<void> {
  await stand.rows(
    `insert into delivery (account_id, queue_id, queue_item_id, id, moment, method, kind, counts,
       user_agent) values ($1, $2, $2, $2, now() - interval '10 days', 'viewed', 'customer', true,
       'Mozilla')`,
    [accountId, randomUUID()],
  )
}

const left = async (accountId: string) =>
  (
    await stand.rows(
      `select (select count(*)::int from contact where account_id = $1 and first_name <> '') as c,
         (select count(*)::int from delivery where account_id = $1
            and user_agent is not null) as d`,
      [accountId],
    )
  )[0]

const erase = (operator: string, body: unknown) =>
  stand.call(`POST /api/posoperators/${operator}/personal-data/erase`, { body })

it('ends with the account that it was asked for', async () => {
  const [one, other] = [await stand.operator('Full'), await stand.operator('Full')]
  const own = stand.dealer.accountId
  const email = 'eva@example.com'
  for (const id of [one, other, own]) {
    await contact(id, email)
    await visit(id)
  }
  expect((await erase(one, { email: ' EVA@example.com' })).json()).toEqual({
    erased: { contact: 1 },
  })
  expect([await left(one), await left(other), await left(own)]).toEqual([
    { c: 0, d: 1 },
    { c: 1, d: 1 },
    { c: 1, d: 1 },
  ])
  expect((await erase(one, { olderThanDays: 11 })).json()).toEqual({ erased: {} })
  expect((await erase(one, { olderThanDays: 9 })).json()).toEqual({ erased: { delivery: 1 } })
  expect((await erase(own, { olderThanDays: 9 })).json()).toEqual({ erased: { delivery: 1 } })
  expect([await left(one), await left(other), await left(own)]).toEqual([
    { c: 0, d: 0 },
    { c: 1, d: 1 },
    { c: 1, d: 0 },
  ])
  // each of these calls has its row, also the one that found nothing
  const rows = (await stand.audit()).filter((row) => row.operation === 'erasePersonalData')
  expect(rows.map(({ onBehalfOf, after }) => [onBehalfOf, after])).toEqual([
    [one, { contact: 1 }],
    [one, {}],
    [one, { delivery: 1 }],
    [null, { delivery: 1 }],
  ])
  expect(JSON.stringify(rows)).not.toMatch(/eva/i)
})

it('takes the right Full, and one of the two wishes', async () => {
  const few = await stand.operator('ReadWrite')
  expect((await erase(few, { olderThanDays: 1 })).status).toBe(403)
  expect(refusal(await erase(randomUUID(), { olderThanDays: 1 })).status).toBe(404)
  const full = await stand.operator('Full')
  for (const body of [{}, { olderThanDays: 1, email: 'a@b.example' }, { olderThanDays: -1 }]) {
    expect((await erase(full, body)).status, JSON.stringify(body)).toBe(400)
  }
})

it('leaves nothing of a person in invitations and in what was written about them', async () => {
  const email = 'ida.zuber@example.com'
  const company = {
    ...{ name: 'Blumen', email, phone: '+43 1 7654321', addressLine1: 'Ring 2' },
    ...{ postalCode: '1010', city: 'Wien', country: 'AT' },
  }
  const contactOf = (address: string) => ({
    ...{ firstName: 'Ida', lastName: 'Zuber', email: address, phone: '+43 1 7654321' },
  })
  const path = '/api/pos-operators-invitation'
  for (const address of [email, 'buero@example.com']) {
    const body = { company, contact: contactOf(address) }
    const made = await stand.call(`POST ${path}`, { body })
    expect(made.status, made.text).toBe(201)
    const run = await stand.call(`POST ${path}/${made.json().id}/execute`, { body: {} })
    expect(run.status, run.text).toBe(200)
  }
  const own = stand.dealer.accountId
  expect((await erase(own, { email })).json()).toEqual({ erased: { invitation: 2 } })
  expect((await erase(own, { email: 'buero@example.com' })).json()).toEqual({
    erased: { invitation: 1 },
  })
  const rows = await stand.rows(
    `select contact || company as text from invitation where account_id = $1
     union all select concat(subjects, before, after) from audit_entry where account_id = $1`,
    [own],
  )
  expect(rows.length).toBeGreaterThan(5)
  expect(JSON.stringify(rows)).not.toMatch(/zuber|ida|7654321/i)
})

it('empties the company of an invitation with its contact when its age is over', async () => {
  await stand.rows(
    `insert into invitation (account_id, id, email_key, company, contact, done, created_at)
     values ($1, $2, 'alt@example.com', $3, '{"email":"alt@example.com"}', $4, $4)`,
    [
      ...[stand.dealer.accountId, randomUUID()],
      '{"name":"Alt","email":"alt@example.com","phone":"01/23","city":"Graz"}',
      '2020-01-01',
    ],
  )
  expect((await erase(stand.dealer.accountId, { olderThanDays: 1_000 })).status).toBe(200)
  const [row] = await stand.rows(`select company from invitation where company like '%Graz%'`)
  expect(JSON.parse(String(row?.company))).toEqual({
    ...{ name: 'Alt', email: '', phone: null, city: 'Graz' },
  })
})
