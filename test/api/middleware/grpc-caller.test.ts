// Who calls over gRPC, and which queue is meant: metadata, ids of the receipt, aliases, the local
// form without credentials.
import { randomUUID } from 'node:crypto'
import { status } from '@grpc/grpc-js'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import {
  addForeignBox,
  addQueue,
  headersOf,
  type Server,
  startServer,
  startTestServer,
  type TestServer,
} from '../../support/app.js'
import type { Message, Till } from '../../support/grpc-client.js'
import { saleMessage as sale } from '../../support/grpc-door.js'
import { type GrpcStand, standGrpc } from '../../support/grpc-server.js'

let server: TestServer
let grpc: GrpcStand
let second: string
let foreign: Awaited<ReturnType<typeof addForeignBox>>
const others: { grpc: GrpcStand; server: Server }[] = []
beforeAll(async () => {
  server = await startTestServer()
  grpc = await standGrpc(server.deps)
  second = await addQueue(server)
  foreign = await addForeignBox(server)
})
afterEach(async () => {
  for (const other of others.splice(0)) {
    await other.grpc.close()
    await other.server.close()
  }
})
afterAll(async () => {
  await grpc.close()
  await server.close()
})

const queueOf = async (till: Till, more: Message = {}) =>
  (await till.call('Sign', sale(more))).ftQueueID
const refusal = (call: Promise<unknown>) =>
  call.then(
    () => 'no refusal',
    (error: { code: number; metadata: { get(name: string): unknown[] } }) => [
      status[error.code],
      error.metadata.get('code')[0],
    ],
  )

describe('with authentication', () => {
  it('each operation wants both words, and says which one is missing', async () => {
    for (const name of ['cashboxid', 'accesstoken'] as const) {
      const { [name]: _, ...rest } = server.headers
      const till = grpc.till(rest)
      for (const call of [
        till.call('Echo', { Message: 'x' }),
        till.call('Sign', sale()),
        till.journal({ ftJournalType: '0' }),
        // a message that cannot be read is no way around it
        till.call('Sign', Buffer.from('ffff', 'hex')),
      ]) {
        await expect(call).rejects.toMatchObject({
          code: status.UNAUTHENTICATED,
          details: expect.stringContaining(name),
        })
      }
    }
  })

  it('wrong ones are UNAUTHENTICATED, too many RESOURCE_EXHAUSTED, right ones pass', async () => {
    const id = randomUUID()
    const wrong = grpc.till({ cashboxid: id, accesstoken: 'x' })
    const told = []
    for (let time = 0; time < 12; time += 1) {
      told.push(await refusal(wrong.call('Echo', {})))
    }
    expect(told[0]).toEqual(['UNAUTHENTICATED', 'CREDENTIALS_WRONG'])
    expect(told.at(-1)).toEqual(['RESOURCE_EXHAUSTED', 'CREDENTIALS_LIMITED'])
    expect(await grpc.till(server.headers).call('Echo', { Message: 'x' })).toEqual({ Message: 'x' })
  })

  it('the cash box of the receipt has to be that of the metadata, or be missing', async () => {
    const till = grpc.till(server.headers)
    expect(await queueOf(till)).toBe(server.box.queueId)
    expect(await refusal(till.call('Sign', sale({ ftCashBoxID: foreign.cashBoxId })))).toEqual([
      'UNAUTHENTICATED',
      'CASH_BOX_OTHER_HEADER',
    ])
  })

  it('of several queues the receipt names one, else the metadata, else the oldest', async () => {
    const { queueId } = server.box
    expect(await queueOf(grpc.till(server.headers))).toBe(queueId)
    expect(await queueOf(grpc.till(server.headers), { ftQueueID: second })).toBe(second)
    const named = grpc.till({ ...server.headers, queueid: second.toUpperCase() })
    expect(await queueOf(named)).toBe(second)
    expect(await queueOf(named, { ftQueueID: queueId })).toBe(queueId)
    const rows = JSON.parse(String((await named.journal({ ftJournalType: '3' })).bytes))
    expect(rows.map((row: Message) => row.ftQueueId)).toEqual([second, second])
  })

  it("a queue of somebody else's looks like one that does not exist", async () => {
    for (const queue of [foreign.queueId, randomUUID(), 'no-alias', "x'--"]) {
      const till = grpc.till({ ...server.headers, queueid: queue })
      const unknown = ['INVALID_ARGUMENT', 'QUEUE_UNKNOWN']
      expect(await refusal(till.call('Echo', {})), queue).toEqual(unknown)
      expect(await refusal(till.journal({ ftJournalType: '0' }))).toEqual(unknown)
    }
    const till = grpc.till(server.headers)
    expect(await refusal(till.call('Sign', sale({ ftQueueID: foreign.queueId })))).toEqual([
      'INVALID_ARGUMENT',
      'QUEUE_UNKNOWN',
    ])
  })
})

/** The locally hosted form, on the same database. */
async function local(variables: Record<string, string> = {}): Promise<GrpcStand> {
  const other = await startServer(server, { MIDDLEWARE_AUTH: 'off', ...variables })
  const stand = await standGrpc(other.deps)
  others.push({ grpc: stand, server: other })
  return stand
}

describe('without authentication', () => {
  it('the receipt names its queue by either id, whatever the metadata say', async () => {
    const till = (await local()).till({ cashboxid: foreign.cashBoxId, queueid: foreign.queueId })
    const { cashBoxId, queueId } = server.box
    expect(await queueOf(till, { ftCashBoxID: cashBoxId, ftQueueID: second })).toBe(second)
    expect(await queueOf(till, { ftCashBoxID: cashBoxId, ftQueueID: queueId })).toBe(queueId)
    const plain = (await local()).till({ cashboxid: foreign.cashBoxId })
    expect(await queueOf(plain, { ftCashBoxID: cashBoxId })).toBe(queueId)
  })

  it('else the metadata do', async () => {
    const till = (await local()).till({ cashboxid: server.box.cashBoxId })
    expect(await queueOf(till)).toBe(server.box.queueId)
    const rows = JSON.parse(String((await till.journal({ ftJournalType: '3', To: '-1' })).bytes))
    expect(rows).toMatchObject([{ ftQueueId: server.box.queueId }])
  })

  it('else the usual queue, also by an alias', async () => {
    const stand = await local({ QUEUE_ALIASES: `*=${second},till=${second}` })
    const { cashBoxId } = server.box
    expect(await queueOf(stand.till(), { ftCashBoxID: cashBoxId })).toBe(server.box.queueId)
    expect(await stand.till().call('Echo', { Message: 'x' })).toEqual({ Message: 'x' })
    for (const till of [stand.till(), stand.till({ queueid: 'TILL' })]) {
      const rows = JSON.parse(String((await till.journal({ ftJournalType: '3', To: '-1' })).bytes))
      expect(rows).toMatchObject([{ ftQueueId: second }])
    }
  })

  it('where nothing fits: INVALID_ARGUMENT', async () => {
    const till = (await local()).till()
    const none = ['INVALID_ARGUMENT', 'QUEUE_NOT_NAMED']
    expect(await refusal(till.journal({ ftJournalType: '0' }))).toEqual(none)
    expect(await refusal(till.call('Sign', sale()))).toEqual(none)
    expect(await refusal(till.call('Sign', sale({ ftCashBoxID: randomUUID() })))).toEqual(none)
    const queue = { ftCashBoxID: headersOf(foreign).cashboxid, ftQueueID: second }
    expect(await refusal(till.call('Sign', sale(queue)))).toEqual([
      'INVALID_ARGUMENT',
      'CASH_BOX_OTHER',
    ])
  })
})
