// The device inside a simulated Epson printer: roles, challenges, PINs that lock, the clock that a
// self test clears, and the log.
import { createHash, randomBytes } from 'node:crypto'
import { Refused } from '../script.js'
import { type Entry, SecurityUnit } from '../security-unit.js'
import { type Found, type KeptRecord, wholeRecord } from '../state-file.js'

export interface EpsonOptions {
  now?(): Date
  until?: Date
  /** Set up already, with these. */
  pins?: { admin: string; timeAdmin: string; puk: string }
  secretKey?: string
  /** Most started transactions. */
  mostOpen?: number
}

type Role = 'Administrator' | 'TimeAdmin' | 'Host'

const MOST_TRIES = 3
const MOST_CLIENTS = 100
const MOST_OPEN = 512
const SELF_TEST_MS = 25 * 60 * 60 * 1000
const IDLE_MS: Readonly<Record<Role, number>> = {
  Administrator: 900_000,
  TimeAdmin: 28_800_000,
  Host: 900_000,
}

export class EpsonStorage {
  readonly unit: SecurityUnit
  readonly now: () => Date
  readonly mostOpen: number
  state: 'UNINITIALIZED' | 'INITIALIZED' | 'DECOMMISSIONED' = 'UNINITIALIZED'
  pins = { admin: '11111', timeAdmin: '22222', puk: '123456' }
  secretKey: string
  tries = { admin: MOST_TRIES, timeAdmin: MOST_TRIES, puk: MOST_TRIES }
  wrongLogins = 0
  hasTime = false
  testedAt: number | undefined
  exporting: { pieces: Iterator<Buffer>; rest: Buffer; isOver: boolean; to: number } | undefined
  /** Blocks of 512 bytes. */
  capacity = 16_777_216
  readonly last = new Map<string, Entry>()
  private logins = new Map<string, number>()
  private challenges = new Map<string, string>()

  constructor(options: EpsonOptions) {
    this.now = options.now ?? (() => new Date())
    this.mostOpen = options.mostOpen ?? MOST_OPEN
    this.secretKey = options.secretKey ?? 'EPSONKEY'
    this.unit = new SecurityUnit({
      ...{ curve: 'brainpoolP384r1', maker: 'simulated printer unit', now: this.now },
      until: options.until,
    })
    if (options.pins === undefined) return
    this.setUp(options.pins)
    this.selfTest()
  }

  setUp(pins: EpsonStorage['pins']): void {
    this.pins = pins
    this.state = 'INITIALIZED'
    this.unit.initialize()
    this.unit.register('EPSON0000000001')
  }

  /** The power was gone. */
  restart(): void {
    this.logins.clear()
    this.challenges.clear()
    this.hasTime = false
    this.testedAt = undefined
    this.exporting = undefined
  }

  selfTest(): void {
    this.testedAt = this.now().getTime()
    this.hasTime = false
  }

  get isTested(): boolean {
    return this.testedAt !== undefined && this.now().getTime() - this.testedAt < SELF_TEST_MS
  }

  /** A new process is a power cycle: what lives in memory alone is not among it. */
  *records(): Generator<KeptRecord> {
    const { state, pins, secretKey, tries, wrongLogins } = this
    const last = [...this.last].map(([client, { counter }]) => [client, counter])
    yield wholeRecord('storage', { state, pins, secretKey, tries, wrongLogins, last })
    yield* this.unit.records('unit/')
  }

  restore(found: Found): void {
    const storage = found.get('storage')
    if (storage === undefined) return
    const { last, ...rest } = storage as { last: [client: string, counter: number][] }
    Object.assign(this, rest)
    this.restart()
    this.unit.restore('unit/', found)
    for (const [client, counter] of last) {
      const entry = this.unit.entries.find((one) => one.counter === counter)
      if (entry !== undefined) this.last.set(client, entry)
    }
  }

  // ------------------------------------------------------------------------ logins

  challenge(user: string): string {
    const text = randomBytes(12).toString('base64')
    this.challenges.set(user, text)
    return text
  }

  /** Proves the secret of this host; a challenge is good once. */
  checkHash(user: string, hash: string): void {
    const challenge = this.challenges.get(user)
    this.challenges.delete(user)
    const wanted = createHash('sha256')
      .update(`${challenge ?? ''}${this.secretKey}`)
      .digest('base64')
    if (challenge !== undefined && hash === wanted) return
    this.wrongLogins += 1
    throw new Refused('OTHER_ERROR_HOST_AUTHENTICATION_FAILED')
  }

  checkPin(kind: 'admin' | 'timeAdmin' | 'puk', given: string): void {
    if (this.tries[kind] === 0) throw new Refused('TSE1_ERROR_AUTHENTICATION_PIN_BLOCKED')
    if (given === this.pins[kind]) {
      this.tries[kind] = MOST_TRIES
      return
    }
    this.tries[kind] -= 1
    this.wrongLogins += 1
    if (kind === 'puk' && this.tries.puk === 0) this.state = 'DECOMMISSIONED'
    throw new Refused('TSE1_ERROR_AUTHENTICATION_FAILED')
  }

  logIn(role: Role, client: string): void {
    this.logins.set(`${role} ${client}`, this.now().getTime())
  }

  logOut(role: Role, client: string): void {
    this.logins.delete(`${role} ${client}`)
  }

  isIn(role: Role, client = ''): boolean {
    const name = `${role} ${client}`
    const seen = this.logins.get(name)
    if (seen === undefined || this.now().getTime() - seen > IDLE_MS[role]) return false
    this.logins.set(name, this.now().getTime())
    return true
  }

  demandAdmin(): void {
    if (!this.isIn('Administrator')) throw new Refused('OTHER_ERROR_UNAUTHENTICATED_ADMIN_USER')
  }

  // ------------------------------------------------------------------ transactions

  /** What each step of a transaction needs. */
  demandReady(client: string): void {
    if (this.state === 'DECOMMISSIONED') throw new Refused('TSE1_ERROR_TSE_DECOMMISSIONED')
    if (this.state !== 'INITIALIZED') throw new Refused('TSE1_ERROR_TSE_INVALID_PARAMETER')
    if (!this.isTested) throw new Refused('TSE1_ERROR_WRONG_STATE_NEEDS_SELF_TEST')
    if (!this.isIn('TimeAdmin', client)) {
      throw new Refused('OTHER_ERROR_UNAUTHENTICATED_TIME_ADMIN_USER')
    }
    if (!this.hasTime) throw new Refused('TSE1_ERROR_NO_TIME_SET')
    if (this.unit.isExpired) throw new Refused('TSE1_ERROR_CERTIFICATE_EXPIRED')
    if (!this.unit.clients.has(client)) throw new Refused('TSE1_ERROR_CLIENT_NOT_REGISTERED')
    if (this.unit.size > this.capacity * 512) throw new Refused('TSE1_ERROR_STORE_FULL')
    if (this.exporting !== undefined) throw new Refused('TSE1_ERROR_CURRENTLY_EXPORTING')
  }

  register(client: string): void {
    const isFit = /^[A-Za-z0-9 '()+,\-./:=?]{1,30}$/.test(client)
    if (!isFit || client.includes('EPSON')) throw new Refused('OTHER_ERROR_INVALID_PARAMETER')
    if (!this.unit.clients.has(client) && this.unit.clients.size >= MOST_CLIENTS) {
      throw new Refused('TSE1_ERROR_MAX_REGISTERED_CLIENTS_REACHED')
    }
    this.unit.register(client)
  }

  deregister(client: string): void {
    const { transactions, clients } = this.unit
    if (!clients.has(client)) throw new Refused('TSE1_ERROR_CLIENT_NOT_REGISTERED')
    if ([...transactions.values()].some((one) => one.isOpen && one.client === client)) {
      throw new Refused('TSE1_ERROR_CLIENT_HAS_UNFINISHED_TRANSACTIONS')
    }
    this.unit.deregister(client)
  }
}
