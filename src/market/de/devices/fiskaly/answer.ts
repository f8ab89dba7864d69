// Answers of the cloud service SIGN DE v2, checked: a DeviceError where one is not as it should be.
import { z } from 'zod'
import {
  CredentialsRefused,
  DeviceError,
  DeviceRefusal,
  UnitBroken,
} from '../../../../device/device.js'
import type { OutboundResponse } from '../../../../device/outbound.js'
import { readJson, retryAfterMs } from '../../../../device/remote.js'

/** Texts in the description, numbers in what is sent. */
const count = z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER)
const bytes = z.base64().transform((base64) => Buffer.from(base64, 'base64'))
const environment = z.enum(['TEST', 'LIVE'])

const transaction = z.object({
  number: count,
  state: z.string(),
  latest_revision: count,
  time_start: count,
  client_serial_number: z.string(),
  schema: z
    .object({ raw: z.object({ process_type: z.string(), process_data: z.string() }).nullish() })
    .nullish(),
  log: z.object({ timestamp: count, operation: z.string() }),
  signature: z.object({ value: bytes, counter: count }),
})

export type TransactionAnswer = z.infer<typeof transaction>

export const answers = {
  login: z.object({
    access_token: z.string().min(1),
    access_token_expires_in: count,
    access_token_claims: z.object({ env: environment }),
  }),
  tss: z.object({
    state: z.string(),
    certificate: z.string().min(1),
    serial_number: z.string().regex(/^[0-9a-fA-F]{64}$/),
    signature_algorithm: z.string().nullish(),
    signature_timestamp_format: z.string().nullish(),
    bsi_certification_id: z.string().nullish(),
    signature_counter: count.nullish(),
    max_number_registered_clients: count.nullish(),
    max_number_active_transactions: count.nullish(),
    _env: environment,
  }),
  transaction,
  transactions: z.object({ data: z.array(transaction) }),
  clients: z.object({
    data: z.array(z.object({ _id: z.guid(), serial_number: z.string(), state: z.string() })),
  }),
  export: z.object({ state: z.string() }),
  none: z.unknown(),
} as const

/** Throws DeviceError, which names the member, not its value. */
export function readAnswer<T>({ body }: OutboundResponse, schema: z.ZodType<T>): T {
  const parsed = schema.safeParse(readJson(body.toString('utf8')))
  if (parsed.success) return parsed.data
  const path = parsed.error.issues[0]?.path.join('.') ?? ''
  throw new DeviceError(`the answer of the service cannot be read: ${path}`)
}

export function codeOf({ body }: OutboundResponse): string {
  const value = readJson(body.toString('utf8'))
  const code = z.object({ code: z.string().max(100) }).safeParse(value).data?.code ?? ''
  return /^[A-Z0-9_]+$/.test(code) ? code : ''
}

const LATER: ReadonlySet<string> = new Set([
  ...['E_PENDING_TX_CONFLICT', 'E_MIDDLEWARE_PENDING_REQUEST', 'E_EXPORT_IN_PROGRESS'],
  ...['E_TOO_MANY_EXPORTS', 'E_EXPORT_DUPLICATE_RATE_LIMITED', 'E_EXPORT_NOT_COMPLETED'],
])
const BROKEN: ReadonlySet<string> = new Set([
  ...['E_ADMIN_PIN_BLOCKED', 'E_TSS_DEFECTIVE', 'E_TSS_DELETED', 'E_TSS_EVICTED'],
  ...['E_TSS_DISABLED', 'E_USE_MIDDLEWARE'],
])

/** What a status and its code mean for whoever asked. */
export function failureOf(name: string, response: OutboundResponse): DeviceError {
  const { status } = response
  const code = codeOf(response)
  const text = `${name} was answered with status ${status}${code === '' ? '' : ` (${code})`}`
  if (code === 'E_ADMIN_LOGIN_FAILED') return new CredentialsRefused(text)
  if (BROKEN.has(code)) return new UnitBroken(text)
  if (status === 401) return new CredentialsRefused(text)
  if (status === 429 || LATER.has(code)) {
    return new DeviceError(text, { kind: 'busy', retryAfterMs: retryAfterMs(response) })
  }
  if (status >= 500 || status === 408 || status === 499) {
    return new DeviceError(text, { retryAfterMs: retryAfterMs(response) })
  }
  return new CallRefused(text, code)
}

/** Its code decides what is looked at next. */
export class CallRefused extends DeviceRefusal {
  readonly code: string

  constructor(text: string, code: string) {
    super(text)
    this.code = code
  }
}
