// Many operations, each sent five times at once to two servers that are killed again and
// again: every one of them happens once, and all five callers hear the same.
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { posSale, posUntilAnswered } from '../support/group-d.js'
import { connected } from '../support/ledger.js'
import { Chance } from '../support/load.js'
import { Server } from '../support/server.js'
import type { TestSettings } from '../support/settings.js'
import { Site } from '../support/site.js'
import type { Till } from '../support/stand.js'

/** `OPERATIONS=1000` is the long form; the servers of a busy machine need seconds to come back. */
const OPERATIONS = Number(process.env.OPERATIONS ?? 240)
const TIMES = 5
const AT_ONCE = 12
/** One in so many is a payment. */
const PAYS = 8
const MINUTES = 60_000

interface Sent {
  id: string
  till: Till
  path: '/v2/sign' | '/v2/pay'
  body: string
  answers: { status: number; body: string }[]
}

let site: Site
let servers: (Server | undefined)[]
let settings: TestSettings[]
const sent: Sent[] = []
const chance = new Chance()

beforeAll(async () => {
  console.log(`seed ${chance.seed}`)
  site = await Site.make({ tills: 4, external: true })
  await site.more(2, { market: 'DE' })
  settings = await Promise.all([0, 1].map(() => site.settings({ DUMMY_PAYMENT_TIME_SCALE: '0' })))
  servers = await Promise.all(settings.map((one) => Server.start(one)))
}, MINUTES)

afterAll(async () => {
  await Promise.all(servers.map((server) => server?.kill()))
  await site.remove()
})

const urlOf = (): string =>
  `http://127.0.0.1:${settings[chance.between(0, 1) < 0.5 ? 0 : 1]?.PORT ?? ''}`

function newOperation(at: number): Sent {
  const id = randomUUID()
  const till = site.tills[at % site.tills.length]
  if (till === undefined) throw new Error('no till')
  const pays = at % PAYS === 0
  const pay =
    '{"Action":"payment","Protocol":"use_auto","cbPayItem":{"Description":"Card","Amount":10}}'
  const path = pays ? '/v2/pay' : '/v2/sign'
  return { id, till, path, body: pays ? pay : posSale(till, `op-${at}`), answers: [] }
}

async function send(operation: Sent): Promise<void> {
  const { id, till, path, body } = operation
  operation.answers = await Promise.all(
    Array.from({ length: TIMES }, () =>
      posUntilAnswered(urlOf, till, { path, body, operationId: id }),
    ),
  )
}

async function sendAll(): Promise<void> {
  let next = 0
  const caller = async () => {
    while (next < OPERATIONS) {
      const operation = newOperation(next)
      next += 1
      await send(operation)
      sent.push(operation)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, caller))
}

/** One after the other dies, and comes back. */
async function killing(isOver: () => boolean): Promise<number> {
  let kills = 0
  while (!isOver()) {
    await sleep(chance.between(500, 1500))
    const at = kills % 2
    const one = settings[at]
    if (one === undefined || isOver()) break
    await servers[at]?.kill()
    servers[at] = undefined
    kills += 1
    servers[at] = await Server.start(one)
  }
  return kills
}

describe('operations, each sent five times at once to two dying servers', () => {
  it(
    'are all answered',
    async () => {
      let over = false
      const all = sendAll().finally(() => {
        over = true
      })
      const kills = await killing(() => over)
      await all
      console.log(`${kills} kills`)
      expect(sent).toHaveLength(OPERATIONS)
      expect(kills).toBeGreaterThan(0)
    },
    15 * MINUTES,
  )

  it('give all five callers the same bytes, and one of them at most the first answer', () => {
    for (const { answers, id } of sent) {
      expect(new Set(answers.map(({ body }) => body)).size, id).toBe(1)
      const created = answers.filter(({ status }) => status === 201)
      expect(created.length, id).toBeLessThanOrEqual(1)
      const rest = answers.filter(({ status }) => status !== 201).map(({ status }) => status)
      expect(new Set(rest).size, id).toBeLessThanOrEqual(1)
    }
  })

  it('are executed once each: as many receipts and records as operations', async () => {
    await Promise.all(servers.map((server) => server?.stop()))
    const counts = await site.look(async (stand) => {
      const client = await connected(stand.connection)
      const found = await client.query<{ records: number; receipts: number; items: number }>(
        `select (select count(*)::int from operation) as records,
          (select count(distinct operation_id)::int from queue_item) as receipts,
          (select count(*)::int from queue_item where operation_id is not null) as items`,
      )
      await client.end()
      return found.rows[0]
    })
    const receipts = sent.filter(({ path }) => path === '/v2/sign').length
    expect(counts).toEqual({ records: OPERATIONS, receipts, items: receipts })
  })

  it('answer receipts with what is stored, without an error state', () => {
    for (const { path, answers, id } of sent) {
      if (path !== '/v2/sign') continue
      const state = /"ftState":(\d+)/.exec(answers[0]?.body ?? '')?.[1] ?? '0'
      expect(BigInt(state) & 0xffff_ffffn, id).toBe(0n)
    }
  })

  it('leave queues that verify', async () => {
    const nothing = { missing: () => [], doubled: () => [] } as never
    expect(await site.faults(nothing)).toEqual([])
  })
})
