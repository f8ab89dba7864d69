// Answers of the web service of a Diebold Nixdorf device, checked, and what its codes mean.
import { z } from 'zod'
import {
  CredentialsRefused,
  DeviceError,
  DeviceRefusal,
  UnitBroken,
} from '../../../../device/device.js'
import { readJson } from '../../../../device/remote.js'

const count = z.int().min(0)
const hex = z
  .string()
  .regex(/^(?:[0-9a-f]{2})+$/i)
  .transform((text) => Buffer.from(text, 'hex'))
const moment = z.iso.datetime({ offset: true }).transform((text) => new Date(text))
const signed = z.object({ SignatureCounter: count, Signature: hex, LogTime: moment })

export type SignedAnswer = z.infer<typeof signed>

export const answers = {
  none: z.object({}),
  info: z.object({
    DeviceInfo: z.object({
      SerialNumber: z.string().regex(/^[0-9a-f]{64}$/i),
      TimeFormat: z.string(),
    }),
  }),
  status: z.object({
    Parameters: z.object({ SignatureAlgorithm: z.string(), TSEDescription: z.string() }),
    ClientIDs: z.array(z.string()).default([]),
  }),
  data: z.object({ Value: z.base64().transform((text) => Buffer.from(text, 'base64')) }),
  start: signed.extend({ TransactionNumber: count }),
  signed,
} as const

const envelope = z.object({
  Command: z.string(),
  PingPong: z.int(),
  Status: z.enum(['ok', 'error']),
  Code: z.int().optional(),
})

const FIRST = '\u0002'
const LAST = '\u0003\n'

export function framed(members: object): string {
  return `${FIRST}${JSON.stringify(members)}${LAST}`
}

/** What stands between the marks. Throws DeviceError. */
export function unframed(text: string): { members: unknown; head: z.infer<typeof envelope> } {
  const isFramed = text.startsWith(FIRST) && text.endsWith(LAST)
  const members = isFramed ? readJson(text.slice(FIRST.length, -LAST.length)) : undefined
  const head = envelope.safeParse(members).data
  if (head !== undefined) return { members, head }
  throw new DeviceError('a message of the device cannot be read')
}

/** The transaction is not open, or not of this client. */
export const NO_TRANSACTION = 5017

export class CommandRefused extends DeviceRefusal {
  readonly code: number

  constructor(text: string, code: number) {
    super(text)
    this.code = code
  }
}

const WRONG: ReadonlySet<number> = new Set([30, 31])
/** Users that are blocked, and the end of the unit. */
const ENDED: ReadonlySet<number> = new Set([32, 33])
/** Nothing was done: unknown and bad commands, limits, clients, transactions that are not there. */
const REFUSED: ReadonlySet<number> = new Set([
  ...[1, 2, 3, 4, 9, 19, 21, 23, 24, 27, 28, 29, 34, 1337, NO_TRANSACTION],
])

/** What no list of the maker explains may have been done. */
export function failureOf(command: string, code: number | undefined): DeviceError {
  const text = `${command} was answered with code ${code ?? 'none'}`
  if (code === undefined) return new DeviceError(text)
  if (WRONG.has(code)) return new CredentialsRefused(text)
  if (ENDED.has(code)) return new UnitBroken(text)
  if (REFUSED.has(code)) return new CommandRefused(text, code)
  return new DeviceError(text)
}

/** Throws DeviceError, which names the member, not its value. */
export function readMembers<T>(command: string, members: unknown, schema: z.ZodType<T>): T {
  const parsed = schema.safeParse(members)
  if (parsed.success) return parsed.data
  const path = parsed.error.issues[0]?.path.join('.') ?? ''
  throw new DeviceError(`the answer to ${command} cannot be read: ${path}`)
}
