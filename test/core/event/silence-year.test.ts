// A year of shops, judged by what judges them in a server: their journals in a real database, what
// is learnt from those, and the statement of the detector. Its clock is set, hour by hour.
// YEAR_SHOPS=200 YEAR_DAYS=365 is the long form; YEAR_SEED repeats one.
import { randomInt, randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { judgeSilence } from '../../../src/core/event/problem/habits.js'
import { ticksOf } from '../../../src/lib/ticks.js'
import { markets } from '../../../src/market/index.js'
import type { Store } from '../../../src/store/client.js'
import { detect } from '../../../src/store/event/problem/detectors.js'
import { createTestDatabase, type TestDatabase } from '../../support/db.js'
import { testStore } from '../../support/make.js'
import { HOUR, numbersFrom, shopYear } from '../../support/shop-years.js'

const SHOPS = Number(process.env.YEAR_SHOPS ?? 30)
const DAYS = Number(process.env.YEAR_DAYS ?? 42)
const SEED = Number(process.env.YEAR_SEED ?? (DAYS < 365 ? 1 : randomInt(1e9)))
const MINUTE = 60_000
const DAY = 24 * HOUR

// the short form: Easter twice, the change of the clocks, and the first of May
const from = DAYS < 365 ? Date.UTC(2026, 2, 23) : Date.UTC(2026, 0, 1)
const to = from + DAYS * DAY
const facts = Object.values(markets).map((market) => market.facts)

/** What is called without its schema is found here first: the program's own text stays as it is. */
const CLOCK = `create schema clock;
  create function clock.now() returns timestamptz language sql stable
    as $$ select current_setting('clock.now')::timestamptz $$`

const ACCOUNT = randomUUID()
const random = numbersFrom(SEED)
const shops = Array.from({ length: SHOPS }, () => ({
  ...shopYear(random, { from, to }),
  id: randomUUID(),
}))
type Shop = (typeof shops)[number]

let database: TestDatabase
let store: Store
beforeAll(async () => {
  database = await createTestDatabase()
  const client = new pg.Client(database.config)
  await client.connect()
  await client.query(CLOCK)
  await client.end()
  const now = new Date(from).toISOString()
  const options = `-c search_path=clock,pg_catalog,public -c clock.now=${now}`
  // one connection, so that a statement finds the clock where the one before has set it
  store = testStore({ ...database.config, options }, 1)
  for (const shop of shops) await open(shop)
})
afterAll(async () => {
  await store.close()
  await database.drop()
})

async function open({ id, market, opens, receipts }: Shop): Promise<void> {
  const before = receipts.filter((moment) => moment < from)
  await store.pool.query(
    `insert into queue (account_id, id, cash_box_id, market, description, identification,
       configuration, state, time_stamp, created_at, start_moment, last_moment)
     values ($1, $2, $2, $3, '', $2::uuid::text, '{}', '{}', 0, $4, $5, $6)`,
    [
      ...[ACCOUNT, id, market, new Date(opens)],
      opens < from ? new Date(opens) : null,
      before.length === 0 ? null : new Date(before.at(-1) ?? 0),
    ],
  )
  await store.pool.query(
    `insert into receipt_journal (account_id, queue_id, time_stamp, id, receipt_moment,
       receipt_number, receipt_total, queue_item_id, receipt_hash)
     select $1, $2, u.tick, gen_random_uuid(), u.moment, 1, 1, $2, sha256('')
     from unnest($3::int8[], $4::timestamptz[]) u(tick, moment)`,
    [ACCOUNT, id, receipts.map(ticksOf), receipts.map((moment) => new Date(moment))],
  )
}

/** What has come until this hour is over, shop by shop. */
const places = new Map(
  shops.map(({ id, receipts }) => [id, receipts.filter((moment) => moment < from).length]),
)

async function tick(hour: number): Promise<void> {
  const news = shops.flatMap(({ id, receipts, opens }) => {
    const place = places.get(id) ?? 0
    const moment = receipts[place]
    if (moment === undefined || moment >= hour) return []
    places.set(id, place + 1)
    return [{ id, moment: new Date(moment), opens: new Date(opens) }]
  })
  await store.pool.query({
    name: 'tick',
    text: `with u as (select * from unnest($2::uuid[], $3::timestamptz[], $4::timestamptz[])
        u(id, moment, opens)),
      q as (update queue q set last_moment = u.moment, start_moment = u.opens
        from u where q.account_id = $1 and q.id = u.id)
      select set_config('clock.now', $5, false)`,
    values: [
      ...[ACCOUNT, news.map(({ id }) => id), news.map(({ moment }) => moment)],
      ...[news.map(({ opens }) => opens), new Date(hour + MINUTE).toISOString()],
    ],
  })
}

interface Alarm {
  queueId: string
  since: Date
  foundAt: Date
}

/** Looks once an hour, a minute past. */
async function lookThroughIt(): Promise<Alarm[]> {
  const { signal } = new AbortController()
  for (let hour = from; hour <= to; hour += HOUR) {
    await tick(hour)
    await judgeSilence({ store, facts, now: () => new Date(hour + MINUTE) }, signal)
    await detect(store, 'no_receipts', { restMs: 0, watched: undefined })
  }
  const { rows } = await store.pool.query<Alarm>(
    `select subject_id as "queueId", since, found_at as "foundAt" from problem
     where kind = 'no_receipts' order by found_at`,
  )
  return rows
}

interface Verdict {
  stops: number
  /** Found before the business day behind the one of the stop was over. */
  nextDay: number
  /** Not found within one business day: not before a second whole one was over. */
  late: string[]
  false: string[]
}

/** An alarm tells of a stop when it is of the same silence; one before the stop was false. */
function judge(shop: Shop, alarms: readonly Alarm[]): Verdict {
  const name = `${shop.kind} ${shop.market}`
  const verdict: Verdict = { stops: 0, nextDay: 0, late: [], false: [] }
  const right = new Set<Alarm>()
  for (const stop of shop.stops.filter(({ until }) => until < to)) {
    const newest = shop.receipts.findLast((moment) => moment < stop.from) ?? shop.opens
    const alarm = alarms.find(({ since }) => since.getTime() === newest)
    const at = alarm?.foundAt.getTime() ?? Number.POSITIVE_INFINITY
    if (alarm !== undefined && at >= stop.from) right.add(alarm)
    verdict.stops += 1
    if (at <= stop.nextDay + MINUTE) verdict.nextDay += 1
    if (at > stop.until + MINUTE) {
      const found = alarm?.foundAt.toISOString() ?? 'never'
      verdict.late.push(`${name}, stopped ${text(stop.from)}: by ${text(stop.until)}, ${found}`)
    }
  }
  for (const alarm of alarms.filter((one) => !right.has(one))) {
    verdict.false.push(`${name}, silent ${text(alarm.since)}: ${text(alarm.foundAt)}`)
  }
  return verdict
}

const text = (moment: number | Date) => new Date(moment).toISOString().slice(0, 16)

describe(`${SHOPS} shops, ${DAYS} days, YEAR_SEED=${SEED}`, () => {
  it('raise few false alarms, and real stops are found', { timeout: 1_200_000 }, async () => {
    const alarms = await lookThroughIt()
    const ofShop = ({ id }: Shop) => alarms.filter(({ queueId }) => queueId === id)
    const verdicts = shops.map((shop) => judge(shop, ofShop(shop)))
    const sum = (of: (verdict: Verdict) => number) =>
      verdicts.reduce((all, verdict) => all + of(verdict), 0)
    const late = verdicts.flatMap((one) => one.late)
    const wrong = verdicts.flatMap((one) => one.false)
    const stops = sum((one) => one.stops)
    const figures = {
      ...{ seed: SEED, stops, found: 1 - late.length / stops },
      onTheNextDay: sum((one) => one.nextDay) / stops,
      falseOfAYear: wrong.length / SHOPS / (DAYS / 365),
      mostOfAShop: Math.max(...verdicts.map((one) => one.false.length)),
    }
    const told = [JSON.stringify(figures), 'LATE', ...late, 'FALSE', ...wrong].join('\n')
    if (DAYS >= 365) console.log(told)
    expect(stops, told).toBeGreaterThan(SHOPS / 2)
    expect(figures.found, told).toBeGreaterThanOrEqual(0.99)
    expect(figures.falseOfAYear, told).toBeLessThanOrEqual(1)
  })
})

it('who sells on public holidays is missed on them, whoever keeps them is not', async () => {
  const days = Array.from({ length: 365 }, (_, day) => Date.UTC(2026, 0, 1) + day * DAY)
  const stop = Date.UTC(2026, 11, 25)
  const isHoliday = (day: number) => /-(01-06|05-01|08-15|10-26|11-01|12-08)/.test(text(day))
  const made = [true, false].map((sells): Shop => {
    const open = days.filter((day) => day < stop && (sells || !isHoliday(day)))
    const receipts = open.flatMap((day) =>
      Array.from({ length: 10 }, (_, nth) => day + (9 + nth) * HOUR + MINUTE),
    )
    const opens = receipts[0] ?? 0
    return { kind: 'restaurant', market: 'AT', opens, receipts, stops: [], id: randomUUID() }
  })
  for (const shop of made) await open(shop)
  const last = 'update queue set start_moment = $2, last_moment = $3 where id = $1'
  for (const { id, opens, receipts } of made) {
    await store.pool.query(last, [id, new Date(opens), new Date(receipts.at(-1) ?? 0)])
  }
  const now = new Date(stop + 12 * HOUR)
  await store.pool.query("select set_config('clock.now', $1, false)", [now.toISOString()])
  await judgeSilence({ store, facts, now: () => now }, new AbortController().signal)
  const { rows } = await store.pool.query(
    `select expected_by as by from activity where queue_id = any($1::uuid[])
     order by array_position($1::uuid[], queue_id)`,
    [made.map(({ id }) => id)],
  )
  // 25 and 26 December are holidays; a day and a quarter of ten hours
  expect(rows.map(({ by }) => text(by))).toEqual(['2026-12-26T12:00', '2026-12-28T12:00'])
})
