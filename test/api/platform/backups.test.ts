// Months of Queues on their way out of the database, from the first receipt to the file that an
// auditor verifies; with a clock of the test's own.
import { execFileSync } from 'node:child_process'
import { createHash, randomInt, randomUUID } from 'node:crypto'
import {
  chmodSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { connectAccounts } from '../../../src/core/accounts/accounts.js'
import { checkBackups } from '../../../src/core/event/backup/check.js'
import { planBackups } from '../../../src/core/event/backup/planner.js'
import { type BackupDeps, backupKind } from '../../../src/core/event/backup/work.js'
import { createWork } from '../../../src/core/event/job/work.js'
import { folderArchive } from '../../../src/device/archive/folder.js'
import { everyFacts } from '../../../src/market/index.js'
import { command } from '../../support/command.js'
import { accountHeaders } from '../../support/platform.js'
import { openShop, type Shop } from '../../support/shop.js'
import { createTill, job, openStand, type Stand, type Till } from '../../support/stand.js'

const COUNTRIES = ['AT']
const root = mkdtempSync(join(tmpdir(), 'fiskalwerk-backups-'))
const kept = join(root, 'kept')

let shop: Shop
let stand: Stand
let months: Till
let quarters: Till
let clock = new Date('2031-01-31T22:30:00Z')

beforeAll(async () => {
  const settings = { DATA_DIR: root, BACKUP_STORE: kept }
  shop = await openShop(settings, undefined, { countries: COUNTRIES })
  const masterKey = Buffer.from(inject('masterKey'), 'base64')
  stand = openStand(shop.database.config, { masterKey, deps: { now: () => clock } })
  months = await createTill(stand)
  quarters = await createTill(stand, {
    queue: { configuration: { EnableMonthlyExport: false } },
  })
  for (const { accountId: toAccountId } of [months, quarters]) {
    const { accountId } = shop.demo.dealer
    await connectAccounts(
      { store: shop.deps.store, now: () => clock },
      {
        ...{ accountId, toAccountId, rights: 'ReadWrite' },
      },
    )
  }
})
afterAll(async () => {
  await stand.close()
  await shop.deps.inspections.close()
  await shop.close()
  rmSync(root, { recursive: true, force: true })
})

async function sell(till: Till, at: string, count = 2): Promise<void> {
  clock = new Date(at)
  for (let one = 0; one < count; one += 1) {
    const result = await stand.signing.sign(job(till, { reference: randomUUID() }))
    if (result.kind !== 'answered') throw new Error(result.kind)
  }
}

type Archive = BackupDeps['archive']

/** As a server does: plans, then works on what was planned. Returns how the jobs ended. */
async function run(at: string, archive: Archive = folderArchive(kept)) {
  clock = new Date(at)
  const { store } = stand
  const now = () => clock
  await store.pool.query('delete from job')
  await planBackups({ store, facts: everyFacts, now }, { restMs: 0, at: clock })
  const { rows } = await store.pool.query<{ accountId: string; id: string; args: string }>(
    `select account_id as "accountId", id, args from job where kind = 'backup'`,
  )
  const { making } = shop.deps.inspections
  const kind = backupKind({ ...making, root: join(root, 'work'), archive, facts: everyFacts, now })
  const log = { warn: () => undefined, error: () => undefined }
  const workOn = createWork({ store, runner: randomInt(2 ** 31), kinds: [kind], now, log })
  const { signal } = new AbortController()
  const ends = await Promise.allSettled(rows.map((one) => workOn(one, { signal })))
  const own = new Set([months.queueId, quarters.queueId])
  const queues = rows.map(({ args }) => JSON.parse(args).queueId as string)
  return { planned: queues.filter((id) => own.has(id)), ends }
}

interface Told {
  id: string
  queueId: string
  period: string
  from: string
  to: string
  receipts: number
  firstNumber: number | null
  lastNumber: number | null
  object: string | null
  bytes: number
  sha256: string | null
  verified: number
  findings: number
}

const ask = (path: string, as = shop.demo.dealer) =>
  fetch(`${shop.url}/platform/v1/backups${path}`, { headers: accountHeaders(as) })

async function listed(till: Till): Promise<Told[]> {
  const answer = await ask(`?queueId=${till.queueId}`)
  const { items } = (await answer.json()) as { items: Told[] }
  return items.toSorted((a, b) => (a.from < b.from ? -1 : 1))
}

const files = () =>
  (readdirSync(kept, { recursive: true }) as string[]).filter((name) => name.endsWith('.zip'))

async function unpacked({ id, sha256 }: Told): Promise<string> {
  const bytes = Buffer.from(await (await ask(`/${id}/content`)).arrayBuffer())
  expect(createHash('sha256').update(bytes).digest('hex')).toBe(sha256)
  const folder = mkdtempSync(join(root, 'out-'))
  writeFileSync(join(folder, 'b.zip'), bytes)
  execFileSync('unzip', ['-q', join(folder, 'b.zip'), '-d', join(folder, 'b')])
  execFileSync('sha256sum', ['--quiet', '--strict', '-c', 'SHA256SUMS'], { cwd: join(folder, 'b') })
  return join(folder, 'b')
}

const dep7In = (folder: string) => {
  const [register = ''] = readdirSync(join(folder, 'queues'))
  return join(folder, 'queues', register, 'dep7.json')
}

describe('a month that is over', () => {
  it('is not due before its end by the clock of the country, and an hour', async () => {
    // 22:30 UTC in January is 23:30 in Vienna
    await sell(months, '2031-01-31T22:59:00Z')
    await sell(months, '2031-01-31T23:00:00Z', 3)
    expect((await run('2031-01-31T23:59:59Z')).planned).toEqual([])
    const { planned, ends } = await run('2031-02-01T00:00:00Z')
    expect([planned, new Set(ends.map(({ status }) => status))]).toEqual([
      [months.queueId],
      new Set(['fulfilled']),
    ])
    expect(await listed(months)).toMatchObject([
      {
        ...{ period: '2031-01', from: '2030-12-31T23:00:00Z', to: '2031-01-31T23:00:00Z' },
        ...{ receipts: 3, firstNumber: 1, lastNumber: 3, verified: 1, findings: 0 },
      },
    ])
    expect((await run('2031-02-01T00:00:00Z')).planned).toEqual([])
  })

  it('follows the one before: verify --after takes both; empty months are told', async () => {
    await sell(months, '2031-04-15T10:00:00Z')
    await run('2031-05-03T10:00:00Z')
    const all = await listed(months)
    expect(all.map(({ period, receipts, object }) => [period, receipts, object !== null])).toEqual([
      ['2031-01', 3, true],
      ['2031-02', 3, true],
      ['2031-03', 0, false],
      ['2031-04', 2, true],
    ])
    for (const [at, { to }] of all.entries()) expect(all[at + 1]?.from ?? to).toBe(to)
    const [first, second, empty, last] = all as [Told, Told, Told, Told]
    expect([first.lastNumber, second.firstNumber, second.lastNumber]).toEqual([3, 4, 6])
    const [a, b, c] = [await unpacked(first), await unpacked(second), await unpacked(last)]
    for (const [after, file] of [
      [a, b],
      [b, c],
    ] as const) {
      const said = await command(['verify', dep7In(file), '--after', dep7In(after)])
      expect([said.code, said.stdout]).toEqual([0, expect.stringContaining('')])
    }
    expect((await command(['verify', dep7In(c), '--after', dep7In(a)])).code).toBe(1)
    expect(readFileSync(join(a, 'LIESMICH.html'), 'utf8')).toContain('<html lang="de">')
    const gone = await ask(`/${empty.id}/content`)
    expect([gone.status, (await gone.json()) as object]).toMatchObject([
      404,
      { code: 'BackupFileGone' },
    ])
  })

  it('has no key of the turnover counter, and nobody can change it', async () => {
    const names = files().filter((name) => name.includes(months.queueId))
    expect(names).toHaveLength(3)
    for (const name of names) {
      expect(statSync(join(kept, name)).mode & 0o222).toBe(0)
      const list = execFileSync('unzip', ['-l', join(kept, name)]).toString()
      expect(list).toContain('dep7.json')
      expect(list).not.toContain('cryptographic-material')
    }
    const refused = stand.store.pool.query('update backup set findings = 0')
    await expect(refused).rejects.toThrow()
  })

  it('is told as an event', async () => {
    const { rows } = await stand.store.pool.query<{ data: string }>(
      `select data from inbox where type = 'archive.sealed'
       union all select data from event where type = 'archive.sealed'`,
    )
    const told = rows
      .map(({ data }) => JSON.parse(data))
      .filter((one) => one.queueId === months.queueId)
    expect(told.map(({ period }) => period).sort()).toEqual([
      '2031-01',
      '2031-02',
      '2031-03',
      '2031-04',
    ])
  })

  it('is a quarter where the register wants no months', async () => {
    await sell(quarters, '2031-05-04T10:00:00Z')
    expect((await run('2031-06-30T22:59:59Z')).planned).not.toContain(quarters.queueId)
    expect((await run('2031-06-30T23:00:00Z')).planned).toContain(quarters.queueId)
    const all = await listed(quarters)
    expect(all.map(({ period, receipts }) => [period, receipts])).toEqual([
      ['2031-Q1', 1],
      ['2031-Q2', 2],
    ])
  })
})

describe('an archive', () => {
  const broken = (more: Partial<Archive>): Archive => ({ ...folderArchive(kept), ...more })

  it('that does not answer, or gives back something else, leaves no proof', async () => {
    await sell(months, '2031-06-15T10:00:00Z')
    const before = (await listed(months)).length
    const other = async function* () {
      yield Buffer.from('something else')
    }
    for (const more of [
      { put: () => Promise.reject(new Error('away')) },
      { read: async () => other() },
      { read: async () => undefined },
    ]) {
      const { ends } = await run('2031-07-02T10:00:00Z', broken(more))
      expect(ends.map(({ status }) => status)).toContain('rejected')
    }
    const left = await listed(months)
    // May, which is empty, needs no archive
    expect(left.slice(before).map(({ object }) => object)).toEqual([null])
    await run('2031-07-02T10:00:00Z')
    expect((await listed(months)).at(-1)).toMatchObject({ period: '2031-06', receipts: 2 })
  })

  it('is read from the first byte to the last: what was changed or is gone is found', async () => {
    const archive = folderArchive(kept)
    const check = (accountId: string | null) =>
      checkBackups({ store: stand.store, archive }, accountId)
    const all = files()
    expect(await check(null)).toEqual({ read: all.length, faults: [] })
    const [name = '', second = ''] = all.filter((one) => one.includes(months.queueId))
    const path = join(kept, name)
    const bytes = readFileSync(path)
    chmodSync(path, 0o600)
    writeFileSync(path, Buffer.concat([bytes.subarray(0, -1), Buffer.from([0xff])]))
    rmSync(join(kept, second))
    const faults = [
      { object: name.replaceAll('\\', '/'), fault: 'differs' },
      { object: second.replaceAll('\\', '/'), fault: 'missing' },
    ]
    const said = await check(months.accountId)
    expect((await check(quarters.accountId)).faults).toEqual([])
    const byName = (a: { object: string }, b: { object: string }) => (a.object < b.object ? -1 : 1)
    const shown = said.faults.map(({ object, fault }) => ({ object, fault }))
    expect(shown.sort(byName)).toEqual(faults.sort(byName))
  })
})
