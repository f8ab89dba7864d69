// A strict a.sign RK Online, and the appliance a.sign RK HSM beside it: refuses what the vendor's
// manual says is refused, locks accounts, ends sessions, changes certificates.
import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { type ChainNames, createProvider, type Issuing, type Leaf, TEST_NAMES } from './chain.js'
import { type Answered, type Called, type Door, Line, type Listening, listen } from './door.js'
import { keepService, keptService, type ServiceState } from './kept-key.js'
import { signHash } from './sign-hash.js'

export interface ATrustOptions {
  port?: number
  /** Where its key and its counters are kept. */
  state?: ServiceState
  names?: ChainNames
  now?(): Date
  /** Wrong passwords until the account is blocked; the vendor does not tell how many. */
  mostWrong?: number
  /** Signatures that the account has. */
  credits?: number
  /** Days until its certificate ends. */
  days?: number
  /** Of the appliance's web server; left out: it asks for none. */
  basic?: { user: string; password: string }
}

/** As in the vendor's manual; the last one is blocked for good. */
export const ACCOUNT = { user: 'u123456789', password: '123456789' } as const
export const BLOCKED = { user: 'u039193334', password: '60z7dx' } as const
export const KEY_LABEL = 'ABCDEFGHIJKLMNOPQRSTUVWXYZABCDEF'

export interface ATrust extends Listening {
  /** Base addresses. */
  online: string
  appliance: string
  line: Line
  wrongLogins(): number
  signatures(): number
  logins(): number
  leaf(): Leaf
  /** A new certificate and key for the same account. */
  renew(days?: number): Promise<void>
  /** The dealer gives the account another password. */
  setPassword(password: string): void
}

export async function simulateATrust(options: ATrustOptions = {}): Promise<ATrust> {
  const now = options.now ?? (() => new Date())
  const provider = await createProvider(options.names ?? TEST_NAMES, now())
  const leaf = await provider.issue(subjectOf(options), options.days)
  const service = new Service(provider, leaf, { ...options, now })
  const listening = await listen(service, options.port)
  return {
    ...listening,
    online: `${listening.url}/asignrkonline/v2`,
    appliance: `${listening.url}/aSignRkHsm/V2`,
    line: service.line,
    wrongLogins: () => service.wrongLogins,
    signatures: () => service.signatures,
    logins: () => service.logins,
    leaf: () => service.leaf,
    renew: (days) => service.renew(days),
    setPassword: (password) => service.setPassword(password),
  }
}

const subjectOf = ({ names = TEST_NAMES }: ATrustOptions): string => names.subject

interface Session {
  id: string
  key: string
  until: number
}

const HOUR_MS = 3_600_000

class Service implements Door {
  readonly line = new Line()
  wrongLogins = 0
  signatures = 0
  logins = 0
  leaf: Leaf
  private readonly provider: Issuing
  private readonly options: ATrustOptions & { now(): Date }
  private readonly foreign = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
  private password: string = ACCOUNT.password
  private sessions: Session[] = []

  constructor(provider: Issuing, leaf: Leaf, options: ATrustOptions & { now(): Date }) {
    this.provider = provider
    this.leaf = leaf
    this.options = options
    Object.assign(this, keptService(options.state))
    this.keep()
  }

  restart(): void {
    this.sessions = []
  }

  async renew(days?: number): Promise<void> {
    this.leaf = await this.provider.issue(subjectOf(this.options), days)
  }

  setPassword(password: string): void {
    this.password = password
    this.wrongLogins = 0
  }

  keep(): void {
    const { password, wrongLogins, signatures } = this
    keepService(this.options.state, this.leaf, { password, wrongLogins, signatures })
  }

  answer(called: Called, isForeign: boolean): Answered {
    const [, product = '', version = '', ...path] = called.path.split('/')
    if (product === 'asignrkonline' && version === 'v2') return this.online(path, called, isForeign)
    if (product === 'aSignRkHsm' && version === 'V2') return this.ofHsm(path, called, isForeign)
    return this.offence(called, 404)
  }

  // ----------------------------------------------------------------------------------- RK Online

  private online(path: string[], called: Called, isForeign: boolean): Answered {
    const [first = '', second = ''] = path
    if (first === 'Session' && called.method === 'PUT') return this.logIn(second, called)
    if (first === 'Session') return this.inSession(path.slice(1), called, isForeign)
    if (first !== ACCOUNT.user && first !== BLOCKED.user) return { status: 401 }
    if (called.method === 'GET') return this.facts(second, called)
    return this.withoutSession(path.slice(1).join('/'), called, isForeign)
  }

  private facts(name: string, called: Called): Answered {
    if (name === 'ZDA') return { status: 200, json: { zdaid: 'AT1' } }
    if (name !== 'Certificate') return this.offence(called, 404)
    const { der, chain, serialHex } = this.leaf
    const json = {
      Signaturzertifikat: der.toString('base64'),
      Zertifizierungsstellen: chain.map((one) => one.toString('base64')),
      Zertifikatsseriennummer: BigInt(`0x${serialHex}`).toString(),
      ZertifikatsseriennummerHex: serialHex.toUpperCase(),
      alg: 'ES256',
    }
    return { status: 200, json }
  }

  private logIn(user: string, called: Called): Answered {
    const body = membersOf(called, ['password'])
    if (body === undefined) return this.offence(called, 403)
    const refused = this.judge(user, body.password)
    if (refused !== undefined) return { status: refused }
    this.logins += 1
    const id = Buffer.from(randomBytes(32).map((one) => 0x61 + (one % 26))).toString('latin1')
    const session = { id, key: randomBytes(32).toString('base64'), until: 0 }
    this.sessions.push(session)
    session.until = this.endOf()
    return { status: 200, json: { sessionid: id, sessionkey: session.key } }
  }

  /** 401 or 403 where it is not let in. */
  private judge(user: string, password: unknown): number | undefined {
    const { mostWrong = 5 } = this.options
    if (user === BLOCKED.user || this.wrongLogins >= mostWrong) return 403
    if (user === ACCOUNT.user && password === this.password) return undefined
    this.wrongLogins += 1
    return 401
  }

  /** An hour from now, at midnight (UTC here) at the latest. */
  private endOf(): number {
    const at = this.options.now().getTime()
    const midnight = new Date(at)
    midnight.setUTCHours(24, 0, 0, 0)
    return Math.min(at + HOUR_MS, midnight.getTime())
  }

  private inSession(path: string[], called: Called, isForeign: boolean): Answered {
    const [id = '', ...rest] = path
    const now = this.options.now().getTime()
    this.sessions = this.sessions.filter(({ until }) => until > now)
    const session = this.sessions.find((one) => one.id === id)
    if (called.method === 'DELETE' && rest.length === 0) {
      this.sessions = this.sessions.filter((one) => one.id !== id)
      return { status: session === undefined ? 401 : 200, json: { result: session !== undefined } }
    }
    if (called.method !== 'POST') return this.offence(called, 405)
    if (rest.join('/') !== 'Sign/Hash') return this.offence(called, 404)
    const body = membersOf(called, ['sessionkey', 'hash'])
    if (body === undefined) return this.offence(called, 403)
    if (session === undefined || session.key !== body.sessionkey) return { status: 401 }
    const answer = this.signed(body.hash, called, isForeign)
    if (answer.status === 200) session.until = this.endOf()
    return answer
  }

  private withoutSession(name: string, called: Called, isForeign: boolean): Answered {
    if (called.method !== 'POST') return this.offence(called, 405)
    if (name !== 'Sign/Hash') return this.offence(called, 404)
    const body = membersOf(called, ['password', 'hash'])
    if (body === undefined) return this.offence(called, 403)
    const refused = this.judge(ACCOUNT.user, body.password)
    return refused === undefined ? this.signed(body.hash, called, isForeign) : { status: refused }
  }

  // ----------------------------------------------------------------------------------- appliance

  private ofHsm([label = '', ...rest]: string[], called: Called, isForeign: boolean): Answered {
    const { basic } = this.options
    if (basic !== undefined) {
      const wanted = Buffer.from(`${basic.user}:${basic.password}`).toString('base64')
      if (called.headers.authorization !== `Basic ${wanted}`) {
        this.wrongLogins += 1
        return { status: 401 }
      }
    }
    if (label !== KEY_LABEL) return { status: 400 }
    const name = rest.join('/')
    if (called.method === 'GET') return this.facts(name, called)
    if (name !== 'Sign/Hash' || called.method !== 'POST') return this.offence(called, 405)
    const body = membersOf(called, ['hash'])
    if (body === undefined) return this.offence(called, 400)
    const answer = this.signed(body.hash, called, isForeign)
    if (answer.status !== 200) return answer
    // its second version answers without padding
    const { signature } = answer.json as { signature: string }
    return {
      status: 200,
      json: { signature: Buffer.from(signature, 'base64').toString('base64url') },
    }
  }

  // -------------------------------------------------------------------------------------- signing

  private signed(hash: unknown, called: Called, isForeign: boolean): Answered {
    if (typeof hash !== 'string' || !/^[A-Za-z0-9+/]{43}=$/.test(hash)) {
      return this.offence(called, 400)
    }
    if (this.signatures >= (this.options.credits ?? Number.POSITIVE_INFINITY))
      return { status: 500 }
    this.signatures += 1
    const key = isForeign ? this.foreign : this.leaf.key
    const signature = signHash(key, Buffer.from(hash, 'base64'))
    return { status: 200, json: { signature: signature.toString('base64') } }
  }

  private offence({ method, path, body }: Called, status: number): Answered {
    this.line.offences.push(`${method} ${path} ${body.toString('utf8').slice(0, 100)}`)
    return { status }
  }
}

/** Exactly these members, all of them texts of some length. */
function membersOf(called: Called, names: string[]): Record<string, unknown> | undefined {
  if (!/^application\/json/.test(called.headers['content-type'] ?? '')) return undefined
  try {
    const value: unknown = JSON.parse(called.body.toString('utf8'))
    if (typeof value !== 'object' || value === null) return undefined
    const found = Object.entries(value)
    const isExact =
      found.length === names.length &&
      found.every(([name, one]) => names.includes(name) && typeof one === 'string' && one !== '')
    return isExact ? Object.fromEntries(found) : undefined
  } catch {
    return undefined
  }
}
