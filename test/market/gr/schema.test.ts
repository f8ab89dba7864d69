// Every message that a queue makes, and every answer of the emulated authority, fits its schema;
// each rule that the authority checks is told by its code; and the line to it can break anywhere.
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { validateXML } from 'xmllint-wasm'
import { invoiceOf, invoicesDoc, paymentsDoc, toldIn } from '../../../src/device/gr/mydata.js'
import { remoteDrivers } from '../../../src/device/gr/remote.js'
import { type GrCall, MYDATA_PACKAGE } from '../../../src/device/gr/unit.js'
import type { StoredRecord } from '../../../src/market/gr/rows.js'
import { serve } from '../../../src/simulator/gr/authority.js'
import { type LineFault, MydataDoor } from '../../../src/simulator/gr/door.js'
import { emptyRegister, type Settings } from '../../../src/simulator/gr/register.js'
import { filledQueue } from '../../verify/gr/files.js'
import { scuHead } from '../at/support/stub-device.js'
import { dataOf, faultOf, sale, startedQueue, type TestQueue } from './queue.js'

const schemaOf = (name: string) => ({
  fileName: name,
  contents: readFileSync(`docs/schemas/${name}`, 'utf8'),
})
async function errorsOf(files: string[], schema: string): Promise<string[]> {
  const { errors } = await validateXML({
    xml: files.map((contents, at) => ({ fileName: `${at}.xml`, contents })),
    schema: [schemaOf(schema)],
    preload: [schemaOf('mydata.xsd'), schemaOf('mydata-income.xsd')],
  })
  return errors.map(({ message }) => message)
}

const recordsOf = (queue: TestQueue): StoredRecord[] =>
  queue.rows.filter(({ kind }) => kind === 'R').map(({ content }) => JSON.parse(content))
const settings: Settings = {
  ...{ now: new Date('2026-06-01T12:00:00Z'), most: 100, base: 'https://mydata.example' },
}
const post = (name: string, body: string): GrCall => ({ method: 'POST', name, body })
const asked = (name: string, query: Record<string, string>): GrCall => ({
  ...{ method: 'POST', name, query },
})
const swap = (from: string | RegExp, to: string) => (xml: string) => {
  const changed = xml.replace(from, to)
  if (changed === xml) throw new Error(`nothing to change: ${from}`)
  return changed
}

const filled = filledQueue()
/** The documents of that queue: 11.1, 11.2, 8.6, 11.1, 11.4, 1.1, 5.1, 1.2, 2.1, 11.1. */
const xmlOf = async (at: number) => invoiceOf(recordsOf(await filled)[at] as StoredRecord)

describe('what a queue makes', () => {
  it('fits the schema, and so do the books and the answers', async () => {
    const queue = await filled
    const messages = recordsOf(queue).map((record) => invoicesDoc([invoiceOf(record)]))
    expect(messages).toHaveLength(10)
    expect(await errorsOf(messages, 'mydata.xsd')).toEqual([])
    expect(await errorsOf([(await queue.books()).toString()], 'mydata.xsd')).toEqual([])
    const wrong = swap('<issueDate>2026-06-01</issueDate>', '')(messages[0] ?? '')
    expect(await errorsOf([wrong], 'mydata.xsd')).not.toEqual([])
    const book = emptyRegister()
    const answers = [...messages, messages[0] ?? '', '<x/>'].map(
      (message) => serve(book, post('SendInvoices', message), settings).text,
    )
    expect(answers.filter((text) => text.includes('>Success<'))).toHaveLength(10)
    expect(await errorsOf(answers, 'mydata-response.xsd')).toEqual([])
    const details = [{ type: '7', amount: '12.40', paymentMethodInfo: 'Κάρτα' }]
    const paid = paymentsDoc('400000000000001', '112545020', details)
    expect(await errorsOf([paid], 'mydata-payments.xsd')).toEqual([])
    const told = serve(book, post('SendPaymentsMethod', paid), settings).text
    expect(told).toContain('<paymentMethodMark>400000000000011</paymentMethodMark>')
    expect(await errorsOf([told], 'mydata-response.xsd')).toEqual([])
  })
})

/** Codes with which the emulated authority answers one document. */
async function codesOf(at: number, change: (xml: string) => string, by: Partial<Settings> = {}) {
  const book = emptyRegister()
  const all = { ...settings, ...by }
  for (let n = 0; n < at; n += 1) {
    serve(book, post('SendInvoices', invoicesDoc([await xmlOf(n)])), settings)
  }
  const body = invoicesDoc([change(await xmlOf(at))])
  const [told] = toldIn(serve(book, post('SendInvoices', body), all))
  return told?.errors.map(({ code }) => code) ?? []
}

const [SALE, ORDER, INVOICE, CREDIT, UNION_SALE, WITHHELD] = [0, 2, 5, 6, 7, 8]
const OTHER = 'vatNumber>026883248<'
const same = (xml: string) => xml

describe('the emulated authority refuses', () => {
  it.each([
    ['102', SALE, same, { issuers: { '112545020': 'inactive' } }],
    ['102', SALE, same, { issuers: {} }],
    ['245', SALE, same, { issuers: { '112545020': 'foreign' } }],
  ] as const)('with %s who sends for another, %#', async (code, at, change, by) => {
    expect(await codesOf(at, change, by)).toEqual([code])
  })

  it.each([
    ['202', SALE, swap('>112545020<', '>112545021<')],
    ['202', INVOICE, swap(OTHER, 'vatNumber>026883249<')],
    ['203', SALE, swap('totalGrossValue>12.40', 'totalGrossValue>12.41')],
    ['204', INVOICE, swap(/<counterpart>.*<\/counterpart>/, '')],
    ['204', SALE, swap(/<paymentMethods>.*<\/paymentMethods>/, '')],
    ['204', ORDER, swap(/<tableAA>7<\/tableAA>/, '')],
    ['204', CREDIT, swap(/<correlatedInvoices>\d+<\/correlatedInvoices>/, '')],
    ['205', SALE, swap('</issuer>', `</issuer>${counterpart('026883248', 'GR')}`)],
    ['207', SALE, swap('totalNetValue>10.00', 'totalNetValue>11.00')],
    ['209', SALE, swap('totalVatAmount>2.40', 'totalVatAmount>2.41')],
    ['210', WITHHELD, swap('totalWithheldAmount>20.00', 'totalWithheldAmount>21.00')],
    ['212', SALE, swap('<aa>1</aa>', '<aa>1A</aa>')],
    ['216', SALE, swap('vatCategory>1<', 'vatCategory>8<')],
    ['217', SALE, swap('vatCategory>1<', 'vatCategory>7<')],
    ['218', UNION_SALE, swap('vatAmount>0.00', 'vatAmount>1.00')],
    ['219', SALE, swap('<branch>0</branch>', '<branch>0</branch><name>Ο ΙΔΙΟΣ</name>')],
    ['220', INVOICE, swap(/(<counterpart>.*<branch>0<\/branch>)/, '$1<name>ΠΕΛΑΤΗΣ</name>')],
    ['223', SALE, swap('>11.1<', '>13.1<')],
    ['224', WITHHELD, swap('</vatAmount>', '</vatAmount><withheldAmount>20.00</withheldAmount>')],
    ['226', SALE, swap('totalFeesAmount>0.00', 'totalFeesAmount>1.00')],
    ['230', SALE, swap(/<\/vatAmount><incomeClassification>.*?<\/incomeC\w+>/, '</vatAmount>')],
    ['235', INVOICE, swap(OTHER, 'vatNumber>112545020<')],
    ['238', SALE, swap('2026-06-01', '2026-05-31')],
    ['242', INVOICE, swap(/(<counterpart>.*<country>)GR/, '$1DE')],
    ['243', UNION_SALE, swap('<country>DE', '<country>CH')],
    ['260', SALE, swap('2026-06-01', '2026-06-02')],
    [
      '271',
      SALE,
      swap('</vatAmount>', '</vatAmount><vatExemptionCategory>1</vatExemptionCategory>'),
    ],
    ['306', SALE, swap('icls:amount>10.00', 'icls:amount>9.00')],
    ['308', SALE, swap(/category1_1/g, 'category3')],
    ['311', SALE, swap(/(.*)icls:amount>10.00/, '$1icls:amount>9.00')],
    ['313', SALE, swap(/E3_561_003/g, 'E3_561_001')],
    ['104', CREDIT, swap('>400000000000006<', '>400000000000099<')],
    ['319', CREDIT, (xml: string) => xml.replaceAll('10.00', '20.00').replaceAll('12.40', '22.40')],
  ] as const)('with %s what breaks its rule, %#', async (code, at, change) => {
    expect(await codesOf(at, change)).toContain(code)
  })

  it('with 248, 251 and 255 what is another issuer\u2019s, cancelled or closed', async () => {
    const book = emptyRegister()
    const send = async (at: number, change: (xml: string) => string = same) => {
      const body = invoicesDoc([change(await xmlOf(at))])
      const [told] = toldIn(serve(book, post('SendInvoices', body), settings))
      return told?.errors[0]?.code ?? 'taken'
    }
    const taken: string[] = []
    for (let at = 0; at < 10; at += 1) taken.push(await send(at))
    expect(taken).toEqual(Array(10).fill('taken'))
    // the order was closed by the receipt behind it
    expect(await send(3, swap('<aa>4</aa>', '<aa>11</aa>'))).toBe('255')
    const again = swap('<aa>3</aa>', '<aa>11</aa>')
    const marks = '<currency>EUR</currency><multipleConnectedMarks>400000000000003'
    const named = swap('<currency>EUR</currency>', `${marks}</multipleConnectedMarks>`)
    expect(await send(2, (xml) => named(again(xml)))).toBe('251')
    expect(await send(0)).toBe('233')
    const stranger = swap('>112545020<', '>094014201<')
    expect(await send(3, stranger)).toBe('248')
  })
})

function counterpart(vat: string, country: string): string {
  return (
    `<counterpart><vatNumber>${vat}</vatNumber><country>${country}</country><branch>0</branch>` +
    '</counterpart>'
  )
}

describe('cancellations', () => {
  const codeOf = (reply: { status: number; text: string }) =>
    reply.status === 200 ? (toldIn(reply)[0]?.errors[0]?.code ?? 'taken') : String(reply.status)

  it('are for the program of the issuer, of what it has sent itself, once', async () => {
    const erp = { ...settings, channel: 'erp' } as const
    const book = emptyRegister()
    serve(book, post('SendInvoices', invoicesDoc([await xmlOf(0)])), settings)
    serve(book, post('SendInvoices', invoicesDoc([await xmlOf(1)])), erp)
    const [own, other] = ['400000000000002', '400000000000001']
    const cancel = (query: Record<string, string>, by: Settings = erp) =>
      codeOf(serve(book, asked('CancelInvoice', query), by))
    expect(cancel({ mark: own }, settings)).toBe('404')
    expect(cancel({})).toBe('103')
    expect(cancel({ mark: '400000000000099' })).toBe('104')
    expect(cancel({ mark: own, entityVatNumber: '094014201' })).toBe('248')
    expect(cancel({ mark: other })).toBe('249')
    expect(codeOf(serve(book, asked('CancelDeliveryNote', { mark: own }), erp))).toBe('252')
    expect(cancel({ mark: own })).toBe('taken')
    expect(cancel({ mark: own })).toBe('251')
    const query = { mark: '1' }
    const listed = serve(book, { method: 'GET', name: 'RequestTransmittedDocs', query }, erp).text
    expect(listed).toContain('<cancelledByMark>400000000000003</cancelledByMark>')
  })
})

describe('the line', () => {
  /** A queue whose unit speaks over HTTP with the emulated authority. */
  async function connected(configuration: Record<string, unknown> = {}, mostCalls?: number) {
    const book = emptyRegister()
    const clock: { queue?: TestQueue } = {}
    const now = () => clock.queue?.moment ?? settings.now
    const callers = [{ user: 'user', key: 'key' }]
    const door = new MydataDoor(book, () => ({
      ...{ ...settings, now: now(), callers },
      ...(mostCalls === undefined ? {} : { mostCalls }),
    }))
    const driver = remoteDrivers[MYDATA_PACKAGE]
    if (driver === undefined) throw new Error('no driver')
    const made = await driver.create({
      ...{ id: 'scu-1', now: settings.now, randomBytes: (n: number) => Buffer.alloc(n) },
      configuration: {
        ...{ vat: '112545020', username: 'user', subscriptionKey: 'key', providerName: 'P' },
        ...{ receiptBaseAddress: 'https://receipts.example', ...configuration },
      },
    })
    const tools = { now, sleep: async () => undefined, fetch: door.fetch }
    const device = driver.open({ ...scuHead('scu-1', 0), ...made }, tools)
    const queue = await startedQueue({ device })
    clock.queue = queue
    return { queue, door, book }
  }

  it('is refused with the wrong key, and nothing is stored', async () => {
    const { queue, door } = await connected({ subscriptionKey: 'other' })
    expect(faultOf(await queue.run(sale))).toContain('invalid subscription key')
    expect([door.arrived, queue.state.number]).toEqual([[], 0])
  })

  it('may answer in an envelope, and tell the status before the errors', async () => {
    const { queue, door } = await connected({ sandbox: false, channel: 'erp' })
    door.faults = ['wrapped']
    expect(dataOf(await queue.run(sale), 'invoiceMark')).toBe('400000000000001')
    queue.state = { ...queue.state, number: 0 }
    door.faults = ['status-first']
    expect(faultOf(await queue.run(sale))).toContain('"code":"233"')
    expect(queue.state.number).toBe(1)
  })

  it.each<[LineFault, string[]]>([
    ['away', ['SendInvoices']],
    ['throttled', ['SendInvoices']],
    ['broken', ['SendInvoices']],
    ['technical', ['SendInvoices']],
    ['lost', ['SendInvoices', 'RequestTransmittedDocs']],
  ])('that breaks (%s) leaves a receipt that is sent later, once', async (fault, calls) => {
    const { queue, door, book } = await connected()
    door.faults = [fault]
    const made = await queue.run(sale)
    expect(made.faults).toEqual([])
    expect(dataOf(made, 'Transmission Failure_2')).toBeDefined()
    expect(dataOf(made, 'invoiceUid')).toBe('81A324E84B62022483E06B7A4AFB5CB8705AE118')
    while ((await queue.work()) !== undefined) {
      queue.moment = new Date(queue.moment.getTime() + 60_000)
    }
    expect(book.recent.map(({ mark }) => mark)).toEqual([400_000_000_000_001])
    expect(queue.state).toMatchObject({ number: 1, transmission: { sent: 1, since: null } })
    expect(door.arrived.filter((name, at) => at > 0 || name !== 'x').slice(0, 2)).toEqual(
      fault === 'lost' ? calls : ['RequestTransmittedDocs', 'SendInvoices'],
    )
  })

  it('that refuses a message for one document gets the others all the same', async () => {
    const { queue, door, book } = await connected()
    const long = {
      GR: { mydataoverride: { invoice: { invoiceHeader: { vehicleNumber: 'Ι'.repeat(151) } } } },
    }
    door.faults = ['away']
    await queue.run(sale)
    await queue.run({ ...sale, more: { ftReceiptCaseData: JSON.stringify(long) } })
    await queue.run(sale)
    while ((await queue.work()) !== undefined) {
      queue.moment = new Date(queue.moment.getTime() + 60_000)
    }
    const told = queue.rows.filter(({ kind }) => kind === 'T')
    expect(told.map(({ content }) => JSON.parse(content).isTaken)).toEqual([true, false, true])
    expect([book.recent.length, queue.state.transmission.sent]).toEqual([2, 3])
  })

  it('is left alone for a while when it is called too often', async () => {
    const { queue, book } = await connected({}, 3)
    for (let n = 0; n < 5; n += 1) await queue.run(sale)
    expect(book.recent).toHaveLength(3)
    let waits = 0
    for (let again = await queue.work(); again !== undefined; again = await queue.work()) {
      waits += 1
      queue.moment = new Date(queue.moment.getTime() + again.inMs)
    }
    expect([book.recent.length, queue.state.transmission.sent]).toEqual([5, 5])
    expect(waits).toBeGreaterThan(0)
  })

  it('that cuts a message off refuses the receipt, and its number is given back', async () => {
    const { queue, door } = await connected()
    door.faults = ['syntax']
    expect(faultOf(await queue.run(sale))).toContain('XMLSyntaxError')
    expect((await queue.run(sale)).identification).toContain('#CB001-1')
  })
})
