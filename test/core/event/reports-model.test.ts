// Whatever happens to registers that share a signing unit, whoever looks, whoever says it is done:
// the reports are those that a short model of the law expects, each once, and what people have
// decided stays. REPORT_HISTORIES=200 makes it longer.
import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openReports, type ReportShop } from '../../support/reports.js'

const HISTORIES = Number(process.env.REPORT_HISTORIES ?? 8)
const HOUR = 3_600_000
const REGISTERS = 3
const DONE = { doneOn: '2026-01-02', reference: 'FON 1', note: null }

let shop: ReportShop
let queues: string[]
let unit: string
let unitMade: number
beforeAll(async () => {
  shop = await openReports()
  const [first = {}] = await shop.sql(
    `select u.scu_id, s.created_at from queue_scu u join scu s
       on s.account_id = u.account_id and s.id = u.scu_id where u.queue_id = $1`,
    shop.box.queueId,
  )
  unit = String(first.scu_id)
  unitMade = (first.created_at as Date).getTime()
  queues = [shop.box.queueId]
  for (let nth = 1; nth < REGISTERS; nth += 1) {
    const id = randomUUID()
    await shop.sql(
      `insert into queue (account_id, id, cash_box_id, market, description, identification,
         configuration, state, time_stamp, created_at)
       select account_id, $2::uuid, cash_box_id, market, description, $2::uuid::text,
         configuration, state,
         time_stamp, created_at from queue where id = $1`,
      ...[shop.box.queueId, id],
    )
    await shop.sql(
      'insert into queue_scu (account_id, queue_id, scu_id, position) values ($1, $2, $3, 0)',
      ...[shop.operatorId, id, unit],
    )
    queues.push(id)
  }
})
afterAll(() => shop.close())

const nth = fc.nat({ max: REGISTERS - 1 })
const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ does: fc.constant('start' as const), nth }) },
  { weight: 2, arbitrary: fc.record({ does: fc.constant('stop' as const), nth }) },
  fc.record({
    does: fc.constant('outage' as const),
    nth,
    cause: fc.constantFrom('device' as const, 'register' as const),
    hours: fc.constantFrom(1, 47, 49, 100),
    isOver: fc.boolean(),
  }),
  {
    weight: 3,
    arbitrary: fc.record({ does: fc.constant('look' as const), by: fc.nat({ max: 2 }) }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      does: fc.constant('move' as const),
      which: fc.nat(),
      to: fc.constantFrom('manual' as const, 'ignore' as const, 'reopen' as const),
    }),
  },
)
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

interface Outage {
  id: string
  nth: number
  cause: 'device' | 'register'
  hours: number
  isOver: boolean
}

/** What has happened, and what people have said; no word of the program's. */
class World {
  /** Moments in milliseconds. */
  readonly started: (number | undefined)[] = Array.from({ length: REGISTERS }, () => undefined)
  readonly stopped: (number | undefined)[] = Array.from({ length: REGISTERS }, () => undefined)
  readonly outages: Outage[] = []
  readonly said = new Map<string, string>()
  /** Ends of the unit that a look has seen. */
  readonly ends = new Map<string, 'open' | 'superseded'>()

  /** Undefined: registers work with it, or none ever did. */
  get unitEnd(): number | undefined {
    const used = this.started.flatMap((at, one) => (at === undefined ? [] : [one]))
    const ends = used.map((one) => this.stopped[one])
    const known = ends.filter((at) => at !== undefined)
    return used.length === 0 || known.length < used.length ? undefined : Math.max(...known)
  }

  /** What a look leaves of the ends of the unit. */
  look(): void {
    const end = this.unitEnd
    if (end !== undefined) {
      const key = `unit_end scu/${unit} ${new Date(end).toISOString()}`
      if (!this.ends.has(key)) this.ends.set(key, 'open')
    }
    const works = this.started.some(
      (at, one) => at !== undefined && this.stopped[one] === undefined,
    )
    for (const [key, state] of this.ends) {
      if (works && state === 'open' && !this.said.has(key)) this.ends.set(key, 'superseded')
    }
  }

  /** Key and state of every report. */
  expected(): string[] {
    const keys: string[] = []
    const begins = this.started.filter((at) => at !== undefined)
    if (begins.length > 0) keys.push(`unit scu/${unit} `)
    for (const [one, at] of this.started.entries()) {
      if (at === undefined) continue
      keys.push(`register queue/${queues[one]} `, `start_check queue/${queues[one]} `)
      if (this.stopped[one] !== undefined) keys.push(`register_end queue/${queues[one]} `)
    }
    for (const { id, nth: one, cause, hours, isOver } of this.outages) {
      if (hours <= 48) continue
      const kind = cause === 'device' ? 'unit_outage' : 'register_outage'
      keys.push(`${kind} queue/${queues[one]} ${id}`)
      if (isOver) keys.push(`${kind}_end queue/${queues[one]} ${id}`)
    }
    const ends = [...this.ends].map(
      ([key, state]) => `${key} ${this.said.get(key) ?? (state === 'open' ? 'ready' : state)}`,
    )
    return [...keys.map((key) => `${key} ${this.said.get(key) ?? 'ready'}`), ...ends].toSorted()
  }
}

const now = () => Math.floor(Date.now() / 1000) * 1000
const keyOf = (row: { kind: string; subject: string; occasion: string }) =>
  `${row.kind} ${row.subject} ${row.occasion}`

async function look(world: World, times = 1): Promise<void> {
  await Promise.all(Array.from({ length: times }, () => shop.look()))
  world.look()
}

const DOES: {
  [K in Step['does']]: (world: World, told: Extract<Step, { does: K }>) => Promise<void>
} = {
  start: async (world, { nth: one }) => {
    if (world.started[one] !== undefined) return
    world.started[one] = now() - 10 * HOUR + one
    await shop.sql(
      'update queue set start_moment = $2 where id = $1',
      ...[queues[one], new Date(world.started[one])],
    )
  },
  stop: async (world, { nth: one }) => {
    if (world.started[one] === undefined || world.stopped[one] !== undefined) return
    world.stopped[one] = now() - HOUR + one
    await shop.sql(
      'update queue set stop_moment = $2 where id = $1',
      ...[queues[one], new Date(world.stopped[one])],
    )
  },
  outage: async (world, { nth: one, cause, hours, isOver }) => {
    const goesOn = world.outages.some((x) => x.nth === one && x.cause === cause && !x.isOver)
    if (goesOn && !isOver) return
    const id = randomUUID()
    const began = now() - (isOver ? hours + 1 : hours) * HOUR
    await shop.sql(
      `insert into outage (account_id, id, queue_id, cash_box_id, cause, began_at, ended_at)
       values ($1, $2, $3, $4, $5, $6, $7)`,
      ...[shop.operatorId, id, queues[one], shop.box.cashBoxId, cause, new Date(began)],
      isOver ? new Date(began + hours * HOUR) : null,
    )
    world.outages.push({ id, nth: one, cause, hours, isOver })
  },
  look: (world, { by }) => look(world, by + 1),
  move: async (world, { which, to }) => {
    const rows = await shop.reports()
    const row = rows[which % Math.max(1, rows.length)]
    if (row === undefined) return
    const body = { manual: DONE, ignore: { reason: 'x' }, reopen: {} }[to]
    const { status } = await shop.call(`submissions/${row.id}/${to}`, { body })
    const key = keyOf(row)
    const said = world.said.get(key)
    const isOpen = row.state !== 'superseded' && said === undefined
    expect(status).toBe((to === 'reopen' ? said !== undefined : isOpen) ? 200 : 409)
    if (status !== 200) return
    if (to === 'reopen') world.said.delete(key)
    else world.said.set(key, to === 'manual' ? 'manual' : 'ignored')
  },
}

async function fresh(): Promise<World> {
  for (const table of ['submission', 'outage', 'report_occasion']) {
    await shop.sql(`delete from ${table}`)
  }
  await shop.sql('update queue set start_moment = null, stop_moment = null')
  return new World()
}

it('reports are those of the law, each once, whatever happens in which order', async () => {
  expect(unitMade).toBeGreaterThan(0)
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 6, maxLength: 25 }), async (steps) => {
      const world = await fresh()
      for (const told of steps) await DOES[told.does](world, told as never)
      await look(world)
      // on the first days of a year there is one more, by the calendar
      const rows = (await shop.reports()).filter(({ kind }) => kind !== 'yearly_check')
      const ids = rows.map(({ id }) => id)
      expect(rows.map((row) => `${keyOf(row)} ${row.state}`).toSorted()).toEqual(world.expected())
      for (const { moment, due } of rows)
        expect(Date.parse(due)).toBeGreaterThan(Date.parse(moment))
      await look(world, 3)
      const again = (await shop.reports()).filter(({ kind }) => kind !== 'yearly_check')
      expect(again.map(({ id }) => id)).toEqual(ids)
    }),
    { numRuns: HISTORIES, endOnFailure: true },
  )
}, 120_000)
