// Lists and search of the Platform over 100,000 tills of 2,000 merchants, over HTTP.
import { randomBytes } from 'node:crypto'
import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { createAccount } from '../../src/core/accounts/accounts.js'
import { createWatch } from '../../src/core/event/problem/watch.js'
import { createSealer } from '../../src/lib/seal.js'
import { everyFacts } from '../../src/market/index.js'
import { PROBLEM_KINDS } from '../../src/model/problem.js'
import { openStore } from '../../src/store/client.js'
import { detectorRuns } from '../../src/store/event/problem/detectors.js'
import { cashBoxToken } from '../../src/store/master-key.js'
import { type Figure, median, type PartResult } from '../report/figures.js'
import { asking, type Cluster } from '../stand/cluster.js'
import { fleetStock } from '../stand/fleet-stock.js'
import { type Server, startServer } from '../stand/server.js'

const MERCHANTS = 2_000
const TILLS = 50
const CALLS = 40
const LIST_MS = 100

const LISTS = [
  ...['operators', 'operators?search=shop%20a1', 'operators?problems=true'],
  ...['queues', 'queues?outage=true', 'queues?search=till%2049', 'queues?silentHours=90'],
  ...['queues?state=stopped', 'cashboxes', 'cashboxes?unpublished=true', 'cashboxes?outage=true'],
  ...['cashboxes?state=active', 'cashboxes?state=stopped', 'cashboxes?state=unused'],
  ...['cashboxes?search=till%2049', 'cashboxes?search=nothing', 'cashboxes?market=DE'],
  ...['cashboxes?outletNumber=7', 'cashboxes?certificateEndsBefore=SOON', 'scus'],
  ...['scus?certificateEndsBefore=SOON', 'scus?outage=true', 'scus?state=unused'],
  ...['problems', 'problems?severity=2', 'problems?kind=no_receipts', 'outages?open=true'],
  ...['queues?market=DE', 'queues?outletNumber=7'],
  ...['scus?unpublished=true', 'scus?search=nothing', 'scus?outletNumber=7', 'scus?market=DE'],
]
/** Names of things of merchants that nobody else reads are among them: a million together. */
const NAMES = 1_000_000
const MORE_NAMES = `insert into search_name (account_id, id, kind, names)
  select a.id, gen_random_uuid(), 'outlet', 'shop ' || md5(random()::text)
  from generate_series(1, greatest(0, ${NAMES} - 
      (select count(*) from search_name)::int) / ${MERCHANTS})
    n, account a where a.kind = 'PosOperator'`
const SEARCHES = [
  'shop',
  'till 49',
  'a1b2',
  'unit of',
  'nothing like it',
  'ID',
  'SERIAL',
  'K-1#4711',
]
const SEARCH_MS = 80
const COUNTS_MS = 50
const DETECTORS_MS = 3_000
const LOOKS = 3
const TRIES = 3
const DAYS = 90 * 24 * 60 * 60 * 1000

interface Stand {
  server: Server
  headers: Record<string, string>
}

export async function benchFleet(cluster: Cluster): Promise<PartResult> {
  const masterKey = randomBytes(32)
  const dealer = await openDealer(cluster, masterKey)
  await stockUp(cluster, dealer.accountId)
  await sealTokens(cluster, masterKey)
  // before there is a server, whose own watch would look at the same time
  const looks = await lookFigures(cluster, masterKey)
  const server = await startServer({
    ...{ databaseUrl: cluster.url, masterKey, profile: undefined },
    settings: { RATE_LIMITS: 'dealer=0' },
  })
  try {
    const { accountId: accountid, accessToken: accesstoken } = dealer
    const stand = { server, headers: { accountid, accesstoken } }
    await silence(cluster)
    const figures: Figure[] = [...looks]
    for (const list of LISTS) figures.push(await listFigure(stand, list))
    figures.push(
      await figureOf(stand, { name: 'problem-counts', path: 'problem-counts', atMost: COUNTS_MS }),
    )
    const [unit] = (await read(stand, 'scus?limit=1')).items
    for (const text of SEARCHES) {
      const q = text.replace('ID', unit?.id ?? '').replace('SERIAL', unit?.serialNumber ?? '')
      const path = `search?q=${encodeURIComponent(q)}`
      figures.push(await figureOf(stand, { name: `search?q=${text}`, path, atMost: SEARCH_MS }))
    }
    return {
      figures,
      rounds: figures.map(({ name, value }) => ({ name, value })),
      notes: [`${CALLS} calls each, one after the other, of the first page and the one behind it.`],
    }
  } finally {
    await server.stop()
  }
}

const QUIET_LOOKS = 10
const LOOK_EVERY_MS = 200

/** A server that has just started looks at everything once: until the database is at rest. */
async function silence(cluster: Cluster): Promise<void> {
  await asking(cluster.config, async (client) => {
    for (let quiet = 0; quiet < QUIET_LOOKS; ) {
      await sleep(LOOK_EVERY_MS)
      const { rowCount } = await client.query(
        `select from pg_stat_activity where state = 'active' and pid <> pg_backend_pid()
          and backend_type = 'client backend'`,
      )
      quiet = rowCount === 0 ? quiet + 1 : 0
    }
  })
}

/** Without a server beside it, and with the index of names made once, behind the names. */
export async function stockUp(cluster: Cluster, dealerId: string): Promise<void> {
  await asking(cluster.config, async (client) => {
    const { rows } = await client.query<{ name: string; made: string }>(
      `select indexname as name, indexdef as made from pg_indexes
       where tablename = 'search_name' and indexdef like '%USING gin%'`,
    )
    for (const { name } of rows) await client.query(`drop index ${name}`)
    const stock = fleetStock({ merchants: MERCHANTS, tills: TILLS, dealerId })
    for (const text of stock) await client.query(text)
    await client.query(MORE_NAMES)
    await client.query(`set maintenance_work_mem = '512MB'`)
    for (const { made } of rows) await client.query(made)
    await client.query('vacuum analyze')
  })
}

/** Of the oldest and the newest till, by which a server knows that its key is the right one. */
export async function sealTokens(cluster: Cluster, masterKey: Buffer): Promise<void> {
  const sealer = createSealer([masterKey])
  await asking(cluster.config, async (client) => {
    const { rows } = await client.query<{ oldest: string; newest: string }>(
      'select min(id::text) as oldest, max(id::text) as newest from cash_box',
    )
    for (const [end, id] of Object.entries(rows[0] ?? {})) {
      const sealed = sealer.seal(randomBytes(32).toString('base64url'), cashBoxToken(id))
      await client.query(
        'update cash_box set access_token_sealed = $2, created_at = created_at + $3 where id = $1',
        [id, sealed, end === 'oldest' ? '-1 second' : '1 second'],
      )
    }
  })
}

/** The first pass finds and tells of everything; the ones behind it are those of every minute. */
async function lookFigures(cluster: Cluster, masterKey: Buffer): Promise<Figure[]> {
  const store = openBenchStore(cluster, masterKey)
  const silent = { warn: () => undefined }
  const nothing = () => Promise.resolve()
  const watch = createWatch({
    ...{ store, now: () => new Date(), log: silent, prepare: nothing, plan: nothing },
    facts: everyFacts,
  })
  const passes: { all: number; kinds: Map<string, number> }[] = []
  try {
    for (let nth = 0; nth <= LOOKS; nth += 1) {
      await patiently(() => watch.look())
      const runs = (await detectorRuns(store)).filter(({ kind }) => !kind.startsWith(REPORTS))
      const all = runs.reduce((sum, { ms }) => sum + ms, 0)
      passes.push({ all, kinds: new Map(runs.map(({ kind, ms }) => [kind, ms])) })
    }
  } finally {
    await store.close()
  }
  const [first, ...usual] = passes
  const of = (kind: string) => median(usual.map(({ kinds }) => kinds.get(kind) ?? 0))
  const slowest = [...PROBLEM_KINDS, 'registers', 'clocks']
    .toSorted((a, b) => of(b) - of(a))
    .slice(0, 3)
  return [
    {
      ...{ name: 'All detectors, 100,000 Queues', value: median(usual.map(({ all }) => all)) },
      ...{ unit: 'ms', target: { atMost: DETECTORS_MS } },
    },
    { name: 'All detectors, first time', value: first?.all ?? Number.NaN, unit: 'ms' },
    ...slowest.map((kind) => ({ name: `Detector ${kind}`, value: of(kind), unit: 'ms' })),
  ]
}

/** As a server goes on: what took too long on a busy machine is looked at once more. */
async function patiently(look: () => Promise<void>): Promise<void> {
  for (let left = TRIES; ; left -= 1) {
    try {
      return await look()
    } catch (error) {
      if (left === 0) throw error
      console.warn(`once more: ${error instanceof Error ? error.message : error}`)
    }
  }
}

/** All else belongs to the detectors: what they read of registers, and whose clock is off. */
const REPORTS = 'submissions'

export const openBenchStore = (cluster: Cluster, masterKey: Buffer) =>
  openStore({
    ...{ connection: cluster.config, size: 1, sealer: createSealer([masterKey]) },
    onBroken: (error) => console.warn(error.message),
  })

export async function openDealer(cluster: Cluster, masterKey: Buffer) {
  const store = openBenchStore(cluster, masterKey)
  try {
    return await createAccount(
      { store, now: () => new Date() },
      {
        ...{ kind: 'PosDealer', name: 'Bench dealer', market: 'AT', country: 'AT' },
        ...{ email: 'dealer@bench.example', roles: ['PosDealer'], autoInvite: false },
      },
    )
  } finally {
    await store.close()
  }
}

function listFigure(stand: Stand, list: string): Promise<Figure> {
  const path = list.replace('SOON', new Date(Date.now() + DAYS).toISOString())
  return figureOf(stand, { name: list, path, atMost: LIST_MS })
}

async function figureOf(
  stand: Stand,
  { name, path, atMost }: { name: string; path: string; atMost: number },
): Promise<Figure> {
  const times: number[] = []
  await read(stand, path)
  for (let next = ''; times.length < CALLS; ) {
    const from = performance.now()
    const page = await read(stand, `${path}${next}`)
    times.push(performance.now() - from)
    const more = path.includes('?') ? '&' : '?'
    next = next === '' && typeof page.next === 'string' ? `${more}after=${page.next}` : ''
  }
  const p95 = times.toSorted((a, b) => a - b)[Math.floor(CALLS * 0.95)] ?? Number.NaN
  return { name: `GET /${name}, p95`, value: p95, unit: 'ms', target: { atMost } }
}

async function read({ server, headers }: Stand, path: string) {
  const response = await fetch(`${server.url}/platform/v1/${path}`, { headers })
  const text = await response.text()
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${text.slice(0, 400)}`)
  return JSON.parse(text) as {
    items: { id: string; serialNumber: string | null }[]
    next?: string | null
  }
}
