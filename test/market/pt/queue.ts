// A Portuguese queue in memory: hands receipts to the market's step as the sign path does, keeps
// what comes back, and finds earlier receipts again.
import { withWords } from '../../../src/case/reader.js'
import type { PtDevice } from '../../../src/device/pt/unit.js'
import { ticksOf } from '../../../src/lib/ticks.js'
import type { ReceiptOutcome } from '../../../src/market/contract.js'
import { portugal } from '../../../src/market/pt/index.js'
import type { PtState } from '../../../src/market/pt/queue.js'
import type { EarlierReceipt, StoredMarketRow } from '../../../src/model/journal.js'
import { decodeRequest } from '../../../src/model/receipt-json.js'
import type { ScuHead } from '../../../src/model/scu.js'
import { exportSource } from '../../support/export-source.js'
import { referredBy } from '../../support/referred.js'
import { NO_ROWS } from '../../support/refused.js'
import { scuHead } from '../at/support/stub-device.js'

export const QUEUE_ID = 'b00f3da1-5a6e-4a2d-8fdf-6c3d8900d2c2'
const BASE = 0x5054_2000_0000_0000n

export const word = (low: number | bigint): string => (BASE | BigInt(low)).toString()

export interface Item {
  text: string
  amount: number
  /** Low 32 bits of its case: V, service, reason, flags. */
  kind: number
  quantity?: number
  rate?: number
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

const RATES: Readonly<Record<number, number>> = { 1: 6, 2: 13, 3: 23, 8: 0 }

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
    })),
    cbPayItems: (sent.pays ?? []).map(([Amount, kind = 1]) => ({
      ...{ Description: 'Pagamento', Quantity: 1, Amount },
      ftPayItemCase: word(kind),
    })),
    ftReceiptCase: word(sent.kind),
    ...sent.more,
  })
  // words are numbers on the wire
  return text.replace(/"(\d{19})"/g, '$1')
}

interface Options {
  device?: PtDevice
  scu?: ScuHead
  settings?: Record<string, unknown>
  state?: PtState
  started?: boolean
}

export class TestQueue {
  state: PtState
  moment = new Date('2026-06-15T09:30:15Z')
  readonly rows: StoredMarketRow[] = []
  readonly outcomes: ReceiptOutcome<PtState>[] = []
  readonly earlier = new Map<string, EarlierReceipt[]>()
  readonly configuration: unknown
  device: PtDevice | undefined
  scu: ScuHead
  private startMoment: Date | null = null
  private stopMoment: Date | null = null
  private row = 0

  constructor({ device, scu, settings = {}, state, started = false }: Options) {
    this.device = device
    this.scu = scu ?? scuHead('scu-1', 0)
    this.configuration = portugal.queue.configuration.parse({ 'series-prefix': 'FW', ...settings })
    this.state = state ?? portugal.queue.initial()
    if (started) this.startMoment = this.moment
  }

  async run(sent: Sent): Promise<ReceiptOutcome<PtState>> {
    this.row += 1
    const text = wireOf({ at: this.moment.toISOString(), ...sent })
    const receipt = withWords(decodeRequest(text).request)
    const id = `item-${this.row}`
    const units = this.device === undefined ? [] : [{ scu: this.scu, device: this.device }]
    const outcome = await portugal.process({
      receipt: { ...receipt, id, row: this.row, answersV2: true },
      queue: {
        ...{ id: QUEUE_ID, cashBoxId: 'box', identification: 'LisboaCaixa1' },
        ...{ configuration: this.configuration, lastMoment: null, receiptNumerator: this.row },
        ...{ startMoment: this.startMoment, stopMoment: this.stopMoment },
      },
      state: this.state,
      ...{ secrets: '', units, moment: this.moment, journal: NO_ROWS, seller: undefined },
      previous: referredBy(portugal, receipt, this),
      tools: {
        ...{ once: () => true, newId: () => `id-${this.row}`, elapsedMs: () => 0, sandbox: false },
        randomBytes: (count) => Buffer.alloc(count, 7),
      },
    })
    this.keep(sent.reference, text, outcome)
    return outcome
  }

  private keep(reference: string, request: string, outcome: ReceiptOutcome<PtState>): void {
    this.state = portugal.queue.state.parse(JSON.parse(JSON.stringify(outcome.state)))
    this.outcomes.push(outcome)
    if (outcome.faults.length > 0) return
    if (outcome.life === 'begins') this.startMoment = this.moment
    if (outcome.life === 'ends') this.stopMoment = this.moment
    const timeStamp = ticksOf(this.moment.getTime()) + BigInt(this.row)
    for (const one of outcome.journal) {
      const queueItemId = `item-${this.row}`
      this.rows.push({ ...one, timeStamp, queueItemId, certificateFingerprint: null })
    }
    const signatures = outcome.signatures.map(({ format, type, ...rest }) => ({
      ...rest,
      ...{ ftSignatureFormat: Number(format), ftSignatureType: String(type) },
    }))
    const response = JSON.stringify({
      ftReceiptIdentification: outcome.identification,
      ...{ ftReceiptMoment: this.moment.toISOString(), ftSignatures: signatures },
    })
    const list = this.earlier.get(reference) ?? []
    const found = { id: `item-${this.row}`, row: this.row, version: 'v1', request, response }
    this.earlier.set(reference, [...list, { ...found, timeStamp }])
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

  /** The books, as bytes. */
  async books(range = { from: 0n, to: 0n }): Promise<Buffer> {
    const source = exportSource({
      queue: { id: QUEUE_ID, configuration: this.configuration },
      ...{ state: JSON.stringify(this.state), rows: this.rows, range },
    })
    const word = 0x5054_2000_0000_1001n
    const found = portugal.exports.find((one) => 'matches' in one && one.matches(word))
    const parts: Buffer[] = []
    if (found === undefined || !('matches' in found) || 'isStatus' in found)
      throw new Error('no export')
    for await (const piece of found.run(source)) parts.push(Buffer.from(piece))
    return Buffer.concat(parts)
  }
}

/** Message of the one fault; throws when there is none, or more. */
export function faultOf({ faults, identification }: ReceiptOutcome<PtState>): string {
  if (faults.length !== 1) throw new Error(`${faults.length} faults: ${identification}`)
  return /\[EEEE_(\w+)\]/.exec(faults[0]?.message ?? '')?.[1] ?? (faults[0]?.message as string)
}

export const dataOf = ({ signatures }: ReceiptOutcome<PtState>): string[] =>
  signatures.map(({ data }) => data)
