// A Spanish queue in memory: hands receipts to the market's step as the sign path does, keeps
// what comes back, and finds earlier receipts again.
import { withWords } from '../../../src/case/reader.js'
import type { EsDevice } from '../../../src/device/es/unit.js'
import { ticksOf } from '../../../src/lib/ticks.js'
import type { Again, JsonPayload, ReceiptOutcome } from '../../../src/market/contract.js'
import { spain } from '../../../src/market/es/index.js'
import type { EsState } from '../../../src/market/es/queue.js'
import type { EarlierReceipt, MarketRow, StoredMarketRow } from '../../../src/model/journal.js'
import type { Seller } from '../../../src/model/queue-facts.js'
import { decodeRequest } from '../../../src/model/receipt-json.js'
import type { ScuHead } from '../../../src/model/scu.js'
import { exportSource } from '../../support/export-source.js'
import { referredBy } from '../../support/referred.js'
import { NO_ROWS } from '../../support/refused.js'
import { scuHead } from '../at/support/stub-device.js'

const noNetwork = async () => {
  throw new Error('no network')
}

export const QUEUE_ID = '0f68a617-c0cd-4249-9c48-c48da217ff77'
const BASE = 0x4553_2000_0000_0000n

export const word = (low: number | bigint): string => (BASE | BigInt(low)).toString()

export interface Item {
  text: string
  amount: number
  /** Low 32 bits of its case: V, service, reason, flags. */
  kind: number
  quantity?: number
  rate?: number
  /** Further members. */
  more?: object
}

export interface Sent {
  reference: string
  /** Low 44 bits of the receipt case. */
  kind: number
  charges?: Item[]
  /** Amount and kind. */
  pays?: [amount: number, kind?: number][]
  previous?: string
  customer?: unknown
  at?: string
  more?: Record<string, unknown>
}

const RATES: Readonly<Record<number, number>> = { 1: 10, 2: 10, 3: 21, 4: 4, 5: 4, 7: 0, 8: 0 }

/** The request as a program sends it. */
export function wireOf(sent: Sent): string {
  const text = JSON.stringify({
    cbReceiptReference: sent.reference,
    cbReceiptMoment: sent.at,
    cbUser: 'Maria',
    ...(sent.previous === undefined ? {} : { cbPreviousReceiptReference: sent.previous }),
    ...(sent.customer === undefined ? {} : { cbCustomer: JSON.stringify(sent.customer) }),
    cbChargeItems: (sent.charges ?? []).map(({ text: Description, amount, kind, ...rest }) => ({
      ...{ Description, Quantity: rest.quantity ?? 1, Amount: amount },
      VATRate: rest.rate ?? RATES[kind & 0xf],
      ftChargeItemCase: word(kind),
      ...rest.more,
    })),
    cbPayItems: (sent.pays ?? []).map(([Amount, kind = 1]) => ({
      ...{ Description: 'Efectivo', Quantity: 1, Amount },
      ftPayItemCase: word(kind),
    })),
    ftReceiptCase: word(sent.kind),
    ...sent.more,
  })
  // words are numbers on the wire
  return text.replace(/"(\d{19})"/g, '$1')
}

interface Options {
  device?: EsDevice
  scu?: ScuHead
  settings?: Record<string, unknown>
  state?: EsState
  started?: boolean
}

export class TestQueue {
  state: EsState
  moment = new Date('2026-06-15T09:30:15Z')
  readonly rows: StoredMarketRow[] = []
  readonly outcomes: ReceiptOutcome<EsState>[] = []
  readonly earlier = new Map<string, EarlierReceipt[]>()
  readonly configuration: unknown
  device: EsDevice | undefined
  scu: ScuHead
  private startMoment: Date | null = null
  private stopMoment: Date | null = null
  private row = 0
  private ids = 0
  seller: Seller | undefined

  constructor({ device, scu, settings = {}, state, started = false }: Options) {
    this.device = device
    this.scu = scu ?? scuHead('scu-1', 0)
    this.configuration = spain.queue.configuration.parse({ 'series-prefix': 'fkt', ...settings })
    this.state = state ?? spain.queue.initial()
    if (started) this.startMoment = this.moment
  }

  async run(sent: Sent): Promise<ReceiptOutcome<EsState>> {
    this.row += 1
    const text = wireOf({ at: this.moment.toISOString(), ...sent })
    const receipt = withWords(decodeRequest(text).request)
    const id = `item-${this.row}`
    const units = this.device === undefined ? [] : [{ scu: this.scu, device: this.device }]
    const outcome = await spain.process({
      receipt: { ...receipt, id, row: this.row, answersV2: true },
      queue: {
        ...{ id: QUEUE_ID, cashBoxId: 'box', identification: 'MadridCaja1' },
        ...{ configuration: this.configuration, lastMoment: null, receiptNumerator: this.row },
        ...{ startMoment: this.startMoment, stopMoment: this.stopMoment },
      },
      state: this.state,
      ...{ secrets: '', units, moment: this.moment, journal: NO_ROWS, seller: this.seller },
      previous: referredBy(spain, receipt, this),
      tools: {
        ...{ once: () => true, elapsedMs: () => 0, sandbox: false },
        newId: () => this.newId(),
        randomBytes: (count) => Buffer.alloc(count, 7),
      },
    })
    this.keep(sent.reference, text, outcome)
    return outcome
  }

  private keep(reference: string, request: string, outcome: ReceiptOutcome<EsState>): void {
    this.state = spain.queue.state.parse(JSON.parse(JSON.stringify(outcome.state)))
    this.outcomes.push(outcome)
    this.store(outcome.journal, `item-${this.row}`)
    this.waiting ||= (outcome.outbox ?? []).length > 0
    if (outcome.faults.length > 0) return
    if (outcome.life === 'begins') this.startMoment = this.moment
    if (outcome.life === 'ends') this.stopMoment = this.moment
    const timeStamp = ticksOf(this.moment.getTime()) + BigInt(this.row)
    const signatures = outcome.signatures.map(({ format, type, ...rest }) => ({
      ...rest,
      ...{ ftSignatureFormat: Number(format), ftSignatureType: String(type) },
    }))
    const response = JSON.stringify({
      ftReceiptIdentification: outcome.identification,
      ...{ ftReceiptMoment: this.moment.toISOString(), ftSignatures: signatures },
      ftStateData: outcome.stateData ?? undefined,
    })
    const list = this.earlier.get(reference) ?? []
    const found = { id: `item-${this.row}`, row: this.row, version: 'v1', request, response }
    this.earlier.set(reference, [...list, { ...found, timeStamp }])
  }

  private newId(): string {
    this.ids += 1
    return `id-${this.ids}`
  }

  /** An entry of the outbox waits. */
  waiting = false

  private store(journal: readonly MarketRow[], queueItemId: string): void {
    for (const one of journal) {
      this.tick += 1n
      const timeStamp = ticksOf(this.moment.getTime()) + this.tick
      this.rows.push({ ...one, timeStamp, queueItemId, certificateFingerprint: null })
    }
  }
  private tick = 0n

  /** What follows the receipts, as the worker of the outbox does it. Undefined: nothing is left. */
  async work(kind = 'send', payload: JsonPayload = {}): Promise<Again | undefined> {
    const worker = spain.outbox?.[kind]
    if (worker === undefined) throw new Error('no worker')
    this.waiting = false
    return worker({
      ...{ key: 'records', payload, last: false, signal: new AbortController().signal },
      source: this.source(),
      units: this.device === undefined ? [] : [{ scu: this.scu, device: this.device }],
      newId: () => this.newId(),
      tools: { now: () => this.moment, sleep: async () => undefined, fetch: noNetwork },
      write: async (notes, change) => {
        this.onWrite()
        for (const { itemId, journal } of notes) this.store(journal, itemId)
        if (change !== undefined) this.state = spain.queue.state.parse(change(this.state as never))
      },
    })
  }
  /** Throws where the server dies before it has written. */
  onWrite: () => void = () => undefined

  private source() {
    return exportSource({
      queue: { id: QUEUE_ID, configuration: this.configuration },
      ...{ state: JSON.stringify(this.state), rows: this.rows },
    })
  }

  /** What holds now; called later, everything since then has not happened. */
  keepPoint(): () => void {
    const { state, row, scu } = this
    const kept = { rows: this.rows.length, unit: scu.state, script: scu.faultScript }
    return () => {
      Object.assign(this, { state, row })
      this.rows.length = kept.rows
      Object.assign(scu, { state: kept.unit, faultScript: kept.script })
    }
  }

  /** The journal, as bytes. */
  async books(range = { from: 0n, to: 0n }, low = 0x1001n): Promise<Buffer> {
    const source = exportSource({
      queue: { id: QUEUE_ID, configuration: this.configuration },
      ...{ state: JSON.stringify(this.state), rows: this.rows, range },
    })
    const word = BASE | low
    const found = spain.exports.find((one) => 'matches' in one && one.matches(word))
    const parts: Buffer[] = []
    if (found === undefined || !('matches' in found) || 'isStatus' in found)
      throw new Error('no export')
    for await (const piece of found.run(source)) parts.push(Buffer.from(piece))
    return Buffer.concat(parts)
  }
}

/** Message of the one fault; throws when there is none, or more. */
export function faultOf({ faults, identification }: ReceiptOutcome<EsState>): string {
  if (faults.length !== 1) throw new Error(`${faults.length} faults: ${identification}`)
  return /\[EEEE_(\w+)\]/.exec(faults[0]?.message ?? '')?.[1] ?? (faults[0]?.message as string)
}

export const dataOf = ({ signatures }: ReceiptOutcome<EsState>): string[] =>
  signatures.map(({ data }) => data)
