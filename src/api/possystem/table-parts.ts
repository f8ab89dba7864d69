// What the rows of group D have in common: headers, path parts and refusals.
import { z } from 'zod'
import type { ErrorCode } from '../../errors.js'
import { json, SAMPLE_OPERATION, uuid } from '../shared/openapi/parts.js'
import type { ApiRoute } from '../shared/openapi/route.js'
import { pairRequest } from './schemas.js'

export const TAG = 'PosSystem'
const NO_SYSTEM = '00000000-0000-0000-0000-000000000000'

const terminal = {
  'x-terminal-id': z
    .string()
    .max(1023)
    .optional()
    .describe('Stands in for cbTerminalID where the body is silent.'),
}
/** The headers beside the credentials; the examples of a page are one register. */
export const OPERATION_HEADERS = z.object({
  'x-operation-id': uuid('Id of this operation; a new one for a new call.').meta({
    examples: [SAMPLE_OPERATION],
  }),
  'x-possystem-id': z
    .string()
    .max(1023)
    .meta({ description: 'Id of the register program.', examples: [NO_SYSTEM] }),
  ...terminal,
})
/** Of an operation that was called before. */
export const KNOWN_HEADERS = OPERATION_HEADERS.extend({
  'x-operation-id': uuid('Id of the operation that is asked about.'),
})

export const EVERY = ['INTERNAL', 'DATABASE_AWAY'] as const
const HEADERS = ['HEADERS_MISSING', 'HEADER_INVALID'] as const
export const BOX: readonly ErrorCode[] = [
  ...HEADERS,
  ...(['ACCESS_WRONG', 'CREDENTIALS_LIMITED', 'CASH_BOX_UNUSABLE'] as const),
  ...EVERY,
]
export const BODY: readonly ErrorCode[] = [
  ...(['BODY_MISSING', 'BODY_MALFORMED', 'BODY_COMPRESSED', 'MEDIA_TYPE'] as const),
  ...(['BODY_TOO_LARGE', 'FIELD_MISSING', 'FIELD_INVALID'] as const),
]
/** A PIN is all that is needed. */
export const PAIRED = {
  security: [],
  body: json(pairRequest, { pin: { Pin: '0042' } }),
  refusals: [...BODY, 'PIN_WRONG', 'PIN_LIMITED', ...EVERY],
} as const satisfies Partial<ApiRoute>
export const OPERATED: readonly ErrorCode[] = [...BOX, ...BODY, 'OPERATION_CONFLICT']
export const READ: readonly ErrorCode[] = [...BOX, 'RECEIPT_UNKNOWN']

export const SECURITY = [['x-cashbox-id', 'x-cashbox-accesstoken']]

export const receiptPath = z.object({
  queueId: uuid('Queue of the receipt.'),
  itemId: uuid('Item of the receipt.'),
})

type Own = Omit<ApiRoute, 'id' | 'tag' | 'path'> & { id?: string; path: string }

/** Which call a row is about: method, and address without the version. */
export const callOf = ({ method, path }: Pick<ApiRoute, 'method' | 'path'>): string =>
  `${method} ${path.slice(VERSION.length)}`

export const VERSION = '/v2'

/** `path`, `also`: without the version. */
export function routeOf({ path, method, ...row }: Own): ApiRoute {
  const words = path.replace(/\W+(\w)/g, (_, first: string) => first.toUpperCase())
  const id = `${method.toLowerCase()}${words}`
  return { id, security: SECURITY, ...row, tag: TAG, method, path: VERSION + path }
}
