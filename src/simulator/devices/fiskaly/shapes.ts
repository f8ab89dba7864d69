// What the simulated cloud service takes, member by member: anything else is refused.
import { z } from 'zod'

export const UUID4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

const metadata = z.record(z.string(), z.string()).optional()
const text = z.string().min(1)
const base64 = z.string().regex(/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/)

const raw = z.strictObject({ process_type: z.string().max(100), process_data: base64 })

export const shapes = {
  login: z.union([
    z.strictObject({ api_key: text, api_secret: text }),
    z.strictObject({ refresh_token: text }),
  ]),
  createTss: z.strictObject({ metadata }),
  changeTss: z.strictObject({
    state: z.enum(['UNINITIALIZED', 'INITIALIZED', 'DISABLED']),
    description: z.string().optional(),
  }),
  newPin: z.strictObject({ admin_puk: z.string(), new_admin_pin: z.string().min(6) }),
  adminLogin: z.strictObject({ admin_pin: z.string() }),
  nothing: z.strictObject({}),
  client: z.strictObject({
    serial_number: z.string().regex(/^[A-Za-z0-9 '()+,\-./:=?]{1,70}$/),
    metadata,
  }),
  changeClient: z.strictObject({ state: z.enum(['REGISTERED', 'DEREGISTERED']) }),
  transaction: z.strictObject({
    state: z.enum(['ACTIVE', 'FINISHED', 'CANCELLED']),
    client_id: z.string(),
    schema: z.strictObject({ raw }).optional(),
    metadata,
  }),
} as const

export type TransactionBody = z.infer<typeof shapes.transaction>

/** Queries that each kind of call knows. */
export const QUERIES: Readonly<Record<string, readonly string[]>> = {
  upsert: ['tx_revision'],
  transaction: ['tx_revision'],
  transactions: ['states[0]', 'states[1]', 'states[2]', 'limit', 'offset', 'order'],
  clients: ['limit', 'offset', 'serial_number', 'state'],
  export: [
    ...['start_transaction_number', 'end_transaction_number', 'start_signature_counter'],
    ...['end_signature_counter', 'start_date', 'end_date', 'client_id', 'maximum_number_records'],
  ],
}
