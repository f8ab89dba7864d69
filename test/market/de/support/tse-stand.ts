// A TSE emulator on a test bench: its row, a clock under the control of the test, and its log.
import { createHash, randomBytes } from 'node:crypto'
import type { ScuHead } from '../../../../src/device/device.js'
import type { NewScu } from '../../../../src/device/driver.js'
import type { ProfileName } from '../../../../src/device/tse/profile.js'
import {
  type LogMessage,
  SOFTWARE_PACKAGE,
  type TransactionCall,
  TSE_STATES,
  type Tse,
  type TseInfo,
} from '../../../../src/device/tse/tse.js'
import type { ExportUnit } from '../../../../src/model/scu.js'
import { type FaultStep, newFaultScript } from '../../../../src/simulator/faults.js'
import { emulator } from '../../../../src/simulator/tse/emulator.js'
import { exampleKey, exampleOf } from './vectors.js'

export const SCU_ID = '0192f0c1-0000-7000-8000-0000000000de'
export const CLIENT = 'KASSE-0001'
export const LIMIT = { timeoutMs: 2500 }
/** 2026-01-01T09:00:00Z, the first second of the worked examples. */
export const FIRST_SECOND = 1767258000

const made = new Map<string, Promise<NewScu>>()

/** A new unit; the same settings give the same unit, because a key takes its time. */
function newUnit(settings: Record<string, unknown>): Promise<NewScu> {
  const name = JSON.stringify(settings)
  const known = made.get(name)
  if (known !== undefined) return known
  const configuration = emulator.configuration.parse(settings)
  const now = new Date(FIRST_SECOND * 1000)
  const unit = emulator.create({ id: SCU_ID, configuration, now, randomBytes })
  made.set(name, unit)
  return unit
}

export class TseStand {
  readonly scu: ScuHead
  tse: Tse
  /** Unix milliseconds. */
  time = FIRST_SECOND * 1000
  /** Unix seconds that the clock shows next, one per look at it. */
  readonly seconds: number[] = []
  readonly waited: number[] = []
  /** Everything that was ever logged. */
  readonly log: LogMessage[] = []
  private items = 0

  constructor(unit: NewScu) {
    this.scu = {
      accountId: '00000000-0000-4000-8000-0000000000aa',
      id: SCU_ID,
      market: 'DE',
      package: SOFTWARE_PACKAGE,
      mode: 0,
      url: null,
      ...unit,
      faultScript: null,
      version: 0n,
      changed: false,
      actions: [],
    }
    this.tse = this.open()
  }

  static async make(settings: Record<string, unknown> = {}): Promise<TseStand> {
    return new TseStand(await newUnit(settings))
  }

  /** Initialized, with its client. */
  static async working(settings: Record<string, unknown> = {}): Promise<TseStand> {
    const stand = await TseStand.make(settings)
    await stand.tse.setState(TSE_STATES.initialized, LIMIT)
    await stand.tse.registerClient(CLIENT, LIMIT)
    return stand
  }

  /** With the key and the certificates of the worked example. */
  static async example(profile: ProfileName): Promise<TseStand> {
    const { configuration, secrets, state } = await newUnit({ profile })
    const pkcs8 = exampleKey(profile).export({ format: 'der', type: 'pkcs8' })
    const certificatesBase64 = exampleOf(profile).certificates.map(({ der }) =>
      Buffer.from(der, 'hex').toString('base64'),
    )
    return new TseStand({
      configuration: JSON.stringify({ ...JSON.parse(configuration), certificatesBase64 }),
      secrets: JSON.stringify({
        ...JSON.parse(secrets),
        privateKeyPkcs8Base64: pkcs8.toString('base64'),
      }),
      state,
    })
  }

  /** As exports see it. */
  exportUnit(): ExportUnit {
    const { id, package: name, configuration, state } = this.scu
    const unit = { id, package: name, configuration, state }
    return { ...unit, memory: () => emulator.memory?.(unit) }
  }

  /** As after a restart of the server: only the row is left. */
  open(): Tse {
    return emulator.open(this.scu, {
      fetch: () => Promise.reject(new Error('an emulator calls nobody')),
      now: () => {
        const second = this.seconds.shift()
        return new Date(second === undefined ? this.time : second * 1000)
      },
      sleep: async (milliseconds) => {
        this.waited.push(milliseconds)
      },
    })
  }

  reopen(): void {
    this.tse = this.open()
  }

  script(...steps: FaultStep[]): void {
    this.scu.faultScript = newFaultScript(steps)
  }

  /** Changes members of the settings, as the dealer would. */
  configure(settings: Record<string, unknown>): void {
    const old = JSON.parse(this.scu.configuration) as object
    this.scu.configuration = JSON.stringify({ ...old, ...settings })
    this.reopen()
  }

  call(members: Partial<TransactionCall> = {}): TransactionCall {
    this.items += 1
    return {
      clientId: CLIENT,
      processType: '',
      processData: Buffer.alloc(0),
      queueItemId: `item-${this.items}`,
      isRetry: false,
      ...members,
    }
  }

  start(members: Partial<TransactionCall> = {}) {
    return this.tse.startTransaction(this.call(members), LIMIT)
  }

  update(transactionNumber: number, members: Partial<TransactionCall> = {}) {
    return this.tse.updateTransaction({ ...this.call(members), transactionNumber }, LIMIT)
  }

  finish(transactionNumber: number, members: Partial<TransactionCall> = {}) {
    const last = { processType: 'Kassenbeleg-V1', processData: Buffer.from('Beleg^^'), ...members }
    return this.tse.finishTransaction({ ...this.call(last), transactionNumber }, LIMIT)
  }

  /** Start and finish. */
  async transaction(members: Partial<TransactionCall> = {}) {
    const { transactionNumber } = await this.start()
    return this.finish(transactionNumber, members)
  }

  info(): Promise<TseInfo> {
    return this.tse.info(LIMIT)
  }

  /** Takes the log messages since the last time. */
  logged(): LogMessage[] {
    const messages = this.tse.takeLogs()
    this.log.push(...messages)
    return messages
  }

  /** Names of the operations since the last time. */
  operations(): string[] {
    return this.logged().map(({ der }) => operationOf(der))
  }
}

/** The first word of a message. */
export function operationOf(der: Buffer): string {
  return /[A-Za-z]{6,}/.exec(der.toString('latin1'))?.[0] ?? ''
}

export const sha256Hex = (bytes: Uint8Array): string =>
  createHash('sha256').update(bytes).digest('hex')
