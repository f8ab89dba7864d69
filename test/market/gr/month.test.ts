// A random month: two processes on one queue, an authority that is away, throttles and loses
// answers, kills between the step and its commit and within the work that follows. What is left
// verifies, and the authority has every document once, in order. The soak makes it long.
import { describe, expect, it } from 'vitest'
import { remoteDrivers } from '../../../src/device/gr/remote.js'
import { MYDATA_PACKAGE } from '../../../src/device/gr/unit.js'
import type { StoredOutcome, StoredRecord } from '../../../src/market/gr/rows.js'
import { type LineFault, MydataDoor } from '../../../src/simulator/gr/door.js'
import { emptyRegister } from '../../../src/simulator/gr/register.js'
import { judge } from '../../verify/gr/files.js'
import { scuHead } from '../at/support/stub-device.js'
import { MONTH_MS, RECEIPTS, randomOf } from '../month.js'
import {
  type Charges,
  customer,
  dataOf,
  type Pays,
  type Sent,
  startedQueue,
  type TestQueue,
} from './queue.js'

const FAULTS: readonly LineFault[] = ['away', 'throttled', 'broken', 'technical', 'lost', 'lost']
const DISHES = ['Μουσακάς', 'Χωριάτικη σαλάτα', 'Κρασί λευκό', 'Ψωμί', 'Ελληνικός καφές']

class Month {
  private readonly open: Sent[] = []
  private readonly orders: Sent[] = []
  private count = 0
  private due = 0
  made = 0
  killed = 0
  refused = 0
  late = 0
  paid = 0
  constructor(
    readonly queue: TestQueue,
    private readonly door: MydataDoor,
    private readonly random: (below: number) => number,
  ) {}

  private later(minutes: number): void {
    this.queue.moment = new Date(this.queue.moment.getTime() + minutes * 60_000)
  }

  private items(): Pick<Sent, 'charges' | 'pays'> {
    const { random } = this
    const charges: Charges = Array.from({ length: 1 + random(3) }, () => {
      const [rate, kind] = random(3) === 0 ? [13, 0x11] : [24, 0x13]
      return [DISHES[random(DISHES.length)] ?? '', (50 + random(3000)) / 100, rate, kind]
    })
    const cents = charges.reduce((sum, [, amount]) => sum + Math.round(amount * 100), 0)
    return { charges, pays: [['Κάρτα', cents / 100, random(2) === 0 ? 5 : 1]] }
  }

  private next(): Sent {
    const { random } = this
    this.count += 1
    const reference = `r${this.count}`
    const dice = random(24)
    const target = this.open[random(this.open.length || 1)]
    if (dice < 3 && target !== undefined) {
      const charges = (target.charges ?? []).map(
        ([text, amount, rate, kind]): [string, number, number, number] => [
          ...([text, -amount, rate, kind] as const),
        ],
      )
      const pays = (target.pays ?? []).map(([text, amount, kind]): [string, number, number] => [
        ...([text, -amount, kind ?? 1] as const),
      ])
      const { kind, reference: previous = '' } = target
      this.open.splice(this.open.indexOf(target), 1)
      return { ...target, reference, kind: kind | 0x100_0000, previous, charges, pays }
    }
    if (dice === 3 && target !== undefined) {
      const [[text, amount] = ['', 0]] = target.pays ?? []
      const pays: Pays = [[text, amount, 0x1_0000_0005]]
      return { reference, kind: 0x3005, previous: target.reference ?? '', pays }
    }
    if (dice < 7) {
      const more = { cbArea: String(1 + random(20)) }
      const order = { reference, kind: 0x3004, charges: this.items().charges ?? [], more }
      this.orders.push(order)
      return order
    }
    const order = this.orders.shift()
    if (dice < 10 && order !== undefined) {
      const { charges = [], reference: previous = '' } = order
      if (dice === 7) return { ...order, reference, kind: 0x4_3004, previous }
      const cents = charges.reduce((sum, [, amount]) => sum + Math.round(amount * 100), 0)
      return { reference, kind: 1, charges, pays: [['Μετρητά', cents / 100]], previous }
    }
    if (order !== undefined) this.orders.unshift(order)
    const invoice = dice < 14 ? { kind: 0x1002, customer } : { kind: 1 }
    const sent = { reference, ...invoice, ...this.items() }
    this.open.push(sent)
    return sent
  }

  async step(): Promise<void> {
    const { queue, random, door } = this
    this.later(1 + random(20))
    if (random(12) === 0) {
      const fault = FAULTS[random(FAULTS.length)] ?? 'away'
      door.faults = Array.from({ length: 1 + random(3) }, () => fault)
    }
    const sent = this.next()
    // another process was faster, or this one died: what it computed is thrown away, and the
    // authority may know of it. The same receipt comes again, under its id or a new one
    if (random(12) === 0) {
      const undo = queue.keepPoint()
      await queue.run(sent)
      undo(random(2) === 0)
      this.killed += 1
    }
    const outcome = await queue.run(sent)
    if (outcome.faults.length > 0) this.refused += 1
    else if (sent.kind === 0x3005) this.paid += 1
    else {
      this.made += 1
      if (dataOf(outcome, 'invoiceMark') === undefined) this.late += 1
    }
    if (random(3) === 0) await this.work()
  }

  /** As the queue of jobs does it: not before it is due, and again after a kill. */
  async work(): Promise<void> {
    const { queue, random } = this
    if (!queue.waiting && queue.moment.getTime() < this.due) return
    let writes = random(4) === 0 ? random(4) : -1
    queue.onWrite = () => {
      if (writes-- === 0) throw new Error('killed')
    }
    try {
      const again = await queue.work()
      this.due = queue.moment.getTime() + (again?.inMs ?? 0)
    } catch (error) {
      if (!(error instanceof Error) || error.message !== 'killed') throw error
      this.killed += 1
      this.due = 0
    }
    queue.onWrite = () => undefined
  }

  async end(): Promise<void> {
    this.door.faults = []
    while (this.queue.state.transmission.sent < this.queue.state.records) {
      this.later(40)
      await this.work()
    }
  }
}

async function connected(): Promise<{ queue: TestQueue; door: MydataDoor; documents: Known[] }> {
  const book = emptyRegister()
  const clock: { queue?: TestQueue } = {}
  const now = () => clock.queue?.moment ?? new Date('2026-06-01T09:30:00Z')
  const door = new MydataDoor(book, () => ({
    ...{ now: now(), most: 1_000_000, base: 'https://mydata.example', mostCalls: 60 },
    ...{ callers: [{ user: 'user', key: 'key' }], issuers: { '112545020': 'active' } },
  }))
  const driver = remoteDrivers[MYDATA_PACKAGE]
  if (driver === undefined) throw new Error('no driver')
  const made = await driver.create({
    ...{ id: 'scu-1', now: now(), randomBytes: (n: number) => Buffer.alloc(n) },
    configuration: {
      ...{ vat: '112545020', username: 'user', subscriptionKey: 'key', providerName: 'P' },
      receiptBaseAddress: 'https://receipts.example',
    },
  })
  const tools = { now, sleep: async () => undefined, fetch: door.fetch }
  const queue = await startedQueue({
    device: driver.open({ ...scuHead('scu-1', 0), ...made }, tools),
  })
  clock.queue = queue
  return { queue, door, documents: book.recent }
}
type Known = ReturnType<typeof emptyRegister>['recent'][number]

describe('a random month', () => {
  it(
    'every document reaches the authority once and in order, and the books verify',
    async () => {
      const { queue, door, documents } = await connected()
      const month = new Month(queue, door, randomOf(11))
      for (let n = 0; n < RECEIPTS; n += 1) await month.step()
      await month.end()
      const contents = (kind: string) => queue.rows.filter((row) => row.kind === kind)
      const records = contents('R').map(({ content }): StoredRecord => JSON.parse(content))
      const outcomes = contents('T')
      expect(records).toHaveLength(month.made)
      expect(outcomes.map(({ number }) => number)).toEqual(records.map((_, at) => at + 1))
      // what was refused after its receipt had been given is told, and was not taken there
      const told = outcomes.map(({ content }): StoredOutcome => JSON.parse(content))
      const taken = records.filter((_, at) => told[at]?.isTaken)
      const marks = told.filter(({ isTaken }) => isTaken).map(({ mark }) => Number(mark))
      const known = documents.filter(({ uid }) => taken.some((one) => one.uid === uid))
      expect(known.map(({ uid, mark }) => [uid, mark])).toEqual(
        taken.map(({ uid }, at) => [uid, marks[at]]),
      )
      expect(new Set(documents.map(({ uid }) => uid)).size).toBe(documents.length)
      // documents that only the authority knows are those whose number was consumed
      const lost = documents.length - taken.length
      const consumed = queue.actions.filter((text) => text.includes('The counter advanced'))
      expect(consumed.length).toBeGreaterThanOrEqual(lost)
      const { findings, summary } = await judge(await queue.books())
      expect(findings.filter(({ notice }) => notice !== true)).toEqual([])
      expect(summary).toEqual({ documents: month.made, withMark: taken.length })
      expect(Math.min(month.killed, month.late)).toBeGreaterThan(RECEIPTS / 30)
      expect(month.made + month.paid + month.refused).toBe(RECEIPTS)
      expect(month.made).toBeGreaterThan(RECEIPTS * 0.75)
      if (RECEIPTS > 200)
        console.info(JSON.stringify({ ...figures(month), lost, sent: door.arrived.length }))
    },
    MONTH_MS,
  )
})

const figures = ({ made, killed, refused, late, paid }: Month) => ({
  ...{ made, killed, refused, late, paid },
})
