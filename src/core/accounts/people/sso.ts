// Logging in at a provider of logins (OpenID Connect): code flow with PKCE, state and nonce. The
// provider says who somebody is; who may log in is decided here.
import type { Configuration, CustomFetch } from 'openid-client'
import { z } from 'zod'
import { type OutboundCall, OutboundError } from '../../../device/outbound.js'
import { FiscalError, fail } from '../../../errors.js'
import { findIdentity, putIdentity } from '../../../store/account/passkeys.js'
import { findPerson, findPersonByEmail } from '../../../store/account/people.js'
import type { Store } from '../../../store/client.js'
import { beginStep, takeStep } from './login-steps.js'

export interface SsoDeps {
  store: Store
  now(): Date
  call: OutboundCall
  issuer: string
  clientId: string
  clientSecret: string
}

/** login: whoever it is. link: belongs to who is logged in. confirm: is who is logged in. */
export const SSO_PURPOSES = ['login', 'link', 'confirm'] as const
export type SsoPurpose = (typeof SSO_PURPOSES)[number]

export interface SsoWish {
  purpose: SsoPurpose
  /** Page of the portal to go on with. */
  next: string
  /** Where the portal is reached. */
  base: string
  address: string
  session: { id: string; personId: string } | undefined
}

export interface SsoDone {
  purpose: SsoPurpose
  personId: string
  sessionId: string | null
}

export interface Sso {
  issuer: string
  /** As people know it. */
  name: string
  /** Where the browser goes, and what its cookie holds. Throws SSO_UNREACHABLE, SSO_WRONG. */
  begin(wish: SsoWish): Promise<{ address: string; step: string }>
  /** Where the login was to lead, and who it is; `done` throws the refusals of errors/portal.ts. */
  finish(answer: { step: string | undefined; query: string }): Promise<{
    next: string
    done(): Promise<SsoDone>
  }>
}

const stepSchema = z.object({
  ...{ state: z.string(), nonce: z.string(), verifier: z.string() },
  ...{ next: z.string(), back: z.string(), purpose: z.enum(SSO_PURPOSES) },
  personId: z.string().nullable(),
})
type Step = z.infer<typeof stepSchema>

const CALLBACK = '/portal/session/sso/back'
const KEPT_MS = 3_600_000
const FRESH_SECONDS = 120

export function createSso(deps: SsoDeps): Sso {
  const { store, issuer } = deps
  let known: { at: number; provider: Promise<Configuration> } | undefined
  const provider = (): Promise<Configuration> => {
    const at = deps.now().getTime()
    if (known === undefined || at - known.at > KEPT_MS) known = { at, provider: discover(deps) }
    const { provider: found } = known
    found.catch(() => {
      known = undefined
    })
    return found
  }
  return {
    ...{ issuer, name: new URL(issuer).host },
    begin: async (wish) => begin(store, await reached(provider()), wish),
    finish: async ({ step, query }) => {
      const found = await takeStep(store, { token: step, kind: 'sso' })
      if (found === undefined) return { next: '/', done: () => Promise.reject(fail('SSO_STALE')) }
      const asked = stepSchema.parse(found.document)
      const { purpose, next } = asked
      const { sessionId } = found
      const done = async (): Promise<SsoDone> => {
        const who = await reached(claimsOf(await reached(provider()), asked, query))
        return { purpose, sessionId, personId: await personOf(deps, asked, who) }
      }
      return { next, done }
    },
  }
}

async function begin(store: Store, provider: Configuration, wish: SsoWish) {
  const client = await import('openid-client')
  const { purpose, next, base, address, session } = wish
  const [state, nonce] = [client.randomState(), client.randomNonce()]
  const verifier = client.randomPKCECodeVerifier()
  const document: Step = {
    ...{ state, nonce, verifier, next, purpose, back: base + CALLBACK },
    personId: session?.personId ?? null,
  }
  const sessionId = session?.id ?? null
  const step = await beginStep(store, { kind: 'sso', sessionId, address, document })
  const target = client.buildAuthorizationUrl(provider, {
    ...{ redirect_uri: document.back, scope: 'openid email profile', state, nonce },
    code_challenge: await client.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    // who confirms has to show that he is there now
    ...(purpose === 'confirm' ? { prompt: 'login', max_age: String(FRESH_SECONDS) } : {}),
  })
  return { address: target.href, step }
}

const claims = z.object({
  ...{ iss: z.string(), sub: z.string().min(1).max(255) },
  email: z.string().optional(),
  email_verified: z.boolean().optional(),
})
type Claims = z.infer<typeof claims>

/** What the provider says of who has come back, all of it checked. */
async function claimsOf(provider: Configuration, asked: Step, query: string): Promise<Claims> {
  const client = await import('openid-client')
  const tokens = await client.authorizationCodeGrant(provider, new URL(asked.back + query), {
    ...{ expectedState: asked.state, expectedNonce: asked.nonce, idTokenExpected: true },
    pkceCodeVerifier: asked.verifier,
    ...(asked.purpose === 'confirm' ? { maxAge: FRESH_SECONDS } : {}),
  })
  const said = claims.parse(tokens.claims())
  const isWhole = said.email !== undefined && said.email_verified !== undefined
  if (isWhole || provider.serverMetadata().userinfo_endpoint === undefined) return said
  const more = await client.fetchUserInfo(provider, tokens.access_token, said.sub)
  return claims.parse({ ...more, iss: said.iss, sub: said.sub })
}

/** Throws SSO_UNKNOWN, SSO_UNVERIFIED, SSO_LINK_FIRST, SSO_OTHER. */
async function personOf({ store }: SsoDeps, asked: Step, said: Claims): Promise<string> {
  const identity = { issuer: said.iss, subject: said.sub }
  const known = await findIdentity(store, identity)
  if (asked.purpose === 'login') return known ?? (await invited(store, said))
  if (asked.personId === null) throw fail('SSO_STALE')
  const owner =
    asked.purpose === 'link' ? await putIdentity(store, identity, asked.personId) : known
  if (owner !== asked.personId) throw fail('SSO_OTHER')
  return owner
}

/** Somebody who comes for the first time, by an e-mail address that the provider has checked. */
async function invited(store: Store, said: Claims): Promise<string> {
  if (said.email === undefined) throw fail('SSO_UNKNOWN')
  if (said.email_verified !== true) throw fail('SSO_UNVERIFIED')
  const person = await findPersonByEmail(store, said.email.trim().toLowerCase())
  if (person === undefined) throw fail('SSO_UNKNOWN')
  // a mailbox alone does not lift a second factor
  if (person.codeSince !== null || person.passkeyFactor) throw fail('SSO_LINK_FIRST')
  const owner = await putIdentity(store, { issuer: said.iss, subject: said.sub }, person.id)
  if (owner === undefined || (await findPerson(store, owner)) === undefined) {
    throw fail('SSO_UNKNOWN')
  }
  return owner
}

const TIMEOUT_MS = 10_000
const MOST_BYTES = 1_000_000

async function discover({ issuer, clientId, clientSecret, call }: SsoDeps): Promise<Configuration> {
  const client = await import('openid-client')
  const server = new URL(issuer)
  const isPlain = server.protocol === 'http:'
  return client.discovery(server, clientId, undefined, client.ClientSecretBasic(clientSecret), {
    [client.customFetch]: guarded(call, server.host),
    execute: isPlain ? [client.allowInsecureRequests] : [],
  })
}

/** Calls go out by the guarded client; the host that the setting names may be a private one. */
function guarded(call: OutboundCall, host: string): CustomFetch {
  return async (url, { method, headers, body }) => {
    const answer = await call(url, {
      method: method === 'POST' ? 'POST' : 'GET',
      headers,
      ...(body == null ? {} : { body: String(body) }),
      ...{ timeoutMs: TIMEOUT_MS, maxBytes: MOST_BYTES, named: new URL(url).host === host },
    })
    // what is no JSON fails when it is read
    const headersOf = { 'content-type': 'application/json' }
    return new Response(new Uint8Array(answer.body), { status: answer.status, headers: headersOf })
  }
}

/** Throws SSO_UNREACHABLE, SSO_DENIED, SSO_STALE, SSO_WRONG. */
async function reached<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (error instanceof FiscalError) throw error
    const causes = causesOf(error)
    if (causes.some((one) => one instanceof OutboundError)) throw fail('SSO_UNREACHABLE')
    const told = causes.find((one) => 'error' in one)
    if (told !== undefined && Reflect.get(told, 'error') === 'access_denied') {
      throw fail('SSO_DENIED')
    }
    const detail = causes.map(({ message }) => message).join(': ')
    throw fail('SSO_WRONG', { detail: detail.slice(0, LONGEST_DETAIL) })
  }
}

const LONGEST_DETAIL = 300
const MOST_CAUSES = 5

function causesOf(error: unknown): Error[] {
  const found: Error[] = []
  for (let one = error; one instanceof Error && found.length < MOST_CAUSES; one = one.cause) {
    found.push(one)
  }
  return found
}
