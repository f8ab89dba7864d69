// Driver of a TSE behind the German signing-device interface over HTTP (fiskaltrust.ifPOS v1, de):
// hardware, and services of others. The market's driver table lists it under its package name.
import {
  type CallLimit,
  DeviceError,
  type DriverTools,
  type ScuHead,
} from '../../../device/device.js'
import type { Driver } from '../../../device/driver.js'
import { TimeBudget } from '../../../device/time-budget.js'
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
} from '../../../device/tse/tse.js'
import { shareOf, writeCertified } from './certified-state.js'
import {
  BY_CHAIN,
  confirmedOf,
  demandUsable,
  describeCertified,
  moduleOf,
  proofByChain,
  unjudged,
} from './certified-unit.js'
import { environmentByChain } from './chain-environment.js'
import { type Exporting, exportKept, goOnWithExport } from './kept-export.js'
import { answers, type InfoAnswer, type SignedAnswer } from './remote-answer.js'
import { remoteExport } from './remote-export.js'
import { identityOfInfo, identityOfState } from './remote-identity.js'
import { RemoteLink } from './remote-link.js'
import { provenMessage } from './remote-proof.js'
import { remoteConfiguration } from './remote-settings.js'

/** Package under which the driver is configured. */
export const REMOTE_PACKAGE = 'fiskalwerk.SCU.DE.Remote'

const HOUR_MS = 3_600_000

type Numbered = TransactionCall & { transactionNumber: number }

export const remoteDriver: Driver<RemoteTse> = {
  configuration: remoteConfiguration,
  remote: true,
  // the row only keeps who the device is, and that never changes: its queues need no turns, and a
  // device that does not answer one of them keeps none of the others waiting
  stateful: false,
  software: false,
  // what goes wrong on the other side is scripted there
  faults: [],
  async create(input) {
    const given = remoteConfiguration.parse(input.configuration)
    return {
      configuration: '{}',
      secrets: JSON.stringify({ cashBoxId: given.cashboxid, accessToken: given.accesstoken }),
      state: '{}',
    }
  },
  open: (scu, tools) => new RemoteTse(scu, tools),
  maintain: (device, limit) => device.maintain(limit),
  reach: (scu, tools, limit) => new RemoteTse(scu, tools).info(limit),
  describe: describeCertified,
  // its row says who it is, never in which state
  module: moduleOf,
  ...BY_CHAIN,
  async proof(scu, tools, { limit }) {
    return proofByChain(scu, tools, await new RemoteTse(scu, unjudged(tools)).info(limit))
  },
}

class RemoteTse implements Tse {
  readonly keepsLog = true
  private readonly scu: ScuHead
  private readonly tools: DriverTools
  private readonly link: RemoteLink
  private readonly logs: LogMessage[] = []
  /** The identity and the text that it was read from. */
  private known: { state: string; identity: TseIdentity | undefined } | undefined
  /** What may be used, and the settings that say so. */
  private judged: TseIdentity | undefined
  private judgedBy = ''

  constructor(scu: ScuHead, tools: DriverTools) {
    this.scu = scu
    this.tools = tools
    this.link = new RemoteLink(scu, tools)
  }

  identity(): TseIdentity {
    const identity = this.learnt()
    if (identity !== undefined) return identity
    throw new DeviceError('the device was never reached: nobody knows who it is')
  }

  async info(limit: CallLimit): Promise<TseInfo> {
    const call = { name: 'tseinfo', schema: answers.info, repeatable: true }
    const answer = await this.link.ask(call, limit)
    const identity = identityOfInfo(answer)
    this.mustBe(identity.serialHex)
    const info = infoOf(identity, answer)
    this.remember(info)
    return info
  }

  async startTransaction(call: TransactionCall, limit: CallLimit): Promise<TseSignature> {
    const budget = new TimeBudget(this.tools, limit)
    await this.meet(budget)
    const body = bodyOf(call)
    const request = { name: 'starttransaction', body, schema: answers.start }
    const answer = await this.link.ask(request, budget.limit())
    return this.proven('start', call, answer)
  }

  async updateTransaction(call: Numbered, limit: CallLimit): Promise<TseSignature> {
    const budget = new TimeBudget(this.tools, limit)
    await this.meet(budget)
    const request = { name: 'updatetransaction', body: numberedBody(call), schema: answers.start }
    const answer = await this.link.ask(request, budget.limit())
    mustBeAbout(call, answer)
    return this.proven('update', call, answer)
  }

  async finishTransaction(call: Numbered, limit: CallLimit): Promise<FinishSignature> {
    const budget = new TimeBudget(this.tools, limit)
    await this.meet(budget)
    const request = { name: 'finishtransaction', body: numberedBody(call), schema: answers.finish }
    const answer = await this.link.ask(request, budget.limit())
    mustBeAbout(call, answer)
    const signed = this.proven('finish', call, answer)
    // not part of the message that is signed
    const startMoment = this.logTime(answer.starttransactiontimestamp)
    if (startMoment <= signed.moment) return { ...signed, startMoment }
    throw new DeviceError('the transaction began after its end')
  }

  async setState(state: TseState, limit: CallLimit): Promise<TseState> {
    const body = { CurrentState: state }
    const call = { name: 'tsestate', body, schema: answers.state, repeatable: true }
    return (await this.link.ask(call, limit)).currentstate
  }

  registerClient(clientId: string, limit: CallLimit): Promise<string[]> {
    return this.changeClients('registerclientid', clientId, limit)
  }

  unregisterClient(clientId: string, limit: CallLimit): Promise<string[]> {
    return this.changeClients('unregisterclientid', clientId, limit)
  }

  async setTime(limit: CallLimit): Promise<void> {
    await this.link.ask({ name: 'executesettsetime', body: {}, schema: answers.none }, limit)
  }

  async selfTest(limit: CallLimit): Promise<void> {
    const call = { name: 'executeselftest', body: {}, schema: answers.none, repeatable: true }
    await this.link.ask(call, limit)
  }

  exportMemory(erase: boolean, limit: CallLimit): Promise<MemoryExport> {
    return exportKept(this.exporting(limit), erase)
  }

  /** An export that no closing waits for any more. */
  async maintain(limit: CallLimit): Promise<Date> {
    await goOnWithExport(this.exporting(limit))
    return new Date(this.tools.now().getTime() + HOUR_MS)
  }

  takeLogs(): LogMessage[] {
    return this.logs.splice(0)
  }

  // ------------------------------------------------------------------------ inside

  private exporting(limit: CallLimit): Exporting {
    const { scu, tools, link } = this
    const budget = new TimeBudget(tools, limit)
    const steps = remoteExport({ link, budget, mustBe: (serial) => this.mustBe(serial) })
    return { scu, tools, budget, steps }
  }

  private async changeClients(name: string, clientId: string, limit: CallLimit) {
    const body = { ClientId: clientId }
    const call = { name, body, schema: answers.clients, repeatable: true }
    return (await this.link.ask(call, limit)).clientids
  }

  /** Signatures can be verified only with the key of a device that is known. */
  private async meet(budget: TimeBudget): Promise<void> {
    const identity = this.learnt()
    if (identity === undefined) await this.info(budget.limit())
    else this.judge(identity)
  }

  private learnt(): TseIdentity | undefined {
    const { state } = this.scu
    if (this.known?.state !== state) this.known = { state, identity: identityOfState(state) }
    return this.known.identity
  }

  /** Kept even where it is refused: somebody may want to know what it is. */
  private remember({ identity, ...told }: TseInfo): void {
    const state = writeCertified({
      identity,
      signaturesUsed: shareOf(told.signatures, told.maxSignatures),
      memoryUsed: shareOf(told.logMemory, told.maxLogMemory),
    })
    if (state !== this.scu.state) {
      this.known = { state, identity }
      this.scu.state = state
      this.scu.changed = true
    }
    this.judge(identity)
  }

  /** What was refused when it was met is refused from then on. Throws UnitBroken. */
  private judge(identity: TseIdentity): void {
    const { configuration } = this.scu
    if (this.judged === identity && this.judgedBy === configuration) return
    const confirmed = confirmedOf(this.scu)
    const environment = environmentByChain(identity, confirmed)
    demandUsable(this.tools, { identity, environment, confirmed })
    this.judged = identity
    this.judgedBy = configuration
  }

  /** A unit is one device for its whole life: another one is a unit of its own. */
  private mustBe(serial: string | null | undefined): void {
    const known = this.learnt()?.serialHex
    if (known === undefined || typeof serial !== 'string' || serial === '') return
    if (serial.toLowerCase() === known) return
    throw new DeviceError('another device answers than the one of this signing unit')
  }

  /** As it is in the message: whole seconds where the device counts those. */
  private logTime(told: Date): Date {
    if (this.identity().logTimeFormat !== 'unixTime') return told
    return new Date(Math.floor(told.getTime() / 1000) * 1000)
  }

  /** Only what verifies is believed; the log message goes into the journal. */
  private proven(
    operation: 'start' | 'update' | 'finish',
    call: TransactionCall,
    answer: SignedAnswer,
  ): TseSignature {
    this.mustBe(answer.tseserialnumberoctet)
    const { signaturecounter: signatureCounter, signaturebase64: signature } = answer.signaturedata
    const { transactionnumber: transactionNumber } = answer
    const moment = this.logTime(answer.timestamp)
    const signed = { transactionNumber, moment, signatureCounter, signature }
    this.logs.push(provenMessage(this.identity(), { operation, call, ...signed }))
    return signed
  }
}

function bodyOf(call: TransactionCall) {
  return {
    ClientId: call.clientId,
    ProcessType: call.processType,
    ProcessDataBase64: call.processData.toString('base64'),
    QueueItemId: call.queueItemId,
    IsRetry: call.isRetry,
  }
}

function numberedBody({ transactionNumber, ...call }: Numbered) {
  return { ...bodyOf(call), TransactionNumber: transactionNumber }
}

function mustBeAbout({ transactionNumber }: Numbered, answer: SignedAnswer): void {
  if (answer.transactionnumber === transactionNumber) return
  throw new DeviceError('the answer is about another transaction')
}

function infoOf(identity: TseIdentity, answer: InfoAnswer): TseInfo {
  return {
    identity,
    state: answer.currentstate,
    firmwareId: answer.firmwareidentification,
    maxClients: answer.maxnumberofclients,
    clientIds: answer.currentclientids,
    maxOpenTransactions: answer.maxnumberofstartedtransactions,
    openTransactions: answer.currentstartedtransactionnumbers,
    maxSignatures: answer.maxnumberofsignatures,
    signatures: answer.currentnumberofsignatures,
    maxLogMemory: answer.maxlogmemorysize,
    logMemory: answer.currentlogmemorysize,
  }
}
