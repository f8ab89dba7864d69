// A process that makes inspection bundles of a test database, and what it has made, unpacked.
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createInspectionDesk, type InspectionDesk } from '../../src/core/event/inspection/desk.js'
import { INCLUDES } from '../../src/core/event/inspection/plan.js'
import { Child } from './child.js'
import type { TestDatabase } from './db.js'
import type { Stand } from './stand.js'

export interface Unpacked {
  root: string
  sha256: string
  /** What the archive lists, folders left out. */
  names: string[]
  findings: number
}

export interface BundleMaker {
  desk: InspectionDesk
  /** Of a whole account: from, to (exclusive). */
  bundle(accountId: string, from: string, to: string): Promise<Unpacked>
  close(): Promise<void>
}

interface MakerOptions {
  database: TestDatabase
  stand: Stand
  masterKey: Buffer
}

export async function openBundleMaker(options: MakerOptions): Promise<BundleMaker> {
  const { database, stand, masterKey } = options
  const root = mkdtempSync(join(tmpdir(), 'fiskalwerk-maker-'))
  const desk = createInspectionDesk({ store: stand.store, now: () => new Date(), root })
  const settings = { connection: database.config, masterKey: masterKey.toString('base64'), root }
  const child = new Child('inspection-script.ts', [JSON.stringify(settings)])
  await child.line()
  return {
    desk,
    bundle: async (accountId, from, to) => {
      const actor = { accountId, onBehalfOf: null, operation: 'askInspection', traceId: '' }
      const { id } = await desk.ask(actor, {
        ...{ posOperatorId: undefined, cashBoxIds: undefined, outletNumbers: undefined },
        ...{ from: new Date(from), to: new Date(to), include: [...INCLUDES], language: 'de' },
      })
      const findings = await ended(desk, accountId, id)
      const { path, sha256 } = await desk.file(accountId, id)
      return { ...unpack(path, join(root, `out-${id}`)), sha256, findings }
    },
    close: async () => {
      await child.kill('SIGKILL')
      rmSync(root, { recursive: true, force: true })
    },
  }
}

async function ended(desk: InspectionDesk, accountId: string, id: string): Promise<number> {
  for (;;) {
    const { state, result, error } = await desk.get(accountId, id)
    if (state === 'succeeded') return Number(JSON.parse(result ?? '{}').findings)
    if (state === 'failed') throw new Error(JSON.stringify(error))
    await sleep(50)
  }
}

/** By the tools that an auditor has; throws what they do not accept. */
function unpack(zip: string, root: string): { root: string; names: string[] } {
  mkdirSync(root)
  execFileSync('unzip', ['-tq', zip])
  execFileSync('unzip', ['-q', zip, '-d', root])
  execFileSync('sha256sum', ['--quiet', '--strict', '-c', 'SHA256SUMS'], { cwd: root })
  const most = { maxBuffer: 64 * 1024 * 1024, encoding: 'utf8' } as const
  const listed = execFileSync('unzip', ['-Z1', zip], most).split('\n')
  return { root, names: listed.filter((name) => name !== '' && !name.endsWith('/')).sort() }
}

/** Names of the sums file; what it does not name is not in the archive but itself. */
export const summed = (root: string): string[] =>
  readFileSync(join(root, 'SHA256SUMS'), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => line.slice(66))
    .sort()

export const filesOf = (root: string): string[] =>
  (readdirSync(root, { recursive: true }) as string[])
    .filter((name) => statSync(join(root, name)).isFile())
    .sort()
