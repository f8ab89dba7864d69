// The driver of terminals that speak HTTP and JSON (docs/payments.md has the messages). A payment
// has as much time as it needs, and nothing is decided over a lost connection: the terminal is
// asked again by operation id. Called by providers.ts.

import { OutboundError, type OutboundRequest } from '../../device/outbound.js'
import { fail } from '../../errors.js'
import { writeJson } from '../../lib/json-write.js'
import type { PaymentOrder, PaymentProvider, PaymentResult, PaymentRun } from './order.js'
import { failedWith, numberOf } from './result.js'
import { readTerminalAnswer, type TerminalAnswer } from './terminal-answer.js'

/** How a protocol is spoken: everything that differs between them. */
export interface HttpProtocol {
  /** Below the terminal's address; a missing one: the terminal cannot do that. */
  paths: { payment: string; refund?: string; cancel?: string }
  /** Tells how an operation stands; `{id}` is its id. */
  status: string
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

  async carry(): Promise<PaymentResult> {
    return this.settled(await this.begin()) ?? this.watch()
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
      await this.parts.run.sleep(pauseMs)
      const answer = await this.ask()
      const result = this.settled(answer)
      if (result !== undefined) return result
      if (answer.kind === 'running') sign = performance.now()
      if (performance.now() - sign > lostMs) {
        throw fail('PAYMENT_LOST', { reason: 'it has not answered for too long' })
      }
    }
  }

  private async ask(): Promise<TerminalAnswer> {
    const { protocol, order, patience } = this.parts
    try {
      const path = protocol.status.replace('{id}', encodeURIComponent(order.operationId))
      const { status, body } = await this.send(path, {
        method: 'GET',
        headers: { accept: 'application/json' },
        timeoutMs: patience.questionMs,
        repeatable: true,
      })
      if (status === 200) return readTerminalAnswer(body, order)
      this.misses = status === 404 ? this.misses + 1 : 0
      if (this.known || this.misses < MISSES) return { kind: 'unreadable' }
      const reason = 'the request did not reach the terminal, nothing was charged'
      return { kind: 'failed', result: 'DECLINED', reason }
    } catch (error) {
      if (isGivenUp(error)) throw error
      return { kind: 'unreadable' }
    }
  }

  private send(path: string, request: Omit<OutboundRequest, 'maxBytes'>) {
    const { run, address } = this.parts
    const call = { maxBytes: MOST_ANSWER_BYTES, named: true, signal: run.signal, ...request }
    return run.fetch(`${address}${path}`, call)
  }

  /** Undefined: not over. */
  private settled(answer: TerminalAnswer): PaymentResult | undefined {
    if (answer.kind === 'failed') throw failedWith(answer.result, answer.reason)
    if (answer.kind === 'success') return { ...answer.result, request: this.message }
    if (answer.kind === 'running') this.known = true
    return undefined
  }
}

function afterLoss(error: unknown): TerminalAnswer {
  if (isGivenUp(error) || !(error instanceof OutboundError)) throw error
  if (error.reason !== 'refused' && !NOT_SENT.has(error.message)) return { kind: 'unreadable' }
  const reason = `the terminal cannot be reached (${error.message}), nothing was charged`
  return { kind: 'failed', result: 'DECLINED', reason }
}

function isGivenUp(error: unknown): boolean {
  return error instanceof OutboundError && error.reason === 'aborted'
}
