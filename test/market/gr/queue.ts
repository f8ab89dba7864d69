// A Greek queue in memory: hands receipts to the market's step as the sign path does, keeps what
// comes back, and does the work that follows.
import { randomBytes } from 'node:crypto'
import { withWords } from '../../../src/case/reader.js'
import type { GrDevice } from '../../../src/device/gr/unit.js'
import type { Again, ReceiptOutcome } from '../../../src/market/contract.js'
import { greece } from '../../../src/market/gr/index.js'
import type { GrState } from '../../../src/market/gr/queue.js'
import type { EarlierReceipt, MarketRow, StoredMarketRow } from '../../../src/model/journal.js'
import { decodeRequest } from '../../../src/model/receipt-json.js'
import { emulator } from '../../../src/simulator/gr/unit.js'
import { exportSource } from '../../support/export-source.js'
import { referredBy } from '../../support/referred.js'
import { NO_ROWS } from '../../support/refused.js'
import { scuHead } from '../at/support/stub-device.js'

export const QUEUE_ID = '0f68a617-c0cd-4249-9c48-c48da217ff77'
const BASE = 0x4752_2000_0000_0000n

export const word = (low: number): string => (BASE | BigInt(low)).toString()

export type Charges = [text: string, amount: number, rate: number, kind: number, q?: number][]
export type Pays = [text: string, amount: number, kind?: number, data?: unknown][]

export interface Sent {
  /** Low 44 bits of the receipt case. */
  kind: number
  charges?: Charges
  pays?: Pays
  /** Of the receipt, and of those before it. */
  reference?: string
  previous?: string | string[]
  customer?: unknown
  more?: Record<string, unknown>
}

const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : JSON.stringify(value)

/** The request as a program sends it. */
function wireOf({ kind, charges = [], pays = [], ...rest }: Sent, now: Date): string {
  const { reference, previous, customer } = rest
  const text = JSON.stringify({
    ...{ cbReceiptReference: reference, cbReceiptMoment: now.toISOString() },
    ...(previous === undefined ? {} : { cbPreviousReceiptReference: textOf(previous) }),
    ...(customer === undefined ? {} : { cbCustomer: textOf(customer) }),
    cbChargeItems: charges.map(([Description, Amount, VATRate, low, Quantity = 1]) => ({
      ...{ Description, Amount, VATRate, Quantity, ftChargeItemCase: word(low) },
    })),
    cbPayItems: pays.map(([Description, Amount, low = 1, data]) => ({
      ...{ Description, Amount, Quantity: 1, ftPayItemCase: word(low) },
      ...(data === undefined ? {} : { ftPayItemCaseData: textOf(data) }),
    })),
    ...{ ftReceiptCase: word(kind), ...rest.more },
  })
  // words are numbers on the wire
  return text.replace(/"(\d{19})"/g, '$1')
}

export class TestQueue {
  state: GrState = greece.queue.initial()
  moment = new Date('2026-06-01T09:30:00Z')
  readonly rows: StoredMarketRow[] = []
  readonly earlier = new Map<string, EarlierReceipt[]>()
  readonly actions: string[] = []
  scu = scuHead('scu-1', 0)
  /** Instead of the emulated unit. */
  device: GrDevice | undefined
  sandbox = false
  /** An entry of the outbox waits. */
  waiting = false
  /** Throws where the server dies before it has written. */
  onWrite: () => void = () => undefined
  private startMoment: Date | null = null
  private row = 0
  private ids = 0
  readonly tools = {
    now: () => this.moment,
    sleep: async () => undefined,
    fetch: async () => {
      throw new Error('no network')
    },
  }

  private get units() {
    return [{ scu: this.scu, device: this.device ?? emulator.open(this.scu, this.tools) }]
  }

  async run(sent: Sent): Promise<ReceiptOutcome<GrState>> {
    this.row += 1
    const reference = sent.reference ?? `r${this.row}`
    const text = wireOf({ ...sent, reference }, this.moment)
    const receipt = withWords(decodeRequest(text).request)
    const outcome = await greece.process({
      receipt: { ...receipt, id: `item-${this.row}`, row: this.row, answersV2: true },
      queue: {
        ...{ id: QUEUE_ID, cashBoxId: 'box', identification: 'CB001', lastMoment: null },
        ...{ configuration: greece.queue.configuration.parse({}), receiptNumerator: this.row },
        ...{ startMoment: this.startMoment, stopMoment: null },
      },
      ...{ state: this.state, secrets: '', units: this.units, moment: this.moment },
      ...{ journal: NO_ROWS, seller: undefined },
      previous: referredBy(greece, receipt, this),
      tools: {
        ...{ once: () => true, elapsedMs: () => 0, sandbox: this.sandbox },
        ...{ newId: () => this.newId(), randomBytes: (n: number) => Buffer.alloc(n, 7) },
      },
    })
    this.keep(reference, text, outcome)
    return outcome
  }

  private keep(reference: string, request: string, outcome: ReceiptOutcome<GrState>): void {
    this.state = greece.queue.state.parse(JSON.parse(JSON.stringify(outcome.state)))
    this.store(outcome.journal, `item-${this.row}`)
    this.waiting ||= (outcome.outbox ?? []).length > 0
    this.actions.push(...outcome.actions.map(({ message }) => message))
    if (outcome.faults.length > 0) return
    if (outcome.life === 'begins') this.startMoment = this.moment
    const ftSignatures = outcome.signatures.map(({ caption, data, type }) => ({
      ...{ caption, data, ftSignatureType: String(type) },
    }))
    const response = JSON.stringify({ ftSignatures, ftState: String(outcome.stateWord) })
    const kept = { id: `item-${this.row}`, row: this.row, version: 'v1', request, response }
    const list = this.earlier.get(reference) ?? []
    this.earlier.set(reference, [...list, { ...kept, timeStamp: BigInt(this.row) }])
  }

  private newId(): string {
    this.ids += 1
    return `id-${this.ids}`
  }

  private store(journal: readonly MarketRow[], queueItemId: string): void {
    for (const one of journal) {
      const timeStamp = BigInt(this.rows.length + 1)
      this.rows.push({ ...one, timeStamp, queueItemId, certificateFingerprint: null })
    }
  }

  private source() {
    return exportSource({ state: JSON.stringify(this.state), rows: this.rows })
  }

  /** What follows the receipts, as the worker of the outbox does it. Undefined: nothing is left. */
  async work(): Promise<Again | undefined> {
    const worker = greece.outbox?.send
    if (worker === undefined) throw new Error('no worker')
    this.waiting = false
    return worker({
      ...{ key: 'documents', payload: {}, last: false, signal: new AbortController().signal },
      ...{ source: this.source(), units: this.units, tools: this.tools },
      newId: () => this.newId(),
      write: async (notes, change) => {
        this.onWrite()
        for (const { itemId, journal, actions } of notes) {
          this.store(journal, itemId)
          this.actions.push(...actions.map(({ message }) => message))
        }
        if (change !== undefined) this.state = greece.queue.state.parse(change(this.state as never))
      },
    })
  }

  /**
   * What holds now; called later, everything since then has not happened; a
   * receipt that comes again may have a new id.
   */
  keepPoint(): (isNew?: boolean) => void {
    const { state, row, scu, waiting } = this
    const kept = { rows: this.rows.length, unit: scu.state, script: scu.faultScript }
    return (isNew = false) => {
      Object.assign(this, { state, row: isNew ? row + 1 : row, waiting })
      this.rows.length = kept.rows
      Object.assign(scu, { state: kept.unit, faultScript: kept.script })
    }
  }

  /** The books, as bytes. */
  async books(): Promise<Buffer> {
    const found = greece.exports.find((one) => 'run' in one)
    if (found === undefined || !('run' in found)) throw new Error('no books')
    const parts: Buffer[] = []
    for await (const piece of found.run(this.source())) parts.push(Buffer.from(piece))
    return Buffer.concat(parts)
  }
}

export interface Wish {
  /** Settings of the emulated unit. */
  unit?: Record<string, unknown>
  device?: GrDevice
}

/** A queue after its start receipt. */
export async function startedQueue({ unit = {}, device }: Wish = {}): Promise<TestQueue> {
  const queue = new TestQueue()
  queue.device = device
  const now = queue.moment
  const made = await emulator.create({ id: 'scu-1', configuration: unit, now, randomBytes })
  queue.scu = { ...queue.scu, ...made }
  const { faults } = await queue.run({ kind: 0x4001, reference: 'start' })
  if (faults.length > 0) throw new Error(JSON.stringify(faults))
  return queue
}

/** Item with that caption. */
export const dataOf = ({ signatures }: ReceiptOutcome<GrState>, caption: string) =>
  signatures.find((one) => one.caption === caption)?.data

/** Message of the one fault; throws when there is none, or more. */
export function faultOf({ faults }: ReceiptOutcome<GrState>): string {
  const [fault] = faults
  if (fault === undefined || faults.length > 1) throw new Error(`${faults.length} faults`)
  return fault.message
}

export const cash = (amount: number): Pays => [['Cash', amount]]
export const sale: Sent = { kind: 1, charges: [['x', 12.4, 24, 0x13]], pays: cash(12.4) }
export const customer = {
  ...{ CustomerName: 'ΠΕΛΑΤΗΣ ΑΕ', CustomerVATId: 'EL026883248', CustomerCountry: 'GR' },
}
