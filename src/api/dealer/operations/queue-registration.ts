// What a merchant tells the authority of a Queue. Part of the route table.
import { z } from 'zod'
import { queueDetails } from '../../../core/rollout/inventory/queues.js'
import { registerQueue } from '../../../core/rollout/inventory/registration.js'
import { sentenceOf } from '../../../notify/message.js'
import { registrationShape as schema } from '../../shared/account/registration.js'
import { uuid } from '../../shared/account/schemas.js'
import { operation } from '../operation.js'

export const queueRegistrationOperations = [
  operation({
    id: 'showQueueRegistration',
    title: 'Show what is registered of a Queue',
    text:
      'Identification, key and check value of the turnover counter, signing units with their ' +
      'serial numbers, and the code of the start receipt. In Germany also what the notification ' +
      'of a register (§ 146a (4) AO) asks for: merchant, outlet and recording system. `missing` ' +
      'says what is wanting and where it is entered. The answer has a secret: who asked is ' +
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
    handle: async ({ deps, actor, operator, params, culture }) => {
      const wanted = { accountId: operator.id, id: params.queueId }
      const { missing, ...found } = await registerQueue(deps.stock, actor, wanted)
      const told = missing.map(({ member, gap, details }) => ({
        ...{ member, message: sentenceOf(gap, culture.language, details) },
      }))
      return { ...found, missing: told }
    },
  }),
]
