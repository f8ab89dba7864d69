// A unit of Swissbit's cloud service as the queue sees it. It tells no answer a second time: what a
// lost finish left shows by its number being gone, and the export has its signature.
import {
  type CallLimit,
  DeviceError,
  DeviceRefusal,
  type DriverTools,
  type ScuHead,
} from '../../../../device/device.js'
import type { TimeBudget } from '../../../../device/time-budget.js'
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
import { confirmedOf } from '../certified-unit.js'
import { environmentByChain } from '../chain-environment.js'
import { certificatesIn } from '../diebold/certificates.js'
import { type Exporting, exportKept, goOnWithExport } from '../kept-export.js'
import { identityOf } from '../remote-identity.js'
import { swissbitExport } from './export.js'
import { answers, type InfoAnswer, type SignedAnswer, SwissbitLink } from './link.js'
import { isForTests } from './settings.js'

type Numbered = TransactionCall & FinishedTransaction

const MOST_KNOWN = 2_000
const HOUR_MS = 3_600_000
/** Of version 2 of the service. */
const CERTIFICATION_ID = 'BSI-K-TR-0612-2024'
const STATES: Readonly<Record<string, TseState>> = {
  initialized: TSE_STATES.initialized,
  disabled: TSE_STATES.terminated,
}

export class SwissbitTse extends CertifiedTse implements Tse {
  private readonly link: SwissbitLink
  /** Log times of starts that were made here. */
  private readonly starts = new Newest<Date>(MOST_KNOWN)

  constructor(scu: ScuHead, tools: DriverTools) {
    super(scu, tools)
    this.link = new SwissbitLink(scu, tools)
  }

  /** What a closing has no time for; returns when it wants to be asked again. */
  async maintain(limit: CallLimit): Promise<Date> {
    await goOnWithExport(this.exporting(limit))
    await this.asked(this.budget(limit))
    return new Date(this.unit.tools.now().getTime() + HOUR_MS)
  }

  async info(limit: CallLimit): Promise<TseInfo> {
    const budget = this.budget(limit)
    const told = await this.asked(budget)
    const open = await this.link.ask(OPEN, budget)
    const clientIds = await this.link.ask(CLIENTS, budget)
    return {
      identity: this.identity(),
      state: STATES[told.initializationState] ?? TSE_STATES.uninitialized,
      firmwareId: told.softwareVersion,
      maxClients: told.maxRegisteredClients,
      clientIds,
      maxOpenTransactions: told.maxStartedTransactions,
      openTransactions: [...open].sort((a, b) => a - b),
      maxSignatures: Number.MAX_SAFE_INTEGER,
      signatures: told.createdSignatures,
      maxLogMemory: told.storageCapacity,
      logMemory: told.storageUsed,
    }
  }

  // ------------------------------------------------------------------ transactions

  async startTransaction(call: TransactionCall, limit: CallLimit): Promise<TseSignature> {
    const budget = this.budget(limit)
    await this.known(budget)
    // one whose answer was lost stays open: the next closing finishes it
    const body = bodyOf(call)
    const told = await this.link.ask({ ...POST, path: 'startTransaction', body }, budget)
    const signed = this.proven('start', call, told)
    this.starts.set(signed.transactionNumber, signed.moment)
    return signed
  }

  updateTransaction(
    call: TransactionCall & { transactionNumber: number },
    limit: CallLimit,
  ): Promise<TseSignature> {
    return this.goOn('update', call, this.budget(limit))
  }

  async finishTransaction(call: Numbered, limit: CallLimit): Promise<FinishSignature> {
    const budget = this.budget(limit)
    const { transactionNumber: number, isRetry } = call
    if (isRetry && !(await this.link.ask(OPEN, budget)).includes(number)) {
      throw new DeviceRefusal(`transaction ${number} is not open any more`)
    }
    const signed = await this.goOn('finish', call, budget)
    // the service does not tell it; nobody here knows it of a transaction that others started
    const startMoment = call.startMoment ?? this.starts.get(number) ?? signed.moment
    this.starts.delete(number)
    return { ...signed, startMoment }
  }

  private async goOn(
    operation: 'update' | 'finish',
    call: TransactionCall & { transactionNumber: number },
    budget: TimeBudget,
  ): Promise<TseSignature> {
    await this.known(budget)
    const { transactionNumber } = call
    const path = operation === 'update' ? 'updateTransaction' : 'finishTransaction'
    const body = { ...bodyOf(call), transactionNumber }
    const told = await this.link.ask({ ...POST, path, body }, budget)
    if (told.transactionNumber === transactionNumber) return this.proven(operation, call, told)
    throw new DeviceError('the service has answered for another transaction')
  }

  private proven(
    operation: 'start' | 'update' | 'finish',
    call: TransactionCall,
    told: SignedAnswer,
  ): TseSignature {
    const { transactionNumber, signatureCounter } = told
    const { signatureCreationTime: moment, signatureValue: signature } = told
    return this.unit.proven(operation, call, {
      ...{ transactionNumber, moment, signatureCounter, signature },
    })
  }

  // ---------------------------------------------------------- states and clients

  /** A unit is put into operation in the portal of its vendor. */
  async setState(state: TseState, limit: CallLimit): Promise<TseState> {
    const budget = this.budget(limit)
    const told = await this.asked(budget)
    const current = STATES[told.initializationState] ?? TSE_STATES.uninitialized
    if (state !== TSE_STATES.terminated || current !== TSE_STATES.initialized) return current
    await this.link.ask({ ...POST, path: 'disableSecureElement', schema: answers.none }, budget)
    return TSE_STATES.terminated
  }

  registerClient(clientId: string, limit: CallLimit): Promise<string[]> {
    return this.changeClients('registerClient', clientId, limit)
  }

  unregisterClient(clientId: string, limit: CallLimit): Promise<string[]> {
    return this.changeClients('deregisterClient', clientId, limit)
  }

  private async changeClients(path: string, clientId: string, limit: CallLimit) {
    const budget = this.budget(limit)
    await this.known(budget)
    const before = await this.link.ask(CLIENTS, budget)
    if (before.includes(clientId) === (path === 'registerClient')) return before
    await this.link.ask({ ...POST, path, body: { clientId }, schema: answers.none }, budget)
    return this.link.ask(CLIENTS, budget)
  }

  /** The service keeps the time of its units, and tests them. */
  setTime(): Promise<void> {
    return Promise.resolve()
  }

  selfTest(): Promise<void> {
    return Promise.resolve()
  }

  exportMemory(erase: boolean, limit: CallLimit): Promise<MemoryExport> {
    return exportKept(this.exporting(limit), erase)
  }

  // ------------------------------------------------------------------------ inside

  private exporting(limit: CallLimit): Exporting {
    const { scu, tools } = this.unit
    const budget = this.budget(limit)
    return { scu, tools, budget, steps: swissbitExport({ link: this.link, budget }) }
  }

  private async known(budget: TimeBudget): Promise<void> {
    if (this.unit.state().identity === undefined) await this.asked(budget)
    this.unit.judge()
  }

  private async asked(budget: TimeBudget): Promise<InfoAnswer> {
    const told = await this.link.ask({ method: 'GET', path: '', schema: answers.info }, budget)
    this.unit.change({ memoryUsed: shareOf(told.storageUsed, told.storageCapacity) })
    const serial = serialOf(told.serialNumber)
    if (this.unit.state().identity?.serialHex === serial) return told
    const identity = identityOf({
      certificates: certificatesIn(Buffer.from(told.certificateChain, 'latin1')),
      ...{ serial, algorithm: told.signatureAlgorithm, logTimeFormat: told.logTimeFormat },
      certificationId: CERTIFICATION_ID,
    })
    this.unit.meet(identity, this.environmentOf(identity))
    return told
  }

  private environmentOf(identity: TseIdentity) {
    const { scu } = this.unit
    return isForTests(scu) ? 'test' : environmentByChain(identity, confirmedOf(scu))
  }
}

const POST = { method: 'POST', schema: answers.signed } as const
const OPEN = { method: 'GET', path: 'transactions', schema: answers.numbers } as const
const CLIENTS = { method: 'GET', path: 'clients', schema: answers.clients } as const

function bodyOf({ clientId, processType, processData }: TransactionCall) {
  return { clientId, processType, processData: processData.toString('base64') }
}

/** Hexadecimal letters or Base64: nobody says which. */
function serialOf(text: string): string {
  return /^[0-9a-f]{64}$/i.test(text)
    ? text.toLowerCase()
    : Buffer.from(text, 'base64').toString('hex')
}
