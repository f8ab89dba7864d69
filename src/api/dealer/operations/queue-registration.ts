// What a merchant tells the authority of a Queue. Part of the route table.
import { z } from 'zod'
import { queueDetails } from '../../../core/stock/queues.js'
import { registerQueue } from '../../../core/stock/registration.js'
import { operation } from '../operation.js'
import { dateTime, id, uuid } from '../schemas.js'

const text = () => z.string().nullable()

const schema = z.object({
  queueId: id(),
  cashBoxId: id().nullable(),
  market: z.string(),
  cashBoxIdentification: z.string(),
  encryptionKeyBase64: text(),
  encryptionKeyCheckValue: text(),
  closedSystemKind: text(),
  closedSystemValue: text(),
  units: z.array(
    z.object({
      ...{ scuId: id(), mode: z.int(), zda: text() },
      ...{ serialDecimal: text(), serialHexadecimal: text(), certificationId: text() },
    }),
  ),
  startReceipt: z.object({ queueItemId: id(), moment: dateTime(), code: text() }).nullable(),
  purchaseDate: dateTime().nullable(),
  commissioningDate: dateTime().nullable(),
  decommissioningDate: dateTime().nullable(),
})

export const queueRegistrationOperations = [
  operation({
    id: 'showQueueRegistration',
    title: 'Show what is registered of a Queue',
    text:
      'Identification, key and check value of the turnover counter, signing units with their ' +
      'serial numbers, and the code of the start receipt. The answer has a secret: who asked is ' +
      'written down.',
    tag: 'Queues',
    method: 'POST',
    path: '/posoperators/:posOperatorId/queues/:queueId/registration',
    right: 'ReadWrite',
    params: z.object({ queueId: uuid() }),
    success: { status: 200, schema },
    errors: ['QUEUE_UNKNOWN'],
    find: ({ deps, operator, params }) =>
      queueDetails(deps.stock, { accountId: operator.id, id: params.queueId }),
    handle: ({ deps, actor, operator, params }) =>
      registerQueue(deps.stock, actor, { accountId: operator.id, id: params.queueId }),
  }),
]
