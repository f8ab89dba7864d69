// What the queue asks of every certified device alike: who it is, what it has logged, and the
// budget of a call.
import type { CallLimit, DriverTools, ScuHead } from '../../../device/device.js'
import { TimeBudget } from '../../../device/time-budget.js'
import type { LogMessage, TseIdentity } from '../../../device/tse/tse.js'
import { CertifiedUnit } from './certified-unit.js'

export class CertifiedTse {
  readonly keepsLog = true
  protected readonly unit: CertifiedUnit

  constructor(scu: ScuHead, tools: DriverTools) {
    this.unit = new CertifiedUnit(scu, tools)
  }

  identity(): TseIdentity {
    return this.unit.identity()
  }

  takeLogs(): LogMessage[] {
    return this.unit.takeLogs()
  }

  protected budget(limit: CallLimit): TimeBudget {
    return new TimeBudget(this.unit.tools, limit)
  }
}

/** The newest of many things, by their number. */
export class Newest<T> {
  private readonly kept = new Map<number, T>()
  private readonly most: number

  constructor(most: number) {
    this.most = most
  }

  get(number: number): T | undefined {
    return this.kept.get(number)
  }

  set(number: number, value: T): void {
    this.kept.set(number, value)
    const oldest = this.kept.keys().next().value
    if (this.kept.size > this.most && oldest !== undefined) this.kept.delete(oldest)
  }

  delete(number: number): void {
    this.kept.delete(number)
  }
}
