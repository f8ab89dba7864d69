// The ends of operations: written until they are kept, waited for, and made for those whose server
// has died.
import { setTimeout as sleep } from 'node:timers/promises'
import { fail } from '../../errors.js'
import type { Store } from '../../store/client.js'
import {
  type FoundOperation,
  findOperations,
  finishOperation,
  forgetOperation,
  orphanedOperations,
} from '../../store/operation/operations.js'
import type { LookUp } from './look-up.js'
import type { OperationAnswer, OperationKey } from './operation.js'
import { endOf } from './record.js'
import { answerOf } from './stored.js'
import { type OperationTimes, TIMES } from './times.js'
import type { Waits } from './waits.js'

export interface EndsDeps {
  store: Store
  runner: number
  now(): Date
  log: { error(details: object, message: string): void }
  failureOf(error: unknown, call: OperationKey): OperationAnswer
  times?: Partial<OperationTimes>
}

export class Ends {
  private readonly deps: EndsDeps
  private readonly lookUp: LookUp
  private readonly waits: Waits
  private readonly times: OperationTimes

  constructor(deps: EndsDeps, { lookUp, waits }: { lookUp: LookUp; waits: Waits }) {
    this.deps = deps
    this.times = { ...TIMES, ...deps.times }
    this.lookUp = lookUp
    this.waits = waits
  }

  /**
   * The end of a known operation; undefined: nothing of it is left, it may be executed again. Only
   * for the call that has the id in this process: then a record of this process is one that a
   * broken call has left behind.
   */
  async settled(row: FoundOperation): Promise<OperationAnswer | undefined> {
    if (row.state !== 'processing') return answerOf(row)
    const ours = row.runner === this.deps.runner
    if (ours) return this.giveUp(row)
    if (!row.alive) {
      const again = await this.afterGone(row)
      if (again === undefined) return undefined
      if (again.state !== 'processing') return answerOf(again)
      if (!again.alive) return this.giveUp(again)
    }
    await this.waits.until(row.id, this.times.againMs)
    const next = await this.lookUp.find(row)
    return next === undefined ? undefined : this.settled(next)
  }

  /** A record whose server has died gets its end; of one that lives nothing changes. */
  async resolveDead(row: FoundOperation): Promise<void> {
    if (row.state !== 'processing' || row.alive || row.runner === this.deps.runner) return
    const again = await this.afterGone(row)
    if (again?.state === 'processing' && !again.alive) await this.giveUp(again)
  }

  /** `works`: whether this process works on it. */
  async resolveOrphans(works: (row: FoundOperation) => boolean): Promise<number> {
    const found = await orphanedOperations(this.deps.store)
    if (found.length === 0) return 0
    await sleep(this.times.goneMs)
    const still = await findOperations(this.deps.store, found)
    const gone = still.filter((row) => row.state === 'processing' && !row.alive && !works(row))
    for (const row of gone) await this.giveUp(row)
    return gone.length
  }

  /** Until it is written: the work is done, and whoever asks must hear of it. */
  async finish(key: OperationKey, runner: number, answer: OperationAnswer): Promise<boolean> {
    const { accountId, cashBoxId, id } = key
    for (;;) {
      try {
        return await finishOperation(this.deps.store, {
          ...{ accountId, cashBoxId, id, runner },
          state: endOf(answer),
          status: answer.status,
          contentType: answer.contentType,
          response: answer.body,
          queueId: answer.queueId ?? null,
          queueItemId: answer.queueItemId ?? null,
          finishedAt: this.deps.now(),
        })
      } catch (error) {
        this.deps.log.error({ err: error, operationId: id }, 'the end of an operation was not kept')
        await sleep(this.times.againMs)
      }
    }
  }

  private async afterGone(row: FoundOperation): Promise<FoundOperation | undefined> {
    await sleep(this.times.goneMs)
    const [again] = await findOperations(this.deps.store, [row])
    return again
  }

  /** A receipt without answer is made anew; of a payment nobody knows whether money has moved. */
  private async giveUp(row: FoundOperation): Promise<OperationAnswer | undefined> {
    const runner = row.runner ?? 0
    if (row.queueItemId !== null) {
      await forgetOperation(this.deps.store, { ...row, runner })
      return undefined
    }
    const answer = this.deps.failureOf(fail('PAYMENT_UNKNOWN'), row)
    const ended = await this.finish(row, runner, answer)
    return ended ? answer : undefined
  }
}
