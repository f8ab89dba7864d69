// Calls of Swissbit's cloud service: serial number and token with each of them, and what its
// answers mean. What its errors look like is not known: their bodies are not read.
import { z } from 'zod'
import {
  DeviceError,
  DeviceRefusal,
  type DriverTools,
  type ScuHead,
} from '../../../../device/device.js'
import { LetIn } from '../../../../device/let-in.js'
import type { OutboundRequest, OutboundResponse } from '../../../../device/outbound.js'
import { callDevice, demandLetIn, readJson, retryAfterMs } from '../../../../device/remote.js'
import type { TimeBudget } from '../../../../device/time-budget.js'
import { swissbitAccessOf } from './settings.js'

const count = z.int().min(0)
const base64 = z.base64().transform((text) => Buffer.from(text, 'base64'))
/** Unix seconds. */
const moment = count.transform((seconds) => new Date(seconds * 1000))

const signed = z.object({
  transactionNumber: count,
  signatureCounter: count,
  signatureCreationTime: moment,
  signatureValue: base64,
})

export type SignedAnswer = z.infer<typeof signed>

const exported = z.object({
  id: z.union([z.string(), count]).transform(String),
  status: z.string(),
  downloadUrl: z.string().nullish(),
})

export const answers = {
  none: z.unknown(),
  signed,
  exported,
  exports: z.array(exported),
  numbers: z.array(count),
  clients: z.array(z.string()),
  info: z.object({
    serialNumber: z.string(),
    certificateChain: z.string(),
    signatureAlgorithm: z.string(),
    logTimeFormat: z.string(),
    initializationState: z.string(),
    softwareVersion: z.string().default(''),
    storageCapacity: count.default(0),
    storageUsed: count.default(0),
    createdSignatures: count,
    maxStartedTransactions: count,
    maxRegisteredClients: count,
  }),
} as const

export type InfoAnswer = z.infer<typeof answers.info>

export interface SwissbitCall<T> {
  method: 'GET' | 'POST' | 'DELETE'
  /** Behind the address: `startTransaction`; empty: the unit itself. */
  path: string
  body?: object
  schema: z.ZodType<T>
}

const MOST_ANSWER_BYTES = 1024 * 1024

export class SwissbitLink {
  private readonly scu: ScuHead
  private readonly tools: DriverTools
  private readonly door: LetIn

  constructor(scu: ScuHead, tools: DriverTools) {
    this.scu = scu
    this.tools = tools
    this.door = new LetIn(tools, scu, () => {
      const { address, serial, token } = swissbitAccessOf(scu)
      return [address, serial, token]
    })
  }

  /** Throws DeviceError for everything but an answer that can be read. */
  async ask<T>({ method, path, body, schema }: SwissbitCall<T>, budget: TimeBudget): Promise<T> {
    const { address, serial, token, named } = swissbitAccessOf(this.scu)
    const basic = Buffer.from(`${serial}:${token}`).toString('base64')
    const request = {
      url: `${address}/api/v1/tse${path === '' ? '' : `/${path}`}`,
      method,
      credentials: { authorization: `Basic ${basic}` },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      maxBytes: MOST_ANSWER_BYTES,
      repeatable: method === 'GET',
      named,
    }
    const limit = budget.limit()
    const told = await this.door.call(limit, async () =>
      demandDone(path, await callDevice(this.tools, request, limit)),
    )
    const parsed = schema.safeParse(told.length === 0 ? undefined : readJson(told.toString('utf8')))
    if (parsed.success) return parsed.data
    const member = parsed.error.issues[0]?.path.join('.') ?? ''
    throw new DeviceError(`the answer to ${path} cannot be read: ${member}`)
  }

  /** A file of the service lies elsewhere: no credentials go there. */
  async download(
    url: string,
    { sink, maxBytes }: { sink: NonNullable<OutboundRequest['sink']>; maxBytes: number },
    budget: TimeBudget,
  ): Promise<void> {
    const { named } = swissbitAccessOf(this.scu)
    const request = { url, method: 'GET', credentials: {}, sink, maxBytes } as const
    const call = { ...request, repeatable: false, named }
    demandDone('download', await callDevice(this.tools, call, budget.limit()))
  }
}

/** Throws DeviceError of the kind that a status means. */
function demandDone(name: string, answer: OutboundResponse): Buffer {
  const { status, body } = answer
  if (status >= 200 && status < 300) return body
  demandLetIn(name === '' ? 'info' : name, status)
  const text = `${name === '' ? 'info' : name} was answered with status ${status}`
  if (status === 429 || status === 503) {
    throw new DeviceError(text, { kind: 'busy', retryAfterMs: retryAfterMs(answer) })
  }
  if (status >= 400 && status < 500 && status !== 408) throw new DeviceRefusal(text)
  throw new DeviceError(text)
}
