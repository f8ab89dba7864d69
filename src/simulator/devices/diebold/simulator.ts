// A strict simulator of the web service of Diebold Nixdorf devices (dn-tse-webservice): frames of
// JSON over a WebSocket, one command at a time, the password with each of them. What the vendor
// tells nobody (exports, the query of a lost answer) it does not offer either.
import type { AddressInfo } from 'node:net'
import { type RawData, type WebSocket, WebSocketServer } from 'ws'
import { z } from 'zod'
import type { Listening } from '../http-door.js'
import { type Fault, Refused, Watched } from '../script.js'
import { type Entry, SecurityUnit } from '../security-unit.js'
import { type Found, type KeptRecord, wholeRecord } from '../state-file.js'

const MOST_OPEN = 512
const MOST_CLIENTS = 100
const MOST_TRIES = 3
/** A line on which nothing was sent for so long is closed. */
const QUIET_MS = 5_000
const RESERVED = 'DN TSEProduction ef82abcedf'
/** Ends of an error. */
const CODES = {
  unknown: '1',
  invalid: '4',
  base64: '9',
  client: '19',
  open: '21',
  clients: '23',
  clientOpen: '24',
  password: '30',
  blocked: '32',
  reserved: '1337',
  transaction: '5017',
} as const

export interface DieboldOptions {
  password?: string
  now?: () => Date
  /** End of its certificate. */
  until?: Date | undefined
  mostOpen?: number
}

interface Host {
  web: WebSocket
  client: string | undefined
  quiet: NodeJS.Timeout
  isBusy: boolean
}

const text = z.string()
const head = z.looseObject({ Command: text, PingPong: z.int().min(1) })
const client = { ClientID: z.string().regex(/^[A-Za-z0-9()+,\-.:? ]{1,30}$/) }
const numbered = { ...client, TransactionNumber: z.int().min(1), Typ: text, Data: text }

type Members = Record<string, never>
type Run = (members: Members, host: Host) => object
interface Command {
  shape: z.ZodType
  needsPassword: boolean
  run: Run
}

export class DieboldSimulator {
  readonly watched = new Watched()
  readonly unit: SecurityUnit
  /** Before a call is answered: what it has changed is kept. */
  keepState: (() => void) | undefined
  private password: string
  private tries = MOST_TRIES
  private readonly mostOpen: number

  constructor(options: DieboldOptions = {}) {
    const { password = '12345', now = () => new Date(), until, mostOpen = MOST_OPEN } = options
    this.password = password
    this.mostOpen = mostOpen
    const curve = 'brainpoolP384r1'
    this.unit = new SecurityUnit({ curve, maker: 'Simulated DN (not certified)', now, until })
    this.unit.initialize()
  }

  async listen(port: number, { host = '127.0.0.1' }: { host?: string } = {}): Promise<Listening> {
    const server = new WebSocketServer({ port, host, perMessageDeflate: false })
    await new Promise<void>((resolve, reject) => {
      server.once('listening', resolve)
      server.once('error', reject)
    })
    server.on('connection', (web) => this.greet(web))
    const close = (): Promise<void> => {
      for (const web of server.clients) web.terminate()
      return new Promise((resolve) => {
        server.close(() => resolve())
      })
    }
    return { port: (server.address() as AddressInfo).port, close }
  }

  setPassword(password: string): void {
    this.password = password
  }

  *records(): Generator<KeptRecord> {
    const { password, tries, watched } = this
    yield wholeRecord('service', { password, tries, wrongLogins: watched.wrongLogins })
    yield* this.unit.records('unit/')
  }

  restore(found: Found): void {
    const service = found.get('service') as
      | { password: string; tries: number; wrongLogins: number }
      | undefined
    if (service === undefined) return
    this.password = service.password
    this.tries = service.tries
    this.watched.wrongLogins = service.wrongLogins
    this.unit.restore('unit/', found)
  }

  // ---------------------------------------------------------------------------- the line

  private greet(web: WebSocket): void {
    const late = () => web.terminate()
    const host: Host = {
      ...{ web, client: undefined, isBusy: false },
      quiet: setTimeout(late, QUIET_MS),
    }
    web.on('error', () => web.terminate())
    web.on('close', () => clearTimeout(host.quiet))
    web.on('message', (data, isBinary) => {
      clearTimeout(host.quiet)
      host.quiet = setTimeout(late, QUIET_MS)
      this.message(host, data, isBinary)
    })
  }

  private message(host: Host, data: RawData, isBinary: boolean): void {
    try {
      const frame = String(data)
      const isFramed = !isBinary && frame.startsWith('\u0002') && frame.endsWith('\u0003\n')
      if (!isFramed) throw new Error('no frame of STX, ETX and LF')
      if (host.isBusy) throw new Error('a second command on the line')
      const members = head.parse(JSON.parse(frame.slice(1, -2)))
      this.command(host, members)
    } catch (error) {
      this.watched.offences.push(error instanceof Error ? error.message : String(error))
      host.web.terminate()
    }
  }

  private command(host: Host, members: z.infer<typeof head>): void {
    const { Command: name, PingPong } = members
    const fault = name === 'PingPong' ? undefined : this.watched.called(name)
    if (fault?.do === 'restart') {
      // the service is started anew: lines and what it kept of them are gone
      host.web.terminate()
      return
    }
    if (fault?.do === 'request-lost') {
      host.web.terminate()
      return
    }
    const answer = { Command: name, PingPong, ...this.answerOf(host, members, fault) }
    this.keepState?.()
    const frame = `\u0002${JSON.stringify(answer)}\u0003\n`
    if (fault?.do === 'answer-lost') host.web.terminate()
    else if (fault?.do === 'half-answer') this.half(host, frame)
    else if (fault?.do === 'slow') this.late(host, frame, fault.ms)
    else host.web.send(frame)
  }

  private half({ web }: Host, frame: string): void {
    web.send(frame.slice(0, frame.length >> 1), () => web.terminate())
  }

  private late(host: Host, frame: string, ms: number): void {
    host.isBusy = true
    setTimeout(() => {
      host.isBusy = false
      host.web.send(frame)
    }, ms).unref()
  }

  private answerOf(host: Host, members: z.infer<typeof head>, fault: Fault | undefined): object {
    try {
      if (fault?.do === 'refuse') throw new Refused(fault.code)
      const { Command: name, PingPong: _, Password: password, ...rest } = members
      const found = this.commands[name]
      if (found === undefined) throw this.offence(name, CODES.unknown)
      if (host.client === undefined && !FREE.has(name)) throw this.offence(name, CODES.invalid)
      this.checkPassword(name, found, password)
      const parsed = found.shape.safeParse(rest)
      if (!parsed.success) throw this.offence(`${name}: ${parsed.error.message}`, CODES.invalid)
      const given = found.run(parsed.data as Members, host)
      return { Status: 'ok', ...bent(given, fault) }
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      return { Status: 'error', Code: Number(error.code), Desc: `error ${error.code}` }
    }
  }

  private offence(what: string, code: string): Refused {
    this.watched.offences.push(what)
    return new Refused(code)
  }

  private checkPassword(name: string, { needsPassword }: Command, given: unknown): void {
    if (given === undefined && !needsPassword) return
    const isBase64 = typeof given === 'string' && z.base64().safeParse(given).success
    if (!isBase64) throw this.offence(`${name}: the password is not Base64`, CODES.base64)
    if (this.tries === 0) throw new Refused(CODES.blocked)
    if (Buffer.from(given, 'base64').toString('utf8') === this.password) {
      this.tries = MOST_TRIES
      return
    }
    this.tries -= 1
    this.watched.wrongLogins += 1
    throw new Refused(CODES.password)
  }

  // ------------------------------------------------------------------------- the commands

  private readonly commands: Readonly<Record<string, Command>> = {
    PingPong: free(z.strictObject({}), () => ({})),
    SetDefaultClientID: free(z.strictObject(client), (members, host) => {
      host.client = members.ClientID
      return {}
    }),
    GetDeviceInfo: free(z.strictObject({}), () => ({
      DeviceInfo: { SerialNumber: this.unit.serialHex, TimeFormat: 'UnixTime' },
    })),
    GetDeviceStatus: free(z.strictObject({}), () => ({
      Parameters: {
        SignatureAlgorithm: this.unit.algorithm,
        TSEDescription: 'BSI-K-TR-0393-2020',
        CertificateDate: this.unit.key.until.toISOString(),
      },
      ClientIDs: [...this.unit.clients],
    })),
    GetDeviceData: free(
      z.strictObject({ Name: z.literal('Certificates'), Format: z.literal('Base64') }),
      () => {
        const all = Buffer.concat([...this.unit.key.certificates])
        return { Value: all.toString('base64'), Length: all.length }
      },
    ),
    RegisterClientID: secret(z.strictObject(client), ({ ClientID: id }) => {
      if (id === RESERVED) throw new Refused(CODES.reserved)
      if (!this.unit.clients.has(id) && this.unit.clients.size >= MOST_CLIENTS) {
        throw new Refused(CODES.clients)
      }
      this.unit.register(id)
      return {}
    }),
    DeregisterClientID: secret(z.strictObject(client), ({ ClientID: id }) => {
      if (!this.unit.clients.has(id)) throw new Refused(CODES.client)
      const all = [...this.unit.transactions.values()]
      if (all.some((one) => one.isOpen && one.client === id)) throw new Refused(CODES.clientOpen)
      this.unit.deregister(id)
      return {}
    }),
    StartTransaction: secret(z.strictObject(client), ({ ClientID: id }) => {
      this.demandReady(id)
      if (this.unit.open.length >= this.mostOpen) throw new Refused(CODES.open)
      const step = { client: id, processType: '', processData: Buffer.alloc(0) }
      const entry = this.unit.start(step)
      const { serialHex } = this.unit
      return { TransactionNumber: entry.transaction, SerialNumber: serialHex, ...told(entry) }
    }),
    UpdateTransaction: secret(z.strictObject(numbered), (members) => this.go('Update', members)),
    FinishTransaction: secret(z.strictObject(numbered), (members) => this.go('Finish', members)),
  }

  private go(kind: 'Update' | 'Finish', members: z.infer<z.ZodObject<typeof numbered>>): object {
    const { ClientID: id, TransactionNumber: number, Typ: processType, Data: data } = members
    this.demandReady(id)
    const found = this.unit.transactions.get(number)
    if (found?.isOpen !== true || found.client !== id) throw new Refused(CODES.transaction)
    const step = { client: id, processType, processData: Buffer.from(data, 'utf8') }
    return told(this.unit.go(kind, number, step))
  }

  /** Which code tells of a certificate that has ended is not known; nothing is signed then. */
  private demandReady(id: string): void {
    if (!this.unit.clients.has(id)) throw new Refused(CODES.client)
    if (this.unit.isExpired) throw new Refused('5')
  }
}

/** Before the line has a client. */
const FREE: ReadonlySet<string> = new Set(['PingPong', 'SetDefaultClientID'])

const free = <T>(shape: z.ZodType<T>, run: (members: T, host: Host) => object): Command => ({
  ...{ shape, needsPassword: false, run: run as Run },
})
const secret = <T>(shape: z.ZodType<T>, run: (members: T, host: Host) => object): Command => ({
  ...{ shape, needsPassword: true, run: run as Run },
})

function told({ counter, signature, time }: Entry): object {
  return {
    SignatureCounter: counter,
    Signature: signature.toString('hex'),
    LogTime: new Date(time * 1000).toISOString().replace('.000Z', '+00:00'),
  }
}

function bent(answer: object, fault: Fault | undefined): object {
  if (!('Signature' in answer) || !('SignatureCounter' in answer)) return answer
  const signature = Buffer.from(String(answer.Signature), 'hex')
  if (fault?.do === 'foreign-signature') signature.reverse()
  const more = fault?.do === 'wrong-counter' ? 1 : 0
  return {
    ...answer,
    Signature: signature.toString('hex'),
    SignatureCounter: Number(answer.SignatureCounter) + more,
  }
}
