// Passkeys of people: made, listed, renamed, removed, and logging in or confirming by one.
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import * as passkeys from '../../../core/accounts/people/passkeys.js'
import type { Session } from '../../../core/accounts/people/sessions.js'
import { fail } from '../../../errors.js'
import {
  listPasskeys,
  removePasskeys,
  renamePasskey,
  setPasskeyFactor,
} from '../../../store/account/passkeys.js'
import { dateTime, text } from '../../shared/account/schemas.js'
import { publicBase } from '../../shared/receipt-address.js'
import { demandConfirmed, isForeign, sessionOf } from '../admit.js'
import { giveStep, takeStepToken } from '../cookie.js'
import type { SessionApiDeps } from '../deps.js'
import { OWN, operation } from '../operation.js'
import { beginAnew, counted, newSession, originOf, session } from './session.js'

const LONGEST_NAME = 100
const LONGEST_ID = 1400
const MOST_TRANSPORTS = 10
const tag = 'Passkeys'
const OPEN = ['SESSION_MISSING', 'CSRF_WRONG', 'ACCOUNT_CHANGED'] as const
const CONFIRMED = [...OPEN, 'CONFIRM_NEEDED'] as const
const WRONG = ['PASSKEY_WRONG', 'CREDENTIALS_LIMITED'] as const

const listed = z
  .object({
    id: z.string().describe('As the device names it.'),
    name: z.string().describe('As its owner names it.'),
    createdAt: dateTime().describe('When it was added (UTC).'),
    usedAt: dateTime().nullable().describe('When it was used last (UTC); null: never.'),
  })
  .meta({ id: 'portal.Passkey' })

const base64 = (longest: number) => z.string().max(longest)
const options = z
  .record(z.string(), z.unknown())
  .describe('For `navigator.credentials`, as JSON of WebAuthn.')

/** What browsers answer, as JSON of WebAuthn; the library reads what is in it. */
const answerOf = <T extends z.ZodRawShape>(response: T) =>
  z.looseObject({
    id: base64(LONGEST_ID),
    rawId: base64(LONGEST_ID),
    type: z.literal('public-key'),
    response: z.looseObject(response),
  })

const LONGEST_DATA = 20_000
const made = answerOf({
  clientDataJSON: base64(LONGEST_DATA),
  attestationObject: base64(LONGEST_DATA),
  transports: z.array(z.string().max(LONGEST_NAME)).max(MOST_TRANSPORTS).optional(),
})
const used = answerOf({
  clientDataJSON: base64(LONGEST_DATA),
  authenticatorData: base64(LONGEST_DATA),
  signature: base64(LONGEST_DATA),
  userHandle: base64(LONGEST_ID).nullish(),
}).meta({ id: 'portal.PasskeyAnswer' })

const placeOf = (deps: SessionApiDeps, request: FastifyRequest) => ({
  ...{ base: publicBase(deps, request), address: request.ip },
})

async function confirmedSession(deps: SessionApiDeps, request: FastifyRequest): Promise<Session> {
  const found = await sessionOf(deps, request)
  demandConfirmed(found)
  return found
}

const own = [
  operation({
    ...{ ...OWN, tag },
    id: 'listPasskeys',
    title: 'Passkeys of the person',
    method: 'GET',
    path: '/me/passkeys',
    success: { status: 200, schema: z.array(listed) },
    errors: ['SESSION_MISSING', 'ACCOUNT_CHANGED'],
    handle: async ({ deps, request }) => {
      const { personId } = await sessionOf(deps, request)
      const all = await listPasskeys(deps.store, personId)
      return all.map(({ id, name, createdAt, usedAt }) => ({ id, name, createdAt, usedAt }))
    },
  }),
  operation({
    ...{ ...OWN, tag },
    id: 'beginPasskey',
    title: 'Begin with a passkey',
    text: 'What the browser hands to the device; its answer goes to `addPasskey`, once.',
    method: 'POST',
    path: '/me/passkeys/begin',
    success: { status: 200, schema: options },
    errors: [...CONFIRMED, 'PASSKEY_NEEDS_NAME'],
    handle: async ({ deps, request, reply }) => {
      const found = await confirmedSession(deps, request)
      const begun = await passkeys.beginPasskey(deps.codes, found, placeOf(deps, request))
      giveStep(request, reply, begun.step)
      return { ...begun.options }
    },
  }),
  operation({
    ...{ ...OWN, tag },
    id: 'addPasskey',
    title: 'Add a passkey',
    method: 'POST',
    path: '/me/passkeys',
    body: z.object({ name: text(LONGEST_NAME).describe('Name.'), answer: made }),
    success: { status: 204 },
    errors: [...CONFIRMED, 'PASSKEY_WRONG', 'PASSKEY_MANY'],
    handle: async ({ deps, request, reply, body: { name, answer } }) => {
      const found = await confirmedSession(deps, request)
      const step = takeStepToken(request, reply)
      const given = { step, name, answer: answer as unknown as RegistrationResponseJSON }
      await passkeys.addPasskey(deps.codes, found, given)
      return undefined
    },
  }),
  operation({
    ...{ ...OWN, tag },
    id: 'renamePasskey',
    title: 'Rename a passkey',
    method: 'PATCH',
    path: '/me/passkeys/:id',
    params: z.object({ id: base64(LONGEST_ID) }),
    body: z.object({ name: text(LONGEST_NAME).describe('Name.') }),
    example: { name: 'Phone' },
    success: { status: 204 },
    errors: [...OPEN, 'PASSKEY_UNKNOWN'],
    handle: async ({ deps, request, params: { id }, body }) => {
      const { personId } = await sessionOf(deps, request)
      const done = await renamePasskey(deps.store, { personId, id }, body.name)
      if (!done) throw fail('PASSKEY_UNKNOWN')
      return undefined
    },
  }),
  operation({
    ...{ ...OWN, tag },
    id: 'removePasskey',
    title: 'Remove a passkey',
    text: 'Without the last one, the password alone is enough again.',
    method: 'DELETE',
    path: '/me/passkeys/:id',
    params: z.object({ id: base64(LONGEST_ID) }),
    success: { status: 204 },
    errors: [...CONFIRMED, 'PASSKEY_UNKNOWN'],
    handle: async ({ deps, request, params: { id } }) => {
      const { personId } = await confirmedSession(deps, request)
      if ((await removePasskeys(deps.store, { personId, id })) === 0) throw fail('PASSKEY_UNKNOWN')
      return undefined
    },
  }),
  operation({
    ...{ ...OWN, tag },
    id: 'setPasskeyFactor',
    title: 'Ask for a passkey after the password',
    method: 'PUT',
    path: '/me/passkey-factor',
    body: z.object({ on: z.boolean() }),
    example: { on: false },
    success: { status: 204 },
    errors: [...CONFIRMED, 'PASSKEY_UNKNOWN'],
    handle: async ({ deps, request, body }) => {
      const { personId } = await confirmedSession(deps, request)
      const done = await setPasskeyFactor(deps.store, personId, body.on)
      if (!done) throw fail('PASSKEY_UNKNOWN')
      return undefined
    },
  }),
]

/** Both without a session, for a login, and with one, to confirm who it is. */
const use = [
  operation({
    ...{ ...OWN, tag: 'Session' },
    id: 'askForPasskey',
    title: 'Begin to log in by a passkey',
    text: 'The answer of the browser goes to `logInByPasskey`, once.',
    method: 'POST',
    path: '/session/passkey/begin',
    success: { status: 200, schema: options },
    errors: ['CSRF_WRONG', 'PASSKEY_NEEDS_NAME'],
    handle: async ({ deps, request, reply }) => {
      if (isForeign(request)) throw fail('CSRF_WRONG')
      const place = placeOf(deps, request)
      const asked = await passkeys.askForPasskey(deps.codes, undefined, place)
      giveStep(request, reply, asked.step)
      return { ...asked.options }
    },
  }),
  operation({
    ...{ ...OWN, tag: 'Session' },
    id: 'logInByPasskey',
    title: 'Log in by a passkey',
    text: 'It stands for password and second factor.',
    method: 'POST',
    path: '/session/passkey',
    body: z.object({ answer: used }),
    success: { status: 200, schema: session },
    errors: ['CSRF_WRONG', ...WRONG],
    handle: async ({ deps, request, reply, body }) => {
      if (isForeign(request)) throw fail('CSRF_WRONG')
      const step = takeStepToken(request, reply)
      const given = { step, answer: body.answer as unknown as AuthenticationResponseJSON }
      const who = { name: 'passkey', address: request.ip }
      const personId = await counted(deps, who, () =>
        passkeys.personByPasskey(deps.codes, undefined, given),
      )
      const token = await deps.sessions.open(personId, originOf(request))
      await beginAnew(deps, { request, reply }, token)
      return newSession(deps, token)
    },
  }),
  operation({
    ...{ ...OWN, tag: 'Session' },
    id: 'askToConfirm',
    title: 'Begin to confirm by a passkey',
    text: 'The answer of the browser goes to `confirmByPasskey`, once.',
    method: 'POST',
    path: '/confirm/passkey/begin',
    success: { status: 200, schema: options },
    errors: [...OPEN, 'PASSKEY_NEEDS_NAME', 'PASSKEY_UNKNOWN'],
    handle: async ({ deps, request, reply }) => {
      const found = await sessionOf(deps, request)
      if (found.passkeys === 0) throw fail('PASSKEY_UNKNOWN')
      const asked = await passkeys.askForPasskey(deps.codes, found, placeOf(deps, request))
      giveStep(request, reply, asked.step)
      return { ...asked.options }
    },
  }),
  operation({
    ...{ ...OWN, tag: 'Session' },
    id: 'confirmByPasskey',
    title: 'Confirm by a passkey',
    text: 'Instead of the password, for five minutes.',
    method: 'POST',
    path: '/confirm/passkey',
    body: z.object({ answer: used }),
    success: { status: 204 },
    errors: [...OPEN, ...WRONG],
    handle: async ({ deps, request, reply, body }) => {
      const found = await sessionOf(deps, request)
      const step = takeStepToken(request, reply)
      const given = { step, answer: body.answer as unknown as AuthenticationResponseJSON }
      const who = { name: found.email, address: request.ip }
      await counted(deps, who, () => passkeys.personByPasskey(deps.codes, found, given))
      await deps.sessions.confirmed(found.id)
      return undefined
    },
  }),
]

export const passkeyOperations = [...own, ...use]
