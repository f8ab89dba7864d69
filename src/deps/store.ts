// The store, for servers and for commands, which need nothing else of a server.
import { resolve } from 'node:path'
import type { Logger } from 'pino'
import type { Config } from '../config.js'
import { createSealer } from '../lib/seal.js'
import type { Spans } from '../lib/spans.js'
import type { Database } from '../postgres/database.js'
import { openStore, type Store } from '../store/client.js'
import { masterKeyOf } from '../store/master-key.js'

export interface StoreInput {
  config: Config
  log: Logger
  database: Pick<Database, 'poolConfig'>
  /** Of a server. */
  byIndex?: boolean
  /** Left out: nobody wants traces. */
  spans?: Spans | undefined
}

export async function createStore(input: StoreInput): Promise<Store> {
  const { config, log, database, spans, byIndex = false } = input
  const own = config.MASTER_KEY.length > 0
  const keys = own ? config.MASTER_KEY : [await masterKeyOf(resolve(config.DATA_DIR))]
  return openStore({
    connection: database.poolConfig,
    size: config.DATABASE_POOL,
    ...{ spans, byIndex },
    sealer: createSealer(keys),
    // a call that asks before it signs has an answer in the same time
    patienceMs: config.SIGN_WAITING_SECONDS * 900,
    onBroken: (error) => log.warn({ err: error }, 'a database connection broke'),
  })
}
