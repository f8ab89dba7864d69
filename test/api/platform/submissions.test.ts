// Reports to authorities over HTTP: which there are, when they are due, who may move them, and what
// reminds of them.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type AccountAccess, createAccount } from '../../../src/core/accounts/accounts.js'
import { planReports } from '../../../src/core/event/report/planner.js'
import { everyFacts } from '../../../src/market/index.js'
import { putConnection } from '../../../src/store/account/connections.js'
import { newAccount } from '../../support/dealer.js'
import { eventsBehind, eventsOf, settledHead } from '../../support/platform.js'
import { openReports, type Report, type ReportShop } from '../../support/reports.js'

let shop: ReportShop
let reader: AccountAccess
let stranger: AccountAccess
beforeAll(async () => {
  shop = await openReports()
  const accounts = { store: shop.deps.store, now: () => new Date() }
  reader = await createAccount(accounts, newAccount('PosDealer'))
  stranger = await createAccount(accounts, newAccount('PosDealer'))
  await putConnection(shop.deps.store, {
    ...{ id: randomUUID(), accountId: reader.accountId, toAccountId: shop.operatorId },
    ...{ rights: 'Read', state: 'active', createdAt: new Date() },
  })
  await shop.look()
})
afterAll(() => shop.close())

const only = ([report, ...others]: Report[]): Report => {
  if (report === undefined || others.length > 0) throw new Error(`${others.length + 1} reports`)
  return report
}

describe('which reports there are', () => {
  it('what has started has its unit, itself and its start receipt to be told', async () => {
    const { queueId, cashBoxId } = shop.box
    const found = await shop.reports(`queueId=${queueId}`)
    expect(found.map(({ kind, state }) => [kind, state]).toSorted()).toEqual([
      ['register', 'ready'],
      ['start_check', 'ready'],
      ['unit', 'ready'],
    ])
    const [row = {}] = await shop.sql('select start_moment from queue where id = $1', queueId)
    const register = only(await shop.reports('kind=register'))
    expect(register).toMatchObject({
      ...{ subject: `queue/${queueId}`, queueId, cashBoxId, occasion: '', market: 'AT' },
      ...{ operatorId: shop.operatorId, doneOn: null, title: 'Register the cash register' },
    })
    expect(new Date(register.moment)).toEqual(row.start_moment)
    const days = (Date.parse(register.due) - Date.parse(register.moment)) / 86_400_000
    expect(Math.floor(days)).toBeGreaterThanOrEqual(7)
    expect(days).toBeLessThan(8.05)
  })

  it('nothing is told twice, however often and by however many it is looked for', async () => {
    const before = await shop.reports()
    const { store } = shop.deps
    const looks = Array.from({ length: 8 }, () =>
      planReports({ store, facts: everyFacts }, { restMs: 0 }),
    )
    for (const made of await Promise.all(looks)) expect([0, undefined]).toContain(made)
    expect(await shop.reports()).toEqual(before)
  })

  it('two processes that find the same at once make it once', async () => {
    await shop.sql('delete from submission')
    const { store } = shop.deps
    const looks = Array.from({ length: 8 }, () =>
      planReports({ store, facts: everyFacts }, { restMs: 0 }),
    )
    const made = (await Promise.all(looks)).map((count) => count ?? 0)
    expect(made.reduce((sum, count) => sum + count)).toBe(3)
    expect(await shop.reports()).toHaveLength(3)
  })

  it('an outage is told from 48 hours and a moment on, its end by itself', async () => {
    const exact = await shop.outage('device', '100 hours', '48 hours')
    await shop.look()
    expect(await shop.reports('kind=unit_outage')).toEqual([])
    expect(await shop.reports('kind=unit_outage_end')).toEqual([])
    await shop.sql("update outage set ended_at = ended_at + interval '1 ms' where id = $1", exact)
    await shop.look()
    const begins = only(await shop.reports('kind=unit_outage'))
    const ends = only(await shop.reports('kind=unit_outage_end'))
    expect([begins.occasion, ends.occasion]).toEqual([exact, exact])
    expect(Date.parse(ends.moment) - Date.parse(begins.moment)).toBe(48 * 3_600_000 + 1)
    expect(await shop.reports('kind=register_outage')).toEqual([])
  })

  it('an outage that goes on is told once it has lasted, without any receipt', async () => {
    const id = await shop.outage('register', '47 hours', null)
    await shop.look()
    expect(await shop.reports('kind=register_outage')).toEqual([])
    const [row = {}] = await shop.sql('select began_at from outage where id = $1', id)
    const began = (row.began_at as Date).getTime()
    await shop.look(new Date(began + 48 * 3_600_000))
    expect(await shop.reports('kind=register_outage')).toEqual([])
    await shop.look(new Date(began + 48 * 3_600_000 + 1))
    expect(only(await shop.reports('kind=register_outage'))).toMatchObject({ occasion: id })
    expect(await shop.reports('kind=register_outage_end')).toEqual([])
  })

  it('with the year in Vienna a yearly receipt is wanted, then its check', async () => {
    const { queueId } = shop.box
    await shop.sql("update queue set start_moment = '2027-05-01' where id = $1", queueId)
    await shop.look(new Date('2027-12-31T22:59:59.999Z'))
    expect(await shop.reports('kind=yearly_check')).toEqual([])
    await shop.look(new Date('2027-12-31T23:00:00.000Z'))
    const planned = only(await shop.reports('kind=yearly_check'))
    expect(planned).toMatchObject({
      ...{ state: 'planned', occasion: '2027', due: '2028-02-15T22:59:59.999Z' },
    })
    const yearly = (at: string) =>
      shop.sql(
        `insert into report_occasion values ($1, $2, 'yearly_receipt', $3)`,
        ...[shop.operatorId, queueId, at],
      )
    // that of the year before: until 15 February it ends the former year
    await yearly('2027-02-15T22:59:59Z')
    await shop.look(new Date('2028-01-10T00:00:00Z'))
    expect(only(await shop.reports(`kind=yearly_check&state=planned`)).id).toBe(planned.id)
    expect(only(await shop.reports(`kind=yearly_check&state=ready`)).occasion).toBe('2026')
    await yearly('2028-01-09T08:00:00Z')
    await shop.look(new Date('2028-01-10T00:00:00Z'))
    expect(
      (await shop.reports('kind=yearly_check&state=ready')).map((one) => one.occasion),
    ).toEqual(['2026', '2027'])
  })

  it('a yearly receipt on the wire makes it ready at once', async () => {
    await shop.sql("delete from submission where kind = 'yearly_check'")
    await shop.sql('delete from report_occasion')
    await shop.sql('update queue set start_moment = now() where id = $1', shop.box.queueId)
    expect((await shop.receipt(6n)).status).toBe(200)
    await expect
      .poll(async () => (await shop.sql('select kind from report_occasion')).length)
      .toBe(1)
    await shop.look()
    expect(only(await shop.reports('kind=yearly_check'))).toMatchObject({ state: 'ready' })
  })

  it('what was before reports were kept is set aside', async () => {
    await shop.sql('delete from submission')
    await shop.sql("update report_start set at = now() + interval '2 years'")
    await shop.look()
    const found = await shop.reports()
    expect(found.length).toBeGreaterThan(3)
    expect(new Set(found.map(({ state }) => state))).toEqual(new Set(['ignored']))
    await shop.sql("update report_start set at = '2020-01-01'")
    await shop.sql('delete from submission')
    await shop.sql('delete from outage')
    await shop.sql('delete from report_occasion')
    await shop.look()
  })
})

describe('who may do what', () => {
  const done = { doneOn: '2026-11-20', reference: 'FON 1', note: null }

  it('strangers see nothing and find nothing, as with an id that nobody has', async () => {
    const { id } = only(await shop.reports('kind=register'))
    expect(await shop.reports('', stranger)).toEqual([])
    expect(await shop.reports(`queueId=${shop.box.queueId}`, stranger)).toEqual([])
    expect(await shop.reports(`operatorId=${shop.operatorId}`, stranger)).toEqual([])
    for (const [move, body] of [
      ['manual', done],
      ['ignore', { reason: 'x' }],
      ['reopen', {}],
    ] as const) {
      const foreign = await shop.call(`submissions/${id}/${move}`, { as: stranger, body })
      const nobody = randomUUID()
      const unknown = await shop.call(`submissions/${nobody}/${move}`, { body })
      expect([foreign.status, unknown.status]).toEqual([404, 404])
      const alike = ({ text }: { text: string }, own: string) =>
        text.replaceAll(own, 'ID').replace(/"traceId":"[^"]*"/, '')
      expect(alike(foreign, id)).toBe(alike(unknown, nobody))
      expect((await shop.call(`submissions/${id}/${move}`, { as: reader, body })).status).toBe(403)
    }
    expect(await shop.reports('', reader)).toHaveLength(3)
  })

  it('done, taken back, ignored: each is an event, and stands in the audit', async () => {
    const { id } = only(await shop.reports('kind=register'))
    await expect.poll(async () => shop.sql('select from inbox')).toEqual([])
    const head = await settledHead(shop)
    const marked = await shop.json<Report>(`submissions/${id}/manual`, { body: done })
    expect(marked).toMatchObject({ ...done, id, state: 'manual', doneBy: shop.dealer.accountId })
    expect(only(await shop.reports('kind=register'))).toMatchObject({ ...done, state: 'manual' })
    expect(await shop.reports('open=true')).toHaveLength(2)
    const back = await shop.json<Report>(`submissions/${id}/reopen`, { body: {} })
    expect(back).toMatchObject({ state: 'ready', doneOn: null, reference: null, doneBy: null })
    const body = { reason: 'told on paper' }
    const aside = await shop.json<Report>(`submissions/${id}/ignore`, { body })
    expect(aside).toMatchObject({ state: 'ignored', note: 'told on paper' })
    await shop.json(`submissions/${id}/reopen`, { body: {} })
    const told = await eventsBehind(shop, head, { count: 4 })
    expect(told.map(({ type, subject, data }) => [type, subject, data?.state])).toEqual([
      ['report.changed', `submission/${id}`, 'manual'],
      ['report.changed', `submission/${id}`, 'ready'],
      ['report.changed', `submission/${id}`, 'ignored'],
      ['report.changed', `submission/${id}`, 'ready'],
    ])
    const audit = await shop.sql(
      'select operation, before, after from audit_entry where subjects like $1 order by id',
      `%${id}%`,
    )
    expect(audit.map(({ operation }) => operation)).toEqual([
      ...['markSubmission', 'reopenSubmission', 'ignoreSubmission', 'reopenSubmission'],
    ])
  })

  it('what leads nowhere is refused, and of ten at once one has it', async () => {
    const { id } = only(await shop.reports('kind=unit'))
    const path = `submissions/${id}`
    expect((await shop.call(`${path}/reopen`, { body: {} })).status).toBe(409)
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => shop.call(`${path}/manual`, { body: done })),
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array(9).fill(409)])
    expect(JSON.parse(answers.find(({ status }) => status === 409)?.text ?? '{}')).toMatchObject({
      code: 'SubmissionState',
    })
    expect((await shop.call(`${path}/ignore`, { body: { reason: 'x' } })).status).toBe(409)
    await shop.json(`${path}/reopen`, { body: {} })
    for (const body of [
      { doneOn: '2999-01-01' },
      { doneOn: '2026-02-30' },
      { doneOn: 'yesterday' },
      { reference: 'x' },
      { doneOn: '2026-11-20', note: 'x'.repeat(251) },
    ]) {
      expect((await shop.call(`${path}/manual`, { body })).status, JSON.stringify(body)).toBe(400)
    }
    expect((await shop.call(`${path}/ignore`, { body: { reason: ' ' } })).status).toBe(400)
  })

  it('a repeated call with a key is done once and answered alike', async () => {
    const { id } = only(await shop.reports('kind=unit'))
    const call = () =>
      shop.call(`submissions/${id}/manual`, { body: done, headers: { 'idempotency-key': 'k1' } })
    const [first, again] = [await call(), await call()]
    expect([first.status, again.status]).toEqual([200, 200])
    expect(JSON.parse(again.text)).toEqual(JSON.parse(first.text))
    await shop.json(`submissions/${id}/reopen`, { body: {} })
  })
})

describe('what reminds of a report', () => {
  const problemOf = async (id: string) => {
    const list = await shop.json<{ items: { subject: string; severity: number; due: string }[] }>(
      'problems?kind=report&limit=200',
    )
    return list.items.find(({ subject }) => subject === `submission/${id}`)
  }

  it('a problem grows worse as the day comes nearer, and is over when it is done', async () => {
    const { id } = only(await shop.reports('kind=register'))
    const head = await settledHead(shop)
    await shop.sql('update submission set reminded = 3 where id <> $1', id)
    const seen: unknown[] = []
    for (const due of ['7 days 1 minute', '6 days 23 hours', '-1 second']) {
      await shop.sql(
        `update submission set due = now() + $2::interval, reminded = least(reminded, $3)
         where id = $1`,
        ...[id, due, due === '7 days 1 minute' ? 0 : 3],
      )
      await shop.deps.watch.look()
      seen.push((await problemOf(id))?.severity)
    }
    expect(seen).toEqual([1, 2, 3])
    const told = async () =>
      (await eventsOf(shop, `?after=${head}&types=report.due`)).items
        .filter(({ subject }) => subject === `submission/${id}`)
        .map(({ data }) => data ?? {})
    await expect.poll(async () => (await told()).map(({ severity }) => severity)).toEqual([1, 2, 3])
    expect((await told())[0]).toMatchObject({ kind: 'register', queueId: shop.box.queueId })
    await shop.json(`submissions/${id}/manual`, { body: { doneOn: '2026-11-20' } })
    await shop.deps.watch.look()
    expect(await problemOf(id)).toBeUndefined()
  })

  it('outages have a kind of event of their own', async () => {
    const head = await settledHead(shop)
    await shop.outage('device', '50 hours', null)
    await shop.look()
    const { id } = only(await shop.reports('kind=unit_outage'))
    const told = await eventsBehind(shop, head, { count: 1 })
    expect(told.filter(({ subject }) => subject === `submission/${id}`)).toMatchObject([
      { type: 'outage.report_due', data: { kind: 'unit_outage', severity: 2 } },
    ])
  })

  it('very many at once are told all, in pieces', async () => {
    const { id } = only(await shop.reports('kind=unit_outage'))
    const behind = "where occasion like 'very many %'"
    await shop.sql(
      `insert into submission (account_id, id, market, kind, subject, occasion, moment, due, state,
         is_ready, created_at, changed_at)
       select s.account_id, gen_random_uuid(), s.market, s.kind, s.subject, 'very many ' || n,
         s.moment, now() + interval '1 day', 'ready', true, now(), now()
       from submission s, generate_series(1, 5001) n where s.id = $1`,
      id,
    )
    await shop.look()
    const [left] = await shop.sql(
      `select count(*)::int as n from submission ${behind} and reminded = 0`,
    )
    await shop.sql(`delete from submission ${behind}`)
    expect(left).toEqual({ n: 0 })
  })
})

it('the end of a register is told, and that of its unit unless it is used again', async () => {
  const { queueId } = shop.box
  await shop.sql('update queue set stop_moment = now() where id = $1', queueId)
  await shop.look()
  expect(only(await shop.reports('kind=register_end')).subject).toBe(`queue/${queueId}`)
  const { id, subject } = only(await shop.reports('kind=unit_end'))
  expect(subject).toMatch(/^scu\//)
  await shop.sql('update queue set stop_moment = null where id = $1', queueId)
  await shop.look()
  expect(only(await shop.reports('kind=unit_end'))).toMatchObject({ id, state: 'superseded' })
  expect((await shop.call(`submissions/${id}/reopen`, { body: {} })).status).toBe(409)
})

it('lists have each report once, in the order of their days, and refuse odd places', async () => {
  await shop.sql(
    `insert into submission (account_id, id, market, kind, subject, occasion, moment, due, state,
       is_ready, created_at, changed_at)
     select $1, gen_random_uuid(), 'AT', 'yearly_check', 'queue/x', g::text, now(),
       date_trunc('second', now()) + (g % 5) * interval '1 day', 'ready', true, now(), now()
     from generate_series(1, 23) g`,
    shop.operatorId,
  )
  const all = await shop.reports()
  const paged: Report[] = []
  for (let next: string | null = ''; next !== null; ) {
    const page: { items: Report[]; next: string | null } = await shop.json(
      `submissions?limit=4${next === '' ? '' : `&after=${next}`}`,
    )
    paged.push(...page.items)
    next = page.next
  }
  expect(paged).toEqual(all)
  expect(all.map(({ due }) => due)).toEqual(all.map(({ due }) => due).toSorted())
  expect((await shop.call('submissions?after=x')).status).toBe(400)
  expect((await shop.call('submissions?kind=x')).status).toBe(400)
})
