// What a run needs once: the compiled program for tests that start it, and one PostgreSQL with a
// template database that has all migrations. Tests of parts need neither.
import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import type { TestProject } from 'vitest/node'
import { startThrowAwayCluster, type ThrowAwayCluster } from '../../scripts/throw-away-cluster.js'
import { migrate } from '../../src/postgres/migrate.js'

declare module 'vitest' {
  export interface ProvidedContext {
    cluster: Pick<ThrowAwayCluster, 'config' | 'superuser'>
    /** MASTER_KEY of the databases that hold the demo. */
    masterKey: string
    /** dist/ is what is in src/. */
    isBuilt: boolean
  }
}

const SETUP = fileURLToPath(new URL('../../scripts/setup.mjs', import.meta.url))

/** Projects whose tests start programs or threads. */
const BUILT = ['api', 'api-parts', 'story']

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
  const { config, superuser, stop } = await startThrowAwayCluster()
  await migrate(config, { info: () => undefined })
  project.provide('cluster', { config, superuser })
  project.provide('masterKey', randomBytes(32).toString('base64'))
  return stop
}
