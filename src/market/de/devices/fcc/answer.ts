// What an FCC answers: only what is known of it. Of an error that is one member.
import { z } from 'zod'
import { CredentialsRefused, DeviceError, DeviceRefusal } from '../../../../device/device.js'
import type { OutboundResponse } from '../../../../device/outbound.js'
import { readJson, retryAfterMs } from '../../../../device/remote.js'

const count = z.int().min(0)
const base64 = z.base64().transform((text) => Buffer.from(text, 'base64'))
/** Nobody says what a time without an offset means; what is wrong here verifies nowhere. */
const moment = z
  .string()
  .transform((text) => new Date(/(?:Z|[+-]\d\d:?\d\d)$/.test(text) ? text : `${text}Z`))
  .refine((date) => !Number.isNaN(date.getTime()))

const signed = z.object({ signatureCounter: count, signatureValue: base64, logTime: moment })

export type SignedAnswer = z.infer<typeof signed>

export const answers = {
  none: z.unknown(),
  signed,
  start: signed.extend({ transactionNumber: count }),
  token: z.object({ access_token: z.string().min(1), expires_in: z.number().positive() }),
  clients: z.array(z.object({ clientId: z.string() })),
  /** Older connectors name the numbers alone. */
  open: z.array(
    z.object({ transactionNumber: count, externalTransactionId: z.string().nullish() }),
  ),
  limits: z.object({
    maxNumberClients: count,
    maxNumberTransactions: count,
    currentNumberOfTransactions: count,
  }),
  check: z.object({
    remoteCspVersion: z.string().nullish(),
    keyInfos: z.array(z.object({ state: z.string(), lastSignatureCounter: count })).min(1),
  }),
  details: z.object({
    serialNumberHex: z.string(),
    algorithm: z.string(),
    timeFormat: z.string(),
    leafCertificate: z.string(),
  }),
} as const

/** The connector said no, with this status. */
export class FccRefusal extends DeviceRefusal {
  override name = 'FccRefusal'
  readonly status: number

  constructor(message: string, status: number) {
    super(message)
    this.status = status
  }
}

/** Throws DeviceError for a text that is not what was asked for. */
export function readAnswer<T>(name: string, body: Buffer, schema: z.ZodType<T>): T {
  const parsed = schema.safeParse(body.length === 0 ? undefined : readJson(body.toString('utf8')))
  if (parsed.success) return parsed.data
  const member = parsed.error.issues[0]?.path.join('.') ?? ''
  throw new DeviceError(`the answer to ${name} cannot be read: ${member}`)
}

const errorBody = z.object({ ErrorType: z.string().regex(/^\w{1,60}$/) })

/** Throws DeviceError of the kind that a status means. */
export function demandDone(name: string, answer: OutboundResponse): Buffer {
  const { status, body } = answer
  if (status >= 200 && status < 300) return body
  const type = errorBody.safeParse(readJson(body.toString('utf8'))).data?.ErrorType
  const text = `${name} was answered with status ${status}${type === undefined ? '' : ` ${type}`}`
  if (status === 401 || status === 407) throw new CredentialsRefused(`${text}: see ersCode`)
  if (status === 429 || status === 503) {
    throw new DeviceError(text, { kind: 'busy', retryAfterMs: retryAfterMs(answer) })
  }
  if (status >= 400 && status < 500 && status !== 408) throw new FccRefusal(text, status)
  throw new DeviceError(text)
}
