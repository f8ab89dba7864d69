// Several processes behind one port: one of them is killed under load, and nothing that was
// answered is lost; a CashBox keeps to one of them; figures come of all; a stop finishes what runs.
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { credentials } from '@grpc/grpc-js'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openTill } from '../support/grpc-client.js'
import { saleMessage } from '../support/grpc-door.js'
import { Load } from '../support/load.js'
import { selfSignedIn } from '../support/self-signed.js'
import type { Server } from '../support/server.js'
import { Site } from '../support/site.js'
import { requestText, type Till } from '../support/stand.js'

const PROCESSES = 2
const PATIENCE = Number(process.env.TEST_PATIENCE ?? 1)
let site: Site
let server: Server
let root: Buffer

beforeAll(async () => {
  site = await Site.make({ tills: 6 })
  const [till] = site.tills
  const ports = { GRPC_PORT: '0', MIDDLEWARE_PORTS: `0=${till?.queueId}`, MIDDLEWARE_AUTH: 'off' }
  const { cert, key, ...made } = await selfSignedIn(site.folder)
  root = made.root
  const settings = { ...ports, PROCESSES: String(PROCESSES), GRPC_TLS: `${cert},${key}` }
  server = await site.serve(await site.settings(settings))
}, 120_000)
afterAll(async () => {
  if (server.isAlive) await server.kill()
  await site.remove()
}, 60_000)

/** Labels of processes that have signed, and how much. */
async function signedBy(): Promise<Map<string, number>> {
  const lines = (await (await alone('/metrics')).text()).matchAll(
    /^fiskalwerk_receipts_total\{([^}]*)\} (\d+)/gm,
  )
  const counted = new Map<string, number>()
  for (const [, labels = '', count] of lines) {
    const name = /process="(\d+)"/.exec(labels)?.[1] ?? 'none'
    counted.set(name, (counted.get(name) ?? 0) + Number(count))
  }
  return counted
}

/** So many receipts more; whoever gets none is told what the server has said. */
async function answered(load: Load, count: number): Promise<void> {
  const [done] = await Promise.allSettled([load.more(count)])
  if (done.status === 'fulfilled') return
  const { isAlive, output } = server
  throw new Error(`${load.figures}; server alive: ${isAlive}; it said:\n${output}`, {
    cause: done.reason,
  })
}

/** On a connection of its own: the first call of one decides about all. */
async function alone(path: string, { body = '', ...headers }: Record<string, string> = {}) {
  const method = body === '' ? 'GET' : 'POST'
  const call = request(`${server.url}${path}`, { method, headers, agent: false }).end(body)
  const [answer] = (await once(call, 'response')) as [IncomingMessage]
  return { status: answer.statusCode, text: () => text(answer) }
}

const isLive = () =>
  fetch(`${server.url}/health/live`).then(
    ({ ok }) => ok,
    () => false,
  )

const sumOf = (counted: Map<string, number>) => [...counted.values()].reduce((a, b) => a + b, 0)

async function sign(till: Till): Promise<number | undefined> {
  const { cashBoxId: cashboxid, accessToken: accesstoken } = till
  const body = requestText(till)
  const headers = { cashboxid, accesstoken, 'content-type': 'application/json' }
  const { status, text } = await alone('/json/v1/sign', { ...headers, body })
  await text()
  return status
}

it('keep to one of them for each CashBox, and tell the figures of all', async () => {
  expect(server.processes).toHaveLength(PROCESSES)
  for (const till of site.tills) {
    const before = await signedBy()
    for (let call = 0; call < 4; call += 1) expect(await sign(till)).toBe(200)
    const after = await signedBy()
    const changed = [...after].filter(([name, count]) => count !== before.get(name))
    expect(changed).toHaveLength(1)
    expect(sumOf(after) - sumOf(before)).toBe(4)
  }
}, 60_000)

it('sign at each port that was asked for with 0, as the start has printed it', async () => {
  const [till] = site.tills
  if (till === undefined) throw new Error('there is no till')
  const printed = (name: string) =>
    new RegExp(`${name} +(127\\.0\\.0\\.1:\\d+)`).exec(server.output)?.[1]
  const [further, grpc] = [printed('also at'), printed('gRPC')]
  const before = await signedBy()
  for (let call = 0; call < 4; call += 1) {
    const body = requestText(till)
    const reply = await fetch(`http://${further}/json/v1/sign`, { method: 'POST', body })
    expect(await reply.text()).toContain(`"ftQueueID":"${till.queueId}"`)
  }
  const changed = [...(await signedBy())].filter(([name, count]) => count !== before.get(name))
  expect(changed).toHaveLength(1)
  // the name in the certificate is not what this is about
  const unnamed = { checkServerIdentity: () => undefined }
  for (let client = 0; client < 4; client += 1) {
    const { cashBoxId: cashboxid, accessToken: accesstoken, queueId: queueid } = till
    const metadata = { cashboxid, accesstoken, queueid }
    const channel = credentials.createSsl(root, null, null, unnamed)
    const caller = openTill(grpc ?? '', metadata, { channel })
    const sent = saleMessage({ cbReceiptReference: `g${client}`, ftCashBoxID: cashboxid })
    expect(await caller.call('Sign', sent)).toMatchObject({ ftQueueID: queueid })
    caller.close()
  }
})

it('read a call that comes byte by byte, and several in one piece', async () => {
  const [till] = site.tills
  if (till === undefined) throw new Error('there is no till')
  const { hostname, port } = new URL(server.url)
  const body = '"x"'
  const call =
    `POST /json/v1/echo HTTP/1.1\r\nhost: localhost\r\ncashboxid: ${till.cashBoxId}\r\n` +
    `accesstoken: ${till.accessToken}\r\ncontent-length: ${body.length}\r\n\r\n${body}`
  const socket = connect({ host: hostname, port: Number(port), noDelay: true })
  let text = ''
  socket.on('data', (piece) => {
    text += piece.toString()
  })
  const answers = () => text.match(/HTTP\/1\.1 200/g)?.length ?? 0
  for (const byte of call) {
    socket.write(byte)
    await new Promise((resolve) => setImmediate(resolve))
  }
  await expect.poll(answers).toBe(1)
  socket.write(call + call + call)
  await expect.poll(answers).toBe(4)
  socket.destroy()
})

it('lose nothing that was answered when one is killed under load, and keep the port', async () => {
  const load = new Load({ tills: site.tills, clients: 12, urls: () => [server.url] })
  await answered(load, 40)
  for (let kill = 0; kill < 2; kill += 1) {
    const victim = server.processes[kill % PROCESSES]
    // 0 would be every process of this run
    if (victim === undefined) throw new Error('no process serves')
    process.kill(victim, 'SIGKILL')
    // one that was on its way to it is told at once, the next one is served
    await expect.poll(isLive, { timeout: 1_000 * PATIENCE }).toBe(true)
    await answered(load, 40)
    await expect.poll(() => server.processes.length, { timeout: 20_000 }).toBe(PROCESSES)
  }
  await answered(load, 40)
  await load.stop()
  const { code } = await server.stop()
  expect([code, load.faults]).toEqual([0, []])
  expect(await site.faults(load)).toEqual([])
}, 120_000)
