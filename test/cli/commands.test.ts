// What commands do and answer on an embedded database: the documents of --json, texts for people,
// refusals and exit codes. The test keeps PostgreSQL up in between, as a server does.

import { readdirSync } from 'node:fs'
import * as path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeThrowAwayFolder, removeThrowAwayFolder } from '../../scripts/throw-away-cluster.js'
import { markets } from '../../src/market/index.js'
import type { Database } from '../../src/postgres/database.js'
import { migrationsFolder } from '../../src/postgres/migrate.js'
import { command, type Said } from '../support/command.js'
import { open, query } from '../support/data-folder.js'

const ID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
/** 256 random bits. */
const TOKEN = /^[A-Za-z0-9+/]{43}=$/
const SECRET = /^[\w-]{43}$/
const MARKETS = Object.keys(markets)
const NOBODY = '00000000-0000-4000-8000-000000000000'

let folder: string
let env: Record<string, string>
let database: Database

beforeAll(async () => {
  folder = makeThrowAwayFolder()
  env = { DATA_DIR: path.join(folder, 'data'), DATABASE_URL: '', MASTER_KEY: '', PORT: '9021' }
  database = await open(env.DATA_DIR ?? '')
})
afterAll(async () => {
  await database.stop()
  await removeThrowAwayFolder(folder)
})

function run(...words: string[]): Promise<Said> {
  return command(words, env)
}

/** The one document on stdout; nothing else there, nothing on stderr. */
async function json(...words: string[]): Promise<Record<string, unknown>> {
  const { code, stdout, stderr } = await run(...words, '--json')
  expect([code, stderr, stdout.trimEnd().split('\n').length]).toEqual([0, '', 1])
  return JSON.parse(stdout) as Record<string, unknown>
}

async function refused(...words: string[]): Promise<string> {
  const { code, stdout, stderr } = await run(...words)
  expect([code, stdout]).toEqual([1, ''])
  expect(stderr).toMatch(/^fiskalwerk: .+\n$/)
  expect(stderr).not.toMatch(/\n {4}at /)
  return stderr
}

async function demo() {
  const { dealer, operator, cashBoxes } = await json('demo')
  const box = (cashBoxes as Record<string, string>[])[0] ?? {}
  const scu = String((box.scuIds as unknown as string[])[0])
  return {
    dealer: dealer as Record<string, string>,
    operator: operator as Record<string, string>,
    box,
    scu,
  }
}

describe('migrate', () => {
  it('names what it applied, and nothing the second time', async () => {
    const folders = readdirSync(migrationsFolder, { withFileTypes: true })
    const names = folders.filter((entry) => entry.isDirectory()).map((entry) => entry.name)
    expect(await json('migrate')).toEqual({ applied: names.sort() })
    expect(await json('migrate')).toEqual({ applied: [] })
    expect(await run('migrate')).toMatchObject({ code: 0, stdout: 'The database is up to date.\n' })
  })
})

describe('demo', () => {
  it('prints the same document whenever it is asked', async () => {
    const first = await json('demo')
    expect(first).toEqual({
      dealer: {
        accountId: expect.stringMatching(ID),
        accessToken: expect.stringMatching(TOKEN),
      },
      operator: { accountId: expect.stringMatching(ID) },
      cashBoxes: MARKETS.map((market) => ({
        market,
        cashBoxId: expect.stringMatching(ID),
        accessToken: expect.stringMatching(/^B[A-Za-z0-9+/]{86}=$/),
        queueId: expect.stringMatching(ID),
        scuIds: [expect.stringMatching(ID)],
      })),
      people: ['dealer', 'merchant'].map((name) => ({
        email: `${name}@demo.fiskalwerk.example`,
        password: expect.stringMatching(/^Demo1-[0-9a-f]{12}$/),
      })),
    })
    expect(await json('demo')).toEqual(first)
    const sql = 'select count(*)::int as n from queue_item'
    expect(await query(database.poolConfig, sql)).toEqual([{ n: MARKETS.length }])
  })

  it('prints the same lines whenever it is asked, with the configured port', async () => {
    const { stdout, code } = await run('demo')
    expect(code).toBe(0)
    expect(await run('demo')).toMatchObject({ stdout })
    expect(stdout).toContain(' http://127.0.0.1:9021/')
    expect(stdout.split('\n').filter((line) => line.startsWith('curl '))).toHaveLength(
      4 * MARKETS.length,
    )
    const elsewhere = await command(['demo'], { ...env, PUBLIC_URL: 'https://till.example' })
    expect(elsewhere.stdout).toContain(' https://till.example/')
  })

  it('--env prints the variables of the examples for a shell', async () => {
    const { box, scu, dealer } = await demo()
    const { stdout } = await run('demo', '--env', 'at')
    expect(stdout).toBe(
      `export FISKALWERK_URL='http://127.0.0.1:9021'\nexport CASHBOX_ID='${box.cashBoxId}'\n` +
        `export ACCESS_TOKEN='${box.accessToken}'\nexport QUEUE_ID='${box.queueId}'\n` +
        `export SCU_ID='${scu}'\nexport MARKET='AT'\n` +
        `export DEALER_ID='${dealer.accountId}'\nexport DEALER_TOKEN='${dealer.accessToken}'\n`,
    )
  })
})

describe('dealer', () => {
  it('create gives access data, and list shows the account without them', async () => {
    const made = await json(
      ...['dealer', 'create', '--name', 'Kassen Huber', '--market', 'at'],
      ...['--email', 'huber@example.at'],
    )
    const { accountId, accessToken } = made
    expect(made).toEqual({
      accountId: expect.stringMatching(ID),
      accessToken: expect.stringMatching(TOKEN),
    })
    const list = (await json('dealer', 'list')) as unknown as Record<string, unknown>[]
    expect(list.find((one) => one.accountId === accountId)).toEqual({
      accountId,
      kind: 'PosDealer',
      name: 'Kassen Huber',
      market: 'AT',
      country: 'AT',
      email: 'huber@example.at',
      roles: ['PosDealer', 'PosDealerAutoInvitation', 'PosDealerRksvSign'],
      autoInvite: true,
    })
    expect(JSON.stringify(list)).not.toContain(accessToken)
    expect((await run('dealer', 'list')).stdout).toContain(`${accountId}  AT  Kassen Huber`)
  })

  it('create makes a PosCreator, and in production asks for what the sandbox gives', async () => {
    const words = ['dealer', 'create', '--name', 'Soft', '--market', 'AT', '--email', 's@soft.at']
    await json(...words, '--roles', 'PosCreator', '--country', 'de', '--auto-invite', 'no')
    const production = { ...env, ENVIRONMENT: 'production' }
    expect(await command([...words, '--name', 'Real'], production)).toMatchObject({ code: 0 })
    const list = (await json('dealer', 'list')) as unknown as Record<string, unknown>[]
    expect(list.find((one) => one.name === 'Soft')).toMatchObject({
      kind: 'PosCreator',
      country: 'DE',
      roles: ['PosCreator', 'PosDealerRksvSign'],
      autoInvite: false,
    })
    expect(list.find((one) => one.name === 'Real')).toMatchObject({
      roles: ['PosDealer'],
      autoInvite: false,
    })
  })

  it('reset-token replaces the token, which demo then shows', async () => {
    const { dealer } = await demo()
    const accountId = String(dealer.accountId)
    const reset = await json('dealer', 'reset-token', '--account', accountId.toUpperCase())
    expect(reset).toEqual({ accountId, accessToken: expect.stringMatching(TOKEN) })
    expect(reset.accessToken).not.toBe(dealer.accessToken)
    expect((await demo()).dealer).toEqual(reset)
  })

  it('connect gives one connection for two accounts, however often', async () => {
    const { dealer, operator } = await demo()
    const link = ['--account', String(dealer.accountId), '--to', String(operator.accountId)]
    const first = await json('dealer', 'connect', ...link, '--rights', 'read')
    expect(first).toEqual({ connectionId: expect.stringMatching(ID) })
    expect(await json('dealer', 'connect', ...link)).toEqual(first)
  })

  it.each(['nobody', NOBODY])('an account that is not there is refused: %s', async (id) => {
    const says =
      `fiskalwerk: There is no account ${id} here: ` +
      'npx fiskalwerk dealer list shows the accounts of dealers.\n'
    expect(await refused('dealer', 'reset-token', '--account', id)).toBe(says)
    const link = ['--account', id, '--to', (await demo()).operator.accountId ?? '']
    expect(await refused('dealer', 'connect', ...link)).toBe(says)
    expect(await refused('cashbox', 'list', '--account', id)).toBe(says)
  })

  it('a merchant of nobody is not made', async () => {
    const words = ['--dealer', NOBODY, '--name', 'Lost', '--market', 'AT', '--email', 'l@l.at']
    await refused('operator', 'create', ...words)
    const sql = "select count(*)::int as n from account where name = 'Lost'"
    expect(await query(database.poolConfig, sql)).toEqual([{ n: 0 }])
  })
})

describe('app create', () => {
  it('gives id and secret', async () => {
    expect(await json('app', 'create', '--name', 'Wallet')).toEqual({
      appId: expect.stringMatching(ID),
      appSecret: expect.stringMatching(SECRET),
    })
  })

  it('takes an address of plain http in the sandbox only', async () => {
    const words = ['app', 'create', '--name', 'Wallet', '--share-url', 'http://wallet.example']
    expect((await run(...words)).code).toBe(0)
    expect((await command(words, { ...env, ENVIRONMENT: 'production' })).code).toBe(2)
    expect((await run(...words.slice(0, -1), 'ftp://wallet.example')).code).toBe(2)
  })
})

describe('queue configure', () => {
  it('replaces the parameters, and refuses what the country does not know', async () => {
    const words = ['cashbox', 'add', '--market', 'AT', '--account']
    const box = await json(...words, String((await demo()).operator.accountId))
    const set = ['queue', 'configure', '--queue', String(box.queueId), '--configuration']
    const answer = await json(...set, '{"receiptrequestmode":1}')
    expect(answer).toMatchObject({ configuration: { receiptrequestmode: 1 } })
    const sql = 'select configuration, version::int from queue where id = $1'
    const rows = await query(database.poolConfig, sql.replace('$1', `'${box.queueId}'`))
    expect(rows).toEqual([{ configuration: JSON.stringify(answer.configuration), version: 1 }])
    expect(await refused(...set, '{"receiptrequestmode":"x"}')).toContain('receiptrequestmode')
    expect(await refused(...set.slice(0, 3), NOBODY, '--configuration', '{}')).toContain(NOBODY)
  })
})

describe('scu add', () => {
  it('refuses what the unit does not know, and names what it does', async () => {
    const words = ['cashbox', 'add', '--market', 'DE', '--account']
    const box = await json(...words, String((await demo()).operator.accountId))
    const add = ['scu', 'add', '--queue', String(box.queueId), '--configuration']
    const said = await refused(...add, '{"Unknown":1}')
    expect(said).toContain('configuration.Unknown')
    expect(said).toContain('one of the parameters adminPin, certificateValidUntil, maxClients,')
    expect(await json(...add, '{"maxClients":2}')).toEqual({ scuId: expect.stringMatching(ID) })
  })
})

describe('scu switch', () => {
  it('marks both units with each other; the newest plan counts', async () => {
    const words = ['cashbox', 'add', '--market', 'AT', '--account']
    const box = await json(...words, String((await demo()).operator.accountId))
    const [from] = box.scuIds as string[]
    const add = ['scu', 'add', '--queue', String(box.queueId)]
    const [first, second] = [await json(...add), await json(...add)].map(({ scuId }) => scuId)
    for (const to of [first, second])
      await json('scu', 'switch', '--from', `${from}`, '--to', `${to}`)
    const sql = `select id, mode, configuration from scu where id in ('${from}', '${second}')`
    const rows = (await query(database.poolConfig, sql)) as Record<string, string>[]
    const unit = (id: unknown) => rows.find((row) => row.id === id)
    expect(unit(from)?.mode).toBe(0x1_0000)
    expect(JSON.parse(unit(from)?.configuration ?? '')).toMatchObject({ TargetScuId: second })
    expect(unit(second)?.mode).toBe(0x2_0000)
    expect(JSON.parse(unit(second)?.configuration ?? '')).toMatchObject({ SourceScuId: from })
    expect(await refused('scu', 'switch', '--from', `${from}`, '--to', `${from}`)).toContain(
      'another',
    )
    expect(await refused('scu', 'switch', '--from', NOBODY, '--to', `${from}`)).toContain(NOBODY)
  })
})

describe('possystem', () => {
  it('add gives an id, list shows everything of the account', async () => {
    const accountId = String((await demo()).operator.accountId)
    const words = ['--brand', 'ExamplePOS', '--model', 'Register 1', '--version', '1.0.0']
    const added = await json('possystem', 'add', '--account', accountId, ...words)
    const facts = { brand: 'ExamplePOS', model: 'Register 1', softwareVersion: '1.0.0' }
    const whole = { ...facts, baseCurrency: 'EUR', type: '', id: expect.stringMatching(ID) }
    expect(added).toEqual({ ...whole, accountId })
    expect(await json('possystem', 'list', '--account', accountId)).toEqual([
      { ...whole, id: added.id },
    ])
  })

  it('refuses an account that is not there, and what master data cannot hold', async () => {
    const words = ['possystem', 'add', '--brand', 'B', '--model', 'M', '--version', '1']
    expect(await refused(...words, '--account', NOBODY)).toContain('There is no account')
    const own = ['--account', String((await demo()).operator.accountId)]
    expect(await refused(...words, ...own, '--currency', 'euro')).toContain('baseCurrency')
    expect(await refused(...words, ...own, '--type', 'x'.repeat(51))).toContain('at most 50')
  })
})

describe('pin', () => {
  it('create gives four digits that lead to the cash box for five minutes', async () => {
    const { cashBoxId: box = '' } = (await demo()).box
    const made = await json('pin', 'create', '--cashbox', box)
    expect(made).toEqual({
      cashBoxId: box,
      pin: expect.stringMatching(/^\d{4}$/),
      expiresAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    })
    const left = Date.parse(String(made.expiresAt)) - Date.now()
    expect(left).toBeGreaterThan(4 * 60_000)
    expect(left).toBeLessThanOrEqual(5 * 60_000 + 1000)
    const said = await run('pin', 'create', '--cashbox', box.toUpperCase())
    expect(said.stdout).toMatch(/^PIN {2}\d{4}\ngood until {2}\d{4}-\d\d-\d\dT[\d:.]+Z\n$/)
  })

  it('refuses a cash box that is not there', async () => {
    expect(await refused('pin', 'create', '--cashbox', NOBODY)).toContain('There is no cash box')
  })
})

describe('fault', () => {
  const STEPS = [{ do: 'unreachable', calls: 2 }, { do: 'delay', ms: 100 }, { do: 'error' }]

  it('set, show and clear answer with the unit and its steps', async () => {
    const { scu } = await demo()
    const set = await json('fault', 'set', '--scu', scu, '--script', JSON.stringify(STEPS))
    expect(set).toEqual({ scuId: scu, steps: STEPS })
    expect(await json('fault', 'show', '--scu', scu.toUpperCase())).toEqual(set)
    const lines = STEPS.map((step) => `${JSON.stringify(step)}\n`).join('')
    expect((await run('fault', 'show', '--scu', scu)).stdout).toBe(lines)
    expect(await json('fault', 'clear', '--scu', scu)).toEqual({ scuId: scu, steps: [] })
    expect((await run('fault', 'show', '--scu', scu)).stdout).toBe('no faults\n')
  })

  it.each([
    ['[]', 'steps is not valid: expected a list of 1 to 100 steps.'],
    ['{}', 'steps is not valid: expected a list of 1 to 100 steps.'],
    ['[{"do":"explode"}]', 'steps[0].do is not valid: expected one of unreachable, error,'],
    ['[{"do":"memory-full"}]', 'steps[0].do is not valid: expected one of unreachable, error,'],
    ['[{"do":"error","calls":0}]', 'steps[0].calls is not valid: expected a whole number from 1'],
    ['[{"do":"delay"}]', 'steps[0].ms is not valid: expected milliseconds'],
    ['[{"do":"error","times":1}]', 'steps[0] is not valid: expected {"do":…'],
    ['[7]', 'steps[0] is not valid: expected {"do":…'],
  ])('a script that is none is refused: %s', async (script, says) => {
    const { scu } = await demo()
    expect(await refused('fault', 'set', '--scu', scu, '--script', script)).toContain(says)
  })

  it('a unit that is not there, and production, are refused', async () => {
    const { scu } = await demo()
    expect(await refused('fault', 'clear', '--scu', NOBODY)).toContain(NOBODY)
    const production = { ...env, ENVIRONMENT: 'production' }
    const said = await command(['fault', 'show', '--scu', scu], production)
    expect(said).toMatchObject({ code: 1, stderr: expect.stringContaining('sandbox only') })
  })
})

describe('settings', () => {
  it('each wrong one is a line of its own', async () => {
    const wrong = { ...env, PORT: 'high', ENVIRONMENT: 'prod', BODY_LIMIT: '-1' }
    const { code, stdout, stderr } = await command(['dealer', 'list'], wrong)
    expect([code, stdout]).toEqual([1, ''])
    const names = stderr
      .trimEnd()
      .split('\n')
      .map((line) => line.split(': ')[1])
    expect(names.sort()).toEqual(['BODY_LIMIT', 'ENVIRONMENT', 'PORT'])
  })

  it('a master key that is not the one of the data is told as that', async () => {
    await demo()
    const other = { ...env, MASTER_KEY: Buffer.alloc(32, 7).toString('base64') }
    const { code, stderr } = await command(['demo'], other)
    expect(code).toBe(1)
    expect(stderr).toMatch(/^fiskalwerk: The master key is not the one .*: set MASTER_KEY .*\n$/)
  })
})
