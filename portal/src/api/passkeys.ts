// Passkeys in the browser. The library is loaded when somebody uses one.
import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser'
import { call } from './client.js'
import type { Result } from './types.js'

/** Called off, or no answer of the device. */
export class NoPasskey extends Error {}

/** Browsers have them where a page is safe only, and for names only. */
export const hasPasskeys = (): boolean =>
  'PublicKeyCredential' in globalThis && !/^[\d.]+$|^\[/.test(location.hostname)

const load = () => import('@simplewebauthn/browser')

async function answered<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch {
    throw new NoPasskey()
  }
}

async function used(options: unknown): Promise<AuthenticationResponseJSON> {
  const { startAuthentication } = await load()
  const optionsJSON = options as PublicKeyCredentialRequestOptionsJSON
  return answered(startAuthentication({ optionsJSON }))
}

export async function logInByPasskey(): Promise<Result<'logInByPasskey'>> {
  const answer = await used(await call('askForPasskey', {}))
  return call('logInByPasskey', { body: { answer } as never })
}

export async function confirmByPasskey(): Promise<void> {
  const answer = await used(await call('askToConfirm', {}))
  await call('confirmByPasskey', { body: { answer } as never })
}

export async function addPasskey(name: string): Promise<void> {
  const { startRegistration } = await load()
  const options: unknown = await call('beginPasskey', {})
  const optionsJSON = options as PublicKeyCredentialCreationOptionsJSON
  const answer = await answered(startRegistration({ optionsJSON }))
  await call('addPasskey', { body: { name, answer } as never })
}
