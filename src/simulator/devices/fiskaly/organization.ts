// The API key of the simulated cloud service: tokens, and who has logged in as administrator.
import { randomBytes } from 'node:crypto'
import { Refused } from '../script.js'

const TOKEN_SECONDS = 24 * 60 * 60

export interface KeyOptions {
  apiKey: string
  apiSecret: string
  env: 'TEST' | 'LIVE'
  now(): Date
  tokenSeconds?: number | undefined
}

interface Token {
  until: number
  /** TSS ids. */
  admin: Set<string>
}

export class Organization {
  readonly env: 'TEST' | 'LIVE'
  wrongSecrets = 0
  private readonly options: KeyOptions
  private readonly tokens = new Map<string, Token>()
  private readonly refresh = new Set<string>()

  constructor(options: KeyOptions) {
    this.options = options
    this.env = options.env
  }

  login(given: { api_key?: string; api_secret?: string; refresh_token?: string }): object {
    const { apiKey, apiSecret, env, now, tokenSeconds = TOKEN_SECONDS } = this.options
    const isKnown =
      given.refresh_token === undefined
        ? given.api_key === apiKey && given.api_secret === apiSecret
        : this.refresh.has(given.refresh_token)
    if (!isKnown) {
      if (given.refresh_token === undefined) this.wrongSecrets += 1
      throw new Refused('E_UNAUTHORIZED', 401)
    }
    const access = randomBytes(24).toString('base64url')
    const refresh = randomBytes(24).toString('base64url')
    const until = Math.floor(now().getTime() / 1000) + tokenSeconds
    this.tokens.set(access, { until, admin: new Set() })
    this.refresh.add(refresh)
    return {
      access_token: access,
      access_token_claims: { env, organization_id: 'c5c5a5b8-3d0e-4d0e-8d7a-1f2e3d4c5b6a' },
      access_token_expires_in: tokenSeconds,
      access_token_expires_at: until,
      refresh_token: refresh,
      refresh_token_expires_in: tokenSeconds * 2,
      refresh_token_expires_at: until + tokenSeconds,
    }
  }

  /** Throws Refused without a token that is still good. */
  caller(header: string | undefined): Token {
    const token = this.tokens.get(/^Bearer (\S+)$/.exec(header ?? '')?.[1] ?? '')
    if (token !== undefined && token.until * 1000 > this.options.now().getTime()) return token
    throw new Refused('E_UNAUTHORIZED', 401)
  }

  forget(): void {
    this.tokens.clear()
    this.refresh.clear()
  }
}
