// Logging in and out, the account that is worked for, and giving the password once more.
import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { Session } from '../../../core/accounts/people/sessions.js'
import { FiscalError, fail } from '../../../errors.js'
import { LANGUAGES } from '../../../lib/language.js'
import { EMPLOYEE_ROLES } from '../../../store/account/people.js'
import type { AnyCall } from '../../shared/account/operation.js'
import { id, uuid } from '../../shared/account/schemas.js'
import { header } from '../../shared/caller.js'
import { isForeign, sessionOf } from '../admit.js'
import { giveToken, sessionToken, takeToken } from '../cookie.js'
import type { SessionApiDeps } from '../deps.js'
import { OWN, operation } from '../operation.js'

const LONGEST = 320
const LONGEST_CODE = 40

const workplace = z
  .object({
    accountId: id(),
    name: z.string().describe('Name of the company.'),
    market: z.string().describe('Letters of its market.'),
    roles: z.array(z.string()).describe('PosDealer, PosOperator …'),
    role: z.enum(EMPLOYEE_ROLES).describe('What the person may do for it.'),
  })
  .meta({ id: 'portal.Workplace' })

export const session = z
  .object({
    person: z.object({
      id: id(),
      email: z.string().describe('User name.'),
      name: z.string().describe('Name.'),
      language: z.enum(LANGUAGES).nullable().describe('Null: that of the browser.'),
      secondFactor: z.boolean().describe('Codes are asked for.'),
      passkeyFactor: z.boolean().describe('A passkey is asked for as well as the password.'),
      passkeys: z.number().int().describe('How many passkeys there are.'),
      hasPassword: z.boolean().describe('Has chosen a password.'),
      connected: z.boolean().describe('A provider of logins knows the person.'),
    }),
    account: workplace.nullable().describe('That is worked for; null: none.'),
    accounts: z.array(workplace).describe('All that the person may work for.'),
    csrf: z.string().describe('For the header `x-csrf-token` of every change.'),
    environment: z.enum(['sandbox', 'production']).describe('Of this server.'),
    confirmed: z.boolean().describe('Who it is was shown within the last five minutes.'),
  })
  .meta({ id: 'portal.Session' })

export async function shownSession(
  { people, environment }: SessionApiDeps,
  found: Session,
): Promise<z.output<typeof session>> {
  const accounts = await people.workplaces(found.personId)
  const { email, name, language, csrf, confirmed } = found
  const { secondFactor, passkeyFactor, passkeys, hasPassword, connected } = found
  return {
    person: {
      ...{ id: found.personId, email, name, secondFactor, passkeyFactor, passkeys, hasPassword },
      connected,
      language: LANGUAGES.find((one) => one === language) ?? null,
    },
    account: accounts.find(({ accountId }) => accountId === found.accountId) ?? null,
    ...{ accounts, csrf, environment, confirmed },
  }
}

/** Of a session that was made by this call. */
export async function newSession(
  deps: SessionApiDeps,
  token: string,
): Promise<z.output<typeof session>> {
  const found = await deps.sessions.find(token)
  if (found === undefined) throw fail('SESSION_MISSING')
  return shownSession(deps, found)
}

const WRONG = new Set(['LOGIN_WRONG', 'CODE_WRONG', 'PASSKEY_WRONG'])

/** Throws CREDENTIALS_LIMITED instead, after too many: then right ones are not looked at either. */
export async function counted<T>(
  { failures }: SessionApiDeps,
  { name, address }: { name: string; address: string },
  work: () => Promise<T>,
): Promise<T> {
  const wasNone = failures.guess(`person ${name}`, address)
  try {
    const result = await work()
    wasNone()
    return result
  } catch (error) {
    if (!(error instanceof FiscalError && WRONG.has(error.code))) wasNone()
    throw error
  }
}

/** Where a login comes from, for the list of sessions. */
export const originOf = (request: FastifyRequest) => ({
  ...{ address: request.ip, agent: header(request, 'user-agent') ?? '' },
})

const tag = 'Session'

export const sessionOperations = [
  operation({
    ...{ ...OWN, tag },
    id: 'getSession',
    title: 'Who is logged in',
    method: 'GET',
    path: '/session',
    text: 'Null: nobody is.',
    success: { status: 200, schema: session.nullable() },
    handle: async ({ deps, request }) => {
      const token = sessionToken(request)
      const found = token === undefined ? undefined : await deps.sessions.find(token)
      return found === undefined ? null : shownSession(deps, found)
    },
  }),
  operation({
    ...{ ...OWN, tag },
    id: 'logIn',
    title: 'Log in',
    text: 'Ends the session that this browser had, and begins another one.',
    method: 'POST',
    path: '/session',
    body: z.object({
      email: z.string().max(LONGEST).describe('User name.'),
      password: z.string().max(LONGEST).describe('Password.'),
      code: z.string().max(LONGEST_CODE).optional().describe('Of the second factor.'),
    }),
    example: { email: 'ida@lenz.example', password: 'Fresh-Flowers-1' },
    success: { status: 200, schema: session },
    errors: ['LOGIN_WRONG', 'CODE_NEEDED', 'CODE_WRONG', 'CREDENTIALS_LIMITED', 'CSRF_WRONG'],
    handle: async ({ deps, request, reply, body }) => {
      if (isForeign(request)) throw fail('CSRF_WRONG')
      const { email, password, code } = body
      const from = originOf(request)
      const who = { name: email.trim().toLowerCase(), address: request.ip }
      const token = await counted(deps, who, () =>
        deps.sessions.logIn({ email, password, code, ...from }),
      )
      await beginAnew(deps, { request, reply }, token)
      return newSession(deps, token)
    },
  }),
  operation({
    ...{ ...OWN, tag },
    id: 'logOut',
    title: 'Log out',
    method: 'DELETE',
    path: '/session',
    success: { status: 204 },
    errors: ['SESSION_MISSING', 'CSRF_WRONG', 'ACCOUNT_CHANGED'],
    handle: async ({ deps, request, reply }) => {
      const { personId, id: one } = await sessionOf(deps, request)
      await deps.sessions.end({ personId, id: one })
      takeToken(request, reply)
      return undefined
    },
  }),
  operation({
    ...{ ...OWN, tag },
    id: 'switchAccount',
    title: 'Work for another account',
    method: 'PUT',
    path: '/session/account',
    body: z.object({ accountId: uuid() }),
    example: { accountId: '00000000-0000-4000-8000-000000000000' },
    success: { status: 200, schema: session },
    errors: ['SESSION_MISSING', 'CSRF_WRONG', 'ACCOUNT_CHANGED', 'ACCOUNT_UNKNOWN'],
    handle: async ({ deps, request, body }) => {
      await sessionOf(deps, request)
      const token = sessionToken(request) ?? ''
      await deps.sessions.switchTo(token, body.accountId)
      return newSession(deps, token)
    },
  }),
  operation({
    ...{ ...OWN, tag },
    id: 'confirmSession',
    title: 'Give the password once more',
    text: 'For five minutes: what shows tokens or gives rights asks for it.',
    method: 'POST',
    path: '/confirm',
    body: z.object({ password: z.string().max(LONGEST).describe('Password.') }),
    example: { password: 'Fresh-Flowers-1' },
    success: { status: 204 },
    errors: [
      'SESSION_MISSING',
      'CSRF_WRONG',
      'ACCOUNT_CHANGED',
      'LOGIN_WRONG',
      'CREDENTIALS_LIMITED',
    ],
    handle: async ({ deps, request, body }) => {
      const { email } = await sessionOf(deps, request)
      const token = sessionToken(request) ?? ''
      const who = { name: email, address: request.ip }
      await counted(deps, who, () => deps.sessions.confirm(token, body.password))
      return undefined
    },
  }),
]

/** The session that the browser had ends: nobody goes on in one that somebody else began. */
export async function beginAnew(
  { sessions }: SessionApiDeps,
  { request, reply }: Pick<AnyCall, 'request' | 'reply'>,
  given: string,
): Promise<void> {
  const token = sessionToken(request)
  const former = token === undefined ? undefined : await sessions.find(token)
  if (former !== undefined) await sessions.end({ personId: former.personId, id: former.id })
  giveToken(request, reply, given)
}
