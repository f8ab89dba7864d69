// Claims: the records of operations that must be written before they begin. One of which nobody
// knows whether it was written is taken back.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Store } from '../../store/client.js'
import {
  forgetOperation,
  insertOperation,
  type OperationRow,
} from '../../store/operation/operations.js'
import { nameOf } from './look-up.js'
import type { OperationKey } from './operation.js'

export interface ClaimDeps {
  store: Store
  runner: number
  log: { error(details: object, message: string): void }
}

const AGAIN_MS = 1_000

export class Claims {
  private readonly deps: ClaimDeps
  private readonly doubtful = new Map<string, Promise<void>>()
  private closed = false

  constructor(deps: ClaimDeps) {
    this.deps = deps
  }

  /** False: the operation is known already. Throws DATABASE_AWAY; then nothing may begin. */
  async make(row: OperationRow): Promise<boolean> {
    try {
      return await insertOperation(this.deps.store.pool, row)
    } catch (error) {
      const name = nameOf(row)
      const over = this.takeBack(row).finally(() => this.doubtful.delete(name))
      this.doubtful.set(name, over)
      throw error
    }
  }

  /** Calls back when there is no doubt about the claim of this name; there seldom is any. */
  whenSettled(name: string, done: () => void): void {
    const doubt = this.doubtful.get(name)
    if (doubt === undefined) done()
    else void doubt.then(done, done)
  }

  close(): void {
    this.closed = true
  }

  private async takeBack(key: OperationKey): Promise<void> {
    for (;;) {
      // a statement that is still on its way comes before this one
      await sleep(AGAIN_MS)
      if (this.closed) return
      try {
        await forgetOperation(this.deps.store, { ...key, runner: this.deps.runner })
        return
      } catch (error) {
        this.deps.log.error({ err: error, operationId: key.id }, 'a claim was not taken back')
      }
    }
  }
}
