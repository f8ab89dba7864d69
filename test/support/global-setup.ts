// What a run needs once: the compiled program for tests that start it, and one PostgreSQL with a
// template database that has all migrations. Tests of parts need neither.
import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import type { TestProject } from 'vitest/node'
import {
  makeThrowAwayFolder,
  removeThrowAwayFolder,
  startThrowAwayCluster,
  type ThrowAwayCluster,
} from '../../scripts/throw-away-cluster.js'
import { openDatabase } from '../../src/postgres/database.js'
import { migrate } from '../../src/postgres/migrate.js'
import { PREPARED } from './prepared-cluster.js'

declare module 'vitest' {
  export interface ProvidedContext {
    cluster: Pick<ThrowAwayCluster, 'config' | 'superuser'>
    /** MASTER_KEY of the databases that hold the demo. */
    masterKey: string
    /** dist/ is what is in src/. */
    isBuilt: boolean
    /** Of tests that run alone as well, without `cluster`. */
    isUnit: boolean
  }
}

const SETUP = fileURLToPath(new URL('../../scripts/setup.mjs', import.meta.url))

/** Projects whose tests start programs or threads. */
const BUILT = ['api', 'story']

/** Every project inherits this file; the root's run serves them all. */
export async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  if (!project.isRootProject()) return undefined
  const names = project.vitest.projects.map(({ name }) => name)
  const isBuilt = names.some((name) => BUILT.includes(name))
  project.provide('isBuilt', isBuilt)
  if (names.every((name) => name === 'unit')) return undefined
  if (isBuilt)
    execFileSync(process.execPath, [SETUP, 'build', 'test-scripts', '--quiet'], {
      stdio: 'inherit',
    })
  const prepared = await preparedFolder()
  const { config, superuser, stop } = await startThrowAwayCluster(prepared)
  // where nothing could be copied
  await migrate(config, quiet)
  project.provide('cluster', { config, superuser })
  project.provide('masterKey', randomBytes(32).toString('base64'))
  return async () => {
    await stop()
    if (prepared !== undefined) await removeThrowAwayFolder(prepared)
  }
}

const quiet = { info: () => undefined, warn: console.warn, error: console.error }

/** With a cluster at rest that has all migrations; on Windows each has a password of its own. */
async function preparedFolder(): Promise<string | undefined> {
  if (process.platform === 'win32') return undefined
  const dataDir = makeThrowAwayFolder()
  const database = await openDatabase({ dataDir, mode: 'tool', durable: false, log: quiet })
  await migrate(database.poolConfig, quiet)
  await database.stop()
  process.env[PREPARED] = dataDir
  return dataDir
}
