// Registers that ask the Platform with the credentials of their CashBox: they see themselves alone.
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openPlatform, type PlatformShop } from '../../support/platform.js'

let shop: PlatformShop
/** Another CashBox of the same merchant, with a Queue that has an outage. */
const other = { cashBoxId: randomUUID(), queueId: randomUUID() }
beforeAll(async () => {
  shop = await openPlatform()
  const { pool } = shop.deps.store
  await pool.query(
    `insert into cash_box (account_id, id, outlet_id, description, access_token_hash,
       access_token_sealed, private_key_sealed, time_stamp, created_at)
     select account_id, $2, outlet_id, 'other', sha256('x'), '', '', 1, now() from cash_box
     where id = $1`,
    [shop.box.cashBoxId, other.cashBoxId],
  )
  await pool.query(
    `insert into queue (account_id, id, cash_box_id, market, description, identification,
       configuration, state, time_stamp, created_at, start_moment)
     values ($1, $2, $3, 'AT', '', 'other', '{}', '{}', 1, now(), now())`,
    [shop.operatorId, other.queueId, other.cashBoxId],
  )
  for (const [queueId, cashBoxId] of [
    [other.queueId, other.cashBoxId],
    [shop.box.queueId, shop.box.cashBoxId],
  ]) {
    await pool.query(
      `insert into inbox (account_id, event_id, type, cash_box_id, subject_kind, subject_id, data,
         at) values ($1, gen_random_uuid(), 'outage.opened', $3, 'queue', $2,
         '{"cause":"register"}', now())`,
      [shop.operatorId, queueId, cashBoxId],
    )
  }
  while ((await pool.query('select from inbox')).rowCount !== 0) await sleep(20)
  await shop.deps.watch.look(['outage'])
})
afterAll(() => shop.close())

async function get(path: string) {
  const { cashBoxId: cashboxid, accessToken: accesstoken } = shop.box
  const headers = { cashboxid, accesstoken }
  const answer = await fetch(`${shop.url}/platform/v1/${path}`, { headers })
  return { status: answer.status, text: await answer.text() }
}

it.each([
  'queues',
  'cashboxes',
  'outages',
  'problems',
  'problems.csv',
  'events?types=outage.opened',
])('/%s has what concerns the register, and nothing of the one beside it', async (path) => {
  const { status, text } = await get(path)
  expect(status).toBe(200)
  expect(text).toContain(shop.box.cashBoxId)
  expect(text).not.toContain(other.cashBoxId)
  expect(text).not.toContain(other.queueId)
})

it('counts are those of its list', async () => {
  const counts = JSON.parse((await get('problem-counts?kind=outage')).text)
  expect(counts).toEqual([{ kind: 'outage', severity: 2, count: 1 }])
})

it('knows its own Queue, and that of another register as little as one that is none', async () => {
  expect((await get(`queues/${shop.box.queueId}/outage`)).status).toBe(200)
  const said = async (id: string) => {
    const { status, text } = await get(`queues/${id}/outage`)
    return [status, text.replaceAll(id, '…').replace(/"traceId":"[^"]*"/, '')]
  }
  const foreign = await said(other.queueId)
  expect(foreign[0]).toBe(404)
  expect(foreign).toEqual(await said(randomUUID()))
})
