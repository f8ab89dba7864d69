// Exports of a server in a process of its own: they come byte for byte as ever, end with whoever
// reads them, are refused in the words of every interface when there are too many, and do not keep
// another CashBox from signing.
import { randomInt, randomUUID } from 'node:crypto'
import { type IncomingMessage, request } from 'node:http'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { exportJournal } from '../../src/core/journal/export.js'
import { marketOf } from '../../src/market/index.js'
import { posHeaders } from '../support/group-d.js'
import { openTill } from '../support/grpc-client.js'
import { makeManyMarketRows, TICKS } from '../support/make.js'
import { freePort, Server } from '../support/server.js'
import { Site } from '../support/site.js'
import { envelope, operation } from '../support/soap.js'
import { requestText, type Till } from '../support/stand.js'

const ROWS = 60_000
const RAW = 0x4154n
const DEP7 = (0x4154n << 48n) + 1n
const EACH = 2
const EXPORTS = { threads: 1, most: 3, each: EACH, waiting: 1, waitingEach: 1, waitMs: 30_000 }

let site: Site
let server: Server
let grpcPort: number
let till: Till
let other: Till

beforeAll(async () => {
  site = await Site.make({ tills: 2, external: true })
  const [first, second] = site.tills
  if (first === undefined || second === undefined) throw new Error('there are no tills')
  till = first
  other = second
  await site.look(({ store }) => makeManyMarketRows(store, till, ROWS))
  grpcPort = await freePort()
  server = await Server.start(
    await site.settings({ GRPC_PORT: String(grpcPort), ...{ exports: EXPORTS } }),
  )
}, 180_000)
afterAll(async () => {
  await server.kill()
  await site.remove()
}, 60_000)

const credentials = ({ cashBoxId, accessToken }: Till) => ({
  ...{ cashboxid: cashBoxId, accesstoken: accessToken },
})

/** The rows that were made: those of the till's own receipts have other numbers. */
const UP_TO = TICKS + BigInt(ROWS)

const pathOf = (type: bigint) =>
  `/json/v1/journal?type=${type}&from=0&to=${type === DEP7 ? UP_TO : 0n}`

/** The answer of a journal, of which nothing is read yet. */
function opened(type: bigint, of = till): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const call = request(`${server.url}${pathOf(type)}`, {
      ...{ method: 'POST', headers: credentials(of), agent: false },
    })
    call.on('response', resolve)
    call.on('error', reject)
    call.end()
  })
}

async function bytesOf(answer: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const pieces: Uint8Array[] = []
  for await (const piece of answer) pieces.push(piece)
  return Buffer.concat(pieces)
}

/** Reads so many bytes and is gone. */
async function abandoned(type: bigint, most: number): Promise<void> {
  const answer = await opened(type)
  let read = 0
  for await (const piece of answer) {
    read += (piece as Buffer).length
    if (read >= most) break
  }
  answer.destroy()
}

/** Statements of exports that run in the database. */
async function working(): Promise<number> {
  const { rows } = await site.look(({ store }) =>
    store.pool.query<{ n: number }>(
      `select count(*)::int as n from pg_stat_activity
       where application_name = 'fiskalwerk beside' and state <> 'idle'`,
    ),
  )
  return rows[0]?.n ?? -1
}

/** Two that nobody reads, and one that waits behind them. */
async function full(): Promise<{ end(): Promise<void> }> {
  const held = await Promise.all([opened(RAW), opened(RAW)])
  const waiting = opened(RAW)
  await expect.poll(metric('waiting')).toBe(1)
  return {
    end: async () => {
      for (const one of held) one.destroy()
      const last = await waiting
      last.destroy()
      await expect.poll(metric('running')).toBe(0)
    },
  }
}

const metric = (state: string) => async () => {
  const text = await (await fetch(`${server.url}/metrics`)).text()
  return Number(new RegExp(`^fiskalwerk_exports\\{state="${state}"\\} (\\d+)`, 'm').exec(text)?.[1])
}

it.each([
  ['a raw journal', RAW],
  ['a DEP7', DEP7],
  ['the queue items', 3n],
])('%s comes byte for byte as one that is made in place', async (_, type) => {
  const answer = await opened(type)
  expect(answer.statusCode).toBe(200)
  const beside = await bytesOf(answer)
  const { accountId, queueId } = till
  const inPlace = await site.look(async ({ store }) => {
    const deps = { store, marketOf, now: () => new Date() }
    const { body } = await exportJournal(deps, {
      ...{ accountId, queueId, type, range: { from: 0n, to: type === DEP7 ? UP_TO : 0n } },
    })
    const pieces: Buffer[] = []
    for await (const piece of body) pieces.push(Buffer.from(piece as string))
    return Buffer.concat(pieces)
  })
  expect(beside.length).toBeGreaterThan(100)
  expect(beside.equals(inPlace)).toBe(true)
})

it('an export that is abandoned at any byte ends, in the thread and in the database', async () => {
  for (let round = 0; round < 12; round += 1) {
    await Promise.all([abandoned(RAW, randomInt(3_000_000)), abandoned(DEP7, randomInt(200_000))])
  }
  await expect.poll(metric('running')).toBe(0)
  await expect.poll(working).toBe(0)
  expect((await bytesOf(await opened(RAW))).length).toBeGreaterThan(ROWS * 100)
}, 60_000)

it('too many are refused in the words of every interface, with a time to come again', async () => {
  const held = await full()
  try {
    const rest = await fetch(`${server.url}${pathOf(RAW)}`, {
      ...{ method: 'POST', headers: credentials(till) },
    })
    const told = { status: rest.status, again: rest.headers.get('retry-after') }
    expect([told, await rest.json()]).toMatchObject([
      { status: 429, again: '5' },
      { code: 'EXPORTS_BUSY', message: expect.any(String) },
    ])
    const body = envelope(operation('Journal', `<ftJournalType>${RAW}</ftJournalType>`))
    const soap = await fetch(`${server.url}/`, {
      ...{ method: 'POST', body },
      headers: { ...credentials(till), 'content-type': 'text/xml; charset=utf-8' },
    })
    expect(await soap.text()).toMatch(/Fault[\s\S]*EXPORTS_BUSY/)
    const pos = await fetch(`${server.url}/v2/journal`, {
      ...{ method: 'POST', body: JSON.stringify({ ftJournalType: Number(RAW) }) },
      headers: { ...posHeaders(till, randomUUID()), 'content-type': 'application/json' },
    })
    expect([pos.status, pos.headers.get('retry-after'), await pos.json()]).toMatchObject([
      ...[429, '5'],
      { code: 'too_many_requests' },
    ])
    const grpc = openTill(`127.0.0.1:${grpcPort}`, credentials(till))
    const asked = grpc.journal({ ftJournalType: String(RAW) })
    await expect(asked).rejects.toMatchObject({ code: 8, metadata: expect.anything() })
    grpc.close()
    // the place of another CashBox, what is small, and signing: all of it works
    expect((await bytesOf(await opened(RAW, other))).length).toBeGreaterThan(0)
    const status = await fetch(`${server.url}${pathOf(0n)}`, {
      ...{ method: 'POST', headers: credentials(till) },
    })
    expect(status.status).toBe(200)
    const signed = await fetch(`${server.url}/json/v1/sign`, {
      ...{ method: 'POST', body: requestText(other) },
      headers: { ...credentials(other), 'content-type': 'application/json' },
    })
    expect(signed.status).toBe(200)
  } finally {
    await held.end()
  }
}, 60_000)

it('one that breaks in the middle is cut off, and the log says why', async () => {
  let first = 0
  await site.look(async ({ store }) => {
    const answer = await opened(RAW)
    answer.once('data', (piece: Buffer) => {
      first = piece.length
    })
    let end: string | undefined
    const ended = bytesOf(answer)
      .then(
        ({ length }) => `${length} bytes`,
        () => 'cut off',
      )
      .then((told) => {
        end = told
      })
    // between two pages an export has no statement to lose, and goes on with another connection
    for (let hit: number | null = 0; hit === 0 && end === undefined; ) {
      const { rowCount } = await store.pool.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where application_name = 'fiskalwerk beside' and state = 'active'`,
      )
      hit = first > 0 ? rowCount : 0
    }
    await ended
    expect(end).toBe('cut off')
  })
  expect(first).toBeGreaterThan(0)
  await expect.poll(() => server.output).toMatch(/"level":50.*an export broke off/)
  await expect.poll(metric('running')).toBe(0)
  // what was lost is made again by whoever asks
  expect((await bytesOf(await opened(RAW))).length).toBeGreaterThan(ROWS * 100)
}, 60_000)

it('stops with exports open, without a fault', async () => {
  const answer = await opened(RAW)
  const before = server.output.length
  const reading = Promise.allSettled([bytesOf(answer)])
  const { code, ms } = await server.stop()
  await reading
  expect(code).toBe(0)
  expect(server.output.slice(before)).not.toMatch(/"level":[456]0/)
  // by itself: what does not end in ten seconds is ended with another code
  expect(ms).toBeLessThan(12_000)
}, 30_000)
