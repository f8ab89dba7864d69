// A strict PrimeSign RKSV HSM: a token for each call, 32 raw bytes to sign, one key per user.
import { generateKeyPairSync } from 'node:crypto'
import { type ChainNames, createProvider, type Issuing, type Leaf, TEST_NAMES } from './chain.js'
import { type Answered, type Called, type Door, Line, type Listening, listen } from './door.js'
import { keepService, keptService, type ServiceState } from './kept-key.js'
import { signHash } from './sign-hash.js'

export interface PrimeSignOptions {
  port?: number
  /** Where its key and its counters are kept. */
  state?: ServiceState
  names?: ChainNames
  now?(): Date
  token?: string
  /** Days until its certificate ends. */
  days?: number
}

export const PRIMESIGN_TOKEN = 'a-shared-secret-of-a-customer'
const KEY_NAME = 'rk-key-1'

export interface PrimeSign extends Listening {
  line: Line
  leaf(): Leaf
  signatures(): number
  wrongTokens(): number
  setEnabled(enabled: boolean): void
  /** What the service says of itself: `AT3`, or a name. */
  setTspId(tspId: string): void
  renew(days?: number): Promise<void>
}

export async function simulatePrimeSign(options: PrimeSignOptions = {}): Promise<PrimeSign> {
  const names = options.names ?? TEST_NAMES
  const provider = await createProvider(names, options.now?.() ?? new Date())
  const leaf = await provider.issue(names.subject, options.days)
  const service = new Service(provider, leaf, { ...options, names })
  const listening = await listen(service, options.port)
  return {
    ...listening,
    line: service.line,
    leaf: () => service.leaf,
    signatures: () => service.signatures,
    wrongTokens: () => service.wrongTokens,
    setEnabled: (enabled) => service.setEnabled(enabled),
    setTspId: (tspId) => service.setTspId(tspId),
    renew: (days) => service.renew(days),
  }
}

class Service implements Door {
  readonly line = new Line()
  leaf: Leaf
  signatures = 0
  wrongTokens = 0
  private readonly provider: Issuing
  private readonly options: PrimeSignOptions & { names: ChainNames }
  private readonly foreign = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
  private isEnabled = true
  private tspId = 'AT3'

  constructor(provider: Issuing, leaf: Leaf, options: PrimeSignOptions & { names: ChainNames }) {
    this.provider = provider
    this.leaf = leaf
    this.options = options
    Object.assign(this, keptService(options.state))
    this.keep()
  }

  setEnabled(enabled: boolean): void {
    this.isEnabled = enabled
  }

  setTspId(tspId: string): void {
    this.tspId = tspId
  }

  async renew(days?: number): Promise<void> {
    this.leaf = await this.provider.issue(this.options.names.subject, days)
  }

  /** It remembers nothing from call to call. */
  restart(): void {}

  keep(): void {
    const { wrongTokens, signatures } = this
    keepService(this.options.state, this.leaf, { wrongTokens, signatures })
  }

  answer(called: Called, isForeign: boolean): Answered {
    if (called.headers['x-auth-token'] !== (this.options.token ?? PRIMESIGN_TOKEN)) {
      this.wrongTokens += 1
      return { status: 401 }
    }
    const { method, path } = called
    if (method === 'GET' && path === '/rs/rk/config') return this.config()
    if (method === 'GET' && path.startsWith('/rs/keys/')) return this.certificate(called)
    if (method === 'POST' && path === '/rs/rk/signatures/r1raw')
      return this.signed(called, isForeign)
    return this.offence(called, 404)
  }

  private config(): Answered {
    const user = { UserId: 'user-1', Enabled: this.isEnabled, DefaultKey: KEY_NAME }
    return { status: 200, json: { TspId: this.tspId, User: user } }
  }

  private certificate(called: Called): Answered {
    if (called.path !== `/rs/keys/${KEY_NAME}/certificate.cer`) return this.offence(called, 404)
    const lines = this.leaf.der.toString('base64').replace(/(.{64})/g, '$1\n')
    const pem = `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`
    return { status: 200, bytes: Buffer.from(pem) }
  }

  private signed(called: Called, isForeign: boolean): Answered {
    const isNamed = called.headers['content-type'] === 'application/json;charset=utf-8'
    if (!isNamed || called.body.length !== 32) return this.offence(called, 400)
    if (!this.isEnabled) return { status: 403 }
    this.signatures += 1
    const signature = signHash(isForeign ? this.foreign : this.leaf.key, called.body)
    return { status: 200, bytes: Buffer.from(signature.toString('base64url')) }
  }

  private offence({ method, path, body }: Called, status: number): Answered {
    this.line.offences.push(`${method} ${path} ${body.length} bytes`)
    return { status }
  }
}
