// Queues of a PosOperator, and the change of their signing unit. Part of the route table.
import { z } from 'zod'
import { DatesReversed, updateQueue } from '../../../core/rollout/inventory/descriptions.js'
import { listQueues, queueDetails } from '../../../core/rollout/inventory/queues.js'
import { switchUnit } from '../../../core/rollout/inventory/switch.js'
import { SCENARIOS } from '../../../core/rollout/inventory/switch-plan.js'
import { type SentenceKey, sentenceOf } from '../../../notify/message.js'
import { PAGING, paged, pageQuery } from '../../shared/account/paging.js'
import { invalid } from '../../shared/account/read.js'
import { dateTime, id, moment, uuid } from '../../shared/account/schemas.js'
import { operation } from '../operation.js'
import { description } from './changes.js'

const TAG = 'Queues'
const QUEUES = '/posoperators/:posOperatorId/queues'

const queueSchema = z.object({
  id: id(),
  cashBoxId: id().nullable(),
  outletNumber: z.int(),
  description: z.string(),
  packageName: z.string(),
  packageVersion: z.string(),
  startMoment: dateTime().nullable(),
  stopMoment: dateTime().nullable(),
})

const datedQueueSchema = queueSchema.extend({
  commissioningDate: dateTime().nullable(),
  purchaseDate: dateTime().nullable(),
})

const queuePath = z.object({ queueId: uuid() })
/** A day is its midnight, UTC. */
const date = () =>
  z
    .string()
    .overwrite((text) => (/^\d{4}-\d{2}-\d{2}$/.test(text) ? `${text}T00:00:00Z` : text))
    .pipe(moment())
    .nullish()

const queuePatch = z.object({
  purchaseDate: date(),
  commissioningDate: date(),
  description: description(),
})

const switchRequest = z.object({
  targetScuId: uuid(),
  addToCashBox: z.boolean().default(true),
  rebuild: z.boolean().default(true),
  triggerCloudRestart: z.boolean().default(false),
})

const DATES = ['purchaseDate', 'commissioningDate'] as const

export const queueOperations = [
  operation({
    id: 'listQueues',
    title: 'List Queues',
    text:
      'Oldest first. Without `startMoment`: not started; with `stopMoment`: out of operation. ' +
      PAGING,
    tag: TAG,
    method: 'GET',
    path: QUEUES,
    right: 'Read',
    query: pageQuery(),
    success: { status: 200, schema: z.array(queueSchema) },
    handle: (call) =>
      paged(call, {
        key: ['instant', 'uuid'],
        keyOf: ({ at, view }) => [at, view.id],
        rows: (after, most) => listQueues(call.deps.stock, call.operator.id, { after, most }),
        shown: ({ view }) => view,
      }),
  }),
  operation({
    id: 'getQueue',
    title: 'Get a Queue',
    tag: TAG,
    method: 'GET',
    path: `${QUEUES}/:queueId`,
    right: 'Read',
    capability: 'queueDates',
    params: queuePath,
    success: { status: 200, schema: datedQueueSchema },
    errors: ['QUEUE_UNKNOWN'],
    find: ({ deps, operator, params }) =>
      queueDetails(deps.stock, { accountId: operator.id, id: params.queueId }),
    handle: ({ subject }) => subject,
  }),
  operation({
    id: 'updateQueue',
    rehearsable: true,
    title: 'Update a Queue',
    text:
      'Only what is sent changes. `null` clears a date and leaves the description as it is. ' +
      'Dates exist in some markets only; in the others a body with them is refused.',
    tag: TAG,
    method: 'PATCH',
    path: `${QUEUES}/:queueId`,
    right: 'ReadWrite',
    params: queuePath,
    body: queuePatch,
    example: { description: 'Register 1' },
    success: { status: 200, schema: z.string() },
    errors: ['QUEUE_UNKNOWN'],
    find: ({ deps, operator, params }) =>
      queueDetails(deps.stock, { accountId: operator.id, id: params.queueId }),
    handle: async ({ deps, account, actor, operator, params, body, culture }) => {
      const told = (key: SentenceKey) => [sentenceOf(key, culture.language)]
      const dates = DATES.filter((name) => body[name] !== undefined)
      const allowed = deps.factsOf(account.market)?.capabilities.queueDates === true
      if (dates.length > 0 && !allowed) {
        throw invalid(Object.fromEntries(dates.map((name) => [name, told('datesNotHere')])))
      }
      const change = { accountId: operator.id, id: params.queueId, ...body }
      if (dates.length > 0 || body.description !== undefined) {
        try {
          await updateQueue(deps.stock, actor, change)
        } catch (error) {
          if (!(error instanceof DatesReversed)) throw error
          throw invalid({ commissioningDate: told('datesReversed') })
        }
      }
      return sentenceOf('queueUpdated', culture.language)
    },
  }),
  operation({
    id: 'switchScu',
    publishes: true,
    rehearsable: true,
    title: 'Switch a Queue to another SCU',
    text:
      'At once while the Queue is not in operation. Otherwise the switch is prepared, and the ' +
      'register carries it out with the receipts Daily-Closing, Initiate-SCU-Switch and ' +
      'Finish-SCU-Switch. `message` says what comes next; `scenario` is one of ' +
      `${SCENARIOS.join(', ')}. The previous SCU stays in the CashBox.`,
    tag: TAG,
    method: 'POST',
    path: `${QUEUES}/:queueId/switch-scu`,
    aliases: [{ path: `${QUEUES}/:queueId/scu-switch` }],
    right: 'ReadWrite',
    capability: 'tse',
    params: queuePath,
    body: switchRequest,
    example: { targetScuId: 'f1d2c3b4-0000-4000-8000-000000000001' },
    success: {
      status: 200,
      schema: z.object({
        message: z.string(),
        scenario: z.enum(SCENARIOS),
        queueId: id(),
        cashBoxId: id(),
        targetScuId: id(),
        sourceScuId: id().nullable(),
        addedToCashBox: z.boolean(),
        rebuilt: z.boolean(),
        cloudRestartTriggered: z.boolean(),
      }),
    },
    errors: ['QUEUE_UNKNOWN', 'SCU_UNKNOWN', 'SCU_SWITCH_IMPOSSIBLE', 'QUEUE_WITHOUT_UNIT'],
    find: ({ deps, operator, params }) =>
      queueDetails(deps.stock, { accountId: operator.id, id: params.queueId }),
    handle: ({ deps, actor, operator, params, body, culture }) =>
      switchUnit(
        deps.stock,
        { actor, language: culture.language },
        { accountId: operator.id, queueId: params.queueId, ...body },
      ),
  }),
]
