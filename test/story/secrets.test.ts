// Everything that is secret, looked for everywhere it must not be: answers, journals, log, and a
// dump of the database. The secrets are those that a shop really has.
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createReceiptApp } from '../../src/core/accounts/accounts.js'
import { cashBoxKey } from '../../src/core/rollout/create.js'
import { addUnit } from '../../src/core/rollout/units.js'
import { createLog } from '../../src/log.js'
import { marketOf } from '../../src/market/index.js'
import { queueSecrets, scuSecrets } from '../../src/store/sign/queues.js'
import { openShop, type Shop } from '../support/shop.js'

const CASE = 0x4154_0000_0000_0000n
const REMOTE_TOKEN = 'token-of-a-remote-signer-nobody-may-see'
const masterKey = randomBytes(32).toString('base64')

let shop: Shop
let secrets: Record<string, string>
const lines: string[] = []
const answers: string[] = []

beforeAll(async () => {
  const log = createLog('trace', false, { write: (line) => void lines.push(line) })
  shop = await openShop({ MASTER_KEY: masterKey }, log)
  const deps = { store: shop.deps.store, marketOf, now: () => new Date() }
  const { appSecret } = await createReceiptApp(deps, { name: 'Wallet', shareUrl: null })
  await addUnit(deps, {
    queueId: shop.box.queueId,
    package: 'fiskalwerk.SCU.AT.Remote',
    mode: 'backup',
    url: 'http://127.0.0.1:1',
    configuration: { cashboxid: shop.box.cashBoxId, accesstoken: REMOTE_TOKEN },
  })
  await work()
  secrets = { masterKey, appSecret, remoteToken: REMOTE_TOKEN, ...(await sealed()) }
}, 60_000)
afterAll(() => shop.close())

/** What the database holds sealed, opened. */
async function sealed(): Promise<Record<string, string>> {
  const { pool, sealer } = shop.deps.store
  const { cashBoxId, queueId, scuIds, accessToken } = shop.box
  const one = async (sql: string, id: string) =>
    (await pool.query<{ sealed: Buffer }>(sql, [id])).rows[0]?.sealed ?? Buffer.alloc(0)
  const key = await one(
    'select private_key_sealed as sealed from cash_box where id = $1',
    cashBoxId,
  )
  const queue = await one('select secrets_sealed as sealed from queue where id = $1', queueId)
  const scuId = scuIds[0] ?? ''
  const scu = await one('select secrets_sealed as sealed from scu where id = $1', scuId)
  return {
    accessToken,
    dealerToken: shop.demo.dealer.accessToken,
    cashBoxKey: sealer.open(key, cashBoxKey(cashBoxId)),
    aesKey: JSON.parse(sealer.open(queue, queueSecrets(queueId))).encryptionKeyBase64,
    deviceKey: JSON.parse(sealer.open(scu, scuSecrets(scuId))).privateKeyPkcs8Base64,
  }
}

async function call(path: string, init: RequestInit = {}): Promise<string> {
  const { cashBoxId, accessToken } = shop.box
  const headers = { cashboxid: cashBoxId, accesstoken: accessToken }
  const answer = await fetch(`${shop.url}${path}`, { method: 'POST', headers, ...init })
  const text = await answer.text()
  answers.push(text)
  return text
}

function sign(receiptCase: bigint, charges = '[]', pays = '[]'): Promise<string> {
  const body =
    '{"cbReceiptReference":"1","cbReceiptMoment":"2026-01-31T10:15:00Z",' +
    `"cbChargeItems":${charges},"cbPayItems":${pays},"ftReceiptCase":${receiptCase}}`
  return call(`/${shop.box.queueId}/json/v1/sign`, { body })
}

const sale = () =>
  sign(
    CASE + 1n,
    `[{"Amount":5,"VATRate":20,"ftChargeItemCase":${CASE + 3n}}]`,
    `[{"Amount":5,"ftPayItemCase":${CASE + 1n}}]`,
  )

/** A day with everything that goes wrong, so that there is something to log. */
async function work(): Promise<void> {
  const { accessToken, queueId, scuIds } = shop.box
  const fault = `/sandbox/scus/${scuIds[0]}/fault`
  const headers = { cashboxid: shop.box.cashBoxId, accesstoken: accessToken }
  const json = { ...headers, 'content-type': 'application/json' }
  await sale()
  await call(fault, { method: 'PUT', headers: json, body: '{"steps":[{"do":"error"}]}' })
  expect(await sale()).toContain('Sicherheitseinrichtung ausgefallen')
  await call('/api/v0/iatsscd/sign', { headers: json, body: '{"dataBase64":"AQID"}' })
  await call(fault, { method: 'DELETE', headers: json })
  await sign(CASE + 2n)
  await call('/json/v1/sign', { headers: { ...headers, accesstoken: 'wrong' }, body: '{}' })
  await call('/json/v1/sign', { body: '{"ftReceiptCase":' })
  await call('/json/v1/sign', { body: 'x'.repeat(3_000_000) })
  await call('/api/v0/iatsscd/certificate', { method: 'GET' })
  await call('/metrics', { method: 'GET' })
  for (const type of ['0', '1', '2', '3', '0xFF', '0x4154', '4707387510509010944']) {
    await call(`/${queueId}/journal?type=${type}`)
  }
  for (const type of ['0x4154000000000001', '0x4154000000000131', '0x4154000000000132']) {
    await call(`/${queueId}/journal?type=${type}`)
  }
  for (const form of ['csv', 'xml']) await call(`/${queueId}/journal?type=3&format=${form}`)
  // a failing database is where libraries say most
  const { pool } = shop.deps.store
  const broken = pool.query('select pg_terminate_backend(pg_backend_pid())').catch(String)
  shop.deps.log.error({ err: new Error(String(await broken)), headers }, 'a test line with headers')
}

/** Every row of every table as text; bytes as hexadecimal. */
async function dump(): Promise<string> {
  const { pool } = shop.deps.store
  const tables = await pool.query<{ name: string }>(
    "select table_name as name from information_schema.tables where table_schema = 'public'",
  )
  const texts: string[] = []
  for (const { name } of tables.rows) {
    const found = await pool.query<{ row: string }>(`select t::text as row from "${name}" t`)
    texts.push(...found.rows.map(({ row }) => row))
  }
  return texts.join('\n')
}

/** A secret as it might be written down: itself, its bytes in hexadecimal, its text in Base64. */
function formsOf(secret: string): string[] {
  const hex = (bytes: Buffer) => bytes.toString('hex')
  const own = Buffer.from(secret)
  const bytes = Buffer.from(secret, 'base64')
  return [secret, hex(own), hex(bytes), own.toString('base64'), bytes.toString('base64url')]
}

function found(text: string): string[] {
  const names = Object.entries(secrets).filter(([, secret]) =>
    formsOf(secret).some((form) => text.includes(form)),
  )
  return names.map(([name]) => name)
}

describe('the secrets of a shop', () => {
  it('are eight, and long enough to be looked for', () => {
    expect(Object.keys(secrets)).toHaveLength(8)
    for (const secret of Object.values(secrets)) expect(secret.length).toBeGreaterThan(30)
  })

  it('would be found', () => {
    const { aesKey = '' } = secrets
    expect(found(`…${Buffer.from(aesKey, 'base64').toString('hex')}…`)).toEqual(['aesKey'])
    expect(found(JSON.stringify(secrets))).toHaveLength(8)
  })

  it('are in no answer, of calls that work and of calls that are refused', () => {
    expect(answers.length).toBeGreaterThan(20)
    expect(found(answers.join('\n'))).toEqual([])
  })

  it('are in no line of the log, at its most talkative', () => {
    const text = lines.join('')
    expect(text).toContain('a test line with headers')
    expect(text).toContain('DEVICE_FAILED')
    expect(found(text)).toEqual([])
  })

  it('are nowhere in a dump of the database', async () => {
    const text = await dump()
    expect(text).toContain(shop.box.cashBoxId)
    expect(found(text)).toEqual([])
  })
})
