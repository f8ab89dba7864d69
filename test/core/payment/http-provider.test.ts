// The HTTP driver against a simulated terminal on a real socket: every end, and every way to lose
// the connection.
import { randomUUID } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Patience } from '../../../src/core/payment/http-provider.js'
import { providers } from '../../../src/core/payment/providers.js'
import { HeardStop } from '../../../src/core/payment/stop-wish.js'
import { createOutbound } from '../../../src/device/outbound.js'
import type { PaymentAction, PaymentOrder } from '../../../src/device/payment/order.js'
import { Decimal } from '../../../src/lib/decimal.js'
import { type BentTerminal, codeOf, openTerminal, SCALE } from '../../support/payments.js'

const PATIENCE: Patience = { pauseMs: 10, questionMs: 1_000, lostMs: 250 }

let terminal: BentTerminal
let stop: AbortController

beforeEach(async () => {
  terminal = await openTerminal()
  stop = new AbortController()
})
afterEach(() => terminal.close())

interface Asked {
  amount?: string
  action?: PaymentAction
  provider?: string
  originalId?: string
  address?: string
  patience?: Patience
}

const orderOf = ({ amount = '10.00', action = 'payment', originalId }: Asked): PaymentOrder => ({
  ...{ operationId: randomUUID(), action, amount: Decimal.of(amount), currency: 'EUR' },
  ...{ description: 'Karte', terminalId: 'K1', originalId },
})

function carry(asked: Asked = {}, order = orderOf(asked)) {
  const row = providers[asked.provider ?? 'viva_eft_pos_instore']
  const provider = row?.open(asked.address ?? terminal.url, asked.patience ?? PATIENCE)
  const { signal } = stop
  const run = {
    ...{ fetch: createOutbound({ allow: [] }), signal },
    sleep: (ms: number, ended = signal) =>
      sleep(ms, undefined, { signal: AbortSignal.any([signal, ended]) }),
    stop: new HeardStop(),
  }
  const work = provider?.[order.action]?.(order, run)
  if (work === undefined) throw new Error('it cannot do that')
  return work
}

async function endOf(work: Promise<unknown>): Promise<string> {
  try {
    await work
    return 'SUCCESS'
  } catch (error) {
    return codeOf(error)
  }
}

function answer(response: ServerResponse, status: number, value: unknown): true {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  response.writeHead(status, { 'content-type': 'application/json' }).end(text)
  return true
}

/** Bends the first call of the order; questions are answered by the terminal. */
function bendOrder(bend: (response: ServerResponse, work: () => void) => boolean): void {
  terminal.bend = (request, response, work) => request.method === 'POST' && bend(response, work)
}

describe('the protocols', () => {
  it.each(Object.keys(providers))('%s pays', async (provider) => {
    const order = orderOf({ amount: '12.30' })
    const result = await carry({ provider }, order)
    expect(result.charged.toShortString()).toBe('12.3')
    expect(terminal.begun).toMatchObject([
      { operationId: order.operationId, action: 'payment', currency: 'EUR', terminalId: 'K1' },
    ])
  })

  it('all but one refund and cancel, and tell the id of the payment', async () => {
    const unable: string[] = []
    for (const [provider, row] of Object.entries(providers)) {
      const { refund, cancel } = row.open(terminal.url)
      if (refund === undefined || cancel === undefined) {
        unable.push(provider)
        continue
      }
      for (const action of ['refund', 'cancel'] as const) {
        const originalId = randomUUID()
        const result = await carry({ provider, action, amount: '-3', originalId })
        expect(result.charged.toShortString()).toBe('-3')
        expect(terminal.begun.at(-1)).toMatchObject({ action, originalId })
      }
    }
    expect(unable).toEqual(['hobex_softpos_posit'])
  })

  it('have paths of their own', async () => {
    for (const provider of Object.keys(providers)) await carry({ provider })
    expect(new Set(terminal.calls).size).toBe(Object.keys(providers).length)
  })
})

describe('an answer', () => {
  it('becomes amounts, receipt, and what was said in both directions', async () => {
    const order = orderOf({ amount: '30000.50' })
    const { charged, tip, request, response, receipt } = await carry({}, order)
    const OperationID = order.operationId
    expect([charged.toShortString(), tip.toShortString()]).toEqual(['30002.5', '2'])
    expect(request).toMatchObject({ OperationID, Amount: { text: '30000.5' }, cbTerminalID: 'K1' })
    expect(response).toMatchObject({
      ...{ OperationID, Amount: { text: '30002.5' } },
      ...{ Tip: { text: '2' }, Result: 'SUCCESS' },
    })
    expect(receipt[0]).toBe('** TEST PAYMENT **')
  })

  it.each([
    ['30000.10', 'PAYMENT_DECLINED'],
    ['30000.20', 'PAYMENT_TIMEOUT'],
    ['30000.40', 'PAYMENT_CANCELLED'],
  ])('for %s is %s', async (amount, code) => {
    expect(await endOf(carry({ amount }))).toBe(code)
    expect(terminal.calls).toHaveLength(1)
  })

  it('may be smaller than what was asked for', async () => {
    expect((await carry({ amount: '30000.90' })).charged.toShortString()).toBe('15000.5')
  })

  it('may take longer than any other call of ours', async () => {
    // longer than the patience for a question and for a lost terminal
    await terminal.close()
    terminal = await openTerminal({ scale: SCALE * 4 })
    const patience = { pauseMs: 10, questionMs: 100, lostMs: 100 }
    expect(await endOf(carry({ amount: '30000.80', patience }))).toBe('SUCCESS')
    expect(terminal.calls).toHaveLength(1)
  })

  it('loses control characters of a terminal, and lines without end', async () => {
    const order = orderOf({})
    bendOrder((response) =>
      answer(response, 200, {
        ...{ OperationID: order.operationId.toUpperCase(), Amount: 10, Result: 'SUCCESS' },
        ...{ TransactionID: 'T\u00001', Message: 'x', Receipt: ['a\u001bc', 7, 'x'.repeat(5000)] },
      }),
    )
    const { receipt, response } = await carry({}, order)
    expect(receipt).toEqual(['a c', 'x'.repeat(200)])
    expect(response).toMatchObject({ TransactionID: 'T 1' })
    expect(response).not.toHaveProperty('Message')
  })
})

describe('after a lost connection the terminal is asked again by operation id', () => {
  const settled = async (asked: Asked = {}) => {
    const order = orderOf(asked)
    const end = await endOf(carry(asked, order))
    const questions = terminal.calls.filter((call) => call.startsWith('GET'))
    expect(questions[0]).toBe(`GET /viva/eft-pos/operations/${order.operationId}`)
    expect(terminal.calls.filter((call) => call.startsWith('POST'))).toHaveLength(1)
    return end
  }

  it.each([
    ['10.00', 'SUCCESS'],
    ['30000.10', 'PAYMENT_DECLINED'],
    ['30000.40', 'PAYMENT_CANCELLED'],
    ['30000.70', 'SUCCESS'],
  ])('cut while it works on %s: %s', async (amount, end) => {
    bendOrder((response, work) => {
      work()
      setTimeout(() => response.socket?.destroy(), 30)
      return true
    })
    expect(await settled({ amount })).toBe(end)
    expect(terminal.begun).toHaveLength(1)
  })

  it('cut in the middle of the answer', async () => {
    bendOrder((response, work) => {
      work()
      response.writeHead(200, { 'content-length': '500' }).write('{"OperationID":"')
      setTimeout(() => response.socket?.destroy(), 30)
      return true
    })
    expect(await settled()).toBe('SUCCESS')
  })

  it.each([500, 502, 503, 504, 409, 408, 425, 429, 202, 204])(
    'answered with status %i',
    async (status) => {
      bendOrder((response, work) => {
        work()
        return answer(response, status, status === 204 ? '' : { Message: 'not now' })
      })
      expect(await settled()).toBe('SUCCESS')
    },
  )

  it.each([
    ['no JSON', '<html>'],
    ['another operation', { OperationID: randomUUID(), Result: 'SUCCESS', Amount: 10 }],
    ['no operation', { OperationID: null, Result: 'SUCCESS', Amount: 10 }],
    ['an unknown result', { Result: 'MAYBE' }],
    ['more than was asked for', { Result: 'SUCCESS', Amount: 10.01 }],
    ['nothing charged', { Result: 'SUCCESS', Amount: 0 }],
    ['the other direction', { Result: 'SUCCESS', Amount: -10 }],
    ['an amount as text', { Result: 'SUCCESS', Amount: '10' }],
    ['a negative tip', { Result: 'SUCCESS', Amount: 9, Tip: -1 }],
    ['a tip without a sale', { Result: 'SUCCESS', Amount: 2, Tip: 2 }],
    ['a document of 300 KiB', { Result: 'SUCCESS', Amount: 10, Message: 'x'.repeat(300 * 1024) }],
    ['another address', 302],
  ])('answered with %s: never a success by itself', async (_, given) => {
    const order = orderOf({ amount: '10' })
    const value = typeof given === 'object' ? { OperationID: order.operationId, ...given } : given
    bendOrder((response) =>
      typeof value === 'number'
        ? answer(response.setHeader('location', terminal.url), value, '')
        : answer(response, 200, value),
    )
    // the terminal itself has never heard of it
    expect(await endOf(carry({}, order))).toBe('PAYMENT_DECLINED')
    expect(terminal.calls.filter((call) => call.startsWith('GET'))).toHaveLength(2)
  })

  it('while it says that it is at work, for as long as it takes', async () => {
    const order = orderOf({})
    const running = { OperationID: order.operationId, Result: 'RUNNING' }
    let asked = 0
    terminal.bend = (request, response) => {
      if (request.method === 'POST') return answer(response, 200, running)
      asked += 1
      if (asked > 60) return answer(response, 200, { ...running, Result: 'SUCCESS', Amount: 10 })
      return answer(response, 200, running)
    }
    expect(await endOf(carry({}, order))).toBe('SUCCESS')
    expect(asked).toBe(61)
  })

  it('is declined where it never heard of the order, but not at its first word', async () => {
    let asked = 0
    terminal.bend = (request, response) => {
      if (request.method === 'GET') asked += 1
      return request.method === 'POST' ? answer(response, 500, '') : false
    }
    expect(await settled()).toBe('PAYMENT_DECLINED')
    expect(asked).toBe(2)
  })

  it('is lost where the terminal knew the order and forgot it', async () => {
    const order = orderOf({})
    bendOrder((response) =>
      answer(response, 200, { OperationID: order.operationId, Result: 'RUNNING' }),
    )
    expect(await endOf(carry({}, order))).toBe('PAYMENT_LOST')
  })

  it('is lost where it does not answer any more', async () => {
    terminal.bend = (request) => {
      request.socket.destroy()
      return true
    }
    expect(await settled()).toBe('PAYMENT_LOST')
    expect(terminal.calls.length).toBeGreaterThan(3)
  })
})

describe('nothing is asked again', () => {
  it.each([400, 401, 403, 404, 413, 422])('after a refusal with status %i', async (status) => {
    bendOrder((response) => answer(response, status, { Message: 'no' }))
    expect(await endOf(carry())).toBe('PAYMENT_DECLINED')
    expect(terminal.calls).toHaveLength(1)
  })

  it('where nobody listens', async () => {
    const { url } = terminal
    await terminal.close()
    await expect(carry({ address: url })).rejects.toMatchObject({
      code: 'PAYMENT_DECLINED',
      message: expect.stringContaining('ECONNREFUSED'),
    })
    terminal = await openTerminal()
  })

  it('once the server stops', async () => {
    await terminal.close()
    terminal = await openTerminal({ scale: 1 })
    const work = carry({ amount: '30000.80' })
    await expect.poll(() => terminal.begun.length).toBe(1)
    stop.abort()
    await expect(work).rejects.toMatchObject({ name: 'OutboundError', reason: 'aborted' })
    expect(terminal.calls).toHaveLength(1)
  })
})

describe('a terminal', () => {
  it('carries out an operation once, however often it is sent', async () => {
    const order = orderOf({ amount: '30000.60' })
    const results = await Promise.all([carry({}, order), carry({}, order), carry({}, order)])
    expect(new Set(results.map(({ charged }) => charged.toString())).size).toBe(1)
    expect(terminal.begun).toHaveLength(1)
  })

  it('declines the second cancellation of a payment by itself', async () => {
    const asked = { action: 'cancel', amount: '-5', originalId: randomUUID() } as const
    expect(await endOf(carry(asked))).toBe('SUCCESS')
    expect(await endOf(carry(asked))).toBe('PAYMENT_DECLINED')
  })
})
