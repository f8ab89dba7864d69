// What a merchant has beside registers: outlets from a table, and its point-of-sale products.
import { z } from 'zod'
import {
  importOutlets,
  lookAtOutlets,
  OUTLET_FAULTS,
  OUTLET_TEMPLATE,
} from '../../../core/accounts/outlets/import.js'
import { addPosSystem, posSystemsOf } from '../../../core/accounts/pos-systems.js'
import { audited } from '../../../core/audit/audit.js'
import { Answer } from '../../shared/account/operation.js'
import { id } from '../../shared/account/schemas.js'
import { OWN, operation } from '../operation.js'

const CSV = 'text/csv; charset=utf-8'
const MOST_BYTES = 2 * 1024 * 1024
const LONGEST = 50
const CURRENCY = 3
const BASE = '/operators/:posOperatorId'

const told = z
  .object({
    created: z.int().describe('Outlets that are new.'),
    updated: z.int().describe('Outlets whose number was there; they are overwritten.'),
    problems: z
      .array(
        z
          .object({
            line: z.int().describe('Of the table; 1 is its head.'),
            column: z.string().nullable().describe('Null: of the whole line.'),
            fault: z
              .enum(OUTLET_FAULTS)
              .describe(
                'unknown, missing, twice: a column. columns: the line has another number. ' +
                  'required, long, number, country: the value. used: the number stands there ' +
                  'twice. many: more than 2,000 lines. empty: no line at all.',
              ),
            value: z.string().describe('What stood there.'),
          })
          .meta({ id: 'platform.OutletProblem' }),
      )
      .describe('Anything here: nothing was stored.'),
  })
  .meta({ id: 'platform.OutletImport' })

const posSystem = z
  .object({
    id: id().describe('The `ftPosSystemId` of receipts.'),
    brand: z.string().describe('Who makes it.'),
    model: z.string().describe('What it is called.'),
    softwareVersion: z.string().describe('Its version.'),
    baseCurrency: z.string().describe('ISO 4217, `EUR`.'),
    type: z.string().describe('What kind of register it is; may be empty.'),
  })
  .meta({ id: 'platform.PosSystem' })

const newText = (name: string) => z.string().trim().min(1).max(LONGEST).describe(name)

export const equipmentOperations = [
  operation({
    ...{ ...OWN, tag: 'Merchants' },
    id: 'getOutletTemplate',
    title: 'An empty table of outlets',
    text: 'CSV with the names of all columns.',
    method: 'GET',
    path: '/outlets.csv',
    success: { status: 200, schema: z.string(), contentType: CSV },
    handle: () => {
      const headers = { 'content-disposition': 'attachment; filename="outlets.csv"' }
      return new Answer(OUTLET_TEMPLATE, CSV, { headers })
    },
  }),
  operation({
    ...{ ...OWN, tag: 'Merchants' },
    id: 'importOutlets',
    title: 'Outlets from a table',
    text:
      'CSV in UTF-8 with a head line; commas, semicolons or tabs. A line with the number of an ' +
      'outlet that is there overwrites it, one without a number gets the next. All of it is ' +
      'stored, or nothing. With `dryRun` it is only said what would happen.',
    method: 'POST',
    path: `${BASE}/outlets`,
    right: 'ReadWrite',
    query: z.object({ dryRun: z.boolean().default(false).describe('Nothing is stored.') }),
    ...{ upload: 'text' as const, uploadType: 'text/csv', bodyLimit: MOST_BYTES },
    body: z.string(),
    example: 'name;address;postalCode;city;country\nFiliale Ring;Ring 2;1010;Wien;AT\n',
    success: { status: 200, schema: told },
    idempotent: (result) => result,
    handle: ({ deps, actor, operator, query, body }) => {
      if (query.dryRun) return lookAtOutlets(deps, operator.id, body)
      return importOutlets(deps, actor, { accountId: operator.id, text: body })
    },
  }),
  operation({
    ...{ ...OWN, tag: 'Merchants' },
    id: 'listPosSystems',
    title: 'Point-of-sale products of a merchant',
    text: 'Oldest first.',
    method: 'GET',
    path: `${BASE}/possystems`,
    right: 'Read',
    success: { status: 200, schema: z.array(posSystem) },
    handle: ({ deps: { store }, operator }) => posSystemsOf(store, operator.id),
  }),
  operation({
    ...{ ...OWN, tag: 'Merchants' },
    id: 'addPosSystem',
    title: 'A further point-of-sale product',
    text: 'Its id is the `ftPosSystemId` that registers send.',
    method: 'POST',
    path: `${BASE}/possystems`,
    right: 'ReadWrite',
    body: z.object({
      brand: newText('Who makes it.'),
      model: newText('What it is called.'),
      softwareVersion: newText('Its version.'),
      baseCurrency: z
        .string()
        .length(CURRENCY)
        .regex(/^[A-Z]{3}$/)
        .default('EUR')
        .describe('ISO 4217.'),
      type: z.string().max(LONGEST).default('').describe('What kind of register it is.'),
    }),
    example: { brand: 'Muster', model: 'K7', softwareVersion: '1.0' },
    success: { status: 201, schema: posSystem },
    idempotent: (result) => result,
    errors: ['FIELD_INVALID'],
    handle: ({ deps: { store, now }, actor, operator, body }) =>
      audited({ store, now }, actor, async () => {
        const { accountId, ...result } = await addPosSystem(
          { store, now },
          { ...body, accountId: operator.id },
        )
        return { result, subjects: { account: accountId, posSystemId: result.id }, after: result }
      }),
  }),
]
