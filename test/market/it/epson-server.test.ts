// The driver of Epson RT servers against a strict stand-in, which checks the chain over the bytes:
// documents that are kept once whatever the line does, and tills that are in step again.
import { createHash } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import { CredentialsRefused, type DriverTools, type ScuHead } from '../../../src/device/device.js'
import { epsonServer } from '../../../src/device/it/epson-server.js'
import type { RtDocument, RtLine } from '../../../src/device/it/unit.js'
import { EpsonServerSimulator } from '../../../src/simulator/it/epson-server.js'
import { scuHead } from '../at/support/stub-device.js'
import { judge, type Sent, TestQueue } from './queue.js'

let server: EpsonServerSimulator
let queue: TestQueue
let scu: ScuHead

function tools(): DriverTools {
  return {
    now: () => queue.moment,
    sleep: async () => {},
    fetch: async (url, { body, headers }) => {
      const path = url.replace('http://server', '')
      const answer = server.serve(path, String(body), headers.authorization ?? '')
      if (answer === undefined) throw new Error('the line broke')
      return { status: answer.status, body: Buffer.from(answer.body) }
    },
  }
}

async function opened(configuration: object, login: string, settings = {}): Promise<void> {
  const made = await epsonServer.create({
    ...{ id: 'scu', configuration, now: new Date(0), randomBytes: (n) => Buffer.alloc(n) },
  })
  scu = { ...scuHead('scu-1', 0), ...made, url: 'http://server' }
  queue = new TestQueue({ scu, settings, device: (one) => epsonServer.open(one, tools()) })
  server = new EpsonServerSimulator(() => queue.moment.getTime(), { login, lastZ: 11 })
}

beforeEach(async () => {
  await opened({}, 'epson:epson')
  await queue.run({ reference: 'start', kind: 0x4001 })
})

const sale = (reference: string): Sent => ({
  ...{
    reference,
    kind: 1,
    pays: [
      [5, 1, 'Contanti'],
      [-1.6, 0x20_0001, 'Resto'],
    ],
  },
  charges: [
    { text: 'Caffe', amount: 2.4, quantity: 2, kind: 0x11 },
    { text: 'Acqua', amount: 1, kind: 0x13 },
  ],
})
const back = (reference: string, kind: number, previous = 'a'): Sent => ({
  ...{ reference, kind, previous, pays: [[-3.4, 1]] },
  charges: [
    { text: 'Caffe', amount: -2.4, quantity: -2, kind: 0x11 },
    { text: 'Acqua', amount: -1, kind: 0x13 },
  ],
})
const shas = () => server.documents.map(({ sha }) => sha)

describe('a day at the server', () => {
  it('enters the till into the map once, and the server starts anew', async () => {
    expect([[...server.tills.keys()], server.restarts]).toEqual([['FISK0001'], 1])
    await queue.run({ reference: 'stop', kind: 0x4002 })
    expect([...server.tills.keys()]).toEqual([])
  })

  it('sale, return, void and closing carry its numbers and fingerprints', async () => {
    const first = await queue.run(sale('a'))
    expect([first.faults, first.identification]).toEqual([[], 'ft2#0012-0001'])
    expect(first.signatures.map(({ data }) => data)).toContain(shas()[0])
    expect((await queue.run(sale('v'))).identification).toBe('ft3#0012-0002')
    expect((await queue.run(back('b', 0x100_0001))).identification).toBe('ft4#0012-0003')
    expect((await queue.run(back('c', 0x4_0001, 'v'))).identification).toBe('ft5#0012-0004')
    expect(server.documents.map(({ type }) => type)).toEqual(['0', '0', '1', '3'])
    const z = await queue.run({ reference: 'z', kind: 0x2011 })
    expect([z.faults, z.identification]).toEqual([[], 'ft6#Z0012'])
    expect((await queue.run(sale('n'))).identification).toBe('ft7#0013-0001')
    const zero = await queue.run({ reference: 'zero', kind: 0x2000 })
    expect(zero.stateData).toContain('"rtSerialNumber":"99SEA004010"')
    expect((await judge(queue.journal())).findings).toEqual([])
  })

  it('what is given back twice is refused by its number', async () => {
    await queue.run(sale('a'))
    await queue.run(back('b', 0x100_0001))
    const direct = epsonServer.open(queue.scu, tools())
    const twice: RtDocument = {
      ...{ id: 'x', type: 'refund', till: 'FISK0001', subtotal: 0n, taxId: '', lottery: '' },
      lines: [line('Acqua', 100n)],
      payments: [],
      reference: { z: 12, doc: 1, date: '2026-07-02', serial: server.serial, fate: 'open' },
    }
    await expect(direct.document(twice, { timeoutMs: 1000 })).rejects.toMatchObject({ status: -33 })
    // a refusal never moves the chain
    expect((await queue.run(sale('d'))).identification).toBe('ft4#0012-0003')
  })
})

describe('the line', () => {
  it('a document whose answer got lost is found by its fingerprint', async () => {
    await queue.run(sale('a'))
    for (const [fault, name, number] of [
      ['lost-after', 'b', 'ft3#0012-0002'],
      ['lost-before', 'c', 'ft4#0012-0003'],
    ] as const) {
      server.next = fault
      const lost = await queue.run(sale(name))
      expect([lost.faults, lost.identification]).toEqual([[], number])
    }
    expect(new Set(shas()).size).toBe(3)
  })

  it('one that waits while others are sold gets its number when it comes again', async () => {
    await opened({}, 'epson:epson', { 'scu-max-retries': 0 })
    await queue.run({ reference: 'start', kind: 0x4001 })
    server.next = 'lost-after'
    expect((await queue.run(sale('a'))).faults).not.toEqual([])
    expect((await queue.run(sale('b'))).identification).toMatch(/#0012-0002$/)
    // nor is it sent anew after the day
    await queue.run({ reference: 'z', kind: 0x2011 })
    expect((await queue.run(sale('a'))).identification).toMatch(/#0012-0001$/)
    expect(server.documents).toHaveLength(2)
  })

  it('a closing whose answer got lost is not made twice', async () => {
    await queue.run(sale('a'))
    server.next = 'lost-after'
    const z = await queue.run({ reference: 'z', kind: 0x2011 })
    expect([z.faults, z.identification]).toEqual([[], 'ft3#Z0012'])
    expect(server.tills.get('FISK0001')?.z).toBe(13)
  })

  it('a process that died after the sending finds its document, minutes later', async () => {
    await queue.run(sale('a'))
    const undo = queue.keepPoint()
    await queue.run(sale('b'))
    undo()
    queue.moment = new Date(queue.moment.getTime() + 600_000)
    const again = await queue.run(sale('b'))
    expect([again.faults, again.identification]).toEqual([[], 'ft3#0012-0002'])
    expect(server.documents).toHaveLength(2)
  })

  it("another one's document is none of ours: a new token, the next number", async () => {
    await queue.run(sale('a'))
    const undo = queue.keepPoint()
    await queue.run(sale('b'))
    undo()
    const charges = [{ text: 'Panino', amount: 3.4, kind: 0x11 }]
    const other = { ...sale('c'), charges }
    const sent = await queue.run(other)
    expect([sent.faults, sent.identification]).toEqual([[], 'ft3#0012-0003'])
    expect(server.documents).toHaveLength(3)
  })

  it('a busy server is asked again; one out of service says no, and counts nothing', async () => {
    server.next = 'busy'
    expect((await queue.run(sale('a'))).identification).toBe('ft2#0012-0001')
    server.next = 'refused'
    const refused = await queue.run(sale('b'))
    expect(refused.faults[0]?.message).toContain('-28')
    expect((await queue.run(sale('c'))).identification).toBe('ft4#0012-0002')
  })

  it('a wrong password is told as such', async () => {
    await opened({ password: 'wrong' }, 'epson:right')
    const reached = epsonServer.reach(scu, tools(), { timeoutMs: 1000 })
    await expect(reached).rejects.toThrow(CredentialsRefused)
    await opened({ username: 'fisk', password: 'right' }, 'fisk:right')
    await epsonServer.reach(scu, tools(), { timeoutMs: 1000 })
    expect(scu.configuration).not.toContain('right')
  })
})

describe('the stand-in', () => {
  it('refuses a changed byte, a changed amount and another chain', async () => {
    await queue.run(sale('a'))
    const asked: string[] = []
    const spy = {
      ...tools(),
      fetch: async (_: string, { body }: { body?: string | Buffer }) => {
        asked.push(String(body))
        throw new Error('only looked at')
      },
    } satisfies DriverTools
    const device = epsonServer.open({ ...queue.scu }, spy)
    const document: RtDocument = {
      ...{ id: 'x', type: 'sale', till: 'FISK0001', subtotal: 0n, taxId: '', lottery: '' },
      ...{ lines: [line('Acqua', 100n)], payments: [], reference: undefined },
    }
    await expect(device.document(document, { timeoutMs: 1000 })).rejects.toThrow('looked at')
    const [body = ''] = asked
    const login = `Basic ${Buffer.from('epson:epson').toString('base64')}`
    const statusOf = (text: string) => {
      const answer = server.serve('/cgi-bin/fpserver.cgi', text, login)
      return /status="(-?\d+)"/.exec(answer?.body ?? '')?.[1]
    }
    expect(statusOf(body.replace('Acqua', 'Acquo'))).toBe('-22')
    expect(statusOf(resealed(body, 'recAmount="1.00"', 'recAmount="1.01"'))).toBe('-24')
    expect(statusOf(resealed(body, 'recNumber="2"', 'recNumber="3"'))).toBe('-25')
    expect(statusOf(resealed(body, 'dailyAmount="4.40"', 'dailyAmount="4.41"'))).toBe('-23')
    expect(statusOf(resealed(body, /fingerPrint="[^"]+"\/>/, 'fingerPrint="x"/>'))).toBe('-21')
    expect(statusOf(resealed(body, 'tillId="FISK0001"', 'tillId="FISK0002"'))).toBe('-20')
    expect(statusOf(body)).toBe('0')
    expect(statusOf(body)).toBe('-37')
  })
})

const line = (text: string, cents: bigint): RtLine => ({
  ...{ kind: 'item', text, quantity: '1', cents, vat: '22' },
})

/** Changed, with the fingerprint of what is there now. */
function resealed(body: string, from: string | RegExp, to: string): string {
  const changed = body.replace(from, to)
  expect(changed).not.toBe(body)
  const receipt = /<receipt>.*<\/receipt>/s.exec(changed)?.[0] ?? ''
  const sha = createHash('sha256').update(receipt).digest('hex')
  return changed.replace(/fingerPrint="[0-9a-f]{64}" \/>/, `fingerPrint="${sha}" />`)
}
