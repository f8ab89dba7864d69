// A French queue in memory: hands receipts to the market's step as the sign path does, and keeps
// what comes back.
import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { withWords } from '../../../src/case/reader.js'
import { DeviceError } from '../../../src/device/device.js'
import type { JwsDevice } from '../../../src/device/jws.js'
import { certificateEntry } from '../../../src/device/rksv.js'
import { Decimal } from '../../../src/lib/decimal.js'
import type { JournalEnds, ReceiptOutcome } from '../../../src/market/contract.js'
import { france } from '../../../src/market/fr/index.js'
import type { FrState } from '../../../src/market/fr/queue.js'
import type { ActionRow, MarketRow } from '../../../src/model/journal.js'
import { decodeRequest } from '../../../src/model/receipt-json.js'
import { referredBy } from '../../support/referred.js'
import { acceptedOf, NO_ROWS } from '../../support/refused.js'
import { scuHead } from '../at/support/stub-device.js'

export const QUEUE_ID = 'b00f3da1-5a6e-4a2d-8fdf-6c3d8900d2c1'
export const SIRET = '12345678900011'
export const CSN = '08DAB1126038C627'
const BASE = 0x4652_0000_0000_0000n

export interface Sent {
  kind: number
  flags?: number
  /** Case and amount; the rate is 20. */
  charges?: [number, number][]
  pays?: [number, number][]
  at?: string
  previous?: string
  more?: Record<string, unknown>
}

const word = (code: number, flags = 0) => (BASE | (BigInt(flags) << 16n) | BigInt(code)).toString()

/** The request as a program sends it. */
export function wireOf({ kind, flags, charges = [], pays = [], at, previous, more }: Sent): string {
  const items = (list: [number, number][], name: string) =>
    list.map(([code, Amount]) => {
      return { Description: 'x', Quantity: 1, Amount, VATRate: 20, [name]: word(code) }
    })
  const text = JSON.stringify({
    cbReceiptReference: 'r',
    cbReceiptMoment: at ?? '2026-03-02T10:00:00Z',
    cbPreviousReceiptReference: previous,
    cbChargeItems: items(charges, 'ftChargeItemCase'),
    cbPayItems: items(pays, 'ftPayItemCase'),
    ftReceiptCase: word(kind, flags),
    ...more,
  })
  // words are numbers on the wire
  return text.replace(/"(\d{19})"/g, '$1')
}

export const requestOf = (sent: Sent) => decodeRequest(wireOf(sent)).request

const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' })

export class TestQueue {
  readonly publicKey: KeyObject = keys.publicKey
  isUnitOut = false
  showsExcerpt = false
  isDer = false
  /** Instead of one that is made. */
  signature: Buffer | undefined
  state: FrState = france.queue.initial()
  startMoment: Date | null = null
  stopMoment: Date | null = null
  receipts = 0
  moment = new Date('2026-03-02T07:58:00.500Z')
  journal: JournalEnds = NO_ROWS
  readonly rows: MarketRow[] = []
  readonly actions: ActionRow[] = []
  /** Rows that tell of copies. */
  readonly counted: MarketRow[] = []
  private row = 0
  private ids = 0

  static async started(): Promise<TestQueue> {
    const queue = new TestQueue()
    await queue.accept({ kind: 0x10 })
    return queue
  }

  /** With which the unit signs; it names the first one before. */
  certificate = certificateEntry(Buffer.from('certificate'))

  private readonly device: JwsDevice = {
    identity: async () => ({
      ...{ siret: SIRET, serialHex: CSN },
      certificate: certificateEntry(Buffer.from('certificate')),
      showsExcerpt: this.showsExcerpt,
      isDer: this.isDer,
    }),
    sign: async (data) => {
      if (this.isUnitOut) throw new DeviceError('out')
      const how = { key: keys.privateKey, dsaEncoding: 'ieee-p1363' } as const
      const signature = this.signature ?? sign('sha256', data, how)
      return { signature, certificate: this.certificate }
    },
  }

  /** Of the receipt that came last. */
  get itemId(): string {
    return `00000000-0000-4000-8000-0000000000${this.row.toString().padStart(2, '0')}`
  }

  async run(sent: Sent): Promise<ReceiptOutcome<FrState>> {
    this.row += 1
    return france.process({
      receipt: {
        ...withWords(requestOf(sent)),
        ...{ id: this.itemId, row: this.row, answersV2: false },
      },
      queue: {
        ...{ id: QUEUE_ID, cashBoxId: 'box', identification: 'RueHelder_1(2)' },
        configuration: france.queue.configuration.parse({}),
        ...{ startMoment: this.startMoment, stopMoment: this.stopMoment, lastMoment: null },
        receiptNumerator: this.receipts,
      },
      state: this.state,
      secrets: '',
      units: [{ scu: scuHead('scu-1', 0), device: this.device }],
      moment: this.moment,
      previous: referredBy(france, withWords(requestOf(sent)), { rows: this.counted }),
      seller: undefined,
      journal: this.journal,
      tools: {
        once: () => true,
        newId: () => `id-${++this.ids}`,
        randomBytes: (count) => Buffer.alloc(count, 7),
        elapsedMs: () => 0,
        sandbox: false,
      },
    })
  }

  /** Runs a receipt that is accepted, and moves the queue on as the sign path does. */
  async accept(sent: Sent): Promise<ReceiptOutcome<FrState>> {
    const outcome = acceptedOf(await this.run(sent))
    this.state = france.queue.state.parse(JSON.parse(JSON.stringify(outcome.state)))
    if (outcome.life === 'begins') this.startMoment = this.moment
    if (outcome.life === 'ends') this.stopMoment = this.moment
    this.receipts += 1
    for (const row of outcome.journal) {
      if (row.kind === 'counted') this.counted.push(row)
      else this.rows.push(row)
    }
    this.actions.push(...outcome.actions)
    return outcome
  }
}

export function payloadText(jws: string): string {
  return Buffer.from(jws.split('.')[1] ?? '', 'base64url').toString()
}

export function payloadOf(row: { content: string } | undefined): Record<string, unknown> {
  return JSON.parse(payloadText(row?.content ?? ''))
}

export const sum = (amounts: number[]): string =>
  amounts.reduce((all, one) => all.plus(Decimal.of(one.toString())), Decimal.ZERO).toShortString()
