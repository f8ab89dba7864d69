// A random month: two processes on one queue, outages of the device, answers that get lost, kills
// between the step and its commit, a closing each evening. What is left verifies.
// The soak makes it long.
import { describe, expect, it } from 'vitest'
import { MONTH_MS, RECEIPTS, randomOf } from '../month.js'
import { fault, judge, type Sent, startedQueue, type TestQueue } from './queue.js'

const FAULTS = [
  ...['unreachable', 'error', 'error-after', 'printed-then-silent', 'garbage', 'paper-out'],
  ...['cover-open', 'closing-needed', 'journal-full'],
]
const PRODUCTS = ['Caffè', 'Pane', 'Vino rosso', 'Succo', 'Formaggio – Alpi']
const PER_DAY = 75
const DAY_MS = 86_400_000

class Month {
  private readonly open: Sent[] = []
  private count = 0
  /** Numbers of accepted receipts, in their order. */
  readonly accepted: string[] = []
  refused = 0
  killed = 0
  resent = 0
  readonly queue: TestQueue
  private readonly random: (below: number) => number

  constructor(queue: TestQueue, random: (below: number) => number) {
    this.queue = queue
    this.random = random
  }

  private next(): Sent {
    this.count += 1
    const reference = `r${this.count}`
    if (this.count % PER_DAY === 0) return { reference, kind: 0x2011 }
    const target = this.open[this.random(this.open.length || 1)]
    const dice = this.random(20)
    if (dice < 3 && target !== undefined) return this.turned(reference, target, dice === 0)
    if (dice === 3) return { reference, kind: 0x2000 }
    const charges = Array.from({ length: 1 + this.random(3) }, () => {
      const text = PRODUCTS[this.random(PRODUCTS.length)] ?? ''
      return { text, amount: (50 + this.random(1500)) / 100, kind: 0x10 + 1 + this.random(4) }
    })
    const sum = charges.reduce((all, { amount }) => all + Math.round(amount * 100), 0)
    return { reference, kind: 1, charges, pays: [[sum / 100, 1 + this.random(5)]] }
  }

  /** Voids and returns what was made, sometimes twice. */
  private turned(reference: string, before: Sent, isVoid: boolean): Sent {
    const charges = (before.charges ?? []).map((one) => ({ ...one, amount: -one.amount }))
    const pays = (before.pays ?? []).map(([amount]): [number, number] => [-amount, 1])
    const kind = isVoid ? 0x4_0001 : 0x100_0001
    return { reference, kind, previous: before.reference, charges, pays }
  }

  async step(): Promise<void> {
    const { queue } = this
    queue.moment = new Date(queue.moment.getTime() + 1000 * (1 + this.random(30)))
    if (this.random(20) === 0) {
      const kind = FAULTS[this.random(FAULTS.length)] ?? ''
      queue.scu.faultScript = fault(kind, 1 + this.random(4))
    }
    const sent = this.next()
    // another process was faster, or this one died: what it computed is thrown away
    if (this.random(12) === 0) {
      const undo = queue.keepPoint()
      await queue.run(sent)
      undo()
      this.killed += 1
    }
    let outcome = await queue.run(sent)
    // a register sends once more what got no answer
    for (let tries = 0; queue.state.lost.length > 0 && tries < 6; tries += 1) {
      this.resent += 1
      outcome = await queue.run(sent)
    }
    if (outcome.faults.length > 0) this.refused += 1
    else this.note(sent, outcome.identification)
  }

  private note(sent: Sent, identification: string): void {
    const number = identification.split('#')[1] ?? ''
    if (number !== '') this.accepted.push(number)
    if (sent.kind === 1) this.open.push(sent)
    if (number.startsWith('Z')) {
      this.queue.moment = new Date(this.queue.moment.getTime() + DAY_MS / 2)
    }
  }
}

describe('a random month', () => {
  it(
    'everything accepted is in the journal once and in order, without a gap',
    async () => {
      const queue = await startedQueue({ lastZ: 0 })
      const month = new Month(queue, randomOf(1))
      for (let n = 0; n < RECEIPTS; n += 1) await month.step()
      const { findings, summary } = await judge(queue.journal())
      // a gap would be a document that was printed and that nobody has
      expect(findings).toEqual([])
      const names = queue
        .journal()
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as { type: string; z: number; doc: number })
        .map(({ type, z, doc }) => {
          const [day, number] = [z, doc].map((one) => String(one).padStart(4, '0'))
          return type === 'closing' ? `Z${day}` : `${day}-${number}`
        })
      expect(names).toEqual(month.accepted)
      expect(new Set(names).size).toBe(names.length)
      expect(summary.documents).toBeGreaterThan(RECEIPTS * 0.7)
      expect(Math.min(month.refused, month.killed, month.resent)).toBeGreaterThan(RECEIPTS / 100)
      const { grandTotal, z } = JSON.parse(queue.scu.state) as { grandTotal: string; z: number }
      const sums = queue.rows
        .filter(({ kind }) => kind === 'R')
        .map(({ content }) => JSON.parse(content) as { type: string; total: string })
        .map(({ type, total }) => (type === 'sale' ? BigInt(total) : -BigInt(total)))
      expect(`${sums.reduce((sum, one) => sum + one, 0n)}`).toBe(grandTotal)
      expect(z).toBe(summary.closings)
    },
    MONTH_MS,
  )
})
