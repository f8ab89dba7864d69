// The cluster with all migrations that this run has made already: a copy of it is there sooner than
// a new one.
import * as fs from 'node:fs'
import { copyCluster } from '../../scripts/throw-away-cluster.js'

/** Where it lies; only the global setup of a run sets it. */
export const PREPARED = 'PREPARED_CLUSTER'

/** Into a data folder that has none; scripts outside of a run of tests make their own later. */
export function prepareCluster(dataDir: string): string {
  const prepared = process.env[PREPARED]
  fs.mkdirSync(dataDir, { recursive: true })
  if (prepared !== undefined) copyCluster(prepared, dataDir)
  return dataDir
}
