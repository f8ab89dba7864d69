// Stored invitations. Part of the route table.
import { z } from 'zod'
import { operation } from '../operation.js'
import { moment, uuid } from '../schemas.js'
import {
  answerOf,
  callerOf,
  dataOf,
  EXAMPLE_COMPANY,
  EXAMPLE_CONTACT,
  invitationBody,
  invitationSchema,
  optionalRights,
  resultSchema,
} from './invitation-schemas.js'

const TAG = 'Invitations'
const BASE = '/pos-operators-invitation'
const path = z.object({ id: uuid() })
const EXAMPLE = { company: EXAMPLE_COMPANY, contact: EXAMPLE_CONTACT, accessRights: 'Full' }
const list = { status: 200, schema: z.array(invitationSchema) } as const
const one = { status: 200, schema: invitationSchema } as const
const result = { status: 200, schema: resultSchema } as const
/** Of everything below an invitation. */
const OWN = { params: path, badPath: 'INVITATION_UNKNOWN' } as const

const DAY = /^\d{4}-\d\d-\d\d$/
const DAY_MS = 24 * 3_600_000

/** A day alone is its midnight. */
const dayOrMoment = () =>
  z
    .string()
    .overwrite((text) => (DAY.test(text.trim()) ? `${text.trim()}T00:00:00Z` : text.trim()))
    .pipe(moment())
    .optional()

/** The first moment that is not covered: of a midnight, the end of its day. */
function endOf(to: Date | undefined): Date | undefined {
  if (to === undefined) return undefined
  return new Date(to.getTime() + (to.getTime() % DAY_MS === 0 ? DAY_MS : 1))
}

export const invitationOperations = [
  operation({
    id: 'listInvitations',
    title: 'List pending invitations',
    tag: TAG,
    method: 'GET',
    path: BASE,
    success: list,
    handle: async ({ deps, account }) =>
      (await deps.invitations.records.list(account.id)).map(answerOf),
  }),
  operation({
    id: 'createInvitation',
    title: 'Store an invitation',
    text: 'Nothing is sent before it is executed.',
    tag: TAG,
    method: 'POST',
    path: BASE,
    body: invitationBody,
    example: EXAMPLE,
    success: { status: 201, schema: invitationSchema },
    errors: ['INVITATION_EXISTS'],
    handle: async ({ deps, actor, body }) =>
      answerOf(await deps.invitations.records.create(actor, dataOf(body))),
  }),
  operation({
    id: 'invitationHistory',
    title: 'List completed invitations',
    text:
      'The 50 last ones; with `from` or `to` all whose last run lies in that range. A `to` at ' +
      'midnight covers its whole day. Deleted ones are listed without a range only.',
    tag: TAG,
    method: 'GET',
    path: `${BASE}/history`,
    query: z.object({ from: dayOrMoment(), to: dayOrMoment() }),
    success: list,
    handle: async ({ deps, account, query: { from, to } }) => {
      const range = { from, to: endOf(to) }
      return (await deps.invitations.records.history(account.id, range)).map(answerOf)
    },
  }),
  operation({
    id: 'getInvitation',
    title: 'Get an invitation',
    tag: TAG,
    method: 'GET',
    path: `${BASE}/:id`,
    ...OWN,
    success: one,
    handle: async ({ deps, account, params: { id } }) =>
      answerOf(await deps.invitations.records.get({ accountId: account.id, id })),
  }),
  operation({
    id: 'updateInvitation',
    title: 'Update an invitation',
    text: 'Overwrites everything. Only a pending one can be changed.',
    tag: TAG,
    method: 'PUT',
    path: `${BASE}/:id`,
    ...OWN,
    body: invitationBody,
    example: EXAMPLE,
    success: one,
    errors: ['INVITATION_EXISTS', 'INVITATION_PROCESSED'],
    handle: async ({ deps, actor, params: { id }, body }) =>
      answerOf(await deps.invitations.records.update(actor, id, dataOf(body))),
  }),
  operation({
    id: 'deleteInvitation',
    title: 'Delete a pending invitation',
    text: 'It stays in the history.',
    tag: TAG,
    method: 'DELETE',
    path: `${BASE}/:id`,
    ...OWN,
    success: { status: 204 },
    errors: ['INVITATION_PROCESSED'],
    handle: async ({ deps, actor, params: { id } }) => {
      await deps.invitations.records.remove(actor, id)
      return undefined
    },
  }),
  operation({
    id: 'executeInvitation',
    title: 'Execute an invitation',
    text:
      'Makes or links account and contact, makes the connection and sends the e-mail. A refusal ' +
      'by a business rule is an answer with `success` false and `errorCode`.',
    tag: TAG,
    method: 'POST',
    path: `${BASE}/:id/execute`,
    ...OWN,
    body: z.object({ defaultAccessRights: optionalRights() }),
    bodyOptional: true,
    example: { defaultAccessRights: 'Full' },
    success: result,
    handle: (call) => {
      const { deps, params, body } = call
      const rights = body.defaultAccessRights ?? undefined
      return deps.invitations.actions.execute(callerOf(call), params.id, rights)
    },
  }),
  operation({
    id: 'autoExecuteInvitation',
    title: 'Execute an invitation without asking the PosOperator',
    text: 'For dealers that have opted in. The connection is active at once.',
    tag: TAG,
    method: 'POST',
    path: `${BASE}/:id/auto-execute`,
    aliases: [{ path: `${BASE}/:id/autoexecute` }],
    ...OWN,
    autoInvite: true,
    success: result,
    handle: (call) => call.deps.invitations.actions.autoExecute(callerOf(call), call.params.id),
  }),
  operation({
    id: 'resendInvitation',
    title: 'Send an invitation again',
    text: 'With `copyToClipboard` nothing is sent, and `text` of the answer is the link.',
    tag: TAG,
    method: 'POST',
    path: `${BASE}/:id/resend`,
    ...OWN,
    query: z.object({ copyToClipboard: z.boolean().default(false) }),
    success: result,
    handle: (call) => {
      const { deps, params, query } = call
      return deps.invitations.actions.resend(callerOf(call), params.id, query)
    },
  }),
  operation({
    id: 'resetInvitation',
    title: 'Make an invitation pending again',
    text: 'Links that were sent do not work any more. What became of it so far is kept.',
    tag: TAG,
    method: 'POST',
    path: `${BASE}/:id/reset`,
    ...OWN,
    success: one,
    errors: ['INVITATION_EXISTS'],
    handle: async ({ deps, actor, params: { id } }) =>
      answerOf(await deps.invitations.records.reset(actor, id)),
  }),
]
