// What the tables of this group have in common.
import type { ErrorCode } from '../../errors.js'
import type { ApiRoute } from '../shared/openapi/route.js'
import type { Handle } from './rest.js'

export const SECURITY = [['cashboxid', 'accesstoken']]

export const CALLER: readonly ErrorCode[] = [
  ...(['CREDENTIALS_MISSING', 'CREDENTIALS_WRONG', 'CREDENTIALS_LIMITED', 'SCU_NONE'] as const),
  ...(['INTERNAL', 'DATABASE_AWAY'] as const),
]
export const BODY: readonly ErrorCode[] = [
  ...(['BODY_MISSING', 'BODY_MALFORMED', 'BODY_COMPRESSED', 'BODY_BROKEN'] as const),
  ...(['FIELD_INVALID'] as const),
]

export interface SigningRow {
  route: ApiRoute
  /** End of the address. */
  name: string
  /** Most decoded bytes of the data that this operation takes. */
  dataLimit?: number
  handle: Handle
}
