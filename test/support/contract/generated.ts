// Refusals that the tests bring about for every row by themselves; the others need a cell's call.

import type { Operation } from '../../../src/api/dealer/operation.js'
import { refusalsOf } from '../../../src/api/shared/account/document.js'
import type { ErrorCode } from '../../../src/errors.js'

const GENERATED = new Set<ErrorCode>([
  ...(['ACCOUNT_CREDENTIALS_WRONG', 'DEALER_ROLE_MISSING', 'AUTO_INVITE_ROLE_MISSING'] as const),
  ...(['ACCOUNT_LIMITED', 'CREDENTIALS_LIMITED', 'MARKET_UNSUPPORTED'] as const),
  ...(['SHAPE_INVALID', 'OPERATOR_UNKNOWN', 'RIGHTS_TOO_LOW'] as const),
  ...(['INTERNAL', 'DATABASE_AWAY', 'SCOPE_MISSING'] as const),
  // in story/exports-beside.test.ts and core/journal/beside/threads.test.ts
  ...(['EXPORTS_BUSY', 'EXPORT_LOST'] as const),
  // in idempotency.test.ts
  ...(['IDEMPOTENCY_KEY_USED', 'IDEMPOTENCY_KEY_INVALID'] as const),
])

/** Those that only a call made for the row brings about. */
export function ownRefusals(row: Operation): ErrorCode[] {
  const takes = row.body !== undefined || row.upload !== undefined
  return refusalsOf(row).filter(
    (code) => !GENERATED.has(code) && !(takes && code === 'BODY_TOO_LARGE'),
  )
}
