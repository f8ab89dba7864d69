// The table of figures in docs/operations/README.md against a running server: the same names and
// labels, and each figure moves when that happens which it is about.
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Server, startServer } from '../../support/app.js'
import { pausedDatabase } from '../../support/paused-database.js'
import { openPostOffice, type PostOffice } from '../../support/post-office.js'
import { saleText } from '../../support/receipts.js'

/** Rows of the table: name and labels. */
const TABLE = [
  ...readFileSync('docs/operations/README.md', 'utf8').matchAll(
    /^\| (`fiskalwerk_\w+`(?:, `…\w+`)*) \| (.*?) \|/gm,
  ),
].flatMap(([, names = '', labels = '']) => {
  const [first = '', ...more] = [...names.matchAll(/`…?(\w+)`/g)].map(([, name = '']) => name)
  const own = [...labels.matchAll(/`(\w+)`/g)].map(([, label = '']) => label).toSorted()
  return [first, ...more.map((end) => `${first}${end}`)].map((name) => ({ name, labels: own }))
})

let office: PostOffice
let other: Server
beforeAll(async () => {
  office = await openPostOffice({
    RATE_LIMITS: 'credentials=2',
    credentialsMs: 1000,
  })
  other = await startServer(office.shop)
}, 60_000)
afterAll(async () => {
  await other.close()
  await office.close()
})

interface Sample {
  name: string
  labels: string[]
  value: number
}

/** What a scrape gets, over the network. */
async function scrape(): Promise<Sample[]> {
  const text = await (await fetch(`${office.shop.url}/metrics`)).text()
  return text.split('\n').flatMap((line) => {
    const [, name, inside = '', value] = /^(fiskalwerk_\w+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? []
    if (name === undefined) return []
    const labels = [...inside.matchAll(/(\w+)="/g)].map(([, label = '']) => label)
    return [{ name: name.replace(/_bucket$/, ''), labels, value: Number(value) }]
  })
}

const credentials = () => {
  const { cashBoxId, accessToken } = office.shop.box
  return { cashboxid: cashBoxId, accesstoken: accessToken }
}

const sign = (headers: Record<string, string> = {}, { app } = office.shop as Pick<Server, 'app'>) =>
  app.inject({
    ...{ method: 'POST', url: '/json/v1/sign', payload: saleText() },
    headers: { ...credentials(), 'content-type': 'application/json', ...headers },
  })

/** One after the other: everything that a figure of the table is about. */
async function makeEverythingHappen(): Promise<void> {
  const { shop } = office
  const { pool } = shop.deps.store
  const account = shop.demo.operator.accountId
  const [scu = ''] = shop.box.scuIds
  // two processes at one queue, wrong credentials, a message that goes out
  await sign()
  await sign({}, other)
  await sign()
  for (let tries = 0; tries < 4; tries += 1) await sign({ accesstoken: 'wrong' })
  shop.deps.jobs.start()
  const message = await office.sendOne()
  // a unit outside of the server that is not there
  const remote = `package = 'fiskalwerk.SCU.AT.Remote', url = 'http://127.0.0.1:9'`
  await pool.query(`update scu set ${remote}, version = version + 1 where id = $1`, [scu])
  await pool.query('update queue set version = version + 1')
  await sign()
  await pool.query(
    `insert into outage (account_id, id, queue_id, cause, began_at)
     values ($1, gen_random_uuid(), $2, 'device', now())`,
    [account, shop.box.queueId],
  )
  await pool.query(
    `insert into problem
       (account_id, id, kind, severity, subject_kind, subject_id, since, details, found_at)
     values ($1, gen_random_uuid(), 'no_receipts', 3, 'queue', $2, now(), '{}', now())`,
    [account, shop.box.queueId],
  )
  await pool.query(
    `insert into webhook (account_id, id, url, types, mode, secret_sealed, state, cursor, taken,
       created_at)
     values ($1, gen_random_uuid(), 'https://w.example', '{}', 'ordered', '', 'disabled', 0, '{}',
       now())`,
    [account],
  )
  // a job that nobody takes: no worker of this shop runs any more
  await office.until(message, 'sent')
  await shop.deps.jobs.stop()
  await pool.query(`select graphile_worker.add_job('message', '{}'::json)`)
}

/** These are 0 where all is well, or while nobody exports. */
const QUIET = [
  'fiskalwerk_certificates_ending',
  'fiskalwerk_events_waiting_seconds',
  'fiskalwerk_exports',
]

it('names and labels of the table are those of a scrape, and each has moved', async () => {
  expect(TABLE.length).toBeGreaterThan(20)
  const seen = new Map<string, Sample[]>()
  const look = async () => {
    for (const sample of await scrape()) {
      seen.set(sample.name, [...(seen.get(sample.name) ?? []), sample])
    }
  }
  const moved = (name: string) => (seen.get(name) ?? []).some(({ value }) => value > 0)
  await look()
  await makeEverythingHappen()
  // a database that stands still: receipts wait, connections are used
  await sign()
  const pause = await pausedDatabase(office.shop.database.config)
  const waiting = [sign(), sign(), sign()]
  for (let times = 0; times < 3 && !moved('fiskalwerk_sign_waiting'); times += 1) await look()
  pause.resume()
  await Promise.all(waiting)
  const still = () =>
    TABLE.filter(({ name }) => !QUIET.includes(name)).filter(
      ({ name }) => !moved(name) && !moved(`${name}_count`),
    )
  // answers of the database are kept for some seconds
  await expect
    .poll(
      async () => {
        await look()
        return still().map(({ name }) => name)
      },
      { timeout: 15_000, interval: 500 },
    )
    .toEqual([])
  for (const { name, labels } of TABLE) {
    const found = (seen.get(name) ?? []).map((sample) =>
      sample.labels.filter((label) => label !== 'le').toSorted(),
    )
    expect([name, ...found]).toEqual([name, ...found.map(() => labels)])
    expect(found.length, name).toBeGreaterThan(0)
  }
  const told = new Set(TABLE.map(({ name }) => name))
  const others = [...seen.keys()].filter((name) => !told.has(name.replace(/_(count|sum)$/, '')))
  expect(others).toEqual([])
  // and the database was away once
  expect(seen.get('fiskalwerk_database_up')?.map(({ value }) => value)).toContain(0)
}, 60_000)
