// Who may call a simulated FCC: tokens for cash registers and for the administrator, and the
// administrator's own login. All of them know one secret, the ERS code.
import { randomBytes } from 'node:crypto'
import type { DoorAnswer, DoorCall } from '../http-door.js'
import { Refused, type Watched } from '../script.js'

/** Whose token is none of a register. */
export const ADMIN = '\0admin'
const LIFE_SECONDS = 3_600
/** As the connector was built; they are no secret. */
const ADMIN_CLIENT = 'admin-auth-client-id:admin-auth-client-secret'

interface TokensOptions {
  ersCode: string
  now(): Date
  watched: Watched
}

interface Token {
  of: string
  until: number
}

export class FccTokens {
  private readonly options: TokensOptions
  private readonly tokens = new Map<string, Token>()

  constructor(options: TokensOptions) {
    this.options = options
  }

  forget(): void {
    this.tokens.clear()
  }

  /** `POST /oauth/token`. */
  give({ headers, body }: DoorCall, isRegistered: (client: string) => boolean): DoorAnswer {
    const type = headers['content-type'] ?? ''
    if (!/^application\/x-www-form-urlencoded/.test(type)) {
      this.options.watched.offences.push(`a token by ${type}`)
      throw new Refused('body', 400)
    }
    const form = Object.fromEntries(new URLSearchParams(body.toString('utf8')))
    const basic = basicOf(headers)
    const of = basic === ADMIN_CLIENT ? this.adminBy(form) : this.clientBy(basic, form)
    if (of !== ADMIN && !isRegistered(of)) throw new Refused('client', 401)
    const token = randomBytes(24).toString('base64url')
    this.tokens.set(token, { of, until: this.options.now().getTime() + LIFE_SECONDS * 1000 })
    return { status: 200, json: { access_token: token, expires_in: LIFE_SECONDS } }
  }

  private adminBy({ grant_type: grant, username, password, ...rest }: Record<string, string>) {
    if (grant !== 'password' || username !== 'admin' || Object.keys(rest).length > 0) {
      this.options.watched.offences.push('the form of the administrator')
      throw new Refused('body', 400)
    }
    if (password !== this.options.ersCode) throw this.wrong()
    return ADMIN
  }

  private clientBy(basic: string, { grant_type: grant, ...rest }: Record<string, string>): string {
    if (grant !== 'client_credentials' || Object.keys(rest).length > 0) {
      this.options.watched.offences.push('the form of a register')
      throw new Refused('body', 400)
    }
    const at = basic.indexOf(':')
    if (basic.slice(at + 1) !== this.options.ersCode) throw this.wrong()
    return basic.slice(0, at)
  }

  /** Of a register, or of the administrator. */
  demand({ headers }: DoorCall, of: string): void {
    const token = /^Bearer (.+)$/.exec(headers.authorization ?? '')?.[1] ?? ''
    const found = this.tokens.get(token)
    const isGood = found !== undefined && found.until > this.options.now().getTime()
    if (!isGood) throw new Refused('token', 401)
    if (found.of === of) return
    this.options.watched.offences.push('a token of somebody else')
    throw new Refused('token', 403)
  }

  /** The administrator without a token. */
  demandBasic({ headers }: DoorCall): void {
    if (basicOf(headers) !== `admin:${this.options.ersCode}`) throw this.wrong()
  }

  private wrong(): Refused {
    this.options.watched.wrongLogins += 1
    return new Refused('login', 401)
  }
}

function basicOf({ authorization = '' }: DoorCall['headers']): string {
  return Buffer.from(authorization.replace(/^Basic /, ''), 'base64').toString('utf8')
}
