// A random month: two processes on one queue, outages of the unit and of the authority, calls whose
// answer is lost, and a kill between the step and its commit. What is left verifies.
// The soak makes it long.
import { describe, expect, it } from 'vitest'
import { judge, later, newQueue } from '../../verify/pt/files.js'
import { MONTH_MS, RECEIPTS, randomOf } from '../month.js'
import type { Sent, TestQueue } from './queue.js'

const FAULTS = ['unreachable', 'error-after', 'wrong-signature', 'authority-away', 'garbage']
const PRODUCTS = ['Café', 'Pão', 'Vinho tinto', 'Sumo', 'Queijo – Serra']

class Month {
  private readonly open: { reference: string; sent: Sent; credited: boolean }[] = []
  private count = 0
  readonly accepted: string[] = []
  refused = 0
  killed = 0
  private readonly queue: TestQueue
  private readonly random: (below: number) => number

  constructor(queue: TestQueue, random: (below: number) => number) {
    this.queue = queue
    this.random = random
  }

  private items(): Pick<Sent, 'charges' | 'pays'> {
    const charges = Array.from({ length: 1 + this.random(3) }, () => {
      const cents = 50 + this.random(1500)
      const text = PRODUCTS[this.random(PRODUCTS.length)] ?? ''
      return { text, amount: cents / 100, kind: 0x10 + 1 + this.random(3) }
    })
    const sum = charges.reduce((all, { amount }) => all + Math.round(amount * 100), 0)
    return { charges, pays: [[sum / 100, 1 + this.random(5)]] }
  }

  private next(): Sent {
    this.count += 1
    const reference = `r${this.count}`
    const target = this.open[this.random(this.open.length || 1)]
    const dice = this.random(20)
    if (dice < 3 && target !== undefined) return this.turned(reference, target, dice === 0)
    if (dice < 5) return { reference, kind: 6, charges: this.items().charges ?? [] }
    return { reference, kind: dice < 9 ? 0x1001 : 1, ...this.items() }
  }

  /** Voids and refunds what was made, sometimes twice. */
  private turned(
    reference: string,
    { sent, reference: previous }: { sent: Sent; reference: string },
    isVoid: boolean,
  ): Sent {
    const charges = (sent.charges ?? []).map((one) => ({
      ...one,
      amount: -one.amount,
      quantity: -1,
    }))
    const pays = (sent.pays ?? []).map(([amount, kind]): [number, number] => [-amount, kind ?? 1])
    const flag = isVoid ? 0x4_0000 : 0x100_0000
    return { reference, kind: sent.kind | flag, previous, charges, pays }
  }

  async step(): Promise<void> {
    later(this.queue, 1 + this.random(30))
    if (this.random(25) === 0) this.fault()
    const sent = this.next()
    // another process was faster, or this one died: what it computed is thrown away
    if (this.random(12) === 0) {
      const undo = this.queue.keepPoint()
      await this.queue.run({ ...sent, reference: `${sent.reference}-lost` })
      undo()
      this.killed += 1
    }
    const outcome = await this.queue.run(sent)
    if (outcome.faults.length > 0) {
      this.refused += 1
      return
    }
    if (outcome.signatures.length > 0)
      this.accepted.push(outcome.identification.split('#')[1] ?? '')
    if (sent.kind === 1 || sent.kind === 0x1001) {
      this.open.push({ reference: sent.reference, sent, credited: false })
    }
  }

  private fault(): void {
    const kind = FAULTS[this.random(FAULTS.length)]
    const steps = [{ do: kind, calls: 1 + this.random(4) }]
    this.queue.scu.faultScript = JSON.stringify({ steps, position: 0, calls: 0 })
  }
}

describe('a random month', () => {
  it(
    'everything accepted is in the books once and in order, and they verify',
    async () => {
      const queue = await newQueue()
      queue.scu.faultScript = JSON.stringify({
        ...{ steps: [{ do: 'authority-error-after', calls: 2 }], position: 0, calls: 0 },
      })
      await queue.run({ reference: 'start', kind: 0x4001 })
      const month = new Month(queue, randomOf(1))
      for (let n = 0; n < RECEIPTS; n += 1) await month.step()
      queue.scu.faultScript = null
      const books = await queue.books()
      const { findings, summary } = await judge(books, queue.state.keys[0])
      expect(findings).toEqual([])
      const told = [
        ...books.toString('latin1').matchAll(/<(?:InvoiceNo|DocumentNumber|PaymentRefNo)>([^<]+)/g),
      ]
      const numbers = told.map(([, number]) => number)
      expect(new Set(numbers).size).toBe(numbers.length)
      expect(numbers.toSorted()).toEqual(month.accepted.toSorted())
      expect(summary).toMatchObject({ documents: month.accepted.length })
      expect(month.accepted.length).toBeGreaterThan(RECEIPTS * 0.6)
      expect(Math.min(month.refused, month.killed)).toBeGreaterThan(RECEIPTS / 100)
      // every series was registered once
      const { register } = JSON.parse(queue.scu.state) as {
        register: { series: { serie: string; tipoDoc: string }[] }
      }
      const series = register.series.map(({ tipoDoc, serie }) => `${tipoDoc} ${serie}`)
      expect(series.toSorted()).toEqual([...new Set(series)].toSorted())
      expect(series).toHaveLength(
        Object.values(queue.state.series).filter(({ code }) => code !== '').length,
      )
    },
    MONTH_MS,
  )
})
