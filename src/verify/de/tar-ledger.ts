// What the log of a TSE says about each finished transaction, in a few words of memory each: a busy
// register has a million.
import { createHash } from 'node:crypto'
import { beginningOf, shortened } from './order-text.js'

export interface LoggedTransaction {
  serialHex: string
  number: number
  clientId: string
  processType: string
  processData: Buffer
  counter: number
  /** Unix milliseconds. */
  end: number
}

/** What is kept: texts as the first six bytes of a hash. */
export interface Kept {
  device: number
  number: number
  client: number
  type: number
  data: number
  /** Of an order: what a cell can hold of it, and what its lines can. Else as `data`. */
  beginning: number
  lines: number
  counter: number
  end: number
  /** Unix milliseconds; NaN: the log does not hold the start. */
  start: number
  isFound: number
}

const FIELDS = [
  ...(['device', 'number', 'client', 'type'] as const),
  ...(['data', 'beginning', 'lines'] as const),
  ...(['counter', 'end', 'start', 'isFound'] as const),
]
const START_SLOTS = 1 << 10

/** Open addressing over columns of numbers, at most three quarters full. */
export class TarLedger {
  private columns = columnsOf(START_SLOTS)
  private slots = START_SLOTS
  count = 0

  add(transaction: LoggedTransaction, start: number): void {
    const { serialHex, number, clientId, processType, processData, counter, end } = transaction
    this.put({
      device: mark(serialHex),
      number,
      client: mark(clientId),
      type: mark(processType),
      ...marksOf(processType, processData),
      counter,
      end,
      start,
      isFound: 0,
    })
    if (this.count * 4 > this.slots * 3) this.grow()
  }

  /** The transaction, which counts as found from now on. */
  take(serialHex: string, number: number): Kept | undefined {
    const at = this.slot(mark(serialHex), number)
    if (this.columns.number[at] === 0) return undefined
    this.columns.isFound[at] = 1
    return this.read(at)
  }

  *all(): Generator<Kept, void> {
    for (let at = 0; at < this.slots; at += 1) {
      if (this.columns.number[at] !== 0) yield this.read(at)
    }
  }

  private put(kept: Kept): void {
    const at = this.slot(kept.device, kept.number)
    if (this.columns.number[at] === 0) this.count += 1
    for (const name of FIELDS) this.columns[name][at] = kept[name]
  }

  private slot(device: number, number: number): number {
    let at = (device + number) % this.slots
    const { columns } = this
    while (
      columns.number[at] !== 0 &&
      (columns.number[at] !== number || columns.device[at] !== device)
    ) {
      at = (at + 1) % this.slots
    }
    return at
  }

  private read(at: number): Kept {
    const read = FIELDS.map((name) => [name, this.columns[name][at] ?? 0])
    return Object.fromEntries(read) as unknown as Kept
  }

  private grow(): void {
    const before = { columns: this.columns, slots: this.slots }
    this.slots *= 2
    this.columns = columnsOf(this.slots)
    for (let old = 0; old < before.slots; old += 1) {
      const number = before.columns.number[old] ?? 0
      if (number === 0) continue
      const at = this.slot(before.columns.device[old] ?? 0, number)
      for (const name of FIELDS) this.columns[name][at] = before.columns[name][old] ?? 0
    }
  }
}

function marksOf(type: string, bytes: Buffer): Pick<Kept, 'data' | 'beginning' | 'lines'> {
  const data = mark(bytes)
  if (type !== 'Bestellung-V1') return { data, beginning: data, lines: data }
  const order = bytes.toString('utf8')
  return { data, beginning: mark(beginningOf(order)), lines: mark(shortened(order)) }
}

type Columns = Record<keyof Kept, Float64Array>

function columnsOf(slots: number): Columns {
  const columns = FIELDS.map((name) => [name, new Float64Array(slots)])
  return Object.fromEntries(columns) as Columns
}

/** Six bytes of a hash: two different texts share them once in a hundred million million. */
export function mark(text: string | Buffer): number {
  return createHash('sha256').update(text).digest().readUIntBE(0, 6)
}
