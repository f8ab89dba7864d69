// The answer of a terminal over HTTP, read with suspicion: only what fits the order is a success.

import type { PaymentOrder, PaymentResult } from '../../device/payment/order.js'
import { type FailedResult, failedResults, numberOf } from '../../device/payment/result.js'
import { Decimal } from '../../lib/decimal.js'
import { JsonNumber, type JsonObject, type JsonValue, objectIn } from '../../lib/json.js'
import { utf8Text } from '../../lib/text.js'

export type TerminalAnswer =
  | { kind: 'running' }
  | { kind: 'failed'; result: FailedResult; reason: string }
  | { kind: 'success'; result: Omit<PaymentResult, 'request'> }
  /** Garbage, or about something else; says nothing about the payment. */
  | { kind: 'unreadable' }

const LONGEST_TEXT = 200
const LONGEST_LINE = 200
const MOST_LINES = 200
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it removes
const CONTROL = /[\u0000-\u001f\u007f-\u009f]/g

export function readTerminalAnswer(body: Buffer, order: PaymentOrder): TerminalAnswer {
  const answer = objectOf(body)
  if (answer === undefined) return { kind: 'unreadable' }
  const id = answer.get('OperationID')
  const result = answer.get('Result')
  const own = typeof id === 'string' && id.toLowerCase() === order.operationId.toLowerCase()
  if (!own) return { kind: 'unreadable' }
  if (result === 'RUNNING') return { kind: 'running' }
  const failed = failedResults.find((one) => one === result)
  if (failed !== undefined) return { kind: 'failed', result: failed, reason: reasonOf(answer) }
  return result === 'SUCCESS' ? successOf(answer, order) : { kind: 'unreadable' }
}

function objectOf(body: Buffer): JsonObject | undefined {
  const text = utf8Text(body)
  return text === undefined ? undefined : objectIn(text)
}

function reasonOf(answer: JsonObject): string {
  const message = textOf(answer.get('Message'))
  return message === undefined ? 'the terminal gave no reason' : `the terminal says: ${message}`
}

function successOf(answer: JsonObject, order: PaymentOrder): TerminalAnswer {
  const charged = decimalOf(answer.get('Amount'))
  const tip = decimalOf(answer.get('Tip') ?? new JsonNumber('0'))
  if (charged === undefined || tip === undefined || !fits(order, charged, tip)) {
    return { kind: 'unreadable' }
  }
  const transaction = textOf(answer.get('TransactionID'))
  return {
    kind: 'success',
    result: {
      charged,
      tip,
      response: {
        OperationID: order.operationId,
        Amount: numberOf(charged),
        ...(tip.isZero ? {} : { Tip: numberOf(tip) }),
        Result: 'SUCCESS',
        ...(transaction === undefined ? {} : { TransactionID: transaction }),
      },
      receipt: linesOf(answer.get('Receipt')),
    },
  }
}

/** Same direction, no more than was asked for, tips on payments only. */
function fits(order: PaymentOrder, charged: Decimal, tip: Decimal): boolean {
  if (tip.isNegative || (order.action !== 'payment' && !tip.isZero)) return false
  const approved = charged.minus(tip)
  const rest = order.amount.minus(approved)
  if (order.amount.isPositive) return approved.isPositive && !rest.isNegative
  return approved.isNegative && !rest.isPositive
}

function decimalOf(value: JsonValue | undefined): Decimal | undefined {
  return value instanceof JsonNumber ? Decimal.parse(value.text) : undefined
}

function textOf(value: JsonValue | undefined): string | undefined {
  if (typeof value !== 'string' || value === '') return undefined
  return value.replace(CONTROL, ' ').slice(0, LONGEST_TEXT).toWellFormed()
}

/** They go on to a receipt, where control characters would be refused or printed as commands. */
function linesOf(value: JsonValue | undefined): string[] {
  if (!Array.isArray(value)) return []
  return value
    .filter((line) => typeof line === 'string')
    .slice(0, MOST_LINES)
    .map((line) => line.replace(CONTROL, ' ').slice(0, LONGEST_LINE).toWellFormed())
}
