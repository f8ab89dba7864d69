// Every shell block of the README and of every page of docs/ is pasted, in the order of its page,
// into one shell beside a real server; answers that stand on a page are those that come. What does
// not end gets a time limit and an expectation; what cannot be run is named with its reason.
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeThrowAwayFolder, removeThrowAwayFolder } from '../scripts/throw-away-cluster.js'
import { variables } from '../src/cli/demo.js'
import { migrate } from '../src/store/migrate.js'
import { open, quietLog } from './support/data-folder.js'
import { type Block, blocksOf, pages } from './support/page-blocks.js'
import { ANSWERED, about, BEFORE, ENDLESS, NOT_RUN, REPLACED } from './support/page-runs.js'
import { openShop, type Shop } from './support/shop.js'

/** Some pages use a dozen commands, each a process of its own; a machine may be busy. */
const PATIENCE_MS = 300_000
const ENDLESS_SECONDS = 120

const blocks = pages().flatMap(blocksOf)
const shell = blocks.filter(({ kind }) => kind === 'sh')
const pasted = [...new Set(shell.map(({ page }) => page))]

let dataFolder: string
let programs: string
let settings: Record<string, string>
let shop: Shop
beforeAll(async () => {
  dataFolder = makeThrowAwayFolder()
  settings = {
    ...{ DATA_DIR: dataFolder, DATABASE_URL: '' },
    MASTER_KEY: randomBytes(32).toString('base64'),
  }
  const { poolConfig, stop } = await open(dataFolder)
  await migrate(poolConfig, quietLog)
  shop = await openShop(settings, undefined, { database: { config: poolConfig, drop: stop } })
  programs = await mkdtemp(join(tmpdir(), 'fiskalwerk-programs-'))
  const bin = resolve('bin/fiskalwerk.mjs')
  await program('npx', `[ "$1" = fiskalwerk ] || exit 2; shift; exec node '${bin}' "$@"`)
  // what a reader has in the folder of the project; the server is another one than that beside it
  await program(
    'npm',
    `cd '${resolve('.')}' && DATA_DIR="$(mktemp -d)" PORT=0 PUBLIC_URL= exec '${await npm()}' "$@"`,
  )
  await program('uuidgen', "node -p 'crypto.randomUUID()'")
}, 120_000)
afterAll(async () => {
  await shop.close()
  await removeThrowAwayFolder(dataFolder)
  await rm(programs, { recursive: true })
})

function program(name: string, line: string): Promise<void> {
  return writeFile(join(programs, name), `#!/usr/bin/env bash\n${line}\n`, { mode: 0o755 })
}

async function npm(): Promise<string> {
  return (await bash('command -v npm', process.cwd())).output.trim()
}

function bash(script: string, cwd: string, env: Record<string, string> = {}) {
  return new Promise<{ code: number | null; output: string }>((done) => {
    const quiet = { npm_config_update_notifier: 'false' }
    const child = spawn('bash', ['-c', script], {
      ...{ cwd, env: { ...process.env, ...quiet, ...env } },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const parts: Buffer[] = []
    child.stdout.on('data', (part: Buffer) => parts.push(part))
    child.stderr.on('data', (part: Buffer) => parts.push(part))
    child.on('close', (code) => done({ code, output: Buffer.concat(parts).toString() }))
  })
}

/** The variables that the demo prints, for pages that take them for granted. */
function environment(market: string): Record<string, string> {
  const shown = variables(shop.demo, shop.url, market).matchAll(/^export (\w+)='(.*)'$/gm)
  const values = Object.fromEntries([...shown].map(([, name, value]) => [name, value]))
  const PATH = `${programs}:${process.env.PATH ?? ''}`
  return { ...settings, PUBLIC_URL: shop.url, ...values, PATH }
}

async function freePort(): Promise<string> {
  const server = createServer()
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const address = server.address()
  await new Promise((done) => server.close(done))
  return String(typeof address === 'object' ? address?.port : '')
}

/** A folder that looks like that of the project to readers, and is new to whoever writes. */
async function readersFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'fiskalwerk-page-'))
  for (const name of ['docs', 'proto', 'node_modules', 'package.json']) {
    await symlink(resolve(name), join(folder, name))
  }
  return folder
}

/** What is typed for a block, with the words of the reader in place of those of the page. */
function typed({ page, line, text }: Block): string {
  const own = about(REPLACED, page, text).reduce(
    (script, { word, by }) => script.replaceAll(word, by),
    text,
  )
  const before = about(BEFORE, page, text).map(({ script }) => script)
  const [endless] = about(ENDLESS, page, text)
  const run = endless === undefined ? own : limited(own, endless.says)
  return [`echo '>>> ${page}:${line}'`, ...before, run].join('\n')
}

/** Its line that does not end runs until it says so; then it is ended, and the rest runs. */
function limited(script: string, says: string): string {
  const lines = script.split('\n')
  const at = lines.findIndex((line) => ENDLESS.some(({ has }) => line.includes(has)))
  const [before, own, after] = [lines.slice(0, at), lines[at] ?? '', lines.slice(at + 1)]
  return [
    ...before,
    'log=$(mktemp); set -m',
    `( ${own}`,
    ') > "$log" 2>&1 & job=$!; set +m; tries=0',
    `until grep -qF '${says}' "$log"; do`,
    `  tries=$((tries + 1)); [ $tries -lt ${ENDLESS_SECONDS * 5} ] && kill -0 $job || ` +
      '{ cat "$log"; kill -- -$job; exit 1; }',
    '  sleep 0.2',
    'done',
    'kill -- -$job; wait $job || true',
    ...after,
  ].join('\n')
}

const isRun = ({ page, text }: Block): boolean => about(NOT_RUN, page, text).length === 0

describe('the blocks of the documentation', { timeout: PATIENCE_MS }, () => {
  it.each(pasted)('every shell block of %s works when it is pasted', async (page) => {
    const own = shell.filter((block) => block.page === page && isRun(block)).map(typed)
    if (own.length === 0) return
    const folder = await readersFolder()
    const failing = 'set -euo pipefail; curl() { command curl --fail-with-body "$@"; echo; }'
    const market = page.endsWith('de.md') ? 'DE' : 'AT'
    const env = { ...environment(market), FREE_PORT: await freePort() }
    const run = await bash([failing, ...own].join('\n'), folder, env)
    await rm(folder, { recursive: true })
    expect(run.code, run.output.slice(-4000)).toBe(0)
  })

  it.each(ANSWERED.map((one) => [one.page, one.has.slice(0, 30), one] as const))(
    '%s: the answer with %j is the one that comes',
    async (page, _has, { has, by }) => {
      const [block] = blocks.filter((one) => one.page === page && one.text.includes(has))
      const run = await bash(by, process.cwd(), environment('AT'))
      expect(like(parsed(run.output), parsed(block?.text ?? '')), run.output).toEqual([])
    },
  )

  it('answers that stand on a page can be read by a program', () => {
    for (const { page, line, text } of blocks.filter(({ kind }) => kind === 'json')) {
      expect(() => parsed(text), `${page}:${line}`).not.toThrow()
    }
  })
})

function parsed(text: string): unknown {
  return JSON.parse(text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1))
}

/** Members of the page that the answer lacks or has of another type; a text with … fits any. */
function like(answer: unknown, page: unknown, path = '$'): string[] {
  if (Array.isArray(page)) {
    const given = Array.isArray(answer) ? answer : []
    return page.flatMap((one, at) => like(given[at], one, `${path}[${at}]`))
  }
  if (typeof page === 'object' && page !== null) {
    const given = new Map(Object.entries(Object(answer)))
    const found = (name: string) =>
      [...given].find(([one]) => one.toLowerCase() === name.toLowerCase())?.[1]
    return Object.entries(page).flatMap(([name, value]) =>
      like(found(name), value, `${path}.${name}`),
    )
  }
  return typeof answer === typeof page ? [] : [`${path}: ${String(answer)} for ${String(page)}`]
}

describe('what is said about the blocks', () => {
  const entries = { NOT_RUN, ENDLESS, REPLACED, BEFORE, ANSWERED }
  it.each(Object.entries(entries))('%s names only blocks that there are', (_name, list) => {
    const stale = list.filter(
      ({ page, has }) => !blocks.some((one) => one.page === page && one.text.includes(has)),
    )
    expect(stale).toEqual([])
  })

  it('every word that is replaced stands in its block', () => {
    const stale = REPLACED.filter(
      ({ page, has, word }) =>
        !blocks.some(
          ({ page: of, text }) => of === page && text.includes(has) && text.includes(word),
        ),
    )
    expect(stale).toEqual([])
  })

  it('one block alone is not run: whoever adds another one changes this number', () => {
    expect(shell.filter((block) => !isRun(block))).toHaveLength(1)
  })

  it('a page is read whole: as many blocks as fences', async () => {
    for (const page of pages()) {
      const fences = (await readFile(page, 'utf8')).match(/^```/gm)?.length ?? 0
      expect(blocksOf(page).length * 2, page).toBe(fences)
    }
  })
})
