// Before a server stops it says so where balancers ask, and goes on answering for a moment: by then
// they send it nothing any more, and no call meets a closed door.
import { setTimeout as sleep } from 'node:timers/promises'

/** Longer than a balancer needs that asks once a second and believes the second refusal. */
export const DRAIN_MS = 3_000
/** Who asks twice within that time is a balancer; nobody waits for one that is not there. */
const ASKS = 2
const WITHIN_MS = 15_000

export interface Draining {
  /** True from the beginning of the stop on: no new calls are wanted. */
  readonly isOn: boolean
  /** Somebody asks whether calls may be sent here. */
  asked(): void
  /** Resolves when the stop may go on; milliseconds that it took. */
  begin(): Promise<number>
}

export function createDraining(forMs = DRAIN_MS): Draining {
  const asks: number[] = []
  let isOn = false
  return {
    get isOn() {
      return isOn
    },
    asked: () => {
      asks.push(performance.now())
      if (asks.length > ASKS) asks.shift()
    },
    begin: async () => {
      isOn = true
      const [first] = asks
      const isAsked = asks.length === ASKS && performance.now() - (first ?? 0) < WITHIN_MS
      if (!isAsked) return 0
      await sleep(forMs)
      return forMs
    },
  }
}
