// The driver of Custom RT printers against a strict stand-in: the bytes of the reference, and
// documents that are printed once whatever the line does.
import { beforeEach, describe, expect, it } from 'vitest'
import type { DriverTools, ScuHead } from '../../../src/device/device.js'
import { customPrinter } from '../../../src/device/it/custom-printer.js'
import { lastPrinted, momentOf, receiptXml } from '../../../src/device/it/printer-htm.js'
import type { RtDocument, RtLine } from '../../../src/device/it/unit.js'
import { CustomPrinterSimulator } from '../../../src/simulator/it/custom-printer.js'
import { scuHead } from '../at/support/stub-device.js'
import { judge, type Sent, TestQueue } from './queue.js'

const item = (text: string, cents: bigint, vat: RtLine['vat'], quantity = '1'): RtLine => ({
  ...{ kind: 'item', text, quantity, cents, vat },
})
const SALE: RtDocument = {
  ...{ id: '1', type: 'sale', till: 'FISK0001', subtotal: 0n, reference: undefined },
  lines: [item('Caffe', 240n, '10', '2')],
  payments: [{ kind: 'cash', text: 'Contanti', cents: 500n, count: 1 }],
  ...{ taxId: '', lottery: '' },
}
const FORM = { vats: {}, payments: {}, paperless: true }

describe('the wire', () => {
  it('a sale is told as the reference shows it', () => {
    expect(receiptXml(SALE, FORM)).toBe(
      '<printerFiscalReceipt><dematerializedOn /><beginFiscalReceipt />' +
        '<printRecItem description="Caffe" quantity="2000" unitPrice="120" department="1" ' +
        'idVat="2" /><printRecSubtotal /><printRecTotal description="Contanti" payment="500" ' +
        'paymentType="1" paymentQty="1" /><endFiscalReceipt /><endFiscalReceiptCut />' +
        '</printerFiscalReceipt>',
    )
  })

  it('a return and a void name their document, each line once, without payment', () => {
    const reference = { z: 12, doc: 1, date: '2026-07-02', serial: '3C', fate: 'open' } as const
    const told = (type: 'refund' | 'void', of = reference) =>
      receiptXml({ ...SALE, type, reference: of }, { ...FORM, paperless: false })
    expect(told('refund')).toBe(
      '<printerFiscalReceipt><beginRtDocRefund docRefZ="0012" docRefNumber="0001" ' +
        'docDate="020726" printPreview="0" fiscalSerial="3C" checkOnly="0" />' +
        '<printRecItem description="Caffe" quantity="2000" unitPrice="120" department="1" ' +
        'idVat="2" /><endFiscalReceiptCut /></printerFiscalReceipt>',
    )
    expect(told('void')).toContain('<beginRtDocAnnulment docRefZ="0012"')
    const none = { ...reference, z: 0, doc: 0 } as unknown as typeof reference
    expect(told('refund', none)).toContain('<beginRtDocRefundSpecial service="ND" docDate="020726"')
  })

  it('what the printer is not programmed for is refused before anything is sent', () => {
    const other = { ...SALE, lines: [item('Bollo', 200n, 'N2')] }
    expect(() => receiptXml(other, FORM)).toThrow('name it in vats')
    expect(receiptXml(other, { ...FORM, vats: { N2: 11 } })).toContain('idVat="11"')
    const card = {
      ...SALE,
      payments: [{ kind: 'card', text: 'C', cents: 240n, count: 1 }] as const,
    }
    expect(() => receiptXml(card, FORM)).toThrow('name it in payments')
  })

  it('the newest document and the moments are read by their places', () => {
    expect(lastPrinted('020726140000030012')).toEqual({ doc: 3, z: 12, moment: '2026-07-02 14:00' })
    expect(lastPrinted('02072614000003')).toMatchObject({ doc: 3, z: undefined })
    expect([lastPrinted(''), lastPrinted('02072614000000')]).toEqual([undefined, undefined])
    expect(momentOf('02/07/2026 14:00:05')).toBe('2026-07-02 14:00:05')
    expect(momentOf('2026-07-02T14:00:05')).toBe('2026-07-02 14:00:05')
  })
})

let printer: CustomPrinterSimulator
let queue: TestQueue
let scu: ScuHead

function tools(): DriverTools {
  return {
    now: () => queue.moment,
    sleep: async () => {},
    fetch: async (url, { body, headers }) => {
      const path = url.replace('http://printer', '')
      const answer = printer.serve(path, String(body), headers.authorization ?? '')
      if (answer === undefined) throw new Error('the line broke')
      return { status: answer.status, body: Buffer.from(answer.body) }
    },
  }
}

beforeEach(() => opened())

async function opened(settings = {}): Promise<void> {
  const made = await customPrinter.create({
    ...{ id: 'scu', configuration: {}, now: new Date(0), randomBytes: (n) => Buffer.alloc(n) },
  })
  scu = { ...scuHead('scu-1', 0), ...made, url: 'http://printer' }
  queue = new TestQueue({ scu, settings, device: (one) => customPrinter.open(one, tools()) })
  printer = new CustomPrinterSimulator(() => queue.moment.getTime(), 11)
  await queue.run({ reference: 'start', kind: 0x4001 })
}

const sale = (reference: string): Sent => ({
  ...{ reference, kind: 1, pays: [[3.4, 1]] },
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

describe('a day at the printer', () => {
  it('sale, return, void, reprint and closing carry its numbers', async () => {
    const first = await queue.run(sale('a'))
    expect([first.faults, first.identification]).toEqual([[], 'ft2#0012-0001'])
    const serial = first.signatures.find(({ caption }) => caption === '<rt-serialnumber>')?.data
    expect(serial).toBe('3CEMU000123')
    const refund = await queue.run(back('b', 0x100_0001))
    expect([refund.faults, refund.identification]).toEqual([[], 'ft3#0012-0002'])
    expect((await queue.run(sale('v'))).identification).toBe('ft4#0012-0003')
    const copy = await queue.run({ reference: 'd', kind: 0x3010, previous: 'v' })
    expect(copy.faults).toEqual([])
    const older = await queue.run({ reference: 'e', kind: 0x3010, previous: 'a' })
    expect(older.faults[0]?.message).toContain('newest document only')
    expect((await queue.run(back('c', 0x4_0001, 'v'))).identification).toBe('ft7#0012-0004')
    const z = await queue.run({ reference: 'z', kind: 0x2011 })
    expect([z.faults, z.identification]).toEqual([[], 'ft8#Z0012'])
    const second = await queue.run({ reference: 'z2', kind: 0x2011 })
    expect(second.faults[0]?.message).toContain('71')
    expect((await queue.run(sale('n'))).identification).toBe('ftA#0013-0001')
    const zero = await queue.run({ reference: 'zero', kind: 0x2000 })
    expect(JSON.parse(zero.stateData ?? '')).toMatchObject({ FpStatus: '000' })
    expect((await judge(queue.journal())).findings).toEqual([])
  })

  it('with an open cover nothing is printed, and the next sale gets the number', async () => {
    printer.next = 'cover'
    const refused = await queue.run(sale('a'))
    expect(refused.faults[0]?.message).toContain('64')
    expect((await queue.run(sale('b'))).identification).toBe('ft3#0012-0001')
  })

  it('a document that is printed and whose picture is late counts', async () => {
    printer.next = 'picture'
    const sold = await queue.run(sale('a'))
    expect([sold.faults, sold.identification]).toEqual([[], 'ft2#0012-0001'])
  })

  it('a document whose answer got lost is found, and printed once', async () => {
    await queue.run(sale('a'))
    printer.next = 'lost-after'
    expect((await queue.run(sale('b'))).identification).toBe('ft3#0012-0002')
    printer.next = 'lost-before'
    expect((await queue.run(sale('c'))).identification).toBe('ft4#0012-0003')
    expect(printer.printed).toHaveLength(3)
  })

  it('a receipt that failed after its document was printed gets it later on', async () => {
    await opened({ 'scu-max-retries': 0 })
    printer.next = 'lost-after'
    expect((await queue.run(sale('a'))).faults).not.toEqual([])
    // others go on meanwhile, and what stands between is told apart from it
    expect((await queue.run(sale('b'))).identification).toMatch(/#0012-0002$/)
    printer.next = 'lost-before'
    expect((await queue.run(sale('c'))).faults).not.toEqual([])
    expect((await queue.run(sale('d'))).identification).toMatch(/#0012-0003$/)
    expect((await queue.run(sale('a'))).identification).toMatch(/#0012-0001$/)
    expect((await queue.run(sale('c'))).identification).toMatch(/#0012-0004$/)
    expect(printer.printed.map(({ reference }) => reference.doc)).toEqual([1, 2, 3, 4])
    // the last one of a day may come again on the next
    printer.next = 'lost-after'
    expect((await queue.run(sale('e'))).faults).not.toEqual([])
    await queue.run({ reference: 'z', kind: 0x2011 })
    expect((await queue.run(sale('e'))).identification).toMatch(/#0012-0005$/)
    expect((await queue.run(sale('f'))).identification).toMatch(/#0013-0001$/)
    expect((await judge(queue.journal())).findings).toEqual([])
  })

  it('a document that broke off in the middle is cancelled before the next', async () => {
    printer.next = 'half'
    const first = await queue.run(sale('a'))
    expect([first.identification, printer.isHalf]).toEqual(['ft2#0012-0001', false])
    expect(printer.printed).toHaveLength(1)
  })

  it('a Z report whose answer got lost is not made twice', async () => {
    await queue.run(sale('a'))
    printer.next = 'lost-after'
    const z = await queue.run({ reference: 'z', kind: 0x2011 })
    expect([z.faults, z.identification, printer.state.z]).toEqual([[], 'ft3#Z0012', 12])
  })

  it('a document that nobody here knows is told, never taken and never hidden', async () => {
    await queue.run(sale('a'))
    const undo = queue.keepPoint()
    await queue.run(sale('b'))
    undo()
    const told = await queue.run(sale('b'))
    expect(told.faults[0]?.message).toContain('12-2 of 2026-07-02')
    const anew = await queue.run(sale('c'))
    expect([anew.faults, anew.identification]).toEqual([[], 'ft4#0012-0003'])
  })
})
