// Connections between dealers and merchants, for both of them. Part of the route table.
import { z } from 'zod'
import { endConnection } from '../../../core/accounts/connection-end.js'
import type { ConnectionView } from '../../../store/account/connection-ends.js'
import { connectionsOf } from '../../../store/account/connection-ends.js'
import { findConnection } from '../../../store/account/connections.js'
import { PAGING, paged, pageQuery } from '../../shared/account/paging.js'
import { dateTime, dayOrMoment, id, uuid } from '../../shared/account/schemas.js'
import { operation } from '../operation.js'

const TAG = 'Connections'

const party = z.object({ id: id(), name: z.string() })
const connectionSchema = z.object({
  id: id(),
  dealer: party,
  posOperator: party,
  accessRights: z.string(),
  state: z.enum(['pending', 'active', 'ended']),
  endsAt: dateTime().nullable(),
})

const partyOf = ({ id: own, name }: ConnectionView['dealer']) => ({ id: own, name })

function answerOf(view: ConnectionView): z.output<typeof connectionSchema> {
  const { id: own, dealer, operator, rights: accessRights, state, endsAt } = view
  const parties = { dealer: partyOf(dealer), posOperator: partyOf(operator) }
  return { id: own, ...parties, accessRights, state, endsAt }
}

export const connectionOperations = [
  operation({
    id: 'listConnections',
    title: 'List connections',
    text: `Of the calling account, on either side, pending and ended ones too. ${PAGING}`,
    tag: TAG,
    method: 'GET',
    path: '/connections',
    access: 'any',
    query: pageQuery(),
    success: { status: 200, schema: z.array(connectionSchema) },
    handle: (call) =>
      paged(call, {
        key: ['uuid'],
        keyOf: ({ id: own }) => [own],
        rows: (after, most) =>
          connectionsOf(call.deps.store, call.account.id, { after: after?.[0] ?? null, most }),
        shown: answerOf,
      }),
  }),
  operation({
    id: 'endConnection',
    rehearsable: true,
    title: 'End a connection',
    text:
      'Dealer and merchant may both do so, each with the account id of the other one. From `on` ' +
      '(a day is its midnight, UTC; without it: now) the dealer has no right any more, in every ' +
      'operation. Both get an e-mail. An end can be brought forward and not put off; a new ' +
      'invitation begins anew.',
    tag: TAG,
    method: 'DELETE',
    path: '/connections/:accountId',
    access: 'any',
    params: z.object({ accountId: uuid() }),
    query: z.object({ on: dayOrMoment() }),
    emptyRefused: true,
    success: { status: 200, schema: connectionSchema },
    errors: ['CONNECTION_UNKNOWN'],
    handle: async ({ deps, account, actor, params: { accountId: other }, query: { on } }) => {
      const key = { accountId: account.id, toAccountId: other }
      const own = await findConnection(deps.store, key)
      const isDealer = own !== undefined && own.state !== 'ended'
      const by = isDealer ? 'dealer' : 'operator'
      const [dealerId, operatorId] = isDealer ? [account.id, other] : [other, account.id]
      const onBehalfOf = isDealer ? other : null
      const end = { dealerId, operatorId, on, by } as const
      return answerOf(await endConnection(deps.ending, { ...actor, onBehalfOf }, end))
    },
  }),
]
