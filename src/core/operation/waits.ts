// Waiting for the end of operations, here and on another server.
import { fail } from '../../errors.js'
import type { Leaving } from './leaving.js'
import type { OperationKey } from './operation.js'

/** Wakes whoever waits for an operation: when it ends, and after a while in any case. */
export class Waits {
  private readonly waiting = new Map<string, Set<() => void>>()

  /** Resolves when the operation may have ended. */
  until(id: string, atMostMs: number): Promise<void> {
    return new Promise((resolve) => {
      const waiters = this.waiting.get(id) ?? new Set()
      const wake = () => {
        clearTimeout(timer)
        waiters.delete(wake)
        if (waiters.size === 0) this.waiting.delete(id)
        resolve()
      }
      const timer = setTimeout(wake, atMostMs)
      this.waiting.set(id, waiters.add(wake))
    })
  }

  /** Undefined: all of them. */
  wake(id: string | undefined): void {
    const ids = id === undefined ? [...this.waiting.keys()] : [id]
    for (const one of ids) for (const wake of [...(this.waiting.get(one) ?? [])]) wake()
  }
}

/** The work itself goes on when its caller has left. Throws OPERATION_WAITS. */
export function unlessLeft<T>(
  work: Promise<T>,
  call: OperationKey,
  leaving: Leaving | undefined,
): Promise<T> {
  if (leaving === undefined) return work
  return new Promise((resolve, reject) => {
    leaving.onLeave(() => reject(fail('OPERATION_WAITS', { operation: call.id })))
    work.then(resolve, reject)
  })
}
