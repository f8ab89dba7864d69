// A payment terminal that moves no money: speaks the messages of docs/payments.md over HTTP and
// knows the test amounts.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { type PaymentAction, paymentActions } from '../../device/payment/order.js'
import { numberOf } from '../../device/payment/result.js'
import { Decimal } from '../../lib/decimal.js'
import { JsonError, JsonNumber, JsonObject, parseJson } from '../../lib/json.js'
import { writeJson } from '../../lib/json-write.js'
import { testAmounts, testReasons, testReceipt, testRuleOf } from './rules.js'

export interface SimulatorOptions {
  /** Makes its waits shorter or longer. */
  scale: number
  /** Told of every operation that begins. */
  onBegin?(operation: SimulatedOrder): void
}

export interface SimulatedOrder {
  operationId: string
  action: PaymentAction
  amount: Decimal
  currency: string
  terminalId: string
  originalId: string | undefined
}

interface Entry {
  /** Undefined while it runs. */
  answer: object | undefined
  end: Promise<object>
  /** False: it is over. */
  stop(): boolean
}

const MOST_BODY_BYTES = 64 * 1024
const MOST_OPERATIONS = 10_000

export class TerminalSimulator {
  private readonly options: SimulatorOptions
  private readonly operations = new Map<string, Entry>()
  private readonly cancelled = new Set<string>()

  constructor(options: SimulatorOptions) {
    this.options = options
  }

  /** For node:http; never rejects. */
  async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const body = await bodyText(request)
      const { status, value } = await this.answer(request, body)
      response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' })
      response.end(writeJson(value))
    } catch (error) {
      const wrong = error instanceof JsonError || error instanceof RangeError
      response.writeHead(wrong ? 400 : 500, { 'content-type': 'application/json' })
      response.end(writeJson({ Message: error instanceof Error ? error.message : 'broken' }))
    }
  }

  private async answer(
    { method, url = '' }: IncomingMessage,
    body: string,
  ): Promise<{ status: number; value: object }> {
    const path = url.split('?')[0] ?? ''
    const asked = /\/operations\/([^/]+)$/.exec(path)?.[1]
    if (method === 'GET' && asked !== undefined) return this.state(decodeURIComponent(asked))
    const stopped = /\/operations\/([^/]+)\/abort$/.exec(path)?.[1]
    if (method === 'POST' && stopped !== undefined) return this.stop(decodeURIComponent(stopped))
    if (method !== 'POST' || !/\/(pay|refund|cancel)$/.test(path)) {
      return { status: 404, value: { Message: 'this terminal has no such address' } }
    }
    const entry = this.begun(orderOf(body))
    return { status: 200, value: await entry.end }
  }

  private state(operationId: string): { status: number; value: object } {
    const entry = this.operations.get(operationId.toLowerCase())
    if (entry === undefined) return { status: 404, value: { Message: 'never heard of it' } }
    const running = { OperationID: operationId, Result: 'RUNNING' }
    return { status: 200, value: entry.answer ?? running }
  }

  /** The end itself is told as the answer to the order, and by its state. */
  private stop(operationId: string): { status: number; value: object } {
    const entry = this.operations.get(operationId.toLowerCase())
    if (entry === undefined) return { status: 404, value: { Message: 'never heard of it' } }
    if (entry.stop()) return this.state(operationId)
    return { status: 409, value: { OperationID: operationId, Message: 'it is over' } }
  }

  /** Once per operation id: a repetition gets the end of the first one. */
  private begun(order: SimulatedOrder): Entry {
    const id = order.operationId.toLowerCase()
    const known = this.operations.get(id)
    if (known !== undefined) return known
    const ending = new AbortController()
    const entry: Entry = {
      answer: undefined,
      end: this.carry(order, ending.signal),
      stop: () => {
        if (entry.answer === undefined) ending.abort()
        return entry.answer === undefined
      },
    }
    this.operations.set(id, entry)
    void entry.end.then((answer) => {
      entry.answer = answer
    })
    if (this.operations.size > MOST_OPERATIONS) this.forgetOldest()
    this.options.onBegin?.(order)
    return entry
  }

  private forgetOldest(): void {
    for (const [id, { answer }] of this.operations) {
      if (answer === undefined) continue
      this.operations.delete(id)
      return
    }
  }

  private async carry(order: SimulatedOrder, stop: AbortSignal): Promise<object> {
    const { operationId: OperationID, amount, action } = order
    const rule = testRuleOf(action, amount)
    const wait = sleep(rule.delayMs * this.options.scale, true, { ref: false, signal: stop })
    if (!(await wait.catch(() => false))) {
      return { OperationID, Result: 'CANCELLED', Message: 'stopped by the register' }
    }
    if (rule.result !== 'SUCCESS') {
      return { OperationID, Result: rule.result, Message: testReasons[rule.result] }
    }
    if (action === 'cancel' && !this.cancels(order.originalId)) {
      return { OperationID, Result: 'DECLINED', Message: 'this payment is cancelled already' }
    }
    const amounts = testAmounts(amount, rule)
    return {
      OperationID,
      Amount: numberOf(amounts.charged),
      ...(amounts.tip.isZero ? {} : { Tip: numberOf(amounts.tip) }),
      Result: rule.result,
      Receipt: testReceipt(order, amounts),
    }
  }

  /** False for a payment that is cancelled; one of elsewhere may be. */
  private cancels(originalId: string | undefined): boolean {
    if (originalId === undefined) return true
    const id = originalId.toLowerCase()
    if (this.cancelled.has(id)) return false
    this.cancelled.add(id)
    return true
  }
}

async function bodyText(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  let length = 0
  for await (const part of request) {
    const bytes: Buffer = part
    length += bytes.length
    if (length > MOST_BODY_BYTES) throw new RangeError('the body is too large')
    parts.push(bytes)
  }
  return Buffer.concat(parts).toString('utf8')
}

function orderOf(body: string): SimulatedOrder {
  const value = parseJson(body)
  if (!(value instanceof JsonObject)) throw new RangeError('expected an object')
  const text = (name: string) => {
    const member = value.get(name)
    return typeof member === 'string' && member !== '' ? member : undefined
  }
  const number = value.get('Amount')
  const amount = number instanceof JsonNumber ? Decimal.parse(number.text) : undefined
  const action = paymentActions.find((one) => one === text('Action'))
  const operationId = text('OperationID')
  if (amount === undefined || action === undefined || operationId === undefined) {
    throw new RangeError('expected OperationID, Action and Amount')
  }
  return {
    operationId,
    action,
    amount,
    currency: text('Currency') ?? 'EUR',
    terminalId: text('cbTerminalID') ?? '',
    originalId: text('OriginalOperationID'),
  }
}

export interface RunningSimulator {
  /** `http://127.0.0.1:9700` */
  url: string
  close(): Promise<void>
}

/** On this machine only; port 0 takes a free one. */
export async function startSimulator(
  options: SimulatorOptions & { port: number },
): Promise<RunningSimulator> {
  const simulator = new TerminalSimulator(options)
  const server = createServer((request, response) => void simulator.serve(request, response))
  const port = await listen(server, options.port)
  return {
    url: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((done) => {
        server.close(() => done())
        server.closeAllConnections()
      }),
  }
}

function listen(server: Server, wanted: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(wanted, '127.0.0.1', () => {
      const address = server.address()
      resolve(typeof address === 'object' && address !== null ? address.port : wanted)
    })
  })
}
