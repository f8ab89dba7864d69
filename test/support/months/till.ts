// A register of a month: what it sells, takes back and closes, as a program sends it. By chance,
// and the same for the same seed.
import type { Chance } from '../load.js'

export interface Line {
  text: string
  /** Cents. */
  amount: number
  /** Low bits of its case; the last digit names the rate. */
  kind: number
  quantity?: number
}

export interface Sent {
  reference: string
  /** Low 44 bits of the receipt case. */
  kind: number
  charges: Line[]
  /** Cents and kind. */
  pays: [cents: number, kind: number][]
  previous?: string
  customer?: object
  more?: object
}

/** How the registers of a country work. */
export interface Habits {
  country: string
  words: readonly string[]
  /** By the last digit of an item's case. */
  rates: Readonly<Record<number, string>>
  /** Cases of sales, with who buys where it is said. */
  sales: readonly { kind: number; customer?: object }[]
  /** Of every twenty receipts so many take something back; how: flag, and sign of amounts. */
  turns: readonly { flag: number; sign: 1 | -1 }[]
  /** Receipts without items, one of them in twenty. */
  others: readonly number[]
  /** The case of the evening, after so many receipts. */
  evening?: { kind: number; every: number }
  /** Orders before their receipt. */
  orders?: { kind: number; more: object }
}

const pick = <T>(chance: Chance, list: readonly T[]): T | undefined =>
  list[Math.floor(chance.between(0, list.length))]

/** What one register does next; it knows what was accepted. */
export class Register {
  private readonly open: Sent[] = []
  private readonly orders: Sent[] = []
  private count = 0
  private readonly habits: Habits
  private readonly chance: Chance
  private readonly name: string

  constructor(habits: Habits, chance: Chance, name: string) {
    this.habits = habits
    this.chance = chance
    this.name = name
  }

  next(): Sent {
    const { habits, chance } = this
    this.count += 1
    const reference = `${this.name}-${this.count}`
    const plain = { reference, charges: [], pays: [] }
    if (habits.evening !== undefined && this.count % habits.evening.every === 0) {
      return { ...plain, kind: habits.evening.kind }
    }
    const dice = Math.floor(chance.between(0, 20))
    const turn = pick(chance, habits.turns)
    if (dice < 3 && turn !== undefined && this.open.length > 3) {
      return this.turned(reference, turn)
    }
    const other = pick(chance, habits.others)
    if (dice === 3 && other !== undefined) return { ...plain, kind: other }
    if (dice < 7 && habits.orders !== undefined) return this.ordered(plain, habits.orders)
    return { ...plain, kind: 0, ...pick(chance, habits.sales), ...this.items() }
  }

  /** What was sold may come back, orders become receipts. */
  accepted(sent: Sent): void {
    if (sent.previous !== undefined || sent.charges.length === 0) return
    if (sent.kind === this.habits.orders?.kind) this.orders.push(sent)
    else this.open.push(sent)
  }

  private items(): Pick<Sent, 'charges' | 'pays'> {
    const { chance, habits } = this
    const digits = Object.keys(habits.rates).map(Number)
    const charges = Array.from({ length: 1 + Math.floor(chance.between(0, 3)) }, () => ({
      text: pick(chance, habits.words) ?? '',
      amount: Math.floor(chance.between(50, 2500)),
      kind: 0x10 + (pick(chance, digits) ?? 0),
    }))
    return { charges, pays: [[sumOf(charges), pick(chance, [1, 5]) ?? 1]] }
  }

  private turned(reference: string, { flag, sign }: { flag: number; sign: 1 | -1 }): Sent {
    const at = Math.floor(this.chance.between(0, this.open.length))
    const [before] = this.open.splice(at, 1)
    if (before === undefined) throw new Error('nothing was sold')
    return {
      ...{ ...before, reference, kind: before.kind | flag, previous: before.reference },
      charges: before.charges.map((one) => ({
        ...{ ...one, amount: sign * one.amount, quantity: sign },
      })),
      pays: before.pays.map(([cents, kind]) => [sign * cents, kind]),
    }
  }

  private ordered(plain: Omit<Sent, 'kind'>, orders: { kind: number; more: object }): Sent {
    const order = this.orders.shift()
    if (order === undefined) return { ...plain, ...orders, charges: this.items().charges }
    const { charges, reference: previous } = order
    return { ...plain, kind: 1, charges, pays: [[sumOf(charges), 1]], previous }
  }
}

const sumOf = (charges: readonly Line[]): number =>
  charges.reduce((sum, { amount }) => sum + amount, 0)

const VERSION_2 = 0x2000n
const REQUEST_FLAG = 0x8000_0000n
const money = (cents: number): string => (cents / 100).toFixed(2)

/** The request; `asks`: whether this receipt is there already. */
export function textOf({ country, rates }: Habits, sent: Sent, asks: boolean): string {
  const letters = BigInt(`0x${Buffer.from(country, 'latin1').toString('hex')}`)
  const word = (low: bigint) => `${(letters << 48n) | (VERSION_2 << 32n) | low}`
  const item = ({ text, amount, kind, quantity = 1 }: Line) =>
    `{"Quantity":${quantity},"Description":${JSON.stringify(text)},"Amount":${money(amount)},` +
    `"VATRate":${rates[kind & 0xf]},"ftChargeItemCase":${word(BigInt(kind))}}`
  const pay = ([cents, kind]: [number, number]) =>
    `{"Quantity":1,"Description":"Pay","Amount":${money(cents)},` +
    `"ftPayItemCase":${word(BigInt(kind))}}`
  const plain = {
    ...{ cbTerminalID: '1', cbReceiptReference: sent.reference, cbUser: 'Maria' },
    cbReceiptMoment: new Date().toISOString(),
    ...(sent.previous === undefined ? {} : { cbPreviousReceiptReference: sent.previous }),
    ...(sent.customer === undefined ? {} : { cbCustomer: JSON.stringify(sent.customer) }),
    ...sent.more,
  }
  const kind = BigInt(sent.kind) | (asks ? REQUEST_FLAG : 0n)
  return (
    `${JSON.stringify(plain).slice(0, -1)},"cbChargeItems":[${sent.charges.map(item)}],` +
    `"cbPayItems":[${sent.pays.map(pay)}],"ftReceiptCase":${word(kind)}}`
  )
}
