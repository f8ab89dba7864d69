// Everything that may happen to three queues at one TSE, as commands of a model.
import fc from 'fast-check'
import { longHistories } from '../model/long-histories.js'
import type { Act, Call, SharedTse, Tagging } from './shared-tse.js'

export interface Model {
  steps: number
}

/** Its numbers are counted back from the last one. */
class SignCommand implements fc.AsyncCommand<Model, SharedTse> {
  readonly call: Call

  constructor(call: Call) {
    this.call = call
  }

  check(): boolean {
    return true
  }

  async run(model: Model, real: SharedTse): Promise<void> {
    model.steps += 1
    const numbers = this.call.numbers.map((ago) => real.numberAgo(ago))
    const { accepted, state } = await real.sign({ ...this.call, numbers })
    if (this.call.act === 'training' && accepted) throw new Error('a training closing was accepted')
    if (accepted && state !== 0n && state !== 2n) throw new Error(`state ${state.toString(16)}`)
  }

  toString(): string {
    return JSON.stringify(this.call)
  }
}

class FaultCommand implements fc.AsyncCommand<Model, SharedTse> {
  readonly steps: { do: string; calls: number }[]

  constructor(steps: { do: string; calls: number }[]) {
    this.steps = steps
  }

  check(): boolean {
    return true
  }

  run(model: Model, real: SharedTse): Promise<void> {
    model.steps += 1
    return real.fault(this.steps)
  }

  toString(): string {
    return `fault ${JSON.stringify(this.steps)}`
  }
}

/** The outage is over, and each queue hears of it: else most receipts would meet a failed mode. */
class HealCommand implements fc.AsyncCommand<Model, SharedTse> {
  readonly tagging: Tagging

  constructor(tagging: Tagging) {
    this.tagging = tagging
  }

  check(): boolean {
    return true
  }

  async run(model: Model, real: SharedTse): Promise<void> {
    model.steps += 1
    await real.fault([])
    for (const queue of [0, 1, 2]) {
      const call = { act: 'zero', server: queue % 2, table: 0, numbers: [], queue } as const
      const { state, text } = await real.sign({ ...call, tagging: this.tagging })
      if (state !== 0n) throw new Error(`a zero receipt did not end the outage: ${text}`)
    }
  }

  toString(): string {
    return `heal ${this.tagging}`
  }
}

const taggings = fc.constantFrom<Tagging>('v0', 'v2')

const act = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom<Act>('sale', 'start', 'end') },
  { weight: 3, arbitrary: fc.constantFrom<Act>('order', 'update', 'cancel', 'zero', 'daily') },
  {
    weight: 2,
    arbitrary: fc.constantFrom<Act>('closeAll', 'many', 'monthly', 'yearly'),
  },
  { weight: 1, arbitrary: fc.constantFrom<Act>('training', 'trainingSale', 'migrationItems') },
)

const calls: fc.Arbitrary<Call> = fc.record({
  act,
  queue: fc.nat(2),
  server: fc.nat(1),
  tagging: taggings,
  table: fc.nat(1),
  numbers: fc.array(fc.integer({ min: -1, max: 20 }), { maxLength: 2 }),
})

const faults = fc.array(
  fc.record({
    do: fc.constantFrom('unreachable', 'error', 'error-after', 'garbage', 'wrong-signature'),
    calls: fc.integer({ min: 1, max: 7 }),
  }),
  { minLength: 1, maxLength: 2 },
)

export const histories = longHistories<fc.AsyncCommand<Model, SharedTse>>(
  fc.oneof(
    { weight: 20, arbitrary: calls.map((call) => new SignCommand(call)) },
    { weight: 1, arbitrary: faults.map((steps) => new FaultCommand(steps)) },
    { weight: 2, arbitrary: taggings.map((tagging) => new HealCommand(tagging)) },
  ),
)
