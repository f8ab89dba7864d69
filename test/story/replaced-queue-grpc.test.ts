// A queue that a template replaces while tills sign over gRPC, at two servers of one database that
// remember it: from the commit on the old one refuses, and the new one answers.
import { type ServiceError, status } from '@grpc/grpc-js'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Till } from '../support/grpc-client.js'
import { receiptMessage } from '../support/grpc-client.js'
import { type GrpcStand, standGrpc } from '../support/grpc-server.js'
import { exactMembers } from '../support/soap.js'
import {
  type BoxAccess,
  newId,
  openTwoServers,
  receiptText,
  START,
  type TwoServers,
  ZERO,
} from '../support/two-servers.js'

let two: TwoServers
let doors: GrpcStand[]
beforeAll(async () => {
  two = await openTwoServers()
  doors = await Promise.all(two.servers.map(({ deps }) => standGrpc(deps)))
})
afterAll(async () => {
  for (const door of doors) await door.close()
  await two.close()
})

type Told = { queue: string; box: string } | { code: string; status: number }

/** `named`: the queue in the metadata; `inBody`: in the receipt. */
interface Asked {
  named?: string
  inBody?: string
  receiptCase?: bigint
}

async function sign(till: Till, box: BoxAccess, asked: Asked): Promise<Told> {
  const { named, inBody, receiptCase = ZERO } = asked
  const body = { ...box, receiptCase, ...(inBody === undefined ? {} : { bodyQueue: inBody }) }
  const message = receiptMessage(exactMembers(receiptText(body)))
  const metadata = named === undefined ? {} : { queueid: named }
  try {
    const { ftQueueID, ftCashBoxID } = await till.call('Sign', message, { metadata })
    return { queue: String(ftQueueID), box: String(ftCashBoxID) }
  } catch (error) {
    const { code, metadata: trailers } = error as ServiceError
    return { code: String(trailers.get('code')[0]), status: code }
  }
}

async function inUse() {
  const queue = newId()
  const unit = newId()
  const cashBoxId = newId()
  const reply = await two.template({ box: cashBoxId, queues: [queue], unit })
  expect(reply.status, reply.text).toBe(200)
  const box = { cashBoxId, accessToken: String(reply.json().accessToken) }
  const metadata = { cashboxid: cashBoxId, accesstoken: box.accessToken }
  const tills = doors.map((door) => door.till(metadata))
  const [first, second] = tills
  if (first === undefined || second === undefined) throw new Error('there are two servers')
  const started = await sign(first, box, { named: queue, receiptCase: START })
  expect(started).toEqual({ queue, box: cashBoxId })
  expect(await sign(second, box, {})).toEqual({ queue, box: cashBoxId })
  const replace = async (next: string) => {
    const replaced = await two.template({ box: cashBoxId, queues: [next], unit })
    expect(replaced.status, replaced.text).toBe(200)
  }
  return { box, queue, tills, replace }
}

const UNKNOWN = { code: 'QUEUE_UNKNOWN', status: status.INVALID_ARGUMENT }

it('refuses by metadata and by receipt at every server, where the new one answers', async () => {
  const { box, queue, tills, replace } = await inUse()
  const next = newId()
  await replace(next)
  for (const till of tills) {
    expect(await sign(till, box, { named: queue })).toEqual(UNKNOWN)
    expect(await sign(till, box, { inBody: queue })).toEqual(UNKNOWN)
  }
  const own = { queue: next, box: box.cashBoxId }
  const [first, second] = tills as [Till, Till]
  expect(await sign(second, box, { named: next, receiptCase: START })).toEqual(own)
  expect(await sign(first, box, {})).toEqual(own)
  expect(await sign(first, box, { inBody: next })).toEqual(own)
  expect(await sign(second, box, {})).toEqual(own)
})

it('while tills sign: no answer of the old one for a call behind the commit', async () => {
  const { box, queue, tills, replace } = await inUse()
  const next = newId()
  let committed = false
  let over = false
  const told: { late: boolean; named: boolean; told: Told }[] = []
  const signing = [...tills, ...tills].map(async (till, at) => {
    const named = at < tills.length
    while (!over) {
      const late = committed
      told.push({ late, named, told: await sign(till, box, named ? { named: queue } : {}) })
    }
  })
  while (told.length < 20) await new Promise((done) => setImmediate(done))
  await replace(next)
  committed = true
  const started = await sign((tills as [Till])[0], box, { named: next, receiptCase: START })
  expect(started).toEqual({ queue: next, box: box.cashBoxId })
  const since = told.length
  while (told.length < since + 20) await new Promise((done) => setImmediate(done))
  over = true
  await Promise.all(signing)
  for (const one of told) {
    if ('code' in one.told) {
      expect(one.told, JSON.stringify(one)).toMatchObject({ code: 'QUEUE_UNKNOWN' })
      continue
    }
    expect(one.told.box).toBe(box.cashBoxId)
    if (one.late) expect([one.named, one.told.queue]).toEqual([false, next])
  }
  expect(told.filter(({ late, named }) => late && named).length).toBeGreaterThan(0)
})
