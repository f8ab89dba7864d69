// Every example of the documentation and every line of the demo works against a real server.
// `UPDATE_EXAMPLES=1 npx vitest run test/examples.test.ts` writes docs/examples/**/out anew.
// The server has a data folder of its own: some examples use commands beside it.
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeThrowAwayFolder, removeThrowAwayFolder } from '../scripts/throw-away-cluster.js'
import { lesson, variables } from '../src/cli/demo.js'
import { shortId } from '../src/lib/id.js'
import { markets } from '../src/market/index.js'
import { migrate } from '../src/postgres/migrate.js'
import { type CommandDoor, openCommandDoor } from './support/command-door.js'
import { open, quietLog } from './support/data-folder.js'
import { prepareCluster } from './support/prepared-cluster.js'
import { openShop, type Shop } from './support/shop.js'

/**
 * A folder per market, named by its code in small letters; the scripts of any other folder are for
 * every market, but for those that see to all markets by themselves.
 */
const ALONE = ['dealer']
const FOLDER = resolve('docs/examples')
const NUMBERED = /^\d\d-.*\.sh$/

interface Example {
  folder: string
  name: string
  market: string
  /** What it answers, below docs/examples. */
  golden: string
}

async function examplesIn(folder: string): Promise<Example[]> {
  const names = (await readdir(join(FOLDER, folder))).filter((name) => NUMBERED.test(name)).sort()
  const alone = ALONE.includes(folder)
  const own = alone || folder.toUpperCase() in markets
  const codes = own ? [alone ? 'AT' : folder.toUpperCase()] : Object.keys(markets).sort()
  return codes.flatMap((market) =>
    names.map((name) => {
      const out = own ? `${folder}/out` : `${folder}/out/${market.toLowerCase()}`
      return { folder, name, market, golden: `${out}/${name.replace(/\.sh$/, '.txt')}` }
    }),
  )
}

const entries = await readdir(FOLDER, { withFileTypes: true })
const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name)
// those of the markets first: they are numbered from the end of the demo on
const shared = folders.filter((name) => !(name.toUpperCase() in markets))
const examples = await Promise.all(
  [...folders.filter((name) => !shared.includes(name)).sort(), ...shared.sort()].map(examplesIn),
).then((found) => found.flat())
const scripts = examples.map((one) => [one.folder, one.name, one.market, one] as const)

/** Those of each file, market by market. */
const files = [...new Set(scripts.map(([folder, name]) => join(folder, name)))].map((file) =>
  scripts.filter(([folder, name]) => join(folder, name) === file),
)
const once = files.flatMap((rows) => rows.slice(0, 1))
/** Files for every market, with each of them. */
const again = scripts.filter(([folder]) => shared.includes(folder))

let dataFolder: string
/** What server and commands have in common. */
let settings: Record<string, string>
let shop: Shop
let commands: CommandDoor
/** What scripts call in place of npx, where it need not be the real one. */
let programs: string
beforeAll(async () => {
  dataFolder = prepareCluster(makeThrowAwayFolder())
  settings = {
    DATA_DIR: dataFolder,
    DATABASE_URL: '',
    MASTER_KEY: randomBytes(32).toString('base64'),
  }
  const { poolConfig, stop } = await open(dataFolder)
  await migrate(poolConfig, quietLog)
  const database = { config: poolConfig, drop: stop }
  shop = await openShop(settings, undefined, { database })
  programs = await mkdtemp(join(tmpdir(), 'fiskalwerk-programs-'))
  commands = await openCommandDoor(programs)
  const npx = `#!/usr/bin/env bash\n[ "$1" = fiskalwerk ] || exit 2; shift; ${commands.line}\n`
  await writeFile(join(programs, 'npx'), npx, { mode: 0o755 })
})
afterAll(async () => {
  await shop.close()
  await commands.close()
  await rm(programs, { recursive: true })
  await removeThrowAwayFolder(dataFolder)
})

interface Run {
  code: number | null
  output: string
}

function bash(args: string[], options: { cwd: string; env: Record<string, string> }): Promise<Run> {
  return new Promise((done) => {
    const child = spawn('bash', args, {
      cwd: options.cwd,
      env: { ...process.env, npm_config_update_notifier: 'false', ...options.env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const parts: Buffer[] = []
    const errors: Buffer[] = []
    child.stdout.on('data', (part: Buffer) => parts.push(part))
    child.stderr.on('data', (part: Buffer) => errors.push(part))
    child.on('close', (code) => {
      const output = Buffer.concat(parts).toString()
      done({ code, output: code === 0 ? output : output + Buffer.concat(errors).toString() })
    })
  })
}

/** The country whose scripts call the real npx, and whose line of the demo the real command. */
const WHOLE = 'AT'

/** Variables of a script. */
function called(market: string): Record<string, string> {
  const path = market === WHOLE ? {} : { PATH: `${programs}:${process.env.PATH ?? ''}` }
  return { ...environment(market), ...path }
}

/** The variables as the demo prints them for a shell, and the settings of the server. */
function environment(market: string): Record<string, string> {
  const text = variables(shop.demo, shop.url, market)
  const shown = [...text.matchAll(/^export (\w+)='(.*)'$/gm)].map(([, k, v]) => [k, v])
  return { ...settings, ...Object.fromEntries(shown) }
}

/** Names of the registers, which are made from the ids of their queues. */
function named(output: string): string {
  const names = shop.demo.cashBoxes.map(({ queueId }) => shortId(queueId))
  return names.reduce((text, name) => text.replaceAll(name, '<identification>'), output)
}

/** Cuts out what is different in every run. */
function masked(output: string): string {
  return named(output)
    .replace(/\r\n/g, '\n')
    .replaceAll(shop.url, '<address>')
    .replace(/\bstart-[0-9a-f-]{36}/g, 'start')
    .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, '<id>')
    .replace(
      /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z| UTC)(?<!2026-01-31T10:[12][05]:00Z)/g,
      '<time>',
    )
    .replace(/(_R1-AT100_)[^"]*/g, '$1<code>')
    .replace(/eyJ[\w-]+\.[\w-]+\.[\w-]+/g, '<document>')
    .replace(/\b\d\d\/\d\d\/\d{4} \d\d:\d\d:\d\d/g, '<time>')
    .replace(/\b[1-7][0-9A-F]{15}\b/g, '<serial>')
    .replace(/(?<![\w+/])[\w+/]{43}=/g, '<hash>')
    .replace(/\b[0-9a-f]{64}\b/g, '<serial>')
    .replace(/(?<![\w+/])(?:[\w+/]{86}==|[\w+/]{87}=)/g, '<base64>')
    .replace(/(CertificatesBase64\\":)\[[^\]]*\]/, '$1[<certificates>]')
    .replace(/(CurrentLogMemorySize\\":)\d+/, '$1<bytes>')
    .replace(/"\d{17}_/g, '"<moment>_')
    .replace(/("signedDataBase64":")[^"]*/g, '$1<signature>')
    .replace(/Monatsbeleg #\d+/g, 'Monatsbeleg #<month>')
}

/** Scripts for every market run behind those of the markets: their counters depend on them. */
/** What depends on queue, key, day and number in Portugal. */
function unsigned(output: string): string {
  return output
    .replace(/"[A-Za-z0-9+/]{171}="/g, '"<hash>"')
    .replace(/"\S{4} - Processado/g, '"<4> - Processado')
    .replace(/ATCUD: [A-Z0-9]{10}-\d+/g, 'ATCUD: <code>')
    .replace(/"A:\d{9}\*B:[^"]*"/g, '"<QR code>"')
    .replace(/FW[0-9A-F]{4}-\d{4}/g, 'FW<queue>')
}

/** What depends on queue and moment in Spain. */
function unchained(output: string): string {
  return (
    output
      .replace(/\b[0-9A-F]{64}\b/g, '<huella>')
      // as printed, in two lines
      .replace(/"[0-9A-F]{42}",\s+"[0-9A-F]{22}"/g, '"<huella>"')
      .replace(/FW[A-Z0-9_-]{11}(?=[01]000)/g, '<queue>')
      .replace(/A-[A-Z0-9]{14}(?=<)/g, '<csv>')
      .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+0[12]:00/g, '<time>')
  )
}

/** What depends on the device and its clock in Italy. */
function undated(output: string): string {
  if (!/99EMU|<rt-/.test(output)) return output
  return output
    .replace(/99EMU\d{6}/g, '<serial>')
    .replace(/\b\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\b/g, '<time>')
    .replace(/\b\d\d-\d\d-20\d\d(?: \d\d:\d\d)?(?![\d-])/g, '<time>')
    .replace(/(<rt-reference-doc-moment>","data":")[\d-]+/g, '$1<time>')
}

/** What depends on the document, its day and the authority's numbers in Greece. */
function unmarked(output: string): string {
  if (!output.includes('112545020')) return output
  return output
    .replace(/\b[0-9A-F]{40}\b/g, '<uid>')
    .replace(/\b4000000000\d{5}\b/g, '<mark>')
    .replace(/(112545020\|)[^"]*(?:",\s+"[^"|]*\|\d+)?"/g, '$1<number>"')
    .replace(/(<issueDate>)[\d-]+/g, '$1<day>')
    .replace(/\b\d\d\.\d\d\.\d{4} \d\d:\d\d\b/g, '<time>')
}

const maskedOnce = (output: string): string =>
  unmarked(undated(unchained(unsigned(masked(output)))))

function maskedOf(folder: string, output: string): string {
  if (!shared.includes(folder)) return maskedOnce(output)
  return (
    maskedOnce(output)
      .replace(/("(?:ftQueueRow|From|To)": )"?[\d.]+"?/g, '$1<n>')
      .replace(/("ftReceiptIdentification": )"[^"]*"/g, '$1"<number>"')
      // of the Italian device
      .replace(/(DOCUMENTO N\. )\d{4}-\d{4}/g, '$1<number>')
      .replace(/(<rt-(?:z|doc)-number>",\s+(?:"\w+": )?")\d{4}/g, '$1<n>')
      .replace(/(<id> {2})ft\S+#\S+$/gm, '$1<number>')
  )
}

/** A script may use half a dozen commands, each a process of its own. */
const PATIENCE_MS = 60_000

describe('docs/examples', { timeout: PATIENCE_MS }, () => {
  it.each(scripts)('%s/%s (%s) answers what is written beside it', async (...row) => {
    const [folder, name, market, { golden }] = row
    const run = await bash([join(FOLDER, folder, name)], {
      cwd: process.cwd(),
      env: called(market),
    })
    expect(run.code, run.output).toBe(0)
    const file = join(FOLDER, golden)
    if (process.env.UPDATE_EXAMPLES === '1') {
      await mkdir(dirname(file), { recursive: true })
      await writeFile(file, maskedOf(folder, run.output))
    }
    expect(maskedOf(folder, run.output)).toBe(await readFile(file, 'utf8'))
  })

  it.each(again)(
    '%s/%s (%s) answers the same the second time, from any folder',
    async (folder, name, market, { golden }) => {
      const file = join(FOLDER, folder, name)
      const run = await bash([file], { cwd: tmpdir(), env: called(market) })
      expect(maskedOf(folder, run.output)).toBe(await readFile(join(FOLDER, golden), 'utf8'))
    },
  )

  it('every market has a folder, and every script that is there is run', async () => {
    const own = Object.keys(markets).map((code) => code.toLowerCase())
    expect(folders).toEqual(expect.arrayContaining([...own, 'possystem', 'dealer']))
    for (const folder of folders) {
      const names = (await readdir(join(FOLDER, folder))).filter((name) => name.endsWith('.sh'))
      const run = examples.filter((one) => one.folder === folder).map(({ name }) => name)
      expect(names.filter((name) => !run.includes(name))).toEqual(
        folder === 'possystem' ? ['call.sh'] : [],
      )
    }
  })

  it('run commands where npm start keeps its data, wherever they are called from', async () => {
    const fake = await mkdtemp(join(tmpdir(), 'fiskalwerk-npx-'))
    await writeFile(join(fake, 'npx'), '#!/bin/sh\necho "in $(pwd -P)" >&2; exit 1', {
      mode: 0o755,
    })
    const path = `${fake}:${process.env.PATH ?? ''}`
    let commands = 0
    for (const [folder, name, market] of scripts) {
      const file = join(FOLDER, folder, name)
      if (!/^[^#:]*npx /m.test(await readFile(file, 'utf8'))) continue
      const run = await bash([file], { cwd: tmpdir(), env: { ...environment(market), PATH: path } })
      if (/^in /m.test(run.output)) commands += 1
      for (const [, where] of run.output.matchAll(/^in (.*)$/gm)) expect(where).toBe(resolve('.'))
    }
    expect(commands).toBeGreaterThan(3)
    await rm(fake, { recursive: true })
  })

  it.each(once)('%s/%s without its variables says how to get them', async (folder, name) => {
    const run = await bash([join(FOLDER, folder, name)], { cwd: process.cwd(), env: {} })
    expect(run.code).toBe(1)
    const variable = folder === 'dealer' ? 'DEALER_ID' : 'CASHBOX_ID'
    expect(run.output).toContain(`${variable}: is not set; first run: eval "$(npx fiskalwerk demo`)
  })
})

describe('the lines that the demo prints', { timeout: 2 * PATIENCE_MS }, () => {
  it('work when they are pasted one by one, and the export is accepted', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'fiskalwerk-demo-'))
    const bin = resolve('bin/fiskalwerk.mjs')
    const lines = lesson(shop.demo, { middleware: shop.url, possystem: shop.url })
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'))
    expect(lines).toHaveLength(5 * shop.demo.cashBoxes.length)
    const whole = shop.demo.cashBoxes.findIndex(({ market }) => market === WHOLE)
    const PATH = `${programs}:${process.env.PATH ?? ''}`
    const outputs: string[] = []
    for (const [at, text] of lines.entries()) {
      const isWhole = Math.floor(at / 5) === whole
      const line = isWhole ? text.replace('npx fiskalwerk', `node '${bin}'`) : text
      const run = await bash(['-c', line], { cwd: folder, env: { PATH } })
      expect(run, line).toMatchObject({ code: 0 })
      outputs.push(run.output)
    }
    expect(outputs[0]).toBe('{"message":"hello"}')
    expect(outputs[1]).toContain('"ftState":4707387510509010944')
    const pages: string[] = []
    for (const [at] of shop.demo.cashBoxes.entries()) {
      const address = outputs[5 * at + 2]?.trim() ?? ''
      const page = await fetch(address, { headers: { accept: 'text/html' } })
      expect([address, page.status]).toEqual([expect.stringMatching(/^http:/), 200])
      pages.push(await page.text())
      expect(outputs[5 * at + 4]).toContain('accepted')
    }
    // an Italian fiscal printer prints no code
    const coded = shop.demo.cashBoxes.map(({ market }) => market !== 'IT')
    expect(pages.map((page) => page.includes('class="qr"'))).toEqual(coded)
    await rm(folder, { recursive: true })
  })
})
