// The last calls of the sandbox: kept for whoever made them, without secrets, and few of each.
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import type { Context, Input } from '../../../src/cli/command.js'
import { logCommands } from '../../../src/cli/logs.js'
import { createAccount } from '../../../src/core/accounts/accounts.js'
import { hintsOf } from '../../../src/core/event/call/hints.js'
import { maskedText } from '../../../src/core/event/call/mask-text.js'
import { orderedId } from '../../../src/lib/id.js'
import { forgetCalls, insertCalls, type NewCall } from '../../../src/store/event/calls.js'
import { headersOf, startServer } from '../../support/app.js'
import { newAccount } from '../../support/dealer.js'
import { accountHeaders, openPlatform, type PlatformShop } from '../../support/platform.js'
import { saleText } from '../../support/receipts.js'

const run = promisify(execFile)

interface Line {
  id: string
  operatorId: string
  cashBoxId: string | null
  proven: boolean
  via: string
  api: string
  method: string
  route: string | null
  path: string
  status: number
  code: string | null
  message: string | null
  bodyBytes: number
}
interface Whole extends Line {
  headers: Record<string, string>
  body: string | null
  answer: string | null
  hints: { code: string; text: string }[]
  curl: string | null
}

let shop: PlatformShop
beforeAll(async () => {
  shop = await openPlatform({ RATE_LIMIT_FAILURES: '10000' })
})
afterAll(() => shop.close())

const rows = (sql: string, ...values: unknown[]) => shop.deps.store.pool.query(sql, values)

/** Of nobody else than this test. */
async function cleared(): Promise<void> {
  await shop.deps.callLog?.settled()
  await rows('delete from kept_call')
}

async function ask<T>(path: string, headers = accountHeaders(shop.dealer) as object): Promise<T> {
  await shop.deps.callLog?.settled()
  const answer = await fetch(`${shop.url}/platform/v1${path}`, {
    headers: headers as Record<string, string>,
  })
  return (await answer.json()) as T
}
const list = async (query = '', headers?: object) =>
  (await ask<{ items: Line[]; next: string | null }>(`/calls${query}`, headers)).items
const whole = (id: string) => ask<Whole>(`/calls/${id}`)

const sign = (body: string, more: Record<string, string> = {}) =>
  fetch(`${shop.url}/json/v1/sign`, {
    method: 'POST',
    headers: { ...headersOf(shop.box), 'content-type': 'application/json', ...more },
    body,
  })

it('a call is kept with what came and went, its hints, and a curl that repeats it', async () => {
  await cleared()
  const reference = "it's a test"
  const body = saleText({
    cbReceiptReference: JSON.stringify(reference),
    ftCashBoxID: `"${shop.box.cashBoxId}"`,
    cbPayItems: '[]',
  })
  const signed = (await (await sign(body)).json()) as { ftReceiptIdentification: string }
  const [line, ...others] = await list()
  expect(others).toEqual([])
  expect(line).toMatchObject({
    ...{ operatorId: shop.operatorId, cashBoxId: shop.box.cashBoxId, proven: true },
    ...{ via: 'program', api: 'middleware', method: 'POST', path: '/json/v1/sign', status: 200 },
    ...{ code: null, bodyBytes: Buffer.byteLength(body) },
  })
  const kept = await whole(line?.id ?? '')
  expect(kept.body).toBe(body)
  expect(kept.answer).toContain(signed.ftReceiptIdentification)
  expect(kept.hints.map(({ code }) => code)).toContain('PaymentsUnlikeItems')
  // credentials are variables: the line is the same for everybody
  expect(kept.curl).not.toContain(shop.box.accessToken)
  const env = {
    ...{ PATH: process.env.PATH, FISKALWERK_URL: shop.url, CASHBOX_ID: shop.box.cashBoxId },
    CASHBOX_TOKEN: shop.box.accessToken,
  }
  const { stdout } = await run('sh', ['-c', kept.curl ?? ''], { env })
  expect((JSON.parse(stdout) as { cbReceiptReference: string }).cbReceiptReference).toBe(reference)
})

it('a refusal tells its code, and refusals that are alike are one entry', async () => {
  await cleared()
  await sign('{"ftReceiptCase":1}')
  await sign('{"ftReceiptCase":2}')
  await sign(saleText({ ftCashBoxID: `"${shop.box.cashBoxId}"` }))
  const [line] = await list('?failed=true')
  expect(line?.status).toBe(400)
  const kept = await whole(line?.id ?? '')
  expect(kept.hints).toEqual([{ code: line?.code, text: line?.message }])
  expect(await list('?failed=false')).toHaveLength(1)
  const groups = await ask<{ code: string; count: number; lastId: string }[]>('/call-errors')
  expect(groups).toMatchObject([{ code: line?.code, count: 2, lastId: line?.id }])
})

it('nobody finds his own looking at the list in it, or the login of a person', async () => {
  await cleared()
  await list()
  await ask('/call-errors')
  await fetch(`${shop.url}/portal/session/login`, { method: 'POST', body: '{"email":"a@b.c"}' })
  await ask('/jobs')
  expect((await list()).map(({ path }) => path)).toEqual(['/platform/v1/jobs'])
})

it('of somebody with wrong credentials nothing is kept but that he called', async () => {
  await cleared()
  await sign('{"text":"of a stranger"}', { accesstoken: 'wrong-token' })
  const [line] = await list()
  expect(line).toMatchObject({ proven: false, status: 401, code: 'CREDENTIALS_WRONG' })
  const { body, answer, headers } = await whole(line?.id ?? '')
  expect([body, answer, headers]).toEqual([null, null, {}])
  // and his calls take no place from those of the owner
  await sign(saleText({ ftCashBoxID: `"${shop.box.cashBoxId}"` }))
  await list()
  for (let at = 0; at < 50; at += 1) await sign('{}', { accesstoken: 'wrong-token' })
  const found = await list('?limit=200')
  expect(found.filter(({ proven }) => proven)).toHaveLength(1)
  expect(found.length).toBeLessThan(45)
})

it('of each caller the newest hundred stay, and of all what there is room for', async () => {
  await cleared()
  for (let at = 0; at < 130; at += 1) await ask(`/jobs?limit=${(at % 50) + 1}`)
  await ask('/jobs?limit=77')
  const found = await list('?limit=200')
  // what is written together is not counted twice
  expect(found.length).toBeLessThanOrEqual(101)
  expect(found[0]?.path).toContain('limit=77')
  const { rows: all } = await rows('select id from kept_call')
  await forgetCalls(shop.deps.store, new Date(0), 10)
  expect(all.length).toBeGreaterThan(10)
  expect((await rows('select id from kept_call')).rowCount).toBeLessThanOrEqual(11)
  await forgetCalls(shop.deps.store, new Date(Date.now() + 1_000), 10)
  expect((await rows('select id from kept_call')).rowCount).toBe(0)
})

it('of many calls no more are held than are written, until there are few again', async () => {
  const log = shop.deps.callLog
  const wanted = async (count: number) => {
    const held = Array.from({ length: count }, () => log?.wants()).filter(Boolean).length
    await log?.settled()
    return held
  }
  await wanted(0)
  expect(await wanted(300)).toBe(100)
  expect(await wanted(300)).toBe(15)
  expect(await wanted(10)).toBe(10)
  expect(await wanted(300)).toBe(100)
})

it('secrets are in no text, wherever they stand', async () => {
  await cleared()
  const { accessToken } = shop.dealer
  const made = await fetch(`${shop.url}/platform/v1/api-keys?pin=1234`, {
    method: 'POST',
    headers: { ...accountHeaders(shop.dealer), 'content-type': 'application/json' },
    body: JSON.stringify({ name: accessToken, scopes: ['all'], password: 'hunter2!' }),
  })
  const answer = await made.text()
  const [line] = await list()
  const kept = JSON.stringify(await whole(line?.id ?? ''))
  const token = /"token":"([^"]+)"/.exec(answer)?.[1] ?? 'none'
  for (const secret of [accessToken, token, 'hunter2!', '1234']) {
    expect(kept).not.toContain(secret)
  }
  expect(kept).toContain('***')
  // a PIN has no name
  const box = `${shop.url}/api/posoperators/${shop.operatorId}/cashboxes/${shop.box.cashBoxId}`
  await fetch(`${box}/pairing-pin`, { method: 'POST', headers: accountHeaders(shop.dealer) })
  const [pin] = await list()
  expect(pin).toMatchObject({ status: 200, api: 'dealer' })
  expect((await whole(pin?.id ?? '')).answer).toBe('***')
})

it.each([
  [
    '{"accessToken":"abc","n":4919338172267102209}',
    '{"accessToken":"***","n":4919338172267102209}',
  ],
  // cut off in the middle
  ['{"a":1,"adminPin":"12', '{"a":1,"adminPin":"***"'],
  ['{"pin":1234,"x":null}', '{"pin":"***","x":null}'],
  ['{"c":"{\\"Email\\":\\"a@b.c\\",\\"x\\":1}"}', '{"c":"{\\"Email\\":\\"***\\",\\"x\\":1}"}'],
  [
    '<s:a><s:accessToken>abc</s:accessToken><b>1</b></s:a>',
    '<s:a><s:accessToken>***</s:accessToken><b>1</b></s:a>',
  ],
  ['user=x&password=y%20z&n=1', 'user=x&password=***&n=1'],
])('masks %s', (text, masked) => {
  expect(maskedText(text, [])).toBe(masked)
})

it('the state of a Queue is explained', () => {
  const call = { answer: '{"ftState":4707387510509010946}', status: 200, ms: 3_000 }
  const hints = hintsOf({ ...call, code: null, message: null } as never)
  expect(hints.map(({ code }) => code)).toEqual(['UnitOut', 'Slow'])
})

it('a stranger sees nothing, a register itself, and a dealer those of merchants', async () => {
  await cleared()
  await sign(saleText({ ftCashBoxID: `"${shop.box.cashBoxId}"` }))
  const stranger = await createAccount(
    { store: shop.deps.store, now: () => new Date() },
    newAccount('PosDealer'),
  )
  const [own] = await list()
  expect(own?.cashBoxId).toBe(shop.box.cashBoxId)
  expect(await list('', accountHeaders(stranger))).toEqual([])
  const refused = await ask<{ code: string }>(`/calls/${own?.id}`, accountHeaders(stranger))
  expect(refused.code).toBe('CallNotFound')
  await ask('/jobs')
  expect(await list('', headersOf(shop.box))).toMatchObject([{ id: own?.id }])
  expect(await list()).toHaveLength(2)
})

it('production keeps nothing', async () => {
  const production = { ENVIRONMENT: 'production', PUBLIC_URL: 'https://x.example' }
  const server = await startServer(shop, { ...production, JOBS: 'off' } as never)
  try {
    const headers = accountHeaders(shop.dealer)
    await cleared()
    const answer = await server.app.inject({ url: '/platform/v1/calls', headers })
    expect(answer.json()).toMatchObject({ status: 404, code: 'NotInProduction' })
    await server.app.inject({ url: '/platform/v1/jobs', headers })
    expect(server.deps.callLog).toBeUndefined()
    expect((await rows('select from kept_call')).rowCount).toBe(0)
  } finally {
    await server.close()
  }
})

it('what cannot be written is missing, and nobody else notices', async () => {
  const at = new Date()
  const call = { accountId: null, cashBoxId: null, id: orderedId(at.getTime()), at } as NewCall
  // of nobody: there is no row
  await insertCalls(shop.deps.store, [{ ...call, headers: {} }], { each: 1, unproven: 1 })
  await rows('alter table kept_call rename to kept_call_away')
  expect((await sign(saleText({ ftCashBoxID: `"${shop.box.cashBoxId}"` }))).status).toBe(200)
  await shop.deps.callLog?.settled()
  await rows('alter table kept_call_away rename to kept_call')
})

/** The command on the database of this shop; what it says, and what ends it as Ctrl-C would. */
function tail(options: Record<string, string | boolean>) {
  const said = { text: '' }
  const stops: (() => void)[] = []
  const spies = [
    vi.spyOn(process.stdout, 'write').mockImplementation((piece) => {
      said.text += String(piece)
      return true
    }),
    vi.spyOn(process, 'once').mockImplementation((_name, stop: () => void) => {
      stops.push(stop)
      return process
    }),
  ]
  const open = async () => ({ ...shop.deps, database: {} }) as unknown as Context
  const input = { options, positionals: [], open, openDatabase: open } as unknown as Input
  const ended = Promise.resolve(logCommands['logs tail']?.run(input)).finally(() => {
    for (const spy of spies) spy.mockRestore()
  })
  return { said, ended, stop: () => stops.forEach((stop) => void stop()) }
}

async function saidBy(options: Record<string, string | boolean>): Promise<string> {
  const { said, ended } = tail(options)
  await ended
  return said.text
}

it('logs tail shows the same on the command line, and goes on with --follow', async () => {
  await cleared()
  const cashbox = shop.box.cashBoxId
  await sign('{"ftReceiptCase":1}')
  const [line] = await list()
  const text = await saidBy({ cashbox })
  expect(text).toMatch(/Z {2}400 {2}POST \/json\/v1\/sign {2}[\d.]+ ms {2}cashbox\//)
  expect(text).toContain('  > {"ftReceiptCase":1}')
  expect(text).toContain('  $ curl -sS -X POST')
  const short = await saidBy({ account: shop.operatorId, failed: true, short: true })
  expect(short.trim().split('\n')).toHaveLength(1)
  expect(JSON.parse(await saidBy({ cashbox, json: true }))).toEqual(await whole(line?.id ?? ''))
  const { said, ended, stop } = tail({ cashbox, follow: true, short: true, last: '1' })
  await vi.waitUntil(() => said.text.includes('400  POST /json/v1/sign'), 5_000)
  const echo = { method: 'POST', body: '{"Message":"hello"}' }
  const headers = { ...headersOf(shop.box), 'content-type': 'application/json' }
  await fetch(`${shop.url}/json/v1/echo`, { ...echo, headers })
  await shop.deps.callLog?.settled()
  await vi.waitUntil(() => said.text.includes('200  POST /json/v1/echo'), 5_000)
  stop()
  await ended
  expect(said.text.trim().split('\n')).toHaveLength(2)
})

it('logs tail says what is wrong with its words', async () => {
  await expect(saidBy({})).rejects.toThrow('--account is missing')
  await expect(saidBy({ cashbox: 'x' })).rejects.toThrow('cash box')
  const account = shop.operatorId
  await expect(saidBy({ account, last: '0' })).rejects.toThrow('1 to 200')
})
