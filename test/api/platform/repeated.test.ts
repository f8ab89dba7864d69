// Every POST of the Platform may be repeated by its Idempotency-Key: one effect, one answer, and
// something else under the same key is refused.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { platformOperations } from '../../../src/api/platform/operations.js'
import { accountHeaders, openPlatform, type PlatformShop } from '../../support/platform.js'

let shop: PlatformShop
beforeAll(async () => {
  shop = await openPlatform()
})
afterAll(() => shop.close())

const sql = async (text: string, ...values: unknown[]) =>
  (await shop.deps.store.pool.query<Record<string, unknown>>(text, values)).rows

async function post(path: string, key: string, body?: unknown) {
  const answer = await fetch(`${shop.url}/platform/v1${path}`, {
    method: 'POST',
    headers: {
      ...{ ...accountHeaders(shop.dealer), 'idempotency-key': key },
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  return { status: answer.status, json: (await answer.json()) as Record<string, unknown> }
}

async function webhook(): Promise<string> {
  const url = 'https://hooks.example.com/x'
  const { json } = await post('/webhooks', randomUUID(), { url, after: 0 })
  return (json.webhook as { id: string }).id
}

async function problem(): Promise<string> {
  const id = randomUUID()
  await sql(
    `insert into problem (account_id, id, kind, severity, subject_kind, subject_id, since, details,
       found_at) values ($1, $2, 'order', 2, 'order', $2, now(), '{}', now())`,
    ...[shop.operatorId, id],
  )
  return id
}

/** Rows of the audit of this call. */
const audited = async (operation: string) =>
  (await sql('select 1 from audit_entry where operation = $1', operation)).length

it('there is no POST that could not be repeated', () => {
  // they change nothing, and are asked anew each time
  const questions = ['tryAction', 'previewReceiptSettings', 'previewInvitationMail']
  const posts = platformOperations.filter(
    ({ method, id }) => method === 'POST' && !questions.includes(id),
  )
  const bare = posts.filter(({ idempotent }) => idempotent === undefined).map(({ id }) => id)
  expect([posts.length > 10, bare]).toEqual([true, []])
})

const until = '2031-01-07T08:00:00Z'
describe.each([
  ['snoozeProblem', problem, (id: string) => `/problems/${id}/snooze`, { until, reason: 'a' }],
  ['enableWebhook', webhook, (id: string) => `/webhooks/${id}/enable`, undefined],
  ['replayWebhook', webhook, (id: string) => `/webhooks/${id}/replay`, { fromSeq: 1, toSeq: 1 }],
] as const)('%s', (operation, make, pathOf, body) => {
  it('is done once for five calls at the same time, and told alike', async () => {
    const path = pathOf(await make())
    const before = await audited(operation)
    const key = randomUUID()
    const five = await Promise.all([1, 2, 3, 4, 5].map(() => post(path, key, body)))
    const later = await post(path, key, body)
    expect(new Set(five.map(({ status }) => status))).toEqual(new Set([200]))
    expect(new Set([...five, later].map(({ json }) => JSON.stringify(json))).size).toBe(1)
    expect(await audited(operation)).toBe(before + 1)
  })

  it('is refused under the key of something else, and changes nothing', async () => {
    const [path, other] = [pathOf(await make()), pathOf(await make())]
    const key = randomUUID()
    expect((await post(path, key, body)).status).toBe(200)
    const before = await audited(operation)
    const refused = await post(other, key, body)
    expect([refused.status, refused.json.code]).toEqual([409, 'IdempotencyKeyUsed'])
    expect(await audited(operation)).toBe(before)
  })
})

it('a try of a webhook is told as it was', async () => {
  const path = `/webhooks/${await webhook()}/test`
  const first = await post(path, 'try')
  await sql('update webhook set url = $1', 'https://other.example.com/')
  expect(await post(path, 'try')).toEqual(first)
})
