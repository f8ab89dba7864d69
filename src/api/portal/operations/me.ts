// What people change of themselves: name, language, password, second factor, sessions.
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { beginCodes, confirmCodes, endCodes } from '../../../core/accounts/people/second-factor.js'
import { fail } from '../../../errors.js'
import { LANGUAGES } from '../../../lib/language.js'
import { qrMatrix, qrPng } from '../../../render/qr.js'
import { changePerson } from '../../../store/account/people.js'
import { dateTime, id, text, uuid } from '../../shared/account/schemas.js'
import { publicBase } from '../../shared/receipt-address.js'
import { demandConfirmed, isForeign, sessionOf } from '../admit.js'
import { OWN, operation } from '../operation.js'
import { beginAnew, counted, originOf } from './session.js'

const LONGEST = 320
const LONGEST_NAME = 200
const LONGEST_LINK = 100
const LONGEST_CODE = 40
const FORGOTTEN_MS = 300
const tag = 'Me'
const OPEN = ['SESSION_MISSING', 'CSRF_WRONG', 'ACCOUNT_CHANGED'] as const

const listed = z
  .object({
    id: id(),
    current: z.boolean().describe('The one that asks.'),
    createdAt: dateTime().describe('Of the login (UTC).'),
    seenAt: dateTime().describe('Of the last call (UTC).'),
    address: z.string().describe('Network address.'),
    agent: z.string().describe('What the browser calls itself.'),
  })
  .meta({ id: 'portal.ListedSession' })

const password = () => z.string().max(LONGEST).describe('New password.')

export const meOperations = [
  operation({
    ...{ ...OWN, tag },
    id: 'updateMe',
    title: 'Change name and language',
    method: 'PATCH',
    path: '/me',
    body: z.object({
      name: text(LONGEST_NAME).optional().describe('Name.'),
      language: z.enum(LANGUAGES).nullish().describe('Null: that of the browser.'),
    }),
    example: { language: 'de' },
    success: { status: 204 },
    errors: OPEN,
    handle: async ({ deps, request, body: { name, language } }) => {
      const { personId } = await sessionOf(deps, request)
      await changePerson(deps.store, personId, {
        ...(name === undefined ? {} : { name }),
        ...(language === undefined ? {} : { language }),
      })
      return undefined
    },
  }),
  operation({
    ...{ ...OWN, tag },
    id: 'changePassword',
    title: 'Change the password',
    text: 'All other sessions of the person end.',
    method: 'PUT',
    path: '/me/password',
    body: z.object({
      former: z.string().max(LONGEST).describe('The password so far.'),
      password: password(),
    }),
    example: { former: 'Fresh-Flowers-1', password: 'Fresher-Flowers-2' },
    success: { status: 204 },
    errors: [...OPEN, 'LOGIN_WRONG', 'PASSWORD_WEAK', 'CREDENTIALS_LIMITED'],
    handle: async ({ deps, request, body }) => {
      const { personId, id: sessionId, email } = await sessionOf(deps, request)
      await counted(deps, { name: email, address: request.ip }, () =>
        deps.people.changePassword({ personId, sessionId }, body),
      )
      return undefined
    },
  }),
  operation({
    ...{ ...OWN, tag },
    id: 'beginCodes',
    title: 'Begin with a second factor',
    text: 'The secret is told once; codes are asked for when one was confirmed.',
    method: 'POST',
    path: '/me/codes',
    success: {
      status: 200,
      schema: z.object({
        secret: z.string().describe('For an authenticator app (Base32).'),
        address: z.string().describe('The same as `otpauth:` address.'),
        picture: z.string().describe('Its QR code, a PNG as `data:` address.'),
      }),
    },
    errors: [...OPEN, 'CONFIRM_NEEDED'],
    handle: async ({ deps, request }) => {
      const session = await sessionOf(deps, request)
      demandConfirmed(session)
      const begun = await beginCodes(deps.codes, { id: session.personId, email: session.email })
      return { ...begun, picture: pictureOf(begun.address) }
    },
  }),
  operation({
    ...{ ...OWN, tag },
    id: 'confirmCodes',
    title: 'Confirm the second factor',
    method: 'PUT',
    path: '/me/codes',
    body: z.object({ code: z.string().max(LONGEST_CODE).describe('Six digits.') }),
    example: { code: '287082' },
    success: {
      status: 200,
      schema: z.object({
        recoveryCodes: z.array(z.string()).describe('Each works once, instead of a code.'),
      }),
    },
    errors: [...OPEN, 'CONFIRM_NEEDED', 'CODE_WRONG', 'CREDENTIALS_LIMITED'],
    handle: async ({ deps, request, body }) => {
      const session = await sessionOf(deps, request)
      demandConfirmed(session)
      const { personId, email: name } = session
      const recoveryCodes = await counted(deps, { name, address: request.ip }, () =>
        confirmCodes(deps.codes, personId, body.code),
      )
      return { recoveryCodes }
    },
  }),
  operation({
    ...{ ...OWN, tag },
    id: 'endCodes',
    title: 'End the second factor',
    method: 'DELETE',
    path: '/me/codes',
    success: { status: 204 },
    errors: [...OPEN, 'CONFIRM_NEEDED'],
    handle: async ({ deps, request }) => {
      const session = await sessionOf(deps, request)
      demandConfirmed(session)
      await endCodes(deps.codes, session.personId)
      return undefined
    },
  }),
  operation({
    ...{ ...OWN, tag },
    id: 'listSessions',
    title: 'Where the person is logged in',
    method: 'GET',
    path: '/me/sessions',
    success: { status: 200, schema: z.array(listed) },
    errors: ['SESSION_MISSING', 'ACCOUNT_CHANGED'],
    handle: async ({ deps, request }) => {
      const session = await sessionOf(deps, request)
      const all = await deps.sessions.list(session.personId)
      return all.map((one) => ({ ...one, current: one.id === session.id }))
    },
  }),
  operation({
    ...{ ...OWN, tag },
    id: 'endOtherSessions',
    title: 'End all other sessions',
    method: 'DELETE',
    path: '/me/sessions',
    success: { status: 204 },
    errors: OPEN,
    handle: async ({ deps, request }) => {
      const { personId, id: except } = await sessionOf(deps, request)
      await deps.sessions.end({ personId, except })
      return undefined
    },
  }),
  operation({
    ...{ ...OWN, tag },
    id: 'endSession',
    title: 'End a session',
    text: 'One that has ended already is no error.',
    method: 'DELETE',
    path: '/me/sessions/:id',
    params: z.object({ id: uuid() }),
    success: { status: 204 },
    errors: OPEN,
    handle: async ({ deps, request, params }) => {
      const { personId } = await sessionOf(deps, request)
      await deps.sessions.end({ personId, id: params.id })
      return undefined
    },
  }),
  operation({
    ...{ ...OWN, tag: 'Links' },
    id: 'forgotPassword',
    title: 'Ask for a link by mail',
    text: 'The same answer whether somebody has this address or not.',
    method: 'POST',
    path: '/links',
    body: z.object({ email: z.string().max(LONGEST).describe('User name.') }),
    example: { email: 'ida@lenz.example' },
    success: { status: 204 },
    errors: ['CREDENTIALS_LIMITED', 'CSRF_WRONG'],
    handle: async ({ deps, request, body: { email }, culture }) => {
      if (isForeign(request)) throw fail('CSRF_WRONG')
      await deps.failures.failed('person link', request.ip)
      const base = publicBase(deps, request)
      const wish = { email, language: culture.language, base }
      // nor does the time tell it: writing a letter takes longer than finding nobody
      await Promise.all([deps.people.forgotten(wish), sleep(FORGOTTEN_MS)])
      return undefined
    },
  }),
  operation({
    ...{ ...OWN, tag: 'Links' },
    id: 'lookAtLink',
    title: 'Whose link it is',
    method: 'POST',
    path: '/links/look',
    body: z.object({ token: z.string().max(LONGEST_LINK).describe('Behind # of the address.') }),
    example: { token: 'kM0…' },
    success: {
      status: 200,
      schema: z.object({
        email: z.string().describe('User name.'),
        name: z.string().describe('Name.'),
        purpose: z.enum(['welcome', 'reset']).describe('welcome: the first password.'),
      }),
    },
    errors: ['LINK_UNKNOWN', 'CREDENTIALS_LIMITED'],
    handle: async ({ deps, request, body }) => {
      const found = await deps.people.linkOf(body.token)
      if (found !== undefined) {
        return { email: found.email, name: found.name, purpose: found.purpose }
      }
      await deps.failures.failed('person link', request.ip)
      throw fail('LINK_UNKNOWN')
    },
  }),
  operation({
    ...{ ...OWN, tag: 'Links' },
    id: 'followLink',
    title: 'Choose a password by a link',
    text: 'Ends all sessions of the person. Without a second factor it logs in as well.',
    method: 'POST',
    path: '/links/follow',
    body: z.object({
      token: z.string().max(LONGEST_LINK).describe('Behind # of the address.'),
      password: password(),
      name: z.string().max(LONGEST_NAME).optional().describe('Name.'),
    }),
    example: { token: 'kM0…', password: 'Fresh-Flowers-1' },
    success: { status: 204 },
    errors: ['LINK_UNKNOWN', 'PASSWORD_WEAK', 'CREDENTIALS_LIMITED', 'CSRF_WRONG'],
    handle: async ({ deps, request, reply, body }) => {
      if (isForeign(request)) throw fail('CSRF_WRONG')
      const { token, ...wish } = body
      const personId = await deps.people.follow(token, { ...wish, name: wish.name })
      const given = await deps.sessions.logInByLink(personId, originOf(request))
      if (given !== undefined) await beginAnew(deps, { request, reply }, given)
      return undefined
    },
  }),
]

const PIXELS_OF_MODULE = 4

function pictureOf(address: string): string {
  // an address has the name and the e-mail of a person: some 200 bytes, and a code takes 2,000
  const matrix = qrMatrix(address) ?? []
  return `data:image/png;base64,${qrPng(matrix, PIXELS_OF_MODULE).toString('base64')}`
}
