// People of the account that is worked for, and its token for programs.

import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { fail } from '../../../errors.js'
import { isEmail } from '../../../lib/email.js'
import { EMPLOYEE_ROLES } from '../../../store/account/people.js'
import { dateTime, id, say, text, uuid } from '../../shared/account/schemas.js'
import { publicBase } from '../../shared/receipt-address.js'
import { traceIdOf } from '../../shared/trace.js'
import { demandConfirmed, demandRole, sessionOf } from '../admit.js'
import type { SessionApiDeps } from '../deps.js'
import { OWN, operation } from '../operation.js'

const LONGEST_NAME = 200
const LONGEST_EMAIL = 320
const OPEN = ['SESSION_MISSING', 'CSRF_WRONG', 'ACCOUNT_CHANGED', 'ROLE_TOO_LOW'] as const
const CONFIRMED = [...OPEN, 'CONFIRM_NEEDED'] as const

const role = () =>
  z
    .enum(EMPLOYEE_ROLES)
    .describe(
      'Administrator: people and tokens too. Member: changes. Reader: reads. None: logs in.',
    )

const employee = z
  .object({
    personId: id(),
    email: z.string().describe('User name.'),
    name: z.string().describe('Name.'),
    role: role(),
    seenAt: dateTime().nullable().describe('Of the last call (UTC); null: long ago, or never.'),
    active: z.boolean().describe('Has chosen a password.'),
    secondFactor: z.boolean().describe('Codes are asked for.'),
  })
  .meta({ id: 'portal.Employee' })

const access = z
  .object({
    accountId: id(),
    accessToken: z.string().nullable().describe('Null: the account has none.'),
  })
  .meta({ id: 'portal.Access' })

interface Administrator {
  accountId: string
  accountName: string
  actor(operation: string): {
    accountId: string
    personId: string
    onBehalfOf: null
    operation: string
    traceId: string
  }
}

/** Throws what a session, its role and the last password want. */
async function administrator(
  deps: SessionApiDeps,
  request: FastifyRequest,
  { reads = false } = {},
): Promise<Administrator> {
  const session = await sessionOf(deps, request)
  demandRole(session, 'Administrator')
  if (!reads) demandConfirmed(session)
  const { accountId, personId } = session
  const account = accountId === null ? undefined : await deps.accounts.ofAccount(accountId)
  if (account === undefined || accountId === null) throw fail('SESSION_MISSING')
  return {
    accountId,
    accountName: account.name,
    actor: (name) => ({
      ...{ accountId, personId, onBehalfOf: null, operation: name, traceId: traceIdOf(request) },
    }),
  }
}

const tag = 'People'

export const peopleOperations = [
  operation({
    ...{ ...OWN, tag },
    id: 'listPeople',
    title: 'Who may log in for the account',
    method: 'GET',
    path: '/people',
    success: { status: 200, schema: z.array(employee) },
    errors: ['SESSION_MISSING', 'ACCOUNT_CHANGED', 'ROLE_TOO_LOW'],
    handle: async ({ deps, request }) => {
      const { accountId } = await administrator(deps, request, { reads: true })
      return deps.people.list(accountId)
    },
  }),
  operation({
    ...{ ...OWN, tag },
    id: 'addPerson',
    title: 'Add a person',
    text: 'Who has no password yet gets a link by mail.',
    method: 'POST',
    path: '/people',
    body: z.object({
      email: z.string().max(LONGEST_EMAIL).trim().refine(isEmail, say('emailNeeded')),
      name: text(LONGEST_NAME).describe('Name.'),
      role: role(),
    }),
    example: { email: 'ida@lenz.example', name: 'Ida Lenz', role: 'Member' },
    success: { status: 201, schema: employee },
    errors: [...CONFIRMED, 'PERSON_EXISTS'],
    handle: async ({ deps, request, body, culture }) => {
      const { accountId, accountName, actor } = await administrator(deps, request)
      return deps.people.add(actor('addPerson'), {
        ...{ ...body, accountId, accountName, language: culture.language },
        base: publicBase(deps, request),
      })
    },
  }),
  operation({
    ...{ ...OWN, tag },
    id: 'changePerson',
    title: 'Change the role of a person',
    method: 'PATCH',
    path: '/people/:personId',
    params: z.object({ personId: uuid() }),
    body: z.object({ role: role() }),
    example: { role: 'Reader' },
    success: { status: 200, schema: employee },
    errors: [...CONFIRMED, 'PERSON_UNKNOWN', 'LAST_ADMINISTRATOR'],
    handle: async ({ deps, request, params: { personId }, body }) => {
      const { actor } = await administrator(deps, request)
      return deps.people.change(actor('changePerson'), { personId, role: body.role })
    },
  }),
  operation({
    ...{ ...OWN, tag },
    id: 'removePerson',
    title: 'Remove a person',
    text: 'Ends the sessions for this account. Who works for no other account is forgotten.',
    method: 'DELETE',
    path: '/people/:personId',
    params: z.object({ personId: uuid() }),
    success: { status: 204 },
    errors: [...CONFIRMED, 'PERSON_UNKNOWN', 'LAST_ADMINISTRATOR'],
    handle: async ({ deps, request, params: { personId } }) => {
      const { actor } = await administrator(deps, request)
      await deps.people.remove(actor('removePerson'), personId)
      return undefined
    },
  }),
  operation({
    ...{ ...OWN, tag: 'Access' },
    id: 'showAccess',
    title: 'Id and token of the account, for programs',
    method: 'GET',
    path: '/access',
    success: { status: 200, schema: access },
    errors: ['SESSION_MISSING', 'ACCOUNT_CHANGED', 'ROLE_TOO_LOW', 'CONFIRM_NEEDED'],
    handle: async ({ deps, request }) => {
      const { accountId } = await administrator(deps, request)
      return { accountId, accessToken: (await deps.tokenOf(accountId)) ?? null }
    },
  }),
  operation({
    ...{ ...OWN, tag: 'Access' },
    id: 'resetAccess',
    title: 'A new token',
    text: 'The former one stops at once, wherever it is used.',
    method: 'POST',
    path: '/access/reset',
    success: { status: 200, schema: access },
    errors: CONFIRMED,
    handle: async ({ deps, request }) => {
      const { accountId, actor } = await administrator(deps, request)
      return { accountId, accessToken: await deps.resetToken(actor('resetAccess')) }
    },
  }),
]
