// A strict simulator of an Epson device: messages in XML behind a NUL byte, one host at a time,
// JSON inside. Its facts are those of the maker's manuals.
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import { parseXml, type XmlElement } from '../../../lib/xml-read.js'
import { escapeXml } from '../../../lib/xml-write.js'
import type { Listening } from '../http-door.js'
import { type Fault, Refused, Watched } from '../script.js'
import { FUNCTIONS } from './functions.js'
import { type EpsonOptions, EpsonStorage } from './storage.js'

const MOST_JSON_BYTES = 64 * 1024
/** A broken socket blocks the device for so long, unless the host reconnects. */
const BLOCKED_MS = 60_000
const DEVICE_ID = 'local_TSE'

interface Host {
  id: string
  socket: Socket
  /** The last answer, with the number that it has. */
  answer: string | undefined
  dataId: number
  /** Hears no more. */
  isGone: boolean
}

export class EpsonSimulator {
  readonly watched = new Watched()
  readonly storage: EpsonStorage
  /** Before a call is answered: what it has changed is kept. */
  keepState: (() => void) | undefined
  /** Each message as it came, without its NUL. */
  readonly messages: string[] = []
  private hosts = 0
  private holder: { host: Host; brokenAt: number | undefined } | undefined
  private isBusy = false

  constructor(options: EpsonOptions = {}) {
    this.storage = new EpsonStorage(options)
  }

  /** With key and certificate: TLS. */
  async listen(
    port: number,
    { host = '127.0.0.1', tls }: { host?: string; tls?: { key: string; cert: string } } = {},
  ): Promise<Listening> {
    const sockets = new Set<Socket>()
    const serve = (socket: Socket) => {
      sockets.add(socket)
      socket.on('close', () => sockets.delete(socket))
      this.greet(socket)
    }
    const server: Server =
      tls === undefined
        ? createServer({ noDelay: true }, serve)
        : createTlsServer({ ...tls, noDelay: true }, serve)
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen(port, host, resolve)
    })
    const close = (): Promise<void> => {
      for (const socket of sockets) socket.destroy()
      return new Promise((resolve) => {
        server.close(() => resolve())
      })
    }
    return { port: (server.address() as AddressInfo).port, close }
  }

  private greet(socket: Socket): void {
    this.hosts += 1
    const host: Host = {
      id: `sock${this.hosts}`,
      socket,
      answer: undefined,
      dataId: 0,
      isGone: false,
    }
    let waiting = Buffer.alloc(0)
    socket.on('error', () => socket.destroy())
    socket.on('close', () => this.left(host))
    socket.on('data', (bytes: Buffer) => {
      waiting = Buffer.concat([waiting, bytes])
      for (let end = waiting.indexOf(0); end >= 0; end = waiting.indexOf(0)) {
        const message = waiting.subarray(0, end).toString('utf8')
        waiting = waiting.subarray(end + 1)
        this.message(host, message)
      }
    })
    const data = `<client_id>${host.id}</client_id><protocol_version>2</protocol_version>`
    socket.write(`<connect><data>${data}</data></connect>\0`)
  }

  private left(host: Host): void {
    if (this.holder?.host === host) this.holder.brokenAt = this.storage.now().getTime()
  }

  private message(host: Host, text: string): void {
    this.messages.push(text)
    try {
      const message = parseXml(text)
      const run = this.runs[message.name]
      if (run === undefined) throw new Error(`<${message.name}> is no message`)
      const fault = this.watched.passing(message.name)
      if (fault?.do === 'slow') setTimeout(() => run(host, message), fault.ms).unref()
      else if (fault?.do === 'request-lost') host.socket.destroy()
      else if (fault?.do === 'answer-lost') this.unheard(host, () => run(host, message))
      else run(host, message)
    } catch (error) {
      this.watched.offences.push(error instanceof Error ? error.message : 'no XML')
      host.socket.destroy()
    }
  }

  /** It is done, and the line is gone before anything is said. */
  private unheard(host: Host, work: () => void): void {
    host.isGone = true
    work()
    host.socket.destroy()
  }

  private tell(host: Host, text: string): void {
    if (!host.isGone) host.socket.write(`${text}\0`)
  }

  private readonly runs: Readonly<Record<string, (host: Host, message: XmlElement) => void>> = {
    open_device: (host, message) => {
      const code = this.openCode(host, textOf(message, 'device_id'), message)
      if (code === 'OK') this.holder = { host, brokenAt: undefined }
      this.say(host, 'open_device', `<code>${code}</code>`)
    },
    close_device: (host) => {
      const isOpen = this.holder?.host === host
      if (isOpen) this.holder = undefined
      this.say(host, 'close_device', `<code>${isOpen ? 'OK' : 'DEVICE_NOT_OPEN'}</code>`)
    },
    reconnect: (host, message) => this.reconnect(host, message),
    device_data: (host, message) => {
      const data = childOf(message, 'data')
      if (textOf(data, 'type') !== 'operate') throw new Error('only operate is known')
      if (!/^\d+$/.test(textOf(data, 'timeout'))) throw new Error('the timeout is no number')
      this.operate(host, textOf(data, 'requestdata'))
    },
  }

  private openCode(host: Host, deviceId: string, message: XmlElement): string {
    if (deviceId !== DEVICE_ID) return 'DEVICE_NOT_FOUND'
    if (textOf(childOf(message, 'data'), 'type') !== 'type_storage') return 'DEVICE_TYPE_INVALID'
    const { holder } = this
    if (holder === undefined || holder.host === host) return 'OK'
    const { brokenAt } = holder
    const isFree = brokenAt !== undefined && this.storage.now().getTime() - brokenAt > BLOCKED_MS
    return isFree ? 'OK' : 'DEVICE_IN_USE'
  }

  /** The device goes over to the new connection, and an answer that waits is sent again. */
  private reconnect(host: Host, message: XmlElement): void {
    const data = childOf(message, 'data')
    const old = textOf(data, 'old_client_id')
    const { holder } = this
    const isKnown = holder?.host.id === old && holder.host !== host
    this.tell(host, `<reconnect><code>${isKnown ? 'OK' : 'ERROR'}</code></reconnect>`)
    if (!isKnown || holder === undefined) return
    const before = holder.host
    this.holder = { host, brokenAt: undefined }
    host.dataId = before.dataId
    const isWaiting = Number(textOf(data, 'received_id')) < before.dataId
    if (isWaiting && before.answer !== undefined) this.tell(host, before.answer)
  }

  private operate(host: Host, json: string): void {
    if (this.holder?.host !== host) {
      this.result(host, 'DEVICE_NOT_OPEN', '')
      return
    }
    if (Buffer.byteLength(json) > MOST_JSON_BYTES) throw new Error('more than 64 KB')
    if (this.isBusy) {
      this.result(host, 'ERROR_DEVICE_BUSY', '')
      return
    }
    const request = this.requestOf(json)
    const fault = this.watched.called(request.function)
    if (fault?.do === 'restart') this.storage.restart()
    if (fault?.do === 'request-lost') {
      host.socket.destroy()
      return
    }
    const answer = JSON.stringify(this.answerOf(request, fault))
    this.watched.wrongLogins = this.storage.wrongLogins
    this.keepState?.()
    if (fault?.do !== 'slow') {
      this.give(host, answer, fault)
      return
    }
    this.isBusy = true
    setTimeout(() => {
      this.isBusy = false
      this.give(host, answer, fault)
    }, fault.ms)
  }

  private give(host: Host, answer: string, fault: Fault | undefined): void {
    if (fault?.do === 'answer-lost') {
      this.keep(host, 'SUCCESS', answer)
      host.socket.destroy()
      return
    }
    if (fault?.do !== 'half-answer') {
      this.result(host, 'SUCCESS', answer)
      return
    }
    const text = this.keep(host, 'SUCCESS', answer)
    host.socket.write(text.slice(0, text.length >> 1), () => host.socket.destroy())
  }

  private requestOf(json: string): { function: string; input: unknown } {
    const request = JSON.parse(json) as Record<string, unknown>
    const { storage, function: name, input, compress, ...others } = request
    const type = name === 'GetStorageInfo' ? 'COMMON' : 'TSE'
    const isRight =
      JSON.stringify(storage) === JSON.stringify({ type, vendor: 'TSE1' }) &&
      JSON.stringify(compress) === JSON.stringify({ required: false, type: '' }) &&
      Object.keys(others).length === 0
    if (!isRight || typeof name !== 'string') throw new Error(`no request: ${json.slice(0, 80)}`)
    return { function: name, input }
  }

  private answerOf({ function: name, input }: { function: string; input: unknown }, fault?: Fault) {
    try {
      if (fault?.do === 'refuse') throw new Refused(fault.code)
      const found = FUNCTIONS[name]
      const parsed = found?.shape.safeParse(input)
      if (found === undefined || parsed?.success !== true) {
        this.watched.offences.push(`${name}: ${parsed?.error?.message ?? 'unknown'}`)
        throw new Refused('JSON_ERROR_INVALID_PARAMETER')
      }
      const call = { storage: this.storage, input: parsed.data as never, fault }
      return { result: 'EXECUTION_OK', function: name, output: found.run(call), error: {} }
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      return { result: error.code, function: name, output: {}, error: { errorinfo: error.code } }
    }
  }

  private result(host: Host, code: string, json: string): void {
    this.tell(host, this.keep(host, code, json))
  }

  private keep(host: Host, code: string, json: string): string {
    host.dataId += 1
    const data =
      `<type>onoperateresult</type><success>true</success><code>${code}</code>` +
      `<resultdata>${escapeXml(json)}</resultdata>`
    const head = `<device_id>${DEVICE_ID}</device_id><data_id>${host.dataId}</data_id>`
    host.answer = `<device_data>${head}<data>${data}</data></device_data>`
    return host.answer
  }

  private say(host: Host, name: string, content: string): void {
    host.dataId += 1
    const head = `<device_id>${DEVICE_ID}</device_id>${content}<data_id>${host.dataId}</data_id>`
    this.tell(host, `<${name}>${head}</${name}>`)
  }
}

function childOf(element: XmlElement, name: string): XmlElement {
  const found = element.children.find((one) => one.name === name)
  if (found === undefined) throw new Error(`<${element.name}> has no <${name}>`)
  return found
}

const textOf = (element: XmlElement, name: string): string => childOf(element, name).text
