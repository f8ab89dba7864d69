// The inside of the TSE emulator: transactions, clients, life cycle and log (BSI TR-03151 1.0.1).
// No waiting and no faults: those are the emulator's, which calls it.
import { createSign, type KeyObject } from 'node:crypto'
import { DeviceError, DeviceRefusal } from '../../device/device.js'
import {
  logMessage,
  messageLength,
  type Operation,
  type SystemData,
  signatureInput,
  signerPart,
  systemPart,
  transactionPart,
} from '../../device/tse/log-message.js'
import { PROFILES } from '../../device/tse/profile.js'
import {
  type FinishSignature,
  type LogMessage,
  type MemoryExport,
  type TransactionCall,
  TSE_STATES,
  type TseIdentity,
  type TseInfo,
  type TseState,
} from '../../device/tse/tse.js'
import { delivered, findAnswer, keepAnswer } from './answers.js'
import { authenticate, authenticateEither, type GivenPins, setPins } from './pins.js'
import type { StoredSettings } from './settings.js'
import {
  type Answer,
  erase,
  type ModuleState,
  memoryExport,
  type OpenTransaction,
  remember,
} from './state.js'
import { infoOf } from './unit.js'

/** What never changes while a unit is open. */
export interface OpenedUnit {
  settings: StoredSettings
  identity: TseIdentity
  key: KeyObject
  publicKey: KeyObject
  pins: GivenPins
  /** Unix milliseconds. */
  expires: number
}

/** How the call finds the world. */
export interface Circumstances {
  /** Unix milliseconds of the device's clock; asked for each message. */
  clock(): number
  /** The answer will not reach the caller. */
  lost: boolean
}

/** Every start, update and finish: the start has no number yet. */
export type Transaction = TransactionCall & { transactionNumber?: number }

// CashBoxIdentification; it goes into file names, so that no blank, `_` or `/` may be in it
const CLIENT_ID = /^[A-Za-z0-9-]{2,30}$/
/** ASN.1 PrintableString. */
const PROCESS_TYPE = /^[A-Za-z0-9 '()+,\-./:=?]{0,100}$/
const DESCRIPTION = 'TSE emulator'

export class SecurityModule {
  readonly logs: LogMessage[] = []
  state: ModuleState
  private readonly unit: OpenedUnit
  private readonly signer: Buffer
  private world: Circumstances

  constructor(unit: OpenedUnit, state: ModuleState, world: Circumstances) {
    this.unit = unit
    this.state = state
    this.world = world
    const serial = Buffer.from(unit.identity.serialHex, 'hex')
    this.signer = signerPart({ serial, profile: PROFILES[unit.settings.profile] })
  }

  enter(world: Circumstances): void {
    this.world = world
  }

  info(): TseInfo {
    return infoOf({ ...this.unit, state: this.state })
  }

  start(call: Transaction): FinishSignature {
    const key = `start ${call.queueItemId}`
    const known = this.answerBefore(call, key)
    if (known !== undefined) return known
    this.mustWork()
    const { state } = this
    if (!state.clients.includes(call.clientId)) {
      throw new DeviceRefusal(`the client ${call.clientId} is not registered`)
    }
    if (state.open.length >= this.unit.settings.maxOpenTransactions) {
      throw new DeviceRefusal(`there are ${state.open.length} open transactions already`)
    }
    const transaction = {
      number: state.transaction + 1,
      client: call.clientId,
      start: 0,
      bytes: 0,
      logs: [],
    }
    const { answer, der } = this.logTransaction('start', { call, transaction })
    state.transaction = transaction.number
    state.open.push(grown({ ...transaction, start: answer.time }, answer, der))
    return this.answer({ ...answer, key, start: answer.time })
  }

  update(call: Transaction): FinishSignature {
    this.mustWork()
    const transaction = this.openTransaction(call)
    const { answer, der } = this.logTransaction('update', { call, transaction })
    const now = grown(transaction, answer, der)
    this.state.open = this.state.open.map((one) => (one === transaction ? now : one))
    return shown(answer)
  }

  finish(call: Transaction): FinishSignature {
    const key = `finish ${call.transactionNumber} ${call.queueItemId}`
    const known = this.answerBefore(call, key)
    if (known !== undefined) return known
    this.mustWork()
    const transaction = this.openTransaction(call)
    const { answer } = this.logTransaction('finish', { call, transaction })
    this.state.open = this.state.open.filter((one) => one !== transaction)
    return this.answer({ ...answer, key })
  }

  /** Uninitialized to initialized, initialized to terminated; all else changes nothing. */
  setState(wanted: TseState): TseState {
    const { state } = this
    if (wanted === TSE_STATES.initialized && state.state === TSE_STATES.uninitialized) {
      this.initialize()
    } else if (state.state === TSE_STATES.initialized) {
      authenticate(state, this.unit.pins, 'admin')
      if (wanted === TSE_STATES.terminated) this.terminate()
    }
    return state.state
  }

  registerClient(clientId: string): string[] {
    this.mustBeInitialized()
    const { state } = this
    authenticate(state, this.unit.pins, 'admin')
    if (state.clients.includes(clientId)) return [...state.clients]
    if (!CLIENT_ID.test(clientId)) throw new DeviceRefusal(`${clientId} cannot be a client id`)
    if (state.clients.length >= this.unit.settings.maxClients) {
      throw new DeviceRefusal(`there are ${state.clients.length} clients already`)
    }
    this.mustBeValid()
    this.logSystem({ operation: 'registerClient', clientId })
    state.clients.push(clientId)
    return [...state.clients]
  }

  unregisterClient(clientId: string): string[] {
    this.mustBeInitialized()
    const { state } = this
    authenticate(state, this.unit.pins, 'admin')
    if (!state.clients.includes(clientId)) return [...state.clients]
    this.logSystem({ operation: 'deregisterClient', clientId })
    state.clients = state.clients.filter((one) => one !== clientId)
    return [...state.clients]
  }

  setTime(): void {
    this.mustBeInitialized()
    authenticateEither(this.state, this.unit.pins)
    this.logTime()
  }

  selfTest(): void {
    this.mustBeInitialized()
  }

  exportMemory(wantsErase: boolean): MemoryExport {
    if (this.state.state === TSE_STATES.uninitialized) throw notInitialized()
    if (wantsErase) authenticate(this.state, this.unit.pins, 'admin')
    const held = memoryExport(this.state, wantsErase)
    if (wantsErase) erase(this.state)
    return held
  }

  // ------------------------------------------------------------------------ inside

  private initialize(): void {
    setPins(this.state, this.unit.pins)
    this.state.state = TSE_STATES.initialized
    this.logSystem({ operation: 'initialize', description: DESCRIPTION })
    this.logTime()
  }

  private terminate(): void {
    this.logSystem({ operation: 'disableSecureElement', time: this.time() })
    this.state.state = TSE_STATES.terminated
  }

  private logTime(): void {
    const before = this.time()
    this.logSystem({ operation: 'updateTime', before, after: this.time() })
  }

  private mustBeInitialized(): void {
    if (this.state.state !== TSE_STATES.initialized) throw notInitialized()
  }

  /** Transactions need a device that may sign and has room; closing it down always works. */
  private mustWork(): void {
    this.mustBeInitialized()
    this.mustBeValid()
    const { maxSignatures } = this.unit.settings
    if (this.state.counter < maxSignatures) return
    throw new DeviceError(`the signature counter has reached ${maxSignatures}`)
  }

  private mustBeValid(): void {
    if (this.world.clock() > this.unit.expires) throw new DeviceError('the certificate has expired')
  }

  private openTransaction({ transactionNumber, clientId }: Transaction): OpenTransaction {
    const found = this.state.open.find(({ number }) => number === transactionNumber)
    if (found === undefined) {
      throw new DeviceRefusal(`transaction ${transactionNumber} is not open`)
    }
    if (found.client === clientId) return found
    throw new DeviceRefusal(`transaction ${transactionNumber} is one of another client`)
  }

  private answerBefore(call: Transaction, key: string): FinishSignature | undefined {
    if (!call.isRetry) return undefined
    const known = findAnswer(this.state, key)
    if (known === undefined) return undefined
    if (!this.world.lost) delivered(this.state, known)
    return shown(known)
  }

  private answer(answer: Answer): FinishSignature {
    keepAnswer(this.state, this.world.lost ? { ...answer, lost: true } : answer)
    return shown(answer)
  }

  private logTransaction(
    operation: Operation,
    { call, transaction }: { call: Transaction; transaction: OpenTransaction },
  ): { answer: Answer; der: Buffer } {
    const { processType, processData, clientId } = call
    if (!PROCESS_TYPE.test(processType)) {
      throw new DeviceError('the processType has characters that cannot be logged')
    }
    const { number, start } = transaction
    const part = transactionPart({
      operation,
      clientId,
      processType,
      processData,
      transactionNumber: number,
    })
    const time = this.time()
    const input = this.inputOf(part, time)
    const length = messageLength(input, PROFILES[this.unit.settings.profile])
    if (this.state.memory + length > this.unit.settings.maxLogMemory) {
      throw new DeviceError('the log memory is full')
    }
    const { der, signature } = this.log(input, time)
    const counter = this.state.counter
    return {
      answer: { key: '', number, counter, time, start, signature: signature.toString('base64') },
      der,
    }
  }

  private logSystem(data: SystemData): void {
    const time = data.operation === 'updateTime' ? data.after : this.time()
    this.log(this.inputOf(systemPart(data), time), time)
  }

  private inputOf(part: Buffer, time: number): Buffer {
    return signatureInput([part, this.signer], { counter: this.state.counter + 1, time })
  }

  private log(input: Buffer, time: number): { der: Buffer; signature: Buffer } {
    const { hash } = PROFILES[this.unit.settings.profile]
    // twice as fast as crypto.sign on Node 20
    const signature = createSign(hash)
      .update(input)
      .sign({ key: this.unit.key, dsaEncoding: 'ieee-p1363' })
    const der = logMessage(input, signature)
    const message = { signatureCounter: this.state.counter + 1, der }
    remember(this.state, message)
    this.state.time = time
    this.logs.push(message)
    return { der, signature }
  }

  /** Whole seconds, never less than in the message before. */
  private time(): number {
    return Math.max(Math.floor(this.world.clock() / 1000), this.state.time)
  }
}

/** The transaction with one more message. */
function grown(transaction: OpenTransaction, { counter }: Answer, der: Buffer): OpenTransaction {
  const { bytes, logs } = transaction
  return { ...transaction, bytes: bytes + der.length, logs: [...logs, counter] }
}

const notInitialized = (): DeviceError => new DeviceError('the device is not initialized')

function shown({ number, counter, time, start, signature }: Answer): FinishSignature {
  return {
    transactionNumber: number,
    moment: new Date(time * 1000),
    signatureCounter: counter,
    signature: Buffer.from(signature, 'base64'),
    startMoment: new Date(start * 1000),
  }
}
