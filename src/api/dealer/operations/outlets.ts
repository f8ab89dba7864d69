// Places of business of a PosOperator. Part of the route table.
import { z } from 'zod'
import { FIRST_FREE_OUTLET } from '../../../model/outlet.js'
import { PAGING, paged, pageQuery } from '../../shared/account/paging.js'
import { country, id, int32, optionalText, text } from '../../shared/account/schemas.js'
import { operation } from '../operation.js'

const TAG = 'Outlets'

const outletSchema = z.object({
  id: id(),
  locationId: z.string().nullable(),
  outletNumber: z.int(),
  name: z.string(),
  address: z.string(),
  contactName: z.string().nullable(),
  telephone: z.string().nullable(),
  fax: z.string().nullable(),
  postalCode: z.string(),
  city: z.string(),
  county: z.string().nullable(),
  stateOrProvince: z.string().nullable(),
  country: z.string(),
})

const LONGEST_LOCATION = 4000

const outletData = z.object({
  locationId: optionalText(LONGEST_LOCATION),
  name: text(200),
  address: text(250),
  contactName: optionalText(150),
  telephone: optionalText(50),
  fax: optionalText(50),
  postalCode: text(20),
  city: text(80),
  county: optionalText(50),
  stateOrProvince: optionalText(50),
  country: country(),
})

const newOutlet = outletData.extend({
  outletNumber: int32(FIRST_FREE_OUTLET)
    .nullish()
    .transform((number) => number ?? null),
})

const EXAMPLE = {
  name: 'Filiale Ring',
  address: 'Ring 2',
  postalCode: '1010',
  city: 'Wien',
  country: 'AT',
}

const outletPath = z.object({ outletNumber: int32(-(2 ** 31)) })

export const outletOperations = [
  operation({
    id: 'listOutlets',
    title: 'List outlets',
    text: `By number. Number 1 is the primary one; number 2 is never shown. ${PAGING}`,
    tag: TAG,
    method: 'GET',
    path: '/posoperators/:posOperatorId/outlets',
    right: 'Read',
    query: pageQuery(),
    success: { status: 200, schema: z.array(outletSchema) },
    handle: (call) =>
      paged(call, {
        key: ['number'],
        keyOf: ({ outletNumber }) => [String(outletNumber)],
        rows: (after, most) =>
          call.deps.outlets.list(call.operator.id, { after: Number(after?.[0] ?? 0), most }),
        shown: (outlet) => outlet,
      }),
  }),
  operation({
    id: 'createOutlet',
    rehearsable: true,
    title: 'Create an outlet',
    text: 'Without `outletNumber` it gets the next one. The number cannot be changed later.',
    tag: TAG,
    method: 'POST',
    path: '/posoperators/:posOperatorId/outlets',
    right: 'ReadWrite',
    body: newOutlet,
    example: EXAMPLE,
    success: { status: 200, schema: outletSchema },
    errors: ['OUTLET_NUMBER_TAKEN'],
    handle: ({ deps, actor, operator, body: { outletNumber, ...outlet } }) =>
      deps.outlets.create(actor, { accountId: operator.id, number: outletNumber, outlet }),
  }),
  operation({
    id: 'getOutlet',
    title: 'Get an outlet',
    tag: TAG,
    method: 'GET',
    path: '/posoperators/:posOperatorId/outlets/:outletNumber',
    right: 'Read',
    params: outletPath,
    success: { status: 200, schema: outletSchema },
    errors: ['OUTLET_UNKNOWN'],
    find: ({ deps, operator, params }) => deps.outlets.get(operator.id, params.outletNumber),
    handle: ({ subject }) => subject,
  }),
  operation({
    id: 'updateOutlet',
    rehearsable: true,
    title: 'Update an outlet',
    text:
      'Overwrites everything: what is left out is gone afterwards. The primary outlet has the ' +
      'address of the company, so that changes with it.',
    tag: TAG,
    method: 'PUT',
    path: '/posoperators/:posOperatorId/outlets/:outletNumber',
    right: 'ReadWrite',
    params: outletPath,
    body: outletData,
    example: EXAMPLE,
    success: { status: 200, schema: outletSchema },
    errors: ['OUTLET_UNKNOWN'],
    find: ({ deps, operator, params }) => deps.outlets.get(operator.id, params.outletNumber),
    handle: ({ deps, actor, operator, params, body: outlet }) =>
      deps.outlets.update(actor, {
        accountId: operator.id,
        number: params.outletNumber,
        outlet,
      }),
  }),
]
