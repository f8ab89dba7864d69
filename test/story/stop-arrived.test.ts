// SIGTERM to a server that has calls in its sockets and has not read them yet: they are answered.
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { Server } from '../support/server.js'
import { Site } from '../support/site.js'

let site: Site
let server: Server
beforeEach(async () => {
  site = await Site.make({ tills: 1 })
  server = await Server.start(await site.settings())
}, 120_000)
afterEach(async () => {
  await server.kill()
  await site.remove()
}, 60_000)

const REQUEST = 'GET /version HTTP/1.1\r\nhost: localhost\r\n\r\n'

async function opened(): Promise<Socket> {
  const { hostname, port } = new URL(server.url)
  const socket = connect({ host: hostname, port: Number(port) })
  await once(socket, 'connect')
  return socket
}

function answerOf(socket: Socket): Promise<string> {
  let text = ''
  socket.on('data', (piece: Buffer) => {
    text += piece.toString()
  })
  socket.on('error', () => socket.destroy())
  return new Promise((resolve) => socket.on('close', () => resolve(text)))
}

it('what had arrived is answered, on connections old and new', async () => {
  const used = await opened()
  used.write(REQUEST)
  await once(used, 'data')
  const silent = await opened()
  // it stands still: what comes now lies in its sockets, and the signal behind it
  process.kill(server.pid, 'SIGSTOP')
  const fresh = await opened()
  const answers = [used, silent, fresh].map(answerOf)
  for (const socket of [used, silent, fresh]) socket.write(REQUEST)
  const ended = server.stop()
  process.kill(server.pid, 'SIGCONT')
  for (const answer of await Promise.all(answers)) expect(answer).toMatch(/^HTTP\/1\.1 200/)
  expect(await ended).toMatchObject({ code: 0 })
}, 120_000)
