// The quick starts and the package @fiskalwerk/client, run against a server whose answers are lost
// on their way: each sale is signed once, and every digit arrives.
import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ForgetfulProxy, forgetfulProxy } from '../support/forgetful-proxy.js'
import { openShop, type Shop } from '../support/shop.js'

const run = promisify(execFile)
const root = join(dirname(fileURLToPath(import.meta.url)), '../..')
const modules = join(root, 'node_modules')
const starts = join(root, 'docs/quick-start')

interface Settings {
  url: string
  tries?: number
  pauseMs?: number
  fetch?: typeof fetch
}
type Till = Record<'cashBoxId' | 'accessToken', string>
interface Options {
  body: object
  operationId?: string
  signal?: AbortSignal
}
interface Client {
  post(address: string, options: Options): Promise<Record<string, unknown>>
}

/** What is used here of the built package; its own types are checked with the program. */
interface Package {
  posSystem(till: Till & { posSystemId: string }, settings: Settings): Client
  middleware(till: Till, settings: Settings): Client
  Refused: new () => Error
  Lost: new () => Error
  readJson(text: string): unknown
  writeJson(value: unknown): string
}

let shop: Shop
let proxy: ForgetfulProxy
let folder: string
let client: Package
let env: Record<string, string>
beforeAll(async () => {
  shop = await openShop({}, undefined, { countries: ['AT'] })
  proxy = await forgetfulProxy(shop.url)
  const { cashBoxId, accessToken } = shop.box
  const PATH = process.env.PATH ?? ''
  env = { PATH, FISKALWERK_URL: proxy.url, CASHBOX_ID: cashBoxId, ACCESS_TOKEN: accessToken }
  // below the packages, so that compilers find them
  await mkdir(join(modules, '.cache'), { recursive: true })
  folder = await mkdtemp(join(modules, '.cache/quick-'))
  const home = join(folder, 'node_modules/@fiskalwerk/client')
  await run(process.execPath, [join(root, 'scripts/setup.mjs'), 'build', '--quiet'])
  await run(process.execPath, [join(root, 'scripts/client-build.mjs'), home])
  client = await import(join(home, 'index.js'))
}, 120_000)
afterAll(async () => {
  await shop?.close()
  await proxy?.close()
  await rm(folder, { recursive: true, force: true })
})

const TSCONFIG = {
  compilerOptions: {
    ...{ target: 'es2022', module: 'nodenext', strict: true, exactOptionalPropertyTypes: true },
    ...{ types: ['node'], typeRoots: [join(modules, '@types')] },
  },
  include: ['sale.ts'],
}

async function compiled(): Promise<string> {
  await cp(join(starts, 'sale.ts'), join(folder, 'sale.ts'))
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }')
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(TSCONFIG))
  await run(process.execPath, [join(modules, 'typescript/bin/tsc'), '-p', folder])
  return join(folder, 'sale.js')
}

const CSPROJ =
  '<Project Sdk="Microsoft.NET.Sdk"><PropertyGroup><OutputType>Exe</OutputType>' +
  '<TargetFramework>net8.0</TargetFramework><RollForward>LatestMajor</RollForward>' +
  '<Nullable>enable</Nullable><ImplicitUsings>enable</ImplicitUsings></PropertyGroup></Project>'

/**
 * As the page of the quick start makes it: `dotnet new console`, and this file. Without .NET by the
 * compiler of mono, which knows C# 7 and gets what it lacks from a file of the tests.
 */
async function csharp(): Promise<Line | undefined> {
  const home = join(folder, 'csharp')
  await mkdir(home)
  if (await has('dotnet')) return ['dotnet', await built(home)]
  if (!(await has(MONO))) return undefined
  const program = join(home, 'sale.exe')
  const references = ['-r:System.Net.Http', '-r:System.Json']
  const sources = [join(starts, 'Sale.cs'), join(root, 'test/support/csharp/json-nodes.cs')]
  await run('mcs', ['-warnaserror', ...references, `-out:${program}`, ...sources])
  return ['mono', program]
}

const LIBRARIES = '/usr/lib/mono/4.5/System'
const MONO = `mcs && command -v mono && ls ${LIBRARIES}.Json.dll ${LIBRARIES}.Net.Http.dll`

async function built(home: string): Promise<string> {
  await writeFile(join(home, 'sale.csproj'), CSPROJ)
  await cp(join(starts, 'Sale.cs'), join(home, 'Program.cs'))
  await run('dotnet', ['build', '--nologo', '-o', join(home, 'out'), home])
  return join(home, 'out/sale.dll')
}

/** A language whose program this machine has not cannot be run on it. */
async function has(program: string): Promise<boolean> {
  return run('sh', ['-c', `command -v ${program}`]).then(
    () => true,
    () => false,
  )
}

const receipts = async () => {
  const text = `select count(*)::int as n from queue_item where queue_id = $1`
  const { rows } = await shop.deps.store.pool.query(text, [shop.box.queueId])
  return rows[0].n as number
}

type Line = [program: string, ...words: string[]]
/** How a program of each language is called here; undefined: this machine has not what it needs. */
const LANGUAGES: Record<string, () => Promise<Line | undefined>> = {
  javascript: async () => [process.execPath, join(starts, 'sale.mjs')],
  typescript: async () => [process.execPath, await compiled()],
  python: () => where('python3', ['python3', join(starts, 'sale.py')]),
  java: () => where('javac', ['java', join(starts, 'Sale.java')]),
  php: () => where('php && php -m | grep -qx curl', ['php', join(starts, 'sale.php')]),
  csharp,
}

const where = async (program: string, line: Line): Promise<Line | undefined> =>
  (await has(program)) ? line : undefined

describe('quick starts', { timeout: 120_000 }, () => {
  const starting = Object.keys(LANGUAGES)
  it.each(starting)('%s: signs once and hands over, whatever is lost', async (language) => {
    const line = await LANGUAGES[language]?.()
    if (line === undefined) {
      console.log(`The quick start in ${language} is NOT RUN: nothing here compiles or runs it.`)
      return
    }
    const [program, ...words] = line
    const before = await receipts()
    proxy.lose('/v2/sign', '/v2/issue')
    const { stdout } = await run(program, words, { env })
    const [identification, address = ''] = stdout.trim().split('\n')
    expect(identification).toMatch(/^ft[0-9A-F]+#\d+$/)
    expect(await receipts()).toBe(before + 1)
    const page = await fetch(address, { headers: { accept: 'text/html' } })
    expect(page.status).toBe(200)
  })

  it('there is one for every program of their folder, and the page lists them', async () => {
    const files = (await readdir(starts)).filter((name) => !name.endsWith('.md'))
    expect(files).toHaveLength(starting.length)
    const page = await readFile(join(starts, 'README.md'), 'utf8')
    for (const file of files) expect(page).toContain(`(${file})`)
  })
})

const till = (settings: Partial<Settings> = {}) => {
  const { cashBoxId, accessToken } = shop.box
  const posSystemId = 'test'
  return client.posSystem(
    { cashBoxId, accessToken, posSystemId },
    { url: proxy.url, pauseMs: 1, ...settings },
  )
}
const sale = (reference: string) => ({
  cbReceiptReference: reference,
  cbReceiptMoment: '2026-01-31T10:15:00Z',
  cbChargeItems: [{ Quantity: 1, Description: 'Tea', Amount: 3.2, VATRate: 20 }],
  cbPayItems: [{ Description: 'Cash', Amount: 3.2 }],
})

describe('the client', () => {
  it('has at most five kilobytes', async () => {
    const { size } = await stat(join(folder, 'node_modules/@fiskalwerk/client/index.js'))
    expect(size).toBeLessThanOrEqual(5 * 1024)
  })

  it('sends a call whose answer is lost again under the same id, until there is one', async () => {
    const before = await receipts()
    const from = proxy.seen.length
    proxy.lose('/v2/sign', '/v2/sign', '/v2/sign')
    const answer = await till().post('/v2/sign', { body: sale('lost-1') })
    const ids = proxy.seen.slice(from).map(({ headers }) => headers['x-operation-id'])
    expect(ids).toHaveLength(4)
    expect(new Set(ids).size).toBe(1)
    expect(await receipts()).toBe(before + 1)
    expect(answer.ftState).toBe(0x4154_2000_0000_0000n)
    expect(answer.ftQueueRow).toBeTypeOf('bigint')
  })

  it('says so when no answer arrives at all, with the id to ask by', async () => {
    proxy.lose('/v2/sign', '/v2/sign')
    const operationId = crypto.randomUUID()
    const body = sale('lost-2')
    const call = till({ tries: 2 }).post('/v2/sign', { body, operationId })
    await expect(call).rejects.toMatchObject({ name: 'Lost', operationId })
    const again = await till().post('/v2/sign', { body, operationId })
    expect(again.cbReceiptReference).toBe('lost-2')
  })

  it('does not send again what was refused, and gives code and reason', async () => {
    const from = proxy.seen.length
    const call = till().post('/v2/sign', { body: { ...sale('refused'), cbReceiptMoment: 'now' } })
    await expect(call).rejects.toMatchObject({ status: 400, code: 'validation_failed' })
    await expect(call).rejects.toBeInstanceOf(client.Refused)
    expect(proxy.seen.length - from).toBe(1)
  })

  it('does not repeat what has no id', async () => {
    const from = proxy.seen.length
    const { cashBoxId, accessToken, queueId } = shop.box
    const path = `/${queueId}/json/v1/sign`
    proxy.lose(path)
    const group = client.middleware({ cashBoxId, accessToken }, { url: proxy.url, pauseMs: 1 })
    const body = { ...sale('old-1'), ftReceiptCase: 0x4154_0000_0000_0001n }
    await expect(group.post(path, { body })).rejects.toBeInstanceOf(client.Lost)
    expect(proxy.seen.length - from).toBe(1)
  })

  it('waits as long as a busy server asks for, and no call ends after its signal', async () => {
    const answers = [503, 429, 200]
    const busy: typeof fetch = async () => {
      const status = answers.shift() ?? 200
      const headers = { 'content-type': 'application/json', 'retry-after': '0' }
      return new Response('{"Message":"hello"}', { status, headers })
    }
    const echo = till({ fetch: busy }).post('/v2/echo', { body: { Message: 'hello' } })
    expect(await echo).toEqual({ Message: 'hello' })
    expect(answers).toEqual([])
    const signal = AbortSignal.abort(new Error('enough'))
    const late = till().post('/v2/echo', { body: {}, signal })
    await expect(late).rejects.toThrow('enough')
  })

  it('reads and writes integers of 64 bits digit by digit, and leaves texts alone', () => {
    const text = '{"ftState":4707422694881099777,"n":12,"a":"say \\"9007199254740993\\"","d":1.5}'
    const value = client.readJson(text)
    expect(value).toEqual({
      ...{ ftState: 4707422694881099777n, n: 12, d: 1.5 },
      a: 'say "9007199254740993"',
    })
    expect(client.writeJson(value)).toBe(text)
    expect(client.readJson('{"ftState":0,"list":[-9007199254740993,1e400]}')).toEqual({
      ftState: 0n,
      list: [-9007199254740993n, Number.POSITIVE_INFINITY],
    })
  })
})
