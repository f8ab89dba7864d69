// A statement whose fate is unknown, because the connection broke under it: the database is asked
// until it answers.
import { setTimeout as sleep } from 'node:timers/promises'
import { isAway, type Store } from '../../store/client.js'
import { type ItemFate, type QueueKey, settleItems } from '../../store/sign/queues.js'

/** Between two questions, and before work that a failing database sent back is tried again. */
export const PAUSE_MS = 100

export interface Doubt {
  keys: readonly QueueKey[]
  itemIds: readonly string[]
  /** How long the callers may still be kept waiting. */
  timeLeft(): number
}

/**
 * What became of the items. Those that are not in the answer will never be written. Throws the
 * error of the database when it does not come back in time.
 */
export async function settle(store: Store, doubt: Doubt): Promise<Map<string, ItemFate>> {
  for (;;) {
    try {
      return await settleItems(store, doubt.keys, doubt.itemIds)
    } catch (error) {
      if (!isAway(error) || doubt.timeLeft() <= 0) throw error
      await sleep(PAUSE_MS)
    }
  }
}
