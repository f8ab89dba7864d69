// A Diebold Nixdorf device as the queue sees it. Its web service tells neither a last response nor
// a list of open transactions: numbers that were passed over show starts whose answers were lost.
import {
  type CallLimit,
  DeviceError,
  DeviceRefusal,
  type DriverTools,
  type ScuHead,
} from '../../../../device/device.js'
import {
  type FinishedTransaction,
  type FinishSignature,
  type MemoryExport,
  type TransactionCall,
  TSE_STATES,
  type Tse,
  type TseInfo,
  type TseSignature,
  type TseState,
} from '../../../../device/tse/tse.js'
import { CertifiedTse, Newest } from '../certified-tse.js'
import { environmentByChain } from '../chain-environment.js'
import { identityOf } from '../remote-identity.js'
import { answers, CommandRefused, NO_TRANSACTION, type SignedAnswer } from './answer.js'
import { certificatesIn } from './certificates.js'
import { type Ask, DieboldLink } from './link.js'
import { dieboldAccessOf } from './settings.js'

type Numbered = TransactionCall & FinishedTransaction

const MOST_KNOWN = 2_000
const MOST_CLIENTS = 100
const MOST_OPEN = 512
/** Letters that the device takes in the name of a client. */
const CLIENT = /^[A-Za-z0-9()+,\-.:? ]{1,30}$/
const FORMATS: Readonly<Record<string, string>> = { UnixTime: 'unixTime' }

export class DieboldTse extends CertifiedTse implements Tse {
  private readonly link: DieboldLink
  /** Log times of starts that were made here. */
  private readonly starts = new Newest<Date>(MOST_KNOWN)

  constructor(scu: ScuHead, tools: DriverTools) {
    super(scu, tools)
    this.link = new DieboldLink(scu, tools)
  }

  info(limit: CallLimit): Promise<TseInfo> {
    return this.link.work(this.budget(limit), async (ask) => {
      const clientIds = await this.asked(ask)
      const { lastCounter = 0 } = this.unit.state()
      return {
        identity: this.identity(),
        // a device that is not in operation answers no command of its status
        state: TSE_STATES.initialized,
        firmwareId: '',
        maxClients: MOST_CLIENTS,
        clientIds,
        maxOpenTransactions: MOST_OPEN,
        openTransactions: this.maybeOpen(),
        maxSignatures: Number.MAX_SAFE_INTEGER,
        signatures: lastCounter,
        maxLogMemory: 0,
        logMemory: 0,
      }
    })
  }

  // ------------------------------------------------------------------ transactions

  startTransaction(call: TransactionCall, limit: CallLimit): Promise<TseSignature> {
    return this.link.work(this.budget(limit), async (ask) => {
      await this.known(ask)
      const command = { name: 'StartTransaction', members: { ClientID: call.clientId } }
      const told = await ask({ ...command, isSecret: true, schema: answers.start })
      const transactionNumber = told.TransactionNumber
      const signed = this.proven('start', { ...call, transactionNumber }, told)
      this.noteStart(transactionNumber)
      this.starts.set(transactionNumber, signed.moment)
      return signed
    })
  }

  updateTransaction(
    call: TransactionCall & { transactionNumber: number },
    limit: CallLimit,
  ): Promise<TseSignature> {
    return this.link.work(this.budget(limit), (ask) => this.goOn('update', call, ask))
  }

  finishTransaction(call: Numbered, limit: CallLimit): Promise<FinishSignature> {
    return this.link.work(this.budget(limit), async (ask) => {
      const number = call.transactionNumber
      try {
        const signed = await this.goOn('finish', call, ask)
        // the device does not tell it; nobody here knows it of a transaction that others started
        const startMoment = call.startMoment ?? this.starts.get(number) ?? signed.moment
        this.starts.delete(number)
        this.noteEnd(number)
        return { ...signed, startMoment }
      } catch (error) {
        // it was finished by a call whose answer was lost, or by somebody else
        if (error instanceof CommandRefused && error.code === NO_TRANSACTION) this.noteEnd(number)
        throw error
      }
    })
  }

  private async goOn(
    operation: 'update' | 'finish',
    call: TransactionCall & { transactionNumber: number },
    ask: Ask,
  ): Promise<TseSignature> {
    await this.known(ask)
    const members = {
      ClientID: call.clientId,
      TransactionNumber: call.transactionNumber,
      Typ: call.processType,
      Data: call.processData.toString('utf8'),
    }
    const name = operation === 'update' ? 'UpdateTransaction' : 'FinishTransaction'
    const told = await ask({ name, members, isSecret: true, schema: answers.signed })
    return this.proven(operation, call, told)
  }

  private proven(
    operation: 'start' | 'update' | 'finish',
    call: TransactionCall & { transactionNumber: number },
    { LogTime: moment, SignatureCounter: signatureCounter, Signature: signature }: SignedAnswer,
  ): TseSignature {
    const { transactionNumber } = call
    const signed = { transactionNumber, moment, signatureCounter, signature }
    this.unit.proven(operation, call, signed)
    const { lastCounter = 0 } = this.unit.state()
    this.unit.change({ lastCounter: Math.max(lastCounter, signatureCounter) })
    return signed
  }

  // ------------------------------------------------------------- what may be open

  private maybeOpen(): number[] {
    return [...(this.unit.state().maybeOpen ?? [])].sort((a, b) => a - b)
  }

  /** Numbers rise by one: those between belong to starts whose answers nobody has seen. */
  private noteStart(number: number): void {
    const { lastNumber } = this.unit.state()
    const first = lastNumber === undefined ? number : Math.max(lastNumber + 1, number - MOST_OPEN)
    const more = Array.from({ length: Math.max(0, number - first + 1) }, (_, at) => first + at)
    const maybeOpen = [...this.maybeOpen(), ...more].slice(-MOST_OPEN)
    this.unit.change({ maybeOpen, lastNumber: Math.max(lastNumber ?? 0, number) })
  }

  private noteEnd(number: number): void {
    this.unit.change({ maybeOpen: this.maybeOpen().filter((one) => one !== number) })
  }

  // ---------------------------------------------------------- states and clients

  /** Set-up and end of a device are done with the vendor's program. */
  setState(_: TseState, limit: CallLimit): Promise<TseState> {
    return this.info(limit).then(({ state }) => state)
  }

  registerClient(clientId: string, limit: CallLimit): Promise<string[]> {
    if (!CLIENT.test(clientId)) throw new DeviceRefusal('the device takes no client of this name')
    return this.changeClients('RegisterClientID', clientId, limit)
  }

  unregisterClient(clientId: string, limit: CallLimit): Promise<string[]> {
    return this.changeClients('DeregisterClientID', clientId, limit)
  }

  private changeClients(name: string, clientId: string, limit: CallLimit): Promise<string[]> {
    return this.link.work(this.budget(limit), async (ask) => {
      const before = await this.asked(ask)
      if (before.includes(clientId) === (name === 'RegisterClientID')) return before
      const members = { ClientID: clientId }
      await ask({ name, members, isSecret: true, schema: answers.none })
      return this.asked(ask)
    })
  }

  /** The web service keeps the time of its device, or the next start says that it has none. */
  setTime(): Promise<void> {
    return Promise.resolve()
  }

  selfTest(): Promise<void> {
    return Promise.resolve()
  }

  /** No public description says how the web service gives the memory away. */
  exportMemory(): Promise<MemoryExport> {
    const text = 'the memory of this device is exported with the program of its vendor'
    return Promise.reject(new DeviceRefusal(text))
  }

  // ------------------------------------------------------------------------ inside

  private async known(ask: Ask): Promise<void> {
    if (this.unit.state().identity === undefined) await this.asked(ask)
    this.unit.judge()
  }

  /** Who it is; its clients. */
  private async asked(ask: Ask): Promise<string[]> {
    const { DeviceInfo } = await ask({ name: 'GetDeviceInfo', schema: answers.info })
    const status = { name: 'GetDeviceStatus', isSecret: true, schema: answers.status }
    const { Parameters, ClientIDs } = await ask(status)
    const serial = DeviceInfo.SerialNumber.toLowerCase()
    if (this.unit.state().identity?.serialHex === serial) return ClientIDs
    const members = { Name: 'Certificates', Format: 'Base64' }
    const { Value } = await ask({ name: 'GetDeviceData', members, schema: answers.data })
    const logTimeFormat = FORMATS[DeviceInfo.TimeFormat]
    if (logTimeFormat === undefined) throw new DeviceError('the time format is not known')
    const identity = identityOf({
      certificates: certificatesIn(Value),
      ...{ serial, algorithm: Parameters.SignatureAlgorithm, logTimeFormat },
      certificationId: Parameters.TSEDescription,
    })
    const { confirmed } = dieboldAccessOf(this.unit.scu)
    this.unit.meet(identity, environmentByChain(identity, confirmed))
    return ClientIDs
  }
}
