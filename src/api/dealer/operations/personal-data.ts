// Erasing what names people, for a PosOperator or the caller's own account. Part of the route
// table; what is erased stands in core/accounts/personal.ts.
import { z } from 'zod'
import { daysAgo, erasePerson, erasePersonal } from '../../../core/accounts/personal.js'
import { failFields } from '../../../errors.js'
import { operation } from '../operation.js'

const MOST_DAYS = 99_999
/** RFC 5321, 4.5.3.1.3 */
const LONGEST_EMAIL = 254

export const personalDataOperations = [
  operation({
    id: 'erasePersonalData',
    confirmed: true,
    title: 'Erase personal data',
    text:
      'Of this PosOperator, or of the own account under its own id: either everything older than ' +
      '`olderThanDays`, or what is kept under `email`. Receipts stay as they are. `erased` has ' +
      'the number of rows by table; it can be repeated.',
    tag: 'Personal data',
    method: 'POST',
    path: '/posoperators/:posOperatorId/personal-data/erase',
    right: 'Full',
    body: z.object({
      olderThanDays: z.int().min(0).max(MOST_DAYS).nullish(),
      email: z.string().max(LONGEST_EMAIL).nullish(),
    }),
    example: { olderThanDays: 365 },
    success: { status: 200, schema: z.object({ erased: z.record(z.string(), z.int()) }) },
    errors: ['FIELD_INVALID'],
    handle: async ({ deps: { store, now }, account, actor, operator, body }) => {
      const { olderThanDays: days, email } = body
      const by = { accountId: account.id, traceId: actor.traceId }
      const deps = { store, now }
      const accountId = operator.id
      if (typeof days === 'number' && !email) {
        return {
          erased: await erasePersonal(deps, { before: daysAgo(now(), days), accountId }, by),
        }
      }
      if (typeof days !== 'number' && email) {
        return { erased: await erasePerson(deps, { email, accountId }, by) }
      }
      const expected = 'either olderThanDays or email'
      throw failFields([{ path: 'olderThanDays', expected, isMissing: false }])
    },
  }),
]
