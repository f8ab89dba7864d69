// The ways out besides SMTP: drivers that speak HTTP, asked on a real server, and files.
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import PostalMime from 'postal-mime'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createOutbound } from '../../src/device/outbound.js'
import { senderOf } from '../../src/notify/compose.js'
import { createHttpDriver } from '../../src/notify/http-driver.js'
import { createOutbox } from '../../src/notify/outbox.js'
import { smtpOptions } from '../../src/notify/smtp.js'
import type { Outgoing } from '../../src/notify/transport.js'

const FROM = senderOf('receipts@shop.example')
const ID = '6a1f0b52-3f0e-4a35-9b5f-5f8f1f5d7c11'

function outgoing(wanted: Partial<Outgoing> = {}): Outgoing {
  return {
    ...{ id: ID, channel: 'sms', to: '+436641234567', createdAt: new Date(0) },
    letter: {
      ...{ language: 'de', subject: 'Café: Beleg 7', paragraphs: ['Guten Tag,'], footer: 'Ende' },
      link: { label: 'Beleg ansehen', url: 'https://r.example/a/b' },
      attachment: null,
    },
    ...wanted,
  }
}

const never = new AbortController().signal
const run = (signal = never) => ({ fence: async () => undefined, signal })

describe('an HTTP driver', () => {
  interface Call {
    method: string | undefined
    url: string | undefined
    headers: IncomingMessage['headers']
    body: string
  }
  let calls: Call[]
  let answer: (reply: ServerResponse) => void
  let server: Server
  let port: number
  const fetch = createOutbound({ allow: [] })

  beforeAll(async () => {
    server = createServer((request, reply) => {
      const parts: Buffer[] = []
      request.on('data', (part: Buffer) => parts.push(part))
      request.on('end', () => {
        const { method, url, headers } = request
        calls.push({ method, url, headers, body: Buffer.concat(parts).toString('utf8') })
        answer(reply)
      })
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    port = (server.address() as AddressInfo).port
  })
  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })
  beforeEach(() => {
    calls = []
    answer = (reply) => void reply.writeHead(202).end('{"id":"SM-1"}')
  })

  const driver = (more: { url?: string; timeoutMs?: number } = {}) =>
    createHttpDriver({ fetch, url: `http://127.0.0.1:${port}/send?key=a`, ...more })

  it('posts the message once, under its id', async () => {
    expect(await driver().hand(outgoing(), run())).toBe('SM-1')
    const [call, ...rest] = calls
    expect(rest).toEqual([])
    expect(call).toMatchObject({ method: 'POST', url: '/send?key=a' })
    expect(call?.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'idempotency-key': ID,
    })
    expect(JSON.parse(call?.body ?? '')).toEqual({
      ...{ id: ID, channel: 'sms', to: '+436641234567', language: 'de' },
      text: 'Café: Beleg 7\nhttps://r.example/a/b',
      link: 'https://r.example/a/b',
    })
  })

  it('hands an attachment on, and user and password as a header', async () => {
    const attachment = {
      ...{ filename: 'receipt-7.pdf', contentType: 'application/pdf' },
      bytes: Buffer.from([0, 1, 255]),
    }
    const letter = { ...outgoing().letter, attachment }
    const url = `http://us%20er:p%40ss@127.0.0.1:${port}/wa`
    await driver({ url }).hand(outgoing({ channel: 'whatsapp', letter }), run())
    const [call] = calls
    expect(call?.headers.authorization).toBe(`Basic ${btoa('us er:p@ss')}`)
    expect(JSON.parse(call?.body ?? '')).toMatchObject({
      channel: 'whatsapp',
      attachment: {
        ...{ filename: 'receipt-7.pdf', contentType: 'application/pdf', content: 'AAH/' },
      },
    })
  })

  it.each([
    ['nothing', ''],
    ['no JSON', '<html>'],
    ['another type', '[1]'],
    ['no id', '{"ok":true}'],
  ])('that answers 200 with %s has taken it', async (_, body) => {
    answer = (reply) => void reply.writeHead(200).end(body)
    expect(await driver().hand(outgoing(), run())).toBeNull()
  })

  it.each([
    [400, 'never'],
    [422, 'never'],
    [401, 'later'],
    [403, 'later'],
    [404, 'later'],
    [409, 'later'],
    [429, 'later'],
    [500, 'later'],
    [503, 'later'],
  ])('that answers %i is asked again: %s', async (status, fate) => {
    answer = (reply) => void reply.writeHead(status).end('+436641234567 is wrong')
    const failed = await driver()
      .hand(outgoing(), run())
      .catch((error: unknown) => error)
    expect(failed).toMatchObject({ fate, message: `the driver answered ${status}` })
  })

  it('that sends the call elsewhere is not followed', async () => {
    let elsewhere = 0
    const other = createServer((_, reply) => {
      elsewhere += 1
      reply.end()
    })
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
    const location = `http://127.0.0.1:${(other.address() as AddressInfo).port}/`
    answer = (reply) => void reply.writeHead(307, { location }).end()
    await expect(driver().hand(outgoing(), run())).rejects.toMatchObject({ fate: 'later' })
    expect(elsewhere).toBe(0)
    await new Promise((resolve) => other.close(resolve))
  })

  it.each([
    ['says nothing', () => undefined],
    ['breaks off', (reply: ServerResponse) => void reply.destroy()],
    ['never ends', (reply: ServerResponse) => void reply.writeHead(200).write('{')],
    ['says too much', (reply: ServerResponse) => void reply.writeHead(200).end('x'.repeat(70_000))],
  ])('that %s is asked again', async (_, act) => {
    answer = act
    const from = performance.now()
    const handed = driver({ timeoutMs: 300 }).hand(outgoing(), run())
    await expect(handed).rejects.toMatchObject({ name: 'HandOverError', fate: 'later' })
    expect(performance.now() - from).toBeLessThan(5_000)
  })

  it('does not hold up a server that stops', async () => {
    answer = () => undefined
    const stop = new AbortController()
    const handed = driver().hand(outgoing(), run(stop.signal))
    await expect.poll(() => calls.length).toBe(1)
    stop.abort()
    await expect(handed).rejects.toMatchObject({ fate: 'later' })
  })
})

describe('the outbox', () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'fiskalwerk-outbox-'))
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  it('holds an e-mail as one file that only its owner reads', async () => {
    const outbox = createOutbox({ folder: join(folder, 'data', 'outbox'), from: FROM })
    const mail = outgoing({ channel: 'email', to: 'max@example.com' })
    await outbox.hand(mail, run())
    await outbox.hand(mail, run())
    const place = join(folder, 'data', 'outbox')
    expect(readdirSync(place)).toEqual([`${ID}.eml`])
    expect(statSync(place).mode & 0o777).toBe(0o700)
    expect(statSync(join(place, `${ID}.eml`)).mode & 0o777).toBe(0o600)
    const email = await PostalMime.parse(readFileSync(join(place, `${ID}.eml`)))
    expect(email.subject).toBe('Café: Beleg 7')
  })

  it('holds a short message as what a driver would get', async () => {
    await createOutbox({ folder, from: FROM }).hand(outgoing(), run())
    const [name = ''] = readdirSync(folder)
    expect(name).toBe(`${ID}.sms.json`)
    expect(JSON.parse(readFileSync(join(folder, name), 'utf8'))).toMatchObject({
      to: '+436641234567',
      text: 'Café: Beleg 7\nhttps://r.example/a/b',
    })
  })

  it('that cannot be written is tried again, and leaves nothing half done', async () => {
    writeFileSync(join(folder, 'file'), '')
    const outbox = createOutbox({ folder: join(folder, 'file'), from: FROM })
    await expect(outbox.hand(outgoing(), run())).rejects.toMatchObject({ fate: 'later' })
    expect(readdirSync(folder)).toEqual(['file'])
  })
})

describe('the address of a mail server', () => {
  const plain = { secure: false, requireTls: false, verify: true, auth: undefined, from: FROM }
  it.each([
    ['smtp://mail.example', { ...plain, host: 'mail.example', port: 587 }],
    ['smtp://mail.example:25', { ...plain, host: 'mail.example', port: 25 }],
    ['smtp://[::1]:2525', { ...plain, host: '::1', port: 2525 }],
    ['smtps://mail.example', { ...plain, host: 'mail.example', port: 465, secure: true }],
    [
      'smtp://us%40er:p%3Ass@mail.example',
      {
        ...{ ...plain, host: 'mail.example', port: 587, requireTls: true },
        auth: { user: 'us@er', pass: 'p:ss' },
      },
    ],
    [
      'smtp://user:pass@127.0.0.1:1025',
      { ...plain, host: '127.0.0.1', port: 1025, auth: { user: 'user', pass: 'pass' } },
    ],
    [
      'smtp://mail.example?requireTLS=true&verify=false',
      { ...plain, host: 'mail.example', port: 587, requireTls: true, verify: false },
    ],
  ])('%s is understood', (address, options) => {
    expect(smtpOptions(address, FROM)).toEqual(options)
  })
})
