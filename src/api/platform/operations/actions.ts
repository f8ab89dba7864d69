// May I, and if not, why: of everything that can be done with a thing, and of one call.
import { z } from 'zod'
import { messageOf } from '../../../notify/message.js'
import { codeOf } from '../../shared/account/refusal.js'
import { anyJson, uuid } from '../../shared/account/schemas.js'
import { actionOf, actionsOf, type Judged, SUBJECT_KINDS } from '../actions.js'
import { type AnyCall, OWN, operation } from '../operation.js'

const tag = 'Actions'
const LONGEST_NAME = 100
const LONGEST_VALUE = 500

const action = z
  .object({
    operationId: z.string().describe('As in the documents.'),
    group: z.string().describe('Whose document: dealer or platform.'),
    method: z.string().describe('Of the call.'),
    path: z.string().describe('Below the base of the group.'),
    title: z.string().describe('What it does.'),
    allowed: z.boolean().describe('It would be done now.'),
    code: z.string().nullable().describe('Why it would not; as the call itself would answer.'),
    text: z.string().nullable().describe('The same for people.'),
    errors: z
      .record(z.string(), z.array(z.string()))
      .describe('What is wrong with which member of its body or address; empty: nothing.'),
    needs: z.string().nullable().describe('The right or scope that is missing.'),
    checked: z
      .enum(['rights', 'all'])
      .describe('all: it was done and taken back. rights: only who may was looked at.'),
  })
  .meta({ id: 'platform.Action' })

function shown(
  { operation: row, path, refusal, checked }: Judged,
  { culture }: Pick<AnyCall, 'culture'>,
): z.output<typeof action> {
  const { id: operationId, group, method, title } = row
  const needed = refusal?.details.needed
  const text = refusal === undefined ? null : messageOf(refusal, culture.language)
  return {
    ...{ operationId, group, method, path, title, checked, allowed: refusal === undefined },
    code: refusal === undefined ? null : codeOf(refusal),
    ...{ text, errors: errorsOf(refusal, text ?? '') },
    needs: needed === undefined ? null : String(needed),
  }
}

/** As the call itself would tell them. */
function errorsOf(refusal: Judged['refusal'], text: string): Record<string, string[]> {
  const { faults, field } = refusal ?? {}
  const found = faults ?? (field === undefined ? {} : { [field]: [text] })
  return Object.fromEntries(Object.entries(found).map(([member, texts]) => [member, [...texts]]))
}

const values = () =>
  z.record(z.string().max(LONGEST_NAME), z.string().max(LONGEST_VALUE)).default({})

export const actionOperations = [
  operation({
    ...{ ...OWN, tag },
    id: 'listActions',
    title: 'What can be done with a thing',
    text:
      'Every call that changes it, with whether the caller may make it now, and if not, why. A ' +
      'call that needs a body is judged with the one of its document.',
    method: 'GET',
    path: '/actions',
    query: z.object({
      kind: z.enum(SUBJECT_KINDS as [string, ...string[]]).describe('What it is.'),
      id: uuid().describe('Its id.'),
    }),
    errors: ['SUBJECT_UNKNOWN'],
    success: { status: 200, schema: z.object({ items: z.array(action) }) },
    handle: async (call) => {
      const judged = await actionsOf(call, call.query)
      return { items: judged.map((one) => shown(one, call)) }
    },
  }),
  operation({
    ...{ ...OWN, tag },
    id: 'tryAction',
    title: 'Whether a call would be taken',
    text:
      'Judges exactly this call. Nothing of it stays; `checked` tells whether it was done and ' +
      'taken back, or only who may was looked at.',
    method: 'POST',
    path: '/actions',
    body: z.object({
      operationId: z.string().max(LONGEST_NAME).describe('As in the documents.'),
      path: values().describe('Parameters of its path.'),
      query: values().describe('Parameters of its query.'),
      body: anyJson().optional().describe('Its body; left out: none.'),
    }),
    example: {
      operationId: 'createWebhook',
      body: { url: 'https://hooks.example.com/fiskalwerk' },
    },
    errors: ['ACTION_UNKNOWN'],
    success: { status: 200, schema: action },
    handle: async (call) => {
      const { operationId, path, query, body } = call.body
      return shown(await actionOf(call, operationId, { path, query, body }), call)
    },
  }),
]
