// The memory of a TSE emulator under chance: what it says that it holds against a plain list.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { MemoryExport } from '../../../src/device/tse/tse.js'
import { LIMIT, TseStand } from '../../market/de/support/tse-stand.js'

interface Held {
  counter: number
  bytes: number
  /** undefined: a system log. */
  transaction: number | undefined
}

const STEPS = ['start', 'start', 'update', 'finish', 'transaction', 'time', 'erase'] as const

/** A device and, beside it, the list of the messages that it should hold. */
class Pair {
  private readonly stand: TseStand
  private held: Held[] = []
  private open: number[] = []

  constructor(stand: TseStand) {
    this.stand = stand
    this.note(undefined)
  }

  async step(step: (typeof STEPS)[number], chance: number): Promise<void> {
    const chosen = this.open[chance % Math.max(1, this.open.length)]
    if (step === 'erase') return this.erase()
    if (step === 'start') {
      const { transactionNumber } = await this.stand.start()
      this.open.push(transactionNumber)
      return this.note(transactionNumber)
    }
    if (step === 'time') await this.stand.tse.setTime(LIMIT)
    if (step === 'transaction') await this.stand.transaction()
    if (chosen === undefined || step === 'time' || step === 'transaction') {
      return this.note(undefined)
    }
    if (step === 'update') await this.stand.update(chosen)
    else await this.stand.finish(chosen)
    if (step === 'finish') this.open = this.open.filter((one) => one !== chosen)
    this.note(chosen)
  }

  async check(): Promise<void> {
    const { logMemory, openTransactions } = await this.stand.info()
    expect(openTransactions).toEqual(this.open)
    expect(logMemory).toBe(this.held.reduce((sum, { bytes }) => sum + bytes, 0))
    const held = this.held.map(({ counter }) => counter)
    expect(countersOf(await this.stand.tse.exportMemory(false, LIMIT))).toEqual(held)
    this.stand.reopen()
  }

  private async erase(): Promise<void> {
    const held = this.held.map(({ counter }) => counter)
    expect(countersOf(await this.stand.tse.exportMemory(true, LIMIT))).toEqual(held)
    this.held = this.held.filter(({ transaction }) => this.open.includes(transaction ?? 0))
  }

  private note(transaction: number | undefined): void {
    for (const { signatureCounter, der } of this.stand.logged()) {
      this.held.push({ counter: signatureCounter, bytes: der.length, transaction })
    }
  }
}

/** By the words of the interface: all counters of the range but those that are left out. */
function countersOf({ from, to, without }: MemoryExport): number[] {
  const counters = Array.from({ length: Math.max(0, to - from + 1) }, (_, at) => from + at)
  for (const [first, last] of without) {
    expect(first).toBeLessThanOrEqual(last)
    expect([first > from, last < to]).toEqual([true, true])
  }
  return counters.filter((one) => !without.some(([first, last]) => one >= first && one <= last))
}

describe('the memory', () => {
  it('holds exactly what was logged and not erased, whatever happens in which order', async () => {
    const step = fc.tuple(fc.constantFrom(...STEPS), fc.nat(100))
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
        const pair = new Pair(await TseStand.working())
        for (const [name, chance] of steps) await pair.step(name, chance)
        await pair.check()
      }),
      { numRuns: 60 },
    )
  })
})
