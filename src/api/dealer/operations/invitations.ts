// Stored invitations. Part of the route table.
import { z } from 'zod'
import { isMidnight, isoOf } from '../../../lib/iso-text.js'
import { parseMoment } from '../../../lib/moment.js'
import type { Invitation } from '../../../store/account/invitations.js'
import { PAGING, paged, pageQuery } from '../../shared/account/paging.js'
import { dayOrMoment, say, uuid } from '../../shared/account/schemas.js'
import { operation } from '../operation.js'
import {
  answerOf,
  callerOf,
  dataOf,
  examplePeople,
  invitationBody,
  invitationSchema,
  optionalRights,
  resultSchema,
} from './invitation-schemas.js'

const TAG = 'Invitations'
const BASE = '/pos-operators-invitation'
const path = z.object({ id: uuid() })
const exampleOf = (word: string) => ({ ...examplePeople(word), accessRights: 'Full' })
const list = { status: 200, schema: z.array(invitationSchema) } as const
const one = { status: 200, schema: invitationSchema } as const
const result = { status: 200, schema: resultSchema } as const
/** Of everything below an invitation. */
const OWN = { params: path, badPath: 'INVITATION_UNKNOWN' } as const

/** How many the history shows without a range. */
const HISTORY_MOST = 50

/** The first moment that is not covered: of a midnight, the end of its day. */
const lastMoment = () =>
  z
    .string()
    .meta({ format: 'date-time' })
    .transform((text, context) => {
      const found = parseMoment(isoOf(text) ?? text)
      if (found !== undefined) {
        return new Date(found.date.getTime() + (isMidnight(text) ? DAY_MS : 1))
      }
      context.addIssue({ code: 'custom', ...say('momentNeeded') })
      return z.NEVER
    })
    .optional()

const DAY_MS = 24 * 3_600_000

const keyed = (one: Invitation, moment: Date | null) => [moment?.toISOString() ?? '', one.id]

export const invitationOperations = [
  operation({
    id: 'listInvitations',
    title: 'List pending invitations',
    tag: TAG,
    method: 'GET',
    path: BASE,
    text: PAGING,
    query: pageQuery(),
    success: list,
    handle: (call) =>
      paged(call, {
        key: ['moment', 'uuid'],
        keyOf: (one) => keyed(one, one.createdAt),
        rows: (after, most) => call.deps.invitations.records.list(call.account.id, { after, most }),
        shown: answerOf,
      }),
  }),
  operation({
    id: 'createInvitation',
    title: 'Store an invitation',
    text: 'Nothing is sent before it is executed.',
    tag: TAG,
    method: 'POST',
    path: BASE,
    body: invitationBody,
    example: exampleOf('market'),
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
      'midnight, by whatever offset, covers its whole day. Deleted ones are listed without a ' +
      `range only. ${PAGING}`,
    tag: TAG,
    method: 'GET',
    path: `${BASE}/history`,
    query: pageQuery({ from: dayOrMoment(), to: lastMoment() }),
    success: list,
    handle: (call) => {
      const { from, to } = call.query
      const ranged = from !== undefined || to !== undefined
      return paged(call, {
        key: ['moment', 'uuid'],
        keyOf: (one) => keyed(one, ranged ? one.lastRun : one.done),
        rows: (after, most) =>
          call.deps.invitations.records.history(call.account.id, { from, to, after, most }),
        shown: answerOf,
        ...(ranged ? {} : { whole: HISTORY_MOST }),
      })
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
    example: exampleOf('station'),
    success: one,
    errors: ['INVITATION_EXISTS', 'INVITATION_PROCESSED'],
    handle: async ({ deps, actor, params: { id }, body }) =>
      answerOf(await deps.invitations.records.update(actor, id, dataOf(body))),
  }),
  operation({
    id: 'deleteInvitation',
    rehearsable: true,
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
    rehearsable: true,
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
