// A strict simulator of the cloud service SIGN DE v2: refuses what the real one refuses. Its facts
// are those of the public description of the interface (OpenAPI 2.1.35).
import type { z } from 'zod'
import type { Door, DoorAnswer, DoorCall } from '../http-door.js'
import { type Fault, Refused, Watched } from '../script.js'
import type { Found, KeptRecord } from '../state-file.js'
import { beginExport, fileOf, look, shownExport } from './exports.js'
import { Organization } from './organization.js'
import { QUERIES, shapes, UUID4 } from './shapes.js'
import { shown, upsert } from './transactions.js'
import { Tss } from './tss.js'

export interface FiskalyOptions {
  apiKey: string
  apiSecret: string
  env: 'TEST' | 'LIVE'
  now?(): Date
  tokenSeconds?: number
  /** End of the certificates of new units. */
  until?: Date
  /** Looks at an export until it is done. */
  exportPolls?: number
  /** Of the federal office (BSI); left out: the one of the real service. */
  certificationId?: string
}

const BASE = '/api/v2'
const MOST_BODY_BYTES = 1024 * 1024
const MOST_TEST_TSS = 5

type Token = ReturnType<Organization['caller']>

interface Ask {
  call: DoorCall
  parts: string[]
  token: Token
  fault: Fault | undefined
}

/** Method and address: `:` any word. */
type Route = [pattern: string, name: string, run: (ask: Ask) => DoorAnswer]

export class FiskalySimulator implements Door {
  readonly watched = new Watched()
  readonly mostBytes = MOST_BODY_BYTES
  readonly units = new Map<string, Tss>()
  readonly organization: Organization
  keep: (() => void) | undefined
  private readonly options: FiskalyOptions
  private readonly now: () => Date
  private readonly routes: readonly Route[]

  constructor(options: FiskalyOptions) {
    this.options = options
    this.now = options.now ?? (() => new Date())
    this.organization = new Organization({ ...options, now: this.now })
    this.routes = this.table()
  }

  nameOf(call: DoorCall): string {
    if (call.path === `${BASE}/auth`) return 'login'
    const name = this.routeOf(call)?.[0][1] ?? 'unknown'
    if (name !== 'upsert') return name
    const body = call.body.toString('utf8')
    if (!/"state"\s*:\s*"ACTIVE"/.test(body)) return 'finish'
    return call.query.get('tx_revision') === '1' ? 'start' : 'update'
  }

  answer(call: DoorCall, fault: Fault | undefined): DoorAnswer {
    if (!call.path.startsWith(`${BASE}/`)) throw new Refused('E_USE_MIDDLEWARE', 432)
    if (call.path === `${BASE}/auth` && call.method === 'POST') {
      const answer = this.login(call)
      return { status: 200, json: answer }
    }
    const token = this.organization.caller(call.headers.authorization)
    const found = this.routeOf(call)
    if (found === undefined) {
      this.watched.offences.push(`${call.method} ${call.path}`)
      throw new Refused('E_NOT_FOUND', 404)
    }
    const [[, name, run], parts] = found
    this.demandQuery(name, call)
    return run({ call, parts, token, fault })
  }

  refusal({ code, status }: Refused): unknown {
    return { code, error: code, status_code: status, message: `the simulator refuses: ${code}` }
  }

  restart(): void {
    this.organization.forget()
  }

  *records(): Generator<KeptRecord> {
    for (const tss of this.units.values()) yield* tss.records()
  }

  /** Tokens are gone, units are there. */
  restore(found: Found): void {
    const { env, until } = this.options
    for (const key of found.keys()) {
      const [, id] = /^tss\/([^/]+)\/head$/.exec(key) ?? []
      if (id === undefined) continue
      const tss = new Tss(id, { env, now: this.now, until })
      tss.restore(found)
      this.units.set(id, tss)
    }
  }

  private login(call: DoorCall): object {
    const given = this.read(shapes.login, call)
    const before = this.organization.wrongSecrets
    try {
      return this.organization.login(given)
    } finally {
      this.watched.wrongLogins += this.organization.wrongSecrets - before
    }
  }

  // ------------------------------------------------------------------------ routes

  private table(): Route[] {
    return [
      ['PUT /tss/:', 'createTss', (ask) => this.createTss(ask)],
      ['PATCH /tss/:', 'changeTss', (ask) => this.changeTss(ask)],
      ['GET /tss/:', 'info', ({ parts }) => this.ok(this.shownTss(this.tss(parts)))],
      ['PATCH /tss/:/admin', 'newPin', (ask) => this.newPin(ask)],
      ['POST /tss/:/admin/auth', 'adminLogin', (ask) => this.adminLogin(ask)],
      ['POST /tss/:/admin/logout', 'adminLogout', (ask) => this.adminLogout(ask)],
      ['PUT /tss/:/client/:', 'createClient', (ask) => this.createClient(ask)],
      ['PATCH /tss/:/client/:', 'changeClient', (ask) => this.changeClient(ask)],
      ['GET /tss/:/client', 'clients', (ask) => this.clients(ask)],
      ['PUT /tss/:/tx/:', 'upsert', (ask) => this.transact(ask)],
      ['GET /tss/:/tx/:', 'transaction', (ask) => this.transaction(ask)],
      ['GET /tss/:/tx', 'transactions', (ask) => this.transactions(ask)],
      ['PUT /tss/:/export/:', 'export', (ask) => this.export(ask)],
      ['GET /tss/:/export/:', 'exportState', (ask) => this.exportState(ask)],
      ['GET /tss/:/export/:/file', 'file', (ask) => this.file(ask)],
      ['DELETE /tss/:/export/:', 'cancelExport', (ask) => this.cancelExport(ask)],
    ]
  }

  private routeOf({ method, path }: DoorCall): [Route, string[]] | undefined {
    const words = `${method} ${path.slice(BASE.length)}`.split('/')
    for (const route of this.routes) {
      const pattern = route[0].split('/')
      const fits = pattern.every((word, at) => word === ':' || word === words[at])
      if (fits && pattern.length === words.length) {
        return [route, words.filter((_, at) => pattern[at] === ':')]
      }
    }
    return undefined
  }

  private demandQuery(name: string, { query }: DoorCall): void {
    for (const one of query.keys()) {
      if (QUERIES[name]?.includes(one) === true) continue
      this.watched.offences.push(`${name}?${one}`)
      throw new Refused('E_FAILED_SCHEMA_VALIDATION')
    }
  }

  private read<T>(shape: z.ZodType<T>, { body, headers, path }: DoorCall): T {
    const isJson = headers['content-type']?.startsWith('application/json') === true
    try {
      if (isJson) return shape.parse(JSON.parse(body.toString('utf8')))
    } catch (error) {
      this.watched.offences.push(`${path}: ${error instanceof Error ? error.message : 'no JSON'}`)
    }
    throw new Refused('E_FAILED_SCHEMA_VALIDATION')
  }

  private readonly ok = (json: unknown): DoorAnswer => ({ status: 200, json })

  private tss([id = '']: string[]): Tss {
    const tss = this.units.get(id)
    if (tss === undefined) throw new Refused('E_TSS_NOT_FOUND', 404)
    return tss
  }

  // --------------------------------------------------------------------- the units

  private createTss({ call, parts: [id = ''] }: Ask): DoorAnswer {
    this.read(shapes.createTss, call)
    if (!UUID4.test(id)) throw new Refused('E_FAILED_SCHEMA_VALIDATION')
    const { env } = this.options
    if (env === 'TEST' && !this.units.has(id) && this.units.size >= MOST_TEST_TSS) {
      throw new Refused('E_TSS_LIMIT_REACHED', 403)
    }
    const known = this.units.get(id)
    if (known !== undefined && known.state !== 'CREATED') throw new Refused('E_TSS_CONFLICT', 409)
    const tss = known ?? new Tss(id, { env, now: this.now, until: this.options.until })
    this.units.set(id, tss)
    const puk = tss.isPukShown ? {} : { admin_puk: tss.puk }
    tss.isPukShown = true
    return this.ok({ ...this.shownTss(tss), ...puk })
  }

  private changeTss({ call, parts, token }: Ask): DoorAnswer {
    const { state, description } = this.read(shapes.changeTss, call)
    const tss = this.tss(parts)
    tss.change(state, token.admin.has(tss.id))
    if (description !== undefined) tss.description = description
    return this.ok(this.shownTss(tss))
  }

  private newPin({ call, parts }: Ask): DoorAnswer {
    const { admin_puk: puk, new_admin_pin: pin } = this.read(shapes.newPin, call)
    this.tss(parts).setPin(puk, pin)
    return this.ok({})
  }

  private adminLogin({ call, parts, token }: Ask): DoorAnswer {
    const tss = this.tss(parts)
    const { admin_pin: pin } = this.read(shapes.adminLogin, call)
    try {
      tss.checkPin(pin)
    } catch (error) {
      this.watched.wrongLogins += 1
      throw error
    }
    token.admin.add(tss.id)
    return this.ok({})
  }

  private adminLogout({ call, parts, token }: Ask): DoorAnswer {
    this.read(shapes.nothing, call)
    token.admin.delete(this.tss(parts).id)
    return this.ok({})
  }

  private demandAdmin({ parts, token }: Ask): Tss {
    const tss = this.tss(parts)
    tss.demandUsable()
    if (!token.admin.has(tss.id)) throw new Refused('E_UNAUTHORIZED', 401)
    return tss
  }

  private createClient(ask: Ask): DoorAnswer {
    const tss = this.demandAdmin(ask)
    const id = ask.parts[1] ?? ''
    const { serial_number: serial } = this.read(shapes.client, ask.call)
    if (!UUID4.test(id)) throw new Refused('E_FAILED_SCHEMA_VALIDATION')
    const isElsewhere = [...this.units.values()].some((one) => one !== tss && one.clients.has(id))
    if (isElsewhere) throw new Refused('E_CLIENT_CONFLICT', 409)
    tss.register(id, serial)
    return this.ok(this.shownClient(tss, id))
  }

  private changeClient(ask: Ask): DoorAnswer {
    const tss = this.demandAdmin(ask)
    const id = ask.parts[1] ?? ''
    const { state } = this.read(shapes.changeClient, ask.call)
    const client = tss.clients.get(id)
    if (client === undefined) throw new Refused('E_CLIENT_NOT_FOUND', 404)
    tss.setRegistered(client, state === 'REGISTERED')
    return this.ok(this.shownClient(tss, id))
  }

  private clients({ call, parts }: Ask): DoorAnswer {
    const tss = this.tss(parts)
    const [serial, state] = [call.query.get('serial_number'), call.query.get('state')]
    const all = [...tss.clients.values()].filter(
      (one) =>
        (serial === null || one.serial === serial) &&
        (state === null || one.isRegistered === (state === 'REGISTERED')),
    )
    const data = this.page(call, all).map(({ id }) => this.shownClient(tss, id))
    return this.ok({ data, count: all.length, _type: 'CLIENT_LIST', _env: this.options.env })
  }

  private page<T>({ query }: DoorCall, all: readonly T[]): T[] {
    const [limit, offset] = [Number(query.get('limit') ?? 100), Number(query.get('offset') ?? 0)]
    const isRight = Number.isInteger(limit) && limit >= 1 && limit <= 100 && offset >= 0
    if (!isRight) throw new Refused('E_FAILED_SCHEMA_VALIDATION')
    return all.slice(offset, offset + limit)
  }

  private shownClient(tss: Tss, id: string): object {
    const client = tss.clients.get(id)
    return {
      ...{ _id: id, _type: 'CLIENT', _env: this.options.env, tss_id: tss.id },
      serial_number: client?.serial,
      state: client?.isRegistered === true ? 'REGISTERED' : 'DEREGISTERED',
    }
  }

  private shownTss(tss: Tss): object {
    const { unit } = tss
    return {
      ...{ _id: tss.id, _type: 'TSS', _env: this.options.env, state: tss.state },
      description: tss.description,
      certificate: unit.key.certificates[0]?.toString('base64'),
      serial_number: unit.serialHex,
      public_key: unit.key.point.toString('base64'),
      signature_algorithm: unit.algorithm,
      signature_timestamp_format: 'unixTime',
      transaction_data_encoding: 'UTF-8',
      bsi_certification_id: this.options.certificationId ?? 'BSI-K-TR-0490-2021',
      signature_counter: String(unit.counter),
      transaction_counter: String(unit.lastNumber),
      number_registered_clients: unit.clients.size,
      max_number_registered_clients: 199,
      number_active_transactions: unit.open.length,
      max_number_active_transactions: 2000,
    }
  }

  // ------------------------------------------------------------ transactions, exports

  private transact({ call, parts, fault }: Ask): DoorAnswer {
    const tss = this.tss(parts)
    const body = this.read(shapes.transaction, call)
    const order = { name: parts[1] ?? '', revision: call.query.get('tx_revision'), body }
    const [transacted, revision] = upsert(tss, order)
    return this.ok(shown(tss, transacted, { revision, env: this.options.env, fault }))
  }

  private transaction({ call, parts, fault }: Ask): DoorAnswer {
    const tss = this.tss(parts)
    const found = tss.found(parts[1] ?? '')
    if (found === undefined) throw new Refused('E_TX_NOT_FOUND', 404)
    const revision = Number(call.query.get('tx_revision') ?? found.steps.length)
    return this.ok(shown(tss, found, { revision, env: this.options.env, fault }))
  }

  private transactions({ call, parts }: Ask): DoorAnswer {
    const tss = this.tss(parts)
    const states = ['0', '1', '2'].flatMap((at) => call.query.getAll(`states[${at}]`))
    const all = [...tss.transactions.values()].filter(
      ({ state }) => states.length === 0 || states.includes(state),
    )
    const { env } = this.options
    const data = this.page(call, all).map((one) =>
      shown(tss, one, { revision: one.steps.length, env }),
    )
    return this.ok({ data, count: all.length, _type: 'TRANSACTION_LIST', _env: env })
  }

  private export({ call, parts }: Ask): DoorAnswer {
    const tss = this.tss(parts)
    this.read(shapes.nothing, call)
    const id = parts[1] ?? ''
    if (!UUID4.test(id)) throw new Refused('E_FAILED_SCHEMA_VALIDATION')
    const polls = this.options.exportPolls ?? 1
    const exported = beginExport(tss, { id, query: call.query, polls })
    return this.ok(shownExport(tss, exported, this.options.env))
  }

  private exportState({ parts }: Ask): DoorAnswer {
    const tss = this.tss(parts)
    const found = look(tss, parts[1] ?? '', this.now().getTime())
    return this.ok(shownExport(tss, found, this.options.env))
  }

  private file({ parts }: Ask): DoorAnswer {
    const tss = this.tss(parts)
    const entries = fileOf(look(tss, parts[1] ?? '', this.now().getTime()))
    return { status: 200, bytes: tss.unit.tar(entries) }
  }

  private cancelExport({ parts }: Ask): DoorAnswer {
    const tss = this.tss(parts)
    const found = look(tss, parts[1] ?? '', this.now().getTime())
    found.isCancelled = true
    return this.ok(shownExport(tss, found, this.options.env))
  }
}
