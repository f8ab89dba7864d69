// Problems over HTTP: what detectors find in a real database, who sees it, how it clears itself,
// and how it is put off.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type AccountAccess, createAccount } from '../../../src/core/accounts/accounts.js'
import { PROBLEM_KINDS } from '../../../src/model/problem.js'
import { putConnection } from '../../../src/store/account/connections.js'
import { newAccount } from '../../support/dealer.js'
import {
  accountHeaders,
  eventsBehind,
  eventsOf,
  openPlatform,
  type PlatformShop,
} from '../../support/platform.js'

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
async function found(kind: string, query = '', as?: AccountAccess): Promise<Problem[]> {
  await shop.deps.watch.look()
  const list = await json<{ items: Problem[] }>(`problems?kind=${kind}${query}`, as && { as })
  return list.items
}

describe('each detector finds what is wrong, and sees when it is over', () => {
  /** What makes it so and what ends it; the subject. */
  const CASES: Record<
    (typeof PROBLEM_KINDS)[number],
    () => Promise<{ subject: string; severity: number; end(): Promise<unknown> }>
  > = {
    outage: async () => {
      const { queueId } = shop.box
      const id = randomUUID()
      await sql(
        `insert into outage (account_id, id, queue_id, cause, began_at) values ($1, $2, $3,
          'device', now() - interval '1 hour')`,
        ...[shop.operatorId, id, queueId],
      )
      const end = () => sql('update outage set ended_at = now() where id = $1', id)
      return { subject: `queue/${queueId}`, severity: 2, end }
    },
    report: async () => {
      const id = randomUUID()
      await sql(
        `insert into submission (account_id, id, market, kind, subject, occasion, moment, due,
           state, is_ready, created_at, changed_at)
         values ($1, $2, 'AT', 'register_end', 'queue/1', '', now(), now() + interval '8 days',
           'ready', true, now(), now())`,
        ...[shop.operatorId, id],
      )
      const end = () => sql("update submission set state = 'manual' where id = $1", id)
      return { subject: `submission/${id}`, severity: 1, end }
    },
    no_receipts: async () => {
      const { queueId } = shop.box
      const [was] = await sql('select start_moment, last_moment from queue where id = $1', queueId)
      await sql(
        `update queue set start_moment = now() - interval '10 days',
           last_moment = now() - interval '49 hours' where id = $1`,
        queueId,
      )
      const end = () =>
        sql(
          'update queue set start_moment = $2, last_moment = $3 where id = $1',
          ...[queueId, was?.start_moment, was?.last_moment],
        )
      return { subject: `queue/${queueId}`, severity: 2, end }
    },
    configuration: async () => {
      const { cashBoxId } = shop.box
      const day = `(extract(epoch from now() - interval '25 hours') * 10000000)::int8
        + 621355968000000000`
      const [was] = await sql(
        'select published_at, time_stamp from cash_box where id = $1',
        cashBoxId,
      )
      await sql(
        `update cash_box set published_at = ${day} - 1, time_stamp = ${day} where id = $1`,
        cashBoxId,
      )
      const end = () =>
        sql(
          'update cash_box set published_at = $2, time_stamp = $3 where id = $1',
          ...[cashBoxId, was?.published_at, was?.time_stamp],
        )
      return { subject: `cashbox/${cashBoxId}`, severity: 1, end }
    },
    invitation: async () => {
      const id = randomUUID()
      await sql(
        `insert into connection (account_id, id, to_account_id, rights, state, created_at)
         values ($1, $2, $3, 'Full', 'pending', now() - interval '15 days')`,
        ...[shop.dealer.accountId, id, randomUUID()],
      )
      const end = () => sql("update connection set state = 'active' where id = $1", id)
      return { subject: `connection/${id}`, severity: 1, end }
    },
    order: async () => {
      const id = randomUUID()
      await sql(
        `insert into sales_order (account_id, id, number, state, production_state, plan_number,
           operator_id, consumed, created_at, changed_at)
         values ($1, $2, 'SO-1', 1, 110, 'p', $3, '[]', now(), now())`,
        ...[shop.dealer.accountId, id, shop.operatorId],
      )
      const end = () => sql('update sales_order set state = 2 where id = $1', id)
      return { subject: `order/${id}`, severity: 2, end }
    },
    webhook: async () => {
      const made = await json<{ webhook: { id: string } }>('webhooks', {
        body: { url: 'https://example.com/' },
      })
      const { id } = made.webhook
      await sql("update webhook set state = 'disabled' where id = $1", id)
      const end = () => sql("update webhook set state = 'active' where id = $1", id)
      return { subject: `webhook/${id}`, severity: 2, end }
    },
    message: async () => {
      const id = randomUUID()
      await sql(
        `insert into message (account_id, id, kind, channel, language, subject, address_masked,
           state, created_at, changed_at)
         values ($1, $2, 'receipt', 'email', 'de', 'x', 'x', 'failed', now(), now())`,
        ...[shop.operatorId, id],
      )
      const end = () => sql("update message set state = 'sent' where id = $1", id)
      return { subject: `message/${id}`, severity: 1, end }
    },
  }

  it.each(PROBLEM_KINDS)('%s', async (kind) => {
    expect(await found(kind)).toEqual([])
    const { head } = await eventsOf(shop, '?limit=1')
    const { subject, severity, end } = await CASES[kind]()
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
    const told = (await eventsBehind(shop, head, { count: 2 })).filter(
      ({ subject: about }) => about === `problem/${problem?.id}`,
    )
    expect(told.map(({ type, data }) => [type, data])).toEqual([
      ['problem.opened', { kind, severity, subject }],
      ['problem.cleared', { kind, severity, subject }],
    ])
  })
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
