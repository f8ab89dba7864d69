// A real SMTP server on this machine that keeps what it takes, refuses what it is told to, and can
// go down and come back on the same port.

import { type AddressInfo, Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'

export interface TakenMail {
  from: string
  to: string[]
  raw: string
  email: Email
}

export interface MailServer {
  readonly port: number
  /** In the order in which they were taken. */
  mails: TakenMail[]
  /** Whole letters that reached the final dot, taken or not. */
  dots: number
  /** Connections so far. */
  connections: number
  /** Resolves when there are as many; throws after a while. */
  until(count: number, patienceMs?: number): Promise<TakenMail[]>
  stop(): Promise<void>
  /** On the same port. */
  start(): Promise<void>
}

export interface MailServerOptions {
  /** Answers at RCPT TO: null takes the address. */
  onAddress?: (address: string) => Refusal | null
  /** Answers to the final dot; a promise is waited for. */
  onMail?: (mail: TakenMail) => Promise<Refusal | null> | Refusal | null
  /** The final dot is not answered: the connection ends. */
  hangUp?: () => boolean
  server?: SMTPServerOptions
}

export interface Refusal {
  code: number
  text: string
}

function errorOf({ code, text }: Refusal): Error {
  return Object.assign(new Error(text), { responseCode: code })
}

/** Not one byte more, as from a machine that died. */
function hangUp(server: SMTPServer): void {
  for (const connection of server.connections) {
    const socket: unknown = Reflect.get(Object(connection), '_socket')
    if (socket instanceof Socket) socket.destroy()
  }
}

export async function startMailServer(options: MailServerOptions = {}): Promise<MailServer> {
  const server = new Recorder(options)
  await server.start()
  return server
}

class Recorder implements MailServer {
  port = 0
  mails: TakenMail[] = []
  dots = 0
  connections = 0
  private readonly options: MailServerOptions
  private server: SMTPServer | undefined

  constructor(options: MailServerOptions) {
    this.options = options
  }

  async start(): Promise<void> {
    const server = new SMTPServer({
      authOptional: true,
      disabledCommands: ['STARTTLS'],
      disableReverseLookup: true,
      closeTimeout: 50,
      onConnect: (_session, done) => {
        this.connections += 1
        done()
      },
      onRcptTo: ({ address }, _session, done) => {
        const refusal = this.options.onAddress?.(address) ?? null
        done(refusal === null ? null : errorOf(refusal))
      },
      onData: (stream, session, done) => {
        const parts: Buffer[] = []
        stream.on('data', (part: Buffer) => parts.push(part))
        stream.on('end', () => {
          this.dots += 1
          const { mailFrom, rcptTo } = session.envelope
          const from = mailFrom === false ? '' : mailFrom.address
          const to = rcptTo.map(({ address }) => address)
          this.take({ from, to, raw: Buffer.concat(parts).toString('utf8') }).then(
            (refusal) => {
              if (this.options.hangUp?.() === true) return hangUp(server)
              return refusal === null ? done(null, 'Ok: queued as TEST1') : done(errorOf(refusal))
            },
            (error: Error) => done(error),
          )
        })
      },
      ...this.options.server,
    })
    server.on('error', () => undefined)
    await new Promise<void>((resolve) => server.listen(this.port, '127.0.0.1', resolve))
    this.port = (server.server.address() as AddressInfo).port
    this.server = server
  }

  async stop(): Promise<void> {
    const { server } = this
    this.server = undefined
    if (server !== undefined) await new Promise<void>((resolve) => server.close(resolve))
  }

  async until(count: number, patienceMs = 20_000): Promise<TakenMail[]> {
    const from = performance.now()
    while (this.mails.length < count) {
      if (performance.now() - from > patienceMs) {
        throw new Error(`${this.mails.length} of ${count} mails after ${patienceMs} ms`)
      }
      await sleep(20)
    }
    return this.mails
  }

  private async take(mail: Omit<TakenMail, 'email'>): Promise<Refusal | null> {
    const taken = { ...mail, email: await PostalMime.parse(mail.raw) }
    const refusal = (await this.options.onMail?.(taken)) ?? null
    if (refusal === null) this.mails.push(taken)
    return refusal
  }
}
