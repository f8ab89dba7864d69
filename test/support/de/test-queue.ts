// A German queue in memory: hands receipts to the market's process as the sign path does, and keeps
// what comes back. No database, a clock that only tests move.

import { expect } from 'vitest'
import { withWords } from '../../../src/case/reader.js'
import type { ScuHead } from '../../../src/device/device.js'
import type { Tse } from '../../../src/device/tse/tse.js'
import type { ReceiptOutcome, Unit } from '../../../src/market/contract.js'
import { germany } from '../../../src/market/de/index.js'
import { type DeState, LOG_KIND, logMessages } from '../../../src/market/de/queue.js'

import type { ActionRow, MarketRow } from '../../../src/model/journal.js'
import type { ReceiptRequest } from '../../../src/model/receipt.js'
import { acceptedOf, NO_ROWS, type RefusedOutcome, refusedBy } from '../refused.js'
import { implicit, receipt } from './make.js'
import { type LogEntry, MemoryTse } from './memory-tse.js'

export const QUEUE_ID = '11111111-2222-4333-8444-555555555555'
export const CASH_BOX_ID = '99999999-2222-4333-8444-555555555555'
export const SERIAL = 'KASSE-0001'

export interface QueueOptions {
  configuration?: Record<string, unknown>
  devices?: Unit<Tse>[]
  sandbox?: boolean
}

export function slot(
  device: Tse,
  id = 'scu-1',
  more: { mode?: number; configuration?: object } = {},
): Unit<Tse> {
  const scu: ScuHead = {
    accountId: '00000000-0000-4000-8000-0000000000aa',
    id,
    market: 'DE',
    package: 'test.SCU',
    mode: more.mode ?? 0,
    url: null,
    configuration: JSON.stringify(more.configuration ?? {}),
    secrets: '',
    state: '{}',
    faultScript: null,
    version: 0n,
    changed: false,
    actions: [],
  }
  return { scu, device }
}

export class TestQueue {
  readonly tse: MemoryTse
  devices: Unit<Tse>[]
  configuration: unknown
  state: DeState = germany.queue.initial()
  startMoment: Date | null = null
  stopMoment: Date | null = null
  receiptNumerator = 0
  moment = new Date('2026-01-01T10:00:00Z')
  elapsed = 0
  readonly rows: MarketRow[] = []
  readonly actions: ActionRow[] = []
  row = 0
  private ids = 0
  private readonly asked = new Set<string>()
  private readonly sandbox: boolean

  constructor(options: QueueOptions = {}, tse = new MemoryTse()) {
    this.tse = tse
    this.configuration = germany.queue.configuration.parse(options.configuration ?? {})
    this.devices = options.devices ?? [slot(this.tse)]
    this.sandbox = options.sandbox ?? false
  }

  /** A queue whose start receipt is signed. */
  static async started(options: QueueOptions = {}, tse?: MemoryTse): Promise<TestQueue> {
    const queue = new TestQueue(options, tse)
    await queue.accept(receipt(implicit(0x3)))
    expect(queue.startMoment).not.toBeNull()
    return queue
  }

  async run(request: ReceiptRequest): Promise<ReceiptOutcome<DeState>> {
    this.row += 1
    const before = JSON.stringify(this.state)
    const outcome = await germany.process({
      receipt: {
        ...withWords(request),
        ...{ id: `item-${this.row}`, row: this.row, answersV2: false },
      },
      queue: {
        id: QUEUE_ID,
        cashBoxId: CASH_BOX_ID,
        identification: SERIAL,
        configuration: this.configuration,
        startMoment: this.startMoment,
        stopMoment: this.stopMoment,
        lastMoment: null,
        receiptNumerator: this.receiptNumerator,
      },
      state: this.state,
      secrets: '',
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
    expect(JSON.stringify(this.state)).toBe(before)
    this.rows.push(...(outcome.journal ?? []))
    return outcome
  }

  /** Runs a receipt that is accepted, and moves the queue on as the sign path does. */
  async accept(request: ReceiptRequest): Promise<ReceiptOutcome<DeState>> {
    const outcome = acceptedOf(await this.run(request))
    expect(germany.queue.state.parse(JSON.parse(JSON.stringify(outcome.state)))).toEqual(
      outcome.state,
    )
    this.state = outcome.state
    if (outcome.life === 'begins') this.startMoment = this.moment
    if (outcome.life === 'ends') this.stopMoment = this.moment
    this.receiptNumerator += 1
    this.actions.push(...outcome.actions)
    return outcome
  }

  async refuse(request: ReceiptRequest): Promise<RefusedOutcome> {
    return refusedBy(await this.run(request), request)
  }

  /** The TSE's log as it was journalled by this queue. */
  journalled(scuId = 'scu-1'): LogEntry[] {
    return this.rows
      .filter((row) => row.kind === LOG_KIND && row.scuId === scuId)
      .flatMap((row) => logMessages(row))
      .map(({ der }) => JSON.parse(der.toString('utf8')) as LogEntry)
  }

  rowsOf(kind: string): MarketRow[] {
    return this.rows.filter((row) => row.kind === kind)
  }

  actionsOf(type: string): ActionRow[] {
    return this.actions.filter((row) => row.type === type)
  }
}

export function captionsOf({ signatures }: { signatures: { caption: string }[] }): string[] {
  return signatures.map(({ caption }) => caption)
}

/** Data of the first item of this caption. */
export function dataOf(
  { signatures }: ReceiptOutcome<unknown>,
  caption: string,
): string | undefined {
  return signatures.find((one) => one.caption === caption)?.data
}
