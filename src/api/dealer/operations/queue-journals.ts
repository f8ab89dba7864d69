// The journals of every Queue that a PosOperator ever had, whether a CashBox holds it or none. Part
// of the route table.
import { z } from 'zod'
import { queueDetails } from '../../../core/rollout/inventory/queues.js'
import { Answer } from '../../shared/account/operation.js'
import { anyJson, uuid } from '../../shared/account/schemas.js'
import { leavingOf } from '../../shared/leaving.js'
import { operation } from '../operation.js'

/** Decimal or `0x…`, as registers send it. */
const word = (title: string) =>
  z
    .string()
    .trim()
    .regex(/^(0x[0-9a-fA-F]{1,16}|\d{1,19})$/)
    .describe(title)

const query = z.object({
  type: word('ftJournalType'),
  from: word('ticks, exclusive').optional(),
  to: word('ticks; 0: up to now').optional(),
  format: z.enum(['json', 'csv', 'xml']).optional(),
  view: z.enum(['receipts']).optional(),
})

/** What this operation reads itself; anything else of the query is for the export. */
const OWN = ['type', 'from', 'to', 'format', 'view']

function furtherOf(given: unknown): ReadonlyMap<string, string> {
  const entries = Object.entries(Object(given) as Record<string, unknown>)
  return new Map(
    entries.flatMap(([name, value]): [string, string][] => {
      const last: unknown = Array.isArray(value) ? value.at(-1) : value
      const known = name.toLowerCase()
      return typeof last === 'string' && !OWN.includes(known) ? [[known, last]] : []
    }),
  )
}

export const queueJournalOperations = [
  operation({
    id: 'exportQueueJournal',
    title: 'Export a journal of a Queue',
    text:
      'Every type that the journal of the middleware knows, in the same form, streamed. The ' +
      'Queue may be stopped, replaced or moved, and need not be in a CashBox. Other parameters ' +
      'are handed to the export.',
    tag: 'Queues',
    method: 'GET',
    path: '/posoperators/:posOperatorId/queues/:queueId/journal',
    right: 'Read',
    params: z.object({ queueId: uuid() }),
    query,
    success: { status: 200, schema: anyJson() },
    errors: [
      ...(['QUEUE_UNKNOWN', 'JOURNAL_TYPE_UNKNOWN', 'JOURNAL_FORMAT'] as const),
      ...(['EXPORTS_BUSY', 'EXPORT_LOST'] as const),
    ],
    find: ({ deps, operator, params }) =>
      queueDetails(deps.stock, { accountId: operator.id, id: params.queueId }),
    handle: async ({ deps, operator, params, query: asked, request }) => {
      const { contentType, body } = await deps.journal({
        accountId: operator.id,
        queueId: params.queueId,
        type: BigInt.asUintN(64, BigInt(asked.type)),
        range: { from: BigInt(asked.from ?? 0), to: BigInt(asked.to ?? 0) },
        options: furtherOf(request.query),
        leaving: leavingOf(request),
        ...(asked.format === undefined ? {} : { format: asked.format }),
        ...(asked.view === undefined ? {} : { view: asked.view }),
      })
      return new Answer(body, contentType)
    },
  }),
]
