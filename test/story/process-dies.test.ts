// Several processes behind one port, one of which dies while connections are on their way to it: in
// every order in which the first process can hear of it, the others go on.
import { once } from 'node:events'
import { readFileSync, readlinkSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Server } from '../support/server.js'
import { Site } from '../support/site.js'

const REQUEST = 'GET /health/live HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n'
const CONNECTIONS = 40
let site: Site
let server: Server

beforeAll(async () => {
  site = await Site.make({ tills: 1 })
  server = await site.serve(await site.settings({ PROCESSES: '2' }))
}, 120_000)
afterAll(async () => {
  await server.kill()
  await site.remove()
}, 60_000)

/** Processes that serve; PostgreSQL is a child of the first one as well. */
function children(): number[] {
  const { pid } = server
  const ids = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ')
  return ids.map(Number).filter((id) => /\/node$/.test(readlinkSync(`/proc/${id}/exe`)))
}

async function opened(): Promise<Socket> {
  const { hostname, port } = new URL(server.url)
  const socket = connect({ host: hostname, port: Number(port) })
  await once(socket, 'connect')
  return socket
}

/** What comes until its end; '' where it is cut off. */
function answerOf(socket: Socket): Promise<string> {
  let text = ''
  socket.on('data', (piece: Buffer) => {
    text += piece.toString()
  })
  socket.on('error', () => socket.destroy())
  return new Promise((resolve) => socket.on('close', () => resolve(text)))
}

/** Asked until it answers: the process that has died is there again, and both get connections. */
async function isWhole(): Promise<boolean> {
  const answers = await Promise.all([opened(), opened()]).then((sockets) =>
    sockets.map((socket) => {
      socket.write(REQUEST)
      return answerOf(socket)
    }),
  )
  const all = await Promise.all(answers)
  return children().length === 2 && all.every((answer) => answer.startsWith('HTTP/1.1 200'))
}

/** The first process stands still, so that everything lies in front of it at once. */
async function whileItStands(work: (victim: number) => Promise<void>): Promise<void> {
  // what was opened before is accepted
  await sleep(200)
  process.kill(server.pid, 'SIGSTOP')
  const [victim] = children()
  // 0 would be every process of this run
  if (victim === undefined) throw new Error('no process serves')
  await work(victim)
  process.kill(server.pid, 'SIGCONT')
}

type Step = 'kill' | 'ask' | 'ask-half'

/** One connection at most was begun by the process that died, and nobody knows how far. */
it.each<Step[]>([
  ['kill', 'ask'],
  ['ask', 'kill'],
  ['ask-half', 'kill', 'ask-half'],
])('%s, %s: whoever was not begun is served by the other', async (...steps) => {
  await expect.poll(isWhole, { timeout: 30_000 }).toBe(true)
  const sockets = await Promise.all(Array.from({ length: CONNECTIONS }, opened))
  const answers = sockets.map(answerOf)
  const unasked = [...sockets]
  await whileItStands(async (victim) => {
    for (const step of steps) {
      if (step === 'kill') process.kill(victim, 'SIGKILL')
      else for (const socket of unasked.splice(0, step === 'ask' ? 40 : 20)) socket.write(REQUEST)
      await sleep(100)
    }
  })
  const served = (await Promise.all(answers)).filter((text) => text.startsWith('HTTP/1.1 200'))
  expect(served.length, server.output).toBeGreaterThanOrEqual(CONNECTIONS - 1)
  expect(server.isAlive, server.output).toBe(true)
}, 60_000)
