// E-mail by SMTP on a real server: TLS, credentials, the fence in front of the last byte, patience.
import { afterEach, describe, expect, it } from 'vitest'
import { senderOf } from '../../src/notify/compose.js'
import { createSmtp, type SmtpOptions } from '../../src/notify/smtp.js'
import type { Outgoing } from '../../src/notify/transport.js'
import { type MailServer, type MailServerOptions, startMailServer } from '../support/mail-server.js'

const OUTGOING: Outgoing = {
  ...{ id: '6a1f0b52-3f0e-4a35-9b5f-5f8f1f5d7c11', channel: 'email', to: 'max@example.com' },
  createdAt: new Date(0),
  letter: {
    ...{ language: 'de', subject: 'Beleg', paragraphs: ['.', '..', '. x'], footer: 'Ende' },
    ...{ link: null, attachment: null },
  },
}

const never = new AbortController().signal
let server: MailServer
afterEach(() => server.stop())

async function open(options: MailServerOptions = {}): Promise<void> {
  server = await startMailServer(options)
}

function smtp(more: Partial<SmtpOptions> = {}) {
  return createSmtp({
    ...{ host: '127.0.0.1', port: server.port, secure: false, requireTls: false, verify: true },
    ...{ auth: undefined, from: senderOf('receipts@shop.example') },
    ...more,
  })
}

const run = (fence = async (): Promise<void> => undefined, signal = never) => ({ fence, signal })

describe('the fence', () => {
  it('is passed when everything but the last byte is there', async () => {
    await open()
    let dots = -1
    const id = await smtp().hand(
      OUTGOING,
      run(async () => {
        await new Promise((resolve) => setTimeout(resolve, 200))
        dots = server.dots
      }),
    )
    expect(dots).toBe(0)
    expect(id).toBe('TEST1')
    expect(server.mails).toHaveLength(1)
    expect(server.mails[0]?.email.text).toContain('.\n\n..\n\n. x')
  })

  it('that does not open keeps the message from being taken', async () => {
    await open()
    const closed = async () => {
      throw new Error('closed')
    }
    await expect(smtp().hand(OUTGOING, run(closed))).rejects.toMatchObject({ fate: 'later' })
    await new Promise((resolve) => setTimeout(resolve, 200))
    expect(server.dots).toBe(0)
  })

  it('that opens after the server was asked to stop is too late', async () => {
    await open()
    const stop = new AbortController()
    const slow = async () => {
      stop.abort()
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
    const handed = smtp().hand(OUTGOING, run(slow, stop.signal))
    await expect(handed).rejects.toMatchObject({ fate: 'later' })
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect(server.dots).toBe(0)
  })
})

describe('a server', () => {
  it('that says nothing behind the last byte may have the message', async () => {
    await open({ onMail: () => new Promise(() => undefined) })
    const patience = { finalMs: 300 }
    const handed = smtp({ patience }).hand(OUTGOING, run())
    await expect(handed).rejects.toMatchObject({ fate: 'unsure' })
    expect(server.dots).toBe(1)
  })

  it('that takes too long in front of it has nothing', async () => {
    await open({
      server: {
        onMailFrom: () => {
          // it never answers
        },
      },
    })
    const handed = smtp({ patience: { beforeMs: 300 } }).hand(OUTGOING, run())
    await expect(handed).rejects.toMatchObject({ fate: 'later' })
  })

  it('that asks for credentials gets them, and refuses wrong ones for now', async () => {
    await open({
      server: {
        authOptional: false,
        allowInsecureAuth: true,
        onAuth: ({ username, password }, _session, done) => {
          if (username === 'user' && password === 'p@ss') return done(null, { user: 'user' })
          return done(new Error('Invalid'))
        },
      },
    })
    await smtp({ auth: { user: 'user', pass: 'p@ss' } }).hand(OUTGOING, run())
    const wrong = smtp({ auth: { user: 'user', pass: 'wrong' } }).hand(OUTGOING, run())
    await expect(wrong).rejects.toMatchObject({ fate: 'later' })
    expect(server.mails).toHaveLength(1)
  })

  it('without TLS gets nothing where TLS is asked for', async () => {
    await open()
    const handed = smtp({ requireTls: true }).hand(OUTGOING, run())
    await expect(handed).rejects.toMatchObject({ fate: 'later' })
    expect(server.dots).toBe(0)
  })

  it.each([
    ['STARTTLS', false],
    ['TLS from the first byte', true],
  ])('with %s is believed with a certificate only', async (_, secure) => {
    // the server brings a certificate that nobody vouches for
    await open({ server: { secure, disabledCommands: [] } })
    const handed = smtp({ secure, requireTls: true }).hand(OUTGOING, run())
    await expect(handed).rejects.toMatchObject({ fate: 'later' })
    expect(server.dots).toBe(0)
    await smtp({ secure, requireTls: true, verify: false }).hand(OUTGOING, run())
    expect(server.mails).toHaveLength(1)
  })

  it.each([
    ['greeting', 554, 'later'],
    ['sender', 550, 'later'],
    ['sender', 552, 'never'],
    ['address', 550, 'never'],
    ['address', 450, 'later'],
    ['message', 554, 'never'],
    ['message', 451, 'later'],
  ])('that refuses the %s with %i is asked again: %s', async (what, code, fate) => {
    const refusal = () => Object.assign(new Error('no'), { responseCode: code })
    await open({
      ...(what === 'address' ? { onAddress: () => ({ code, text: 'no' }) } : {}),
      ...(what === 'message' ? { onMail: () => ({ code, text: 'no' }) } : {}),
      server: {
        ...(what === 'greeting' ? { onConnect: (_, done) => done(refusal()) } : {}),
        ...(what === 'sender' ? { onMailFrom: (_, __, done) => done(refusal()) } : {}),
      },
    })
    await expect(smtp().hand(OUTGOING, run())).rejects.toMatchObject({ fate })
  })
})
