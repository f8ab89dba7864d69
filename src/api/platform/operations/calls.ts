// The last calls of the sandbox: what came, what went, and how to repeat it.
import { z } from 'zod'
import { toldCall, toldLine } from '../../../core/event/call/told.js'
import { fail } from '../../../errors.js'
import { CALL_WAYS } from '../../../model/kept-call.js'
import { findCall, groupErrors, listCalls } from '../../../store/event/calls.js'
import { dateTime, dayOrMoment, id, uuid } from '../../shared/account/schemas.js'
import { type AnyCall, OWN, operation } from '../operation.js'
import { nextPlace, pageOf, pageQuery, placeIn } from '../place.js'

const tag = 'Calls'
const LONGEST_CODE = 60
const MOST_GROUPS = 100
const BYTES = 'Bytes in all; more than is shown: the rest is not kept.'

const line = z
  .object({
    id: id().describe('Sorts by time.'),
    at: dateTime().describe('When it was answered (UTC).'),
    operatorId: id().describe('Account that has called, or that the CashBox belongs to.'),
    cashBoxId: id().nullable().describe('The register that has called; null: an account.'),
    proven: z
      .boolean()
      .describe('false: the caller has not shown that he is who he says; his texts are not kept.'),
    via: z.enum(CALL_WAYS).describe('Where it came from.'),
    api: z.string().describe('Group of interfaces, as in the address of its page: `middleware`.'),
    method: z.string().describe('GET, POST …'),
    route: z.string().nullable().describe('The address as the table has it; null: there is none.'),
    path: z.string().describe('The address as it was called, secrets masked.'),
    status: z.int().describe('Of the answer.'),
    ms: z.number().describe('Milliseconds until it was sent.'),
    code: z.string().nullable().describe('Of a refusal; null: there is none.'),
    message: z.string().nullable().describe('What was wrong, in English.'),
    bodyBytes: z.int().describe('Bytes that came.'),
    answerBytes: z.int().nullable().describe('Bytes that went; null: a stream.'),
    traceId: z.string().describe('Finds the call in the log of the server.'),
  })
  .meta({ id: 'platform.CallLine' })

const call = line
  .extend({
    headers: z
      .record(z.string(), z.string())
      .describe('Those that change what it does; credentials are names of variables.'),
    body: z.string().nullable().describe(`As it came, secrets masked; null: no text. ${BYTES}`),
    answer: z.string().nullable().describe(`As it went, secrets masked; null: no text. ${BYTES}`),
    answerType: z.string().nullable().describe('Content type of the answer.'),
    hints: z
      .array(
        z
          .object({
            code: z.string().describe('A word for programs.'),
            text: z.string().describe('What to look at.'),
          })
          .meta({ id: 'platform.CallHint' }),
      )
      .describe('The refusal, hints of the sandbox in the answer, what the state says.'),
    curl: z
      .string()
      .nullable()
      .describe('The same call for a shell; null: not everything that came is kept.'),
  })
  .meta({ id: 'platform.Call' })

const filters = {
  operatorId: uuid().optional().describe('Of this merchant alone.'),
  cashBoxId: uuid().optional().describe('Of this CashBox alone.'),
  via: z.enum(CALL_WAYS).optional().describe('From there alone.'),
  code: z.string().max(LONGEST_CODE).optional().describe('Refused with this code.'),
  from: dayOrMoment().describe('Not before this moment (UTC).'),
}

const place = z.object({ id: z.uuid() })

/** In production nothing is kept. Throws NOT_IN_PRODUCTION. */
function sandboxOnly({ deps }: Pick<AnyCall, 'deps'>): void {
  if (!deps.keepsCalls) throw fail('NOT_IN_PRODUCTION')
}

const COMMON = { ...OWN, tag, unkept: true, errors: ['NOT_IN_PRODUCTION'] } as const

export const callOperations = [
  operation({
    ...{ ...COMMON, till: 'list' as const },
    id: 'listCalls',
    title: 'The last calls',
    text:
      'Of the account, its CashBoxes and those of every merchant that it may read; newest first. ' +
      'A hundred of each caller are kept, for a day, in the sandbox alone.',
    method: 'GET',
    path: '/calls',
    query: z.object({
      ...pageQuery,
      ...filters,
      failed: z.boolean().optional().describe('Refusals alone, or none of them.'),
    }),
    success: { status: 200, schema: z.object({ items: z.array(line), next: nextPlace() }) },
    handle: async (given) => {
      sandboxOnly(given)
      const { deps, account, query, culture } = given
      const { limit, after, ...asked } = query
      const before = placeIn(place, after, culture)?.id
      const wish = { ...asked, accountId: account.id, before, limit: limit + 1 }
      const rows = await listCalls(deps.store, wish)
      const page = pageOf(rows, limit, ({ id: one }) => ({ id: one }))
      return { items: page.shown.map(toldLine), next: page.next }
    },
  }),
  operation({
    ...{ ...COMMON, errors: ['NOT_IN_PRODUCTION', 'CALL_UNKNOWN'] as const },
    id: 'getCall',
    title: 'One call, with what came and what went',
    text:
      'Secrets, and what names people, are `***`. `curl` repeats it when the variables ' +
      '`FISKALWERK_URL` and those of the credentials are set.',
    method: 'GET',
    path: '/calls/:id',
    params: z.object({ id: uuid() }),
    success: { status: 200, schema: call },
    handle: async (given) => {
      sandboxOnly(given)
      const { deps, account, params } = given
      const found = await findCall(deps.store, { accountId: account.id, id: params.id })
      if (found === undefined) throw fail('CALL_UNKNOWN', { call: params.id })
      return toldCall(found)
    },
  }),
  operation({
    ...{ ...COMMON, till: 'list' as const },
    id: 'listCallErrors',
    title: 'Refusals of the last calls',
    text: 'Those that differ in nothing but their moment are one entry; the most frequent first.',
    method: 'GET',
    path: '/call-errors',
    query: z.object(filters),
    success: {
      status: 200,
      schema: z.array(
        z
          .object({
            ...{ api: line.shape.api, method: line.shape.method, route: line.shape.route },
            ...{ status: line.shape.status, code: line.shape.code },
            message: z.string().nullable().describe('What was wrong with the newest one.'),
            count: z.int().describe('How many there are.'),
            lastAt: dateTime().describe('When the newest one was answered (UTC).'),
            lastId: id().describe('Id of the newest one.'),
          })
          .meta({ id: 'platform.CallErrors' }),
      ),
    },
    handle: (given) => {
      sandboxOnly(given)
      const { deps, account, query } = given
      return groupErrors(deps.store, { ...query, accountId: account.id, limit: MOST_GROUPS })
    },
  }),
]
