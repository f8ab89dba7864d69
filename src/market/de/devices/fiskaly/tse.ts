// A unit of the cloud service as the queue sees it. A transaction is known by the receipt that it
// was started for, so that a lost answer is asked for by sending the same call again.
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
  MOST_OPEN_TRANSACTIONS,
  type TransactionCall,
  TSE_STATES,
  type Tse,
  type TseInfo,
  type TseSignature,
  type TseState,
} from '../../../../device/tse/tse.js'
import { CertifiedTse, Newest } from '../certified-tse.js'
import { type Exporting, exportKept, goOnWithExport } from '../kept-export.js'
import { identityOf } from '../remote-identity.js'
import { answers, CallRefused, type TransactionAnswer } from './answer.js'
import { fiskalyExport } from './export.js'
import { workId } from './ids.js'
import { FiskalyLink } from './link.js'
import { fiskalyAccessOf } from './settings.js'

type Numbered = TransactionCall & FinishedTransaction

const PAGE = 100
const MOST_KNOWN = 10_000
const STATES: Readonly<Record<string, TseState>> = {
  INITIALIZED: TSE_STATES.initialized,
  DISABLED: TSE_STATES.terminated,
  DEFECTIVE: TSE_STATES.terminated,
  DELETED: TSE_STATES.terminated,
}
const RAW = (call: TransactionCall) => ({
  process_type: call.processType,
  process_data: call.processData.toString('base64'),
})

export class FiskalyTse extends CertifiedTse implements Tse {
  private readonly link: FiskalyLink
  /** Uuids of registered clients by their serial number. */
  private readonly clientIds = new Map<string, string>()
  /** Of transactions that were started here: the revision, and whose they are. */
  private readonly open = new Newest<{ revision: number; client: string }>(MOST_KNOWN)

  constructor(scu: ScuHead, tools: DriverTools) {
    super(scu, tools)
    this.link = new FiskalyLink(scu, tools)
  }

  forget(): void {
    this.link.forget()
  }

  /** When it wants to be asked again. */
  async freshen(limit: CallLimit): Promise<Date> {
    await goOnWithExport(this.exporting(limit))
    await this.tss(this.budget(limit))
    const { tools } = this.unit
    const endsAt = this.link.endsAt ?? tools.now().getTime()
    return new Date(Math.max(endsAt - 10 * 60_000, tools.now().getTime() + 60_000))
  }

  async info(limit: CallLimit): Promise<TseInfo> {
    const budget = this.budget(limit)
    const told = await this.tss(budget)
    const [clients, openTransactions] = [await this.clients(budget), await this.started(budget)]
    return {
      identity: this.identity(),
      state: STATES[told.state] ?? TSE_STATES.uninitialized,
      firmwareId: '',
      maxClients: told.max_number_registered_clients ?? Number.MAX_SAFE_INTEGER,
      clientIds: clients,
      maxOpenTransactions: told.max_number_active_transactions ?? MOST_OPEN_TRANSACTIONS,
      openTransactions,
      // the service names no limits for these
      maxSignatures: Number.MAX_SAFE_INTEGER,
      signatures: told.signature_counter ?? 0,
      maxLogMemory: Number.MAX_SAFE_INTEGER,
      logMemory: 0,
    }
  }

  // ------------------------------------------------------------------ transactions

  async startTransaction(call: TransactionCall, limit: CallLimit): Promise<TseSignature> {
    const budget = this.budget(limit)
    await this.known(budget)
    const { scu } = this.unit
    const name = workId(
      'start',
      scu.id,
      fiskalyAccessOf(scu).tssId,
      call.clientId,
      call.queueItemId,
    )
    const body = { state: 'ACTIVE', client_id: await this.clientOf(call.clientId, budget) }
    const answer = await this.put(name, { revision: 1, body }, budget)
    this.open.set(answer.number, { revision: 1, client: call.clientId })
    return this.proven('start', call, answer)
  }

  async updateTransaction(
    call: TransactionCall & { transactionNumber: number },
    limit: CallLimit,
  ): Promise<TseSignature> {
    return this.proven('update', call, await this.goOn('ACTIVE', call, this.budget(limit)))
  }

  async finishTransaction(call: Numbered, limit: CallLimit): Promise<FinishSignature> {
    const answer = await this.goOn('FINISHED', call, this.budget(limit))
    this.open.delete(call.transactionNumber)
    const signed = this.proven('finish', call, answer)
    return { ...signed, startMoment: new Date(answer.time_start * 1000) }
  }

  /** The next revision; where the service has done it before, its answer of then. */
  private async goOn(
    state: 'ACTIVE' | 'FINISHED',
    call: Numbered,
    budget: TimeBudget,
  ): Promise<TransactionAnswer> {
    await this.known(budget)
    const number = call.transactionNumber
    const remembered = call.isRetry ? undefined : this.open.get(number)
    const before = remembered ?? (await this.lookedUp(state, call, budget))
    if ('done' in before) return before.done
    if (before.client !== call.clientId) {
      throw new DeviceRefusal(`transaction ${number} belongs to another client`)
    }
    const revision = before.revision + 1
    const client = await this.clientOf(call.clientId, budget)
    const body = { state, client_id: client, schema: { raw: RAW(call) } }
    this.open.delete(number)
    const answer = await this.put(String(number), { revision, body }, budget).catch(
      async (error: unknown) => {
        if (!isStale(error)) throw error
        // somebody was there before: ourselves, where it says what we wanted to say
        const found = await this.lookedUp(state, { ...call, isRetry: true }, budget)
        if ('done' in found) return found.done
        throw error
      },
    )
    this.open.set(number, { revision, client: call.clientId })
    return answer
  }

  private async lookedUp(
    state: string,
    call: Numbered,
    budget: TimeBudget,
  ): Promise<{ done: TransactionAnswer } | { revision: number; client: string }> {
    const path = `/tx/${call.transactionNumber}`
    const found = await this.link.ask({ method: 'GET', path, schema: answers.transaction }, budget)
    if (call.isRetry && found.latest_revision > 1 && isOurs(state, call, found)) {
      return { done: found }
    }
    if (found.state === 'ACTIVE') {
      return { revision: found.latest_revision, client: found.client_serial_number }
    }
    throw new DeviceRefusal(`transaction ${call.transactionNumber} is ${found.state}`)
  }

  private put(
    name: string,
    { revision, body }: { revision: number; body: object },
    budget: TimeBudget,
  ) {
    const path = `/tx/${name}?tx_revision=${revision}`
    return this.link.ask({ method: 'PUT', path, body, schema: answers.transaction }, budget)
  }

  private proven(
    operation: 'start' | 'update' | 'finish',
    call: TransactionCall & { transactionNumber?: number },
    answer: TransactionAnswer,
  ): TseSignature {
    const { number: transactionNumber, log, signature } = answer
    if (call.transactionNumber !== undefined && call.transactionNumber !== transactionNumber) {
      throw new DeviceError('the answer is about another transaction')
    }
    return this.unit.proven(operation, call, {
      transactionNumber,
      moment: new Date(log.timestamp * 1000),
      signatureCounter: signature.counter,
      signature: signature.value,
    })
  }

  // ---------------------------------------------------------- states and clients

  async setState(state: TseState, limit: CallLimit): Promise<TseState> {
    const budget = this.budget(limit)
    const current = STATES[(await this.tss(budget)).state] ?? TSE_STATES.uninitialized
    const isStep = state === current + 1 || (state === TSE_STATES.terminated && current !== state)
    if (!isStep) return current
    const wanted = state === TSE_STATES.initialized ? 'INITIALIZED' : 'DISABLED'
    const call = {
      method: 'PATCH',
      path: '',
      body: { state: wanted },
      schema: answers.tss,
    } as const
    const told = await this.link.askAsAdmin(call, budget)
    return STATES[told.state] ?? TSE_STATES.uninitialized
  }

  async registerClient(clientId: string, limit: CallLimit): Promise<string[]> {
    const budget = this.budget(limit)
    const registered = await this.clients(budget)
    if (registered.includes(clientId)) return registered
    const { tssId } = fiskalyAccessOf(this.unit.scu)
    const [before] = await this.find(clientId, budget)
    const path = `/client/${before?._id ?? workId('client', tssId, clientId)}`
    const schema = answers.none
    const call =
      before === undefined
        ? ({ method: 'PUT', path, body: { serial_number: clientId }, schema } as const)
        : ({ method: 'PATCH', path, body: { state: 'REGISTERED' }, schema } as const)
    await this.link.askAsAdmin(call, budget)
    return this.clients(budget)
  }

  async unregisterClient(clientId: string, limit: CallLimit): Promise<string[]> {
    const budget = this.budget(limit)
    const [found] = await this.find(clientId, budget)
    if (found?.state === 'REGISTERED') {
      const body = { state: 'DEREGISTERED' }
      const path = `/client/${found._id}`
      await this.link.askAsAdmin({ method: 'PATCH', path, body, schema: answers.none }, budget)
      this.clientIds.delete(clientId)
    }
    return this.clients(budget)
  }

  /** The service keeps its own clock and tests itself. */
  async setTime(): Promise<void> {}

  async selfTest(): Promise<void> {}

  async exportMemory(_erase: boolean, limit: CallLimit): Promise<MemoryExport> {
    const memory = await exportKept(this.exporting(limit), false)
    // one that waited for its closing may be more than the row knows of
    const { exportedTo = 0 } = this.unit.state()
    this.unit.change({ exportedTo: Math.max(exportedTo, memory.to) })
    return memory
  }

  // ------------------------------------------------------------------------ inside

  private exporting(limit: CallLimit): Exporting {
    const { unit, link } = this
    const budget = this.budget(limit)
    const last = async () => (await this.tss(budget)).signature_counter ?? 0
    const steps = fiskalyExport({ unit, link, budget, last })
    return { scu: unit.scu, tools: unit.tools, budget, steps }
  }

  private async known(budget: TimeBudget): Promise<void> {
    if (this.unit.state().identity === undefined) await this.tss(budget)
    this.unit.judge()
  }

  private async tss(budget: TimeBudget) {
    const told = await this.link.ask({ method: 'GET', path: '', schema: answers.tss }, budget)
    const identity = identityOf({
      certificates: [certificateBytes(told.certificate)],
      serial: told.serial_number,
      algorithm: told.signature_algorithm ?? 'ecdsa-plain-SHA256',
      logTimeFormat: told.signature_timestamp_format ?? 'unixTime',
      certificationId: told.bsi_certification_id ?? '',
    })
    this.unit.meet(identity, told._env === 'TEST' ? 'test' : 'live')
    return told
  }

  /** Serial numbers of the registered ones. */
  private async clients(budget: TimeBudget): Promise<string[]> {
    const serials: string[] = []
    for (let offset = 0; ; offset += PAGE) {
      const path = `/client?limit=${PAGE}&offset=${offset}&state=REGISTERED`
      const { data } = await this.link.ask({ method: 'GET', path, schema: answers.clients }, budget)
      for (const { _id, serial_number: serial } of data) {
        serials.push(serial)
        this.clientIds.set(serial, _id)
      }
      if (data.length < PAGE) return serials
    }
  }

  private async find(serial: string, budget: TimeBudget) {
    const path = `/client?serial_number=${encodeURIComponent(serial)}`
    return (await this.link.ask({ method: 'GET', path, schema: answers.clients }, budget)).data
  }

  private async clientOf(serial: string, budget: TimeBudget): Promise<string> {
    const known = this.clientIds.get(serial)
    if (known !== undefined) return known
    const found = (await this.find(serial, budget)).find((one) => one.state === 'REGISTERED')
    if (found === undefined) throw new DeviceRefusal(`${serial} is no registered client`)
    this.clientIds.set(serial, found._id)
    return found._id
  }

  private async started(budget: TimeBudget): Promise<number[]> {
    const numbers: number[] = []
    for (let offset = 0; ; offset += PAGE) {
      const path = `/tx?states[0]=ACTIVE&limit=${PAGE}&offset=${offset}`
      const call = { method: 'GET', path, schema: answers.transactions } as const
      const { data } = await this.link.ask(call, budget)
      numbers.push(...data.map(({ number }) => number))
      if (data.length < PAGE) return numbers.sort((a, b) => a - b)
    }
  }
}

const STALE: ReadonlySet<string> = new Set(['E_TX_UPSERT', 'E_TX_REVISION_NOT_FOUND'])

function isStale(error: unknown): boolean {
  return error instanceof CallRefused && STALE.has(error.code)
}

/** What the service has signed last is what this call wants to have signed. */
function isOurs(state: string, call: TransactionCall, found: TransactionAnswer): boolean {
  const raw = found.schema?.raw
  const wanted = RAW(call)
  return (
    found.state === state &&
    found.client_serial_number === call.clientId &&
    raw?.process_type === wanted.process_type &&
    raw.process_data === wanted.process_data
  )
}

/** DER, or the text of a PEM, in base64. */
function certificateBytes(base64: string): Buffer {
  return Buffer.from(base64, 'base64')
}
