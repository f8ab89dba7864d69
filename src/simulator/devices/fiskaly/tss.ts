// One technical security system (TSS) of the simulated cloud service: its states, its administrator
// and its clients.
import { randomBytes } from 'node:crypto'
import { Refused } from '../script.js'
import { type Entry, SecurityUnit } from '../security-unit.js'
import { type Found, type KeptRecord, wholeRecord } from '../state-file.js'

export type TssState =
  | 'CREATED'
  | 'UNINITIALIZED'
  | 'INITIALIZED'
  | 'DISABLED'
  | 'DEFECTIVE'
  | 'DELETED'

interface Client {
  id: string
  serial: string
  isRegistered: boolean
}

export interface Transacted {
  uuid: string
  number: number
  client: Client
  state: 'ACTIVE' | 'FINISHED' | 'CANCELLED'
  start: number
  /** By revision: the body that asked for it, and what was signed. */
  steps: { body: string; state: string; entry: Entry; type: string; data: string }[]
}

type KeptTransaction = Omit<Transacted, 'client' | 'steps'> & {
  client: string
  steps: (Omit<Transacted['steps'][number], 'entry'> & { counter: number })[]
}

export interface Exported {
  id: string
  /** The query that asked for it. */
  range: string
  entries: readonly Entry[]
  /** Polls until it is done. */
  left: number
  isCancelled: boolean
  /** Unix milliseconds of its polls in the last minute. */
  polls: number[]
}

export const MOST_OPEN = 2_000
export const MOST_WRONG_PINS = 5

export class Tss {
  readonly id: string
  readonly unit: SecurityUnit
  state: TssState = 'CREATED'
  puk = randomBytes(6).toString('hex')
  isPukShown = false
  description = ''
  readonly clients = new Map<string, Client>()
  readonly transactions = new Map<string, Transacted>()
  readonly exports = new Map<string, Exported>()
  wrongPins = MOST_WRONG_PINS
  private pin: string | undefined

  constructor(id: string, { env, now, until }: TssOptions) {
    this.id = id
    const maker = env === 'TEST' ? 'fiskaly GmbH' : 'simulated cloud unit'
    this.unit = new SecurityUnit({
      ...{ curve: 'prime256v1', maker, now, until, startAs: { processType: ' ' } },
    })
  }

  /** Throws Refused for a way that there is none. */
  change(to: 'UNINITIALIZED' | 'INITIALIZED' | 'DISABLED', isAdmin: boolean): void {
    if (to === this.state) return
    const way = `${this.state} ${to}`
    const isFirst = way === 'CREATED UNINITIALIZED'
    const ways = ['UNINITIALIZED INITIALIZED', 'UNINITIALIZED DISABLED', 'INITIALIZED DISABLED']
    if (!isFirst && !ways.includes(way)) throw new Refused('E_ILLEGAL_TSS_STATE_CHANGE')
    if (!isFirst && !isAdmin) throw new Refused('E_UNAUTHORIZED', 401)
    if (to === 'INITIALIZED') this.unit.initialize()
    if (to === 'DISABLED' && this.state === 'INITIALIZED') this.unit.disable()
    this.state = to
  }

  setPin(puk: string, pin: string): void {
    if (this.state === 'CREATED') throw new Refused('E_TSS_NOT_INITIALIZED')
    if (puk !== this.puk) throw new Refused('E_CHANGE_ADMIN_PIN_FAILED')
    this.pin = pin
    this.wrongPins = 0
  }

  /** Five wrong ones block it; it begins blocked. */
  checkPin(pin: string): void {
    if (this.wrongPins >= MOST_WRONG_PINS) throw new Refused('E_ADMIN_PIN_BLOCKED', 423)
    if (pin === this.pin) {
      this.wrongPins = 0
      return
    }
    this.wrongPins += 1
    throw new Refused('E_ADMIN_LOGIN_FAILED', 401)
  }

  /** What signing needs. */
  demandUsable(): void {
    if (this.state === 'DISABLED') throw new Refused('E_TSS_DISABLED')
    if (this.state === 'DEFECTIVE') throw new Refused('E_TSS_DEFECTIVE', 423)
    if (this.state === 'DELETED') throw new Refused('E_TSS_DELETED', 423)
    if (this.state !== 'INITIALIZED') throw new Refused('E_TSS_NOT_INITIALIZED')
    if (this.unit.isExpired) throw new Refused('E_TSS_DEFECTIVE', 423)
  }

  register(id: string, serial: string): Client {
    const known = this.clients.get(id)
    if (known !== undefined) {
      if (known.serial !== serial) throw new Refused('E_CLIENT_CONFLICT', 409)
      return known
    }
    const isTaken = [...this.clients.values()].some((one) => one.serial === serial)
    if (isTaken) throw new Refused('E_CLIENT_CONFLICT', 409)
    const client = { id, serial, isRegistered: true }
    this.clients.set(id, client)
    this.unit.register(serial)
    return client
  }

  setRegistered(client: Client, isRegistered: boolean): void {
    if (client.isRegistered === isRegistered) return
    client.isRegistered = isRegistered
    if (isRegistered) this.unit.register(client.serial)
    else this.unit.deregister(client.serial)
  }

  clientOf(id: string): Client {
    const client = this.clients.get(id)
    if (client === undefined) throw new Refused('E_CLIENT_NOT_FOUND')
    if (!client.isRegistered) throw new Refused('E_CLIENT_DEREGISTERED')
    return client
  }

  *records(): Generator<KeptRecord> {
    const { state, puk, isPukShown, description, wrongPins, pin, clients } = this
    const at = `tss/${this.id}/`
    const head = { state, puk, isPukShown, description, wrongPins, pin }
    yield wholeRecord(`${at}head`, { ...head, clients: [...clients.values()] })
    yield* this.unit.records(`${at}unit/`)
    for (const one of this.transactions.values()) {
      const steps = one.steps.map(({ entry, ...rest }) => ({ ...rest, counter: entry.counter }))
      const value = () => ({ ...one, client: one.client.id, steps })
      yield { key: `${at}tx/${one.uuid}`, mark: `${one.state} ${steps.length}`, value }
    }
  }

  restore(found: Found): void {
    const at = `tss/${this.id}/`
    const { clients, ...head } = found.get(`${at}head`) as { clients: Client[] }
    Object.assign(this, head)
    for (const one of clients) this.clients.set(one.id, one)
    this.unit.restore(`${at}unit/`, found)
    const entries = new Map(this.unit.entries.map((one) => [one.counter, one]))
    for (const [key, value] of found) {
      if (!key.startsWith(`${at}tx/`)) continue
      const { client, steps, ...rest } = value as KeptTransaction
      const owner = this.clients.get(client)
      if (owner === undefined) continue
      const whole = steps.flatMap(({ counter, ...step }) => {
        const entry = entries.get(counter)
        return entry === undefined ? [] : [{ ...step, entry }]
      })
      this.transactions.set(rest.uuid, { ...rest, client: owner, steps: whole })
    }
  }

  /** By its uuid, or by the number that the unit gave it. */
  found(name: string): Transacted | undefined {
    const number = /^\d+$/.test(name) ? Number(name) : undefined
    if (number === undefined) return this.transactions.get(name)
    return [...this.transactions.values()].find((one) => one.number === number)
  }
}

export interface TssOptions {
  env: 'TEST' | 'LIVE'
  now(): Date
  until?: Date | undefined
}
