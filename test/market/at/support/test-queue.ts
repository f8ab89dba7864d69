// A queue in memory: hands receipts to the market's process as the sign path does, and keeps what
// comes back. No database, a clock that only tests move.

import { expect } from 'vitest'
import { withWords } from '../../../../src/case/reader.js'
import type { RksvDevice } from '../../../../src/device/rksv.js'
import { austria } from '../../../../src/market/at/index.js'
import type { AtState } from '../../../../src/market/at/queue.js'
import type { ReceiptOutcome, Unit } from '../../../../src/market/contract.js'
import type { ActionRow, MarketRow } from '../../../../src/model/journal.js'
import type { ReceiptRequest } from '../../../../src/model/receipt.js'
import { acceptedOf, NO_ROWS, type RefusedOutcome, refusedBy } from '../../../support/refused.js'
import { startReceipt } from './make.js'
import { StubDevice, scuHead } from './stub-device.js'
import { vectors } from './vectors.js'

export const QUEUE_ID = '11111111-2222-4333-8444-555555555555'
export const CASH_BOX_ID = '99999999-2222-4333-8444-555555555555'

export interface QueueOptions {
  configuration?: Record<string, unknown>
  devices?: Unit<RksvDevice>[]
  sandbox?: boolean
  secrets?: string
  identification?: string
}

export function slot(device: RksvDevice, mode = 0, id = 'scu-1'): Unit<RksvDevice> {
  return { scu: scuHead(id, mode), device }
}

export class TestQueue {
  readonly device = new StubDevice()
  devices: Unit<RksvDevice>[]
  configuration: unknown
  state: AtState = austria.queue.initial()
  secrets: string
  startMoment: Date | null = null
  stopMoment: Date | null = null
  receiptNumerator = 0
  moment = new Date('2025-01-05T07:00:00Z')
  /** ftReceiptMoment of the receipt before. */
  lastMoment: Date | null = null
  elapsed = 0
  readonly rows: MarketRow[] = []
  readonly actions: ActionRow[] = []
  private row = 0
  private ids = 0
  private readonly asked = new Set<string>()
  private readonly sandbox: boolean
  private readonly identification: string

  constructor(options: QueueOptions = {}) {
    this.configuration = austria.queue.configuration.parse(options.configuration ?? {})
    this.devices = options.devices ?? [slot(this.device)]
    this.sandbox = options.sandbox ?? false
    this.identification = options.identification ?? vectors.input.kassenId
    this.secrets =
      options.secrets ?? JSON.stringify({ encryptionKeyBase64: vectors.input.aesKeyBase64 })
  }

  /** A queue whose start receipt is signed. */
  static async started(options: QueueOptions = {}): Promise<TestQueue> {
    const queue = new TestQueue(options)
    await queue.accept(startReceipt)
    expect(queue.startMoment).not.toBeNull()
    return queue
  }

  setTime(iso: string): void {
    this.moment = new Date(iso)
  }

  async run(request: ReceiptRequest): Promise<ReceiptOutcome<AtState>> {
    this.row += 1
    return austria.process({
      receipt: {
        ...withWords(request),
        ...{ id: `item-${this.row}`, row: this.row, answersV2: false },
      },
      queue: {
        id: QUEUE_ID,
        cashBoxId: CASH_BOX_ID,
        identification: this.identification,
        configuration: this.configuration,
        startMoment: this.startMoment,
        stopMoment: this.stopMoment,
        lastMoment: this.lastMoment,
        receiptNumerator: this.receiptNumerator,
      },
      state: this.state,
      secrets: this.secrets,
      moment: this.moment,
      units: this.devices,
      previous: [],
      seller: undefined,
      journal: NO_ROWS,
      tools: {
        once: (key) => !this.asked.has(key) && this.asked.add(key) !== undefined,
        newId: () => `id-${++this.ids}`,
        randomBytes: (count) => Buffer.alloc(count, 7),
        elapsedMs: () => this.elapsed,
        sandbox: this.sandbox,
      },
    })
  }

  /** Runs a receipt that is accepted, and moves the queue on as the sign path does. */
  async accept(request: ReceiptRequest): Promise<ReceiptOutcome<AtState>> {
    const outcome = acceptedOf(await this.run(request))
    expect(austria.queue.state.parse(JSON.parse(JSON.stringify(outcome.state)))).toEqual(
      outcome.state,
    )
    this.state = outcome.state
    this.secrets = outcome.secrets ?? this.secrets
    if (outcome.life === 'begins') this.startMoment = this.moment
    if (outcome.life === 'ends') this.stopMoment = this.moment
    this.receiptNumerator += 1
    this.rows.push(...outcome.journal)
    this.actions.push(...outcome.actions)
    return outcome
  }

  async refuse(request: ReceiptRequest): Promise<RefusedOutcome> {
    return refusedBy(await this.run(request), request)
  }
}

/** The RKSV item of an answer: its QR text, or undefined. */
export function qrOf({ signatures }: ReceiptOutcome<unknown>): string | undefined {
  return signatures.find(({ format }) => format === 3n)?.data
}

export function captionsOf({ signatures }: ReceiptOutcome<unknown>): string[] {
  return signatures.map(({ caption }) => caption)
}

/** Field `n` of the machine-readable code, counted from 1 as the law does. */
export function fieldOf(answer: ReceiptOutcome<unknown>, n: number): string | undefined {
  return qrOf(answer)?.split('_')[n]
}
