// A strict simulator of the connector of the Deutsche Fiskal (FCC, a D-Trust unit): what is known
// of it, and nothing more. Of its errors one member is known.
import { z } from 'zod'
import type { Door, DoorAnswer, DoorCall } from '../http-door.js'
import { type Fault, Refused, Watched } from '../script.js'
import { type Entry, SecurityUnit, type Step } from '../security-unit.js'
import { type Found, type KeptRecord, wholeRecord } from '../state-file.js'
import { base64Of, entriesOf, rangeOf } from './exports.js'
import { ADMIN, FccTokens } from './tokens.js'

export interface FccOptions {
  ersCode: string
  registrationToken: string
  now?: () => Date
  /** End of its certificate. */
  until?: Date | undefined
  /** As the contract says; one unless told otherwise. */
  maxClients?: number
  /** A longer export is refused: its time has to be halved. */
  mostExportBytes?: number
  /** Open transactions are listed with the ids that the starts gave; older versions do not. */
  listsIds?: boolean
}

const MOST_BODY_BYTES = 1024 * 1024
const MOST_OPEN = 512
const MINUTE_MS = 60_000

const name = z.string().regex(/^[\x20-\x7e]{1,30}$/)
/** Never empty. */
const processData = z.base64().min(1)
const step = z.strictObject({ clientId: name, processType: z.string().max(100), processData })
const start = step.extend({ externalTransactionId: z.uuid() })
const registration = z.strictObject({
  registrationToken: z.string(),
  uniqueClientId: name,
  briefDescription: z.string(),
  typeOfSystem: z.string(),
  ersIdentifier: z.string(),
})
const deregistration = z.strictObject({ uniqueClientId: name })

interface Ask {
  call: DoorCall
  fault: Fault | undefined
  /** Last part of the address. */
  id: string
}

export class FccSimulator implements Door {
  readonly watched = new Watched()
  readonly mostBytes = MOST_BODY_BYTES
  readonly unit: SecurityUnit
  keep: (() => void) | undefined
  /** What an acknowledged export does to the memory. */
  erases = true
  private readonly options: FccOptions
  private readonly now: () => Date
  private readonly tokens: FccTokens
  /** By number: what the starts called them. */
  private readonly ids = new Map<number, string>()

  constructor(options: FccOptions) {
    this.options = options
    const { ersCode, until, now = () => new Date() } = options
    this.now = now
    const maker = 'Simulated D-Trust unit (not certified)'
    const facts = { curve: 'secp384r1', maker, inPieces: true } as const
    this.unit = new SecurityUnit({ ...facts, now, until })
    this.unit.initialize()
    this.tokens = new FccTokens({ ersCode, now, watched: this.watched })
  }

  *records(): Generator<KeptRecord> {
    yield wholeRecord('ids', [...this.ids])
    yield* this.unit.records('unit/')
  }

  restore(found: Found): void {
    for (const [number, id] of (found.get('ids') ?? []) as [number, string][]) {
      this.ids.set(number, id)
    }
    this.unit.restore('unit/', found)
  }

  restart(): void {
    this.tokens.forget()
  }

  nameOf({ method, path }: DoorCall): string {
    const [, first = '', second, third] = path.split('/')
    if (first === 'oauth') return 'token'
    if (first === 'transaction') {
      return second === undefined ? 'start' : method === 'PUT' ? 'finish' : 'update'
    }
    if (first !== 'export') return first
    return third === 'time' ? (method === 'POST' ? 'acknowledge' : 'export') : 'exportOne'
  }

  refusal({ code }: Refused): unknown {
    return { ErrorType: code }
  }

  answer(call: DoorCall, fault: Fault | undefined): DoorAnswer {
    const parts = call.path.split('/').slice(1)
    const id = /^\d+$/.test(parts.at(-1) ?? '') ? (parts.at(-1) ?? '') : ''
    const key = `${call.method} ${(id === '' ? parts : parts.slice(0, -1)).join('/')}`
    const run = this.routes[id === '' ? key : `${key}/:`]
    if (run === undefined) {
      this.watched.offences.push(`${call.method} ${call.path}`)
      throw new Refused('unknown', 404)
    }
    return run({ call, fault, id })
  }

  private read<T>({ body, headers }: DoorCall, shape: z.ZodType<T>): T {
    const isJson = /^application\/json/.test(headers['content-type'] ?? '')
    const parsed = shape.safeParse(isJson ? JSON.parse(body.toString('utf8')) : undefined)
    if (parsed.success) return parsed.data
    this.watched.offences.push(parsed.error.message)
    throw new Refused('body', 400)
  }

  private readonly routes: Readonly<Record<string, (ask: Ask) => DoorAnswer>> = {
    'POST oauth/token': ({ call }) =>
      this.tokens.give(call, (client) => this.unit.clients.has(client)),
    'GET clients': ({ call }) => {
      this.tokens.demandBasic(call)
      return json([...this.unit.clients].map((clientId) => ({ clientId })))
    },
    'GET info': ({ call }) => {
      this.tokens.demandBasic(call)
      return json({
        maxNumberClients: this.options.maxClients ?? 1,
        maxNumberTransactions: MOST_OPEN,
        currentNumberOfTransactions: this.unit.open.length,
      })
    },
    'POST registration': ({ call }) => this.register(call),
    'POST deregistration': ({ call }) => {
      this.tokens.demandBasic(call)
      this.unit.deregister(this.read(call, deregistration).uniqueClientId)
      return { status: 200 }
    },
    'GET selfcheck': ({ call }) => {
      this.tokens.demand(call, ADMIN)
      const key = { state: 'ACTIVE', lastSignatureCounter: this.unit.counter }
      return json({ remoteCspVersion: '4.4.0-simulated', keyInfos: [key] })
    },
    'GET tssdetails': ({ call }) => {
      this.tokens.demand(call, ADMIN)
      const { unit } = this
      const leafCertificate = unit.key.certificates[0]?.toString('base64')
      const publicKey = unit.key.point.toString('base64')
      const facts = { algorithm: unit.algorithm, timeFormat: 'unixTime' }
      return json({ serialNumberHex: unit.serialHex, ...facts, publicKey, leafCertificate })
    },
    'POST transaction': ({ call, fault }) => this.begin(call, fault),
    'POST transaction/:': (ask) => this.go('Update', ask),
    'PUT transaction/:': (ask) => this.go('Finish', ask),
    'GET transactions': ({ call }) => {
      const client = call.query.get('clientId') ?? ''
      this.tokens.demand(call, client)
      const open = [...this.unit.transactions.values()].filter(
        (one) => one.isOpen && one.client === client,
      )
      if (open.length === 0) throw new Refused('none', 404)
      return json(open.map(({ number }) => this.listed(number)))
    },
    'GET export/transactions/:': ({ call, id }) => {
      this.tokens.demand(call, ADMIN)
      return this.exported(
        this.unit.entries.filter(({ transaction }) => transaction === Number(id)),
      )
    },
    'GET export/transactions/time': ({ call }) => {
      this.tokens.demand(call, ADMIN)
      return this.exported(entriesOf(this.unit.entries, this.range(call)))
    },
    'POST export/transactions/time': ({ call }) => this.acknowledge(call),
  }

  // ------------------------------------------------------------------------ clients

  private register(call: DoorCall): DoorAnswer {
    this.tokens.demandBasic(call)
    const { registrationToken, uniqueClientId } = this.read(call, registration)
    const isFull = this.unit.clients.size >= (this.options.maxClients ?? 1)
    if (registrationToken !== this.options.registrationToken || isFull) {
      throw new Refused('ERS_INVALID_REGISTRATION_KEY', 400)
    }
    this.unit.register(uniqueClientId)
    return { status: 200 }
  }

  // ------------------------------------------------------------------ transactions

  private begin(call: DoorCall, fault: Fault | undefined): DoorAnswer {
    const { externalTransactionId, ...given } = this.read(call, start)
    const found = this.stepOf(call, given)
    if (this.unit.open.length >= MOST_OPEN) throw new Refused('open', 400)
    const entry = this.unit.start(found)
    this.ids.set(entry.transaction ?? 0, externalTransactionId)
    const more = { transactionNumber: entry.transaction, serialNumber: this.unit.serialHex }
    return json({ ...more, ...told(entry, fault) })
  }

  private go(kind: 'Update' | 'Finish', { call, fault, id }: Ask): DoorAnswer {
    const number = Number(id)
    const given = this.stepOf(call, this.read(call, step))
    const found = this.unit.transactions.get(number)
    if (found?.isOpen !== true || found.client !== given.client) throw new Refused('number', 400)
    const entry = this.unit.go(kind, number, given)
    if (kind === 'Finish') this.ids.delete(number)
    return json(told(entry, fault))
  }

  private stepOf(call: DoorCall, given: z.infer<typeof step>): Step {
    const { clientId: client, processType } = given
    this.tokens.demand(call, client)
    if (!this.unit.clients.has(client)) throw new Refused('client', 400)
    if (this.unit.isExpired) throw new Refused('end', 400)
    return { client, processType, processData: Buffer.from(given.processData, 'base64') }
  }

  private listed(transactionNumber: number): object {
    const externalTransactionId = this.ids.get(transactionNumber)
    const isTold = this.options.listsIds ?? true
    return isTold ? { transactionNumber, externalTransactionId } : { transactionNumber }
  }

  // ----------------------------------------------------------------------- exports

  private range(call: DoorCall) {
    const range = rangeOf(call.query)
    if (range !== undefined) return range
    this.watched.offences.push(`range ${call.query.toString()}`)
    throw new Refused('range', 400)
  }

  private exported(entries: readonly Entry[]): DoorAnswer {
    if (entries.length === 0) throw new Refused('none', 404)
    const bytes = entries.reduce((sum, { der }) => sum + der.length + 1024, 0)
    if (bytes > (this.options.mostExportBytes ?? Number.POSITIVE_INFINITY)) {
      throw new Refused('large', 413)
    }
    return { status: 200, bytes: base64Of(this.unit.tar(entries)) }
  }

  private acknowledge(call: DoorCall): DoorAnswer {
    this.tokens.demand(call, ADMIN)
    if (call.body.toString('utf8') !== 'ACK') this.watched.offences.push('no ACK')
    const range = this.range(call)
    // nobody says why
    if (this.now().getTime() - range.end.getTime() < MINUTE_MS) throw new Refused('late', 500)
    const gone = new Set(entriesOf(this.unit.entries, range))
    if (gone.size === 0) throw new Refused('none', 404)
    if (this.erases) this.unit.entries = this.unit.entries.filter((one) => !gone.has(one))
    return { status: 200 }
  }
}

const json = (value: unknown): DoorAnswer => ({ status: 200, json: value })

function told(entry: Entry, fault: Fault | undefined): object {
  const signature = Buffer.from(entry.signature)
  if (fault?.do === 'foreign-signature') signature.reverse()
  return {
    signatureCounter: entry.counter + (fault?.do === 'wrong-counter' ? 1 : 0),
    signatureValue: signature.toString('base64'),
    logTime: new Date(entry.time * 1000).toISOString().replace('.000', ''),
  }
}
