// Records on their way to an authority: each is told once and in order, no more is read than what
// is sent, and the pauses of an outage end.
import { expect, it } from 'vitest'
import { DeviceError, DeviceRefusal } from '../../src/device/device.js'
import type { OutboxWork } from '../../src/market/contract.js'
import {
  type Courier,
  type Cursor,
  NEW_CURSOR,
  transmit,
} from '../../src/market/kit/transmission.js'
import type { StoredMarketRow } from '../../src/model/journal.js'
import type { TickRange } from '../../src/store/journal/journal-pages.js'

interface State {
  transmission: Cursor
  records: number
}

const RECORDS = 40
const PAGE = 25
const TICK = 10n
const rows: StoredMarketRow[] = Array.from({ length: RECORDS }, (_, at) => ({
  ...{ id: `row-${at + 1}`, kind: 'R', number: at + 1, scuId: null, queueItemId: `item-${at + 1}` },
  ...{ timeStamp: BigInt(at + 1) * TICK, certificateFingerprint: null, content: '{}' },
}))

/** A queue whose records wait, and what its sender asks for. */
class Desk {
  state: State
  read = 0
  writes = 0
  now = 0
  readonly told: number[] = []
  answer: () => void = () => undefined

  constructor(cursor: Partial<Cursor> = {}) {
    this.state = { transmission: { ...NEW_CURSOR, ...cursor }, records: RECORDS }
  }

  private async *chain({ from, to }: TickRange) {
    const found = rows.filter(({ timeStamp }) => timeStamp >= from)
    const wanted = to < 0n ? found.slice(0, Number(-to)) : found
    for (let at = 0; at < wanted.length; at += PAGE) {
      const page = wanted.slice(at, at + PAGE)
      this.read += page.length
      yield page
    }
  }

  run(courier: Partial<Courier<number>> = {}) {
    const work = {
      ...{ tools: { now: () => new Date(this.now) }, signal: new AbortController().signal },
      source: { marketRows: ({ range }: { range: TickRange }) => this.chain(range) },
      newId: () => 'action',
      write: async (_: unknown, change: (state: State) => State) => {
        this.writes += 1
        this.state = change(this.state)
      },
    } as unknown as OutboxWork
    const kept = {
      read: ({ transmission: cursor, records }: State) => ({ cursor, records }),
      write: (state: State, transmission: Cursor) => ({ ...state, transmission }),
    }
    const sent: Courier<number> = {
      ...{ chain: 'R', most: 1, together: (list: readonly unknown[]) => list.length },
      send: async (list) => {
        this.answer()
        this.told.push(...list.map(({ number }) => number))
        return { outcomes: list.map(({ number }) => number), waitMs: 0 }
      },
      note: ({ queueItemId: itemId }) => ({ itemId, journal: [], actions: [] }),
      ...courier,
    }
    return transmit(work, this.state, { kept, courier: sent })
  }
}

const all = rows.map(({ number }) => number)

it('of one at a time so many rows are read as are sent, and each is written once', async () => {
  const desk = new Desk()
  expect(await desk.run()).toBeUndefined()
  expect(desk.told).toEqual(all)
  // the newest one that is told, and the one that is next
  expect([desk.read, desk.writes]).toEqual([2 * RECORDS, RECORDS])
})

it('behind records that were told while their receipts were made the rest is found', async () => {
  const desk = new Desk({ sent: 30 })
  expect(await desk.run()).toBeUndefined()
  expect(desk.told).toEqual(all.slice(30))
  // both pages once, behind the two that were looked at first
  expect(desk.read).toBe(2 + RECORDS + 2 * 9)
})

it('who can be asked has what is sent noted before', async () => {
  const desk = new Desk()
  const noted: number[] = []
  desk.answer = () => void noted.push(desk.state.transmission.asked)
  await desk.run({ most: 15, find: async () => [] })
  expect(noted).toEqual([15, 30, 40])
  expect(desk.writes).toBe(6)
})

const MINUTE_MS = 60_000

it.each([
  ['no answer', new DeviceError('silence'), 5 * MINUTE_MS],
  ['a refusal', new DeviceRefusal('no certificate'), 30 * MINUTE_MS],
])('between two tries lies at most so much: %s', async (_what, error, longestMs) => {
  const desk = new Desk()
  desk.answer = () => {
    throw error
  }
  const pauses: number[] = []
  for (let tries = 0; tries < 14; tries += 1) {
    const { inMs = 0 } = (await desk.run()) ?? {}
    pauses.push(inMs)
    desk.now += inMs
  }
  expect(Math.max(...pauses)).toBe(longestMs)
  expect(pauses.at(-1)).toBe(longestMs)
  desk.answer = () => undefined
  expect(await desk.run()).toBeUndefined()
  expect(desk.told).toEqual(all)
})

it('what is refused for one record gets those before it through, in their order', async () => {
  const desk = new Desk()
  const bad = 7
  let requests = 0
  const send: Courier<number>['send'] = async (list) => {
    requests += 1
    if (list.some(({ number }) => number === bad)) throw new DeviceRefusal('no schema')
    desk.told.push(...list.map(({ number }) => number))
    return { outcomes: list.map(({ number }) => number), waitMs: 0 }
  }
  const again = await desk.run({ most: 15, send })
  expect(again).toEqual({ inMs: 30 * MINUTE_MS })
  expect(desk.told).toEqual(all.slice(0, bad - 1))
  // each of those twice, and what stands in the way with others and by itself
  expect(requests).toBe(2 * bad)
  expect(desk.state.transmission).toMatchObject({ sent: bad - 1, stopped: 'no schema' })
})
