// The driver of Epson RT printers against a strict stand-in: the bytes of the reference, and
// documents that are printed once whatever the line does.
import { beforeEach, describe, expect, it } from 'vitest'
import { DeviceError, type DriverTools, type ScuHead } from '../../../src/device/device.js'
import { epsonPrinter } from '../../../src/device/it/epson-printer.js'
import { lastDocument, receiptXml, serialOf, WIRE } from '../../../src/device/it/fpmate.js'
import type { RtDocument, RtLine } from '../../../src/device/it/unit.js'
import { EpsonPrinterSimulator } from '../../../src/simulator/it/epson-printer.js'
import { scuHead } from '../at/support/stub-device.js'
import { judge, type Sent, TestQueue } from './queue.js'

const item = (text: string, cents: bigint, vat: RtLine['vat'], quantity = '1'): RtLine => ({
  ...{ kind: 'item', text, quantity, cents, vat },
})
const SALE: RtDocument = {
  ...{ id: '1', type: 'sale', till: 'FISK0001', subtotal: 0n, reference: undefined },
  lines: [item('Caffe', 240n, '10', '2'), item('Acqua', 100n, '22')],
  payments: [{ kind: 'cash', text: 'Contanti', cents: 500n, count: 1 }],
  ...{ taxId: 'RSSMRA80A01H501U', lottery: 'ABCDEFGN' },
}

describe('the wire', () => {
  it('a sale is told as the reference shows it', () => {
    expect(receiptXml(SALE, WIRE.vats)).toBe(
      '<printerFiscalReceipt><beginFiscalReceipt operator="1" />' +
        '<printRecItem operator="1" description="Caffe" quantity="2" unitPrice="1,20" ' +
        'department="2" justification="1" />' +
        '<printRecItem operator="1" description="Acqua" quantity="1" unitPrice="1,00" ' +
        'department="1" justification="1" />' +
        '<printRecLotteryID operator="1" code="ABCDEFGN" />' +
        '<printRecTotal operator="1" description="Contanti" payment="5,00" ' +
        'paymentType="0" index="0" justification="1" />' +
        '<directIO command="1061" data="01RSSMRA80A01H501U" />' +
        '<endFiscalReceipt operator="1" /></printerFiscalReceipt>',
    )
  })

  it('a return and a void name their document in front, with positive lines', () => {
    const reference = {
      z: 12,
      doc: 1,
      date: '2026-07-02',
      serial: '99IEC018305',
      fate: 'open',
    } as const
    const told = (type: 'refund' | 'void') => receiptXml({ ...SALE, type, reference }, WIRE.vats)
    expect(told('refund')).toContain(
      '<printRecMessage operator="1" messageType="4" message="REFUND 0012 0001 ' +
        '02072026 99IEC018305" />',
    )
    expect(told('refund')).toContain('<printRecRefund operator="1" description="Acqua"')
    expect(told('void')).toContain('message="VOID 0012 0001 02072026 99IEC018305"')
    expect(told('void')).toContain('<printRecVoid operator="1"')
  })

  it('serial number and last document are read by their places', () => {
    expect(serialOf('XX123456AB99', 'M')).toBe('99MAB123456')
    const data = '01' + '000000340' + '000000040' + '020726' + '140000' + '0012' + '0001'
    expect(lastDocument(`${data}99IEC0183050        1`)).toEqual({
      ...{ total: 340n, moment: '2026-07-02 14:00:00', z: 12, doc: 1 },
      ...{ serial: '99IEC018305', isFiscal: true },
    })
  })
})

let printer: EpsonPrinterSimulator
let queue: TestQueue
let scu: ScuHead
/** The line goes down with the next answer that gets lost. */
let staysDown = false
let isDown = false

function tools(): DriverTools {
  return {
    now: () => queue.moment,
    sleep: async () => {},
    fetch: async (url, { body }) => {
      if (isDown) throw new Error('the line is down')
      const answer = printer.serve(url.replace('http://printer', ''), String(body))
      isDown = answer === undefined && staysDown
      if (answer === undefined) throw new Error('the line broke')
      return { status: 200, body: Buffer.from(answer) }
    },
  }
}

beforeEach(async () => {
  staysDown = false
  isDown = false
  const made = await epsonPrinter.create({
    ...{ id: 'scu', configuration: {}, now: new Date(0), randomBytes: (n) => Buffer.alloc(n) },
  })
  scu = { ...scuHead('scu-1', 0), ...made, url: 'http://printer' }
  queue = new TestQueue({ scu, device: (one) => epsonPrinter.open(one, tools()) })
  printer = new EpsonPrinterSimulator('018305', () => queue.moment.getTime(), 11)
  await queue.run({ reference: 'start', kind: 0x4001 })
})

const sale = (reference: string): Sent => ({
  ...{ reference, kind: 1, pays: [[3.4, 1]] },
  charges: [
    { text: 'Caffe', amount: 2.4, quantity: 2, kind: 0x11 },
    { text: 'Acqua', amount: 1, kind: 0x13 },
  ],
})
const back = (reference: string, kind: number): Sent => ({
  ...{ reference, kind, previous: 'a', pays: [[-3.4, 1]] },
  charges: [
    { text: 'Caffe', amount: -2.4, quantity: -2, kind: 0x11 },
    { text: 'Acqua', amount: -1, kind: 0x13 },
  ],
})

describe('a day at the printer', () => {
  it('sale, return, void, closing and reprint carry its numbers', async () => {
    const first = await queue.run(sale('a'))
    expect([first.faults, first.identification]).toEqual([[], 'ft2#0012-0001'])
    const serial = first.signatures.find(({ caption }) => caption === '<rt-serialnumber>')?.data
    expect(serial).toBe('99MAB018305')
    const refund = await queue.run(back('b', 0x100_0001))
    expect([refund.faults, refund.identification]).toEqual([[], 'ft3#0012-0002'])
    const twice = await queue.run(back('c', 0x100_0001))
    expect(twice.faults[0]?.message).toContain('status 40')
    const copy = await queue.run({ reference: 'd', kind: 0x3010, previous: 'a' })
    expect(copy.faults).toEqual([])
    const z = await queue.run({ reference: 'z', kind: 0x2011 })
    expect([z.faults, z.identification]).toEqual([[], 'ft6#Z0012'])
    const zero = await queue.run({ reference: 'zero', kind: 0x2000 })
    expect(JSON.parse(zero.stateData ?? '')).toMatchObject({
      PrinterStatus: { Success: true, Printerstatus: { rtMainStatus: '02', rtDailyOpen: '0' } },
    })
    expect((await judge(queue.journal())).findings).toEqual([])
  })

  it('without paper nothing is printed, and the next sale gets the number', async () => {
    printer.next = 'paper'
    const refused = await queue.run(sale('a'))
    expect(refused.faults[0]?.message).toContain('status 3, EPTR_REC_EMPTY')
    expect((await queue.run(sale('b'))).identification).toBe('ft3#0012-0001')
  })

  it('a document whose answer got lost is found, and printed once', async () => {
    await queue.run(sale('a'))
    printer.next = 'lost-after'
    const second = await queue.run(sale('b'))
    expect([second.faults, second.identification]).toEqual([[], 'ft3#0012-0002'])
    expect(printer.printed).toHaveLength(2)
    printer.next = 'lost-before'
    const third = await queue.run(sale('c'))
    expect([third.faults, third.identification]).toEqual([[], 'ft4#0012-0003'])
    expect(printer.printed).toHaveLength(3)
  })

  it('a document whose answer got lost is printed once, whatever comes in between', async () => {
    await queue.run(sale('a'))
    staysDown = true
    for (const reference of ['b', 'c']) {
      printer.next = 'lost-after'
      expect((await queue.run(sale(reference))).faults).toHaveLength(1)
      isDown = false
    }
    staysDown = false
    expect((await queue.run(sale('d'))).identification).toMatch(/#0012-0004$/)
    expect((await queue.run({ reference: 'z', kind: 0x2011 })).faults).toEqual([])
    expect((await queue.run(sale('e'))).identification).toMatch(/#0013-0001$/)
    // by whoever sends them once more, later and in another order
    expect((await queue.run(sale('c'))).identification).toMatch(/#0012-0003$/)
    expect((await queue.run(sale('b'))).identification).toMatch(/#0012-0002$/)
    expect((await queue.run(sale('f'))).identification).toMatch(/#0013-0002$/)
    expect(printer.printed).toHaveLength(6)
  })

  it('one that was found is of its own receipt, also when the next one is refused', async () => {
    await queue.run(sale('a'))
    staysDown = true
    printer.next = 'lost-after'
    expect((await queue.run(sale('b'))).faults).toHaveLength(1)
    isDown = false
    staysDown = false
    printer.next = 'paper'
    expect((await queue.run(sale('c'))).faults[0]?.message).toContain('status 3')
    expect((await queue.run(sale('d'))).identification).toMatch(/#0012-0003$/)
    expect((await queue.run(sale('b'))).identification).toMatch(/#0012-0002$/)
    expect(printer.printed).toHaveLength(3)
  })

  it('one that was asked and not printed is printed when it is sent once more', async () => {
    await queue.run(sale('a'))
    staysDown = true
    printer.next = 'lost-before'
    expect((await queue.run(sale('b'))).faults).toHaveLength(1)
    isDown = false
    staysDown = false
    expect((await queue.run(sale('c'))).identification).toMatch(/#0012-0002$/)
    expect((await queue.run(sale('b'))).identification).toMatch(/#0012-0003$/)
    expect(printer.printed).toHaveLength(3)
  })

  it('a Z report whose answer got lost is not made twice', async () => {
    await queue.run(sale('a'))
    printer.next = 'lost-after'
    const z = await queue.run({ reference: 'z', kind: 0x2011 })
    expect([z.faults, z.identification, printer.state.z]).toEqual([[], 'ft3#Z0012', 12])
  })

  it('a process that died after the printing finds its document', async () => {
    await queue.run(sale('a'))
    const undo = queue.keepPoint()
    await queue.run(sale('b'))
    undo()
    const again = await queue.run(sale('b'))
    expect([again.faults, again.identification]).toEqual([[], 'ft3#0012-0002'])
    expect(printer.printed).toHaveLength(2)
  })

  it('what cannot be read is refused, and a broken answer is none', async () => {
    const device = epsonPrinter.open(scu, {
      ...tools(),
      fetch: async () => ({ status: 200, body: Buffer.from('<html>') }),
    })
    await expect(device.document(SALE, { timeoutMs: 1000 })).rejects.toThrow(DeviceError)
    const body = receiptXml(SALE, WIRE.vats).replace('5,00', '5.00')
    const path = '/cgi-bin/fpmate.cgi?timeout=10000'
    const asked = (text: string) =>
      printer.serve(path, `<e:Envelope xmlns:e="x"><e:Body>${text}</e:Body></e:Envelope>`)
    expect(asked(body)).toContain('success="false" code="PRINTER ERROR" status="13"')
    expect(
      asked('<printerFiscalReceipt><endFiscalReceipt operator="1" /></printerFiscalReceipt>'),
    ).toContain('status="11"')
    expect(asked('<other />')).toContain('code="PARSER_ERROR"')
  })
})
