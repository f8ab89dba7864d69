// Exports beside the signing: each takes one of a few places, those of a CashBox only some of them,
// and is made in a thread of its own. Put together by src/deps/beside.ts.
import { fail } from '../../../errors.js'
import { createTurns, type Turns } from '../../../lib/turns.js'
import type { Delivered } from './delivery.js'
import type { Threads } from './threads.js'

export interface Beside {
  /**
   * An answer that is read as it is made. It keeps its place until all of it is read, whoever reads
   * has left, or `leaving` says so. Throws EXPORTS_BUSY, EXPORT_LOST, and what the order throws.
   */
  stream(
    order: unknown,
    by: { line: string; leaving?: AbortSignal | undefined },
  ): Promise<Delivered>
  /** An answer without bytes; it takes no place. */
  call(order: unknown): Promise<unknown>
  readonly places: Pick<Turns, 'taken' | 'waiting'>
  close(): Promise<void>
}

export interface Places {
  /** Exports at a time: of a process, and of a CashBox. */
  most: number
  each: number
  /** Further ones that wait. */
  waiting: number
  waitingEach: number
  waitMs: number
}

/** When a caller should come again; told in the answer. */
const AGAIN_SECONDS = 5

export function createBeside(places: Places, threads: Threads): Beside {
  const { most, ...limits } = places
  const busy = () => fail('EXPORTS_BUSY', { seconds: AGAIN_SECONDS })
  const turns = createTurns({ places: most, ...limits, busy })
  return {
    stream: async (order, { line, leaving }) => {
      const over = await turns.take(line, leaving)
      return threads.run(order, { leaving, over })
    },
    call: async (order) => (await threads.run(order)).head,
    places: turns,
    close: () => threads.close(),
  }
}
