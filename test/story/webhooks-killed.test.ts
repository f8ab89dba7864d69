// Servers that are killed while they call a receiver: it gets every event, in order, and what comes
// twice carries the same id.
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createWebhookDesk } from '../../src/core/event/webhook-desk.js'
import { createOutbound } from '../../src/device/outbound.js'
import { Child } from '../support/child.js'
import { createTestDatabase, type TestDatabase } from '../support/db.js'
import { openReceiver, type Receiver } from '../support/receiver.js'
import { openStand, type Stand, testKey } from '../support/stand.js'

const EVENTS = 200
const KILLS = 3

let database: TestDatabase
let receiver: Receiver
let stand: Stand
const masterKey = testKey()
beforeAll(async () => {
  database = await createTestDatabase()
  receiver = await openReceiver()
  stand = openStand(database.config, { masterKey })
})
afterAll(async () => {
  await stand.close()
  await receiver.close()
  await database.drop()
})

it.each(['ordered', 'parallel', 'batch'] as const)('%s', async (mode) => {
  receiver.got.length = 0
  const { store } = stand
  const accountId = randomUUID()
  await store.pool.query(`insert into stream_head (account_id, seq) values ($1, $2)`, [
    accountId,
    EVENTS,
  ])
  await store.pool.query(
    `insert into event (account_id, seq, id, type, owner_id, subject_kind, subject_id, data, at)
     select $1, g, gen_random_uuid(), 'queue.started', $1, 'queue', $1, '{}', now()
     from generate_series(1, $2::int) g`,
    [accountId, EVENTS],
  )
  const desk = createWebhookDesk({
    ...{ store, now: () => new Date(), sealer: store.sealer, allow: [receiver.place] },
    fetch: createOutbound({ allow: [] }),
  })
  const actor = { accountId, onBehalfOf: null, operation: 'createWebhook', traceId: '' }
  const wish = { url: receiver.url, description: '', types: [], mode, after: 0n, asymmetric: false }
  const { webhook } = await desk.create(actor, wish)
  receiver.answer = (_got, reply) => void setTimeout(() => reply.writeHead(204).end(), 5)
  const allow = [receiver.place]
  const args = [
    JSON.stringify({ connection: database.config, masterKey: masterKey.toString('base64'), allow }),
  ]
  const start = async () => {
    const child = new Child('webhook-script.ts', args)
    await child.line()
    return child
  }
  let worker = await start()
  for (let kill = 0; kill < KILLS; kill += 1) {
    await sleep(300)
    await worker.kill('SIGKILL')
    // its time is over: nobody waits a minute here
    await store.pool.query('update webhook set lease_until = now() where id = $1', [webhook.id])
    worker = await start()
  }
  const cursor = async () => (await desk.get({ accountId, id: webhook.id })).cursor
  await expect.poll(cursor, { timeout: 15_000 }).toBe(BigInt(EVENTS))
  await worker.kill('SIGKILL')
  const told = receiver.got.flatMap(({ body }) => {
    const read = JSON.parse(body) as { seq: number; id: string } | { seq: number; id: string }[]
    return Array.isArray(read) ? read : [read]
  })
  const ids = new Map<number, Set<string>>()
  for (const { seq, id } of told) ids.set(seq, (ids.get(seq) ?? new Set()).add(id))
  expect([...ids.keys()].sort((a, b) => a - b)).toEqual(
    Array.from({ length: EVENTS }, (_, at) => at + 1),
  )
  for (const same of ids.values()) expect(same.size).toBe(1)
  if (mode === 'parallel') return
  // a step back is a repetition; a step forward never leaves one out
  let furthest = 0
  for (const { seq } of told) {
    expect(seq).toBeLessThanOrEqual(furthest + 1)
    furthest = Math.max(furthest, seq)
  }
})
