// One connection to an Epson device: XML messages that end with a NUL byte, one request at a time.
// The device is opened for a piece of work and closed behind it, so that other hosts get their
// turn.
import type { z } from 'zod'
import { DeviceError, DeviceRefusal } from '../../../../device/device.js'
import { readJson } from '../../../../device/remote.js'
import type { Connect } from '../../../../device/socket.js'
import type { TimeBudget } from '../../../../device/time-budget.js'
import { parseXml, type XmlElement, XmlError } from '../../../../lib/xml-read.js'
import { escapeXml } from '../../../../lib/xml-write.js'
import { readOutput } from './answer.js'

type Socket = Awaited<ReturnType<Connect>>

const MOST_REQUEST_BYTES = 64 * 1024
const MOST_MESSAGE_BYTES = 1024 * 1024

export interface FunctionCall<T> {
  name: string
  input: object
  schema: z.ZodType<T>
}

/** What a host says when it comes back after its socket broke. */
export interface Lost {
  clientId: string
  dataId: string
}

export class EpsonSession {
  clientId = ''
  dataId = '0'
  /** The line failed: nothing more is sent on it. */
  isBroken = false
  private readonly socket: Socket
  private readonly messages: string[] = []
  private waiting: (() => void) | undefined
  private rest = Buffer.alloc(0)
  private end: string | undefined

  constructor(socket: Socket) {
    this.socket = socket
    socket.on('data', (bytes: Buffer) => this.take(bytes))
    socket.on('error', (error: Error) => this.stop(error.message))
    socket.on('close', () => this.stop('the device has closed the connection'))
  }

  private take(bytes: Buffer): void {
    this.rest = Buffer.concat([this.rest, bytes])
    for (let at = this.rest.indexOf(0); at >= 0; at = this.rest.indexOf(0)) {
      this.messages.push(this.rest.subarray(0, at).toString('utf8'))
      this.rest = this.rest.subarray(at + 1)
    }
    if (this.rest.length > MOST_MESSAGE_BYTES) this.socket.destroy()
    this.waiting?.()
  }

  private stop(reason: string): void {
    this.end ??= reason
    this.isBroken = true
    this.waiting?.()
  }

  /** The next message of one of these names; others are passed over. */
  private async next(names: readonly string[], budget: TimeBudget): Promise<XmlElement> {
    for (;;) {
      const text = this.messages.shift()
      if (text === undefined) await this.arrival(budget)
      else {
        const message = this.read(text)
        const dataId = textOf(message, 'data_id')
        if (dataId !== '') this.dataId = dataId
        if (names.includes(message.name)) return message
      }
    }
  }

  private read(text: string): XmlElement {
    try {
      return parseXml(text)
    } catch (error) {
      if (!(error instanceof XmlError)) throw error
      this.isBroken = true
      throw new DeviceError('a message of the device cannot be read', { cause: error })
    }
  }

  private async arrival(budget: TimeBudget): Promise<void> {
    if (this.end !== undefined) throw new DeviceError(`no answer of the device: ${this.end}`)
    const { timeoutMs } = this.limit(budget)
    const isLate = await new Promise<boolean>((resolve) => {
      const timer = setTimeout(resolve, timeoutMs, true)
      this.waiting = () => {
        clearTimeout(timer)
        resolve(false)
      }
    })
    this.waiting = undefined
    // whatever the clock says: what was waited for has not come
    if (!isLate || this.messages.length > 0 || this.end !== undefined) return
    this.isBroken = true
    throw new DeviceError(`no answer within ${Math.round(timeoutMs)} ms`)
  }

  private limit(budget: TimeBudget) {
    try {
      return budget.limit()
    } catch (error) {
      this.isBroken = true
      throw error
    }
  }

  private send(xml: string): void {
    if (!this.isBroken) this.socket.write(`${xml}\0`)
  }

  // --------------------------------------------------------------------- the device

  /**
   * Greeted; a device that was left open by a line that broke is taken over and closed. `lost`: the
   * lines that may have it, of which one at most does.
   */
  async open(deviceId: string, lost: readonly Lost[], budget: TimeBudget): Promise<void> {
    const greeting = await this.next(['connect'], budget)
    this.clientId = textOf(childOf(greeting, 'data'), 'client_id')
    for (const one of lost) if (await this.takesOver(one, deviceId, budget)) break
    const id = `<device_id>${escapeXml(deviceId)}</device_id>`
    this.send(`<open_device>${id}<data><type>type_storage</type></data></open_device>`)
    const code = textOf(await this.next(['open_device'], budget), 'code')
    if (code === 'OK') return
    if (code === 'DEVICE_IN_USE') {
      throw new DeviceError('another host uses the device', { kind: 'busy' })
    }
    throw new DeviceRefusal(`the device was not opened: ${code}`)
  }

  private async takesOver(lost: Lost, deviceId: string, budget: TimeBudget): Promise<boolean> {
    const ids =
      `<old_client_id>${escapeXml(lost.clientId)}</old_client_id>` +
      `<new_client_id>${escapeXml(this.clientId)}</new_client_id>` +
      `<received_id>${escapeXml(lost.dataId)}</received_id>`
    this.send(`<reconnect><data>${ids}</data></reconnect>`)
    const answer = await this.next(['reconnect'], budget)
    const isHad = textOf(answer, 'code') === 'OK'
    if (isHad) await this.close(deviceId, budget)
    return isHad
  }

  /** An answer that was still on its way is passed over: it is asked for in another way. */
  async close(deviceId: string, budget: TimeBudget): Promise<void> {
    const id = `<device_id>${escapeXml(deviceId)}</device_id>`
    this.send(`<close_device>${id}</close_device>`)
    await this.next(['close_device'], budget)
  }

  leave(): void {
    if (this.isBroken) this.socket.destroy()
    else this.socket.end()
  }

  /** Throws DeviceError for everything but an answer that can be read. */
  async ask<T>(deviceId: string, call: FunctionCall<T>, budget: TimeBudget): Promise<T> {
    const json = requestOf(call)
    const { timeoutMs } = this.limit(budget)
    const data =
      `<type>operate</type><timeout>${Math.ceil(timeoutMs)}</timeout>` +
      `<requestdata>${escapeXml(json)}</requestdata>`
    const id = `<device_id>${escapeXml(deviceId)}</device_id>`
    this.send(`<device_data>${id}<data>${data}</data></device_data>`)
    const answer = childOf(await this.next(['device_data'], budget), 'data')
    const code = textOf(answer, 'code')
    if (code === 'SUCCESS') {
      return readOutput(call.name, readJson(textOf(answer, 'resultdata')), call.schema)
    }
    const isBusy = code === 'ERROR_DEVICE_BUSY' || code === 'DEVICE_NOT_OPEN'
    const text = `${call.name} was answered with ${code.slice(0, 100)}`
    throw new DeviceError(text, isBusy ? { kind: 'busy' } : {})
  }
}

function requestOf({ name, input }: FunctionCall<unknown>): string {
  const storage = { type: name === 'GetStorageInfo' ? 'COMMON' : 'TSE', vendor: 'TSE1' }
  const compress = { required: false, type: '' }
  const json = JSON.stringify({ storage, function: name, input, compress })
  if (Buffer.byteLength(json) <= MOST_REQUEST_BYTES) return json
  throw new DeviceRefusal('the device takes no more than 64 KB in one request')
}

function childOf(element: XmlElement, name: string): XmlElement {
  const found = element.children.find((one) => one.name === name)
  if (found === undefined) throw new DeviceError(`a message of the device lacks its ${name}`)
  return found
}

function textOf(element: XmlElement, name: string): string {
  return element.children.find((one) => one.name === name)?.text ?? ''
}
