// The work that a receipt has left behind: handed to the worker of its country, until it is done.
import { z } from 'zod'
import type { DriverTools } from '../../device/device.js'
import type { Market } from '../../market/contract.js'
import type { Store } from '../../store/client.js'
import { findQueue } from '../../store/journal/journal-queue.js'
import { putOff } from '../../store/sign/sign-outbox.js'
import { type OutsideQueue, UnitMoved } from '../sign/outside.js'
import { exportSource } from './source.js'

export interface OutboxDeps {
  store: Store
  /** The table of market/index.ts. */
  marketOf(code: string): Market
  tools: DriverTools
  now(): Date
  /** A queue for work that no caller waits for. */
  open(key: { accountId: string; id: string }): Promise<OutsideQueue>
}

const entry = z.object({
  accountId: z.string(),
  queueId: z.string(),
  kind: z.string(),
  key: z.string(),
  payload: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
})

/** Everything that the queue has stored. */
const ALL = { from: 0n, to: 0n }

const AT_ONCE = { inMs: 0 }

/** Throws to be tried again. */
export async function workOutbox(
  { store, marketOf, tools, now, open }: OutboxDeps,
  given: unknown,
  run: { signal: AbortSignal; last: boolean },
): Promise<void> {
  const { accountId, queueId, kind, key, payload } = entry.parse(given)
  const queue = await findQueue(store, { accountId, queueId })
  if (queue === undefined) throw new Error(`the queue ${queueId} of ${kind} ${key} is gone`)
  const market = marketOf(queue.market)
  const worker = market.outbox?.[kind]
  if (worker === undefined) throw new Error(`${queue.market} has no worker for ${kind}`)
  const options = new Map<string, string>()
  const source = exportSource(store, { market, queue, range: ALL, options, now: now() })
  const { units, write, newId } = await open({ accountId, id: queueId })
  const work = { key, payload, source, units, write, newId, tools, ...run }
  const again = await worker(work).catch((error: unknown) => {
    // no failure: with the unit as it is now
    if (error instanceof UnitMoved) return AT_ONCE
    throw error
  })
  if (again === undefined) return
  const row = { queueId, kind, key, payload: JSON.stringify(payload) }
  await putOff(store, { accountId, ...row, inMs: Math.max(0, Math.ceil(again.inMs)) })
}
