// Calls of every kind whose connection ends, in order or by a reset, behind each of their bytes:
// nothing of that ends the process, is answered as a success, stores half of something or keeps a
// place. A server in a process of its own, with few places.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createAccount, createReceiptApp } from '../../src/core/accounts/accounts.js'
import { checkData } from '../../src/core/audit/check/check.js'
import { type End, readUntil, sendEnding } from '../support/cut-socket.js'
import { headersOf, newAccount } from '../support/dealer.js'
import { documentedCalls } from '../support/documented-calls.js'
import { posCall, posHeaders } from '../support/group-d.js'
import { openTill } from '../support/grpc-client.js'
import { connected, type Ledger, readLedger, verifyLedger } from '../support/ledger.js'
import { unknownPair } from '../support/pairs.js'
import {
  bytesOf,
  type Callers,
  idOf,
  type RightCall,
  recordCall,
  reference,
  rightCalls,
} from '../support/right-calls.js'
import { freePort, Server } from '../support/server.js'
import { Site } from '../support/site.js'
import { envelope, operation } from '../support/soap.js'
import { ASK, member, requestText, saleOf, type Till } from '../support/stand.js'

const MINUTES = 240_000
const AT_ONCE = 16
/** Far fewer than there are cuts: one that kept its place would be missed. */
const PLACES = { connectionsMax: 48, signWaitingMax: 24, listenersMax: 3 }
const SOON_MS = 5_000
const STOP_MS = 3_000
const READERS = 40
const MANY_BYTES = 50_000
const ENDS = ['ended', 'reset'] as const

let site: Site
let server: Server
let callers: Callers
let calls: RightCall[]
let till: Till

beforeAll(async () => {
  site = await Site.make({ tills: 1, external: true })
  const [first] = site.tills
  if (first === undefined) throw new Error('there is no till')
  till = first
  const grpcPort = await freePort()
  const settings = { ...PLACES, GRPC_PORT: String(grpcPort), RATE_LIMITS: 'dealer=0' }
  server = await Server.start(await site.settings({ ...settings, LOG_LEVEL: 'error' }))
  const issued = unknownPair()
  const published = await posCall(server.url, till, {
    ...{ path: '/v2/issue', body: issued.body, operationId: idOf('issued') },
  })
  expect(published.status, published.body).toBe(201)
  const made = await site.look(async ({ store }) => {
    const deps = { store, now: () => new Date() }
    const app = await createReceiptApp(deps, { name: 'Wallet', shareUrl: null })
    return { app, dealer: await createAccount(deps, newAccount('PosDealer')) }
  })
  callers = { url: server.url, till, issued, ...made, grpcAddress: `127.0.0.1:${grpcPort}` }
  calls = await rightCalls(callers)
}, 240_000)
afterAll(async () => {
  await server.kill()
  await site.remove()
}, 60_000)

async function allAtOnce(works: readonly (() => Promise<void>)[]): Promise<void> {
  const left = [...works]
  const one = async () => {
    for (let work = left.pop(); work !== undefined; work = left.pop()) await work()
  }
  await Promise.all(Array.from({ length: AT_ONCE }, one))
}

const GROUPS = ['middleware', 'signing-device', 'possystem', 'receipt', 'sandbox', 'dealer']

function credentialsOf(group: string): Record<string, string> {
  const { app, dealer } = callers
  if (group === 'dealer') return headersOf(dealer)
  if (group === 'possystem') return posHeaders(till, idOf(group))
  if (group === 'receipt') return { 'x-app-id': app.appId, 'x-app-secret': app.appSecret }
  return { cashboxid: till.cashBoxId, accesstoken: till.accessToken }
}

/** Around every end of a line, within the first bytes of the body, and all over it. */
function cutsOf(bytes: Buffer): number[] {
  const cuts = new Set<number>([1, bytes.length - 2, bytes.length - 1])
  for (let at = bytes.indexOf('\r\n'); at >= 0; at = bytes.indexOf('\r\n', at + 1)) {
    for (const cut of [at, at + 1, at + 2, at + 3]) cuts.add(cut)
  }
  for (let at = 17; at < bytes.length; at += 41) cuts.add(at)
  return [...cuts].filter((cut) => cut < bytes.length)
}

const addressOf = ({ status }: RightCall): string =>
  status === 0 ? `http://${callers.grpcAddress}` : server.url

let again = 0

/** What must hold after each of them: nobody has noticed a thing. */
async function expectLife(call: RightCall, number: number): Promise<void> {
  expect(server.isAlive, `${call.name}\n${server.output}`).toBe(true)
  // a fault that nobody caught costs no process, and is one all the same
  expect(server.output, call.name).not.toMatch(/"level":(50|60)/)
  const from = performance.now()
  again += 1
  await call.send(reference(number, 'well', again))
  expect(performance.now() - from, call.name).toBeLessThan(SOON_MS)
}

/** References whose call was sent as a whole. */
async function cutEverywhere(call: RightCall, number: number, end: End): Promise<Set<string>> {
  const whole = new Set<string>()
  // packed bodies differ by some bytes from one reference to another
  const longest = call.bytes(reference(number, end, 0)).length + 16
  const works = Array.from({ length: longest + 1 }, (_, cut) => async () => {
    const mark = reference(number, end, cut)
    const bytes = call.bytes(mark)
    if (cut > bytes.length) return
    const hasArrived = cut >= call.arrives(bytes)
    if (hasArrived) whole.add(mark)
    const status = await sendEnding(addressOf(call), bytes.subarray(0, cut), end)
    const right = hasArrived && end === 'ended' ? [call.status] : [0, 400]
    if (hasArrived && end === 'reset') right.push(call.status)
    expect(right, `${call.name} cut at ${cut}: ${status}\n${server.output}`).toContain(status)
  })
  await allAtOnce(works)
  return whole
}

async function storedBy({ stored }: RightCall, number: number, end: End): Promise<Set<string>> {
  const found = new Set<string>()
  if (stored === undefined) return found
  await site.look(async ({ store }) => {
    const { rows } = await store.pool.query<Record<string, string>>(stored)
    const start = reference(number, end, 0).slice(0, -6)
    for (const value of rows.flatMap((row) => Object.values(row))) {
      if (value.startsWith(start)) found.add(value)
    }
  })
  return found
}

/** Its till asks for what it got no answer to, and gets what is stored. */
async function expectFound(call: RightCall, mark: string): Promise<void> {
  if (call.lost === 'repeated') {
    const again = await sendEnding(server.url, call.bytes(mark), 'ended')
    expect([call.name, again]).toEqual([call.name, 200])
    return
  }
  const asked = requestText(till, { reference: mark, receiptCase: saleOf(till) | ASK })
  const reply = await fetch(`${server.url}/${till.queueId}/json/v1/sign`, {
    ...{ method: 'POST', headers: credentialsOf('middleware'), body: asked },
  })
  const text = await reply.text()
  expect([reply.status, member(text, 'cbReceiptReference')], text).toEqual([200, mark])
}

describe('a call whose connection is cut behind any of its bytes', () => {
  it.each(ENDS)(
    'and %s is no call, and costs nobody anything',
    async (end) => {
      for (const [number, call] of calls.entries()) {
        const whole = await cutEverywhere(call, number, end)
        await expectLife(call, number)
        const stored = await storedBy(call, number, end)
        if (call.lost !== undefined) for (const mark of stored) await expectFound(call, mark)
        const half = [...stored].filter((mark) => !whole.has(mark))
        expect([call.name, half]).toEqual([call.name, []])
        // who listens has got the answer
        const isAnswered = end === 'ended' && call.status !== 0 && call.stored !== undefined
        if (isAnswered) expect([call.name, stored]).toEqual([call.name, whole])
      }
    },
    MINUTES,
  )
})

describe('every documented call', () => {
  it.each(ENDS)(
    'that is cut and %s is refused or not answered',
    async (end) => {
      const documented = await documentedCalls({
        ...{ url: server.url, groups: GROUPS, headersOf: credentialsOf },
        parameters: { queue: till.queueId, queueId: till.queueId, scuId: till.scuIds[0] ?? '' },
      })
      expect(documented.length).toBeGreaterThan(40)
      for (const { name, bytes } of documented) {
        const works = cutsOf(bytes).map((cut) => async () => {
          const status = await sendEnding(server.url, bytes.subarray(0, cut), end)
          const isFine = status === 0 || (status >= 400 && status < 500)
          expect(isFine, `${name} cut at ${cut}: ${status}\n${server.output}`).toBe(true)
        })
        await allAtOnce(works)
        expect(server.isAlive, `${name}\n${server.output}`).toBe(true)
        expect(server.output, name).not.toMatch(/"level":(50|60)/)
      }
      const [first] = calls
      if (first !== undefined) await expectLife(first, 0)
    },
    MINUTES,
  )
})

/** The same journal through each door. */
async function journalCalls() {
  const { url, grpcAddress } = callers
  const headers = credentialsOf('middleware')
  const line = `POST /${till.queueId}`
  const rest = bytesOf({ line: `${line}/json/v1/journal?type=3`, headers, body: '' })
  const asked = operation('Journal', '<ftJournalType>3</ftJournalType>')
  const soap = { line, headers: { ...headers, 'content-type': 'text/xml' }, body: envelope(asked) }
  const grpc = await recordCall(grpcAddress, async (address) => {
    const client = openTill(address, headers)
    await client.journal({ ftJournalType: '3' })
    client.close()
  })
  return [
    { name: 'REST', url, bytes: rest },
    { name: 'SOAP', url, bytes: bytesOf(soap) },
    { name: 'gRPC', url: `http://${grpcAddress}`, bytes: grpc },
  ]
}

describe('an answer whose reader is gone behind any of its bytes', () => {
  it(
    'costs nobody anything',
    async () => {
      const journals = await journalCalls()
      for (const { name, url, bytes } of journals) {
        const whole = await readUntil(url, bytes, { most: Number.MAX_SAFE_INTEGER })
        expect(whole, name).toBeGreaterThan(MANY_BYTES)
        const works = Array.from({ length: READERS }, (_, at) => async () => {
          const most = 1 + Math.floor((at * whole) / READERS)
          // four of a CashBox are read at a time, the others wait
          const read = await readUntil(url, bytes, { most, silenceMs: 4 * SOON_MS })
          expect(read, name).toBeGreaterThanOrEqual(most)
        })
        await allAtOnce(works)
        const [first] = calls
        if (first !== undefined) await expectLife(first, 0)
      }
    },
    MINUTES,
  )

  it('leaves its place among those who listen for receipts', async () => {
    const headers = posHeaders(till, idOf('events'))
    const listen = bytesOf({ line: 'GET /v2/instore/events', headers, body: '' })
    for (let at = 0; at < READERS; at += 1) {
      await expect
        .poll(() => readUntil(server.url, listen, { most: 1 + at }), { timeout: SOON_MS })
        .toBeGreaterThan(at)
    }
  }, 60_000)
})

it('what is stored then is whole, and a stop waits for nothing', async () => {
  const { code, ms } = await server.stop()
  expect(code, server.output).toBe(0)
  expect(ms).toBeLessThan(STOP_MS)
  await site.look(async (stand) => {
    const faults: unknown[] = []
    await checkData(stand.deps, (violation) => faults.push(violation))
    expect(faults).toEqual([])
    const client = await connected(stand.connection)
    const ledger: Ledger = await readLedger(client, till.queueId)
    await client.end()
    expect(ledger.items.filter(({ response }) => response === null)).toEqual([])
    verifyLedger(ledger, stand.store.sealer)
  })
}, 60_000)
