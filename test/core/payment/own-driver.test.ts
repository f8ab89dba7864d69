import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterEach, describe, expect, it } from 'vitest'
import { HeardStop } from '../../../src/core/payment/stop-wish.js'
import { createOutbound } from '../../../src/device/outbound.js'
import type { PaymentOrder, PaymentRun } from '../../../src/device/payment/order.js'
import { Decimal } from '../../../src/lib/decimal.js'
import { createOwnProvider } from './own-driver.js'

let server: Server | undefined
afterEach(() => new Promise((done) => (server ? server.close(done) : done(undefined))))

/** Answers one after the other; null breaks the connection. */
async function terminal(...answers: (object | null)[]) {
  const asked: string[] = []
  server = createServer(async (request, response) => {
    asked.push(`${request.method} ${request.url} ${await text(request)}`)
    const answer = answers.length > 1 ? answers.shift() : answers[0]
    if (answer === null) return request.socket.destroy()
    response.end(JSON.stringify(answer))
  })
  await new Promise<void>((done) => server?.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  return { asked, address: `http://127.0.0.1:${port}` }
}

const order: PaymentOrder = {
  operationId: 'op-1',
  action: 'payment',
  amount: Decimal.of('12.34'),
  currency: 'EUR',
  description: 'Card',
  terminalId: 'term1',
  originalId: undefined,
}
const run: PaymentRun = {
  fetch: createOutbound({ allow: [] }),
  sleep: () => Promise.resolve(),
  signal: new AbortController().signal,
  stop: new HeardStop(),
}
const waiting = { state: 'waiting' }
const paid = { state: 'paid', cents: 1234, slip: ['APPROVED'] }

describe('the driver that docs/payments.md shows', () => {
  it('sends the same order until the guest is done, over lost connections too', async () => {
    const { asked, address } = await terminal(waiting, null, waiting, paid)
    const result = await createOwnProvider(address).payment(order, run)
    expect(result.charged.toShortString()).toBe('12.34')
    expect(result.receipt).toEqual(['APPROVED'])
    expect(asked).toEqual(Array(4).fill('PUT /orders/op-1 {"cents":1234}'))
  })

  it('says declined only when the terminal does, and lost when it never speaks', async () => {
    const declined = await terminal({ state: 'declined' })
    const refused = createOwnProvider(declined.address).payment(order, run)
    await expect(refused).rejects.toMatchObject({ code: 'PAYMENT_DECLINED' })
    server?.close()
    const nobody = createOwnProvider(declined.address).payment(order, run)
    await expect(nobody).rejects.toMatchObject({ code: 'PAYMENT_LOST' })
  })

  it('leaves out what its terminal cannot do', () => {
    expect(Object.keys(createOwnProvider('http://127.0.0.1:1'))).toEqual(['payment'])
  })
})
