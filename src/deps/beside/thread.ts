// The module of the threads beside the signing one.
import { setPriority } from 'node:os'
import { isMainThread, parentPort, workerData } from 'node:worker_threads'
import { serveOrders } from '../../core/journal/beside/serving.js'
import { createSealer } from '../../lib/seal.js'
import { Precedence } from '../../lib/slices.js'
import { createLog } from '../../log.js'
import { openStore, type Store } from '../../store/client.js'
import { CONNECTIONS, workOf } from './orders.js'

/** What a thread needs of this server. */
export interface ThreadData {
  connection: Store['connection']
  keys: readonly Uint8Array[]
  precedence: SharedArrayBuffer
  logLevel: string
}

/** Below the signing thread where both want the processor, and yet never without any. */
const PRIORITY = 10

// elsewhere the priority is one of the whole process
if (!isMainThread && process.platform === 'linux') setPriority(PRIORITY)

if (parentPort !== null) {
  const { connection, keys, logLevel, precedence: shared } = workerData as ThreadData
  const log = createLog(logLevel, false)
  const store = openStore({
    connection: { ...connection, application_name: 'fiskalwerk beside' },
    size: CONNECTIONS,
    sealer: createSealer(keys.map((key) => Buffer.from(key))),
    onBroken: (error) => log.warn({ err: error }, 'a database connection of exports broke'),
  })
  const precedence = new Precedence(shared)
  const work = workOf({ store, now: () => new Date(), log, precedence })
  serveOrders(parentPort, work, () => store.close())
}
