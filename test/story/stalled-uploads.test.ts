// Uploads that stand still with their connection open: they hold up neither their dealer nor
// anybody else, nor a stop. A server in a process of its own.
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { plainTemplate } from '../../src/core/accounts/invitation/csv/template.js'
import { formOf, person } from '../support/invitations.js'
import { asDealer, openUploads, sendUpload, type UploadServer } from '../support/upload-server.js'

let uploads: UploadServer
beforeEach(async () => {
  uploads = await openUploads()
}, 120_000)
afterEach(() => uploads.close(), 60_000)

const PATH = '/api/pos-operators-invitation/import/csv'
const [HEADER = ''] = plainTemplate().split(/\r?\n/)

function upload(dealer: 0 | 1) {
  const { company, contact } = person()
  const { name, email, addressLine1, postalCode, city, country } = company
  const at = `${name};${email};${addressLine1};;${postalCode};${city};${country};;;;;;;`
  const row = `${at};${contact.firstName};${contact.lastName};${contact.email};;;;`
  const { body, headers } = formOf('a.csv', `${HEADER}\r\n${row}\r\n`)
  return { line: `POST ${PATH}`, headers: asDealer(uploads.dealers[dealer], headers), body }
}

const closed = new WeakMap<Socket, Promise<unknown>>()

/** Whatever is answered is read, so that its end is seen. */
async function opened(): Promise<Socket> {
  const { hostname, port } = new URL(uploads.url)
  const socket = connect({ host: hostname, port: Number(port) })
  socket.on('error', () => socket.destroy())
  closed.set(socket, new Promise((resolve) => socket.once('close', resolve)))
  socket.resume()
  await once(socket, 'connect')
  return socket
}

/** Sends `part` of the body of a proper upload, and nothing more; `more` bytes were announced. */
async function stalled(dealer: 0 | 1, part: number, more = 0): Promise<Socket> {
  const { line, headers, body } = upload(dealer)
  const socket = await opened()
  const length = String(body.length + more)
  const fields = { ...headers, host: 'localhost', 'content-length': length }
  const head = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.write(`${line} HTTP/1.1\r\n${head.join('')}\r\n`)
  const sent = body.subarray(0, Math.floor(part * body.length))
  await new Promise((resolve) => socket.write(sent, resolve))
  return socket
}

/** Which of two things happens first. */
const isFirst = (one: Promise<unknown>, other: Promise<unknown>): Promise<boolean> =>
  Promise.race([one.then(() => true), other.then(() => false)])

const progress = async (dealer: 0 | 1) =>
  (await fetch(`${uploads.url}${PATH}`, { headers: asDealer(uploads.dealers[dealer], {}) })).json()

describe('uploads that stand still, in front of the file, within it and behind it', () => {
  it('hold up no import, neither of their own dealer nor of others', async () => {
    const sockets = [
      ...(await Promise.all([0, 0.2, 0.7, 0.99].map((part) => stalled(0, part)))),
      await stalled(0, 1, 5),
    ]
    const anyEnded = Promise.race(sockets.map((socket) => closed.get(socket)))
    const imports = Promise.all(
      ([0, 1, 0, 1] as const).map((dealer) => sendUpload(uploads.url, upload(dealer))),
    )
    expect(await isFirst(imports, anyEnded)).toBe(true)
    expect(await imports).toEqual([200, 200, 200, 200])
    // of what has not arrived as a whole, nothing is done
    expect(await progress(0)).toEqual({ running: false, rows: 1, created: 1, skipped: 0 })
    for (const socket of sockets) socket.destroy()
  }, 120_000)

  it('and connections without a whole request do not hold up a stop', async () => {
    const used = await opened()
    used.write('GET /version HTTP/1.1\r\nhost: localhost\r\n\r\n')
    await once(used, 'data')
    const half = await opened()
    half.write('GET /version HTTP/1.1\r\nhost: localhost\r\n\r\nGET /ver')
    await once(half, 'data')
    const json = await opened()
    json.write('POST /v2/issue HTTP/1.1\r\nhost: localhost\r\ncontent-length: 9\r\n\r\n{')
    const sockets = [
      ...[used, half, json, await opened()],
      ...(await Promise.all([0, 0.2, 0.7, 0.99].map((part) => stalled(0, part)))),
      await stalled(1, 1, 5),
    ]
    // the server has seen what was sent before
    expect(await sendUpload(uploads.url, upload(1))).toBe(200)
    const ended = Promise.all(sockets.map((socket) => closed.get(socket)))
    // a stop that waits for one of them is cut off, and ends with 1
    expect(await uploads.server.stop(), uploads.server.output).toMatchObject({ code: 0 })
    await ended
  }, 120_000)
})
