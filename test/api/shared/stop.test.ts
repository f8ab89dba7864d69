// A server that stops waits for the calls that it is working on, and for no connection beside them.
import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { connect } from 'node:net'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { openPosShop, type PosShop, payment } from '../../support/pos-shop.js'
import { wireHeaders } from '../../support/pos-wire.js'

let shop: PosShop
beforeEach(async () => {
  shop = await openPosShop({ DUMMY_PAYMENT_TIME_SCALE: '0.01' }, ['AT'])
})
afterEach(() => shop.close())

/** Longer than any call of these tests takes, shorter than any patience of a connection. */
const LONG_MS = 6_000

async function isClosedSoon(): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), LONG_MS)
  })
  const closed = shop.app.close().then(() => true)
  const isSoon = await Promise.race([closed, late])
  clearTimeout(timer)
  shop.app.server.closeAllConnections()
  return isSoon
}

const open = async (bytes: string) => {
  const { hostname, port } = new URL(shop.url)
  const accepted = once(shop.app.server, 'connection')
  const socket = connect({ host: hostname, port: Number(port) })
  socket.on('error', () => socket.destroy())
  await accepted
  if (bytes !== '') socket.write(bytes)
  return socket
}

it.each([
  ['that never asked anything', ''],
  ['that has sent half of a head', 'POST /v2/pay HTTP/1.1\r\nhost: x\r\nx-cash'],
])('a connection %s is closed at once', async (_name, bytes) => {
  const socket = await open(bytes)
  const ended = once(socket, 'close')
  expect(await isClosedSoon()).toBe(true)
  await ended
})

it('a call that is worked on gets its answer, and then its connection ends', async () => {
  const agent = new Agent({ keepAlive: true })
  const headers = wireHeaders(shop.at, { 'content-type': 'application/json' })
  const sent = request(`${shop.url}/v2/pay`, {
    ...{ agent, method: 'POST' },
    headers: headers as Record<string, string>,
  })
  const replied = new Promise<number | undefined>((resolve) => {
    sent.on('response', (reply) => {
      reply.resume()
      resolve(reply.statusCode)
    })
  })
  sent.end(payment('30000.60'))
  await expect.poll(() => shop.rows('select 1 from operation')).toHaveLength(1)
  expect(await isClosedSoon()).toBe(true)
  expect(await replied).toBe(201)
  agent.destroy()
})

it('from the beginning of a stop on calls are answered, and sent elsewhere', async () => {
  const { draining } = shop.deps.operation
  const ready = () => shop.app.inject('/health/ready')
  expect((await ready()).statusCode).toBe(200)
  expect(draining.isOn).toBe(false)
  // nobody has asked twice: it takes no time
  expect(await draining.begin()).toBe(0)
  const refused = await ready()
  expect([refused.statusCode, refused.json()]).toEqual([503, { status: 'stopping' }])
  expect((await shop.app.inject('/health/live')).statusCode).toBe(200)
  const answer = await fetch(`${shop.url}/v2/echo`, {
    method: 'POST',
    headers: {
      ...(wireHeaders(shop.at, { 'content-type': 'application/json' }) as Record<string, string>),
    },
    body: '{"Message":"still here"}',
  })
  expect([answer.status, answer.headers.get('connection')]).toEqual([200, 'close'])
})
