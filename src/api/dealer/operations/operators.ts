// Connected PosOperators. Part of the route table.
import { z } from 'zod'
import { fail } from '../../../errors.js'
import { findOperatorData } from '../../../store/operators.js'
import { Answer, operation } from '../operation.js'
import { JSON_TYPE } from '../refusal.js'
import { id } from '../schemas.js'

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
    text: 'Those with an active connection, by name. May be a minute old; own changes are in it.',
    tag: TAG,
    method: 'GET',
    path: '/posoperators',
    query: z.object({ useCache: z.boolean().default(true) }),
    success: { status: 200, schema: z.array(accountSchema) },
    handle: async ({ deps, account, query }) =>
      new Answer(await deps.operators.json(account.id, !query.useCache), JSON_TYPE),
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
