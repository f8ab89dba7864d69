// The port of gRPC: TLS, a graceful end, faults of the start, memory of a long journal.
import { mkdtempSync, rmSync } from 'node:fs'
import * as net from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { credentials, status } from '@grpc/grpc-js'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { listenFault } from '../../../src/config/listen-fault.js'
import { listenAt } from '../../../src/lib/listen.js'
import { initial } from '../../../src/market/at/queue.js'
import { markets } from '../../../src/market/index.js'
import { startTestServer, type TestServer } from '../../support/app.js'
import { Child, FIXED_HEAP } from '../../support/child.js'
import { openTill, receiptMessage } from '../../support/grpc-client.js'
import { standGrpc } from '../../support/grpc-server.js'
import { makeManyMarketRows, makeQueue } from '../../support/make.js'
import { saleText } from '../../support/receipts.js'
import { selfSignedIn } from '../../support/self-signed.js'
import { exactMembers } from '../../support/soap.js'

let server: TestServer
let folder: string
beforeAll(async () => {
  server = await startTestServer()
  folder = mkdtempSync(join(tmpdir(), 'grpc-'))
})
afterEach(() => vi.restoreAllMocks())
afterAll(async () => {
  rmSync(folder, { recursive: true })
  await server.close()
})

const sale = () => receiptMessage(exactMembers(saleText()))

describe('with TLS', () => {
  it('the three operations are answered; a client without TLS gets no word', async () => {
    const { root, ...tls } = await selfSignedIn(folder)
    const grpc = await standGrpc(server.deps, { tls })
    // the name in the certificate is not what this is about
    const channel = credentials.createSsl(root, null, null, {
      checkServerIdentity: () => undefined,
    })
    const till = openTill(grpc.address, server.headers, { channel })
    expect(await till.call('Echo', { Message: 'x' })).toEqual({ Message: 'x' })
    expect(await till.call('Sign', sale())).toMatchObject({ cbReceiptReference: 'r-1' })
    expect((await till.journal({ ftJournalType: '3' })).bytes.length).toBeGreaterThan(1000)
    till.close()
    const plain = grpc.till(server.headers)
    await expect(plain.call('Echo', {})).rejects.toMatchObject({ code: status.UNAVAILABLE })
    await grpc.close()
  })

  it('files that are missing or no pair stop the start with one sentence', async () => {
    const tls = await selfSignedIn(folder)
    const none = { cert: join(folder, 'none.pem'), key: tls.key }
    await expect(standGrpc(server.deps, { tls: none })).rejects.toThrow('cannot be read')
    const other = { cert: tls.key, key: tls.cert }
    await expect(standGrpc(server.deps, { tls: other })).rejects.toThrow('no pair in PEM')
  })
})

describe('the end', () => {
  it('waits for a receipt that is being signed, and refuses new calls', async () => {
    const real = markets.AT.process.bind(markets.AT)
    vi.spyOn(markets.AT, 'process').mockImplementation(async (...input) => {
      await sleep(300)
      return real(...input)
    })
    const grpc = await standGrpc(server.deps)
    const till = openTill(grpc.address, server.headers)
    const answer = till.call('Sign', sale())
    await vi.waitFor(() => expect(markets.AT.process).toHaveBeenCalled())
    const closed = grpc.close()
    expect(await answer).toMatchObject({ ftQueueID: server.box.queueId })
    await closed
    await expect(till.call('Echo', {})).rejects.toMatchObject({ code: status.UNAVAILABLE })
    till.close()
  })

  it('does not wait for ever for clients that hold on', async () => {
    const grpc = await standGrpc(server.deps, { times: { stop: 200 } })
    const socket = net.connect(grpc.port, '127.0.0.1')
    const gone = new Promise((resolve) => socket.on('close', resolve))
    socket.on('error', () => undefined)
    socket.resume()
    await new Promise((resolve) => socket.once('data', resolve))
    const from = performance.now()
    await grpc.close()
    await gone
    expect(performance.now() - from).toBeLessThan(5000)
  })
})

it('a port that is taken is told with the name of its setting', async () => {
  const grpc = await standGrpc(server.deps)
  const listen = listenAt({ host: '127.0.0.1', port: grpc.port })
  const fault = await standGrpc(server.deps, { listen }).catch((error: unknown) => error)
  expect(listenFault(fault, 'GRPC_PORT')).toBe(
    `port ${grpc.port} is taken: set GRPC_PORT to another one.`,
  )
  await grpc.close()
})

it('100,000 rows in constant memory, after eight readers who left early', {
  timeout: 120_000,
}, async () => {
  const { store } = server.deps
  const queue = await makeQueue(store, { state: JSON.stringify(initial()) })
  await store.pool.query(
    `insert into directory (id, kind, account_id) values ($1, 'cashbox', $3), ($2, 'queue', $3)`,
    [queue.cashBoxId, queue.queueId, queue.accountId],
  )
  await makeManyMarketRows(store, queue, 100_000)
  const args = [JSON.stringify(server.database.config), queue.queueId, String(0x4154)]
  const child = new Child('grpc-memory.ts', args, FIXED_HEAP)
  const told = JSON.parse(await child.line()) as Record<string, number>
  expect(await child.ended).toBe(0)
  expect(told.status).toBe(0)
  expect(told.mebibytes).toBeGreaterThan(120)
  expect(told.growth).toBeLessThan(35)
})
