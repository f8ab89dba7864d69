// The driver of Custom RT servers against a strict stand-in: hash, signature and chain, documents
// that are kept once whatever the line does, and what nobody here knows of.
import { beforeEach, describe, expect, it } from 'vitest'
import { CredentialsRefused, type DriverTools } from '../../../src/device/device.js'
import { customServer } from '../../../src/device/it/custom-server.js'
import { qrData } from '../../../src/device/it/customrt.js'
import { CustomServerSimulator } from '../../../src/simulator/it/custom-server.js'
import { scuHead } from '../at/support/stub-device.js'
import { judge, type Sent, TestQueue } from './queue.js'

let server: CustomServerSimulator
let queue: TestQueue

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

async function opened(configuration: object, settings = {}): Promise<void> {
  const made = await customServer.create({
    ...{ id: 'scu', configuration, now: new Date(0), randomBytes: (n) => Buffer.alloc(n) },
  })
  const scu = { ...scuHead('scu-1', 0), ...made, url: 'http://server' }
  queue = new TestQueue({ scu, settings, device: (one) => customServer.open(one, tools()) })
  server = new CustomServerSimulator(() => queue.moment.getTime(), { lastZ: 11 })
}

beforeEach(async () => {
  await opened({ password: 'secret', vatId: '02498250345' })
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
const back = (reference: string, kind: number, previous: string): Sent => ({
  ...{ reference, kind, previous, pays: [[-3.4, 1]] },
  charges: [
    { text: 'Caffe', amount: -2.4, quantity: -2, kind: 0x11 },
    { text: 'Acqua', amount: -1, kind: 0x13 },
  ],
})
const numberOf = ({ identification }: { identification: string }) => identification.split('#')[1]

describe('a day at the server', () => {
  it('enters the till once, and cancels it', async () => {
    expect(server.tills).toMatchObject([{ shop: 'FISK', name: '0001', password: 'till' }])
    await queue.run({ reference: 'stop', kind: 0x4002 })
    expect(server.tills).toEqual([])
  })

  it('sale, return, void and closing carry numbers and hashes, in one chain', async () => {
    const first = await queue.run(sale('a'))
    expect([first.faults, first.identification]).toEqual([[], 'ft2#0012-0001'])
    expect(first.signatures.map(({ data }) => data)).toContain(server.documents[0]?.sha)
    expect(numberOf(await queue.run(sale('v')))).toBe('0012-0002')
    expect(numberOf(await queue.run(back('b', 0x100_0001, 'a')))).toBe('0012-0003')
    expect(numberOf(await queue.run(back('c', 0x4_0001, 'v')))).toBe('0012-0004')
    expect(server.documents.map(({ type }) => type)).toEqual([1, 1, 3, 5])
    const z = await queue.run({ reference: 'z', kind: 0x2011 })
    expect([z.faults, numberOf(z)]).toEqual([[], 'Z0012'])
    expect(numberOf(await queue.run(sale('n')))).toBe('0013-0001')
    expect((await judge(queue.journal())).findings).toEqual([])
  })

  it('its state is told without key and token', async () => {
    await queue.run(sale('a'))
    const { stateData } = await queue.run({ reference: 'zero', kind: 0x2000 })
    expect(stateData).toContain('"fiscalBoxId":"96SRT000017"')
    expect(stateData).not.toMatch(/Hmac|cashToken/)
    expect(queue.scu.state).not.toContain(server.key)
  })

  it('discounts on the whole and codes of the lottery', async () => {
    const data = { servizi_lotteriadegliscontrini_gov_it: { codicelotteria: 'ABCDEFGN' } }
    const made = await queue.run({
      ...{ ...sale('a'), pays: [[3.06, 4, 'Carta']] },
      charges: [
        ...(sale('a').charges ?? []),
        { text: 'Sconto', amount: -0.34, kind: 0x10_0000_0011 },
      ],
      more: { ftReceiptCaseData: JSON.stringify(data) },
    })
    expect([made.faults, server.documents.length]).toEqual([[], 1])
  })
})

describe('the line', () => {
  it('a document whose answer got lost is kept once', async () => {
    await queue.run(sale('a'))
    for (const [fault, name, number] of [
      ['lost-after', 'b', '0012-0002'],
      ['lost-before', 'c', '0012-0003'],
    ] as const) {
      server.next = fault
      const lost = await queue.run(sale(name))
      expect([lost.faults, numberOf(lost)]).toEqual([[], number])
    }
    expect(server.documents.map(({ doc }) => doc)).toEqual([1, 2, 3])
  })

  it('one that waits while others are sold gets its number when it comes again', async () => {
    await opened({ password: 'secret' }, { 'scu-max-retries': 0 })
    await queue.run({ reference: 'start', kind: 0x4001 })
    server.next = 'lost-after'
    expect((await queue.run(sale('a'))).faults).not.toEqual([])
    expect(numberOf(await queue.run(sale('b')))).toBe('0012-0002')
    expect(numberOf(await queue.run(sale('a')))).toBe('0012-0001')
    expect(server.documents).toHaveLength(2)
  })

  it('a closing whose answer got lost closes once', async () => {
    await queue.run(sale('a'))
    server.next = 'lost-after'
    expect(numberOf(await queue.run({ reference: 'z', kind: 0x2011 }))).toBe('Z0012')
    expect(numberOf(await queue.run(sale('b')))).toBe('0013-0001')
    expect(server.tills[0]?.closures).toBe(12)
  })

  it('what a process that died has sent is not guessed: the day is closed first', async () => {
    await queue.run(sale('a'))
    const { state } = queue.scu
    await queue.run(sale('b'))
    // nothing of it was stored
    queue.scu.state = state
    const next = await queue.run(sale('c'))
    expect(next.faults[0]?.message).toContain('close its day')
    expect(server.documents).toHaveLength(2)
    expect(numberOf(await queue.run({ reference: 'z', kind: 0x2011 }))).toBe('Z0012')
    expect(numberOf(await queue.run(sale('d')))).toBe('0013-0001')
  })

  it('another password is a matter of settings', async () => {
    await opened({ password: 'other' })
    const device = customServer.open(queue.scu, tools())
    await expect(device.till('FISK0001', true, { timeoutMs: 1000 })).rejects.toThrow(
      CredentialsRefused,
    )
  })
})

it('hash and signature are those of the public examples', () => {
  const key = Buffer.from('0123456789abcdef0123456789abcdef').toString('base64')
  expect(qrData('{"document":{},"items":[],"taxs":[]}', key)).toEqual({
    shaMetadata: 'mQej+o4Ty7EqM2MGnOMN3hdME2CtqB4PT4GyjNWNUZ8=',
    signature: 'nIV+YSEV+NigK6zaSClltg35NspITrMcM4auZARVkOg=',
    addInfo: null,
  })
})
