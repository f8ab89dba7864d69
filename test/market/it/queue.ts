// An Italian queue in memory with its simulated device: hands receipts to the market's step as the
// sign path does, keeps what comes back, and finds earlier receipts again.
import { withWords } from '../../../src/case/reader.js'
import type { DriverTools } from '../../../src/device/device.js'
import type { RtDevice } from '../../../src/device/it/unit.js'
import { ticksOf } from '../../../src/lib/ticks.js'
import type { ReceiptOutcome } from '../../../src/market/contract.js'
import { italy } from '../../../src/market/it/index.js'
import type { ItState } from '../../../src/market/it/queue.js'
import type { EarlierReceipt, StoredMarketRow } from '../../../src/model/journal.js'
import { decodeRequest } from '../../../src/model/receipt-json.js'
import type { ScuHead } from '../../../src/model/scu.js'
import { emulator } from '../../../src/simulator/it/unit.js'
import { rtFile } from '../../../src/verify/it/journal.js'
import { referredBy } from '../../support/referred.js'
import { NO_ROWS } from '../../support/refused.js'
import { scuHead } from '../at/support/stub-device.js'

export const QUEUE_ID = 'b00f3da1-5a6e-4a2d-8fdf-6c3d8900d2c2'
const BASE = 0x4954_2000_0000_0000n

export interface Item {
  text: string
  amount: number
  /** Low 44 bits of its case. */
  kind: number
  quantity?: number
  rate?: number
  data?: string
}

export interface Sent {
  reference: string
  kind: number
  charges?: Item[]
  pays?: [amount: number, kind?: number, text?: string][]
  previous?: string
  customer?: unknown
  at?: string
  more?: Record<string, unknown>
}

const RATES: Readonly<Record<number, number>> = { 1: 10, 2: 5, 3: 22, 4: 4 }
const word = (low: number): string => (BASE | BigInt(low)).toString()

/** The request as a program sends it. */
export function wireOf(sent: Sent): string {
  const text = JSON.stringify({
    cbReceiptReference: sent.reference,
    cbReceiptMoment: sent.at,
    ...(sent.previous === undefined ? {} : { cbPreviousReceiptReference: sent.previous }),
    ...(sent.customer === undefined ? {} : { cbCustomer: JSON.stringify(sent.customer) }),
    cbChargeItems: (sent.charges ?? []).map(({ text: Description, amount, kind, ...rest }) => ({
      ...{ Description, Quantity: rest.quantity ?? 1, Amount: amount },
      VATRate: rest.rate ?? RATES[kind & 0xf] ?? 0,
      ftChargeItemCase: word(kind),
      ...(rest.data === undefined ? {} : { ftChargeItemCaseData: rest.data }),
    })),
    cbPayItems: (sent.pays ?? []).map(([Amount, kind = 1, Description = 'Contanti']) => ({
      ...{ Description, Quantity: 1, Amount, ftPayItemCase: word(kind) },
    })),
    ftReceiptCase: word(sent.kind),
    ...sent.more,
  })
  // words are numbers on the wire
  return text.replace(/"(\d{19})"/g, '$1')
}

interface Options {
  scu: ScuHead
  identification?: string
  settings?: Record<string, unknown>
  device?: (scu: ScuHead) => RtDevice
}

export class TestQueue {
  state = italy.queue.initial()
  moment = new Date('2026-07-02T12:00:00Z')
  readonly rows: StoredMarketRow[] = []
  readonly outcomes: ReceiptOutcome<ItState>[] = []
  readonly earlier = new Map<string, EarlierReceipt[]>()
  scu: ScuHead
  private readonly configuration: unknown
  private readonly identification: string
  private readonly device: ((scu: ScuHead) => RtDevice) | undefined
  private startMoment: Date | null = null
  private stopMoment: Date | null = null
  private row = 0

  constructor({ scu, identification = 'FISK0001', settings = {}, device }: Options) {
    this.scu = scu
    this.device = device
    this.identification = identification
    this.configuration = italy.queue.configuration.parse(settings)
  }

  tools(): DriverTools {
    return {
      fetch: () => Promise.reject(new Error('nothing leaves the process')),
      now: () => this.moment,
      sleep: async () => {},
    }
  }

  async run(sent: Sent): Promise<ReceiptOutcome<ItState>> {
    this.row += 1
    const text = wireOf({ at: this.moment.toISOString(), ...sent })
    const receipt = withWords(decodeRequest(text).request)
    const id = `item-${this.row}`
    const device = this.device?.(this.scu) ?? emulator.open(this.scu, this.tools())
    const outcome = await italy.process({
      receipt: { ...receipt, id, row: this.row, answersV2: true },
      queue: {
        ...{ id: QUEUE_ID, cashBoxId: 'box', identification: this.identification },
        ...{ configuration: this.configuration, lastMoment: null, receiptNumerator: this.row },
        ...{ startMoment: this.startMoment, stopMoment: this.stopMoment },
      },
      state: this.state,
      ...{ secrets: '', units: [{ scu: this.scu, device }], moment: this.moment, journal: NO_ROWS },
      seller: undefined,
      previous: referredBy(italy, receipt, this),
      tools: {
        ...{ once: () => true, newId: () => `id-${this.row}`, elapsedMs: () => 0, sandbox: false },
        randomBytes: (count) => Buffer.alloc(count, 7),
      },
    })
    this.keep(sent.reference, text, outcome)
    return outcome
  }

  private keep(reference: string, request: string, outcome: ReceiptOutcome<ItState>): void {
    this.state = italy.queue.state.parse(JSON.parse(JSON.stringify(outcome.state)))
    this.outcomes.push(outcome)
    if (outcome.faults.length > 0) return
    if (outcome.life === 'begins') this.startMoment = this.moment
    if (outcome.life === 'ends') this.stopMoment = this.moment
    const timeStamp = ticksOf(this.moment.getTime()) + BigInt(this.row)
    for (const one of outcome.journal) {
      const queueItemId = `item-${this.row}`
      this.rows.push({ ...one, timeStamp, queueItemId, certificateFingerprint: null })
    }
    const stored = { id: `item-${this.row}`, row: this.row, version: 'v1', request, timeStamp }
    const known = this.earlier.get(reference) ?? []
    this.earlier.set(reference, [...known, { ...stored, response: '{}' }])
  }

  /** What must come back when the process dies between the step and its commit. */
  keepPoint(): () => void {
    const { state, row } = this
    const [rows, outcomes] = [this.rows.length, this.outcomes.length]
    const earlier = new Map(this.earlier)
    const scu = { ...this.scu, actions: [...this.scu.actions] }
    return () => {
      this.state = state
      this.row = row
      this.rows.length = rows
      this.outcomes.length = outcomes
      this.earlier.clear()
      for (const [key, value] of earlier) this.earlier.set(key, value)
      this.scu = scu
    }
  }

  /** The journal as it is exported. */
  journal(): string {
    return this.rows
      .filter(({ kind }) => kind === 'R')
      .map(({ content }) => `${content}\n`)
      .join('')
  }
}

export async function judge(text: string) {
  const findings: { code: string; receipt: string; text: string; notice?: boolean }[] = []
  async function* read() {
    yield Buffer.from(text)
  }
  const sink = { add: (one: never) => findings.push(one), clear: () => findings.splice(0) }
  const summary = await rtFile.verify(read, {}, sink as never)
  return { findings, summary: summary as { documents: number; closings: number; devices: number } }
}

export async function newScu(configuration: Record<string, unknown> = {}): Promise<ScuHead> {
  const made = await emulator.create({
    id: 'b00f3da1-0000-4000-8000-000000000001',
    configuration,
    now: new Date('2026-07-01T00:00:00Z'),
    randomBytes: (count) => Buffer.alloc(count, 3),
  })
  const state = made.state.replace(/99EMU\d{6}/, '99EMU000001')
  return { ...scuHead('scu-1', 0), ...made, state }
}

export async function startedQueue(
  configuration: Record<string, unknown> = { lastZ: 11 },
  settings: Record<string, unknown> = {},
): Promise<TestQueue> {
  const queue = new TestQueue({ scu: await newScu(configuration), settings })
  await queue.run({ reference: 'start', kind: 0x4001 })
  return queue
}

export const fault = (kind: string, calls = 1, ms?: number): string =>
  JSON.stringify({
    steps: [{ do: kind, calls, ...(ms !== undefined && { ms }) }],
    position: 0,
    calls: 0,
  })

/** Data of the items of this type, low bits. */
export function dataOf({ signatures }: ReceiptOutcome<ItState>, low: number): string | undefined {
  return signatures.find(({ type }) => type === (BASE | BigInt(low)))?.data
}
