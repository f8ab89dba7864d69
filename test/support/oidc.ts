// A real provider of logins on this machine: accounts that answer without being asked, and what may
// go wrong with it.
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import Provider, { type KoaContextWithOIDC } from 'oidc-provider'

export interface OidcAccount {
  sub: string
  email?: string
  email_verified?: boolean
}

export interface TestProvider {
  issuer: string
  clientId: string
  clientSecret: string
  /** Who is logged in there; undefined: calls it off. */
  account: OidcAccount | undefined
  close(): Promise<void>
}

const CLIENT = { clientId: 'fiskalwerk', clientSecret: 'a-secret-of-thirty-two-characters' }

/** `redirects`: where it may send browsers back to. */
export async function openProvider(redirects: () => string[]): Promise<TestProvider> {
  const server: Server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const issuer = `http://localhost:${port}`
  const made: TestProvider = {
    ...{ issuer, ...CLIENT, account: undefined },
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  let provider: Provider | undefined
  const start = () =>
    new Provider(issuer, {
      clients: [
        {
          ...{ client_id: CLIENT.clientId, client_secret: CLIENT.clientSecret },
          ...{ redirect_uris: redirects(), token_endpoint_auth_method: 'client_secret_basic' },
        },
      ],
      claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
      cookies: { keys: ['only for tests'] },
      features: { devInteractions: { enabled: false } },
      pkce: { required: () => true },
      interactions: { url: (_ctx, { uid }) => `/interaction/${uid}` },
      findAccount: (_ctx: KoaContextWithOIDC, sub: string) => ({
        accountId: sub,
        claims: () => ({ ...made.account, sub }),
      }),
    })
  server.on('request', (request, response) => {
    provider ??= start()
    const current = provider
    if (!request.url?.startsWith('/interaction/')) {
      current.callback()(request, response)
      return
    }
    void answer(current, made, { request, response })
  })
  return made
}

type Exchange = {
  request: Parameters<Provider['interactionDetails']>[0]
  response: Parameters<Provider['interactionDetails']>[1]
}

/** Logs in and agrees at once. */
async function answer(
  provider: Provider,
  { account }: TestProvider,
  { request, response }: Exchange,
): Promise<void> {
  if (account === undefined) {
    const result = { error: 'access_denied', error_description: 'called off' }
    await provider.interactionFinished(request, response, result)
    return
  }
  const grant = new provider.Grant({ accountId: account.sub, clientId: CLIENT.clientId })
  grant.addOIDCScope('openid email profile')
  const grantId = await grant.save()
  const result = { login: { accountId: account.sub }, consent: { grantId } }
  await provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false })
}
