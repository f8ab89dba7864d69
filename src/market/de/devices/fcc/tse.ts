// A D-Trust unit behind an FCC as the queue sees it. It tells no answer a second time, but gives
// the messages of one transaction: they show what became of a call whose answer was lost.
import {
  type CallLimit,
  DeviceError,
  DeviceRefusal,
  type DriverTools,
  type ScuHead,
} from '../../../../device/device.js'
import type { TimeBudget } from '../../../../device/time-budget.js'
import type { Operation } from '../../../../device/tse/log-message.js'
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
import { certificatesIn } from '../diebold/certificates.js'
import { workId } from '../fiskaly/ids.js'
import { type Exporting, exportKept, goOnWithExport } from '../kept-export.js'
import { identityOf } from '../remote-identity.js'
import { answers, FccRefusal, type SignedAnswer } from './answer.js'
import { fccExport } from './export.js'
import { FccLink } from './link.js'
import { fccAccessOf } from './settings.js'
import { loggedIn } from './single-export.js'

type Numbered = TransactionCall & FinishedTransaction

const MOST_KNOWN = 2_000
const HOUR_MS = 3_600_000
/** The connector refuses a message without content; what stands here is what the unit signs. */
const NOTHING = Buffer.from('<none>')
const NOT_FOUND = 404
const ACTIVE = 'ACTIVE'

export class FccTse extends CertifiedTse implements Tse {
  private readonly link: FccLink
  /** Log times of starts that were made here. */
  private readonly starts = new Newest<Date>(MOST_KNOWN)

  constructor(scu: ScuHead, tools: DriverTools) {
    super(scu, tools)
    this.link = new FccLink(scu, tools)
  }

  /** What a closing has no time for; returns when it wants to be asked again. */
  async maintain(limit: CallLimit): Promise<Date> {
    await goOnWithExport(this.exporting(limit))
    await this.asked(this.budget(limit))
    return new Date(this.unit.tools.now().getTime() + HOUR_MS)
  }

  async info(limit: CallLimit): Promise<TseInfo> {
    const budget = this.budget(limit)
    await this.asked(budget)
    const clientIds = await this.clients(budget)
    const open: number[] = []
    for (const client of clientIds) {
      open.push(...(await this.open(client, budget)).map((one) => one.transactionNumber))
    }
    const limits = await this.link.ask(
      { as: 'basic', method: 'GET', path: 'info', schema: answers.limits },
      budget,
    )
    const { remoteCspVersion, keyInfos } = await this.link.ask(CHECK, budget)
    const active = keyInfos.find(({ state }) => state.toUpperCase() === ACTIVE)
    const signatures = Math.max(...keyInfos.map((key) => key.lastSignatureCounter))
    return {
      identity: this.identity(),
      state: active === undefined ? TSE_STATES.terminated : TSE_STATES.initialized,
      firmwareId: remoteCspVersion ?? '',
      maxClients: limits.maxNumberClients,
      clientIds,
      maxOpenTransactions: limits.maxNumberTransactions,
      openTransactions: open.sort((a, b) => a - b),
      ...{ maxSignatures: Number.MAX_SAFE_INTEGER, signatures },
      ...{ maxLogMemory: 0, logMemory: 0 },
    }
  }

  // ------------------------------------------------------------------ transactions

  async startTransaction(call: TransactionCall, limit: CallLimit): Promise<TseSignature> {
    const budget = this.budget(limit)
    await this.known(budget)
    const sent = sentAs(call)
    const externalTransactionId = workId(this.unit.scu.id, call.clientId, call.queueItemId)
    const begun = call.isRetry
      ? await this.begunBefore(sent, { externalTransactionId, budget })
      : undefined
    if (begun !== undefined) return begun
    const { clientId: client } = call
    const body = { externalTransactionId, ...bodyOf(sent) }
    const told = await this.link.ask(
      { as: { client }, method: 'POST', path: 'transaction', body, schema: answers.start },
      budget,
    )
    const { transactionNumber } = told
    const signed = this.proven('start', { ...sent, transactionNumber }, told)
    this.starts.set(transactionNumber, signed.moment)
    return signed
  }

  /**
   * A start whose answer was lost is open under the id that it was given. Connectors that do not
   * list the ids have it closed by the next closing.
   */
  private async begunBefore(
    sent: TransactionCall,
    { externalTransactionId: id, budget }: { externalTransactionId: string; budget: TimeBudget },
  ): Promise<TseSignature | undefined> {
    const open = await this.open(sent.clientId, budget)
    const own = open.find((one) => one.externalTransactionId?.toLowerCase() === id)
    if (own === undefined) return undefined
    const { transactionNumber } = own
    const logged = await this.logged('start', transactionNumber, budget)
    if (logged === undefined) return undefined
    const signed = this.unit.proven('start', sent, logged)
    this.starts.set(transactionNumber, signed.moment)
    return signed
  }

  async updateTransaction(
    call: TransactionCall & { transactionNumber: number },
    limit: CallLimit,
  ): Promise<TseSignature> {
    const budget = this.budget(limit)
    await this.known(budget)
    return this.goOn('update', call, budget)
  }

  async finishTransaction(call: Numbered, limit: CallLimit): Promise<FinishSignature> {
    const budget = this.budget(limit)
    await this.known(budget)
    const { transactionNumber: number, isRetry } = call
    const before = isRetry ? await this.finishedBefore(call, budget) : undefined
    const signed = before ?? (await this.goOn('finish', call, budget))
    const startMoment = call.startMoment ?? this.starts.get(number)
    const begun = startMoment ?? (await this.startOf(number, budget)) ?? signed.moment
    this.starts.delete(number)
    return { ...signed, startMoment: begun }
  }

  /** Undefined: it is open still. Throws DeviceRefusal where it was ended by something else. */
  private async finishedBefore(
    call: Numbered,
    budget: TimeBudget,
  ): Promise<TseSignature | undefined> {
    const { transactionNumber: number } = call
    const open = await this.open(call.clientId, budget)
    if (open.some((one) => one.transactionNumber === number)) return undefined
    const logged = await this.logged('finish', number, budget)
    const signed = logged && this.ifOwn(call, logged)
    if (signed !== undefined) return signed
    throw new DeviceRefusal(`transaction ${number} is not open any more`)
  }

  /** Undefined: another call has ended it, with other data. */
  private ifOwn(call: Numbered, logged: TseSignature): TseSignature | undefined {
    try {
      return this.unit.proven('finish', sentAs(call), logged)
    } catch (error) {
      if (error instanceof DeviceError) return undefined
      throw error
    }
  }

  private async startOf(number: number, budget: TimeBudget): Promise<Date | undefined> {
    try {
      return (await this.logged('start', number, budget))?.moment
    } catch (error) {
      if (error instanceof DeviceError) return undefined
      throw error
    }
  }

  private async goOn(
    operation: 'update' | 'finish',
    call: TransactionCall & { transactionNumber: number },
    budget: TimeBudget,
  ): Promise<TseSignature> {
    const { transactionNumber, clientId: client } = call
    const sent = sentAs(call)
    const method = operation === 'update' ? 'POST' : 'PUT'
    const path = `transaction/${transactionNumber}`
    const body = bodyOf(sent)
    const told = await this.link.ask(
      { as: { client }, method, path, body, schema: answers.signed },
      budget,
    )
    return this.proven(operation, { ...sent, transactionNumber }, told)
  }

  private proven(
    operation: Operation,
    call: TransactionCall & { transactionNumber: number },
    { signatureCounter, signatureValue: signature, logTime: moment }: SignedAnswer,
  ): TseSignature {
    const { transactionNumber } = call
    return this.unit.proven(operation, call, {
      ...{ transactionNumber, moment, signatureCounter, signature },
    })
  }

  /** Undefined: the unit has it no longer. */
  private async logged(
    operation: Operation,
    transactionNumber: number,
    budget: TimeBudget,
  ): Promise<TseSignature | undefined> {
    const parts: Buffer[] = []
    const sink = (part: Buffer) => void parts.push(part)
    const path = `export/transactions/${transactionNumber}`
    try {
      const call = { as: 'admin', method: 'GET', path, schema: answers.none, sink } as const
      await this.link.ask(call, budget)
    } catch (error) {
      if (error instanceof FccRefusal && error.status === NOT_FOUND) return undefined
      throw error
    }
    const tar = Buffer.from(Buffer.concat(parts).toString('latin1'), 'base64')
    return loggedIn(tar, { operation, transactionNumber })
  }

  private async open(client: string, budget: TimeBudget) {
    const path = `transactions?clientId=${encodeURIComponent(client)}`
    const call = { as: { client }, method: 'GET', path, schema: answers.open } as const
    try {
      return await this.link.ask(call, budget)
    } catch (error) {
      if (error instanceof FccRefusal && error.status === NOT_FOUND) return []
      throw error
    }
  }

  // ---------------------------------------------------------- states and clients

  /** A unit is put into operation, and out of it, with the program of its vendor. */
  async setState(_: TseState, limit: CallLimit): Promise<TseState> {
    return (await this.info(limit)).state
  }

  async registerClient(clientId: string, limit: CallLimit): Promise<string[]> {
    const budget = this.budget(limit)
    await this.known(budget)
    const before = await this.clients(budget)
    if (before.includes(clientId)) return before
    const { registrationtoken: registrationToken } = fccAccessOf(this.unit.scu)
    if (registrationToken === undefined) {
      throw new DeviceRefusal('registering a client needs the setting registrationToken')
    }
    const names = { uniqueClientId: clientId, briefDescription: clientId, ersIdentifier: clientId }
    const body = { registrationToken, ...names, typeOfSystem: 'PC_POS' }
    await this.link.ask({ ...BASIC_POST, path: 'registration', body }, budget)
    return this.clients(budget)
  }

  async unregisterClient(clientId: string, limit: CallLimit): Promise<string[]> {
    const budget = this.budget(limit)
    await this.known(budget)
    const before = await this.clients(budget)
    if (!before.includes(clientId)) return before
    const body = { uniqueClientId: clientId }
    await this.link.ask({ ...BASIC_POST, path: 'deregistration', body }, budget)
    return this.clients(budget)
  }

  private async clients(budget: TimeBudget): Promise<string[]> {
    const call = { as: 'basic', method: 'GET', path: 'clients', schema: answers.clients } as const
    return (await this.link.ask(call, budget)).map(({ clientId }) => clientId)
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
    return { scu, tools, budget, steps: fccExport({ link: this.link, tools, budget }) }
  }

  private async known(budget: TimeBudget): Promise<void> {
    if (this.unit.state().identity === undefined) await this.asked(budget)
    this.unit.judge()
  }

  private async asked(budget: TimeBudget): Promise<void> {
    const call = { as: 'admin', method: 'GET', path: 'tssdetails' } as const
    const told = await this.link.ask({ ...call, schema: answers.details }, budget)
    const serial = told.serialNumberHex.toLowerCase()
    if (this.unit.state().identity?.serialHex === serial) return
    const { confirmed, certificationid: certificationId } = fccAccessOf(this.unit.scu)
    const identity = identityOf({
      certificates: certificatesIn(bytesOf(told.leafCertificate)),
      ...{ serial, algorithm: told.algorithm, logTimeFormat: told.timeFormat, certificationId },
    })
    this.unit.meet(identity, environmentByChain(identity, confirmed))
  }
}

const CHECK = { as: 'admin', method: 'GET', path: 'selfcheck', schema: answers.check } as const
const BASIC_POST = { as: 'basic', method: 'POST', schema: answers.none } as const

/** As it is signed. */
function sentAs<C extends TransactionCall>(call: C): C {
  return call.processData.length > 0 ? call : { ...call, processData: NOTHING }
}

function bodyOf({ clientId, processType, processData }: TransactionCall) {
  return { clientId, processType, processData: processData.toString('base64') }
}

/** A text (PEM), or Base64 of either form. */
function bytesOf(text: string): Buffer {
  return text.startsWith('-----') ? Buffer.from(text, 'latin1') : Buffer.from(text, 'base64')
}
