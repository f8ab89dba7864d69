// An Epson device as the queue sees it. Lost answers are settled by the last response of the
// client, believed only where the message rebuilt of our own request verifies.
import {
  type CallLimit,
  DeviceError,
  DeviceRefusal,
  type DriverTools,
  type ScuHead,
} from '../../../../device/device.js'
import type { UnitEnvironment } from '../../../../device/driver.js'
import {
  type FinishedTransaction,
  type FinishSignature,
  type MemoryExport,
  type TransactionCall,
  TSE_STATES,
  type Tse,
  type TseIdentity,
  type TseInfo,
  type TseSignature,
  type TseState,
} from '../../../../device/tse/tse.js'
import { shareOf } from '../certified-state.js'
import { CertifiedTse, Newest } from '../certified-tse.js'
import { environmentByChain } from '../chain-environment.js'
import { type Exporting, exportKept, goOnWithExport } from '../kept-export.js'
import { identityOf } from '../remote-identity.js'
import { answers, FunctionRefused } from './answer.js'
import { epsonExport } from './export.js'
import { type Ask, EpsonLink, timeInput } from './link.js'
import { epsonAccessOf } from './settings.js'

type Numbered = TransactionCall & FinishedTransaction

const BLOCK = 512
const MOST_KNOWN = 2_000
/** Before the device wants one, so that no register waits for it. */
const TEST_AHEAD_SECONDS = 7_200
const HOUR_MS = 3_600_000
const STATES: Readonly<Record<string, TseState>> = {
  INITIALIZED: TSE_STATES.initialized,
  DECOMMISSIONED: TSE_STATES.terminated,
}

export class EpsonTse extends CertifiedTse implements Tse {
  private readonly link: EpsonLink
  /** Log times of starts that were made here. */
  private readonly starts = new Newest<Date>(MOST_KNOWN)

  constructor(scu: ScuHead, tools: DriverTools) {
    super(scu, tools)
    this.link = new EpsonLink(scu, tools)
  }

  /** Self test and time while no register waits; returns when it wants to be asked again. */
  async maintain(limit: CallLimit): Promise<Date> {
    await goOnWithExport(this.exporting(limit))
    const budget = this.budget(limit)
    await this.link.work('Administrator', budget, async (ask) => {
      const told = await this.asked(ask)
      const isDue = !told.hasPassedSelfTest || told.timeUntilNextSelfTest < TEST_AHEAD_SECONDS
      if (isDue) await ask({ name: 'RunTSESelfTest', input: {}, schema: answers.none })
    })
    return new Date(this.unit.tools.now().getTime() + HOUR_MS)
  }

  info(limit: CallLimit): Promise<TseInfo & { hasTime: boolean }> {
    return this.link.work('', this.budget(limit), (ask) => this.infoBy(ask))
  }

  private async infoBy(ask: Ask): Promise<TseInfo & { hasTime: boolean }> {
    const told = await this.asked(ask)
    const input = { clientId: '' }
    const wish = { name: 'GetStartedTransactionList', input, schema: answers.started }
    const { startedTransactionNumberList: open } = await ask(wish)
    return {
      identity: this.identity(),
      state: STATES[told.tseInitializationState] ?? TSE_STATES.uninitialized,
      firmwareId: told.softwareVersion,
      maxClients: told.maxRegisteredClients,
      clientIds: await this.clientsBy(ask),
      maxOpenTransactions: told.maxStartedTransactions,
      openTransactions: [...open].sort((a, b) => a - b),
      maxSignatures: told.maxSignatures,
      signatures: told.createdSignatures,
      maxLogMemory: told.tseCapacity * BLOCK,
      logMemory: told.tseCurrentSize * BLOCK,
      hasTime: told.hasValidTime,
    }
  }

  // ------------------------------------------------------------------ transactions

  startTransaction(call: TransactionCall, limit: CallLimit): Promise<TseSignature> {
    return this.link.work(call.clientId, this.budget(limit), async (ask) => {
      await this.known(ask)
      const lost = call.isRetry ? await this.lostStart(call, ask) : undefined
      if (lost !== undefined) return this.started(lost)
      const input = { ...inputOf(call), additionalData: '' }
      const told = await ask({ name: 'StartTransaction', input, schema: answers.start })
      return this.started(this.proven('start', call, told))
    })
  }

  /** One that came after everything that this server knows of, and is a start of this client. */
  private async lostStart(call: TransactionCall, ask: Ask): Promise<TseSignature | undefined> {
    const told = await this.lastOf(call.clientId, ask)
    if (told === undefined || told.signatureCounter <= (this.unit.state().lastCounter ?? 0)) {
      return undefined
    }
    return this.ifProven('start', call, told)
  }

  private started(signed: TseSignature): TseSignature {
    this.starts.set(signed.transactionNumber, signed.moment)
    return signed
  }

  updateTransaction(
    call: TransactionCall & { transactionNumber: number },
    limit: CallLimit,
  ): Promise<TseSignature> {
    return this.link.work(call.clientId, this.budget(limit), (ask) =>
      this.goOn('update', call, ask),
    )
  }

  finishTransaction(call: Numbered, limit: CallLimit): Promise<FinishSignature> {
    return this.link.work(call.clientId, this.budget(limit), async (ask) => {
      const signed = await this.goOn('finish', call, ask)
      const number = call.transactionNumber
      // the device does not tell it; nobody here knows it of a transaction that others started
      const startMoment = call.startMoment ?? this.starts.get(number) ?? signed.moment
      this.starts.delete(number)
      return { ...signed, startMoment }
    })
  }

  private async goOn(operation: 'update' | 'finish', call: Numbered, ask: Ask) {
    await this.known(ask)
    if (call.isRetry) {
      const told = await this.lastOf(call.clientId, ask)
      const isThis = told?.transactionNumber === call.transactionNumber
      const signed = isThis ? this.ifProven(operation, call, told) : undefined
      if (signed !== undefined) return signed
    }
    const { transactionNumber } = call
    const input = { ...inputOf(call), additionalData: '', transactionNumber }
    const name = operation === 'update' ? 'UpdateTransaction' : 'FinishTransaction'
    const told = await ask({ name, input, schema: answers.signed })
    return this.proven(operation, call, { ...told, transactionNumber })
  }

  private async lastOf(clientId: string, ask: Ask) {
    const name = 'GetLastTransactionResponse'
    try {
      return await ask({ name, input: { clientId }, schema: answers.start })
    } catch (error) {
      if (error instanceof FunctionRefused && error.code === 'NO_LAST_TRANSACTION') return undefined
      throw error
    }
  }

  private proven(
    operation: 'start' | 'update' | 'finish',
    call: TransactionCall,
    told: { logTime: Date } & Pick<
      TseSignature,
      'transactionNumber' | 'signatureCounter' | 'signature'
    >,
  ): TseSignature {
    const { logTime: moment, transactionNumber, signatureCounter, signature } = told
    const signed = { transactionNumber, moment, signatureCounter, signature }
    this.unit.proven(operation, call, signed)
    const { lastCounter = 0 } = this.unit.state()
    this.unit.change({ lastCounter: Math.max(lastCounter, signatureCounter) })
    return signed
  }

  private ifProven(...given: Parameters<EpsonTse['proven']>): TseSignature | undefined {
    try {
      return this.proven(...given)
    } catch (error) {
      if (error instanceof DeviceError) return undefined
      throw error
    }
  }

  // ---------------------------------------------------------- states and clients

  /** A first set-up needs the PUK, which is the operator's: it is not done from here. */
  setState(state: TseState, limit: CallLimit): Promise<TseState> {
    return this.link.work('', this.budget(limit), async (ask) => {
      const told = await this.asked(ask)
      const current = STATES[told.tseInitializationState] ?? TSE_STATES.uninitialized
      if (state !== TSE_STATES.terminated || current !== TSE_STATES.initialized) return current
      await ask({ name: 'DisableSecureElement', input: {}, schema: answers.none })
      return TSE_STATES.terminated
    })
  }

  registerClient(clientId: string, limit: CallLimit): Promise<string[]> {
    if (clientId.includes('EPSON')) {
      throw new DeviceRefusal('the device keeps client ids with EPSON for itself')
    }
    return this.changeClients('RegisterClient', clientId, limit)
  }

  unregisterClient(clientId: string, limit: CallLimit): Promise<string[]> {
    return this.changeClients('DeregisterClient', clientId, limit)
  }

  private changeClients(name: string, clientId: string, limit: CallLimit): Promise<string[]> {
    return this.link.work(clientId, this.budget(limit), async (ask) => {
      const before = await this.clientsBy(ask)
      if (before.includes(clientId) !== (name === 'RegisterClient')) {
        await ask({ name, input: { clientId }, schema: answers.none })
      }
      return this.clientsBy(ask)
    })
  }

  /** Those of the queues; the list is the administrator's. */
  private async clientsBy(ask: Ask): Promise<string[]> {
    if (epsonAccessOf(this.unit.scu).adminPin === undefined) return []
    const call = { name: 'GetRegisteredClientList', input: {}, schema: answers.clients }
    const { registeredClientIdList: all } = await ask(call)
    return all.filter((one) => !one.includes('EPSON'))
  }

  async setTime(limit: CallLimit): Promise<void> {
    const { adminPin } = epsonAccessOf(this.unit.scu)
    // it is set by itself whenever the device wants it
    if (adminPin === undefined) return
    await this.link.work('', this.budget(limit), async (ask) => {
      await this.clientsBy(ask)
      const input = timeInput('Administrator', this.unit.tools.now())
      await ask({ name: 'UpdateTime', input, schema: answers.none })
    })
  }

  async selfTest(limit: CallLimit): Promise<void> {
    await this.link.work('', this.budget(limit), (ask) =>
      ask({ name: 'RunTSESelfTest', input: {}, schema: answers.none }),
    )
  }

  async exportMemory(erase: boolean, limit: CallLimit): Promise<MemoryExport> {
    const memory = await exportKept(this.exporting(limit), erase)
    if (memory.erased) this.unit.change({ memoryUsed: 0 })
    return memory
  }

  // ------------------------------------------------------------------------ inside

  private exporting(limit: CallLimit): Exporting {
    const { scu, tools } = this.unit
    const budget = this.budget(limit)
    const visit = <T>(work: (ask: Ask) => Promise<T>) => this.link.work('', budget, work)
    return { scu, tools, budget, steps: epsonExport({ budget, visit }) }
  }

  private async known(ask: Ask): Promise<void> {
    if (this.unit.state().identity === undefined) await this.asked(ask)
    this.unit.judge()
  }

  private async asked(ask: Ask) {
    const wish = { name: 'GetStorageInfo', input: {}, schema: answers.info }
    const { tseInformation: told } = await ask(wish)
    this.unit.change({
      signaturesUsed: shareOf(told.createdSignatures, told.maxSignatures),
      memoryUsed: shareOf(told.tseCurrentSize, told.tseCapacity),
    })
    const serial = told.serialNumber.toString('hex')
    if (this.unit.state().identity?.serialHex === serial) return told
    const name = 'GetLogMessageCertificate'
    const { logMessageCertificate } = await ask({ name, input: {}, schema: answers.certificate })
    const identity = identityOf({
      certificates: pemParts(logMessageCertificate),
      ...{ serial, algorithm: told.signatureAlgorithm, logTimeFormat: 'unixTime' },
      certificationId: told.tseDescription,
    })
    this.unit.meet(identity, this.environmentOf(identity))
    return told
  }

  private environmentOf(identity: TseIdentity): UnitEnvironment {
    return environmentByChain(identity, epsonAccessOf(this.unit.scu).confirmed)
  }
}

function inputOf({ clientId, processType, processData }: TransactionCall) {
  return { clientId, processData: processData.toString('base64'), processType }
}

/** The certificates of a text with several. */
function pemParts(pem: Buffer): Buffer[] {
  const parts = pem.toString('latin1').match(/-----BEGIN[^-]+-----[^-]+-----END[^-]+-----/g) ?? []
  return parts.map((part) => Buffer.from(part))
}
