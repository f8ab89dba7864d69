// Long work as accounts look at it and call it off.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type AccountAccess, createAccount } from '../../../src/core/accounts/accounts.js'
import { createWork } from '../../../src/core/event/job/work.js'
import { fail } from '../../../src/errors.js'
import { claimJob, endJob, writeProgress } from '../../../src/store/event/job/job-lease.js'
import { insertJob } from '../../../src/store/event/job/jobs.js'
import { newAccount } from '../../support/dealer.js'
import {
  accountHeaders,
  eventsBehind,
  eventsOf,
  openPlatform,
  type PlatformShop,
  settledHead,
} from '../../support/platform.js'

let shop: PlatformShop
let stranger: AccountAccess
beforeAll(async () => {
  shop = await openPlatform()
  await shop.deps.jobs.stop()
  const accounts = { store: shop.deps.store, now: () => new Date() }
  stranger = await createAccount(accounts, newAccount('PosDealer'))
})
afterAll(() => shop.close())

async function ask(kind = 'k', at = new Date()): Promise<string> {
  const id = randomUUID()
  const { operatorId: accountId, dealer } = shop
  const job = { accountId, id, kind, askedBy: dealer.accountId, args: { secret: 'no' }, at }
  await shop.deps.store.prisma.$transaction((tx) => insertJob(tx, job))
  return id
}

const hold = (id: string) => ({ accountId: shop.operatorId, id, lease: randomUUID() })

async function call(path: string, { method = 'GET', as = shop.dealer } = {}) {
  const answer = await fetch(`${shop.url}/platform/v1/jobs${path}`, {
    ...{ method, headers: accountHeaders(as) },
  })
  const text = await answer.text()
  return { status: answer.status, json: JSON.parse(text) as Record<string, unknown>, text }
}

describe('a job', () => {
  it('shows how far it is, when it was heard of last, and how long it may take', async () => {
    const id = await ask()
    const held = hold(id)
    const { store } = shop.deps
    await claimJob(store, held, 1)
    const row = { phase: 'parts', done: 3, total: 9, unit: 'rows', bytes: 77, etaSeconds: 12.2 }
    expect(await writeProgress(store.prisma, held, row)).toBe(true)
    const { json, text } = await call(`/${id}`)
    expect(json).toMatchObject({
      ...{ id, kind: 'k', operatorId: shop.operatorId, askedBy: shop.dealer.accountId },
      ...{ state: 'running', phase: 'parts', done: 3, total: 9, unit: 'rows', bytes: 77 },
      ...{ etaSeconds: 13, result: null, error: null, finishedAt: null },
    })
    expect(Date.parse(String(json.heartbeatAt))).toBeGreaterThan(Date.now() - 5_000)
    expect(text).not.toContain('secret')
  })

  it('is interrupted, not running, when its pulse is old', async () => {
    const id = await ask('old')
    await claimJob(shop.deps.store, hold(id), 1)
    await shop.deps.store.pool.query(
      `update job set heartbeat = now() - interval '16 seconds',
        lease_until = now() - interval '1 second' where id = $1`,
      [id],
    )
    expect((await call(`/${id}`)).json).toMatchObject({ state: 'interrupted', etaSeconds: null })
    expect((await call('?state=running&kind=old')).json.items).toEqual([])
    const { items } = (await call('?state=interrupted&kind=old')).json as { items: unknown[] }
    expect(items).toHaveLength(1)
  })

  it('is called off once, told by an event, and stays so', async () => {
    const head = await settledHead(shop)
    const id = await ask()
    const first = await call(`/${id}`, { method: 'DELETE' })
    expect([first.status, first.json.state]).toEqual([200, 'canceled'])
    const again = await call(`/${id}`, { method: 'DELETE' })
    expect([again.status, again.json]).toEqual([200, first.json])
    expect(await claimJob(shop.deps.store, hold(id), 1)).toBeUndefined()
    const [event] = await eventsBehind(shop, head, { count: 1 })
    expect([event?.type, event?.subject, event?.data?.state]).toEqual([
      ...['job.progress', `job/${id}`, 'canceled'],
    ])
    expect((await eventsOf(shop, `?after=${head}`)).items).toHaveLength(1)
  })

  it('that has ended cannot be called off', async () => {
    const id = await ask()
    const held = hold(id)
    const { store } = shop.deps
    await claimJob(store, held, 1)
    const end = { state: 'failed', result: null, error: { code: 'X', text: 'why' } } as const
    await store.prisma.$transaction((tx) => endJob(tx, held, end))
    const { status, json } = await call(`/${id}`, { method: 'DELETE' })
    expect([status, json.code]).toEqual([409, 'JobEnded'])
    expect((await call(`/${id}`)).json).toMatchObject({ state: 'failed', error: end.error })
  })

  it('of somebody else looks like one that does not exist', async () => {
    const id = await ask()
    for (const method of ['GET', 'DELETE']) {
      const foreign = await call(`/${id}`, { method, as: stranger })
      const unknown = await call(`/${randomUUID()}`, { method, as: stranger })
      const same = (text: string) =>
        text.replace(/[0-9a-f]{8}-[0-9a-f-]{27}|"traceId":"[^"]*"/g, '…')
      expect([foreign.status, same(foreign.text)]).toEqual([404, same(unknown.text)])
    }
    expect((await call('', { as: stranger })).json).toEqual({ items: [], next: null })
    expect((await call(`/${id}`)).json.state).toBe('queued')
  })
})

describe('work that fails', () => {
  const log = { warn: () => undefined, error: () => undefined }
  const runOf = (...errors: Error[]) => {
    const run = async () => {
      const error = errors.shift()
      if (error !== undefined) throw error
      return { made: 'it' }
    }
    const { store } = shop.deps
    const work = createWork({
      ...{ store, runner: 1, log, now: () => new Date() },
      kinds: [{ name: 'failing', run }],
    })
    const { signal } = new AbortController()
    return (id: string) => work({ accountId: shop.operatorId, id }, { signal })
  }
  const stateOf = async (id: string) => {
    const { state, error, result } = (await call(`/${id}`)).json
    return { state, error, result }
  }
  const away = () => fail('DATABASE_AWAY')
  const busy = () => fail('EXPORTS_BUSY', { seconds: 3 })

  it('for nobody answered, or for there was no room, is done by a later try', async () => {
    const id = await ask('failing')
    const work = runOf(away(), busy(), new Error('a bug that passes'))
    for (const said of [/does not answer/, /Too many/, /a bug/]) {
      await expect(work(id)).rejects.toThrow(said)
      expect(await stateOf(id)).toMatchObject({ state: 'queued', error: null })
    }
    await work(id)
    expect(await stateOf(id)).toMatchObject({ state: 'succeeded', result: { made: 'it' } })
  })

  it('because something says no, ends at once and says why', async () => {
    const id = await ask('failing')
    await runOf(fail('QUEUE_UNKNOWN', { queue: 'Q' }))(id)
    expect(await stateOf(id)).toMatchObject({ state: 'failed', error: { code: 'QUEUE_UNKNOWN' } })
  })

  it('again and again ends with what it failed at last', async () => {
    const id = await ask('failing')
    const work = runOf(...Array.from({ length: 8 }, away))
    for (let at = 1; at < 8; at += 1) await expect(work(id)).rejects.toThrow()
    await work(id)
    expect(await stateOf(id)).toMatchObject({ state: 'failed', error: { code: 'DATABASE_AWAY' } })
  })
})

describe('the list', () => {
  it('is in pages, newest first, and knows filters', async () => {
    const ids: string[] = []
    for (let at = 0; at < 5; at += 1)
      ids.unshift(await ask('page', new Date(1_700_000_000_000 + at)))
    const seen: string[] = []
    for (let next = ''; ; ) {
      const { json } = await call(`?kind=page&limit=2${next}`)
      const page = json as { items: { id: string }[]; next: string | null }
      seen.push(...page.items.map((one) => one.id))
      if (page.next === null) break
      next = `&after=${page.next}`
    }
    expect(seen).toEqual(ids)
    expect((await call(`?operatorId=${randomUUID()}`)).json.items).toEqual([])
    const { status } = await call('?state=done')
    expect(status).toBe(400)
  })
})
