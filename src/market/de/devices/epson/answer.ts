// Answers of an Epson device, checked, and what its codes mean for whoever asked.
import { z } from 'zod'
import {
  CredentialsRefused,
  DeviceError,
  DeviceRefusal,
  UnitBroken,
} from '../../../../device/device.js'

const count = z.int().min(0)
const bytes = z.base64().transform((base64) => Buffer.from(base64, 'base64'))
const moment = z.iso.datetime({ offset: true }).transform((text) => new Date(text))

const signed = z.object({ logTime: moment, signatureCounter: count, signature: bytes })

export type SignedAnswer = z.infer<typeof signed>

export const answers = {
  none: z.object({}),
  challenge: z.object({ challenge: z.string().min(1).max(256) }),
  info: z.object({
    tseInformation: z.object({
      tseInitializationState: z.string(),
      tseCapacity: count,
      tseCurrentSize: count,
      hasValidTime: z.boolean(),
      hasPassedSelfTest: z.boolean(),
      timeUntilNextSelfTest: count,
      maxStartedTransactions: count,
      createdSignatures: count,
      maxSignatures: count,
      maxRegisteredClients: count,
      serialNumber: bytes,
      signatureAlgorithm: z.string(),
      tseDescription: z.string(),
      softwareVersion: z.union([z.number(), z.string()]).transform(String),
    }),
  }),
  certificate: z.object({ logMessageCertificate: bytes }),
  clients: z.object({ registeredClientIdList: z.array(z.string()) }),
  started: z.object({ startedTransactionNumberList: z.array(count) }),
  start: signed.extend({ transactionNumber: count }),
  signed,
  exportData: z.object({ exportData: z.string(), exportStatus: z.string() }),
} as const

/** A code of the device, without the prefix that says which part of it speaks. */
export interface Coded {
  code: string
}

export class FunctionRefused extends DeviceRefusal implements Coded {
  readonly code: string

  constructor(text: string, code: string) {
    super(text)
    this.code = code
  }
}

/** Nothing was done; later it may be. */
export class FunctionBusy extends DeviceError implements Coded {
  readonly code: string

  constructor(text: string, code: string) {
    super(text, { kind: 'busy' })
    this.code = code
  }
}

const WRONG: ReadonlySet<string> = new Set(['HOST_AUTHENTICATION_FAILED', 'AUTHENTICATION_FAILED'])
const BUSY: ReadonlySet<string> = new Set([
  ...['CURRENTLY_EXPORTING', 'NOT_ALLOWED_EXPORT_IN_PROGRESS', 'CURRENTLY_EXPORTING_USER'],
  ...['EXPORT_RETRY', 'TOO_MANY_TIME_ADMIN_USER_LOGGED_IN', 'TOO_MANY_CHALLENGE_REQUESTED'],
])
const ENDED: ReadonlySet<string> = new Set([
  ...['AUTHENTICATION_PIN_BLOCKED', 'WRONG_STATE_NEEDS_PIN_CHANGE', 'WRONG_STATE_NEEDS_PUK_CHANGE'],
  ...['WRONG_STATE_NEEDS_TSE_UNLOCK', 'CERTIFICATE_EXPIRED', 'TRANSACTION_SIGNATURES_EXCEEDED'],
  ...['TSE_DECOMMISSIONED', 'STORE_FULL', 'STORE_FULL_INTERNAL'],
])
/** It may have been done. */
const UNSURE: ReadonlySet<string> = new Set([
  ...['TIMEOUT', 'IO', 'NO_TSE', 'NO_RESPONSE_TO_FETCH', 'RESPONSE_MISSING', 'INVALID_RESPONSE'],
  ...['FATAL', 'UNKNOWN'],
])

/** `CLIENT_NOT_REGISTERED` of `TSE1_ERROR_CLIENT_NOT_REGISTERED`. */
export function bareCode(result: string): string {
  return result.replace(/^(?:JSON|OTHER|TSE1)_ERROR_/, '').slice(0, 100)
}

export function failureOf(name: string, result: string): DeviceError {
  const code = bareCode(result)
  const text = `${name} was answered with ${code}`
  if (WRONG.has(code)) return new CredentialsRefused(text)
  if (BUSY.has(code)) return new FunctionBusy(text, code)
  if (ENDED.has(code) || code.startsWith('SELF_TEST_FAILED')) return new UnitBroken(text)
  if (UNSURE.has(code)) return new DeviceError(text)
  return new FunctionRefused(text, code)
}

const envelope = z.object({ result: z.string(), output: z.unknown() })

/** Throws DeviceError, which names the member, not its value. */
export function readOutput<T>(name: string, json: unknown, schema: z.ZodType<T>): T {
  const told = envelope.safeParse(json).data
  if (told === undefined) throw new DeviceError(`the answer to ${name} cannot be read`)
  if (told.result !== 'EXECUTION_OK') throw failureOf(name, told.result)
  const parsed = schema.safeParse(told.output ?? {})
  if (parsed.success) return parsed.data
  const path = parsed.error.issues[0]?.path.join('.') ?? ''
  throw new DeviceError(`the answer to ${name} cannot be read: ${path}`)
}
