// A German unit of one server as the signing unit of another's queue: both real, over a real
// connection, with answers that are lost on the way.
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { DeviceError, type ScuHead } from '../../../src/device/device.js'
import { createOutbound } from '../../../src/device/outbound.js'
import type { Tse } from '../../../src/device/tse/tse.js'
import { REMOTE_PACKAGE, remoteDriver } from '../../../src/market/de/devices/remote.js'
import { unitsInUse } from '../../../src/store/rollout/scus.js'
import { membersOf } from '../../market/de/support/tar-source.js'
import { MemoryTars, tarBytes } from '../../support/de/memory-tars.js'
import { call, scriptFaults } from '../../support/group-c.js'
import {
  makeBox,
  makeQueue,
  makeScu,
  makeServer,
  type TestServer,
  type TestSigner,
} from '../../support/make-scu.js'

const BASE = '/api/v0/idesscd'
const LIMIT = { timeoutMs: 5_000 }
const CLIENT = 'TILL-1'

let service: TestServer
/** Of the same database. */
let second: TestServer
let proxy: Server
let url: string
/** Answers that the proxy swallows, by the end of the address. */
let lost: string[]
let signer: TestSigner

beforeAll(async () => {
  service = await makeServer()
  second = await makeServer({ database: service.database })
  await service.app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = service.app.server.address() as AddressInfo
  proxy = createServer((request, response) => {
    void forward(port, request).then(({ status, body }) => {
      const at = lost.findIndex((name) => request.url?.endsWith(name))
      if (at < 0) return response.writeHead(status).end(body)
      lost.splice(at, 1)
      return response.destroy()
    })
  })
  await new Promise<void>((done) => proxy.listen(0, '127.0.0.1', done))
  url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}${BASE}`
})
afterAll(async () => {
  proxy.closeAllConnections()
  await new Promise((done) => proxy.close(done))
  await second.close()
  await service.close()
})
beforeEach(async () => {
  lost = []
  const box = await makeBox(service, 'DE')
  signer = { ...box, scuId: await makeScu(service, box) }
})

async function forward(port: number, request: IncomingMessage) {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  const { host: _host, connection: _c, 'content-length': _l, ...headers } = request.headers
  const body = parts.length === 0 ? {} : { body: Buffer.concat(parts) }
  const answer = await fetch(`http://127.0.0.1:${port}${request.url}`, {
    ...{ method: request.method ?? 'GET', headers: headers as Record<string, string> },
    ...body,
  })
  return { status: answer.status, body: Buffer.from(await answer.arrayBuffer()) }
}

function device(credentials: { cashboxid: string; accesstoken: string } = signer.headers): Tse {
  const { cashboxid: cashBoxId, accesstoken: accessToken } = credentials
  const unit: ScuHead = {
    ...{ accountId: signer.accountId, id: signer.scuId, market: 'DE', package: REMOTE_PACKAGE },
    ...{ mode: 0, url, configuration: '{}', state: '{}', faultScript: null, version: 0n },
    secrets: JSON.stringify({ cashBoxId, accessToken }),
    ...{ changed: false, actions: [] },
  }
  return remoteDriver.open(unit, {
    fetch: createOutbound({ allow: [new URL(url).host] }),
    now: () => new Date(),
    sleep: async () => {},
    tars: new MemoryTars(),
  })
}

async function working(): Promise<Tse> {
  const tse = device()
  await tse.setState(1, LIMIT)
  await tse.registerClient(CLIENT, LIMIT)
  return tse
}

let items = 0
const item = (members: object = {}) => ({
  ...{ clientId: CLIENT, queueItemId: `item-${++items}`, processType: '', isRetry: false },
  ...{ processData: Buffer.alloc(0), ...members },
})
const SALE = { processType: 'Kassenbeleg-V1', processData: Buffer.from('Beleg^1.19^1.19:Bar') }

const kindOf = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    (error: unknown) => (error instanceof DeviceError ? error.kind : String(error)),
  )

async function counters(tse: Tse): Promise<{ tar: Buffer; found: number[] }> {
  const tar = await tarBytes((await tse.exportMemory(false, LIMIT)).tar)
  const names = (await membersOf(tar)).map(([name]) => name)
  const found = names.flatMap((name) => /_Sig-(\d+)_Log-/.exec(name)?.[1] ?? [])
  return { tar, found: found.map(Number) }
}

describe('a security device on another server', () => {
  it('signs the receipts of a queue there is here', async () => {
    const host = new URL(url).host
    const till = await makeServer({ env: { OUTBOUND_ALLOW: host } })
    try {
      const box = await makeBox(till, 'DE')
      const { cashboxid, accesstoken } = signer.headers
      const configuration = { cashboxid, accesstoken }
      const scu = await makeScu(till, box, { package: REMOTE_PACKAGE, url, configuration })
      const queue = await makeQueue(till, box, [scu])
      const send = async (name: string, word: bigint) => {
        const answer = await till.app.inject({
          ...{ method: 'POST', url: `/${queue}/json/v0/sign` },
          headers: { ...box.headers, 'content-type': 'application/json' },
          payload:
            `{"ftCashBoxID":"${box.cashBoxId}","cbTerminalID":"1","cbReceiptReference":"${name}",` +
            `"cbReceiptMoment":"${new Date().toISOString()}","cbChargeItems":[],"cbPayItems":[],` +
            `"ftReceiptCase":${word}}`,
        })
        expect(answer.statusCode, answer.body).toBe(200)
        return answer.body
      }
      expect(await send('start', 0x4445_0001_0000_0003n)).toContain('"ftState":4919338167972134912')
      // the answer to the finish is lost: it comes again, and nothing is signed for it
      lost = ['finishtransaction']
      const text = await send('zero', 0x4445_0001_0000_0002n)
      expect(text).toContain('"ftState":4919338167972134912')
      const { found } = await counters(device())
      expect(found).toEqual(found.map((_, at) => at + 1))
      const info = await device().info(LIMIT)
      expect(info.openTransactions).toEqual([])
      expect(info.signatures).toBe(found.length)
    } finally {
      await till.close()
    }
  })

  it('does once what is asked again, whatever came between', async () => {
    const tse = await working()
    const start = item()
    lost = ['starttransaction']
    expect(await kindOf(tse.startTransaction(start, LIMIT))).toBe('unknown-outcome')
    const others = []
    for (let at = 0; at < 8; at += 1) others.push(await tse.startTransaction(item(), LIMIT))
    const again = await tse.startTransaction({ ...start, isRetry: true }, LIMIT)
    expect(again.transactionNumber).toBe((others[0]?.transactionNumber ?? 0) - 1)
    const finish = { ...item(SALE), transactionNumber: again.transactionNumber }
    lost = ['finishtransaction']
    expect(await kindOf(tse.finishTransaction(finish, LIMIT))).toBe('unknown-outcome')
    for (const { transactionNumber } of others) {
      await tse.finishTransaction({ ...item(SALE), transactionNumber }, LIMIT)
    }
    const ended = await tse.finishTransaction({ ...finish, isRetry: true }, LIMIT)
    expect(ended.startMoment).toEqual(again.moment)
    const { openTransactions, signatures } = await tse.info(LIMIT)
    expect(openTransactions).toEqual([])
    const { found } = await counters(tse)
    expect(found).toEqual(Array.from({ length: signatures }, (_, at) => at + 1))
  })

  it('counts on for several callers and two processes at once', async () => {
    const tse = await working()
    const path = `${BASE}/v1/starttransaction`
    const { headers } = signer
    const before = (await tse.info(LIMIT)).signatures
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, at) => {
        const body = { ClientId: CLIENT, QueueItemId: `two-${at}` }
        const { app } = at % 2 === 0 ? service : second
        return call(app, { method: 'POST', path, headers, body })
      }),
    )
    const numbers = answers.map(({ body }) => Number(body.TransactionNumber)).sort((a, b) => a - b)
    expect(new Set(numbers).size).toBe(8)
    expect((await tse.info(LIMIT)).signatures).toBe(before + 8)
    expect((await counters(tse)).found).toHaveLength(before + 8)
  })

  it('is in parts what was asked for in one, and is erased when it has arrived', async () => {
    const tse = await working()
    await tse.startTransaction(item(), LIMIT)
    const { tar: whole } = await counters(tse)
    const post = (name: string, body: object) =>
      call(service.app, {
        method: 'POST',
        path: `${BASE}/v1/${name}`,
        headers: signer.headers,
        body,
      })
    const { TokenId } = (await post('startexportsession', { Erase: true })).body
    const parts: Buffer[] = []
    for (let isEnd = false; !isEnd; ) {
      const { body } = await post('exportdata', { tokenid: TokenId, maxChunkSize: 1000 })
      parts.push(Buffer.from(String(body.TarFileByteChunkBase64), 'base64'))
      isEnd = body.TarFileEndOfFile === true
    }
    const names = async (tar: Buffer) => (await membersOf(tar)).map(([name]) => name)
    expect(await names(Buffer.concat(parts))).toEqual(await names(whole))
    const wrong = { TokenId, Sha256ChecksumBase64: 'AA==', Erase: true }
    expect((await post('endexportsession', wrong)).body).toMatchObject({ IsValid: false })
    // a message that came meanwhile stays, and all others with it
    await tse.registerClient('TILL-2', LIMIT)
    const hash = await crypto.subtle.digest('SHA-256', Buffer.concat(parts))
    const right = { ...wrong, Sha256ChecksumBase64: Buffer.from(hash).toString('base64') }
    expect((await post('endexportsession', right)).body).toMatchObject({
      ...{ IsValid: true, IsErased: false },
    })
    expect((await post('endexportsession', right)).status).toBe(404)
    const erased = await tse.exportMemory(true, LIMIT)
    expect(erased.erased).toBe(true)
    expect((await counters(tse)).found.length).toBeLessThan(erased.to)
  })

  it('is looked after like those that a queue signs with', async () => {
    const inUse = async () => {
      const units = await unitsInUse(service.deps.store, { after: undefined, limit: 1_000 })
      return units.some(({ id }) => id === signer.scuId)
    }
    expect(await inUse()).toBe(false)
    const tse = await working()
    await tse.startTransaction(item(), LIMIT)
    expect(await inUse()).toBe(true)
  })

  it('with wrong credentials lets nobody in, and is not asked twice', async () => {
    const other = await makeBox(service, 'DE')
    const wrong = { ...signer.headers, accesstoken: other.accessToken }
    expect(await kindOf(device(wrong).info(LIMIT))).toBe('credentials')
    // a cash box without a unit
    expect(await kindOf(device(other.headers).info(LIMIT))).toBe('credentials')
  })

  it('says no, and is silent, as its device is', async () => {
    const tse = await working()
    expect(await kindOf(tse.startTransaction(item({ clientId: 'NOBODY' }), LIMIT))).toBe('refused')
    await scriptFaults(service.app, signer, [{ do: 'unreachable', calls: 1 }])
    expect(await kindOf(tse.startTransaction(item(), LIMIT))).toBe('unknown-outcome')
    await scriptFaults(service.app, signer, [{ do: 'error-after', calls: 1 }])
    const start = item()
    expect(await kindOf(tse.startTransaction(start, LIMIT))).toBe('unknown-outcome')
    await tse.startTransaction({ ...start, isRetry: true }, LIMIT)
    expect((await tse.info(LIMIT)).openTransactions).toHaveLength(1)
    const { found } = await counters(tse)
    expect(found).toHaveLength((await tse.info(LIMIT)).signatures)
  })

  it('that a queue of its own server signs with is not served', async () => {
    await makeQueue(service, signer, [signer.scuId])
    expect(await kindOf(device().info(LIMIT))).toBe('credentials')
  })

  it('refuses bodies that are none', async () => {
    const { headers } = signer
    const path = `${BASE}/v1/starttransaction`
    const codes = await Promise.all(
      [
        {},
        { ClientId: CLIENT, QueueItemId: 'x', ProcessDataBase64: '*' },
        { ClientId: CLIENT, QueueItemId: 'x', IsRetry: 'yes' },
      ].map(
        async (body) => (await call(service.app, { method: 'POST', path, headers, body })).body,
      ),
    )
    expect(codes.map(({ code, field }) => [code, field])).toEqual([
      ['FIELD_MISSING', 'ClientId'],
      ['FIELD_INVALID', 'ProcessDataBase64'],
      ['FIELD_INVALID', 'IsRetry'],
    ])
  })
})
