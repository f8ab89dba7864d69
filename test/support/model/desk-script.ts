// A server's payments and operations in a process of its own. Forked by
// test/support/model/desk-pair.ts.
import { createOutbound } from '../../../src/device/outbound.js'
import { FiscalError } from '../../../src/errors.js'
import type { TestDatabase } from '../db.js'
import { testStore } from '../make.js'
import { type Answered, deskOn, pay, type TestTill } from '../payments.js'
import { serveCalls } from './serve-calls.js'

export interface DeskGiven {
  config: TestDatabase['config']
  /** `host:port` of terminals. */
  terminals: readonly string[]
}

/** Seconds of the real thing are milliseconds here; ends are told, so looks may be rarer. */
const TIMES = { goneMs: 10, againMs: 60, soonMs: 4, endMs: 0 }
const PATIENCE = { pauseMs: 8, questionMs: 1_000, lostMs: 20_000 }
/** Until then a server that has seen a known id looks every id up. */
const WARY_MS = 61_000
const CONNECTIONS = 8

export interface Key {
  accountId: string
  cashBoxId: string
  id: string
}

export interface Paid {
  id: string
  body: string
}

function open({ config, terminals }: DeskGiven) {
  let aheadMs = 0
  const store = testStore(config, CONNECTIONS)
  const fetch = createOutbound({ allow: terminals })
  const now = () => new Date(Date.now() + aheadMs)
  const desk = deskOn(store, { fetch, patience: PATIENCE, now }, TIMES)
  const calls = {
    /** `conflict`: the id has another body. */
    pay: async (till: TestTill, options: Paid): Promise<Answered | 'conflict'> => {
      try {
        return await pay(desk, till, options)
      } catch (error) {
        if (!(error instanceof FiscalError && error.code === 'OPERATION_CONFLICT')) throw error
        return 'conflict'
      }
    },
    stop: async (key: Key, askMs: number) => {
      const { said, found } = await desk.operations.stop(key, askMs)
      return { said, state: found?.state }
    },
    /** The stored end; undefined while there is none. */
    find: async (key: Key): Promise<string | undefined> => {
      const found = await desk.operations.find(key)
      const ended = found?.state === 'done' || found?.state === 'failed'
      return ended ? (found.response ?? '') : undefined
    },
    resolveOrphans: async (): Promise<void> => {
      await desk.operations.resolveOrphans()
    },
    /** It trusts again that ids are new. */
    forgetCare: (): void => {
      aheadMs += WARY_MS
    },
  }
  return Promise.resolve({ calls, close: () => desk.close() })
}

export type DeskCalls = Awaited<ReturnType<typeof open>>['calls']

serveCalls(open)
