// Passkeys (WebAuthn): a device keeps a key for this server's name, and opens it for its owner
// only, so it stands for password and second factor together.

import { isIP } from 'node:net'
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import { z } from 'zod'
import { fail } from '../../../errors.js'
import {
  findPasskey,
  insertPasskey,
  listPasskeys,
  type PasskeyRow,
  usePasskey,
} from '../../../store/account/passkeys.js'
import { findPerson } from '../../../store/account/people.js'
import type { Store } from '../../../store/client.js'
import { beginStep, takeStep } from './login-steps.js'
import type { Session } from './sessions.js'

export interface PasskeyDeps {
  store: Store
}

/** Where the browser is. */
export interface Place {
  /** Of the portal: https://fiskal.example */
  base: string
  /** Network address. */
  address: string
}

const stepSchema = z.object({ challenge: z.string(), origin: z.string(), name: z.string() })
const PROGRAM = 'fiskalwerk'
const COSE_ALGORITHMS = [-8, -7, -257]

/** Loaded where somebody has a passkey: a third of what a start would load otherwise. */
const library = () => import('@simplewebauthn/server')

/** Throws PASSKEY_NEEDS_NAME: browsers keep none for a bare address. */
function nameOf({ base }: Place): { name: string; origin: string } {
  const { hostname, origin } = new URL(base)
  if (isIP(hostname.replace(/^\[|\]$/g, '')) > 0) throw fail('PASSKEY_NEEDS_NAME')
  return { name: hostname, origin }
}

/** What the browser hands to the device to make a key. Throws PASSKEY_NEEDS_NAME. */
export async function beginPasskey({ store }: PasskeyDeps, session: Session, place: Place) {
  const { name, origin } = nameOf(place)
  const known = await listPasskeys(store, session.personId)
  const { generateRegistrationOptions } = await library()
  const options = await generateRegistrationOptions({
    ...{ rpName: PROGRAM, rpID: name, userName: session.email },
    userDisplayName: session.name === '' ? session.email : session.name,
    userID: handleOf(session.personId),
    attestationType: 'none',
    excludeCredentials: known.map(({ id }) => ({ id })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    supportedAlgorithmIDs: COSE_ALGORITHMS,
  })
  const { id: sessionId } = session
  const document = { challenge: options.challenge, origin, name }
  const { address } = place
  const step = await beginStep(store, { kind: 'passkey-new', sessionId, address, document })
  return { options, step }
}

interface Answered<T> {
  step: string | undefined
  answer: T
}

/** Throws PASSKEY_WRONG, PASSKEY_MANY. */
export async function addPasskey(
  { store }: PasskeyDeps,
  { personId, id: sessionId }: Session,
  { step, answer, name }: Answered<RegistrationResponseJSON> & { name: string },
): Promise<void> {
  const asked = await askedOf(store, { step, kind: 'passkey-new', sessionId })
  const { verifyRegistrationResponse } = await library()
  const made = await judged(verifyRegistrationResponse, {
    ...{ response: answer, expectedChallenge: asked.challenge, expectedOrigin: asked.origin },
    ...{ expectedRPID: asked.name, requireUserVerification: true },
    supportedAlgorithmIDs: COSE_ALGORITHMS,
  })
  if (made.registrationInfo === undefined) throw fail('PASSKEY_WRONG')
  const { id, publicKey, counter, transports = [] } = made.registrationInfo.credential
  const row = { id, personId, name, publicKey: Buffer.from(publicKey), counter: String(counter) }
  if (!(await insertPasskey(store, { ...row, transports }))) throw fail('PASSKEY_MANY')
}

/** For a login (no session: any of this server), or to confirm who one is (of the person). */
export async function askForPasskey(
  { store }: PasskeyDeps,
  session: Session | undefined,
  place: Place,
) {
  const { name, origin } = nameOf(place)
  const known = session === undefined ? [] : await listPasskeys(store, session.personId)
  const allowed = known.map(({ id, transports }) => ({ id, transports }))
  const { generateAuthenticationOptions } = await library()
  const options = await generateAuthenticationOptions({
    ...{ rpID: name, userVerification: 'required' },
    ...(session === undefined ? {} : { allowCredentials: allowed }),
  })
  const document = { challenge: options.challenge, origin, name }
  const { address } = place
  const sessionId = session?.id ?? null
  const step = await beginStep(store, { kind: 'passkey', sessionId, address, document })
  return { options, step }
}

/** Whose it is. Throws PASSKEY_WRONG. */
export async function personByPasskey(
  { store }: PasskeyDeps,
  session: Session | undefined,
  { step, answer }: Answered<AuthenticationResponseJSON>,
): Promise<string> {
  const sessionId = session?.id ?? null
  const asked = await askedOf(store, { step, kind: 'passkey', sessionId })
  const known = await findPasskey(store, answer.id)
  const foreign = session !== undefined && known?.personId !== session.personId
  if (known === undefined || foreign) throw fail('PASSKEY_WRONG')
  const { verifyAuthenticationResponse } = await library()
  const used = await judged(verifyAuthenticationResponse, {
    ...{ response: answer, expectedChallenge: asked.challenge, expectedOrigin: asked.origin },
    ...{ expectedRPID: asked.name, requireUserVerification: true },
    credential: credentialOf(known),
  })
  if (!used.verified) throw fail('PASSKEY_WRONG')
  const { newCounter: counter } = used.authenticationInfo
  if (!(await usePasskey(store, { id: known.id, counter }))) throw fail('PASSKEY_WRONG')
  if ((await findPerson(store, known.personId)) === undefined) throw fail('PASSKEY_WRONG')
  return known.personId
}

/** The library throws for what does not fit. Throws PASSKEY_WRONG. */
async function judged<I, O>(judge: (input: I) => Promise<O>, input: I): Promise<O> {
  try {
    return await judge(input)
  } catch (error) {
    throw fail('PASSKEY_WRONG', { reason: error instanceof Error ? error.message : '' })
  }
}

const credentialOf = ({ id, publicKey, counter }: PasskeyRow) => ({
  ...{ id, publicKey: new Uint8Array(publicKey), counter: Number(counter) },
})

/** Throws PASSKEY_WRONG: asked by another browser or session, answered before, or too old. */
async function askedOf(
  store: Store,
  { step, kind, sessionId }: Wanted,
): Promise<z.infer<typeof stepSchema>> {
  const found = await takeStep(store, { token: step, kind })
  if (found === undefined || found.sessionId !== sessionId) throw fail('PASSKEY_WRONG')
  return stepSchema.parse(found.document)
}

interface Wanted {
  step: string | undefined
  kind: 'passkey' | 'passkey-new'
  sessionId: string | null
}

/** Devices name the owner by these bytes; they tell nothing of the person. */
const handleOf = (personId: string): Uint8Array<ArrayBuffer> =>
  new Uint8Array(Buffer.from(personId.replaceAll('-', ''), 'hex'))
