// The worked examples of the reference: UIDs, documents as bytes, authentication codes, and a
// document whose answer got lost.
import { randomBytes } from 'node:crypto'
import { expect, it } from 'vitest'
import { withWords } from '../../../src/case/reader.js'
import { isVat, uidOf } from '../../../src/device/gr/mydata.js'
import type { ReceiptOutcome } from '../../../src/market/contract.js'
import { greece } from '../../../src/market/gr/index.js'
import type { GrState } from '../../../src/market/gr/queue.js'
import type { EarlierReceipt, MarketRow, StoredMarketRow } from '../../../src/model/journal.js'
import { decodeRequest } from '../../../src/model/receipt-json.js'
import { newFaultScript } from '../../../src/simulator/faults.js'
import { emulator } from '../../../src/simulator/gr/unit.js'
import { mydataFile } from '../../../src/verify/gr/mydata.js'
import { exportSource } from '../../support/export-source.js'
import { NO_ROWS } from '../../support/refused.js'
import { scuHead } from '../at/support/stub-device.js'

const BASE = 0x4752_2000_0000_0000n
const word = (low: number) => (BASE | BigInt(low)).toString()
const QUEUE_ID = '0f68a617-c0cd-4249-9c48-c48da217ff77'

interface Sent {
  kind: number
  charges?: [text: string, amount: number, rate: number, kind: number][]
  pays?: [text: string, amount: number, kind?: number][]
  more?: Record<string, unknown>
}

class Queue {
  state: GrState = greece.queue.initial()
  moment = new Date('2026-06-01T09:30:00Z')
  rows: StoredMarketRow[] = []
  earlier = new Map<string, EarlierReceipt>()
  startMoment: Date | null = null
  row = 0
  ids = 0
  scu = scuHead('scu-1', 0)
  tools = {
    now: () => this.moment,
    sleep: async () => undefined,
    fetch: async () => {
      throw new Error('no network')
    },
  }

  async open(): Promise<void> {
    const made = await emulator.create({
      id: 's',
      configuration: {},
      now: this.moment,
      randomBytes,
    })
    this.scu = { ...this.scu, ...made }
    await this.run({ kind: 0x4001 })
  }

  get units() {
    return [{ scu: this.scu, device: emulator.open(this.scu, this.tools) }]
  }

  async run({ kind, charges = [], pays = [], more = {} }: Sent): Promise<ReceiptOutcome<GrState>> {
    this.row += 1
    const members = {
      ...{ cbReceiptReference: `r${this.row}`, cbReceiptMoment: this.moment.toISOString() },
      cbChargeItems: charges.map(([Description, Amount, VATRate, low]) => ({
        ...{ Description, Amount, VATRate, Quantity: 1, ftChargeItemCase: word(low) },
      })),
      cbPayItems: pays.map(([Description, Amount, low = 1]) => ({
        ...{ Description, Amount, Quantity: 1, ftPayItemCase: word(low) },
      })),
      ...{ ftReceiptCase: word(kind), ...more },
    }
    const text = JSON.stringify(members).replace(/"(\d{19})"/g, '$1')
    const receipt = withWords(decodeRequest(text).request)
    const { references = [], counts } = greece.queue.lookUp?.(receipt) ?? {}
    const counted = this.rows.filter((one) => one.kind === 'counted' && one.number === counts)
    const outcome = await greece.process({
      receipt: { ...receipt, id: `item-${this.row}`, row: this.row, answersV2: true },
      queue: {
        ...{ id: QUEUE_ID, cashBoxId: 'box', identification: 'CB001', lastMoment: null },
        ...{ configuration: greece.queue.configuration.parse({}), receiptNumerator: this.row },
        ...{ startMoment: this.startMoment, stopMoment: null },
      },
      ...{ state: this.state, secrets: '', units: this.units, moment: this.moment },
      ...{ journal: NO_ROWS, seller: undefined },
      previous: {
        referred: references.map((reference) => {
          const found = this.earlier.get(reference)
          return { reference, receipts: found === undefined ? [] : [found] }
        }),
        ...{ counted: counted.length, newest: counted.at(-1)?.content },
      },
      tools: {
        ...{ once: () => true, elapsedMs: () => 0, sandbox: false },
        ...{ newId: () => this.newId(), randomBytes: (n: number) => Buffer.alloc(n, 7) },
      },
    })
    this.state = greece.queue.state.parse(JSON.parse(JSON.stringify(outcome.state)))
    this.store(outcome.journal)
    if (outcome.faults.length > 0) return outcome
    if (outcome.life === 'begins') this.startMoment = this.moment
    const ftSignatures = outcome.signatures.map(({ caption, data, type }) => ({
      ...{ caption, data, ftSignatureType: String(type) },
    }))
    const response = JSON.stringify({ ftSignatures, ftState: String(outcome.stateWord) })
    const kept = { id: `item-${this.row}`, row: this.row, version: 'v1', request: text, response }
    this.earlier.set(`r${this.row}`, { ...kept, timeStamp: BigInt(this.row) })
    return outcome
  }

  newId(): string {
    this.ids += 1
    return `id-${this.ids}`
  }

  store(journal: readonly MarketRow[]): void {
    for (const one of journal) {
      const timeStamp = BigInt(this.rows.length + 1)
      const stored = { timeStamp, queueItemId: 'item', certificateFingerprint: null }
      this.rows.push({ ...one, ...stored })
    }
  }

  get source() {
    return exportSource({ state: JSON.stringify(this.state), rows: this.rows })
  }

  async work(): Promise<unknown> {
    return greece.outbox?.send?.({
      ...{ key: 'documents', payload: {}, last: false, signal: new AbortController().signal },
      ...{ source: this.source, units: this.units, tools: this.tools },
      newId: () => this.newId(),
      write: async (notes, change) => {
        for (const { journal } of notes) this.store(journal)
        if (change !== undefined) this.state = greece.queue.state.parse(change(this.state as never))
      },
    })
  }

  async verified() {
    const books = greece.exports[1]
    if (books === undefined || !('run' in books)) throw new Error('no books')
    const parts: Buffer[] = []
    for await (const piece of books.run(this.source)) parts.push(Buffer.from(piece))
    const findings: unknown[] = []
    const sink = { add: (one: unknown) => void findings.push(one), clear: () => undefined }
    const read = async function* () {
      yield Buffer.concat(parts)
    }
    const summary = await mydataFile.verify(read, {}, sink)
    return { findings, summary }
  }
}

const dataOf = ({ signatures }: ReceiptOutcome<GrState>, caption: string) =>
  signatures.find((one) => one.caption === caption)?.data
const sale: Sent = { kind: 1, charges: [['x', 12.4, 24, 0x13]], pays: [['Cash', 12.4]] }

it('UIDs are those of the reference', () => {
  const id = { vat: '112545020', date: '2026-06-01', branch: '0', type: '11.1', aa: '1' }
  const plain = { ...id, series: 'CB001', variation: '' }
  expect(uidOf(plain)).toBe('81A324E84B62022483E06B7A4AFB5CB8705AE118')
  expect(uidOf({ ...plain, variation: '1' })).toBe('F5157D5EB84E1D47F04A3C97A9C4C476E855C4DF')
  const greek = { ...plain, series: 'ΑΛΠ', aa: '7' }
  expect(uidOf(greek)).toBe('781BDAB52E84ABFD2597185D8BB067174BB33212')
  expect(['112545020', '026883248', '094014201'].every(isVat)).toBe(true)
  expect(['123456789', '888888888'].some(isVat)).toBe(false)
})

it('the documents of the reference come out byte for byte, with their codes', async () => {
  const queue = new Queue()
  await queue.open()
  const first = await queue.run(sale)
  expect(first.faults).toEqual([])
  expect(dataOf(first, 'invoiceUid')).toBe('81A324E84B62022483E06B7A4AFB5CB8705AE118')
  expect(dataOf(first, 'invoiceMark')).toBe('400000000000001')
  expect(dataOf(first, 'authenticationCode')).toBe('6FDD465B552447EC4BB5D5A5FF2BC347A28F61E5')
  expect(dataOf(first, 'Μοναδικός αριθμός παραστατικού')).toBe(
    '112545020|01/06/2026|0|11.1|CB001|1',
  )
  const row =
    '<icls:classificationType>E3_561_003</icls:classificationType>' +
    '<icls:classificationCategory>category1_1</icls:classificationCategory>' +
    '<icls:amount>10.00</icls:amount>'
  expect(dataOf(first, 'mydata-xml')).toContain(
    '<issuer><vatNumber>112545020</vatNumber><country>GR</country><branch>0</branch>' +
      '</issuer><invoiceHeader><series>CB001</series><aa>1</aa><issueDate>2026-06-01' +
      '</issueDate><invoiceType>11.1</invoiceType><currency>EUR</currency></invoiceHeader>' +
      '<paymentMethods><paymentMethodDetails><type>3</type><amount>12.40</amount>' +
      '<paymentMethodInfo>Cash</paymentMethodInfo></paymentMethodDetails></paymentMethods>' +
      '<invoiceDetails><lineNumber>1</lineNumber><netValue>10.00</netValue><vatCategory>1' +
      `</vatCategory><vatAmount>2.40</vatAmount><incomeClassification>${row}` +
      '</incomeClassification></invoiceDetails><invoiceSummary><totalNetValue>10.00' +
      '</totalNetValue><totalVatAmount>2.40</totalVatAmount><totalWithheldAmount>0.00' +
      '</totalWithheldAmount>',
  )
  const meal: Sent['charges'] = [['Μουσακάς', 24.8, 24, 0x13]]
  const table = { cbArea: '105' }
  const order = await queue.run({ kind: 0x3004, charges: meal, more: table })
  expect(dataOf(order, 'invoiceUid')).toBe('A6881C159C7D822E83FC626070FD303AE2770DA2')
  const voided = await queue.run({
    ...{ kind: 0x4_3004, charges: meal },
    more: { ...table, cbPreviousReceiptReference: 'r3' },
  })
  expect(voided.faults).toEqual([])
  expect(dataOf(voided, 'invoiceUid')).toBe('D00C8266BADA3EB4193025D0DA51B9395D4F1767')
  expect(dataOf(voided, 'authenticationCode')).toBe('FE2D9D0CFCA5598B4B97F2CBC2B235611F951E57')
  expect(dataOf(voided, 'mydata-xml')).toContain(
    '<invoiceType>8.6</invoiceType><currency>EUR</currency>' +
      '<multipleConnectedMarks>400000000000002</multipleConnectedMarks><tableAA>105' +
      '</tableAA><totalCancelDeliveryOrders>true</totalCancelDeliveryOrders>',
  )
  expect(await queue.verified()).toMatchObject({ findings: [], summary: { documents: 3 } })
})

it('what was taken although its answer was lost is found there, and in order', async () => {
  const queue = new Queue()
  await queue.open()
  queue.scu.faultScript = newFaultScript([{ do: 'authority-error-after', calls: 1 }])
  const lost = await queue.run(sale)
  expect(dataOf(lost, 'Transmission Failure_2')).toBe('ΧΩΡΙΣ ΜΑΡΚ ΛΟΓΩ ΑΠΩΛΕΙΑΣ ΔΙΑΣΥΝΔΕΣΗΣ')
  const behind = await queue.run(sale)
  expect(dataOf(behind, 'invoiceMark')).toBeUndefined()
  expect(behind.outbox).toHaveLength(1)
  expect(await queue.work()).toBeUndefined()
  expect(queue.state.transmission).toMatchObject({ sent: 2, since: null })
  const refund = await queue.run({
    ...{ kind: 0x100_0001, charges: [['x', -12.4, 24, 0x13]], pays: [['Cash', -12.4]] },
    more: { cbPreviousReceiptReference: 'r2' },
  })
  expect(refund.faults).toEqual([])
  expect(dataOf(refund, 'mydata-xml')).toContain(
    '<multipleConnectedMarks>400000000000001</multipleConnectedMarks>',
  )
  expect(await queue.verified()).toMatchObject({
    findings: [],
    summary: { documents: 3, withMark: 3 },
  })
})
