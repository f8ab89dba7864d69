// A strict simulator of Swissbit's cloud service (web-tse, version 2): what is known of it, and
// nothing more. Bodies of its errors are not known and stay empty.
import { z } from 'zod'
import type { Door, DoorAnswer, DoorCall } from '../http-door.js'
import { type Fault, Refused, Watched } from '../script.js'
import { type Entry, SecurityUnit } from '../security-unit.js'
import { type Found, type KeptRecord, wholeRecord } from '../state-file.js'

export interface SwissbitOptions {
  token: string
  now?: () => Date
  /** End of its certificate. */
  until?: Date | undefined
  /** Looks at an export until it is ready. */
  exportPolls?: number
}

const BASE = '/api/v1/tse'
const MOST_BODY_BYTES = 1024 * 1024
const MOST_OPEN = 512
const MOST_CLIENTS = 100

const base64 = z.base64()
const transaction = z.strictObject({
  clientId: z.string().regex(/^[\x20-\x7e]{1,30}$/),
  processType: z.string().max(100),
  processData: base64,
})
const numbered = transaction.extend({ transactionNumber: z.int().min(1) })
const client = z.strictObject({ clientId: z.string().regex(/^[\x20-\x7e]{1,30}$/) })

interface Exported {
  id: number
  polls: number
  entries: readonly Entry[]
}

interface Ask {
  call: DoorCall
  fault: Fault | undefined
  /** Last part of the address. */
  id: string
}

type Run = (ask: Ask) => DoorAnswer

export class SwissbitSimulator implements Door {
  readonly watched = new Watched()
  readonly mostBytes = MOST_BODY_BYTES
  readonly unit: SecurityUnit
  keep: (() => void) | undefined
  /** What removing an export does to the memory. */
  erases = true
  private readonly options: SwissbitOptions
  private exported: Exported | undefined
  private exports = 0
  private isDisabled = false

  constructor(options: SwissbitOptions) {
    this.options = options
    const now = options.now ?? (() => new Date())
    const maker = 'Simulated cloud (not certified)'
    this.unit = new SecurityUnit({ curve: 'brainpoolP384r1', maker, now, until: options.until })
    this.unit.initialize()
  }

  *records(): Generator<KeptRecord> {
    yield wholeRecord('service', { isDisabled: this.isDisabled })
    yield* this.unit.records('unit/')
  }

  restore(found: Found): void {
    const service = found.get('service') as { isDisabled: boolean } | undefined
    this.isDisabled = service?.isDisabled ?? false
    this.unit.restore('unit/', found)
  }

  restart(): void {
    // nothing of it lives in memory alone
  }

  nameOf({ method, path }: DoorCall): string {
    const [, name = 'info', id] = path.slice(BASE.length).split('/')
    if (path.startsWith('/files/')) return 'file'
    if (name === 'export') return `${method} export${id === undefined ? '' : '/id'}`
    return path === BASE ? 'info' : name
  }

  refusal(): unknown {
    return {}
  }

  answer(call: DoorCall, fault: Fault | undefined): DoorAnswer {
    if (call.path.startsWith('/files/')) return this.file(call)
    this.demandLogin(call)
    const rest = call.path === BASE ? '' : call.path.slice(BASE.length + 1)
    const [name = '', id = ''] = rest.split('/')
    const key = `${call.method} ${name}${id === '' ? '' : '/:'}`
    const run = call.path.startsWith(BASE) ? this.routes[key] : undefined
    if (run === undefined) {
      this.watched.offences.push(`${call.method} ${call.path}`)
      throw new Refused('unknown', 404)
    }
    return run({ call, fault, id })
  }

  private demandLogin({ headers }: DoorCall): void {
    const given = Buffer.from((headers.authorization ?? '').replace(/^Basic /, ''), 'base64')
    if (given.toString('utf8') === `${this.unit.serialHex}:${this.options.token}`) return
    this.watched.wrongLogins += 1
    throw new Refused('login', 401)
  }

  private read<T>({ body }: DoorCall, shape: z.ZodType<T>): T {
    const parsed = shape.safeParse(JSON.parse(body.toString('utf8')))
    if (parsed.success) return parsed.data
    this.watched.offences.push(parsed.error.message)
    throw new Refused('body', 400)
  }

  private readonly routes: Readonly<Record<string, Run>> = {
    'GET ': () => ({ status: 200, json: this.info() }),
    'GET clients': () => ({ status: 200, json: [...this.unit.clients] }),
    'GET transactions': () => ({ status: 200, json: this.unit.open }),
    'POST registerClient': ({ call }) => {
      const { clientId } = this.read(call, client)
      if (this.unit.clients.size >= MOST_CLIENTS) throw new Refused('clients', 400)
      this.unit.register(clientId)
      return { status: 200, json: {} }
    },
    'POST deregisterClient': ({ call }) => {
      this.unit.deregister(this.read(call, client).clientId)
      return { status: 200, json: {} }
    },
    'POST disableSecureElement': () => {
      this.unit.disable()
      this.isDisabled = true
      return { status: 200, json: {} }
    },
    'POST startTransaction': ({ call, fault }) => {
      const step = this.stepOf(this.read(call, transaction))
      if (this.unit.open.length >= MOST_OPEN) throw new Refused('open', 400)
      return told(this.unit.start(step), fault)
    },
    'POST updateTransaction': (ask) => this.go('Update', ask),
    'POST finishTransaction': (ask) => this.go('Finish', ask),
    'POST export': () => {
      if (this.exported !== undefined) throw new Refused('export', 409)
      this.exports += 1
      const polls = this.options.exportPolls ?? 0
      this.exported = { id: this.exports, polls, entries: [...this.unit.entries] }
      return { status: 200, json: { id: this.exports, status: 'processing' } }
    },
    'GET export': () => {
      const { exported } = this
      return { status: 200, json: exported ? [{ id: exported.id, status: 'processing' }] : [] }
    },
    'GET export/:': ({ call, id }) => {
      const found = this.exportOf(id)
      const status = found.polls > 0 ? 'processing' : 'success'
      found.polls -= 1
      const url = `http://${call.headers.host ?? ''}/files/${found.id}`
      const downloadUrl = status === 'success' ? url : null
      return { status: 200, json: { id: found.id, status, downloadUrl } }
    },
    'DELETE export/:': ({ id }) => {
      this.exportOf(id)
      this.exported = undefined
      if (this.erases) this.unit.erase()
      return { status: 200, json: {} }
    },
  }

  private exportOf(id: string): Exported {
    if (this.exported === undefined || String(this.exported.id) !== id) {
      throw new Refused('export', 404)
    }
    return this.exported
  }

  /** The address is the secret. */
  private file({ path, headers }: DoorCall): DoorAnswer {
    if (headers.authorization !== undefined) this.watched.offences.push('a login for a file')
    const { entries } = this.exportOf(path.slice('/files/'.length))
    return { status: 200, bytes: this.unit.tar(entries) }
  }

  private go(kind: 'Update' | 'Finish', { call, fault }: Ask): DoorAnswer {
    const { transactionNumber: number, ...rest } = this.read(call, numbered)
    const step = this.stepOf(rest)
    const found = this.unit.transactions.get(number)
    if (found?.isOpen !== true || found.client !== rest.clientId) throw new Refused('number', 400)
    return told(this.unit.go(kind, number, step), fault)
  }

  private stepOf({ clientId, processType, processData }: z.infer<typeof transaction>) {
    if (!this.unit.clients.has(clientId)) throw new Refused('client', 400)
    if (this.unit.isExpired || this.isDisabled) throw new Refused('end', 400)
    return { client: clientId, processType, processData: Buffer.from(processData, 'base64') }
  }

  private info(): object {
    const { unit } = this
    const pem = unit.key.certificates.map(pemOf).join('\n')
    return {
      publicKey: unit.key.point.toString('base64'),
      ...{
        healthState: 'healthy',
        initializationState: this.isDisabled ? 'disabled' : 'initialized',
      },
      ...{ storageCapacity: 1_000_000_000, storageUsed: unit.size },
      ...{ numStartedTransactions: unit.open.length, maxStartedTransactions: MOST_OPEN },
      ...{ numRegisteredClients: unit.clients.size, maxRegisteredClients: MOST_CLIENTS },
      createdSignatures: unit.counter,
      certificateExpirationDate: unit.key.until.toISOString(),
      ...{ softwareVersion: '2.0.0', certificateChain: pem, serialNumber: unit.serialHex },
      ...{ signatureAlgorithm: unit.algorithm, logTimeFormat: 'unixTime', productType: 'V2' },
    }
  }
}

function pemOf(der: Buffer): string {
  const lines = der.toString('base64').match(/.{1,64}/g) ?? []
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----'].join('\n')
}

function told(entry: Entry, fault: Fault | undefined): DoorAnswer {
  const signature = Buffer.from(entry.signature)
  if (fault?.do === 'foreign-signature') signature.reverse()
  const json = {
    transactionNumber: entry.transaction,
    signatureCounter: entry.counter + (fault?.do === 'wrong-counter' ? 1 : 0),
    signatureCreationTime: entry.time,
    signatureValue: signature.toString('base64'),
  }
  return { status: 200, json }
}
