// Inspection bundles, put together by the settings: their folder, their threads, their keys.
import { resolve } from 'node:path'
import type { Logger } from 'pino'
import type { Config } from '../config.js'
import { type InspectionWorkDeps, inspectionKind } from '../core/event/inspection/work.js'
import type { JobKind } from '../core/event/job/kind.js'
import { marketOf } from '../market/index.js'
import { createPool } from '../render/pool.js'
import type { Store } from '../store/client.js'
import { masterKeyOf } from '../store/master-key.js'

/** Of all bundles of a process together; one bundle may have both, see core/event/…/lanes.ts. */
const THREADS = 2
const WAITING = 100
/** A file of ten years takes minutes. */
const LIMIT_MS = 6 * 60 * 60 * 1000

export const inspectionsFolder = ({ DATA_DIR }: Pick<Config, 'DATA_DIR'>): string =>
  resolve(DATA_DIR, 'inspections')

export interface InspectionWork {
  kind: JobKind
  /** What makes bundles for others as well. */
  making: InspectionWorkDeps
  close(): Promise<void>
}

export function inspectionWorkOf(config: Config, store: Store, log: Logger): InspectionWork {
  const entry = new URL('../core/event/inspection/thread.js', import.meta.url)
  const own = import.meta.url.endsWith('.ts') ? entry.href.replace(/\.js$/, '.ts') : entry.href
  const threads = createPool({
    entry: new URL(own),
    ...{ threads: THREADS, waiting: WAITING, limitMs: LIMIT_MS },
    onBroken: (error) => log.error({ err: error }, 'a thread that makes bundles has died'),
  })
  const keys = async () =>
    config.MASTER_KEY.length > 0 ? config.MASTER_KEY : [await masterKeyOf(resolve(config.DATA_DIR))]
  const making = { store, marketOf, keys, root: inspectionsFolder(config), threads }
  return {
    ...{ kind: inspectionKind(making), making },
    close: () => threads.close(),
  }
}
