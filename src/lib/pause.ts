// A wait that can be cut short.
import { setTimeout as sleep } from 'node:timers/promises'

/** Ends after so many milliseconds, or when `signal` does; holds no process. */
export async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  await Promise.allSettled([sleep(milliseconds, undefined, { signal, ref: false })])
}
