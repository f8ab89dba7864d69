// The signing heart of a simulated German security device (TSE): key, counters, clock, log, and the
// transactions that are open. What may be asked when is the matter of the door in front of it.
import { createHash, sign, X509Certificate } from 'node:crypto'
import { inPieces, objectId, printable, tlv, whole } from './asn1.js'
import { type Found, type KeptRecord, wholeRecord } from './state-file.js'
import { infoMember, type Member, tarOf } from './tar-writer.js'
import {
  CURVES,
  type Curve,
  keyText,
  makeUnitKey,
  pointOf,
  readKey,
  type UnitKey,
} from './unit-key.js'

export interface UnitOptions {
  curve: Curve
  /** Name of the maker, in certificates and info.csv. */
  maker: string
  now(): Date
  /** End of the certificate; left out: in eight years. */
  until?: Date | undefined
  /** How a start is logged: as it was given, or with these. */
  startAs?: { processType: string }
  /** Updates and finishes write processData in pieces of a length that is not told. */
  inPieces?: boolean
}

export interface Entry {
  counter: number
  /** Unix seconds. */
  time: number
  der: Buffer
  signature: Buffer
  /** Name of the member in an export. */
  name: string
  transaction?: number
  client?: string
}

export type Operation = 'Start' | 'Update' | 'Finish'

export interface Transaction {
  number: number
  client: string
  /** Unix seconds. */
  start: number
  isOpen: boolean
}

export interface Step {
  client: string
  processType: string
  processData: Buffer
}

const TRANSACTION_LOG = '0.4.0.127.0.7.3.7.1.1'
const SYSTEM_LOG = '0.4.0.127.0.7.3.7.1.2'
const PLAIN: Readonly<Record<Curve, string>> = {
  prime256v1: '0.4.0.127.0.7.1.1.4.1.3',
  brainpoolP384r1: '0.4.0.127.0.7.1.1.4.1.4',
  secp384r1: '0.4.0.127.0.7.1.1.4.1.4',
}

const FORMER_BYTES = 400

export class SecurityUnit {
  key: UnitKey
  readonly transactions = new Map<number, Transaction>()
  readonly clients = new Set<string>()
  entries: Entry[] = []
  counter = 0
  lastNumber = 0
  /** Messages that each export has as well, made while it is written: their first counter. */
  private bulk = { from: 0, count: 0 }
  private lastTime = 0
  private readonly options: UnitOptions

  constructor(options: UnitOptions) {
    this.options = options
    const { curve, maker, until } = options
    this.key = makeUnitKey({ curve, organisation: maker, now: options.now(), until })
  }

  get serialHex(): string {
    return this.key.serial.toString('hex')
  }

  get algorithm(): string {
    return `ecdsa-plain-${CURVES[this.key.curve].hash.toUpperCase()}`
  }

  get isExpired(): boolean {
    return this.options.now() > this.key.until
  }

  get open(): number[] {
    return [...this.transactions.values()].filter((one) => one.isOpen).map((one) => one.number)
  }

  /** Bytes of the log. */
  get size(): number {
    return this.entries.reduce((sum, { der }) => sum + der.length, 0)
  }

  // ------------------------------------------------------------------------- state

  *records(at: string): Generator<KeptRecord> {
    const { key, counter, lastNumber, lastTime, bulk, clients } = this
    yield { key: `${at}key`, mark: this.serialHex, value: () => keyText(key) }
    const open = [...this.transactions.values()].filter(({ isOpen }) => isOpen)
    const numbers = { counter, lastNumber, lastTime, bulk }
    yield wholeRecord(`${at}head`, { ...numbers, clients: [...clients], open })
    for (const entry of this.entries) {
      yield { key: `${at}entry/${entry.counter}`, mark: entry.counter, value: () => text(entry) }
    }
  }

  /** What `records` gave; nothing where there is nothing of it. */
  restore(at: string, found: Found): void {
    const key = found.get(`${at}key`)
    if (key === undefined) return
    this.key = readKey(key as ReturnType<typeof keyText>)
    const head = found.get(`${at}head`) as Head
    const { counter, lastNumber, lastTime, bulk, clients, open } = head
    Object.assign(this, { counter, lastNumber, lastTime, bulk })
    this.clients.clear()
    for (const one of clients) this.clients.add(one)
    this.transactions.clear()
    for (const one of open) this.transactions.set(one.number, one)
    this.entries = [...found]
      .filter(([name]) => name.startsWith(`${at}entry/`))
      .map(([, value]) => readEntry(value as ReturnType<typeof text>))
      .sort((a, b) => a.counter - b.counter)
  }

  // ------------------------------------------------------------------- system logs

  initialize(): void {
    this.system('initialize', printable(this.options.maker, 0x81))
    const now = this.seconds()
    this.system('updateTime', whole(now, 0x81), whole(now, 0x82))
  }

  updateTime(to: number): void {
    this.system('updateTime', whole(this.seconds(), 0x81), whole(to, 0x82))
  }

  register(client: string): void {
    if (this.clients.has(client)) return
    this.clients.add(client)
    this.system('registerClient', printable(client, 0x81))
  }

  deregister(client: string): void {
    if (this.clients.delete(client)) this.system('deregisterClient', printable(client, 0x81))
  }

  disable(): void {
    this.system('disableSecureElement', whole(this.seconds(), 0x81))
  }

  private system(operation: string, ...data: Buffer[]): Entry {
    const part = [
      ...[whole(2), objectId(SYSTEM_LOG), printable(operation, 0x80)],
      tlv(0x81, ...data),
    ]
    return this.log(Buffer.concat(part), `Log-Sys_${operation}`)
  }

  // ------------------------------------------------------------------ transactions

  start(step: Step): Entry {
    this.lastNumber += 1
    const number = this.lastNumber
    const { startAs } = this.options
    const logged = startAs === undefined ? step : { ...step, ...startAs }
    const entry = this.transaction('Start', number, logged)
    this.transactions.set(number, { number, client: step.client, start: entry.time, isOpen: true })
    return entry
  }

  /** The caller has made sure that it is open. */
  go(operation: 'Update' | 'Finish', number: number, step: Step): Entry {
    const entry = this.transaction(operation, number, step)
    const found = this.transactions.get(number)
    if (operation === 'Finish' && found !== undefined) found.isOpen = false
    return entry
  }

  private transaction(operation: Operation, number: number, step: Step): Entry {
    const part = [
      ...[whole(2), objectId(TRANSACTION_LOG), printable(`${operation}Transaction`, 0x80)],
      printable(step.client, 0x81),
      this.options.inPieces === true && operation !== 'Start'
        ? inPieces(0xa2, step.processData)
        : tlv(0x82, step.processData),
      tlv(0x83, Buffer.from(step.processType, 'utf8')),
      whole(number, 0x85),
    ]
    const name = `Log-Tra_No-${number}_${operation}_Client-${step.client}`
    const entry = this.log(Buffer.concat(part), name)
    Object.assign(entry, { transaction: number, client: step.client })
    return entry
  }

  private log(certified: Buffer, name: string): Entry {
    this.counter += 1
    const { counter } = this
    const time = this.seconds()
    const { curve, serial, privateKey } = this.key
    const input = Buffer.concat([
      certified,
      tlv(0x04, serial),
      tlv(0x30, objectId(PLAIN[curve])),
      whole(counter),
      whole(time),
    ])
    const key = { key: privateKey, dsaEncoding: 'ieee-p1363' } as const
    const signature = sign(CURVES[curve].hash, input, key)
    const der = tlv(0x30, input, tlv(0x04, signature))
    const entry = {
      counter,
      time,
      der,
      signature,
      name: `Unixt_${time}_Sig-${counter}_${name}.log`,
    }
    this.entries.push(entry)
    return entry
  }

  /** Never runs back. */
  private seconds(): number {
    this.lastTime = Math.max(this.lastTime, Math.floor(this.options.now().getTime() / 1000))
    return this.lastTime
  }

  // ----------------------------------------------------------------------- exports

  /** A TAR of these messages, piece by piece. */
  tar(entries: readonly Entry[] = this.entries): Generator<Buffer> {
    return tarOf(this.members(entries), this.options.now())
  }

  /** Of an export of everything. */
  get tarBytes(): number {
    const blocks = (bytes: number) => 512 + Math.ceil(bytes / 512) * 512
    const own = this.entries.reduce((sum, { der }) => sum + blocks(der.length), 0)
    const rest = [infoMember(this.options.maker), ...this.certificates()]
    const others = rest.reduce((sum, { bytes }) => sum + blocks(bytes.length), 0)
    return own + others + this.bulk.count * blocks(FORMER_BYTES) + 1024
  }

  /** What an erase leaves: messages of open transactions. */
  erase(): void {
    const open = new Set(this.open)
    this.bulk = { from: 0, count: 0 }
    this.entries = this.entries.filter((one) => open.has(one.transaction ?? 0))
  }

  /** A long life: so many messages, which nobody can verify. */
  age(messages: number): void {
    this.bulk = { from: this.counter + 1, count: messages }
    this.counter += messages
  }

  private *former(): Generator<Member> {
    const { from, count } = this.bulk
    const bytes = Buffer.alloc(FORMER_BYTES)
    for (let counter = from; counter < from + count; counter += 1) {
      bytes.writeUInt32BE(counter)
      yield { name: `Unixt_1_Sig-${counter}_Log-Sys_updateTime.log`, bytes: Buffer.from(bytes) }
    }
  }

  private *members(entries: readonly Entry[]): Generator<Member> {
    yield infoMember(this.options.maker)
    const before = entries.filter(({ counter }) => counter < this.bulk.from)
    for (const { name, der } of before) yield { name, bytes: der }
    yield* this.former()
    for (const { name, der } of entries.slice(before.length)) yield { name, bytes: der }
    yield* this.certificates()
  }

  private *certificates(): Generator<Member> {
    for (const bytes of this.key.certificates) {
      const point = pointOf(new X509Certificate(bytes).publicKey, this.key.curve)
      const name = createHash('sha256').update(point).digest('hex').toUpperCase()
      yield { name: `${name}_X509.cer`, bytes }
    }
  }
}

interface Head {
  counter: number
  lastNumber: number
  lastTime: number
  bulk: { from: number; count: number }
  clients: string[]
  open: Transaction[]
}

const text = ({ der, signature, ...rest }: Entry) => ({
  ...rest,
  der: der.toString('base64'),
  signature: signature.toString('base64'),
})

function readEntry({ der, signature, ...rest }: ReturnType<typeof text>): Entry {
  const bytes = (base64: string) => Buffer.from(base64, 'base64')
  return { ...rest, der: bytes(der), signature: bytes(signature) }
}
