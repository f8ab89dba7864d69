// Operations of group D as their clients see them: once, repeated, in conflict, failed, waited for.
// Payments are the test's own; what stands around them is the server's.
import { randomUUID } from 'node:crypto'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Prepare } from '../../../src/api/possystem/call.js'
import { fail } from '../../../src/errors.js'
import { type PosServer, posCall, startPosServer } from '../../support/pos-server.js'

let executions = 0
/** What the next execution waits for. */
let gate: Promise<void> = Promise.resolve()

const JSON_TYPE = 'application/json; charset=utf-8'

/** Reads the amount from the body; 30000.10 is declined, below 0 is refused before it begins. */
const pay: Prepare = ({ bodyText, operation }) => {
  const amount = Number(/"Amount":\s*(-?[\d.]+)/.exec(bodyText)?.[1])
  if (Number.isNaN(amount)) throw fail('FIELD_MISSING', { field: 'cbPayItem', expected: 'an item' })
  return Promise.resolve({
    kind: 'claimed',
    run: async () => {
      executions += 1
      await gate
      if (amount === 30000.1) throw fail('PAYMENT_DECLINED', { reason: 'no money' })
      if (amount === 1) throw new Error('secret internals')
      const body = `{"Paid":${amount},"By":"${operation.id}","N":${executions}}`
      return { status: 201, contentType: JSON_TYPE, body }
    },
  })
}

let server: PosServer
let url: string
beforeAll(async () => {
  server = await startPosServer({}, { pay, sign: pay })
  url = await server.app.listen({ host: '127.0.0.1', port: 0 })
})
afterAll(() => server.close())
beforeEach(() => {
  executions = 0
  gate = Promise.resolve()
})

const ITEM = (amount: string) => `{"cbPayItem":{"Amount":${amount}},"Action":"payment"}`
const send = (id: string, body: string, path = '/v2/pay') =>
  posCall(server.app, path, { headers: server.headers({ 'x-operation-id': id }), body })

describe('the published steps', () => {
  it('1 to 6: created, repeated, spelled otherwise, in conflict, without prefix', async () => {
    const id = randomUUID()
    const first = await send(id, ITEM('10.00'))
    expect([first.status, first.headers['x-operation-id']]).toEqual([201, id])
    expect(first.headers['content-type']).toBe(JSON_TYPE)
    const same = await send(id, ITEM('10.00'))
    expect([same.status, same.text]).toEqual([200, first.text])
    const reordered = await send(id, '{ "Action":"payment", "cbPayItem":{"Amount":10.0} }')
    expect([reordered.status, reordered.text]).toEqual([200, first.text])
    const other = await send(id, ITEM('11.00'))
    expect([other.status, other.json().code]).toEqual([409, 'operation_conflict'])
    expect(other.headers['x-operation-id']).toBe(id)
    expect((await send(id, ITEM('10.00'), '/v2/sign')).status).toBe(409)
    const bare = await send(id, ITEM('10.00'), '/pay')
    expect([bare.status, bare.text]).toEqual([200, first.text])
    expect(executions).toBe(1)
  })

  it('7: at the same time one is executed, and both get its answer', async () => {
    const id = randomUUID()
    let open = (): void => undefined
    gate = new Promise((resolve) => {
      open = resolve
    })
    const both = [send(id, ITEM('30000.60')), send(id, ITEM('30000.60'))]
    await sleep(200)
    const conflict = await send(id, ITEM('5'))
    expect(conflict.status, 'while it still runs').toBe(409)
    open()
    const answers = await Promise.all(both)
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 201])
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
    expect(executions).toBe(1)
  })

  it('8: a failure is repeated with its own status and the same bytes', async () => {
    const id = randomUUID()
    const answers = [await send(id, ITEM('30000.10')), await send(id, ITEM('30000.10'), '/pay')]
    expect(answers.map(({ status }) => status)).toEqual([400, 400])
    expect(answers[0]?.json()).toEqual({
      type: 'about:blank',
      status: '400',
      title: 'Payment declined',
      detail: 'The payment was declined: no money.',
      instance: `/v2/pay#${id}`,
      code: 'payment_declined',
    })
    expect(answers[1]?.text).toBe(answers[0]?.text)
    expect(answers[1]?.headers['content-type']).toBe('application/problem+json; charset=utf-8')
    expect(executions).toBe(1)
  })

  it('9 and 10: wrong credentials and a wrong body use up nothing', async () => {
    const id = randomUUID()
    const headers = server.headers({ 'x-operation-id': id })
    const wrong = { ...headers, 'x-cashbox-accesstoken': 'wrong' }
    const stranger = await posCall(server.app, '/v2/pay', { headers: wrong, body: ITEM('10') })
    expect(stranger.status).toBe(401)
    for (const body of ['{}', '', '{"x"', '\u00ff']) expect((await send(id, body)).status).toBe(400)
    const bytes = Buffer.from([0x7b, 0xff, 0x7d])
    expect((await posCall(server.app, '/v2/pay', { headers, body: bytes })).status).toBe(400)
    expect((await send(id, ITEM('10'))).status).toBe(201)
    const garbage = await send(id, 'no json')
    expect(garbage.status, 'garbage under a known id').toBe(409)
  })

  it('what is unexpected is 500 without internals, and stays so', async () => {
    const id = randomUUID()
    const answer = await send(id, ITEM('1'))
    expect([answer.status, answer.json().code]).toEqual([500, 'internal_error'])
    expect(answer.text).not.toContain('secret')
    expect((await send(id, ITEM('1'))).text).toBe(answer.text)
  })
})

/** The start of a call as bytes, for connections that the test breaks off itself. */
function raw(id: string, body: string): string {
  const headers = {
    ...server.headers({ 'x-operation-id': id }),
    'content-type': 'application/json',
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  const length = `content-length: ${Buffer.byteLength(body)}\r\n`
  return `POST /v2/pay HTTP/1.1\r\nhost: x\r\n${lines.join('')}${length}\r\n${body}`
}

describe('connections', () => {
  it('a caller who leaves ends nothing but his wait', async () => {
    const id = randomUUID()
    let open = (): void => undefined
    gate = new Promise((resolve) => {
      open = resolve
    })
    const { hostname, port } = new URL(url)
    const socket = connect({ host: hostname, port: Number(port) })
    socket.write(raw(id, ITEM('20')))
    await expect.poll(() => executions).toBe(1)
    socket.destroy()
    await sleep(50)
    open()
    const answer = await send(id, ITEM('20'))
    expect([answer.status, executions]).toEqual([200, 1])
  })

  it('OPERATION_WAIT_MAX_SECONDS closes the connection without an answer', async () => {
    const hasty = await startPosServer({ OPERATION_WAIT_MAX_SECONDS: '1' }, { pay })
    try {
      const address = await hasty.app.listen({ host: '127.0.0.1', port: 0 })
      let open = (): void => undefined
      gate = new Promise((resolve) => {
        open = resolve
      })
      const headers = { ...hasty.headers(), 'content-type': 'application/json' }
      const call = () => fetch(`${address}/v2/pay`, { method: 'POST', headers, body: ITEM('7') })
      await expect(call()).rejects.toThrow('fetch failed')
      open()
      await expect.poll(async () => (await call()).status).toBe(200)
      expect(executions).toBe(1)
    } finally {
      await hasty.close()
    }
  })
})

describe('a server that stops', () => {
  it('lets go of those who wait for a long payment', async () => {
    const leaving = await startPosServer({}, { pay })
    let open = (): void => undefined
    gate = new Promise((resolve) => {
      open = resolve
    })
    try {
      const address = await leaving.app.listen({ host: '127.0.0.1', port: 0 })
      const headers = { ...leaving.headers(), 'content-type': 'application/json' }
      const waiting = fetch(`${address}/v2/pay`, { method: 'POST', headers, body: ITEM('7') })
      const end = expect(waiting).rejects.toThrow('fetch failed')
      await expect.poll(() => executions).toBe(1)
      await leaving.app.close()
      await end
    } finally {
      open()
      await leaving.close()
    }
  })
})

describe('the result of a payment by its id', () => {
  const result = (id: string) =>
    posCall(server.app, '/v2/PayResponse', { headers: server.headers({ 'x-operation-id': id }) })

  it('is the stored answer, of a failure as well', async () => {
    const [paid, declined] = [randomUUID(), randomUUID()]
    const answers = [await send(paid, ITEM('10')), await send(declined, ITEM('30000.10'))]
    const results = [await result(paid), await result(declined)]
    expect(results.map(({ status }) => status)).toEqual([200, 400])
    expect(results.map(({ text }) => text)).toEqual(answers.map(({ text }) => text))
  })

  it('is waited for', async () => {
    const id = randomUUID()
    let open = (): void => undefined
    gate = new Promise((resolve) => {
      open = resolve
    })
    const paying = send(id, ITEM('10'))
    await expect.poll(() => executions).toBe(1)
    const asking = result(id)
    await sleep(100)
    open()
    const [paid, answer] = await Promise.all([paying, asking])
    expect([answer.status, answer.text]).toEqual([200, paid.text])
  })

  it('is 404 for an unknown id, and for another operation', async () => {
    const id = randomUUID()
    await send(id, ITEM('10'), '/v2/sign')
    for (const unknown of [randomUUID(), id]) {
      const answer = await result(unknown)
      expect([answer.status, answer.json().code]).toEqual([404, 'not_found'])
    }
  })
})
