// One PostgreSQL for the whole run, with a template database that has all migrations.
import type { TestProject } from 'vitest/node'
import { startThrowAwayCluster, type ThrowAwayCluster } from '../../scripts/throw-away-cluster.js'
import { migrate } from '../../src/postgres/migrate.js'

declare module 'vitest' {
  export interface ProvidedContext {
    cluster: Pick<ThrowAwayCluster, 'config' | 'superuser'>
  }
}

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { config, superuser, stop } = await startThrowAwayCluster()
  await migrate(config, { info: () => undefined })
  project.provide('cluster', { config, superuser })
  return stop
}
