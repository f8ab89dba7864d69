// Connected PosOperators. Part of the route table.
import { z } from 'zod'
import { fail } from '../../../errors.js'
import { findOperatorData, pageOfOperators } from '../../../store/account/operators.js'
import { Answer } from '../../shared/account/operation.js'
import { PAGING, paged, pageQuery } from '../../shared/account/paging.js'
import { JSON_TYPE } from '../../shared/account/refusal.js'
import { id } from '../../shared/account/schemas.js'
import { operation } from '../operation.js'

const TAG = 'PosOperators'

/** A connected PosOperator, as every operation that answers one shows it. */
export const accountSchema = z.object({
  id: id(),
  name: z.string(),
  line1: z.string(),
  country: z.string(),
  postalCode: z.string(),
  city: z.string(),
  eMailAddress: z.string(),
  identifiers: z.object({
    vatId: z.string(),
    taxId: z.string(),
    fibuNr: z.string(),
    gln: z.string(),
    siren: z.string(),
  }),
})

export const operatorOperations = [
  operation({
    id: 'listPosOperators',
    title: 'List PosOperators',
    text:
      'Those with an active connection, by name. May be a minute old; own changes are in it. ' +
      PAGING,
    tag: TAG,
    method: 'GET',
    path: '/posoperators',
    query: pageQuery({ useCache: z.boolean().default(true) }),
    success: { status: 200, schema: z.array(accountSchema) },
    handle: async (call) => {
      const { deps, account, query } = call
      if (query.limit === undefined && query.after === undefined) {
        return new Answer(await deps.operators.json(account.id, !query.useCache), JSON_TYPE)
      }
      return paged(call, {
        key: ['text', 'uuid'],
        keyOf: ({ name, id: own }) => [name, own],
        rows: (after, most) =>
          pageOfOperators(deps.store, account.id, {
            ...(after === undefined ? {} : { after }),
            most,
          }),
        shown: (operator) => operator,
      })
    },
  }),
  operation({
    id: 'getPosOperator',
    title: 'Get a PosOperator',
    tag: TAG,
    method: 'GET',
    path: '/posoperators/:posOperatorId',
    right: 'None',
    success: { status: 200, schema: accountSchema },
    handle: async ({ deps, operator }) => {
      const found = await findOperatorData(deps.store, operator.id)
      if (found === undefined) throw fail('OPERATOR_UNKNOWN', { operator: operator.id })
      return found
    },
  }),
]
