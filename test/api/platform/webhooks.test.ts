// Webhooks against a receiver of its own: signed as receivers check it, in order, again after
// failures, and stopped when the receiver wants nothing more.
import { createHmac } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  accountHeaders,
  eventsBehind,
  eventsOf,
  openPlatform,
  type PlatformShop,
  settledHead,
} from '../../support/platform.js'
import { openReceiver, type Receiver, status, taken, verified } from '../../support/receiver.js'

let receiver: Receiver
let shop: PlatformShop
const warnings: string[] = []
const warned = ({ name }: Error) => void warnings.push(name)
beforeAll(async () => {
  process.on('warning', warned)
  receiver = await openReceiver()
  shop = await openPlatform({ OUTBOUND_ALLOW: receiver.place })
  shop.deps.webhookWorker.start()
  await eventsBehind(shop, 0, { count: 1 })
})
afterAll(async () => {
  await shop.deps.webhookWorker.stop()
  await shop.close()
  await receiver.close()
  process.off('warning', warned)
})
beforeEach(() => {
  receiver.got.length = 0
  receiver.sideBySide = 0
  receiver.answer = taken
})
afterEach(async () => {
  for (const { id } of (await call('GET /webhooks')).json as unknown as { id: string }[]) {
    await call(`DELETE /webhooks/${id}`)
  }
})

async function call(line: string, body?: unknown, headers: Record<string, string> = {}) {
  const [method = '', path = ''] = line.split(' ')
  const answer = await fetch(`${shop.url}/platform/v1${path}`, {
    ...{
      method,
      headers: { ...accountHeaders(shop.dealer), 'content-type': 'application/json', ...headers },
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await answer.text()
  return {
    status: answer.status,
    json: (text === '' ? {} : JSON.parse(text)) as Record<string, unknown>,
  }
}

interface Made {
  id: string
  secret: string
}

async function webhook(members: Record<string, unknown> = {}): Promise<Made> {
  await headNow()
  const made = await call('POST /webhooks', { url: receiver.url, ...members })
  expect(made.status).toBe(201)
  const { webhook: row, secret } = made.json as { webhook: { id: string }; secret: string }
  return { id: row.id, secret }
}

const show = async ({ id }: Made) => (await call(`GET /webhooks/${id}`)).json
const headNow = () => settledHead(shop)
const happen = async (count: number) => {
  for (let one = 0; one < count; one += 1) await shop.receipt(0x7777n)
}
const until = (count: number) =>
  expect.poll(() => receiver.got.length, { timeout: 10_000 }).toBeGreaterThanOrEqual(count)
const seqs = () => receiver.got.map(({ body }) => (JSON.parse(body) as { seq: number }).seq)
/** Waits of minutes are over. */
const hurry = ({ id }: Made) =>
  shop.deps.store.pool.query('update webhook set next_at = now() where id = $1', [id])

describe('what a receiver gets', () => {
  it('is the event as the stream has it, signed so that its library believes it', async () => {
    const head = await headNow()
    const { secret } = await webhook()
    await happen(1)
    await until(1)
    const [got] = receiver.got
    if (got === undefined) throw new Error('nothing came')
    const { items } = await eventsOf(shop, `?after=${head}`)
    expect(verified(secret, got)).toEqual(items[0])
    expect(got.id).toBe(items[0]?.id)
    expect(() => verified(secret, { ...got, body: got.body.replace('failed', 'signed') })).toThrow()
    expect(got.headers['content-type']).toContain('application/cloudevents+json')
    // by the text of the standard, without its library
    const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
    const signed = `${got.id}.${got.headers['webhook-timestamp']}.${got.body}`
    const mac = createHmac('sha256', key).update(signed).digest('base64')
    expect(got.headers['webhook-signature']).toBe(`v1,${mac}`)
  })

  it('is in order one at a time, or up to 16 at a time, or a batch, as asked for', async () => {
    const head = await headNow()
    receiver.answer = (_got, reply) => void setTimeout(() => reply.writeHead(200).end(), 20)
    const ordered = await webhook()
    await happen(20)
    await until(20)
    expect([seqs(), receiver.sideBySide]).toEqual([
      Array.from({ length: 20 }, (_, at) => head + 1 + at),
      1,
    ])
    await call(`DELETE /webhooks/${ordered.id}`)
    receiver.got.length = 0
    const parallel = await webhook({ mode: 'parallel', after: head })
    await until(20)
    expect(seqs().sort((a, b) => a - b)).toEqual(
      Array.from({ length: 20 }, (_, at) => head + 1 + at),
    )
    expect(receiver.sideBySide).toBeGreaterThan(4)
    expect(receiver.sideBySide).toBeLessThanOrEqual(16)
    // each of these calls listens for the end of the server: as many are no leak
    expect(warnings).not.toContain('MaxListenersExceededWarning')
    await call(`DELETE /webhooks/${parallel.id}`)
    receiver.got.length = 0
    await webhook({ mode: 'batch', after: head })
    await until(1)
    await sleep(500)
    const batches = receiver.got.map(({ body }) => JSON.parse(body) as { seq: number }[])
    expect(batches.map((one) => one.length)).toEqual([20])
    expect(batches[0]?.map(({ seq }) => seq)).toEqual(
      Array.from({ length: 20 }, (_, at) => head + 1 + at),
    )
  })

  it('has only the types that it asked for, and the cursor passes the others', async () => {
    const made = await webhook({ types: ['outage.opened'] })
    await happen(3)
    const head = await headNow()
    await expect.poll(async () => (await show(made)).cursor).toBe(head)
    expect(receiver.got).toEqual([])
  })
})

describe('a receiver that fails', () => {
  it('gets the same event again and nothing behind it before, also after Retry-After', async () => {
    receiver.answer = status(500)
    const made = await webhook()
    const head = await headNow()
    await happen(3)
    await until(1)
    await expect.poll(async () => (await show(made)).state).toBe('failing')
    const failing = await show(made)
    expect(failing).toMatchObject({ failures: 1, lastError: 'answered 500', cursor: head })
    // five seconds, a fifth more or less
    const pause = Date.parse(String(failing.nextTry)) - Date.parse(String(failing.failingSince))
    expect(pause).toBeGreaterThanOrEqual(4_000)
    expect(pause).toBeLessThanOrEqual(6_000)
    receiver.answer = status(503, { 'retry-after': '3600' })
    await hurry(made)
    await until(2)
    await expect.poll(async () => (await show(made)).failures).toBe(2)
    const later = Date.parse(String((await show(made)).nextTry)) - Date.now()
    expect(later).toBeGreaterThan(3_500_000)
    receiver.answer = taken
    await hurry(made)
    await until(5)
    expect(seqs()).toEqual([head + 1, head + 1, head + 1, head + 2, head + 3])
    expect(new Set(receiver.got.slice(0, 3).map(({ id }) => id)).size).toBe(1)
    await expect.poll(async () => (await show(made)).state).toBe('active')
    const { json } = await call(`GET /webhooks/${made.id}/attempts`)
    const attempts = json as unknown as { seq: number; status: number }[]
    expect(attempts.map(({ seq, status: code }) => [seq, code])).toEqual([
      [head + 3, 204],
      [head + 2, 204],
      [head + 1, 204],
      [head + 1, 503],
      [head + 1, 500],
    ])
  })

  it.each([
    ['hangs up', (_got: unknown, reply: { destroy(): void }) => reply.destroy(), 'network'],
    ['sends its callers elsewhere', status(302, { location: 'http://127.0.0.1:1/' }), 'redirect'],
    [
      'talks without end',
      (_got: unknown, reply: { writeHead(code: number): void; write(text: string): void }) => {
        reply.writeHead(200)
        for (let piece = 0; piece < 200; piece += 1) reply.write('x'.repeat(1024))
      },
      'too-large',
    ],
  ])('that %s has not taken it', async (_what, answer, reason) => {
    receiver.answer = answer as Receiver['answer']
    const made = await webhook()
    await happen(1)
    await expect.poll(async () => String((await show(made)).lastError)).toContain(reason)
    expect((await show(made)).cursor).toBe((await headNow()) - 1)
  })

  it('side by side: one that fails holds no other back, and none comes twice', async () => {
    const head = await headNow()
    receiver.answer = (got, reply) =>
      status((JSON.parse(got.body) as { seq: number }).seq === head + 3 ? 500 : 204)(got, reply)
    // all of them at once, so that they are one page
    await happen(8)
    const made = await webhook({ mode: 'parallel', after: head })
    await until(8)
    await expect.poll(async () => (await show(made)).cursor).toBe(head + 2)
    receiver.answer = taken
    await hurry(made)
    await expect.poll(async () => (await show(made)).cursor).toBe(head + 8)
    const counts = new Map<number, number>()
    for (const seq of seqs()) counts.set(seq, (counts.get(seq) ?? 0) + 1)
    expect([...counts].sort(([a], [b]) => a - b)).toEqual(
      Array.from({ length: 8 }, (_, at) => [head + 1 + at, at === 2 ? 2 : 1]),
    )
  })

  it('answers 410: it gets nothing, an event tells so, and it goes on when enabled', async () => {
    receiver.answer = status(410)
    const made = await webhook()
    const head = await headNow()
    await happen(2)
    await expect.poll(async () => (await show(made)).state).toBe('disabled')
    const told = await eventsBehind(shop, head, { count: 3 })
    expect(told.at(-1)).toMatchObject({
      ...{ type: 'webhook.disabled', subject: `webhook/${made.id}`, data: { reason: 'gone' } },
    })
    await sleep(600)
    expect(receiver.got).toHaveLength(1)
    receiver.answer = taken
    await call(`POST /webhooks/${made.id}/enable`)
    await until(4)
    expect(seqs()).toEqual([head + 1, head + 1, head + 2, head + 3])
  })

  it('for five days is given up, unless only a clock says so', async () => {
    receiver.answer = status(500)
    const made = await webhook()
    await happen(1)
    await until(1)
    await expect.poll(async () => (await show(made)).state).toBe('failing')
    const since = `update webhook set failing_since = now() - interval '121 hours', tries = $2
      where id = $1`
    await shop.deps.store.pool.query(since, [made.id, 1])
    await hurry(made)
    await expect.poll(async () => (await show(made)).failures).toBe(2)
    expect((await show(made)).state).toBe('failing')
    await shop.deps.store.pool.query(since, [made.id, 8])
    await hurry(made)
    await expect.poll(async () => (await show(made)).state).toBe('disabled')
  })
})

describe('what its owner does', () => {
  it('a rotated secret signs beside the former one, which stops', async () => {
    const made = await webhook()
    const rotated = await call(`POST /webhooks/${made.id}/rotate-secret`, { overlapHours: 1 })
    const secret = String(rotated.json.secret)
    expect(secret).not.toBe(made.secret)
    await happen(1)
    await until(1)
    const [both] = receiver.got
    if (both === undefined) throw new Error('nothing came')
    expect(verified(secret, both)).toEqual(verified(made.secret, both))
    const once = { 'idempotency-key': 'rotate' }
    const again = () => call(`POST /webhooks/${made.id}/rotate-secret`, {}, once)
    const [first, second] = [await again(), await again()]
    expect(second.json).toEqual(first.json)
    await shop.deps.store.pool.query('update webhook set old_until = now() where id = $1', [
      made.id,
    ])
    await happen(1)
    await until(2)
    const [, last] = receiver.got
    if (last === undefined) throw new Error('nothing came')
    verified(String(first.json.secret), last)
    expect(() => verified(secret, last)).toThrow()
    expect(() => verified(made.secret, last)).toThrow()
  })

  it('a replay sends the same again, and then it goes on', async () => {
    const head = await headNow()
    const made = await webhook()
    await happen(3)
    await until(3)
    const replay = await call(`POST /webhooks/${made.id}/replay`, {
      fromSeq: head + 1,
      toSeq: head + 2,
    })
    expect(replay.json).toMatchObject({ replayNext: head + 1, replayTo: head + 2 })
    await until(5)
    await happen(1)
    await until(6)
    expect(seqs()).toEqual([1, 2, 3, 1, 2, 4].map((nth) => head + nth))
    expect(receiver.got[3]?.id).toBe(receiver.got[0]?.id)
    expect(await show(made)).toMatchObject({ replayNext: null, replayTo: null })
  })

  it('a try says what came of it, and stands in no stream', async () => {
    const made = await webhook({ types: ['order.done'] })
    const head = await headNow()
    const good = await call(`POST /webhooks/${made.id}/test`)
    expect(good.json).toMatchObject({ taken: true, status: 204, error: null })
    expect(JSON.parse(receiver.got[0]?.body ?? '')).toMatchObject({ type: 'webhook.test', seq: 0 })
    receiver.answer = status(404)
    const bad = await call(`POST /webhooks/${made.id}/test`)
    expect(bad.json).toMatchObject({ taken: false, status: 404, error: 'answered 404' })
    expect(await headNow()).toBe(head)
  })

  it('is done once with an Idempotency-Key, secret and all', async () => {
    const once = { 'idempotency-key': 'one' }
    const body = { url: receiver.url, description: 'once' }
    const answers = await Promise.all([1, 2, 3].map(() => call('POST /webhooks', body, once)))
    expect(new Set(answers.map(({ json }) => JSON.stringify(json))).size).toBe(1)
    expect((await call('GET /webhooks')).json).toHaveLength(1)
    const other = await call('POST /webhooks', { ...body, description: 'other' }, once)
    expect([other.status, other.json.code]).toEqual([409, 'IdempotencyKeyUsed'])
  })

  it.each([
    ['http://example.com/'],
    ['ftp://example.com/'],
    ['https://user:password@example.com/'],
    ['example.com'],
    [''],
  ])('the address %j is refused', async (url) => {
    const answer = await call('POST /webhooks', { url })
    expect([answer.status, answer.json.status]).toEqual([400, 400])
  })

  it('an address inside of the network is not called, whatever its name says', async () => {
    const made = await webhook({ url: 'https://127.0.0.1:9/' })
    const tried = await call(`POST /webhooks/${made.id}/test`)
    expect(tried.json).toMatchObject({ taken: false, status: null })
    expect(String(tried.json.error)).toContain('refused')
  })

  it('has 50 at most; the audit has no path, query or secret of them', async () => {
    const made = await Promise.all(
      Array.from({ length: 51 }, () => call('POST /webhooks', { url: receiver.url })),
    )
    expect(
      made
        .map(({ status: code }) => code)
        .sort()
        .slice(-2),
    ).toEqual([201, 409])
    const rows = await shop.deps.store.pool.query(
      "select before, after, subjects from audit_entry where operation = 'createWebhook'",
    )
    const text = JSON.stringify(rows.rows)
    expect(text).toContain(receiver.place)
    expect(text).not.toMatch(/whsec_|key=secret|\/hook/)
  })

  it.each([
    ['GET', ''],
    ['PATCH', ''],
    ['DELETE', ''],
    ['POST', '/test'],
    ['POST', '/enable'],
    ['POST', '/rotate-secret'],
    ['GET', '/attempts'],
  ])('%s of another account is unknown: %s', async (method, path) => {
    const made = await webhook()
    const other = shop.operatorId
    await shop.deps.store.pool.query('update webhook set account_id = $2 where id = $1', [
      made.id,
      other,
    ])
    const answer = await call(
      `${method} /webhooks/${made.id}${path}`,
      method === 'GET' ? undefined : {},
    )
    expect([answer.status, answer.json.code]).toEqual([404, 'WebhookNotFound'])
    await shop.deps.store.pool.query('delete from webhook where id = $1', [made.id])
  })
})
