// Calls of the German signing-device interface over HTTP.
import type { z } from 'zod'
import {
  type CallLimit,
  DeviceError,
  DeviceRefusal,
  type DriverTools,
  type ScuHead,
} from '../../../device/device.js'
import { callDevice, demandLetIn } from '../../../device/remote.js'
import { MOST_ANSWER_BYTES, readAnswer } from './remote-answer.js'
import { remoteAccessOf } from './remote-settings.js'

export interface LinkCall<T> {
  /** Last part of the address: `starttransaction`. */
  name: string
  /** Left out: a GET. */
  body?: object
  schema: z.ZodType<T>
  /** Done twice it changes nothing more. */
  repeatable?: boolean
  maxBytes?: number
}

export class RemoteLink {
  readonly tools: DriverTools
  private readonly scu: ScuHead

  constructor(scu: ScuHead, tools: DriverTools) {
    this.scu = scu
    this.tools = tools
  }

  /** Throws DeviceError for everything but an answer that can be read. */
  async ask<T>(call: LinkCall<T>, limit: CallLimit): Promise<T> {
    const { address, credentials, named } = remoteAccessOf(this.scu)
    const request = {
      url: `${address}/v1/${call.name}`,
      credentials,
      body: call.body === undefined ? undefined : JSON.stringify(call.body),
      maxBytes: call.maxBytes ?? MOST_ANSWER_BYTES,
      repeatable: call.repeatable ?? false,
      named,
    }
    const { status, body } = await callDevice(this.tools, request, limit)
    if (status === 200 || status === 204) return readAnswer(body, call)
    demandLetIn(call.name, status)
    throw failureOf(call.name, status)
  }
}

/** Of a proxy in front of the device, which says nothing about the device. */
const NOT_FROM_DEVICE: ReadonlySet<number> = new Set([408, 429, 502, 503, 504])

/** Services tell of a device that refuses with 4xx, or with 500 as of an exception. */
function failureOf(name: string, status: number): DeviceError {
  const text = `${name} was answered with status ${status}`
  const isRefusal = status >= 400 && status <= 504 && !NOT_FROM_DEVICE.has(status)
  return isRefusal ? new DeviceRefusal(text) : new DeviceError(text)
}
