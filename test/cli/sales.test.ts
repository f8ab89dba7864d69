// Selling by the command line beside a running server: entitlements, plans and templates that it
// stores are used up and worked off by the server's own worker; what dealers opt in to.
import { writeFile } from 'node:fs/promises'
import * as path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeThrowAwayFolder, removeThrowAwayFolder } from '../../scripts/throw-away-cluster.js'
import { command, type Running, start } from '../support/command.js'
import { prepareCluster } from '../support/prepared-cluster.js'

/** A job is taken up when it is placed; the machine may be busy. */
const PATIENCE_MS = 60_000

let folder: string
let env: Record<string, string>
let server: Running
let address: string
let dealer: Account
beforeAll(async () => {
  folder = makeThrowAwayFolder()
  env = { DATA_DIR: path.join(folder, 'data'), DATABASE_URL: '', MASTER_KEY: '', PORT: '0' }
  prepareCluster(env.DATA_DIR ?? '')
  server = start(['serve'], env)
  await server.until('first receipt')
  address = /address +(\S+)/.exec(server.said.stdout)?.[1] ?? ''
  dealer = await newDealer('Huber')
}, PATIENCE_MS)
afterAll(async () => {
  server.signal('SIGTERM')
  await server.ended
  await removeThrowAwayFolder(folder)
}, PATIENCE_MS)

interface Account {
  accountId: string
  accessToken: string
}
type Row = Record<string, unknown>

/** The one document on stdout; nothing else there, nothing on stderr. */
async function json<T = Row>(...words: string[]): Promise<T> {
  const { code, stdout, stderr } = await command([...words, '--json'], env)
  expect([code, stderr, stdout.trimEnd().split('\n').length]).toEqual([0, '', 1])
  return JSON.parse(stdout) as T
}

/** What it is refused for. */
async function refused(...words: string[]): Promise<string> {
  const { code, stdout, stderr } = await command(words, env)
  expect([code, stdout]).toEqual([1, ''])
  return stderr
}

const newDealer = (name: string, ...more: string[]) =>
  json<Account>(
    ...['dealer', 'create', '--name', name, '--market', 'AT'],
    ...['--email', `${name.toLowerCase()}@example.at`, ...more],
  )

async function call<T = Row>(line: string, body?: unknown, as = dealer) {
  const [method = 'GET', url = ''] = line.split(' ')
  const reply = await fetch(`${address}/api/${url}`, {
    method,
    headers: {
      ...{ accountid: as.accountId, accesstoken: as.accessToken },
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  return { status: reply.status, json: (await reply.json()) as T }
}

async function file(name: string, content: unknown): Promise<string> {
  const where = path.join(folder, name)
  await writeFile(where, typeof content === 'string' ? content : JSON.stringify(content))
  return where
}

const TILL = {
  ftCashBoxId: '|[cashbox_id]|',
  ftSignaturCreationDevices: [{ Id: '|[scu0_id]|', Package: 'fiskalwerk.SCU.AT.Software' }],
  ftQueues: [{ Id: '|[queue0_id]|', Package: 'fiskalwerk.Queue' }],
}

const planOf = (number: string, entitlement: string, cashBoxTemplateId?: string) => ({
  ...{ number, title: `Plan ${number}`, rolloutType: 'Outlet' },
  includedProducts: [
    { number: `4154-02${number.slice(-4)}`, name: 'P', entitlement, cashBoxTemplateId },
  ],
})

/** Everything that an order needs, by commands; its number. */
async function ordered(number: string, content: unknown): Promise<string> {
  const name = `AT_PLAN_${number}`
  const templates = await file(`${number}-template.json`, { name, content })
  const [template] = await json<{ id: string }[]>(
    ...['template', 'import', templates, '--account', dealer.accountId],
  )
  const plans = await file(`${number}-plan.json`, [planOf(number, name, template?.id)])
  await json('plan', 'import', plans)
  await grant(name, '1')
  const reply = await call(`POST posoperators/${dealer.accountId}/produce/outlets`, {
    ...{ rolloutPlanNumber: number, outletNumbers: [1] },
  })
  expect(reply).toMatchObject({ status: 200 })
  return String(reply.json.orderNumber)
}

const grant = (name: string, terms: string) =>
  json('entitlement', 'grant', '--account', dealer.accountId, '--name', name, '--terms', terms)

const order = async (number: string) => (await call(`GET orders/${number}`)).json
const entitlements = async () => (await call<Row[]>('GET entitlements')).json

describe('entitlement grant', () => {
  it('answers the entitlement, which the server lists at once, summed up', async () => {
    expect(await grant('AT_SUM', '10')).toMatchObject({
      ...{ accountId: dealer.accountId, market: 'AT', name: 'AT_SUM' },
      ...{ totalTerms: 10, remainingTerms: 10, validTo: null },
    })
    await grant('AT_SUM', '2.50')
    expect(await entitlements()).toContainEqual({
      ...{ name: 'AT_SUM', totalTerms: 12.5, remainingTerms: 12.5 },
    })
    const words = ['entitlement', 'grant', '--account', dealer.accountId, '--name', 'AT_OVER']
    await json(...words, '--terms', '3', '--until', '2020-01-01T00:00:00Z')
    expect(await entitlements()).not.toContainEqual(expect.objectContaining({ name: 'AT_OVER' }))
    const said = await command([...words, '--terms', '5'], env)
    expect(said).toEqual({ code: 0, stdout: '5 terms of AT_OVER\n', stderr: '' })
  })

  it('refuses an account that is not there, and what is no number of terms', async () => {
    const nobody = '00000000-0000-4000-8000-000000000000'
    const words = ['entitlement', 'grant', '--account', nobody, '--name', 'X']
    expect(await refused(...words, '--terms', '1')).toContain(`There is no account ${nobody}`)
    for (const terms of ['0', '-1', '1.234', 'many']) {
      expect((await command([...words, `--terms=${terms}`], env)).code, terms).toBe(2)
    }
  })
})

describe('plan import', () => {
  it('answers what was stored; one of the same number is replaced and keeps its id', async () => {
    const first = await json<Row[]>(
      'plan',
      'import',
      await file('a.json', [planOf('4154-0101', 'A')]),
    )
    expect(first).toMatchObject([{ number: '4154-0101', rolloutType: 'Outlet', acountId: null }])
    const changed = { ...planOf('4154-0101', 'A'), title: 'Changed' }
    const second = await json<Row[]>('plan', 'import', await file('a.json', [changed]))
    expect(second).toEqual([{ ...first[0], title: 'Changed' }])
    expect((await call('GET rolloutplans/number/4154-0101')).json).toEqual(second[0])
    const said = await command(['plan', 'import', path.join(folder, 'a.json')], env)
    expect(said.stdout).toBe('4154-0101  Changed\n')
  })

  it.each([
    ['no list', { number: '4154-0102' }, 'expected array'],
    ['another number', [planOf('4154-1', 'A')], '0.number'],
    ['an unknown member', [{ ...planOf('4154-0102', 'A'), colour: 'red' }], 'colour'],
    [
      'two entitlements for Queues',
      [
        {
          ...planOf('4154-0102', 'A'),
          rolloutType: 'Queue',
          includedProducts: ['A', 'B'].map((entitlement) => ({
            ...{ number: entitlement, name: entitlement, entitlement },
          })),
        },
      ],
      'one entitlement',
    ],
  ])('refuses %s, and stores nothing', async (_, content, says) => {
    const good = planOf('4154-0103', 'A')
    const list = Array.isArray(content) ? [good, ...content] : content
    expect(await refused('plan', 'import', await file('bad.json', list))).toContain(
      says.replace('0.', '1.'),
    )
    expect((await call('GET rolloutplans/number/4154-0103')).status).toBe(404)
  })

  it('of a file that is not there or no JSON is wrong usage', async () => {
    expect(await command(['plan', 'import', path.join(folder, 'none')], env)).toMatchObject({
      ...{ code: 2, stderr: expect.stringContaining('cannot be read (ENOENT)') },
    })
    expect(await command(['plan', 'import', await file('x.json', '{')], env)).toMatchObject({
      ...{ code: 2, stderr: expect.stringContaining('is no JSON') },
    })
  })
})

/** The line of the bar is gone. */
const ERASE = '\r\u001b[K'
const HEADER =
  'AccountName;AccountEMail;AccountAddressLine1;AccountPostalCode;AccountCity;AccountCountry;' +
  'ContactFirstName;ContactLastName;ContactEMail'
const shop = (at: number, email = `office${at}@shop.example`) =>
  `Shop ${at};${email};Ring ${at};1010;Wien;AT;Ida;Lenz;ida${at}@shop.example`
const csv = (name: string, rows: readonly string[]) => file(name, [HEADER, ...rows, ''].join('\n'))

describe('dealer import', () => {
  const pending = async () => (await call<Row[]>('GET pos-operators-invitation')).json.length

  it('stores the rows of a file, says what is wrong by line, or looks only', async () => {
    const words = ['--account', dealer.accountId]
    const wrong = await csv('wrong.csv', [shop(1), shop(2, '')])
    const said = await command(['dealer', 'import', wrong, ...words], env)
    expect(said).toMatchObject({ code: 1, stderr: '' })
    expect(said.stdout).toMatch(/^Line 3: .+\n$/)
    const twice = await csv('twice.csv', [shop(1), shop(1)])
    const faults = await command(['dealer', 'import', twice, ...words, '--json'], env)
    expect(JSON.parse(faults.stdout)).toMatchObject({
      ...{ ok: false, faults: ['Line 3: ida1@shop.example is on line 2 as well'] },
    })
    const right = await csv('right.csv', [shop(1), shop(2)])
    const done = { ok: true, created: 2, skipped: [] }
    expect(await json('dealer', 'import', right, ...words, '--dry-run')).toEqual(done)
    expect(await pending()).toBe(0)
    expect(await json('dealer', 'import', right, ...words)).toEqual(done)
    expect(await pending()).toBe(2)
    const audit = ['audit', 'list', '--operation', 'dealer import', ...words]
    expect(await json<Row[]>(...audit)).toMatchObject([{ subjects: { created: 2 } }])
  })

  it('on a terminal a bar says how far it is, and is gone at the end', async () => {
    const rows = Array.from({ length: 2_000 }, (_, at) => shop(at + 10))
    const words = ['dealer', 'import', await csv('many.csv', rows), '--account', dealer.accountId]
    const own = Object.getOwnPropertyDescriptor(process.stderr, 'isTTY')
    Object.defineProperty(process.stderr, 'isTTY', { value: true, configurable: true })
    try {
      const { code, stdout, stderr } = await command([...words, '--dry-run'], env)
      expect([code, stdout]).toEqual([0, '2000 invitations would be stored, 0 known already\n'])
      expect(stderr).toContain('1000 rows checked')
      expect(stderr.endsWith(ERASE)).toBe(true)
    } finally {
      if (own === undefined) Reflect.deleteProperty(process.stderr, 'isTTY')
      else Object.defineProperty(process.stderr, 'isTTY', own)
    }
  })

  it('refuses an account of no dealer, and a file that is not there', async () => {
    const nobody = '00000000-0000-4000-8000-000000000000'
    const right = await csv('nobody.csv', [shop(1)])
    expect(await refused('dealer', 'import', right, '--account', nobody)).toContain('no account')
    const lost = ['dealer', 'import', 'lost.csv', '--account', dealer.accountId]
    expect(await command(lost, env)).toMatchObject({
      ...{ code: 2, stderr: expect.stringContaining('lost.csv cannot be read (ENOENT)') },
    })
  })
})

describe('template import', () => {
  it('answers what was stored; one of the same name is replaced and keeps its id', async () => {
    const words = ['--account', dealer.accountId]
    const one = { name: 'Till', mode: 'publicForDealers', content: TILL }
    const [first] = await json<Row[]>('template', 'import', await file('t.json', one), ...words)
    expect(first).toMatchObject({ name: 'Till', productNumber: '4154-028000' })
    const again = [{ ...one, description: 'New' }]
    expect(await json('template', 'import', await file('t.json', again), ...words)).toEqual([first])
    const listed = (await call<Row[]>('GET templates')).json.filter(({ id }) => id === first?.id)
    expect(listed).toMatchObject([
      { description: 'New', mode: 0x40, deactivated: false, ownerAccountId: dealer.accountId },
    ])
    expect(JSON.parse(String(listed[0]?.content))).toEqual(TILL)
    const audit = ['audit', 'list', '--operation', 'template import', ...words]
    expect(await json<Row[]>(...audit)).toContainEqual(
      expect.objectContaining({ subjects: { templateId: first?.id } }),
    )
  })

  it('refuses what has no owner or no name, and stores nothing of the file', async () => {
    const nameless = await file('n.json', [{ name: 'Lost', content: TILL }, { content: TILL }])
    expect(await refused('template', 'import', nameless)).toContain('1.name')
    const owned = await file('o.json', { name: 'Mine', content: TILL })
    expect(await refused('template', 'import', owned)).toContain('account')
    const names = (await call<Row[]>('GET templates')).json.map(({ name }) => name)
    for (const name of ['Lost', 'Mine']) expect(names).not.toContain(name)
  })
})

describe('an order', { timeout: PATIENCE_MS }, () => {
  it('is worked off by the running server: its CashBox is there and its token good', async () => {
    const number = await ordered('4154-0201', TILL)
    await expect
      .poll(() => order(number), { timeout: PATIENCE_MS })
      .toMatchObject({
        ...{ salesOrderState: 3, productionState: 80 },
      })
    expect(await entitlements()).not.toContainEqual(
      expect.objectContaining({ name: 'AT_PLAN_4154-0201' }),
    )
    const [line = {}] = (await order(number)).subscriptions as Row[]
    const echo = await fetch(`${address}/${line.relatedQueueID}/json/v1/echo`, {
      method: 'POST',
      headers: {
        cashboxid: String(line.relatedCashboxID),
        accesstoken: String(line.relatedCashboxAccessToken),
      },
      body: '{"message":"hello"}',
    })
    expect(await echo.text()).toBe('{"message":"hello"}')
    const words = ['order', 'cancel', '--account', dealer.accountId, '--number', number]
    expect(await refused(...words)).toContain(number)
  })

  it('that fails is shown, keeps what it used up, and gives it back when canceled', async () => {
    const broken = { ...TILL, ftQueues: [{ Id: '|[queue0_id]|', Package: 'nobody.Queue' }] }
    const number = await ordered('4154-0202', broken)
    await expect
      .poll(() => order(number), { timeout: PATIENCE_MS })
      .toMatchObject({
        ...{ salesOrderState: 1, productionState: 110 },
      })
    const free = { name: 'AT_PLAN_4154-0202', totalTerms: 1, remainingTerms: 1 }
    expect(await entitlements()).not.toContainEqual(free)
    const words = ['order', 'cancel', '--account', dealer.accountId]
    const done = { orderNumber: number, state: 2 }
    expect(await json(...words, '--number', number.toLowerCase())).toEqual(done)
    expect(await order(number)).toMatchObject({ salesOrderState: 2 })
    expect(await entitlements()).toContainEqual(free)
    expect(await refused(...words, '--number', number)).toContain(number)
    expect(await refused(...words, '--number', 'ORD-00000-A0A0A0')).toContain('ORD-00000-A0A0A0')
  })
})

describe('dealer create --auto-invite', () => {
  const invited = (name: string, as: Account) =>
    call(
      'POST posoperators/autoinvite',
      {
        company: {
          ...{ name, email: `${name}@shop.example`, addressLine1: 'Ring 1' },
          ...{ postalCode: '1010', city: 'Wien', country: 'AT' },
        },
        primaryContact: { firstName: 'A', lastName: 'B', email: `${name}@contact.example` },
        accessRights: 'Full',
      },
      as,
    )

  it('yes, and the sandbox by itself, opt in: merchants are connected at once', async () => {
    for (const [name, ...more] of [['Usual'], ['Willing', '--auto-invite', 'yes']] as const) {
      const account = await newDealer(name, ...more)
      expect(await invited(name, account)).toMatchObject({ status: 200 })
      const list = (await call<Row[]>('GET posoperators', undefined, account)).json
      expect(list).toMatchObject([{ name }])
    }
  })

  it('no is refused with 403, and nobody is connected', async () => {
    const account = await newDealer('Unwilling', '--auto-invite', 'no')
    expect(await invited('Unwilling', account)).toMatchObject({
      ...{ status: 403, json: { Code: 'AutoInvitationRoleRequired' } },
    })
    expect((await call('GET posoperators', undefined, account)).json).toEqual([])
    const list = await json<Row[]>('dealer', 'list')
    const row = list.find(({ accountId }) => accountId === account.accountId)
    expect(row).toMatchObject({ autoInvite: false, roles: ['PosDealer', 'PosDealerRksvSign'] })
  })

  it('is also a role by its name', async () => {
    const account = await newDealer('Named', '--roles', 'PosDealerAutoInvitation')
    expect(await invited('Named', account)).toMatchObject({ status: 200 })
  })
})
