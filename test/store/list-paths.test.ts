// Lists over all merchants find their rows by keys, whatever they are asked for: how many rows of
// each table a page reads is counted by PostgreSQL, and what all pages have is what a plain
// question to the tables has.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Store } from '../../src/store/client.js'
import { type BoxQuestion, listFleetBoxes } from '../../src/store/event/fleet/boxes.js'
import { type FleetQuestion, listFleet } from '../../src/store/event/fleet/queues.js'
import { queuesToLook } from '../../src/store/event/fleet/search.js'
import { listFleetUnits, type UnitQuestion } from '../../src/store/event/fleet/units.js'
import { listProblems, type ProblemQuestion } from '../../src/store/event/problem/problems.js'
import { type UnitsAsked, unitsInUse } from '../../src/store/rollout/scus.js'
import { type Fleet, LIMIT, openFleet, type Row } from '../support/fleet.js'

const SOON = new Date(Date.now() + 90 * 24 * 60 * 60 * 1000)

let fleet: Fleet
beforeAll(async () => {
  fleet = await openFleet()
}, 120_000)
afterAll(() => fleet.close())

const USED = `exists (select from queue q where q.account_id = c.account_id
  and q.cash_box_id = c.id and q.start_moment is not null)`
const BOXES: readonly [Omit<BoxQuestion, 'accountId' | 'limit'>, string, unknown[]?][] = [
  [{ state: 'unused' }, `not ${USED}`],
  [
    { state: 'stopped' },
    `${USED} and not exists (select from queue q where q.account_id = c.account_id
       and q.cash_box_id = c.id and q.start_moment is not null and q.stop_moment is null)`,
  ],
  [
    { outletNumber: 7 },
    `coalesce(c.outlet_number, (select number from outlet o where o.account_id = c.account_id
       and o.id = c.outlet_id), 1) = 7`,
  ],
  [
    { outage: true },
    `exists (select from outage o where o.cash_box_id = c.id and o.ended_at is null)`,
  ],
  [
    { certificateEndsBefore: SOON },
    `exists (select from cash_box_scu h join unit_fact f using (account_id, scu_id)
       where h.account_id = c.account_id and h.cash_box_id = c.id and f.certificate_ends < $1)`,
    [SOON],
  ],
  [{ market: 'FR' }, 'false'],
  [{ search: 'till 49' }, `c.description = 'Till 49'`],
  [
    { unpublished: true, state: 'active' },
    `c.published_at is null and exists (select from queue q where q.account_id = c.account_id
       and q.cash_box_id = c.id and q.start_moment is not null and q.stop_moment is null)`,
  ],
]

it.each(BOXES)('cash boxes by %j', async (asked, where, values = []) => {
  const found = await fleet.pages<BoxQuestion, Row>(listFleetBoxes, asked)
  const wanted = `select c.id from cash_box c where ${where} order by c.account_id, c.id`
  expect(found).toEqual(await fleet.plain(wanted, values))
  if (where !== 'false') expect(found.length).toBeGreaterThan(0)
})

const QUEUES: readonly [Omit<FleetQuestion, 'accountId' | 'limit'>, string][] = [
  [{ state: 'unused' }, 'q.start_moment is null'],
  [{ state: 'stopped' }, 'q.start_moment is not null and q.stop_moment is not null'],
  [
    { outage: true },
    'exists (select from outage o where o.queue_id = q.id and o.ended_at is null)',
  ],
  [
    { outletNumber: 7 },
    `exists (select from cash_box c left join outlet o on o.account_id = c.account_id
       and o.id = c.outlet_id where c.account_id = q.account_id and c.id = q.cash_box_id
       and coalesce(c.outlet_number, o.number) = 7)`,
  ],
  [{ market: 'FR' }, 'false'],
  [{ market: 'DE', state: 'stopped' }, `q.market = 'DE' and q.stop_moment is not null`],
  [{ search: 'till 49' }, `q.description = 'Till 49'`],
]

it.each(QUEUES)('Queues by %j', async (asked, where) => {
  const found = await fleet.pages<FleetQuestion, Row>(listFleet, asked)
  expect(found).toEqual(
    await fleet.plain(`select q.id from queue q where ${where} order by q.account_id, q.id`),
  )
  if (where !== 'false') expect(found.length).toBeGreaterThan(0)
})

const LINKED = `exists (select from queue_scu u where u.account_id = s.account_id
  and u.scu_id = s.id)`
const UNITS: readonly [Omit<UnitQuestion, 'accountId' | 'limit'>, string, unknown[]?][] = [
  [{ state: 'unused' }, `f.module_state is null and not ${LINKED}`],
  [{ state: 'terminated' }, 'f.module_state = 2'],
  [
    { outage: true },
    `exists (select from queue_scu u join outage o using (queue_id)
       where u.scu_id = s.id and o.ended_at is null)`,
  ],
  [
    { outletNumber: 7 },
    `coalesce((select number from outlet o where o.account_id = s.account_id
         and o.id = s.outlet_id),
       (select coalesce(c.outlet_number, o.number) from cash_box_scu h join cash_box c
         on c.account_id = h.account_id and c.id = h.cash_box_id
         left join outlet o on o.account_id = c.account_id and o.id = c.outlet_id
         where h.account_id = s.account_id and h.scu_id = s.id)) = 7`,
  ],
  [{ certificateEndsBefore: SOON }, 'f.certificate_ends < $1', [SOON]],
  [{ market: 'DE' }, 'false'],
  [{ search: 'unit of' }, 'true'],
  [{ search: 'no such thing' }, 'false'],
  [
    { unpublished: true },
    `exists (select from cash_box_scu h join cash_box c on c.account_id = h.account_id
       and c.id = h.cash_box_id and c.published_at is null
       where h.account_id = s.account_id and h.scu_id = s.id)`,
  ],
]

it.each(UNITS)('signing units by %j', async (asked, where, values = []) => {
  const found = await fleet.pages<UnitQuestion, Row>(listFleetUnits, asked)
  const wanted = `select s.id from scu s join unit_fact f on f.account_id = s.account_id
    and f.scu_id = s.id where ${where} order by s.account_id, s.id`
  expect(found).toEqual(await fleet.plain(wanted, values))
  if (where !== 'false') expect(found.length).toBeGreaterThan(0)
})

const DUE = `coalesce(due, '9999-12-31Z')`
const SORTS: readonly [ProblemQuestion['sort'], string][] = [
  ['-severity', '-severity, since, id'],
  ['severity', '-severity desc, since desc, id desc'],
  ['since', 'since, id'],
  ['-since', 'since desc, id desc'],
  ['due', `${DUE}, id`],
  ['-due', `${DUE} desc, id desc`],
]
const SHOWN = { severity: 1, snoozed: false, operatorId: undefined, cashBoxId: undefined }

describe.each(SORTS)('problems by %s', (sort, order) => {
  it.each([
    [{ kind: undefined, cleared: false }, 'cleared_at is null'],
    [{ kind: undefined, cleared: true }, 'cleared_at is not null'],
    [{ kind: 'tar' as const, cleared: false }, 'false'],
  ])('%j', async (more, where) => {
    let place: unknown
    const found = await fleet.pages<ProblemQuestion, Row & { place: unknown }>(
      async (store, asked) => {
        const rows = await listProblems(store, { ...asked, limit: asked.after ? 9_000 : LIMIT })
        place = rows.at(-1)?.place
        return rows
      },
      { ...SHOWN, ...more, sort },
      () => place,
    )
    expect(found).toEqual(
      await fleet.plain(`select id from problem where ${where} order by ${order}`),
    )
  })
})

it('a Queue that is looked for by its name is found without the others', async () => {
  fleet.counted.clear()
  const found = await queuesToLook(fleet.counting, {
    accountId: fleet.accountId,
    queue: 'k-1',
    most: 50,
  })
  expect(found.map(({ identification }) => identification)).toEqual(['K-1'])
  expect(fleet.counted.get('queue')).toBeLessThanOrEqual(2)
  expect(
    await queuesToLook(fleet.stand.store, {
      accountId: fleet.accountId,
      queue: undefined,
      most: 50,
    }),
  ).toEqual([])
})

it.each([{}, { packages: ['none'] }])('units in use, by %j', async (more) => {
  const list = (store: Store, { after, limit }: UnitsAsked) =>
    unitsInUse(store, { after, limit, ...more })
  const found = await fleet.pages(list, {})
  const wanted = await fleet.plain(`select s.id from scu s where exists (
    select from queue_scu u join queue q on q.account_id = u.account_id and q.id = u.queue_id
    where u.account_id = s.account_id and u.scu_id = s.id and q.stop_moment is null)
    order by s.account_id, s.id`)
  expect(found).toEqual(wanted)
  expect(found.length).toBeGreaterThan(LIMIT)
  const none = { after: undefined, limit: LIMIT, packages: ['another'] }
  expect(await unitsInUse(fleet.stand.store, none)).toEqual([])
})
