// A whole server with its dealer interface in a process of its own. Forked by
// test/support/model/queue-shop.ts.

import type { TestDatabase } from '../db.js'
import { openDealer } from '../dealer.js'
import { serveCalls } from './serve-calls.js'

export interface DealerGiven {
  config: TestDatabase['config']
  superuser: TestDatabase['superuser']
  variables: Record<string, string>
  /** Its clock stands still: nothing that it remembers grows old by itself. */
  still: boolean
}

export interface Asked {
  method: 'GET' | 'POST'
  url: string
  headers: Record<string, string>
  payload?: string
}

async function open({ config, superuser, variables, still }: DealerGiven) {
  const moment = new Date()
  const stand = await openDealer({
    variables,
    // the database is its owner's to drop
    beside: { config, superuser, left: () => Promise.resolve(), drop: () => Promise.resolve() },
    ...(still ? { now: () => moment } : {}),
  })
  const calls = {
    ask: async (asked: Asked): Promise<{ status: number; text: string }> => {
      const { statusCode, body } = await stand.app.inject(asked)
      return { status: statusCode, text: body }
    },
  }
  return { calls, close: stand.close }
}

export type DealerCalls = Awaited<ReturnType<typeof open>>['calls']

serveCalls(open)
