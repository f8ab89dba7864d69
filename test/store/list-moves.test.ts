// Lists over all merchants while things change: Queues that fall silent, CashBoxes that are used
// and left, one that was changed. What names their rows may name too many and never too few.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createAccount } from '../../src/core/accounts/accounts.js'
import { registerPaths } from '../../src/core/event/problem/watched.js'
import { everyFacts } from '../../src/market/index.js'
import { type BoxQuestion, listFleetBoxes } from '../../src/store/event/fleet/boxes.js'
import { type FleetQuestion, listFleet } from '../../src/store/event/fleet/queues.js'
import { forgetSpare } from '../../src/store/event/fleet/spare.js'
import { byOne } from '../../src/store/event/problem/detectors.js'
import { readRegisters } from '../../src/store/event/problem/registers.js'
import { newAccount } from '../support/dealer.js'
import { type Fleet, LIMIT, openFleet, type Row } from '../support/fleet.js'

let fleet: Fleet
beforeAll(async () => {
  fleet = await openFleet()
}, 120_000)
afterAll(() => fleet.close())

/** As the sign statement writes it. */
const RECEIPT = `update queue set version = version + 1, start_moment = start_moment,
  stop_moment = stop_moment, current_row = current_row + 1, last_moment = now(),
  queued_row = queued_row + 1, receipt_numerator = receipt_numerator + 1,
  time_stamp = time_stamp + 1 where account_id = $1 and id = $2`

describe('Queues that are silent', () => {
  const SINCE = new Date(Date.now() - 200 * 60 * 60 * 1000)
  const SILENT = `select id from queue where start_moment < $1 and stop_moment is null
    and coalesce(last_moment, start_moment) < $1 order by account_id, id`
  const silent = (silentSince: Date) => fleet.pages<FleetQuestion, Row>(listFleet, { silentSince })
  const looked = () =>
    byOne(fleet.stand.store, { name: 'registers', restMs: 0 }, (client) =>
      readRegisters(client, registerPaths(everyFacts)),
    )

  it('are found without all others once all were looked at, and also before', async () => {
    const { rows } = await fleet.sql(
      `update queue set last_moment = now() - interval '9 days' where id in (select id from queue
         where start_moment is not null and stop_moment is null limit 3) returning id`,
    )
    expect(await fleet.plain(SILENT, [SINCE])).toHaveLength(3)
    const before = await listFleet(fleet.stand.store, {
      accountId: fleet.accountId,
      limit: LIMIT,
      silentSince: SINCE,
    })
    expect(new Set(before.map(({ id }) => id))).toEqual(new Set(rows.map(({ id }) => id)))
    await looked()
    // they were made a moment ago, and new ones are looked at one by one
    await fleet.sql("update queue set created_at = now() - interval '2 days'")
    await fleet.sql('analyze queue, queue_watch')
    expect(await silent(SINCE)).toEqual(await fleet.plain(SILENT, [SINCE]))
    // one that went on since is silent no more, and one that has just fallen silent is
    await fleet.sql('update queue set last_moment = now() where id = $1', [rows[0].id])
    expect(await silent(SINCE)).toEqual(await fleet.plain(SILENT, [SINCE]))
    const lately = new Date(Date.now() - 20 * 60 * 60 * 1000)
    const all = await listFleet(fleet.stand.store, {
      accountId: fleet.accountId,
      limit: 9_000,
      silentSince: lately,
    })
    expect(all.map(({ id }) => id)).toEqual(await fleet.plain(SILENT, [lately]))
  })

  it('are written down seldom', async () => {
    await fleet.sql(
      "update queue set last_moment = now() + interval '7 hours' where start_moment > $1",
      [new Date(0)],
    )
    expect(await looked()).toBeGreaterThan(1_000)
    await fleet.sql(
      "update queue set last_moment = now() + interval '8 hours' where start_moment > $1",
      [new Date(0)],
    )
    expect(await looked()).toBe(0)
  })
})

describe('what was never used', () => {
  const spare = async (kind: string) =>
    fleet.plain('select id from spare where kind = $1 order by account_id, id', [kind])
  const unusedBoxes = () => fleet.pages<BoxQuestion, Row>(listFleetBoxes, { state: 'unused' })

  it('is forgotten once it is used, and noted again with its last Queue gone', async () => {
    const before = await unusedBoxes()
    expect(await spare('cashbox')).toEqual(before)
    const { rows } = await fleet.sql(
      `select account_id, id, cash_box_id from queue where start_moment is not null
         and stop_moment is null and cash_box_id is not null order by id limit 1`,
    )
    const [queue] = rows
    await fleet.sql('update queue set cash_box_id = null where account_id = $1 and id = $2', [
      ...[queue.account_id, queue.id],
    ])
    expect(new Set(await unusedBoxes())).toEqual(new Set([...before, queue.cash_box_id]))
    await fleet.sql('update queue set cash_box_id = $3 where account_id = $1 and id = $2', [
      ...[queue.account_id, queue.id, queue.cash_box_id],
    ])
    expect(await unusedBoxes()).toEqual(before)
    await forgetSpare(fleet.stand.store)
    expect(await spare('cashbox')).toEqual(before)
  })

  it('stays noted when it is left at the moment in which others see it used', async () => {
    const { rows } = await fleet.sql(
      `select account_id, id, cash_box_id from queue where start_moment is not null
         and stop_moment is null and cash_box_id is not null order by id limit 1`,
    )
    const [queue] = rows
    const leave = 'update queue set cash_box_id = null where account_id = $1 and id = $2'
    const values = [queue.account_id, queue.id]
    // noted, and used again
    await fleet.sql(leave, values)
    await fleet.sql('update queue set cash_box_id = $3 where account_id = $1 and id = $2', [
      ...[...values, queue.cash_box_id],
    ])
    await fleet.connected(async (client) => {
      await client.query('begin')
      await client.query(leave, values)
      const forgetting = forgetSpare(fleet.stand.store)
      const { rows: own } = await client.query('select pg_backend_pid() as pid')
      const waits = 'select from pg_stat_activity where $1 = any(pg_blocking_pids(pid))'
      await expect
        .poll(async () => (await client.query(waits, [own[0].pid])).rowCount)
        .toBeGreaterThan(0)
      await client.query('commit')
      await forgetting
    })
    expect(await unusedBoxes()).toContain(queue.cash_box_id)
  })
})

it('a receipt moves the row of its Queue and no index', async () => {
  // rows with the room that each page is made with, and few of one page
  await fleet.sql('vacuum full queue')
  const counts = await fleet.connected(async (client) => {
    await client.query('begin')
    const { rows } = await client.query(
      'select account_id, id from queue where start_moment is not null order by id limit 20',
    )
    for (const { account_id: account, id } of rows) await client.query(RECEIPT, [account, id])
    const found = await client.query(
      `select n_tup_upd as all, n_tup_hot_upd as hot from pg_stat_xact_user_tables
       where relname = 'queue'`,
    )
    await client.query('rollback')
    return found.rows
  })
  expect(counts).toEqual([{ all: '20', hot: '20' }])
})

it('a CashBox that was changed is listed once, and to nobody else', async () => {
  const foreign = await createAccount(
    { store: fleet.stand.store, now: () => new Date() },
    newAccount('PosOperator'),
  )
  const { rows } = await fleet.sql(
    `update cash_box set time_stamp = published_at + 1 where id in (
       select id from cash_box where published_at is not null order by id limit 2) returning id`,
  )
  const [own, other] = rows.map(({ id }) => String(id))
  await fleet.sql('update cash_box set account_id = $1, outlet_id = null where id = $2', [
    foreign.accountId,
    other,
  ])
  for (const asked of [{ unpublished: true }, { unpublished: true, outletNumber: 1 }]) {
    const found = await fleet.pages<BoxQuestion, Row>(listFleetBoxes, asked)
    expect(new Set(found).size).toBe(found.length)
    expect(found).toContain(own)
    expect(found).not.toContain(other)
  }
})
