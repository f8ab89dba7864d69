// Documents that the authority has of a process that died before it could store them: the same sale
// takes its document over, of another one it is taken back, once, whatever dies meanwhile.
import { beforeEach, expect, it } from 'vitest'
import { remoteDrivers } from '../../../src/device/gr/remote.js'
import { MYDATA_PACKAGE } from '../../../src/device/gr/unit.js'
import type { StoredRecord } from '../../../src/market/gr/rows.js'
import { type LineFault, MydataDoor } from '../../../src/simulator/gr/door.js'
import { emptyRegister, type Register } from '../../../src/simulator/gr/register.js'
import { judge } from '../../verify/gr/files.js'
import { scuHead } from '../at/support/stub-device.js'
import {
  cash,
  customer,
  dataOf,
  faultOf,
  type Sent,
  sale,
  startedQueue,
  type TestQueue,
} from './queue.js'

let queue: TestQueue
let book: Register
let door: MydataDoor

beforeEach(async () => {
  book = emptyRegister()
  const clock: { queue?: TestQueue } = {}
  const now = () => clock.queue?.moment ?? new Date('2026-06-01T09:30:00Z')
  door = new MydataDoor(book, () => ({
    ...{ now: now(), most: 1000, base: 'https://mydata.example' },
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
  queue = await startedQueue({ device: driver.open({ ...scuHead('scu-1', 0), ...made }, tools) })
  clock.queue = queue
})

/** Sent, and never stored; the next receipt has another id. */
async function dies(sent: Sent): Promise<void> {
  const undo = queue.keepPoint()
  await queue.run(sent)
  undo(true)
}

/** The line breaks at a call from now on. */
function breakAt(number: number, fault: LineFault): void {
  const own = queue.device
  if (own === undefined) throw new Error('no unit')
  let calls = 0
  queue.device = {
    ...own,
    call: async (call, limit) => {
      calls += 1
      if (calls === number) door.faults = [fault]
      return own.call(call, limit)
    },
  }
}

const other: Sent = { kind: 1, charges: [['y', 5, 24, 0x13]], pays: cash(5) }
const records = (): StoredRecord[] =>
  queue.rows.filter(({ kind }) => kind === 'R').map(({ content }) => JSON.parse(content))
const typesThere = () => book.recent.map(({ type }) => type)
const findings = async () =>
  (await judge(await queue.books())).findings.filter(({ notice }) => notice !== true)

it('the same sale takes its document over', async () => {
  await dies({ ...sale, reference: 'a' })
  const again = await queue.run({ ...sale, reference: 'a' })
  expect(again.faults).toEqual([])
  expect(dataOf(again, 'invoiceMark')).toBe('400000000000001')
  expect(again.identification).toMatch(/#CB001-1$/)
  expect(typesThere()).toEqual(['11.1'])
  // the books have the bytes of the authority, with the address that it knows
  expect(records()[0]?.xml).toContain(book.recent[0]?.url)
  expect(await findings()).toEqual([])
})

it.each([
  [['11.1', '11.4', '11.1'], sale],
  [['1.1', '5.1', '11.1'], { ...sale, kind: 0x1002, customer }],
  [['8.6', '8.6', '11.1'], { ...sale, kind: 0x3004, more: { cbArea: '7' } }],
] as [string[], Sent][])('of another sale it is taken back: %s', async (types, dead) => {
  await dies(dead)
  expect(faultOf(await queue.run(other))).toContain('"code":"233"')
  const next = await queue.run(other)
  expect(next.faults).toEqual([])
  expect(next.identification).toMatch(/#CB001-3$/)
  expect(typesThere()).toEqual(types)
  expect(records().map(({ settles }) => settles)).toEqual(['400000000000001', undefined])
  expect(queue.actions.join()).toContain('has no receipt: its process died. CB001-2 takes it back.')
  expect(await findings()).toEqual([])
})

it('a process that dies behind the settlement leaves it to the next one', async () => {
  await dies(sale)
  await dies(other)
  expect(typesThere()).toEqual(['11.1', '11.4'])
  expect(faultOf(await queue.run(other))).toContain('"code":"233"')
  expect((await queue.run(other)).identification).toMatch(/#CB001-3$/)
  expect(typesThere()).toEqual(['11.1', '11.4', '11.1'])
  expect(await findings()).toEqual([])
})

it('an authority that falls silent meanwhile gets it later', async () => {
  await dies(sale)
  // the duplicate is told, what is there is told, and the line breaks
  breakAt(3, 'away')
  expect(faultOf(await queue.run(other))).toContain('"code":"233"')
  expect(typesThere()).toEqual(['11.1'])
  const late = await queue.run(other)
  expect(late.identification).toMatch(/#CB001-3$/)
  expect(queue.waiting).toBe(true)
  queue.moment = new Date(queue.moment.getTime() + 60_000)
  await queue.work()
  expect(typesThere()).toEqual(['11.1', '11.4', '11.1'])
  expect(await findings()).toEqual([])
})

/** Sent by a process that dies, and then the authority is silent for the next receipt. */
async function clash(dead: Sent, next: Sent) {
  await dies(dead)
  door.faults = ['away']
  const late = await queue.run(next)
  expect(late.faults).toEqual([])
  expect(late.identification).toMatch(/#CB001-1$/)
  await queue.run(other)
  queue.moment = new Date(queue.moment.getTime() + 60_000)
}

it.each([
  ['away', 'a number that it has of another sale is told under one of its own'],
  ['lost', 'and once, although the answer got lost'],
] as const)('%s: %s', async (fault, _what) => {
  await clash(sale, other)
  if (fault === 'lost') {
    // behind what is asked the end of the other document is told, and nobody hears of it
    breakAt(2, 'lost')
    await queue.work()
    queue.moment = new Date(queue.moment.getTime() + 60_000)
  }
  await queue.work()
  expect(typesThere()).toEqual(['11.1', '11.4', '11.1', '11.1'])
  expect(queue.state.transmission).toMatchObject({ sent: 2, since: null })
  expect(queue.actions.join()).toContain('CB001-1 is told as CB001-L-1')
  const xml = (await queue.books()).toString()
  expect(xml.match(/<series>[^<]*<\/series><aa>\d+/g)).toEqual([
    '<series>CB001-R</series><aa>1',
    '<series>CB001-L</series><aa>1',
    '<series>CB001</series><aa>2',
  ])
  expect(await findings()).toEqual([])
})

it('a number that it has of the same sale is that of both', async () => {
  await clash({ ...sale, reference: 'a' }, { ...sale, reference: 'a' })
  await queue.work()
  expect(typesThere()).toEqual(['11.1', '11.1'])
  expect(await findings()).toEqual([])
})

const invoice: Sent = { ...sale, kind: 0x1002, customer, reference: 'i' }
/** Half of it is given back; nothing at the authority would refuse that twice. */
const credit: Sent = {
  ...{ kind: 0x100_1002, customer, previous: 'i', reference: 'c', pays: cash(-6.2) },
  charges: [['x', -6.2, 24, 0x13, -0.5]],
}

it('what nothing takes back is the document of the same sale, when it is sent again', async () => {
  await queue.run(invoice)
  await dies(credit)
  expect(typesThere()).toEqual(['1.1', '5.1'])
  expect(faultOf(await queue.run(other))).toContain('"code":"233"')
  expect((await queue.run(other)).identification).toMatch(/#CB001-3$/)
  const again = await queue.run(credit)
  expect(again.faults).toEqual([])
  expect(dataOf(again, 'invoiceMark')).toBe('400000000000002')
  expect(again.identification).toMatch(/#CB001-2$/)
  expect(typesThere()).toEqual(['1.1', '5.1', '11.1'])
  expect(await findings()).toEqual([])
  // it was one, and has its receipt now
  expect((await queue.run(credit)).identification).toMatch(/#CB001-4$/)
  expect(typesThere()).toEqual(['1.1', '5.1', '11.1', '5.1'])
  expect(await findings()).toEqual([])
})

it.each(['before', 'behind'] as const)('also %s the authority has answered again', async (when) => {
  await queue.run(invoice)
  await dies(credit)
  door.faults = ['away']
  expect((await queue.run(other)).identification).toMatch(/#CB001-2$/)
  if (when === 'before') await queue.run(credit)
  queue.moment = new Date(queue.moment.getTime() + 60_000)
  await queue.work()
  if (when === 'behind') expect((await queue.run(credit)).faults).toEqual([])
  expect(queue.state.transmission).toMatchObject({ sent: queue.state.records, since: null })
  expect(queue.state.left).toEqual([])
  expect(typesThere()).toEqual(['1.1', '5.1', '11.1'])
  expect(await findings()).toEqual([])
})

it('a receipt that has got it meanwhile is not forgotten', async () => {
  await queue.run(invoice)
  await dies(credit)
  door.faults = ['away']
  await queue.run(other)
  await queue.run(other)
  queue.moment = new Date(queue.moment.getTime() + 60_000)
  let writes = 0
  queue.onWrite = () => {
    writes += 1
    if (writes === 2) expect(queue.state.left).toHaveLength(1)
    // as a register's receipt leaves it
    if (writes === 2) queue.state = { ...queue.state, left: [] }
  }
  await queue.work()
  expect(writes).toBeGreaterThan(2)
  expect(typesThere()).toEqual(['1.1', '5.1', '11.1', '11.1'])
  expect(queue.state.left).toEqual([])
})

it('what takes back itself is left to people', async () => {
  await queue.run({ ...sale, reference: 'a' })
  await dies({
    ...{ kind: 0x100_0001, previous: 'a', pays: cash(-12.4) },
    charges: [['x', -12.4, 24, 0x13]],
  })
  expect(faultOf(await queue.run(other))).toContain('"code":"233"')
  expect((await queue.run(other)).identification).toMatch(/#CB001-3$/)
  expect(typesThere()).toEqual(['11.1', '11.4', '11.1'])
  expect(queue.actions.join()).toContain('The counter advanced to 2')
})
