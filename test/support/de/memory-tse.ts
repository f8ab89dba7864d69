// A TSE in memory for tests of the queue: numbers, counters, clients and failures as a real one has
// them; its log messages are JSON and its signatures say what they stand for.
import { createHash } from 'node:crypto'
import { DeviceError, DeviceRefusal } from '../../../src/device/device.js'
import type {
  FinishSignature,
  LogMessage,
  MemoryExport,
  TransactionCall,
  Tse,
  TseIdentity,
  TseInfo,
  TseSignature,
  TseState,
} from '../../../src/device/tse/tse.js'
import { TSE_STATES } from '../../../src/device/tse/tse.js'

export type Operation =
  | 'info'
  | 'start'
  | 'update'
  | 'finish'
  | 'setState'
  | 'register'
  | 'unregister'
  | 'selfTest'
  | 'export'

/** One message of the log, readable. */
export interface LogEntry {
  counter: number
  operation: string
  client?: string
  number?: number
  processType?: string
  processData?: string
}

interface Fault {
  operation: Operation
  /** `before`: nothing happens; `after`: it happens, and the answer is lost. */
  when: 'before' | 'after'
  times: number
}

interface Open {
  number: number
  client: string
  start: Date
}

export class MemoryTse implements Tse {
  /** Nothing is reached while it is true. */
  down = false
  /** Every call in order, failed ones too. */
  calls: Operation[] = []
  limits: number[] = []
  clock = new Date('2026-01-01T09:00:00Z')
  counter: number
  /** The number that the next start gets. */
  next: number
  state: TseState = TSE_STATES.uninitialized
  clients: string[] = []
  open: Open[] = []
  log: LogEntry[] = []
  mayErase = true
  /** Bytes that it says are in use; undefined: as many as there are entries. */
  logMemory: number | undefined
  /** Called in every call, before anything else. */
  onCall: () => void = () => undefined
  private erased = 0
  private faults: Fault[] = []
  private fresh: LogMessage[] = []
  private readonly answers = new Map<string, FinishSignature>()
  private readonly own: TseIdentity

  constructor(name = 'tse', { counter = 0, next = 1 } = {}) {
    this.counter = counter
    this.next = next
    const der = Buffer.from(`certificate of ${name}`)
    this.own = {
      serialHex: createHash('sha256').update(name).digest('hex'),
      algorithm: 'ecdsa-plain-SHA256',
      logTimeFormat: 'unixTime',
      publicKey: Buffer.from(`key of ${name}`),
      certificationId: 'EMULATOR-NOT-CERTIFIED',
      certificate: {
        fingerprint: createHash('sha256').update(der).digest(),
        der,
        chain: [Buffer.from('root')],
      },
    }
  }

  /** The next calls of an operation fail. */
  fail(operation: Operation, times: number, when: Fault['when'] = 'before'): void {
    this.faults.push({ operation, times, when })
  }

  identity(): TseIdentity {
    return this.own
  }

  info(limit: { timeoutMs: number }): Promise<TseInfo> {
    return this.run('info', limit, () => ({
      identity: this.own,
      state: this.state,
      firmwareId: 'memory',
      maxClients: 100,
      clientIds: [...this.clients],
      maxOpenTransactions: 512,
      openTransactions: this.open.map(({ number }) => number).sort((a, b) => a - b),
      maxSignatures: 20_000_000,
      signatures: this.counter,
      maxLogMemory: 8 * 1024 ** 3,
      logMemory: this.logMemory ?? this.log.length,
    }))
  }

  startTransaction(call: TransactionCall, limit: { timeoutMs: number }): Promise<TseSignature> {
    return this.run('start', limit, () =>
      this.remembered(call, `start ${call.queueItemId}`, () => {
        this.mustServe(call.clientId)
        const number = this.next
        this.next += 1
        this.open.push({ number, client: call.clientId, start: this.clock })
        return this.sign('Start', { number, startMoment: this.clock, call })
      }),
    )
  }

  updateTransaction(
    call: TransactionCall & { transactionNumber: number },
    limit: { timeoutMs: number },
  ): Promise<TseSignature> {
    return this.run('update', limit, () => {
      const { number, start } = this.opened(call)
      return this.sign('Update', { number, startMoment: start, call })
    })
  }

  finishTransaction(
    call: TransactionCall & { transactionNumber: number },
    limit: { timeoutMs: number },
  ): Promise<FinishSignature> {
    const key = `finish ${call.transactionNumber} ${call.queueItemId}`
    return this.run('finish', limit, () =>
      this.remembered(call, key, () => {
        const { number, start } = this.opened(call)
        this.open = this.open.filter((one) => one.number !== number)
        return this.sign('Finish', { number, startMoment: start, call })
      }),
    )
  }

  setState(state: TseState, limit: { timeoutMs: number }): Promise<TseState> {
    return this.run('setState', limit, () => {
      if (state !== this.state + 1) return this.state
      this.state = state
      if (state === TSE_STATES.terminated) this.write({ operation: 'disableSecureElement' })
      else {
        this.write({ operation: 'initialize' })
        this.write({ operation: 'updateTime' })
      }
      return state
    })
  }

  registerClient(client: string, limit: { timeoutMs: number }): Promise<string[]> {
    return this.run('register', limit, () => {
      if (this.state !== TSE_STATES.initialized) throw new DeviceError('not initialized')
      if (!this.clients.includes(client)) {
        this.clients.push(client)
        this.write({ operation: 'registerClient', client })
      }
      return [...this.clients]
    })
  }

  unregisterClient(client: string, limit: { timeoutMs: number }): Promise<string[]> {
    return this.run('unregister', limit, () => {
      if (this.clients.includes(client)) this.write({ operation: 'deregisterClient', client })
      this.clients = this.clients.filter((one) => one !== client)
      return [...this.clients]
    })
  }

  async setTime(): Promise<void> {
    this.write({ operation: 'updateTime' })
  }

  async selfTest(limit: { timeoutMs: number }): Promise<void> {
    await this.run('selfTest', limit, () => undefined)
  }

  exportMemory(erase: boolean, limit: { timeoutMs: number }): Promise<MemoryExport> {
    return this.run('export', limit, () => {
      const from = this.erased + 1
      const erased = erase && this.mayErase && this.open.length === 0
      if (erased) this.erased = this.counter
      return { from, to: this.counter, without: [], erased }
    })
  }

  takeLogs(): LogMessage[] {
    return this.fresh.splice(0)
  }

  /** What the log says of transactions, short: `Start 2`, `Finish 2 Kassenbeleg-V1`. */
  transactions(): string[] {
    return this.log
      .filter(({ number }) => number !== undefined)
      .map(({ operation, number, processType }) => `${operation} ${number} ${processType}`.trim())
  }

  private async run<T>(
    operation: Operation,
    { timeoutMs }: { timeoutMs: number },
    work: () => T,
  ): Promise<T> {
    this.calls.push(operation)
    this.limits.push(timeoutMs)
    this.onCall()
    if (this.down) throw new DeviceError('unreachable')
    const fault = this.faults.find((one) => one.operation === operation)
    if (fault === undefined) return work()
    fault.times -= 1
    if (fault.times === 0) this.faults = this.faults.filter((one) => one !== fault)
    if (fault.when === 'after') work()
    throw new DeviceError(`${operation} failed as told`)
  }

  private mustServe(client: string): void {
    if (this.state !== TSE_STATES.initialized) throw new DeviceError('not initialized')
    if (!this.clients.includes(client)) throw new DeviceRefusal(`unknown client ${client}`)
  }

  private opened({ transactionNumber, clientId }: TransactionCall & { transactionNumber: number }) {
    this.mustServe(clientId)
    const found = this.open.find(({ number }) => number === transactionNumber)
    if (found === undefined) throw new DeviceRefusal(`${transactionNumber} is not open`)
    if (found.client !== clientId) throw new DeviceRefusal(`${transactionNumber} is not yours`)
    return found
  }

  private remembered(
    { isRetry }: TransactionCall,
    key: string,
    work: () => FinishSignature,
  ): FinishSignature {
    const known = this.answers.get(key)
    if (isRetry && known !== undefined) return known
    const answer = work()
    this.answers.set(key, answer)
    return answer
  }

  private sign(
    operation: string,
    { number, startMoment, call }: { number: number; startMoment: Date; call: TransactionCall },
  ): FinishSignature {
    this.write({
      operation,
      number,
      client: call.clientId,
      processType: call.processType,
      processData: call.processData.toString('utf8'),
    })
    return {
      transactionNumber: number,
      moment: this.clock,
      startMoment,
      signatureCounter: this.counter,
      signature: Buffer.from(`signature ${this.counter}`),
    }
  }

  private write(entry: Omit<LogEntry, 'counter'>): void {
    this.counter += 1
    const message = { counter: this.counter, ...entry }
    this.log.push(message)
    const der = Buffer.from(JSON.stringify(message))
    this.fresh.push({ signatureCounter: this.counter, der })
  }
}
