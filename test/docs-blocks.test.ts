// Every shell block of the README and of every page of docs/ is pasted, in the order of its page,
// into one shell beside a real server; settings start one. The answer that stands behind a block is
// the one that comes. What does not end gets a time limit and an expectation; what cannot be run is
// named with what proves it instead.
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { makeThrowAwayFolder, removeThrowAwayFolder } from '../scripts/throw-away-cluster.js'
import { variables } from '../src/cli/demo.js'
import { migrate } from '../src/postgres/migrate.js'
import { type CommandDoor, openCommandDoor } from './support/command-door.js'
import { open, quietLog } from './support/data-folder.js'
import { differences, parsed } from './support/page-answers.js'
import { type Block, blocksOf, pages } from './support/page-blocks.js'
import {
  about,
  BEFORE,
  ENDLESS,
  NOT_RUN,
  REFUSED,
  REPLACED,
  STATEMENTS,
} from './support/page-runs.js'
import { prepareCluster } from './support/prepared-cluster.js'
import { openShop, type Shop } from './support/shop.js'

/** Some pages use a dozen commands, each a process of its own; a machine may be busy. */
const PATIENCE_MS = 300_000
const ENDLESS_SECONDS = 120

/** Pages whose commands and servers start as they do with a reader. */
const WHOLE = ['README.md']
/** Commands that go on until somebody ends them: a pattern of bash. */
const OWN_PROCESS = "'serve '* | 'terminal simulate '* | 'simulate '*"

const blocks = pages().flatMap(blocksOf)
const shell = blocks.filter(({ kind }) => kind === 'sh' || kind === 'ini')
const pasted = [...new Set(shell.map(({ page }) => page))]

let dataFolder: string
/** Of the servers that the blocks start. */
let startedFolder: string
let programs: string
let settings: Record<string, string>
let shop: Shop
let commands: CommandDoor
beforeAll(async () => {
  dataFolder = prepareCluster(makeThrowAwayFolder())
  startedFolder = makeThrowAwayFolder()
  prepareCluster(join(startedFolder, 'data'))
  settings = {
    ...{ DATA_DIR: dataFolder, DATABASE_URL: '' },
    MASTER_KEY: randomBytes(32).toString('base64'),
  }
  const { poolConfig, stop } = await open(dataFolder)
  await migrate(poolConfig, quietLog)
  shop = await openShop(settings, undefined, { database: { config: poolConfig, drop: stop } })
  programs = await mkdtemp(join(tmpdir(), 'fiskalwerk-programs-'))
  commands = await openCommandDoor(programs)
  await writePrograms()
}, 120_000)
afterAll(async () => {
  await shop.close()
  await commands.close()
  await removeThrowAwayFolder(dataFolder)
  await removeThrowAwayFolder(startedFolder)
  await rm(programs, { recursive: true })
})

function program(name: string, line: string): Promise<void> {
  return writeFile(join(programs, name), `#!/usr/bin/env bash\n${line}\n`, { mode: 0o755 })
}

/** What a reader types; a page of WHOLE gets the real programs, with all that they prepare. */
async function writePrograms(): Promise<void> {
  const cli = `'${process.execPath}' '${resolve('dist/cli/index.js')}' "$@"`
  const own = `[ -n "\${WHOLE:-}" ] && exec ${cli}; case "$*" in ${OWN_PROCESS}) exec ${cli};; esac`
  await program('npx', `[ "$1" = fiskalwerk ] || exit 2; shift; ${own}; ${commands.line}`)
  const npm = (await bash('command -v npm', process.cwd())).output.trim()
  const { scripts } = JSON.parse(await readFile('package.json', 'utf8'))
  // the server is another one than that beside the page
  await program(
    'npm',
    `cd '${resolve('.')}' && export DATA_DIR='${startedFolder}/data' PORT=0 PUBLIC_URL=; ` +
      `[ -z "\${WHOLE:-}" ] && [ "$*" = start ] && exec ${scripts.start}; exec '${npm}' "$@"`,
  )
  const kernel = '/proc/sys/kernel/random/uuid'
  const id = `cat ${kernel} 2>/dev/null || exec '${process.execPath}' -p 'crypto.randomUUID()'`
  await program('uuidgen', id)
  // a process of Node.js for each id takes longer than the call that it is for
  const other = `exec '${process.execPath}' "$@"`
  await program('node', `case "$*" in "-p crypto.randomUUID()") ${id};; *) ${other};; esac`)
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
function typed(block: Block): string {
  const { page, text } = block
  const own = about(REPLACED, page, text).reduce(
    (script, { word, by }) => script.replaceAll(word, by),
    block.kind === 'ini' ? started(text) : text,
  )
  const before = about(BEFORE, page, text).map(({ script }) => script)
  const [endless] = about(ENDLESS, page, text)
  const run = endless === undefined ? own : limited(own, endless)
  const curl = about(REFUSED, page, text).length > 0 ? REFUSED_CURL : CURL
  return [...before, curl, `echo; echo '${markOf(block)}'`, run].join('\n')
}

/** A line behind each answer: what comes next begins with a line of its own. */
const CURL = 'curl() { command curl --fail-with-body "$@"; echo; }'
const REFUSED_CURL = 'curl() { command curl "$@"; echo; }'

const markOf = ({ page, line }: Block) => `>>> ${page}:${line}`

/** A server with these settings. */
function started(settings: string): string {
  return `${settings.trim().split('\n').join(' ')} npm start\n`
}

/** Its line that does not end runs until it says so; then it is ended, and the rest runs. */
function limited(script: string, { says, stays }: { says: string; stays?: true }): string {
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
    stays ? 'trap "kill -- -$job" EXIT' : 'kill -- -$job; wait $job || true',
    ...after,
  ].join('\n')
}

const isRun = ({ page, text }: Block): boolean => about(NOT_RUN, page, text).length === 0

describe('the blocks of the documentation', { timeout: PATIENCE_MS }, () => {
  it.each(pasted)('every shell block of %s works when it is pasted', async (page) => {
    const own = shell.filter((block) => block.page === page && isRun(block)).map(typed)
    if (own.length === 0) return
    const folder = await readersFolder()
    const failing = `set -euo pipefail; ${CURL}`
    const market = page.endsWith('de.md') ? 'DE' : 'AT'
    const env = { ...environment(market), FREE_PORT: await freePort(), NEXT_PORT: await freePort() }
    const whole = WHOLE.includes(page) ? { WHOLE: 'yes' } : {}
    const run = await bash([failing, ...own].join('\n'), folder, { ...env, ...whole })
    await rm(folder, { recursive: true })
    expect(run.code, run.output.slice(-4000)).toBe(0)
    for (const [asked, answer] of answersOf(page)) {
      const [, output = ''] = run.output.split(`${markOf(asked)}\n`)
      const own = output.split('\n>>> ')[0] ?? ''
      const found = differences(parsed(own), parsed(answer.text))
      expect(found, `${markOf(answer)}\n${own}`).toEqual([])
    }
  })

  it("statements for a database of one's own make one", async () => {
    const [block] = blocks.filter(({ page, text }) => about([STATEMENTS], page, text).length > 0)
    const name = `docs_${randomBytes(6).toString('hex')}`
    const statements = (block?.text ?? '').replaceAll('fiskalwerk', name).trim().split('\n')
    expect(statements).toHaveLength(2)
    const client = new pg.Client(inject('cluster').superuser)
    await client.connect()
    try {
      for (const statement of statements) await client.query(statement)
    } finally {
      await client.query(`drop database if exists ${name}`)
      await client.query(`drop role if exists ${name}`)
      await client.end()
    }
  })
})

/** Requests of a page, each with the answer that stands right behind it. */
function answersOf(page: string): [Block, Block][] {
  const own = blocks.filter((block) => block.page === page)
  return own.flatMap((answer, at) => {
    const asked = own[at - 1]
    return answer.kind === 'json' && asked?.kind === 'sh' ? [[asked, answer] as const] : []
  }) as [Block, Block][]
}

describe('what is said about the blocks', () => {
  const entries = { NOT_RUN, ENDLESS, REPLACED, BEFORE, REFUSED, STATEMENTS: [STATEMENTS] }
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

  it('every block is run, compared with what comes, or named with what proves it', async () => {
    const compared = new Set([...new Set(pages())].flatMap(answersOf).map(([, answer]) => answer))
    const left = blocks.filter(
      (block) =>
        !(shell.includes(block) && isRun(block)) &&
        !compared.has(block) &&
        about([...NOT_RUN, STATEMENTS], block.page, block.text).length === 0,
    )
    expect(left.map(markOf)).toEqual([])
    const proofs = NOT_RUN.map(({ why }) => why).filter((why) => why.startsWith('test/'))
    expect(proofs.filter((path) => !existsSync(path))).toEqual([])
  })

  it('two shell blocks alone are not run: whoever adds another one changes this number', () => {
    expect(shell.filter((block) => !isRun(block))).toHaveLength(2)
  })

  it('a page is read whole: as many blocks as fences', async () => {
    for (const page of pages()) {
      const fences = (await readFile(page, 'utf8')).match(/^```/gm)?.length ?? 0
      expect(blocksOf(page).length * 2, page).toBe(fences)
    }
  })
})

describe('the comparison of an answer with its page', () => {
  const answer = {
    ...{ id: 'a1c9d2f4-2d9a-4d6e-b1a8-5ff4ab0a6d0e', at: '2026-01-01T10:00:00.000Z', n: 1 },
    ...{ text: 'one two three', list: [1, 2, 3], word: '4707387510509010945' },
  }
  const page = {
    ...{ id: '00000000-0000-0000-0000-000000000000', at: '2025-01-01T00:00:00Z', n: 1 },
    ...{ text: 'one … three', list: [1, '…'], word: '4707387510509010945' },
  }

  it('takes other ids and times, and what … stands for', () => {
    expect(differences(answer, page)).toEqual([])
    expect(differences({ ...answer, more: 1 }, { ...page, '…': '…' })).toEqual([])
    expect(differences({ list: [0, 1, 2] }, { list: ['…', 1, '…'] })).toEqual([])
    expect(differences(`00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`, '00-…-01')).toEqual([])
  })

  it.each([
    ['another number', { ...answer, n: 2 }],
    ['another text', { ...answer, text: 'one two four' }],
    ['no id', { ...answer, id: 'x' }],
    ['no time', { ...answer, at: 'x' }],
    ['a member less', { ...answer, n: undefined }],
    ['a member more', { ...answer, more: 1 }],
    ['another element', { ...answer, list: [2, 3] }],
    ['another word', { ...answer, word: '4707387510509010946' }],
  ])('sees %s', (_, other) => {
    expect(differences(other, page)).not.toEqual([])
  })

  it('sees elements that are too many or too few', () => {
    expect(differences([1, 2], [1])).not.toEqual([])
    expect(differences([1], [1, 2])).not.toEqual([])
    expect(differences([2, 1], ['…', 1, 2, '…'])).not.toEqual([])
  })

  it('keeps all digits of 64-bit words', () => {
    const word = (text: string) => parsed(`{"word": ${text}}`)
    expect(differences(word('4707387510509010945'), word('4707387510509010944'))).not.toEqual([])
  })
})
