// Inspection bundles from the call to the unpacked file: three countries, one merchant.
import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type AccountAccess,
  connectAccounts,
  createAccount,
} from '../../../src/core/accounts/accounts.js'
import { sha256 } from '../../../src/lib/hash.js'
import { writeJson } from '../../../src/lib/json-write.js'
import { marketOf } from '../../../src/market/index.js'
import { command } from '../../support/command.js'
import { newAccount } from '../../support/dealer.js'
import {
  type Asking,
  askInspection,
  callInspections,
  endOf,
  type ToldInspection,
  unpacked,
} from '../../support/inspections.js'
import { accountHeaders, type EventList } from '../../support/platform.js'
import { openShop, type Shop } from '../../support/shop.js'

const FROM = '2020-01-01T00:00:00Z'
const TO = '2099-01-01T00:00:00Z'
const MEGABYTE = 1024 * 1024
const REFUSED = 0xeeee_eeeen
const COUNTRIES = ['AT', 'DE', 'FR']

let folder: string
let shop: Shop
let asking: Asking
let operatorId: string
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'fiskalwerk-inspections-'))
  shop = await openShop({ DATA_DIR: folder, RATE_LIMITS: 'credentials=1000' }, undefined, {
    countries: COUNTRIES,
  })
  shop.deps.jobs.start()
  shop.deps.pump.start()
  asking = { url: shop.url, as: shop.demo.dealer }
  operatorId = shop.demo.operator.accountId
  for (const country of COUNTRIES) for (let at = 0; at < 3; at += 1) await sell(country)
  // more than a megabyte that nothing makes smaller
  for (let at = 0; at < 30; at += 1) {
    const ftReceiptCaseData = JSON.stringify(randomBytes(47_000).toString('base64'))
    await sign('AT', { ...marketOf('AT').rollout.demo.sale, ftReceiptCaseData })
  }
  await without('DE', 0x4445_0001_0000_0007n)
  await without('FR', 0x4652_0000_0000_0015n)
})
afterAll(async () => {
  await shop.deps.jobs.stop()
  await shop.deps.inspections.close()
  await shop.close()
  rmSync(folder, { recursive: true, force: true })
})

function sell(country: string): Promise<void> {
  return sign(country, marketOf(country).rollout.demo.sale)
}

/** A receipt without items: closings, archives. */
function without(country: string, ftReceiptCase: bigint): Promise<void> {
  return sign(country, { cbChargeItems: [], cbPayItems: [], ftReceiptCase })
}

async function sign(country: string, more: object): Promise<void> {
  const box = boxOf(country)
  const body = writeJson({
    ...{ ftCashBoxID: box.cashBoxId, cbTerminalID: '1', cbReceiptReference: randomUUID() },
    ...{ cbReceiptMoment: new Date().toISOString(), ...more },
  })
  const headers = {
    ...{ cashboxid: box.cashBoxId, accesstoken: box.accessToken },
    'content-type': 'application/json',
  }
  const answer = await fetch(`${shop.url}/json/v1/sign`, { method: 'POST', headers, body })
  const text = await answer.text()
  // by its state: a signature in Base64 may hold any four letters
  const state = BigInt(/"ftState":(\d+)/.exec(text)?.[1] ?? REFUSED) & 0xffff_ffffn
  if (answer.status !== 200 || state === REFUSED) throw new Error(`${answer.status} ${text}`)
}

function boxOf(country: string) {
  const found = shop.demo.cashBoxes.find(({ market }) => market === country)
  if (found === undefined) throw new Error(`no cash box for ${country}`)
  return found
}

const filesIn = (root: string): string[] =>
  (readdirSync(root, { recursive: true }) as string[])
    .filter((name) => statSync(join(root, name)).isFile())
    .map((name) => name.replaceAll('\\', '/'))
    .sort()

async function bundle(more: object = {}, as = asking): Promise<ToldInspection> {
  const asked = await askInspection(as, { from: FROM, to: TO, posOperatorId: operatorId, ...more })
  return endOf(as, asked.id)
}

interface Verdict {
  file: string
  result: { ok: boolean; findings: unknown[]; notices: { code: string }[]; kind: string } | null
}

const verdictsIn = (root: string) =>
  JSON.parse(readFileSync(join(root, 'verification/report.json'), 'utf8')) as Verdict[]

/** Files of a queue by what they are called. */
const plain = (name: string) =>
  name
    .replace(/^queues\/[^/]+\//, 'queue/')
    .replace(/[0-9a-f-]{36}/, 'ID')
    .replace(/\d+\.zip$/, 'N.zip')

describe('a bundle', { timeout: 60_000 }, () => {
  it('has the legal exports of each country, and the command accepts what is in it', async () => {
    await shop.deps.watch.look([])
    const told = await bundle()
    expect(told.job.state).toBe('succeeded')
    expect(told).toMatchObject({ findings: 0, hasKeys: true, operatorId })
    const root = await unpacked(asking, told.id)
    const names = filesIn(root)
    expect(new Set(names.map(plain))).toEqual(
      new Set([
        ...['LIESMICH.html', 'SHA256SUMS', 'verification/report.html', 'verification/report.json'],
        ...['master-data/account.json', 'master-data/history.csv', 'master-data/outlets.json'],
        'reports/submissions.csv',
        ...['queue/dep7.json', 'queue/dep131.json', 'queue/dep131.csv'],
        ...['queue/cryptographic-material.json', 'queue/dsfinvk.zip', 'queue/tse/ID.tar'],
        ...[
          'queue/archives/N.zip',
          'queue/restitution.csv',
          'queue/journal.csv',
          'queue/receipt-journal.csv',
        ],
        ...['T', 'P', 'I', 'G', 'B', 'A', 'L', 'C', 'X'].map((one) => `queue/chains/${one}.csv`),
        ...['queue/action-journal.csv', 'queue/outages.csv'],
        ...names.filter((name) => /^certificates\/[0-9a-f]+-[0-9a-f]{8}\.pem$/.test(name)),
      ]),
    )
    expect(names.filter((name) => name.startsWith('certificates/')).length).toBeGreaterThanOrEqual(
      3,
    )
    const verdicts = verdictsIn(root)
    expect(verdicts.map(({ result }) => result?.kind).sort()).toEqual([
      ...['DEP7', 'DSFinV-K', 'French archive', 'TSE TAR'],
    ])
    for (const { file } of verdicts) {
      const keys = join(root, file, '../cryptographic-material.json')
      const given = file.endsWith('dep7.json') ? ['--certificate', keys] : []
      const partial = file.endsWith('.tar') ? ['--partial'] : []
      const said = await command(['verify', join(root, file), ...given, ...partial, '--json'])
      expect([file, said.code]).toEqual([file, 0])
    }
  })

  it('is the same byte for byte when the same is asked for twice at once', async () => {
    const [one, two] = await Promise.all([bundle(), bundle()])
    expect([one.job.state, two.job.state]).toEqual(['succeeded', 'succeeded'])
    expect(one.sha256).toBe(two.sha256)
    expect(one.id).not.toBe(two.id)
  })

  it('of a period that begins later follows what was before, without a finding', async () => {
    const from = new Date().toISOString()
    for (const country of COUNTRIES) await sell(country)
    const told = await bundle({ from })
    const root = await unpacked(asking, told.id)
    const dep7 = verdictsIn(root).find(({ file }) => file.endsWith('dep7.json'))
    expect(dep7?.result).toMatchObject({ ok: true, findings: [], summary: { receipts: 1 } })
  })

  it('of a period without receipts says so', async () => {
    const told = await bundle({ from: '2021-01-01T00:00:00Z', to: '2022-01-01T00:00:00Z' })
    expect([told.job.state, told.findings]).toEqual(['succeeded', 0])
    const root = await unpacked(asking, told.id)
    expect(readFileSync(join(root, 'LIESMICH.html'), 'utf8')).toContain('nichts im Zeitraum')
    expect(filesIn(root)).toContain('SHA256SUMS')
  })

  it('of a CashBox has nothing of the others', async () => {
    const { cashBoxId } = boxOf('AT')
    const asked = await askInspection(asking, { from: FROM, to: TO, cashBoxIds: [cashBoxId] })
    const root = await unpacked(asking, (await endOf(asking, asked.id)).id)
    expect(filesIn(root).map(plain)).toContain('queue/dep7.json')
    expect(filesIn(root).some((name) => /dsfinvk|archive|\.tar/.test(name))).toBe(false)
  })

  it('without keys has none, in no file', async () => {
    const include = ['legal', 'journals', 'configurations', 'masterData']
    const whole = await unpacked(asking, (await bundle()).id)
    const container = filesIn(whole).find((name) => name.endsWith('cryptographic-material.json'))
    const { base64AESKey } = JSON.parse(readFileSync(join(whole, container ?? ''), 'utf8')) as {
      base64AESKey: string
    }
    expect(Buffer.from(base64AESKey, 'base64')).toHaveLength(32)
    const told = await bundle({ include, language: 'fr' })
    expect(told.hasKeys).toBe(false)
    const root = await unpacked(asking, told.id)
    for (const name of filesIn(root)) {
      expect(readFileSync(join(root, name)).includes(base64AESKey)).toBe(false)
    }
    const page = readFileSync(join(root, 'LIESMICH.html'), 'utf8')
    expect(page).toContain('<html lang="fr">')
    expect(page).not.toMatch(/<script|cryptographic-material/)
  })
})

describe('its file', () => {
  let told: ToldInspection
  let whole: Buffer
  beforeAll(async () => {
    told = await bundle()
    whole = Buffer.from(await (await content({})).arrayBuffer())
  })
  const content = (headers: Record<string, string>) =>
    callInspections(asking, `/${told.id}/content`, { headers })

  it('is told as an event when it can be fetched', async () => {
    const events = async () => {
      const path = '/platform/v1/events?types=bundle.ready&limit=200'
      const answer = await fetch(shop.url + path, { headers: accountHeaders(asking.as) })
      return ((await answer.json()) as EventList).items
    }
    const own = async () => (await events()).filter((one) => one.subject?.endsWith(told.id))
    await expect.poll(own).toHaveLength(1)
    const { bytes, sha256: hash, findings } = told
    expect((await own())[0]).toMatchObject({
      subject: `inspection/${told.id}`,
      data: { bytes, sha256: hash, findings },
    })
  })

  it('is told by its hash, and not sent to whoever has it', async () => {
    const answer = await content({})
    expect(answer.headers.get('etag')).toBe(`"${told.sha256}"`)
    expect(answer.headers.get('content-disposition')).toMatch(/^attachment; filename="inspection /)
    expect([whole.length, sha256(whole).toString('hex')]).toEqual([told.bytes, told.sha256])
    const again = await content({ 'if-none-match': `"x", W/"${told.sha256}"` })
    expect([again.status, await again.text()]).toEqual([304, ''])
  })

  it('comes in ranges', async () => {
    const last = whole.length - 1
    for (const [range, start, end] of [
      ['bytes=0-0', 0, 0],
      ['bytes=100-199', 100, 199],
      ['bytes=100-', 100, last],
      ['bytes=-7', last - 6, last],
      [`bytes=5-${last + 999}`, 5, last],
    ] as const) {
      const answer = await content({ range })
      expect([range, answer.status]).toEqual([range, 206])
      expect(answer.headers.get('content-range')).toBe(`bytes ${start}-${end}/${whole.length}`)
      const bytes = Buffer.from(await answer.arrayBuffer())
      expect(bytes.equals(whole.subarray(start, end + 1))).toBe(true)
    }
    const outside = await content({ range: `bytes=${whole.length}-` })
    expect(outside.status).toBe(416)
    expect(outside.headers.get('content-range')).toBe(`bytes */${whole.length}`)
    for (const range of ['bytes=9-3', 'bytes=', 'rows=1-2', 'bytes=0-1,3-4']) {
      expect((await content({ range })).status).toBe(200)
    }
    expect((await content({ range: 'bytes=0-9', 'if-range': '"other"' })).status).toBe(200)
  })

  it('survives clients that leave behind a megabyte, and at any other point', async () => {
    expect(whole.length).toBeGreaterThan(MEGABYTE)
    for (let at = 0; at < 100; at += 1) {
      const left = new AbortController()
      const answer = await fetch(`${shop.url}/platform/v1/inspections/${told.id}/content`, {
        ...{ headers: accountHeaders(asking.as), signal: left.signal },
      })
      const reader = answer.body?.getReader()
      // nothing, one piece, or a megabyte
      const wanted = [0, 1, MEGABYTE, MEGABYTE][at % 4] ?? 0
      for (let got = 0; got < wanted; ) got += (await reader?.read())?.value?.length ?? wanted
      left.abort()
    }
    const after = Buffer.from(await (await content({})).arrayBuffer())
    expect(after.equals(whole)).toBe(true)
  })

  it('has an address that needs no credentials, and ends', async () => {
    const asked = { method: 'POST', body: { hours: 1 } }
    const answer = await callInspections(asking, `/${told.id}/links`, asked)
    expect(answer.status).toBe(201)
    const { id, url, until } = (await answer.json()) as { id: string; url: string; until: string }
    expect(Date.parse(until) - Date.now()).toBeGreaterThan(59 * 60_000)
    const got = await fetch(shop.url + url)
    expect(Buffer.from(await got.arrayBuffer()).equals(whole)).toBe(true)
    const part = await fetch(shop.url + url, { headers: { range: 'bytes=1-2' } })
    expect([part.status, (await part.arrayBuffer()).byteLength]).toEqual([206, 2])
    const other = url.replace(/.$/, (letter) => (letter === 'A' ? 'B' : 'A'))
    for (const wrong of [other, url.slice(0, -9), url.replace(/key=.*/, 'key=x')]) {
      const refused = await fetch(shop.url + wrong)
      const { code } = (await refused.json()) as { code: string }
      expect([refused.status, code]).toEqual([404, 'LinkNotValid'])
    }
    const more = await callInspections(asking, `/${told.id}/links`, asked)
    const second = (await more.json()) as { url: string }
    const links = `/${told.id}/links`
    const { items } = (await (await callInspections(asking, links)).json()) as {
      items: { id: string; fetches: number; revokedAt: string | null }[]
    }
    expect(items.map(({ fetches, revokedAt }) => [fetches, revokedAt])).toEqual([
      [0, null],
      [2, null],
    ])
    const end = () => callInspections(asking, `${links}/${id}`, { method: 'DELETE' })
    expect([(await end()).status, (await end()).status]).toEqual([204, 204])
    expect((await fetch(shop.url + url)).status).toBe(404)
    // the other one goes on
    expect((await fetch(shop.url + second.url, { method: 'HEAD' })).status).toBe(200)
    for (const hours of [0, 24 * 14 + 1]) {
      const wrong = { method: 'POST', body: { hours } }
      expect((await callInspections(asking, `/${told.id}/links`, wrong)).status).toBe(400)
    }
  })
})

describe('others', () => {
  let stranger: AccountAccess
  let reader: AccountAccess
  beforeAll(async () => {
    const accounts = { store: shop.deps.store, now: () => new Date() }
    stranger = await createAccount(accounts, newAccount('PosDealer'))
    reader = await createAccount(accounts, newAccount('PosDealer'))
    await connectAccounts(accounts, {
      ...{ accountId: reader.accountId, toAccountId: operatorId, rights: 'Read' },
    })
  })

  async function told(as: AccountAccess, path: string, body?: unknown) {
    const method = body === undefined ? 'GET' : 'POST'
    const answer = await callInspections({ url: shop.url, as }, path, { method, body })
    const text = await answer.text()
    const same = text.replace(/[0-9a-f]{8}-[0-9a-f-]{27}|"traceId":"[^"]*"/g, '…')
    return { status: answer.status, same }
  }

  it('are answered as if there were nothing', async () => {
    const { id } = await bundle()
    const period = { from: FROM, to: TO }
    for (const [foreign, unknown, body] of [
      [`/${id}`, `/${randomUUID()}`, undefined],
      [`/${id}/content`, `/${randomUUID()}/content`, undefined],
      [`/${id}/links`, `/${randomUUID()}/links`, { hours: 1 }],
      [`/${id}/links`, `/${randomUUID()}/links`, undefined],
    ] as const) {
      const one = await told(stranger, foreign, body)
      expect([one.status, one]).toEqual([404, await told(stranger, unknown, body)])
    }
    for (const [foreign, unknown] of [
      [{ posOperatorId: operatorId }, { posOperatorId: randomUUID() }],
      [{ cashBoxIds: [boxOf('AT').cashBoxId] }, { cashBoxIds: [randomUUID()] }],
    ]) {
      const one = await told(stranger, '', { ...period, ...foreign })
      expect([one.status, one]).toEqual([404, await told(stranger, '', { ...period, ...unknown })])
    }
    const both = [boxOf('AT').cashBoxId, randomUUID()]
    expect((await told(asking.as, '', { ...period, cashBoxIds: both })).status).toBe(404)
    expect(JSON.parse((await told(stranger, '')).same)).toEqual({ items: [], next: null })
  })

  it('that may only read see it, and get neither file nor address', async () => {
    const { id } = await bundle()
    expect((await told(reader, `/${id}`)).status).toBe(200)
    for (const [path, body] of [
      [`/${id}/content`, undefined],
      [`/${id}/links`, { hours: 1 }],
      [`/${id}/links`, undefined],
      ['', { from: FROM, to: TO, posOperatorId: operatorId }],
    ] as const) {
      expect([path, (await told(reader, path, body)).status]).toEqual([path, 403])
    }
  })
})
