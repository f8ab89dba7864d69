// Payments from the request of a register to the items it passes on: finds the terminal, lets it
// work without a connection to the database, keeps what was paid.
import { setTimeout as sleep } from 'node:timers/promises'
import type { DriverTools } from '../../device/device.js'
import { checkPayable } from '../../device/payment/currency.js'
import type {
  PaymentOrder,
  PaymentProvider,
  PaymentRun,
  Terminal,
} from '../../device/payment/order.js'
import { failedWith, isFailure } from '../../device/payment/result.js'
import { FiscalError, fail } from '../../errors.js'
import type { Market } from '../../market/contract.js'
import { createTestProvider } from '../../simulator/payment/provider.js'
import type { Store } from '../../store/client.js'
import { isClaimedAhead, keepPayment, releaseCancellation } from '../../store/operation/payments.js'
import { terminalsOfBox } from '../../store/operation/terminals.js'
import type { Operations, StoredOperation } from '../operation/operation.js'
import type { PaymentCall } from './call.js'
import { type Claimed, claim, findOriginal } from './cancellation.js'
import { chooseTerminal, type Open, takesPart, terminalsHere } from './choice.js'
import type { Patience } from './http-provider.js'
import { itemsOf, type PaidItem } from './items.js'
import { openProvider, TEST_PROVIDER } from './providers.js'
import { HeardStop } from './stop-wish.js'
import { namedOperation, type PaymentEnd, stoppedItem, stopRunning } from './stopping.js'

export interface PaymentDeps {
  store: Store
  fetch: DriverTools['fetch']
  now(): Date
  marketOf(code: string): Market
  sandbox: boolean
  /** DUMMY_PAYMENT_TIME_SCALE */
  scale: number
  log: { error(details: object, message: string): void }
  operations: Pick<Operations, 'find' | 'stop' | 'onStop'>
  endOf(ended: Pick<StoredOperation, 'status' | 'response'>): PaymentEnd
  /** Shorter in tests. */
  patience?: Patience
}

export interface Paid {
  items: PaidItem[]
  moment: Date
}

export interface Payments {
  /** Finds the terminal; nothing has happened yet. Throws PROVIDER_NONE. */
  prepare(call: PaymentCall): Promise<{ run(): Promise<Paid> }>
  /** Gives what runs this much time, then ends it with PAYMENT_UNKNOWN. */
  close(patienceMs: number): Promise<void>
}

export function createPayments(deps: PaymentDeps): Payments {
  return new Desk(deps)
}

/** Between two tries to reach the database. */
const AGAIN_MS = 1_000

interface Plan extends Open {
  call: PaymentCall
  order: PaymentOrder
}

/** What may end it early. */
interface Held {
  signal: AbortSignal
  stop: HeardStop
}

class Desk implements Payments {
  private readonly deps: PaymentDeps
  private readonly test: PaymentProvider
  private readonly running = new Map<AbortController, Promise<unknown>>()
  private closed = false

  constructor(deps: PaymentDeps) {
    this.deps = deps
    this.test = createTestProvider(deps.scale)
  }

  async prepare(call: PaymentCall): Promise<{ run(): Promise<Paid> }> {
    const { store, sandbox, marketOf } = this.deps
    const { request, cashBoxId } = call
    const currency = request.currency ?? marketOf(call.market).facts.currency
    checkPayable(request.amount, currency)
    const stored = await terminalsOfBox(store, call)
    const original =
      request.action === 'payment' ? undefined : await findOriginal(store, call, request.original)
    const candidates = terminalsHere(stored, { sandbox })
      .filter((terminal) => takesPart(terminal, request))
      .map((terminal) => ({ terminal, provider: this.open(terminal) }))
    const isOurs = original !== undefined && original.action !== 'foreign'
    const chosen = chooseTerminal({
      candidates,
      request,
      preferred: isOurs ? original.terminalId : undefined,
      place: { cashBoxId, sandbox },
    })
    const order: PaymentOrder = {
      operationId: call.operationId,
      action: request.action,
      amount: request.amount,
      currency,
      description: request.description,
      terminalId: request.terminalId,
      originalId: original?.reference ?? request.original.references[0],
    }
    return { run: () => this.tracked({ ...chosen, call, order }) }
  }

  async close(patienceMs: number): Promise<void> {
    this.closed = true
    if (this.running.size === 0) return
    const ended = Promise.allSettled(this.running.values())
    const timer = new AbortController()
    await Promise.race([ended, sleep(patienceMs, undefined, { signal: timer.signal })])
    timer.abort()
    for (const controller of this.running.keys()) controller.abort()
    await ended
  }

  private open(terminal: Terminal): PaymentProvider {
    if (terminal.provider === TEST_PROVIDER) return this.test
    return openProvider(terminal, this.deps.patience)
  }

  private async tracked(plan: Plan): Promise<Paid> {
    const controller = new AbortController()
    if (this.closed) controller.abort()
    const stop = new HeardStop()
    const { accountId, cashBoxId, operationId: id } = plan.call
    const key = { accountId, cashBoxId, id }
    stop.hearFrom(this.deps.operations.onStop(key, () => stop.ask()))
    const work = this.carry(plan, { signal: controller.signal, stop })
    this.running.set(controller, work)
    try {
      return await work
    } catch (error) {
      // how it ended at the terminal nobody knows; a refusal is known even now
      const known = error instanceof FiscalError && isFailure(error)
      throw controller.signal.aborted && !known ? fail('PAYMENT_UNKNOWN') : error
    } finally {
      stop.end()
      this.running.delete(controller)
    }
  }

  private async carry(plan: Plan, held: Held): Promise<Paid> {
    const { call, order } = plan
    const { signal } = held
    signal.throwIfAborted()
    if (await this.insisting(signal, () => isClaimedAhead(this.deps.store, call))) {
      throw failedWith('CANCELLED', 'the register has stopped it before it began')
    }
    if (order.action === 'cancel') return this.cancel(plan, held)
    if (order.action === 'refund') await this.refuseRunning(call, signal)
    return this.carriedOut(plan, held)
  }

  /** What runs is stopped; anything else is the terminal's to take back. */
  private async cancel(plan: Plan, held: Held): Promise<Paid> {
    const { call } = plan
    if (await this.stopped(call, held)) return this.nothingTaken(plan)
    const claimed = await this.claim(call, held.signal)
    const unknown = claimed?.unknown === true
    try {
      // what has begun in between may not have seen the claim, and then is seen itself
      if (unknown && (await this.stopped(call, held, true))) return this.nothingTaken(plan)
    } catch (error) {
      if (claimed !== undefined) await this.release(claimed, error)
      throw error
    }
    try {
      const paid = await this.atTerminal(plan, held)
      if (unknown && (await this.neverTaken(plan, held))) return this.nothingTaken(plan)
      await this.keep(plan, paid, held.signal)
      return paid
    } catch (error) {
      if (claimed !== undefined) await this.release(claimed, error)
      const refused = error instanceof FiscalError && isFailure(error) && !held.stop.asked
      // what has begun since then has seen the claim or goes on from now on
      if (refused && unknown && (await this.stopped(call, held, true))) {
        return this.nothingTaken(plan)
      }
      throw error
    }
  }

  /**
   * The test terminal gives back whatever it is told to. Where the payment has begun meanwhile, and
   * has ended because of the claim, there is nothing to give back; a real one knows what it did.
   */
  private async neverTaken({ call, terminal }: Plan, held: Held): Promise<boolean> {
    return terminal.provider === TEST_PROVIDER && (await this.stopped(call, held, true))
  }

  private nothingTaken({ call, terminal }: Plan): Paid {
    return { items: [stoppedItem(call, terminal.provider)], moment: this.deps.now() }
  }

  private async carriedOut(plan: Plan, held: Held): Promise<Paid> {
    const paid = await this.atTerminal(plan, held)
    await this.keep(plan, paid, held.signal)
    return paid
  }

  private async atTerminal(plan: Plan, { signal, stop }: Held): Promise<Paid> {
    const { call, order, provider, terminal } = plan
    const carry = provider[order.action]
    if (carry === undefined) throw new Error(`${terminal.provider} has no ${order.action}`)
    if (stop.asked) {
      throw failedWith('CANCELLED', 'the register has stopped it before the terminal was asked')
    }
    if (provider.stops !== true) stop.refuseAlways()
    const run: PaymentRun = {
      fetch: this.deps.fetch,
      sleep: (milliseconds, ended) =>
        sleep(milliseconds, undefined, {
          signal: ended === undefined ? signal : AbortSignal.any([signal, ended]),
        }),
      ...{ signal, stop },
    }
    const result = await carry(order, run)
    const items = itemsOf(order, result, { provider: terminal.provider, market: call.market })
    return { items, moment: this.deps.now() }
  }

  private stopped(call: PaymentCall, { signal, stop }: Held, ahead = false): Promise<boolean> {
    const ended = new Promise<never>((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason), { once: true })
    })
    void Promise.allSettled([ended])
    const asked = { call, own: stop, ahead }
    return Promise.race([ended, this.insisting(signal, () => stopRunning(this.deps, asked))])
  }

  /** Nothing is given back of what may never be taken. */
  private async refuseRunning(call: PaymentCall, signal: AbortSignal): Promise<void> {
    const named = await this.insisting(signal, () => namedOperation(this.deps, call))
    if (named?.state !== 'running') return
    throw failedWith('DECLINED', 'that payment still runs; wait for its end, or cancel it')
  }

  private claim(call: PaymentCall, signal: AbortSignal): Promise<Claimed | undefined> {
    const { operationId, request } = call
    return this.insisting(signal, () =>
      claim({
        store: this.deps.store,
        box: call,
        original: request.original,
        operationId,
        now: this.deps.now(),
      }),
    )
  }

  /** The money has moved: whatever happens here, the register is told so. */
  private async keep(plan: Plan, { items, moment }: Paid, signal: AbortSignal): Promise<void> {
    const { call, order, terminal } = plan
    const [main] = items
    if (main === undefined) return
    try {
      await this.insisting(signal, () =>
        keepPayment(this.deps.store, {
          ...{ accountId: call.accountId, cashBoxId: call.cashBoxId, id: main.id },
          ...{ reference: order.operationId, action: order.action, terminalId: terminal.id },
          ...{ cancelledBy: null, createdAt: moment },
        }),
      )
    } catch (error) {
      this.deps.log.error({ err: error, operationId: order.operationId }, 'a payment was not noted')
    }
  }

  /** Only after an end that is known; any other one leaves the mark, which fails with its owner. */
  private async release(claimed: Claimed, error: unknown): Promise<void> {
    if (!(error instanceof FiscalError && isFailure(error))) return
    try {
      await releaseCancellation(this.deps.store, claimed)
    } catch (broken) {
      const { operationId } = claimed
      this.deps.log.error({ err: broken, operationId }, 'a cancellation keeps its mark')
    }
  }

  /** A payment that was begun outlives a database that is away for a while. */
  private async insisting<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await work()
      } catch (error) {
        if (!(error instanceof FiscalError && error.code === 'DATABASE_AWAY')) throw error
        await sleep(AGAIN_MS, undefined, { signal })
      }
    }
  }
}
