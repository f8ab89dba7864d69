// Logging in at a provider of logins: the way there, and the way back.
import { z } from 'zod'
import { SSO_PURPOSES, type SsoDone } from '../../../core/accounts/people/sso.js'
import { FiscalError, fail } from '../../../errors.js'
import { removeIdentities } from '../../../store/account/passkeys.js'
import { Answer } from '../../shared/account/operation.js'
import { publicBase } from '../../shared/receipt-address.js'
import { traceIdOf } from '../../shared/trace.js'
import { demandConfirmed, isForeign, sessionOf } from '../admit.js'
import { giveStep, takeStepToken } from '../cookie.js'
import { OWN, operation } from '../operation.js'
import { beginAnew, originOf } from './session.js'

const LONGEST = 2000
const tag = 'Session'
const OPEN = ['SESSION_MISSING', 'CSRF_WRONG', 'ACCOUNT_CHANGED'] as const
/** A page of the portal: nothing else may follow a login. */
const PAGE = /^\/(?![/\\])[^\s\\]*$/

/** Of its login, never of another site. */
const addressOf = (next: string, fault?: { code: string; traceId: string }): string => {
  if (fault === undefined) return `/portal${next}`
  const told = new URLSearchParams({ fault: fault.code, trace: fault.traceId, next })
  return `/portal/login?${told.toString()}`
}

export const ssoOperations = [
  operation({
    ...{ ...OWN, tag },
    id: 'listWays',
    title: 'Ways to log in',
    method: 'GET',
    path: '/ways',
    success: {
      status: 200,
      schema: z.object({
        sso: z.string().nullable().describe('Name of the provider of logins; null: there is none.'),
      }),
    },
    handle: ({ deps }) => ({ sso: deps.sso?.name ?? null }),
  }),
  operation({
    ...{ ...OWN, tag },
    id: 'beginSso',
    title: 'Begin to log in at the provider',
    text:
      'The browser goes to the address, and comes back logged in (`login`), connected (`link`), ' +
      'or confirmed (`confirm`); the last two are for who is logged in.',
    method: 'POST',
    path: '/sso',
    body: z.object({
      purpose: z.enum(SSO_PURPOSES),
      next: z.string().max(LONGEST).regex(PAGE).describe('Page of the portal to go on with.'),
    }),
    example: { purpose: 'login', next: '/queues' },
    success: { status: 200, schema: z.object({ address: z.string().describe('Where to go.') }) },
    errors: ['SSO_OFF', 'SSO_UNREACHABLE', 'SSO_WRONG', 'CONFIRM_NEEDED', ...OPEN],
    handle: async ({ deps, request, reply, body: { purpose, next } }) => {
      if (deps.sso === undefined) throw fail('SSO_OFF')
      if (isForeign(request)) throw fail('CSRF_WRONG')
      const session = purpose === 'login' ? undefined : await sessionOf(deps, request)
      if (purpose === 'link' && session !== undefined) demandConfirmed(session)
      const place = { base: publicBase(deps, request), address: request.ip }
      const { address, step } = await deps.sso.begin({ purpose, next, session, ...place })
      giveStep(request, reply, step)
      return { address }
    },
  }),
  operation({
    ...{ ...OWN, tag },
    id: 'finishSso',
    title: 'Come back from the provider',
    text: 'Leads on to the page that was wished, or to the login, which says what was wrong.',
    method: 'GET',
    path: '/sso/back',
    query: z.looseObject({ state: z.string().max(LONGEST).optional() }),
    success: { status: 204 },
    handle: async ({ deps, request, reply }) => {
      const step = takeStepToken(request, reply)
      const query = new URL(request.url, 'http://portal').search
      const answer = await deps.sso?.finish({ step, query })
      const next = answer?.next ?? '/'
      const finish = async (): Promise<string> => {
        const done = await answer?.done()
        if (done === undefined) throw fail('SSO_OFF')
        await received(done)
        return addressOf(next)
      }
      const received = async ({ purpose, personId, sessionId }: SsoDone): Promise<void> => {
        if (purpose === 'confirm' && sessionId !== null) await deps.sessions.confirmed(sessionId)
        if (purpose !== 'login') return
        const token = await deps.sessions.open(personId, originOf(request))
        await beginAnew(deps, { request, reply }, token)
      }
      const location = await finish().catch((error: unknown) => {
        if (!(error instanceof FiscalError)) throw error
        request.log.warn({ code: error.code, reason: error.message }, 'no login by the provider')
        return addressOf(next, { code: error.code, traceId: traceIdOf(request) })
      })
      return new Answer('', 'text/plain', { status: 303, headers: { location } })
    },
  }),
  operation({
    ...{ ...OWN, tag },
    id: 'endSso',
    title: 'End the connection to the provider',
    method: 'DELETE',
    path: '/me/sso',
    success: { status: 204 },
    errors: ['CONFIRM_NEEDED', ...OPEN],
    handle: async ({ deps, request }) => {
      const session = await sessionOf(deps, request)
      demandConfirmed(session)
      await removeIdentities(deps.store, { personId: session.personId })
      return undefined
    },
  }),
]
