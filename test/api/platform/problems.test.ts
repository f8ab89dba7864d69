// Problems over HTTP: what detectors find in a real database, who sees it, how it clears itself,
// and how it is put off.
import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type AccountAccess, createAccount } from '../../../src/core/accounts/accounts.js'
import { PROBLEM_KINDS, type ProblemKind } from '../../../src/model/problem.js'
import { putConnection } from '../../../src/store/account/connections.js'
import { newAccount } from '../../support/dealer.js'
import {
  accountHeaders,
  eventsBehind,
  openPlatform,
  type PlatformShop,
  settledHead,
  type ToldEvent,
} from '../../support/platform.js'
import { PROBLEM_CASES } from '../../support/problem-cases.js'

let shop: PlatformShop
let reader: AccountAccess
beforeAll(async () => {
  shop = await openPlatform()
  const accounts = { store: shop.deps.store, now: () => new Date() }
  reader = await createAccount(accounts, newAccount('PosDealer'))
  await putConnection(shop.deps.store, {
    ...{ id: randomUUID(), accountId: reader.accountId, toAccountId: shop.operatorId },
    ...{ rights: 'Read', state: 'active', createdAt: new Date() },
  })
  // what the demo and these outages bring about is told: its reports have tests of their own
  await sql("update report_start set at = now() + interval '1 day'")
})
afterAll(() => shop.close())

const sql = async (text: string, ...values: unknown[]) =>
  (await shop.deps.store.pool.query(text, values)).rows as Record<string, unknown>[]

interface Problem {
  id: string
  kind: string
  severity: number
  subject: string
  since: string
  text: string
  action: string
  snoozedUntil: string | null
  clearedAt: string | null
}

async function call(
  path: string,
  {
    as = shop.dealer,
    body,
    headers = {},
  }: { as?: AccountAccess; body?: unknown; headers?: Record<string, string> } = {},
) {
  const answer = await fetch(`${shop.url}/platform/v1/${path}`, {
    headers: { ...accountHeaders(as), 'content-type': 'application/json', ...headers },
    ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
  })
  return { status: answer.status, text: await answer.text() }
}

const json = async <T>(path: string, input?: Parameters<typeof call>[1]): Promise<T> =>
  JSON.parse((await call(path, input)).text) as T

/** Of one kind, behind a look of the detectors. */
async function found(kind: ProblemKind, query = '', as?: AccountAccess): Promise<Problem[]> {
  await shop.deps.watch.look([kind])
  const list = await json<{ items: Problem[] }>(`problems?kind=${kind}${query}`, as && { as })
  return list.items
}

/** Of the thing itself: once, for it does not become more severe here. */
const ALSO_TOLD: Partial<Record<ProblemKind, string>> = {
  certificate: 'scu.certificate_expiring',
  closing: 'queue.closing_missing',
}

describe('each detector finds what is wrong, and sees when it is over', () => {
  /** What a case leaves to be put back. */
  const after: (() => Promise<unknown>)[] = []
  afterEach(async () => {
    for (const one of after.splice(0)) await one()
  })

  it.each(PROBLEM_KINDS)('%s', async (kind) => {
    expect(await found(kind)).toEqual([])
    const head = await settledHead(shop)
    const { subject, severity, end } = await PROBLEM_CASES[kind]({ shop, sql, after })
    const [problem, ...others] = await found(kind)
    expect(others).toEqual([])
    expect(problem).toMatchObject({ kind, severity, subject, clearedAt: null })
    expect(problem?.text).not.toBe('')
    expect(problem?.action).not.toBe('')
    // the same one when it is looked at again
    expect(await found(kind)).toEqual([problem])
    await end()
    expect(await found(kind)).toEqual([])
    const [over] = await found(kind, '&cleared=true')
    expect(over).toMatchObject({ id: problem?.id, subject })
    expect(over?.clearedAt).not.toBe(null)
    const also = ALSO_TOLD[kind]
    const all: ToldEvent[] = []
    while (!all.some((one) => one.type === 'problem.cleared')) {
      all.push(...(await eventsBehind(shop, all.at(-1)?.seq ?? head, { count: 1 })))
    }
    expect(all.filter(({ type }) => type === also).map((one) => one.subject)).toEqual(
      also === undefined ? [] : [subject],
    )
    const told = all.filter(({ subject: about }) => about === `problem/${problem?.id}`)
    expect(told.map(({ type, data }) => [type, data])).toEqual([
      ['problem.opened', { kind, severity, subject }],
      ['problem.cleared', { kind, severity, subject }],
    ])
  })
})

it('an outage is a problem as soon as it is an event, whenever detectors look', async () => {
  const tell = (type: string) =>
    sql(
      `insert into inbox (account_id, event_id, type, subject_kind, subject_id, data, at)
       values ($1, gen_random_uuid(), $3, 'queue', $2, '{"cause":"device"}', now())`,
      ...[shop.operatorId, shop.box.queueId, type],
    )
  const open = async () =>
    (await sql("select from problem where kind = 'outage' and cleared_at is null")).length
  expect(await open()).toBe(0)
  // nothing looks once a minute here
  await tell('outage.opened')
  await expect.poll(open, { timeout: 10_000 }).toBe(1)
  await tell('outage.closed')
  await expect.poll(open, { timeout: 10_000 }).toBe(0)
  // it is no sixth one within the hour
  await sql('delete from outage')
})

it('a day ends at four in the morning where the register is', async () => {
  const { queueId } = shop.box
  const [was] = await sql('select market, state from queue where id = $1', queueId)
  const clock = new Intl.DateTimeFormat('en-GB', {
    ...{ timeZone: 'Europe/Paris', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
  }).format()
  const [hours = 0, minutes = 0] = clock.split(':').map(Number)
  const sinceFour = ((hours + 20) % 24) * 60 + minutes
  // an hour and more: on two days of the year a night has another length
  for (const [minutesBefore, count] of [
    [70, 1],
    [-70, 0],
  ] as const) {
    const day = Date.now() - (sinceFour + minutesBefore) * 60_000
    await sql(
      "update queue set market = 'FR', state = $2 where id = $1",
      ...[queueId, JSON.stringify({ openSince: { day } })],
    )
    expect(await found('closing')).toHaveLength(count)
  }
  await sql(
    'update queue set market = $2, state = $3 where id = $1',
    queueId,
    was?.market,
    was?.state,
  )
})

describe('a problem', () => {
  const open = async (severity = 2): Promise<Problem> => {
    const id = randomUUID()
    await sql(
      `insert into outage (account_id, id, queue_id, cause, began_at)
       values ($1, $2, $3, 'device', now() - $4 * interval '1 hour')`,
      ...[shop.operatorId, id, shop.box.queueId, severity === 3 ? 49 : 1],
    )
    const [problem] = await found('outage')
    if (problem === undefined) throw new Error('nothing was found')
    return problem
  }
  const close = async () => {
    await sql('update outage set ended_at = now() where ended_at is null')
    await shop.deps.watch.look()
  }
  const later = new Date(Date.now() + 3_600_000).toISOString()

  it('is seen by whoever may read, and put off by whoever may write', async () => {
    const { id } = await open()
    expect((await found('outage', '', reader)).map((one) => one.id)).toEqual([id])
    const accounts = { store: shop.deps.store, now: () => new Date() }
    const stranger = await createAccount(accounts, newAccount('PosDealer'))
    expect(await found('outage', '', stranger)).toEqual([])
    const path = `problems/${id}/snooze`
    const body = { until: later, reason: 'closed' }
    expect((await call(path, { as: stranger, body })).status).toBe(404)
    expect((await call(path, { as: reader, body })).status).toBe(403)
    expect((await call(`problems/${randomUUID()}/snooze`, { body })).status).toBe(404)
    const put = await json<Problem>(path, { body })
    expect(put).toMatchObject({ id, snoozeReason: 'closed' })
    expect(new Date(String(put.snoozedUntil)).toISOString()).toBe(later)
    expect(await found('outage')).toEqual([])
    expect(await found('outage', '&snoozed=true')).toHaveLength(1)
    expect(await json('problem-counts')).toEqual([])
    expect(await json('problem-counts?snoozed=true')).toEqual([
      { kind: 'outage', severity: 2, count: 1 },
    ])
    await json(path, { body: { until: null } })
    expect(await found('outage')).toHaveLength(1)
    await close()
  })

  it('that must be mended at once is shown, whoever has put it off', async () => {
    const problem = await open(3)
    expect(problem.severity).toBe(3)
    await json(`problems/${problem.id}/snooze`, { body: { until: later } })
    expect(await found('outage')).toHaveLength(1)
    await close()
  })

  it('grows worse without becoming another one', async () => {
    const problem = await open()
    await sql("update outage set began_at = began_at - interval '48 hours' where ended_at is null")
    const [worse, ...others] = await found('outage')
    expect(others).toEqual([])
    expect([worse?.id, worse?.severity]).toEqual([problem.id, 3])
    await close()
  })

  it('is told in the language of the caller, and as a table without live formulas', async () => {
    await open()
    const german = await json<{ items: Problem[] }>('problems', {
      headers: { 'accept-language': 'de' },
    })
    expect(german.items[0]?.text).toBe(
      'Belege dieser Queue werden nicht signiert oder wurden nacherfasst.',
    )
    await sql("update account set name = '=cmd' where id = $1", shop.operatorId)
    const table = await call('problems.csv')
    const [head = '', row = '', end] = table.text.split('\r\n')
    expect(head).toContain('kind;severity')
    expect(row).toContain(`"'=cmd"`)
    expect(end).toBe('')
    await close()
  })
})

it('pages have each problem once, the worst first', async () => {
  await sql(
    `insert into problem (account_id, id, kind, severity, subject_kind, subject_id, since, details,
       found_at)
     select $1, gen_random_uuid(), 'none', 1 + g % 3, 'x', gen_random_uuid(),
       date_trunc('second', now()) - (g % 4) * interval '1 minute', '{}', now()
     from generate_series(1, 25) g`,
    shop.operatorId,
  )
  await sql("update problem set kind = 'message' where kind = 'none'")
  const all = await json<{ items: Problem[]; next: null }>('problems?limit=200')
  const ours = all.items
  expect(ours).toHaveLength(25)
  expect(ours.map(({ severity }) => severity)).toEqual(
    ours.map(({ severity }) => severity).toSorted((a, b) => b - a),
  )
  const paged: Problem[] = []
  for (let next: string | null = ''; next !== null; ) {
    const page: { items: Problem[]; next: string | null } = await json(
      `problems?limit=4${next === '' ? '' : `&after=${next}`}`,
    )
    paged.push(...page.items)
    next = page.next
  }
  expect(paged).toEqual(ours)
  const counts = await json<{ count: number }[]>('problem-counts')
  expect(counts.reduce((sum, { count }) => sum + count, 0)).toBe(25)
  const bad = await json<Problem & { items: Problem[] }>('problems?severity=3&limit=200')
  expect(bad.items.every(({ severity }) => severity === 3)).toBe(true)
})

it('every detector says when it has looked', async () => {
  await shop.deps.watch.look()
  const detectors = await json<{ kind: string; ranAt: string | null }[]>('detectors')
  expect(detectors.map(({ kind }) => kind)).toEqual([...PROBLEM_KINDS])
  for (const { ranAt } of detectors)
    expect(Date.parse(ranAt ?? '')).toBeGreaterThan(Date.now() - 60_000)
})

it('a register that is silent is told with what it usually sends until now', async () => {
  const { end } = await PROBLEM_CASES.no_receipts({ shop, sql, after: [] })
  const [plain] = await found('no_receipts')
  expect(plain?.text).toMatch(/sonst tut\.$/)
  // one receipt an hour, and 48 whole hours without
  const hourly = Array.from({ length: 168 }, (_, hour) => 100 * (hour + 1))
  const { queueId } = shop.box
  await sql('update activity set usual = $1, weeks = 6 where queue_id = $2', hourly, queueId)
  const [told] = await found('no_receipts')
  expect(told?.text).toMatch(/ Normal wären bis jetzt 48 Belege\.$/)
  await end()
  await sql('delete from activity')
  expect(await found('no_receipts')).toEqual([])
})
