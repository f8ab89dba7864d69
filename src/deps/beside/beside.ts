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
  const { store, now, marketOf, log } = parts
  const { threads: count, ...places } = config.fixed.exports
  const threads = count === 0 ? inPlace(workOf(parts)) : threadsOf(config, count, parts)
  const beside = createBeside(places, threads)
  const call = (order: Order) => beside.call(order)
  // an import goes on without its sender, and ends before its server does
  const importing = new Set<Promise<unknown>>()
  let stopping = false
  // a stop cuts off whoever is not done in time: that is no fault
  const tell = (error: unknown) => stopping || log.error({ err: error }, BROKEN)
  return {
    journal: async (input) => {
      const made = await journalBeside({ store, marketOf, now, beside }, input)
      return { ...made, body: toldOf(made.body, tell) }
    },
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
      stopping = true
      await Promise.allSettled(importing)
      await beside.close()
    },
  }
}

const BROKEN = 'an export broke off; whoever asked for it was cut off'

/** The answer has begun when it breaks: only the log can say why. */
async function* toldOf<T>(body: AsyncIterable<T>, tell: (error: unknown) => void) {
  try {
    yield* body
  } catch (error) {
    tell(error)
    throw error
  }
}

function threadsOf(config: Config, threads: number, { store, log, precedence }: Parts): Threads {
  const entry = new URL('thread.js', import.meta.url)
  const own = import.meta.url.endsWith('.ts') ? entry.href.replace(/\.js$/, '.ts') : entry.href
  const data = async (): Promise<ThreadData> => ({
    connection: store.connection,
    keys:
      config.MASTER_KEY.length > 0
        ? config.MASTER_KEY
        : [await masterKeyOf(resolve(config.DATA_DIR))],
    logLevel: config.LOG_LEVEL.level,
    precedence: precedence.shared,
  })
  return createThreads({
    ...{ entry: new URL(own), threads, data },
    onBroken: (error) => log.error({ err: error }, 'a thread that makes exports has died'),
  })
}
