// Brings the events of issued receipts into the action journals, many at a time: each turn moves
// the head of a queue, which whoever signs there has to read again.

import type { Store } from '../../store/client.js'
import { noteDeliveries, unnotedQueues } from '../../store/journal/delivery-events.js'
import type { QueueKey } from '../../store/sign/queues.js'

export interface RetrievalNotes {
  /** Nobody waits: what cannot be written now is written by the next event or by the sweep. */
  soon(queue: QueueKey): void
  /** Everything that is due and can be written; returns how many entries. */
  sweep(): Promise<number>
  /** Resolves when nothing is under way. */
  settled(): Promise<void>
}

export interface RetrievalDeps {
  store: Store
  now(): Date
  log: { warn(details: object, message: string): void }
}

/** Between two turns of one queue, except for those of the sweep. */
const PAUSE_MS = 1_000
/** Queues whose last turn is remembered. */
const MOST_QUEUES = 10_000

export function createRetrievalNotes({ store, now, log }: RetrievalDeps): RetrievalNotes {
  const turns = new Map<string, number>()
  const running = new Set<Promise<unknown>>()
  const note = async (queue: QueueKey): Promise<number> =>
    (await noteDeliveries(store, queue, now())) ?? 0
  const watched = <T>(work: Promise<T>): Promise<T> => {
    running.add(work)
    const done = (): void => void running.delete(work)
    work.then(done, done)
    return work
  }
  return {
    soon: (queue) => {
      const last = turns.get(queue.id)
      const time = performance.now()
      if (last !== undefined && time - last < PAUSE_MS) return
      if (turns.size >= MOST_QUEUES) turns.clear()
      turns.set(queue.id, time)
      watched(note(queue)).catch((error: unknown) => {
        log.warn({ err: error, queueId: queue.id }, 'retrievals are noted later')
      })
    },
    sweep: () =>
      watched(
        (async () => {
          let noted = 0
          for (const queue of await unnotedQueues(store)) noted += await note(queue)
          return noted
        })(),
      ),
    settled: async () => {
      await Promise.allSettled([...running])
    },
  }
}
