// Signing units of a PosOperator, and their place in cash boxes. Part of the route table.
import { z } from 'zod'
import { updateDescription } from '../../../core/rollout/inventory/descriptions.js'
import { boxOf, plainly, unitOf } from '../../../core/rollout/inventory/inventory.js'
import { addUnit, getUnit, listUnits, removeUnit } from '../../../core/rollout/inventory/units.js'
import { PAGING, paged, pageQuery } from '../../shared/account/paging.js'
import { dateTime, id, int64, uuid } from '../../shared/account/schemas.js'
import { type AnyCall, type Call, operation } from '../operation.js'
import { descriptionPatch, updated, updatedSchema } from './changes.js'

const TAG = 'SCUs'
const SCUS = '/posoperators/:posOperatorId/scus'
const PLACE = '/posoperators/:posOperatorId/cashboxes/:cashBoxId/scus/:scuId'

const scuSchema = z.object({
  id: id(),
  description: z.string(),
  outletNumber: z.int(),
  packageName: z.string(),
  packageVersion: z.string(),
  isHidden: z.boolean(),
  serialNumber: z.string().nullable(),
  certificationId: z.string().nullable(),
  certificateExpirationDate: dateTime().nullable(),
  isCertificateExpired: z.boolean(),
  tseState: z.int(),
})

const scuPath = z.object({ scuId: uuid() })
const place = z.object({ cashBoxId: uuid(), scuId: uuid() })
const rebuildQuery = z.object({ rebuild: z.boolean().default(true) })

const STATES = '`tseState`: 0 not initialized, or never reached, 1 initialized, 2 terminated.'
const outletQuery = pageQuery({ outletNumber: int64().optional() })

const wanted = ({ operator, params }: Pick<AnyCall, 'operator'> & { params: { scuId: string } }) =>
  ({ accountId: operator.id, id: params.scuId }) as const

type Placed = Call<z.output<typeof place>, { rebuild: boolean }, undefined, unknown>

const placing = ({ operator, params, query }: Placed) =>
  ({ accountId: operator.id, ...params, rebuild: query.rebuild }) as const

export const scuOperations = [
  operation({
    id: 'listScus',
    title: 'List SCUs',
    text: `With \`outletNumber\` those that a CashBox of this outlet may get. ${STATES} ${PAGING}`,
    tag: TAG,
    method: 'GET',
    path: SCUS,
    right: 'Read',
    capability: 'tse',
    query: outletQuery,
    success: { status: 200, schema: z.array(scuSchema) },
    handle: (call) => {
      const { deps, operator, query } = call
      const { outletNumber: wanted } = query
      // no outlet has a number that a Number would round
      const outletNumber = wanted === undefined ? undefined : Number(wanted)
      const asked = { accountId: operator.id, outletNumber }
      return paged(call, {
        key: ['instant', 'uuid'],
        keyOf: ({ at, view }) => [at, view.id],
        rows: (after, most) => listUnits(deps.stock, { ...asked, page: { after, most } }),
        shown: ({ view }) => view,
      })
    },
  }),
  operation({
    id: 'getScu',
    title: 'Get an SCU',
    text: STATES,
    tag: TAG,
    method: 'GET',
    path: `${SCUS}/:scuId`,
    right: 'Read',
    capability: 'tse',
    params: scuPath,
    success: { status: 200, schema: scuSchema },
    errors: ['SCU_UNKNOWN'],
    find: (call) => getUnit(call.deps.stock, wanted(call)),
    handle: ({ subject }) => subject,
  }),
  operation({
    id: 'updateScu',
    rehearsable: true,
    title: 'Update an SCU',
    text: 'The description is no part of the published configuration: nothing is rebuilt.',
    tag: TAG,
    method: 'PATCH',
    path: `${SCUS}/:scuId`,
    right: 'ReadWrite',
    capability: 'unitDescriptions',
    problemsOnly: true,
    params: scuPath,
    body: descriptionPatch,
    example: { description: 'TSE of register 1' },
    success: { status: 200, schema: updatedSchema },
    errors: ['SCU_UNKNOWN'],
    find: (call) => unitOf(plainly(call.deps.stock), call.deps.stock, wanted(call)),
    handle: async (call) => {
      const { deps, actor, body } = call
      if (body.description !== undefined) {
        await updateDescription(deps.stock, actor, { what: 'scu', ...wanted(call), ...body })
      }
      return updated(call, 'scuUpdated')
    },
  }),
  operation({
    id: 'addScu',
    publishes: true,
    rehearsable: true,
    title: 'Add an SCU to a CashBox',
    text:
      'Nothing changes where it is in it already. Publishes the configuration unless `rebuild` ' +
      'is false. The SCU must belong to the outlet of the CashBox.',
    tag: TAG,
    method: 'PUT',
    path: PLACE,
    aliases: [{ method: 'POST' }],
    right: 'ReadWrite',
    capability: 'tse',
    params: place,
    query: rebuildQuery,
    success: { status: 204 },
    errors: ['CASH_BOX_UNKNOWN', 'SCU_UNKNOWN', 'SCU_OUTLET_OTHER', 'QUEUE_WITHOUT_UNIT'],
    find: findBoth,
    handle: async (call) => {
      await addUnit(call.deps.stock, call.actor, placing(call))
      return undefined
    },
  }),
  operation({
    id: 'removeScu',
    publishes: true,
    rehearsable: true,
    title: 'Remove an SCU from a CashBox',
    text:
      'Nothing changes where it is not in it. After a switch only once the receipt ' +
      'Finish-SCU-Switch was sent: an SCU that a Queue of the CashBox needs stays.',
    tag: TAG,
    method: 'DELETE',
    path: PLACE,
    right: 'ReadWrite',
    capability: 'tse',
    params: place,
    query: rebuildQuery,
    success: { status: 204 },
    errors: ['CASH_BOX_UNKNOWN', 'SCU_UNKNOWN', 'SCU_IN_USE', 'QUEUE_WITHOUT_UNIT'],
    find: findBoth,
    handle: async (call) => {
      await removeUnit(call.deps.stock, call.actor, placing(call))
      return undefined
    },
  }),
]

async function findBoth({ deps, operator, params }: Placed): Promise<void> {
  const accountId = operator.id
  await boxOf(plainly(deps.stock), { accountId, id: params.cashBoxId })
  await unitOf(plainly(deps.stock), deps.stock, { accountId, id: params.scuId })
}
