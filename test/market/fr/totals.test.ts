// Totals and closings of a French queue: the table of the reference, and random histories.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { france } from '../../../src/market/fr/index.js'
import { payloadOf, type Sent, TestQueue } from './queue.js'

const ticket = (amount: number): Sent => ({
  kind: 1,
  charges: [[3, amount]],
  pays: [[1, amount]],
})

const totalsOf = ({ state }: TestQueue) => {
  const { shift, day, month, year, archive } = state.periods
  const { T, I } = state.chains
  const sold = Number(T?.totals.total ?? 0) + Number(I?.totals.total ?? 0)
  return [...[shift, day, month, year, archive].map(({ total }) => Number(total ?? 0)), sold]
}

const reported = (queue: TestQueue, names: string[]) =>
  names.map((name) => payloadOf(queue.rows.at(-1))[`${name}-total`])

const table: [Sent[], number[], Record<string, number>][] = [
  [[ticket(10)], [10, 10, 0, 0, 10, 10], {}],
  [[{ kind: 5 }], [10, 0, 10, 0, 10, 10], { d: 10, m: 10, y: 0, s: 10 }],
  [[ticket(5), { kind: 8, charges: [[3, 20]], pays: [[0x11, 20]] }], [15, 5, 10, 0, 15, 15], {}],
  [[{ kind: 6 }], [15, 0, 0, 15, 15, 15], { d: 5, m: 15, y: 15, s: 15 }],
  [[{ kind: 0x15 }], [15, 0, 0, 15, 0, 15], { a: 15, d: 0, m: 0, y: 15 }],
  [[ticket(3)], [18, 3, 0, 15, 3, 18], {}],
  [[{ kind: 4 }], [0, 3, 0, 15, 3, 18], { s: 18 }],
  [[{ kind: 7 }], [0, 0, 0, 0, 3, 18], { d: 3, m: 3, y: 18 }],
]

describe('totals', () => {
  it('move as the table of the reference shows', async () => {
    const queue = await TestQueue.started()
    for (const [receipts, after, told] of table) {
      for (const sent of receipts) await queue.accept(sent)
      expect(totalsOf(queue)).toEqual(after)
      expect(reported(queue, Object.keys(told))).toEqual(Object.values(told))
    }
  })

  it('a stop closes day, month and year, and ends the queue for every receipt', async () => {
    const queue = await TestQueue.started()
    await queue.accept(ticket(7))
    const stop = await queue.accept({ kind: 0x11 })
    expect(stop.signatures.map(({ caption }) => caption)).toEqual([
      ...['Day Totals', 'Month Totals', 'Year Totals', ''],
    ])
    expect(totalsOf(queue)).toEqual([7, 0, 0, 0, 7, 7])
    for (const kind of [1, 0x10, 0xff]) {
      const after = await queue.accept({ kind })
      expect([after.stateWord, after.signatures, after.journal]).toEqual([
        ...[0x4652_0000_0000_0001n, [], []],
      ])
    }
  })
})

describe('the stored state', () => {
  const { state, initial } = france.queue

  it('has the chains that have documents, and reads one of a former version with all nine', () => {
    const empty = { number: 0, lastHash: '', totals: {} }
    const chains = Object.fromEntries([...'TPIGBALCX'].map((letter) => [letter, empty]))
    expect(state.parse({ ...initial(), chains })).toEqual({ ...initial(), chains })
    expect(initial().chains).toEqual({})
  })

  it.each([{ totall: '1' }, { total: 1 }, { total: '1,5' }, null, 'x'])(
    'refuses totals that are none: %j',
    (day) => {
      const { periods } = initial()
      expect(state.safeParse({ ...initial(), periods: { ...periods, day } }).success).toBe(false)
    },
  )
})

// ------------------------------------------------------------------------- model

/** What a period has, in cents, as the law tells it: independent of the program's tables. */
class Model {
  shift = 0
  day = 0
  month = 0
  year = 0
  archive = 0
  perpetual = 0
  private readonly numbers = new Map<string, number>()

  number(letter: string): number {
    const next = (this.numbers.get(letter) ?? 0) + 1
    this.numbers.set(letter, next)
    return next
  }

  sell(cents: number): void {
    this.shift += cents
    this.day += cents
    this.archive += cents
    this.perpetual += cents
  }

  /** All that a closing reports is complete before anything is set back. */
  close(kind: number): Record<string, number> {
    const endsDay = kind !== 4
    const endsMonth = kind === 6 || kind === 7
    if (endsDay) this.month += this.day
    if (endsMonth) this.year += this.month
    const { day: d, month: m, year: y, shift: s, archive: a } = this
    if (kind === 4) this.shift = 0
    if (endsDay) this.day = 0
    if (endsMonth) this.month = 0
    if (kind === 7) this.year = 0
    if (kind === 0x15) this.archive = 0
    return kind === 0x15 ? { a, d, m, y, p: this.perpetual } : { d, m, y, s, p: this.perpetual }
  }
}

interface Step {
  kind: number
  cents: number
  flags: number
}

const TRAINING = 2
const LETTERS: Record<number, string> = { 1: 'T', 3: 'I', 8: 'B', 21: 'A' }

const step = fc.record<Step>({
  kind: fc.constantFrom(1, 1, 1, 3, 8, 4, 5, 6, 7, 0x15),
  cents: fc.integer({ min: -100_000, max: 100_000 }),
  flags: fc.constantFrom(0, 0, 0, TRAINING),
})

function sentOf({ kind, cents, flags }: Step): Sent {
  const amount = cents / 100
  if (![1, 3, 8].includes(kind)) return { kind, flags }
  return { kind, flags, charges: [[3, amount]], pays: [[kind === 8 ? 0x11 : 4, amount]] }
}

async function play(queue: TestQueue, model: Model, one: Step): Promise<void> {
  const { journal, identification } = await queue.accept(sentOf(one))
  const training = one.flags === TRAINING
  const letter = training ? 'X' : (LETTERS[one.kind] ?? 'G')
  expect(identification.endsWith(`#${letter}${model.number(letter)}`)).toBe(true)
  if (training) return
  if (one.kind === 1 || one.kind === 3) model.sell(one.cents)
  if (letter !== 'G' && letter !== 'A') return
  const payload = payloadOf(journal[0])
  for (const [name, cents] of Object.entries(model.close(one.kind))) {
    expect(payload[`${name}-total`], `${name} of ${identification}`).toBe(cents / 100)
    const normal = Number(payload[`${name}-ci-n`])
    expect(Math.round(normal * 100)).toBe(cents)
  }
}

it('any order of sales, practice, closings and archives has the totals of the model', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      const queue = await TestQueue.started()
      const model = new Model()
      model.number('G')
      for (const one of steps) await play(queue, model, one)
    }),
    { numRuns: 50 },
  )
})
