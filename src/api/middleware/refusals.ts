// Which refusals the operations of group B have, and how the document shows them in XML.
import type { ErrorCode } from '../../errors.js'
import { element } from '../../lib/xml-write.js'
import { content } from '../shared/openapi/parts.js'
import { jsonRefusal } from '../shared/openapi/plain-refusal.js'
import type { RefusalForms } from '../shared/openapi/route.js'
import { sampleOf, TRACE_ID } from '../shared/openapi/samples.js'
import { errorTree } from '../shared/trace.js'

export const CALLER: readonly ErrorCode[] = [
  ...(['CREDENTIALS_MISSING', 'CREDENTIALS_WRONG', 'CREDENTIALS_LIMITED'] as const),
]
const EVERY: readonly ErrorCode[] = [
  ...CALLER,
  ...(['HOST_REFUSED', 'ORIGIN_REFUSED', 'QUEUE_UNKNOWN', 'QUEUE_NOT_NAMED'] as const),
  ...(['INTERNAL', 'DATABASE_AWAY'] as const),
]
const BODY = ['BODY_MALFORMED', 'BODY_COMPRESSED', 'BODY_BROKEN', 'BODY_TOO_LARGE'] as const

export const refusals = {
  echo: [...EVERY, ...BODY, 'FIELD_INVALID'],
  sign: [
    ...EVERY,
    ...BODY,
    ...(['BODY_MISSING', 'FIELD_MISSING', 'FIELD_INVALID', 'FIELD_DOUBLED'] as const),
    ...(['COUNTRY_WRONG', 'CASH_BOX_OTHER', 'CASH_BOX_OTHER_HEADER', 'MARKET_RULE'] as const),
    ...(['PROCESSING_FAILED', 'OVERLOADED'] as const),
  ],
  journal: [
    ...EVERY,
    ...(['FIELD_MISSING', 'FIELD_INVALID', 'JOURNAL_TYPE_UNKNOWN', 'JOURNAL_FORMAT'] as const),
    ...(['SPOOL_FULL', 'EXPORTS_BUSY', 'EXPORT_LOST'] as const),
  ],
} as const satisfies Record<string, readonly ErrorCode[]>

export const xmlRefusal: RefusalForms = (code, route) => {
  const sample = sampleOf(code)
  return {
    ...jsonRefusal(code, route),
    type: 'application/xml',
    schema: content(),
    example: element('error', errorTree(sample, TRACE_ID)),
  }
}
