// How tills behave in a German shop: implicit and explicit receipts, orders that are split and
// merged, voids, several terminals and operators, many at the same time.
import { expect } from 'vitest'
import type { Chance } from '../load.js'
import { sumOf } from './story-items.js'
import { goods, isBeleg, paid, type Recipe, recipe, reversed } from './story-recipes.js'
import { dataOf, expectedData, type GermanShop, IMPLICIT, type Sent } from './story-shop.js'

const UPDATE = 9n
const DELTA = 10n
export const START = 8n
export const FAIL = 11n

export class Tills {
  readonly shop: GermanShop
  /** Receipts find no TSE: every answer says so, and none is signed. */
  down = false
  private readonly chance: Chance
  private kind = 0
  private next = 0

  constructor(shop: GermanShop, chance: Chance) {
    this.shop = shop
    this.chance = chance
  }

  dice(sides: number): number {
    return Math.floor(this.chance.between(0, sides))
  }

  reference(name: string): string {
    this.next += 1
    return `${name}-${this.next}`
  }

  /** One receipt after the other of every kind of business. */
  recipe(): Recipe {
    this.kind += 1
    return recipe(this.kind, this.chance)
  }

  order(): Recipe {
    const lines = Array.from({ length: 1 + this.dice(3) }, () => goods(this.chance))
    return { code: 0x10, bonType: 'AVBestellung', lines, pays: [] }
  }

  bill(lines: Recipe['lines']): Recipe {
    return { code: 1, bonType: 'Beleg', lines, pays: paid(sumOf(lines), this.chance) }
  }

  /** Sends and looks at what the answer says of the TSE. */
  async send(queue: number, order: Parameters<GermanShop['send']>[1]): Promise<Sent> {
    const terminal = order.terminal ?? `T${1 + this.dice(4)}`
    const user = ['Erika "E." Muster', 'Ali; Öz', 'Kim'][this.dice(3)] ?? 'Kim'
    const sent = await this.shop.send(queue, { ...order, terminal, user })
    const { answer } = sent
    if (this.down) {
      expect(answer.state & 2n, order.reference).toBe(2n)
      expect(dataOf(answer, 0x1dn)).toBeUndefined()
      expect(answer.identification).toMatch(/^ft[0-9A-F]+#$/)
    } else if (order.recipe !== undefined && (order.word & 0x9_0000n) === 0n) {
      const said = [dataOf(answer, 0x15n), dataOf(answer, 0x16n)]
      expect(said, order.reference).toEqual(expectedData(order.recipe))
    }
    return sent
  }

  implicit(queue: number, made: Recipe, more: { reference?: string; previous?: string } = {}) {
    const word = IMPLICIT | BigInt(made.code) | (made.flags ?? 0n)
    return this.send(queue, { word, reference: this.reference('i'), ...more, recipe: made })
  }

  start(queue: number, reference: string): Promise<Sent> {
    return this.send(queue, { word: START, reference })
  }

  finish(queue: number, reference: string, made: Recipe): Promise<Sent> {
    const word = BigInt(made.code) | (made.flags ?? 0n)
    return this.send(queue, { word, reference, recipe: made })
  }

  failOne(queue: number, reference: string): Promise<Sent> {
    const none = { code: 0xb, bonType: 'AVBelegabbruch', lines: [], pays: [] }
    return this.send(queue, { word: FAIL, reference, recipe: none })
  }

  async explicit(queue: number): Promise<void> {
    const reference = this.reference('e')
    await this.start(queue, reference)
    const steps = this.dice(3)
    for (let step = 0; step < steps; step += 1) {
      await this.send(queue, { word: step === 0 ? UPDATE : DELTA, reference })
    }
    const end = this.dice(8)
    if (end === 0) await this.failOne(queue, reference)
    // one of eight stays open until the closing
    else if (end > 1) await this.finish(queue, reference, this.recipe())
  }

  /** Two orders of a table become one bill, or one order two bills. */
  async table(queue: number): Promise<void> {
    const orders = [this.order(), this.order()]
    const names = [this.reference('table'), this.reference('table')] as const
    for (const [at, name] of names.entries()) {
      await this.start(queue, name)
      await this.finish(queue, name, orders[at] ?? this.order())
    }
    const lines = orders.flatMap((one) => one.lines)
    if (this.dice(2) === 0) {
      await this.implicit(queue, this.bill(lines), { reference: names[0], previous: names[1] })
      return
    }
    for (const half of [lines.slice(0, 1), lines.slice(1)]) {
      await this.implicit(queue, this.bill(half), { previous: names[0] })
    }
  }

  async voided(queue: number): Promise<void> {
    const made = this.recipe()
    const { reference } = await this.implicit(queue, made)
    if (!isBeleg(made)) return
    await this.implicit(queue, reversed(made), { previous: reference })
  }

  async other(queue: number): Promise<void> {
    const code = [0x13, 0x14][this.dice(2)] ?? 0x14
    const text = { code, bonType: '', lines: [], pays: [] }
    await this.implicit(queue, text)
    const word = IMPLICIT | 0xbn
    // none is open that has this number: the receipt itself is what is left
    const recipe = { code: 0xb, bonType: 'AVBelegabbruch', lines: [], pays: [] }
    const data = { CurrentStartedTransactionNumbers: [] }
    await this.send(queue, { word, reference: '', recipe, data })
  }

  async training(queue: number): Promise<void> {
    const order = { ...this.order(), flags: 0x2_0000n }
    await this.implicit(queue, order)
  }

  /** So many receipts by clients that do not wait for each other. */
  async crowd(count: number, clients = 8): Promise<void> {
    const end = this.shop.sent.length + count
    const kinds = [this.explicit, this.explicit, this.table, this.voided, this.other, this.training]
    const client = async () => {
      while (this.shop.sent.length < end) {
        const queue = this.dice(2)
        const kind = kinds[this.dice(kinds.length * 3)]
        if (kind === undefined) await this.implicit(queue, this.recipe())
        else await kind.call(this, queue)
      }
    }
    await Promise.all(Array.from({ length: clients }, client))
  }
}
