// An inspection bundle of a merchant with 500 registers, one of them with a fault in what is kept:
// each is in it, the fault is told and stops nothing, and nobody else's things are in it.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type BundleMaker, filesOf, openBundleMaker, summed } from '../support/bundle-maker.js'
import { createTestDatabase, type TestDatabase } from '../support/db.js'
import { unlock } from '../support/forger.js'
import { createTill, job, openStand, type Stand, type Till, testKey } from '../support/stand.js'

const QUEUES = 500
const AT_ONCE = 25
const PERIOD = ['2020-01-01T00:00:00Z', '2099-01-01T00:00:00Z'] as const

let database: TestDatabase
let stand: Stand
let maker: BundleMaker
let tills: Till[]
let stranger: Till
beforeAll(async () => {
  database = await createTestDatabase()
  const masterKey = testKey()
  stand = openStand(database.config, { masterKey })
  stranger = await createTill(stand)
  await stand.signing.sign(job(stranger, { reference: 'somebody-elses' }))
  const first = await createTill(stand)
  tills = [first]
  while (tills.length < QUEUES) {
    const more = Math.min(AT_ONCE, QUEUES - tills.length)
    const made = Array.from({ length: more }, () => createTill(stand, { shares: first }))
    tills.push(...(await Promise.all(made)))
  }
  // a different number of receipts for each, so that none stands for another
  for (const [at, till] of tills.entries()) {
    const sales = Array.from({ length: salesOf(at) }, (_, nth) => `own-${at}-${nth}`)
    await Promise.all(sales.map((reference) => stand.signing.sign(job(till, { reference }))))
  }
  await breakOne()
  maker = await openBundleMaker({ database, stand, masterKey })
}, 300_000)
afterAll(async () => {
  await maker.close()
  await stand.close()
  await database.drop()
})

const salesOf = (at: number): number => 1 + (at % 4)
/** Register with the fault. */
const BROKEN = 77

/** A receipt of it says another amount than it was signed with. */
async function breakOne(): Promise<void> {
  const superuser = new pg.Client(database.superuser)
  await superuser.connect()
  try {
    await unlock(superuser)
    const { rowCount } = await superuser.query(
      `update recorded_receipt set content = overlay(content placing 'AAAA' from 60)
       where ctid = (select ctid from recorded_receipt where queue_id = $1 limit 1)`,
      [tills[BROKEN]?.queueId],
    )
    expect(rowCount).toBe(1)
  } finally {
    await superuser.end()
  }
}

interface Verdict {
  queueId?: string
  file: string
  result: { ok: boolean; summary?: { receipts: number } } | null
}

it('has every register and its verdict, the same twice, and nobody else', async () => {
  const { accountId } = tills[0] as Till
  const one = await maker.bundle(accountId, ...PERIOD)
  // B2: what is in the sums is in the archive, and nothing else is
  expect(filesOf(one.root)).toEqual(one.names)
  expect([...summed(one.root), 'SHA256SUMS'].sort()).toEqual(one.names)
  const folders = new Set(one.names.flatMap((name) => /^queues\/([^/]+)\//.exec(name)?.[1] ?? []))
  expect(folders.size).toBe(QUEUES)
  const receipts = (folder: string) => {
    const text = readFileSync(join(one.root, 'queues', folder, 'receipt-journal.csv'), 'utf8')
    return text.trim().split('\n').length - 1
  }
  const counts = [...folders].map(receipts).sort((a, b) => a - b)
  // each has its start receipt as well
  const due = tills.map((_, at) => salesOf(at) + 1).sort((a, b) => a - b)
  expect(counts).toEqual(due)
  const journals = [...folders].map((folder) =>
    readFileSync(join(one.root, 'queues', folder, 'journal.csv'), 'utf8'),
  )
  for (const [at] of tills.entries()) {
    const found = journals.filter((text) => text.includes(`own-${at}-0`))
    expect([at, found.length]).toEqual([at, 1])
    expect([at, found[0]?.includes(`own-${at}-${salesOf(at) - 1}`)]).toEqual([at, true])
  }
  // B3
  const report = readFileSync(join(one.root, 'verification/report.json'), 'utf8')
  const verdicts = JSON.parse(report) as Verdict[]
  expect(verdicts).toHaveLength(QUEUES)
  expect(verdicts.filter(({ result }) => result?.ok !== true)).toHaveLength(1)
  expect(one.findings).toBeGreaterThan(0)
  // B4
  const foreign = [stranger.accountId, stranger.cashBoxId, stranger.queueId, ...stranger.scuIds]
  for (const name of one.names) {
    const bytes = readFileSync(join(one.root, name))
    for (const value of [...foreign, 'somebody-elses']) {
      expect([name, bytes.includes(value)]).toEqual([name, false])
    }
  }
  // B1
  const two = await maker.bundle(accountId, ...PERIOD)
  expect(two.sha256).toBe(one.sha256)
}, 600_000)
