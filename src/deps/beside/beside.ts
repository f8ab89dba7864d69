// What is done beside the signing, put together by the settings.
import { resolve } from 'node:path'
import type { Logger } from 'pino'
import type { Config } from '../../config.js'
import type { Imported, ImportOrder } from '../../core/accounts/invitation/csv/imports.js'
import type { Check, CheckedPlace } from '../../core/event/receipt/checks.js'
import { type Beside, createBeside } from '../../core/journal/beside/beside.js'
import { inPlace } from '../../core/journal/beside/in-place.js'
import { journalBeside } from '../../core/journal/beside/journal.js'
import { createThreads, type Threads } from '../../core/journal/beside/threads.js'
import type { JournalExport, JournalInput } from '../../core/journal/export.js'
import { masterKeyOf } from '../../store/master-key.js'
import { type Order, type OrderDeps, workOf } from './orders.js'
import type { ThreadData } from './thread.js'

export interface Besides {
  journal(input: JournalInput): Promise<JournalExport>
  checksOf(place: CheckedPlace): Promise<Check[]>
  performImport(order: ImportOrder): Promise<Imported>
  places: Beside['places']
  close(): Promise<void>
}

type Parts = OrderDeps & Pick<Parameters<typeof journalBeside>[0], 'marketOf'> & { log: Logger }

export function besideOf(config: Config, parts: Parts): Besides {
  const { store, now, marketOf } = parts
  const { threads: count, ...places } = config.fixed.exports
  const threads = count === 0 ? inPlace(workOf(parts)) : threadsOf(config, count, parts)
  const beside = createBeside(places, threads)
  const call = (order: Order) => beside.call(order)
  // an import goes on without its sender, and ends before its server does
  const importing = new Set<Promise<unknown>>()
  return {
    journal: (input) => journalBeside({ store, marketOf, now, beside }, input),
    checksOf: async (place) =>
      (await call({ do: 'checks', place, moment: now().getTime() })) as Check[],
    performImport: async (order) => {
      const work = call({ do: 'import', order })
      importing.add(work)
      try {
        return (await work) as Imported
      } finally {
        importing.delete(work)
      }
    },
    places: beside.places,
    close: async () => {
      await Promise.allSettled(importing)
      await beside.close()
    },
  }
}

function threadsOf(config: Config, threads: number, { store, log }: Parts): Threads {
  const entry = new URL('thread.js', import.meta.url)
  const own = import.meta.url.endsWith('.ts') ? entry.href.replace(/\.js$/, '.ts') : entry.href
  const data = async (): Promise<ThreadData> => ({
    connection: store.connection,
    keys:
      config.MASTER_KEY.length > 0
        ? config.MASTER_KEY
        : [await masterKeyOf(resolve(config.DATA_DIR))],
    logLevel: config.LOG_LEVEL,
  })
  return createThreads({
    ...{ entry: new URL(own), threads, data },
    onBroken: (error) => log.error({ err: error }, 'a thread that makes exports has died'),
  })
}
