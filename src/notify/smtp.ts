// E-mail by SMTP: one connection per message. The final dot, by which the server takes the message,
// is sent only behind the fence.
import { Readable } from 'node:stream'
import type SMTPConnection from 'nodemailer/lib/smtp-connection'
import { late } from '../lib/late.js'
import { mailOf, type Sender } from './compose.js'
import { type Fate, HandOverError, type Outgoing, type Run, type Transport } from './transport.js'

export interface SmtpOptions {
  host: string
  port: number
  /** TLS from the first byte; else STARTTLS wherever the server offers it. */
  secure: boolean
  /** Nothing is sent without TLS. */
  requireTls: boolean
  /** False: any certificate will do, for tests and closed networks. */
  verify: boolean
  auth: { user: string; pass: string } | undefined
  from: Sender
  /** What a server that is slow may take, for tests; left out: as below. */
  patience?: Partial<SmtpPatience>
}

export interface SmtpPatience {
  /** Until the server has greeted. */
  connectMs: number
  /** For everything in front of the final dot. */
  beforeMs: number
  /** For the answer to the final dot: RFC 5321 4.5.3.2.6 asks for ten minutes. */
  finalMs: number
}

const PATIENCE: SmtpPatience = { connectMs: 15_000, beforeMs: 120_000, finalMs: 600_000 }
const USUAL_PORTS: Record<string, number> = { 'smtp:': 587, 'smtps:': 465 }
const LOOPBACK = /^(127(\.\d{1,3}){3}|localhost|::1)$/

/** `smtp://user:password@host:587?requireTLS=true`; throws for what is no such address. */
export function smtpOptions(address: string, from: Sender): SmtpOptions {
  const url = new URL(address)
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const word = (name: string): boolean | undefined => {
    const value = url.searchParams.get(name)
    return value === null ? undefined : value !== 'false'
  }
  const hasAuth = url.username !== ''
  return {
    host,
    port: url.port === '' ? (USUAL_PORTS[url.protocol] ?? 25) : Number(url.port),
    secure: url.protocol === 'smtps:',
    // a password leaves the machine under TLS only
    requireTls: word('requireTLS') ?? (hasAuth && !LOOPBACK.test(host)),
    verify: word('verify') ?? true,
    auth: hasAuth
      ? { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) }
      : undefined,
    from,
  }
}

export function createSmtp(options: SmtpOptions): Transport {
  return { hand: (outgoing, run) => new Conversation(options, outgoing, run).hand() }
}

const stopping = (): Error => new HandOverError('later', 'the server stops')
const slow = (): Error => new HandOverError('later', 'the SMTP server takes too long')

const smtpConnection = late<typeof SMTPConnection>('nodemailer/lib/smtp-connection')

class Conversation {
  private readonly options: SmtpOptions
  private readonly patience: SmtpPatience
  private readonly outgoing: Outgoing
  private readonly run: Run
  private readonly connection: SMTPConnection
  /** The final dot is on its way: only an answer of the server tells what became of it. */
  private dotted = false
  /** Given up: the final dot must not go out any more. */
  private over = false

  constructor(options: SmtpOptions, outgoing: Outgoing, run: Run) {
    this.options = options
    this.patience = { ...PATIENCE, ...options.patience }
    this.outgoing = outgoing
    this.run = run
    this.connection = this.open()
  }

  async hand(): Promise<string | null> {
    const { signal } = this.run
    if (signal.aborted) throw stopping()
    let end = (_error: Error): void => undefined
    const ended = new Promise<never>((_, reject) => {
      end = reject
    })
    const giveUp = (error: Error): void => {
      if (this.dotted) return
      this.over = true
      end(error)
    }
    const onAbort = (): void => giveUp(stopping())
    this.connection.on('error', (error) => {
      this.over = true
      end(error)
    })
    signal.addEventListener('abort', onAbort)
    const timer = setTimeout(() => giveUp(slow()), this.patience.beforeMs)
    const talked = this.talk()
    // whichever comes second is nobody's any more
    void Promise.allSettled([talked, ended])
    try {
      return await Promise.race([talked, ended])
    } catch (error) {
      throw this.told(error)
    } finally {
      clearTimeout(timer)
      signal.removeEventListener('abort', onAbort)
      this.connection.close()
    }
  }

  private open(): SMTPConnection {
    const { host, port, secure, requireTls, verify } = this.options
    const { connectMs, finalMs } = this.patience
    return new (smtpConnection())({
      ...{ host, port, secure, requireTLS: requireTls },
      tls: { rejectUnauthorized: verify },
      ...{ connectionTimeout: connectMs, greetingTimeout: connectMs, dnsTimeout: connectMs },
      // what is in front of the dot has a shorter time of its own
      socketTimeout: finalMs,
      logger: false,
    })
  }

  private async talk(): Promise<string | null> {
    const { auth } = this.options
    await this.step((done) => this.connection.connect(done))
    if (auth !== undefined) {
      await this.step((done) => this.connection.login({ credentials: auth }, done))
    }
    const mail = await mailOf(this.outgoing, this.options.from)
    const envelope = { from: this.options.from.address, to: [this.outgoing.to], size: mail.length }
    return this.send(envelope, mail)
  }

  private step(work: (done: (error?: Error | null) => void) => void): Promise<void> {
    return new Promise((resolve, reject) => {
      work((error) => (error ? reject(error) : resolve()))
    })
  }

  private send(
    envelope: { from: string; to: string[]; size: number },
    mail: Buffer,
  ): Promise<string | null> {
    return new Promise((resolve, reject) => {
      this.connection.send(envelope, this.parts(mail), (error, info) => {
        if (error) reject(error)
        else resolve(queueId(info?.response ?? ''))
      })
    })
  }

  /** All bytes, then the fence; the end of this stream becomes the final dot. */
  private parts(mail: Buffer): Readable {
    const fence = async (): Promise<void> => {
      await this.run.fence()
      if (this.over) throw stopping()
      this.dotted = true
    }
    const parts = async function* () {
      yield mail
      await fence()
    }
    return Readable.from(parts(), { objectMode: false })
  }

  private told(error: unknown): HandOverError {
    if (error instanceof HandOverError) return error
    const fault = Object(error) as SmtpFault
    const { code, responseCode, message, originalCode } = fault
    const fate = fateOf(fault, this.dotted)
    const where = responseCode === undefined ? (originalCode ?? code ?? '') : `${responseCode}`
    return new HandOverError(fate, `SMTP ${where}: ${message ?? String(error)}`)
  }
}

interface SmtpFault {
  code: string | undefined
  /** The system's own, where there is one. */
  originalCode: string | undefined
  responseCode: number | undefined
  /** What the server has answered to. */
  command: string | undefined
  message: string | undefined
}

/** What is wrong with the message or the address itself, found in front of the server. */
const OWN_FAULTS = new Set(['EENVELOPE', 'EMESSAGE'])
/** A refusal of these is one of the message; others are about the way to the server, or us. */
const OF_THE_MESSAGE = new Set(['RCPT TO', 'DATA'])
/** The message is larger than the server takes; told in answer to MAIL FROM already. */
const TOO_LARGE = 552

function fateOf({ code, responseCode, command }: SmtpFault, dotted: boolean): Fate {
  if (responseCode === undefined) {
    if (dotted) return 'unsure'
    return OWN_FAULTS.has(code ?? '') ? 'never' : 'later'
  }
  const concerns = OF_THE_MESSAGE.has(command ?? '') || responseCode === TOO_LARGE
  return responseCode >= 500 && concerns ? 'never' : 'later'
}

const LONGEST_ID = 120

/** How the server calls the message: `250 2.0.0 Ok: queued as 4XyZ1`. */
function queueId(response: string): string | null {
  const found =
    /queued as\s+<?([\w.+-]+)/i.exec(response) ?? /\bid[=: ]\s*<?([\w.+-]+)/i.exec(response)
  return found?.[1]?.slice(0, LONGEST_ID) ?? null
}
