// The time of a call ends whatever the collector does meanwhile: on Node 20 a time that hangs on
// AbortSignal.any alone is forgotten.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createOutbound, OutboundError } from '../../src/device/outbound.js'
import { collectGarbage } from '../support/collect-garbage.js'

const server = createServer(() => undefined)
let place = ''
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  place = `127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(async () => {
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})

const given = { method: 'GET', headers: {}, maxBytes: 10 } as const

async function ended(more: { timeoutMs: number; signal?: AbortSignal }): Promise<unknown> {
  const call = createOutbound({ allow: [place] })(`http://${place}/`, { ...given, ...more })
  const end = call.then(
    () => 'answered',
    (error: unknown) => (error instanceof OutboundError ? error.reason : error),
  )
  for (let round = 0; round < 5; round += 1) {
    await sleep(30)
    collectGarbage()
  }
  return Promise.race([end, sleep(3_000, 'still waiting')])
}

it('the call of a server that never answers is over in time', async () => {
  expect(await ended({ timeoutMs: 400 })).toBe('timeout')
})

it('and so is one whose answer comes byte by byte', async () => {
  const dripping = createServer((_request, reply) => {
    reply.writeHead(200)
    const drip = setInterval(() => reply.write('x'), 20)
    reply.once('close', () => clearInterval(drip))
  })
  await new Promise<void>((resolve) => dripping.listen(0, '127.0.0.1', resolve))
  const at = `127.0.0.1:${(dripping.address() as AddressInfo).port}`
  try {
    const call = createOutbound({ allow: [at] })
    const asked = { ...given, maxBytes: 1_000_000, timeoutMs: 400, repeatable: true }
    const began = performance.now()
    await expect(call(`http://${at}/`, asked)).rejects.toMatchObject({ reason: 'timeout' })
    expect(performance.now() - began).toBeLessThan(3_000)
  } finally {
    dripping.closeAllConnections()
    await new Promise((resolve) => dripping.close(resolve))
  }
})

it('also beside a signal that says nothing', async () => {
  const other = new AbortController()
  expect(await ended({ timeoutMs: 400, signal: other.signal })).toBe('timeout')
})

it('and a signal ends it before', async () => {
  const other = new AbortController()
  setTimeout(() => other.abort(), 250)
  expect(await ended({ timeoutMs: 60_000, signal: other.signal })).toBe('aborted')
  const endless = { timeoutMs: Number.POSITIVE_INFINITY }
  expect(await ended({ ...endless, signal: AbortSignal.abort() })).toBe('aborted')
})
