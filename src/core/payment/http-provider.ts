// The driver of terminals that speak HTTP and JSON (docs/payments.md has the messages). A payment
// has as much time as it needs, and nothing is decided over a lost connection: the terminal is
// asked again by operation id.

import { OutboundError, type OutboundRequest } from '../../device/outbound.js'
import type {
  PaymentOrder,
  PaymentProvider,
  PaymentResult,
  PaymentRun,
} from '../../device/payment/order.js'
import { failedWith, numberOf } from '../../device/payment/result.js'
import { fail } from '../../errors.js'
import { writeJson } from '../../lib/json-write.js'
import { readTerminalAnswer, type TerminalAnswer } from './terminal-answer.js'

/** How a protocol is spoken: everything that differs between them. */
export interface HttpProtocol {
  /** Below the terminal's address; a missing one: the terminal cannot do that. */
  paths: { payment: string; refund?: string; cancel?: string }
  /** Tells how an operation stands; `{id}` is its id. */
  status: string
  /** Asks to stop it; missing: the terminal cannot do that. */
  abort?: string
}

/** Patience with a terminal that does not answer; a payment itself has no limit. */
export interface Patience {
  /** Between two questions. */
  pauseMs: number
  /** For the answer to one. */
  questionMs: number
  /** Without any sign of life, until the payment is given up as lost. */
  lostMs: number
}

const PATIENCE: Patience = { pauseMs: 1_000, questionMs: 10_000, lostMs: 300_000 }

export function createHttpProvider(
  protocol: HttpProtocol,
  address: string,
  patience: Patience = PATIENCE,
): PaymentProvider {
  const carry = (order: PaymentOrder, run: PaymentRun) =>
    new Conversation({ protocol, address, patience, order, run }).carry()
  return {
    payment: carry,
    ...(protocol.paths.refund === undefined ? {} : { refund: carry }),
    ...(protocol.paths.cancel === undefined ? {} : { cancel: carry }),
    stops: protocol.abort !== undefined,
  }
}

interface ConversationParts {
  protocol: HttpProtocol
  address: string
  patience: Patience
  order: PaymentOrder
  run: PaymentRun
}

const MOST_ANSWER_BYTES = 256 * 1024
/** Refusals that may be about the moment or the way there, not about the request. */
const PASSING = new Set([408, 409, 425, 429])
/** Answers that say nothing about the wish to stop. */
const BUSY = new Set([408, 425, 429])
/** The connection did not come about: nothing was sent. */
const NOT_SENT = new Set([
  ...['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH'],
  ...['DEPTH_ZERO_SELF_SIGNED_CERT', 'SELF_SIGNED_CERT_IN_CHAIN', 'CERT_HAS_EXPIRED'],
  ...['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'ERR_TLS_CERT_ALTNAME_INVALID'],
])
/** A terminal that says twice that it never saw the operation: the request did not arrive. */
const MISSES = 2

class Conversation {
  private readonly parts: ConversationParts
  private readonly message: object
  /** The terminal has spoken of this operation. */
  private known = false
  private misses = 0
  /** How often it did not know what it was to stop. */
  private unheard = 0
  /** One end is known: whatever else was asked is asked no more. */
  private readonly over = new AbortController()

  constructor(parts: ConversationParts) {
    this.parts = parts
    const { order } = parts
    this.message = {
      OperationID: order.operationId,
      Action: order.action,
      Amount: numberOf(order.amount),
      Currency: order.currency,
      Description: order.description,
      cbTerminalID: order.terminalId,
      ...(order.originalId === undefined ? {} : { OriginalOperationID: order.originalId }),
    }
  }

  /** The first end that the terminal tells: to the order, or when it was asked to stop. */
  async carry(): Promise<PaymentResult> {
    const ends = [this.ordered(), this.stopped()]
    void Promise.allSettled(ends)
    try {
      return await Promise.race(ends)
    } finally {
      this.over.abort()
    }
  }

  private async ordered(): Promise<PaymentResult> {
    return this.settled(await this.begin()) ?? this.watch()
  }

  /** Never ends as long as nobody asks, or the terminal says no. */
  private async stopped(): Promise<PaymentResult> {
    const { run, patience } = this.parts
    for (;;) {
      await run.stop.next()
      const said = await this.askToStop()
      if (said === 'yes') return this.untilEnd()
      if (said === 'no') run.stop.refuse()
      else await this.pause(patience.pauseMs)
    }
  }

  /** Three answers: it stops, it does not, and none. */
  private async askToStop(): Promise<'yes' | 'no' | 'none'> {
    const { protocol, order, patience } = this.parts
    const { operationId } = order
    try {
      const { status } = await this.send(pathOf(protocol.abort ?? '', operationId), {
        method: 'POST',
        headers: { accept: 'application/json', 'content-type': 'application/json' },
        body: writeJson({ OperationID: operationId }),
        timeoutMs: patience.questionMs,
      })
      if (status >= 200 && status < 300) return 'yes'
      // the order may still be on its way
      if (status === 404 && this.unheard++ < MISSES) return 'none'
      return status >= 400 && status < 500 && !BUSY.has(status) ? 'no' : 'none'
    } catch (error) {
      if (isGivenUp(error)) throw error
      return 'none'
    }
  }

  /** The answer to the order may be lost or late; what the terminal says of it counts as much. */
  private async untilEnd(): Promise<PaymentResult> {
    const { pauseMs, lostMs } = this.parts.patience
    let sign = performance.now()
    for (;;) {
      const answer = await this.state()
      const result = this.settled(answer)
      if (result !== undefined) return result
      if (answer.kind === 'running') sign = performance.now()
      if (performance.now() - sign > lostMs) {
        throw fail('PAYMENT_LOST', { reason: 'it was to stop and has not answered since' })
      }
      await this.pause(pauseMs)
    }
  }

  /** Sends the order and waits for its end, however long that takes. */
  private async begin(): Promise<TerminalAnswer> {
    const { protocol, order } = this.parts
    try {
      const { status, body } = await this.send(protocol.paths[order.action] ?? '', {
        method: 'POST',
        headers: { accept: 'application/json', 'content-type': 'application/json' },
        body: writeJson(this.message),
        timeoutMs: Number.POSITIVE_INFINITY,
      })
      if (status === 200 || status === 201) return readTerminalAnswer(body, order)
      if (status < 400 || status >= 500 || PASSING.has(status)) return { kind: 'unreadable' }
      const reason = `the terminal refused the request with status ${status}`
      return { kind: 'failed', result: 'DECLINED', reason }
    } catch (error) {
      return afterLoss(error)
    }
  }

  /** Asks until the terminal tells the end. */
  private async watch(): Promise<PaymentResult> {
    const { pauseMs, lostMs } = this.parts.patience
    let sign = performance.now()
    for (;;) {
      await this.pause(pauseMs)
      const answer = await this.ask()
      const result = this.settled(answer)
      if (result !== undefined) return result
      if (answer.kind === 'running') sign = performance.now()
      if (performance.now() - sign > lostMs) {
        throw fail('PAYMENT_LOST', { reason: 'it has not answered for too long' })
      }
    }
  }

  /** Behind a lost order: what the terminal never heard of has not begun. */
  private async ask(): Promise<TerminalAnswer> {
    const answer = await this.state()
    this.misses = answer.kind === 'missing' ? this.misses + 1 : 0
    if (answer.kind !== 'missing') return answer
    if (this.known || this.misses < MISSES) return { kind: 'unreadable' }
    const reason = 'the request did not reach the terminal, nothing was charged'
    return { kind: 'failed', result: 'DECLINED', reason }
  }

  private async state(): Promise<TerminalAnswer | { kind: 'missing' }> {
    const { protocol, order, patience } = this.parts
    try {
      const { status, body } = await this.send(pathOf(protocol.status, order.operationId), {
        method: 'GET',
        headers: { accept: 'application/json' },
        timeoutMs: patience.questionMs,
        repeatable: true,
      })
      if (status === 200) return readTerminalAnswer(body, order)
      return { kind: status === 404 ? 'missing' : 'unreadable' }
    } catch (error) {
      if (isGivenUp(error)) throw error
      return { kind: 'unreadable' }
    }
  }

  private pause(milliseconds: number): Promise<void> {
    return this.parts.run.sleep(milliseconds, this.over.signal)
  }

  private send(path: string, request: Omit<OutboundRequest, 'maxBytes'>) {
    const { run, address } = this.parts
    const signal = AbortSignal.any([run.signal, this.over.signal])
    const call = { maxBytes: MOST_ANSWER_BYTES, named: true, signal, ...request }
    return run.fetch(`${address}${path}`, call)
  }

  /** Undefined: not over. */
  private settled(answer: TerminalAnswer | { kind: 'missing' }): PaymentResult | undefined {
    if (answer.kind === 'failed') throw failedWith(answer.result, answer.reason)
    if (answer.kind === 'success') return { ...answer.result, request: this.message }
    if (answer.kind === 'running') this.known = true
    return undefined
  }
}

const pathOf = (path: string, id: string): string => path.replace('{id}', encodeURIComponent(id))

function afterLoss(error: unknown): TerminalAnswer {
  if (isGivenUp(error) || !(error instanceof OutboundError)) throw error
  if (error.reason !== 'refused' && !NOT_SENT.has(error.message)) return { kind: 'unreadable' }
  const reason = `the terminal cannot be reached (${error.message}), nothing was charged`
  return { kind: 'failed', result: 'DECLINED', reason }
}

function isGivenUp(error: unknown): boolean {
  return error instanceof OutboundError && error.reason === 'aborted'
}
