// A dealer with many merchants: files of invitations, the list of merchants, templates, all over
// HTTP.
import { randomBytes } from 'node:crypto'
import { performance } from 'node:perf_hooks'
import { createAccount } from '../../src/core/accounts/accounts.js'
import { createSealer } from '../../src/lib/seal.js'
import { openStore } from '../../src/store/client.js'
import type { Options } from '../options.js'
import { type Figure, median, type PartResult } from '../report/figures.js'
import { asking, type Cluster } from '../stand/cluster.js'
import { memoryOf, peakWatch } from '../stand/process-figures.js'
import { type Server, startServer } from '../stand/server.js'

/** How many times larger the second file is. */
const LARGER = 5
const TEMPLATES = 30
const LISTS = 15
const MIB = 1024 * 1024

export interface Dealer {
  accountId: string
  accessToken: string
}

interface Stand {
  options: Options
  cluster: Cluster
  server: Server
  dealer: Dealer
}

export async function benchDealer(options: Options, cluster: Cluster): Promise<PartResult> {
  const masterKey = randomBytes(32)
  const dealer = await openDealer(cluster, masterKey)
  const { profile } = options
  const start = () =>
    startServer({
      ...{ databaseUrl: cluster.url, masterKey, profile },
      settings: { RATE_LIMITS: 'dealer=0' },
    })
  const server = await start()
  try {
    const stand = { options, cluster, server, dealer }
    await warmUp(stand)
    const imports = [
      await importOf(stand, { name: 'a', rows: options.merchants }),
      await importOf(stand, { name: 'b', rows: options.merchants * LARGER }),
    ]
    await connectMerchants(stand)
    const lists = await listTimes(stand)
    const templates = await templateTimes(stand)
    return {
      figures: [...imports.flatMap(importFigures), ...lists.figures, ...templates.figures],
      rounds: [...imports.map((one) => ({ ...one })), ...lists.rounds, ...templates.rounds],
      notes: [
        'Growth of memory: highest resident memory of the server during the import, less what it ' +
          'had before.',
        `Templates: ${TEMPLATES} of one till each, Austria and Germany in turn.`,
      ],
    }
  } finally {
    await server.stop()
  }
}

export async function openDealer(cluster: Cluster, masterKey: Buffer): Promise<Dealer> {
  const store = openStore({
    ...{ connection: cluster.config, size: 1, sealer: createSealer([masterKey]) },
    onBroken: (error) => console.warn(error.message),
  })
  try {
    return await createAccount(
      { store, now: () => new Date() },
      {
        ...{ kind: 'PosDealer', name: 'Bench dealer', market: 'AT', country: 'AT' },
        ...{ email: 'dealer@bench.example', roles: ['PosDealer'], autoInvite: true },
      },
    )
  } finally {
    await store.close()
  }
}

async function call(
  { server, dealer }: Pick<Stand, 'server' | 'dealer'>,
  path: string,
  init: { method?: string; headers?: Record<string, string>; body?: string | FormData } = {},
): Promise<string> {
  const { accountId: accountid, accessToken: accesstoken } = dealer
  const headers = { accountid, accesstoken, ...init.headers }
  const response = await fetch(`${server.url}/api/${path}`, { ...init, headers })
  const text = await response.text()
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${text.slice(0, 400)}`)
  return text
}

// -------------------------------------------------------------------- import

const HEADER =
  'CompanyName;CompanyEmail;CompanyAddressLine1;CompanyAddressLine2;CompanyPostalCode;' +
  'CompanyCity;CompanyCountry;CompanyWebsite;CompanyPhone;VatId;TaxId;FibuNr;Gln;Siren;' +
  'ContactFirstName;ContactLastName;ContactEmail;ContactTitle;ContactSuffix;ContactPhone;' +
  'AccessRights'

export function fileOf(name: string, rows: number): string {
  const lines = Array.from(
    { length: rows },
    (_, at) =>
      `Café ${name} ${at};office@${name}${at}.example;Hauptstraße ${at};;1010;Wien;AT;` +
      `https://${name}${at}.example;+43 1 ${at};ATU68541544;;;;;Ida;Lenz;` +
      `ida@${name}${at}.example;Mag.;;+43 660 1;Full`,
  )
  return `${HEADER}\r\n${lines.join('\r\n')}\r\n`
}

interface Imported {
  rows: number
  seconds: number
  growthMib: number
  /** Different numbers of rows that the progress told meanwhile. */
  steps: number
}

const IMPORT = 'pos-operators-invitation/import/csv'

async function importOf(
  stand: Stand,
  { name, rows }: { name: string; rows: number },
): Promise<Imported> {
  const form = new FormData()
  form.append('file', new Blob([fileOf(name, rows)], { type: 'text/csv' }), 'merchants.csv')
  const before = memoryOf(stand.server.pid)?.now ?? Number.NaN
  const watch = peakWatch(stand.server.pid)
  const from = performance.now()
  const running = call(stand, IMPORT, { method: 'POST', body: form })
  const progress = watchProgress(stand, running)
  const { created } = JSON.parse(await running) as { created: number }
  const seconds = (performance.now() - from) / 1000
  if (created !== rows) throw new Error(`${created} of ${rows} invitations are there`)
  const growthMib = (watch.end() - before) / MIB
  return { rows, seconds, growthMib, steps: await progress }
}

const ASK_EVERY_MS = 50

async function watchProgress(stand: Stand, running: Promise<string>): Promise<number> {
  const seen = new Set<number>()
  let ended = false
  const end = () => {
    ended = true
  }
  running.then(end, end)
  while (!ended) {
    seen.add((JSON.parse(await call(stand, IMPORT)) as { rows: number }).rows)
    await new Promise((resolve) => setTimeout(resolve, ASK_EVERY_MS))
  }
  return seen.size
}

function importFigures({ rows, seconds, growthMib, steps }: Imported, at: number): Figure[] {
  const what = `Import of ${rows.toLocaleString('en-GB')} invitations`
  const first = at === 0
  return [
    { name: what, value: seconds, unit: 's', ...(first ? { target: { atMost: 10 } } : {}) },
    {
      ...{ name: `${what}: growth of memory`, value: growthMib, unit: 'MiB' },
      ...{ target: { atMost: 150 }, mayBeNothing: true },
    },
    { name: `${what}: steps of progress seen`, value: steps, unit: '', target: { atLeast: 2 } },
  ]
}

// ---------------------------------------------------------------------- list

/** As an invitation leaves them, by the thousand. */
const MERCHANTS = `with made as (
    insert into account (id, kind, name, market, country, email, roles, line1, postal_code, city,
        created_at)
      select gen_random_uuid(), 'PosOperator', 'Shop ' || n, 'AT', 'AT', n || '@shop.example',
        '{PosOperator}', 'Hauptstraße ' || n, '1010', 'Wien', now()
      from generate_series(1, $2::int) n returning id)
  insert into connection (account_id, id, to_account_id, rights, state, created_at)
    select $1::uuid, gen_random_uuid(), id, 'Full', 'active', now() from made`

async function connectMerchants({ cluster, dealer, options }: Stand): Promise<void> {
  await asking(cluster.config, async (client) => {
    await client.query(MERCHANTS, [dealer.accountId, options.merchants])
    await client.query('analyze')
  })
}

async function listTimes(stand: Stand) {
  const { merchants } = stand.options
  const timed = async (query: string) => {
    const from = performance.now()
    const list = JSON.parse(await call(stand, `posoperators${query}`)) as unknown[]
    const took = performance.now() - from
    if (list.length !== merchants) throw new Error(`${list.length} merchants are listed`)
    return took
  }
  await timed('')
  const rounds: { kept: number; fresh: number }[] = []
  while (rounds.length < LISTS) {
    rounds.push({ fresh: await timed('?useCache=false'), kept: await timed('') })
  }
  const what = `List of ${merchants.toLocaleString('en-GB')} merchants`
  const of = (side: 'kept' | 'fresh') => median(rounds.map((row) => row[side]))
  const figures: Figure[] = [
    { name: `${what}, kept`, value: of('kept'), unit: 'ms', target: { atMost: 200 } },
    { name: `${what}, read anew`, value: of('fresh'), unit: 'ms', target: { atMost: 600 } },
  ]
  return { figures, rounds }
}

// ----------------------------------------------------------------- templates

const templateOf = (unit: string) =>
  JSON.stringify({
    ftCashBoxId: '|[cashbox_id]|',
    ftSignaturCreationDevices: [{ Id: '|[scu0_id]|', Package: unit }],
    ftQueues: [{ Id: '|[queue0_id]|', Package: 'fiskalwerk.Queue' }],
  })

async function templateTimes(stand: Stand) {
  const units = ['fiskalwerk.SCU.AT.Software', 'fiskalwerk.SCU.DE.Emulator'] as const
  const path = `posoperators/${stand.dealer.accountId}/templates?outlet_number=1`
  const headers = { 'content-type': 'application/json' }
  const rounds: { template: string; ms: number }[] = []
  for (let at = 0; at < TEMPLATES; at += 1) {
    const unit = units[at % units.length] ?? units[0]
    const from = performance.now()
    await call(stand, `${path}&queue0_countrycode=${unit.slice(15, 17)}`, {
      ...{ method: 'POST', headers, body: templateOf(unit) },
    })
    rounds.push({ template: unit, ms: performance.now() - from })
  }
  const times = rounds.map(({ ms }) => ms).toSorted((a, b) => a - b)
  const worst = times.at(-2) ?? Number.NaN
  const figures: Figure[] = [
    { name: 'Template executed', value: median(times), unit: 'ms', target: { atMost: 100 } },
    { name: 'Template executed, second slowest', value: worst, unit: 'ms' },
  ]
  return { figures, rounds }
}

/** Everything once, so that what is measured is work and not compiling. */
async function warmUp(stand: Stand): Promise<void> {
  await importOf(stand, { name: 'warm', rows: 200 })
  await call(stand, 'posoperators')
  await call(stand, `posoperators/${stand.dealer.accountId}/cashboxes`)
}
