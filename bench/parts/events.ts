// Events of the Platform: how long they take to listeners, to how many of them, to webhooks, and
// what receipts cost that are told one by one.
import { randomBytes, randomUUID } from 'node:crypto'
import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Options } from '../options.js'
import type { Figure, PartResult } from '../report/figures.js'
import { asking, type Cluster } from '../stand/cluster.js'
import { headersOf, signOne, signPath } from '../stand/post.js'
import { cpuMs } from '../stand/process-figures.js'
import { saleText, startText } from '../stand/receipt.js'
import { startReceiver } from '../stand/receiver.js'
import { type Server, startServer } from '../stand/server.js'
import { openShop, type Shop } from '../stand/shop.js'
import { type Access, follow, openReaders } from '../stand/stream-readers.js'
import { taking } from '../stand/turns.js'

const QUEUES = 32
/** Accounts that hear of one merchant, and listeners of each. */
const READERS = 31
const LISTENERS = 32
const SECONDS = 6
const BURST_MS = 20
const SOON = { per: 5_000, p50: 25, p99: 250 }
const FAN = { per: 45, atLeast: 40_000, cpu: 25 }
const HOOKED = 12_000
const RECEIPTS_RATIO = 0.92
const NOTES = [
  'Listeners and receiver run on the same cores.',
  `An event is a row for each account that hears of it: two of the merchant at 5,000 events/s and
   of webhooks, ${READERS + 1} where ${READERS * LISTENERS} listen.`.replace(/\s+/g, ' '),
]

interface Stand {
  options: Options
  cluster: Cluster
  server: Server
  /** Told receipt by receipt, not, and one that a single account hears of. */
  shops: { on: Shop; off: Shop; near: Shop }
  readers: Access[]
  reader: Access
}

export async function benchEvents(options: Options, cluster: Cluster): Promise<PartResult> {
  const masterKey = randomBytes(32)
  const shops = {
    on: await openShop(cluster, { masterKey, tills: QUEUES }),
    off: await openShop(cluster, { masterKey, tills: QUEUES }),
    near: await openShop(cluster, { masterKey, tills: 1 }),
  }
  const readers = await openReaders(cluster, { masterKey, count: READERS, of: shops.off.accountId })
  const [reader] = await openReaders(cluster, { masterKey, count: 1, of: shops.near.accountId })
  if (reader === undefined) throw new Error('nobody listens')
  const receiver = await startReceiver()
  const server = await startServer({
    ...{ databaseUrl: cluster.url, masterKey },
    settings: { RATE_LIMITS: 'dealer=0', OUTBOUND_ALLOW: receiver.allow },
  })
  try {
    const stand = { options, cluster, server, shops, readers, reader }
    const rounds: Record<string, unknown>[] = []
    const figures = [
      ...(await receiptFigures(stand, rounds)),
      ...(await soonFigures(stand)),
      ...(await fanFigures(stand)),
      ...(await hookFigures(stand, receiver)),
    ]
    return { figures, rounds, notes: NOTES }
  } finally {
    await server.stop()
    await receiver.close()
  }
}

/** Both shops take turns under the same load. */
async function receiptFigures(stand: Stand, rounds: Record<string, unknown>[]): Promise<Figure[]> {
  const { cluster, server, shops } = stand
  const moment = new Date().toISOString()
  for (const shop of [shops.on, shops.off]) {
    for (const till of shop.tills) {
      await signOne(server.url, till, startText(till.cashBoxId, moment))
    }
  }
  await asking(cluster.config, (client) =>
    client.query(
      `insert into stream_head (account_id, receipts) values ($1, true)
       on conflict (account_id) do update set receipts = true`,
      [shops.on.accountId],
    ),
  )
  const { rows, rate } = await taking(stand, ['off', 'on'] as const, (door) =>
    shops[door].tills.map((till) => ({
      ...{ path: signPath(till), headers: headersOf(till) },
      body: saleText(till.cashBoxId, moment),
    })),
  )
  rounds.push(...rows.map((row) => ({ ...row })))
  return [
    {
      ...{ name: 'Signing with receipt.signed, by without', value: rate('on') / rate('off') },
      ...{ unit: 'ratio', target: { atLeast: RECEIPTS_RATIO } },
    },
    { name: 'Signing with receipt.signed', value: rate('on'), unit: 'receipts/s' },
  ]
}

/** So many events in a second for so long, as commits of `perCommit`. */
async function tell(
  { cluster }: Stand,
  { of, perSecond, perCommit }: { of: Shop; perSecond: number; perCommit: number },
): Promise<number> {
  return asking(cluster.config, async (client) => {
    const began = performance.now()
    let told = 0
    for (let spent = 0; spent < SECONDS * 1_000; spent = performance.now() - began) {
      const due = Math.floor((spent / 1_000) * perSecond) - told
      if (due < perCommit) {
        await sleep(1)
        continue
      }
      await client.query(INSERT, [of.accountId, perCommit])
      told += perCommit
    }
    return told
  })
}

const INSERT = `insert into inbox (account_id, event_id, type, subject_kind, subject_id, data, at)
  select $1::uuid, gen_random_uuid(), 'order.done', 'order', gen_random_uuid(), '{}',
    clock_timestamp() from generate_series(1, $2::int4)`

/** Without what the server has to tell of itself meanwhile. */
const toldIn = (text: string): string[] =>
  text.split('\n').filter((line) => line.startsWith('data: ') && line.includes('"order.done"'))

async function soonFigures(stand: Stand): Promise<Figure[]> {
  const { server, reader, shops } = stand
  const waits: number[] = []
  const listener = await follow(server.url, reader, (text) => {
    const now = Date.now()
    for (const line of toldIn(text)) {
      waits.push(now - Date.parse(/"time":"([^"]+)"/.exec(line)?.[1] ?? ''))
    }
  })
  const perCommit = (SOON.per * BURST_MS) / 1_000
  const told = await tell(stand, { of: shops.near, perSecond: SOON.per, perCommit })
  await settled(() => waits.length, told)
  listener.close()
  if (waits.length !== told) throw new Error(`${told} told, ${waits.length} heard`)
  const sorted = waits.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.floor((sorted.length - 1) * share)] ?? Number.NaN
  const name = `Commit to listener at ${SOON.per.toLocaleString('en')} events/s`
  return [
    { name: `${name}, p50`, value: at(0.5), unit: 'ms', target: { atMost: SOON.p50 } },
    { name: `${name}, p99`, value: at(0.99), unit: 'ms', target: { atMost: SOON.p99 } },
    { name: `${name}: told`, value: told / SECONDS, unit: 'events/s' },
  ]
}

async function fanFigures(stand: Stand): Promise<Figure[]> {
  const { server, readers, shops } = stand
  let heard = 0
  const all: { close(): void }[] = []
  for (const reader of readers) {
    for (let nth = 0; nth < LISTENERS; nth += 1) {
      all.push(
        await follow(server.url, reader, (text) => {
          heard += toldIn(text).length
        }),
      )
    }
  }
  const cpuBefore = cpuMs(server.pid) ?? Number.NaN
  const began = performance.now()
  const told = await tell(stand, { of: shops.off, perSecond: FAN.per, perCommit: 1 })
  await settled(() => heard, told * all.length)
  const ms = performance.now() - began
  const cpu = ((cpuMs(server.pid) ?? Number.NaN) - cpuBefore) / ms
  for (const one of all) one.close()
  const name = `${all.length} listeners`
  return [
    {
      ...{ name: `${name}, delivered`, value: (heard * 1_000) / ms, unit: 'events/s' },
      target: { atLeast: FAN.atLeast },
    },
    {
      ...{ name: `${name}, processor of the server`, value: cpu * 100, unit: '% of a core' },
      target: { atMost: FAN.cpu },
    },
    { name: `${name}, of what was told`, value: heard / (told * all.length), unit: 'ratio' },
  ]
}

/** Waits until it is there, or nothing more comes for two seconds. */
async function settled(count: () => number, wanted: number): Promise<void> {
  for (let [last, since] = [-1, performance.now()]; performance.now() - since < 2_000; ) {
    if (count() >= wanted) return
    if (count() !== last) [last, since] = [count(), performance.now()]
    await sleep(5)
  }
}

async function hookFigures(
  { cluster, server, shops, reader }: Stand,
  receiver: Awaited<ReturnType<typeof startReceiver>>,
): Promise<Figure[]> {
  const figures: Figure[] = []
  for (const [mode, atLeast] of [
    ['parallel', 2_000],
    ['batch', undefined],
    ['ordered', undefined],
  ] as const) {
    const id = await openHook(server.url, reader, { url: receiver.url, mode })
    receiver.reset()
    const count = mode === 'ordered' ? HOOKED / 6 : HOOKED
    await asking(cluster.config, (client) => client.query(INSERT, [shops.near.accountId, count]))
    const from = performance.now()
    await settled(() => receiver.events(), count)
    const perSecond = (receiver.events() * 1_000) / (performance.now() - from)
    if (receiver.events() < count) throw new Error(`${mode}: ${receiver.events()} of ${count} came`)
    figures.push({
      ...{ name: `Webhook, ${mode}`, value: perSecond, unit: 'events/s' },
      ...(atLeast === undefined ? {} : { target: { atLeast } }),
    })
    await call(server.url, reader, { method: 'DELETE', path: `webhooks/${id}` })
  }
  return figures
}

async function openHook(url: string, reader: Access, body: object): Promise<string> {
  const answer = await call(url, reader, { method: 'POST', path: 'webhooks', body })
  return ((await answer.json()) as { webhook: { id: string } }).webhook.id
}

async function call(
  url: string,
  { accountId, accessToken }: Access,
  { method, path, body }: { method: string; path: string; body?: object },
): Promise<Response> {
  const headers = {
    ...{ accountid: accountId, accesstoken: accessToken, 'content-type': 'application/json' },
    'idempotency-key': randomUUID(),
  }
  const more =
    body === undefined ? {} : { body: JSON.stringify({ types: ['order.done'], ...body }) }
  const answer = await fetch(`${url}/platform/v1/${path}`, { method, headers, ...more })
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`)
  return answer
}
