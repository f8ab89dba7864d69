// Lines of text over a WebSocket whose other side stops in the middle of the greeting, or speaks it
// a byte at a time: nobody waits longer than he said.
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { WebSocketServer } from 'ws'
import { openTextLine } from '../../src/device/websocket.js'

const LIMIT_MS = 400
const HEAD = 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n'

const ends: (() => void)[] = []
afterEach(() => {
  for (const end of ends.splice(0)) end()
})

/** The address, and the connection to whoever answers there. */
async function lineTo(serve: (socket: Socket) => void) {
  const server = createServer(serve)
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  const socket = connect({ port, host: '127.0.0.1' })
  await new Promise<void>((done) => socket.once('connect', () => done()))
  ends.push(
    () => socket.destroy(),
    () => server.close(),
  )
  return { socket, address: `ws://127.0.0.1:${port}/` }
}

it.each([
  ['that says nothing', () => undefined],
  ['that stops in its head', (socket: Socket) => void socket.write(HEAD)],
  [
    'that speaks a byte at a time',
    (socket: Socket) => {
      let at = 0
      const timer = setInterval(() => socket.write(HEAD[at++ % HEAD.length] ?? ''), 20)
      socket.on('close', () => clearInterval(timer))
    },
  ],
])('a greeting %s ends with the limit, and so does the connection', async (_, speak) => {
  const { socket, address } = await lineTo((outside) => {
    outside.on('error', () => undefined)
    outside.once('data', () => speak(outside))
  })
  const closed = new Promise((done) => socket.once('close', done))
  const began = performance.now()
  const opening = openTextLine(socket, { address, timeoutMs: LIMIT_MS })
  await expect(opening).rejects.toThrow('not opened in time')
  const took = performance.now() - began
  expect(took).toBeGreaterThan(LIMIT_MS - 50)
  expect(took).toBeLessThan(10 * LIMIT_MS)
  await closed
})

it('a line that was opened stays open behind the limit of its opening', async () => {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  ends.push(() => server.close())
  await new Promise<void>((done) => server.once('listening', () => done()))
  server.on('connection', (line) => line.on('message', (data) => line.send(String(data))))
  const { port } = server.address() as AddressInfo
  const socket = connect({ port, host: '127.0.0.1' })
  await new Promise<void>((done) => socket.once('connect', () => done()))
  const line = await openTextLine(socket, { address: `ws://127.0.0.1:${port}/`, timeoutMs: 100 })
  await new Promise((done) => setTimeout(done, 300))
  line.send('ask')
  expect(await line.next(2_000)).toBe('ask')
  line.close()
})
