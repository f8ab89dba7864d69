// Everything that an account may read, by name, id or number.
import { z } from 'zod'
import { FOUND_KINDS } from '../../../store/event/fleet/search.js'
import { id, int32 } from '../../shared/account/schemas.js'
import { OWN, operation } from '../operation.js'

const LONGEST = 100
const MOST = 50
const USUAL = 20

export const searchOperations = [
  operation({
    ...{ ...OWN, tag: 'Merchants' },
    id: 'search',
    title: 'Find whatever it is',
    text:
      'Merchants, outlets, CashBoxes, Queues and signing units by a part of their names (three ' +
      'letters and more), the nearest first, and by their whole id. Signing units by the ' +
      'beginning of the serial number (six digits and more). Receipts by their id, and as ' +
      '`KASSE-1#4711` by Queue and number; where there are at most 50 Queues also by the number ' +
      'alone, by `ftReceiptIdentification` and by `cbReceiptReference`.',
    method: 'GET',
    path: '/search',
    query: z.object({
      q: z.string().min(1).max(LONGEST).describe('What is looked for.'),
      limit: int32(1, MOST).default(USUAL).describe('Most entries of the answer.'),
    }),
    success: {
      status: 200,
      schema: z.array(
        z
          .object({
            kind: z.enum(FOUND_KINDS).describe('What it is.'),
            id: id(),
            title: z.string().describe('How it is called.'),
            operatorId: id().describe('Account of the merchant.'),
            operatorName: z.string().describe('Name of the merchant.'),
            queueId: id().nullable().describe('Of a receipt: its Queue.'),
          })
          .meta({ id: 'platform.Found' }),
      ),
    },
    handle: async ({ deps, account, query: { q, limit } }) => {
      const found = await deps.fleet.search({ accountId: account.id, text: q, limit })
      return found.map(({ accountId, accountName, ...one }) => ({
        ...{ ...one, operatorId: accountId, operatorName: accountName },
      }))
    },
  }),
]
