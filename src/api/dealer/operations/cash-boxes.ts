// Cash boxes and helpers of a PosOperator, and the PIN that pairs a device. Part of the table.
import { z } from 'zod'
import { boxDetails, listBoxes } from '../../../core/rollout/inventory/boxes.js'
import { updateDescription } from '../../../core/rollout/inventory/descriptions.js'
import { boxOf, helperOf, plainly } from '../../../core/rollout/inventory/inventory.js'
import { createPin } from '../../../core/rollout/inventory/pin.js'
import { grants } from '../../../store/account/connections.js'
import { PAGING, paged, pageQuery } from '../../shared/account/paging.js'
import { anyJson, dateTime, id, int64, uuid } from '../../shared/account/schemas.js'
import { traceIdOf } from '../../shared/trace.js'
import { operation } from '../operation.js'
import { descriptionPatch, updated, updatedSchema } from './changes.js'

const TAG = 'CashBoxes'
const BOXES = '/posoperators/:posOperatorId/cashboxes'

const parts = {
  description: z.string(),
  ipAddress: z.string(),
  outletNumber: z.int(),
  state: z.int(),
  timeStamp: int64(),
  productType: z.int(),
}
const summarySchema = z.object({ cashBoxId: id(), ...parts })

const component = {
  id: id(),
  description: z.string(),
  packageName: z.string(),
  packageVersion: z.string(),
  url: z.string().nullable(),
  outletNumber: z.int(),
}

const detailsSchema = z.object({
  cashBoxId: id(),
  accessToken: z.string().nullable(),
  cashBox: z.object(parts),
  queues: z.array(
    z.object({
      ...component,
      countryCode: z.string(),
      timeout: z.int(),
      commissioningDate: dateTime().nullable(),
      purchaseDate: dateTime().nullable(),
      decommissioningDate: dateTime().nullable(),
    }),
  ),
  signatureCreationUnits: z.array(
    z.object({ ...component, market: z.string(), mode: z.int().nullable() }),
  ),
  helpers: z.array(z.object(component)),
  queueATProperties: z.array(
    z.object({
      ftQueueId: id(),
      cashBoxIdentification: z.string(),
      encryptionKeyBase64: z.string().nullable(),
      closedSystemKind: z.string().nullable(),
      closedSystemValue: z.string().nullable(),
      scus: z.array(z.object({ url: z.string().nullable(), mode: z.int() })),
    }),
  ),
  configuration: anyJson().nullable(),
})

const boxPath = z.object({ cashBoxId: uuid() })
const helperPath = z.object({ helperId: uuid() })

const NUMBERS =
  '`state`: 0 never published, 1 changed since it was published, 2 up to date. `productType`: ' +
  '0 local middleware, 1 cloud, 2 signing only. `timeStamp`: ticks of the publication.'

export const cashBoxOperations = [
  operation({
    id: 'listCashBoxes',
    title: 'List CashBoxes',
    text: `Oldest first. ${NUMBERS} ${PAGING}`,
    tag: TAG,
    method: 'GET',
    path: BOXES,
    right: 'Read',
    query: pageQuery(),
    success: { status: 200, schema: z.array(summarySchema) },
    handle: (call) => {
      const { deps, operator, request } = call
      const asked = { accountId: operator.id, traceId: traceIdOf(request) }
      return paged(call, {
        key: ['instant', 'uuid'],
        keyOf: ({ at, view }) => [at, view.cashBoxId],
        rows: (after, most) => listBoxes(deps.stock, { ...asked, page: { after, most } }),
        shown: ({ view }) => view,
      })
    },
  }),
  operation({
    id: 'getCashBox',
    title: 'Get a CashBox',
    text:
      `${NUMBERS} \`configuration\` is null until it is published. Below the right ReadWrite ` +
      '`accessToken` and keys are null, and secrets of the configuration are `***`.',
    tag: TAG,
    method: 'GET',
    path: `${BOXES}/:cashBoxId`,
    right: 'Read',
    params: boxPath,
    success: { status: 200, schema: detailsSchema },
    errors: ['CASH_BOX_UNKNOWN'],
    find: ({ deps, operator, params, request }) =>
      boxDetails(deps.stock, {
        ...{ accountId: operator.id, id: params.cashBoxId, traceId: traceIdOf(request) },
        secrets: grants(operator.right, 'ReadWrite'),
      }),
    handle: ({ subject }) => subject as z.output<typeof detailsSchema>,
  }),
  operation({
    id: 'updateCashBox',
    rehearsable: true,
    title: 'Update a CashBox',
    text: 'The description is no part of the published configuration: nothing is rebuilt.',
    tag: TAG,
    method: 'PATCH',
    path: `${BOXES}/:cashBoxId`,
    right: 'ReadWrite',
    problemsOnly: true,
    params: boxPath,
    body: descriptionPatch,
    example: { description: 'Register 1' },
    success: { status: 200, schema: updatedSchema },
    errors: ['CASH_BOX_UNKNOWN'],
    find: ({ deps, operator, params }) =>
      boxOf(plainly(deps.stock), { accountId: operator.id, id: params.cashBoxId }),
    handle: async (call) => {
      const { deps, actor, operator, params, body } = call
      const what = { what: 'cash_box', accountId: operator.id, id: params.cashBoxId } as const
      if (body.description !== undefined) {
        await updateDescription(deps.stock, actor, { ...what, ...body })
      }
      return updated(call, 'cashBoxUpdated')
    },
  }),
  operation({
    id: 'createPairingPin',
    rehearsable: true,
    title: 'Make a pairing PIN',
    text:
      'Four digits, good for 5 minutes and one device, which gets the credentials of the ' +
      'CashBox. The PIN made before is dead.',
    tag: TAG,
    method: 'POST',
    path: `${BOXES}/:cashBoxId/pairing-pin`,
    aliases: [{ path: `${BOXES}/:cashBoxId/pin` }],
    right: 'ReadWrite',
    params: boxPath,
    success: { status: 200, schema: z.string() },
    errors: ['CASH_BOX_UNKNOWN', 'PIN_NONE_FREE'],
    find: ({ deps, operator, params }) =>
      boxOf(plainly(deps.stock), { accountId: operator.id, id: params.cashBoxId }),
    handle: ({ deps, actor, operator, params }) =>
      createPin(deps.stock, actor, { accountId: operator.id, id: params.cashBoxId }),
  }),
  operation({
    id: 'updateHelper',
    rehearsable: true,
    title: 'Update a helper',
    text: 'The helper must be in a CashBox. Its description is no part of the configuration.',
    tag: 'Helpers',
    method: 'PATCH',
    path: '/posoperators/:posOperatorId/helpers/:helperId',
    right: 'ReadWrite',
    problemsOnly: true,
    params: helperPath,
    body: descriptionPatch,
    example: { description: 'Uploader' },
    success: { status: 200, schema: updatedSchema },
    errors: ['HELPER_UNKNOWN'],
    find: ({ deps, operator, params }) =>
      helperOf(plainly(deps.stock), { accountId: operator.id, id: params.helperId }),
    handle: async (call) => {
      const { deps, actor, operator, params, body } = call
      const what = { what: 'helper', accountId: operator.id, id: params.helperId } as const
      if (body.description !== undefined) {
        await updateDescription(deps.stock, actor, { ...what, ...body })
      }
      return updated(call, 'helperUpdated')
    },
  }),
]
