// A client of the PC/SC service of Linux (pcscd) over its socket: what libpcsclite says to it,
// protocol 4.4. One caller at a time; the service keeps other programs off a card in a transaction.
import { connect, type Socket } from 'node:net'

export const PCSCD_SOCKET = '/run/pcscd/pcscd.comm'

/** `code` of the service; 0: the line to it failed. Nothing more is known of what was sent. */
export class PcscError extends Error {
  override name = 'PcscError'
  readonly code: number

  constructor(message: string, code = 0) {
    super(message)
    this.code = code
  }
}

export interface Reader {
  name: string
  /** Hexadecimal letters; '': there is no card. */
  atr: string
}

const COMMANDS = {
  establish: 0x01,
  connect: 0x04,
  disconnect: 0x06,
  begin: 0x07,
  end: 0x08,
  transmit: 0x09,
  version: 0x11,
  readers: 0x12,
} as const

const NAME_BYTES = 128
const MOST_READERS = 16
/** Name, counters and states, an ATR of 33 bytes with its padding, its length, the protocol. */
const READER_BYTES = NAME_BYTES + 12 + 36 + 8
const CARD_PRESENT = 0x0004
const SYSTEM_SCOPE = 2
const EXCLUSIVE = 1
const SHARED = 2
const PROTOCOL_T1 = 2
const PCI_BYTES = 16
const MOST_ANSWER_BYTES = 264
/** Cards stay as they are; one that was with us alone is reset. */
const LEAVE = 0
const RESET = 1

/** Members of 32 bits, in the order of the machine. */
function words(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(4 * values.length)
  for (const [at, value] of values.entries()) bytes.writeUInt32LE(value >>> 0, 4 * at)
  return bytes
}

export class Pcsc {
  private readonly socket: Socket
  private rest = Buffer.alloc(0)
  private end: string | undefined
  private wake: (() => void) | undefined
  private context = 0

  private constructor(socket: Socket) {
    this.socket = socket
    socket.on('data', (bytes: Buffer) => {
      this.rest = Buffer.concat([this.rest, bytes])
      this.wake?.()
    })
    const stop = (reason: string) => {
      this.end ??= reason
      this.wake?.()
    }
    socket.on('error', (error) => stop(error.message))
    socket.on('close', () => stop('pcscd has closed the connection'))
  }

  /** Rejects with PcscError. */
  static async open(path = PCSCD_SOCKET): Promise<Pcsc> {
    const socket = connect(path)
    await new Promise<void>((resolve, reject) => {
      socket.once('connect', resolve)
      socket.once('error', (error) => reject(new PcscError(`pcscd: ${error.message}`)))
    })
    const service = new Pcsc(socket)
    const version = await service.call(COMMANDS.version, words(4, 4, 0))
    service.demand('version', version.readUInt32LE(8))
    const made = await service.call(COMMANDS.establish, words(SYSTEM_SCOPE, 0, 0))
    service.demand('context', made.readUInt32LE(8))
    service.context = made.readUInt32LE(4)
    return service
  }

  async readers(): Promise<Reader[]> {
    this.send(COMMANDS.readers, Buffer.alloc(0))
    const all = await this.take(MOST_READERS * READER_BYTES)
    const found: Reader[] = []
    for (let at = 0; at < MOST_READERS; at += 1) {
      const one = all.subarray(at * READER_BYTES, (at + 1) * READER_BYTES)
      const name = one.toString('latin1', 0, NAME_BYTES).split('\0')[0] ?? ''
      if (name === '') continue
      const isThere = (one.readUInt32LE(NAME_BYTES + 4) & CARD_PRESENT) !== 0
      const length = one.readUInt32LE(NAME_BYTES + 12 + 36)
      const atr = one.subarray(NAME_BYTES + 12, NAME_BYTES + 12 + Math.min(length, 33))
      found.push({ name, atr: isThere ? atr.toString('hex').toUpperCase() : '' })
    }
    return found
  }

  /** T=1 alone: the cards speak nothing else. */
  async connect(reader: string, isExclusive: boolean): Promise<Card> {
    const name = Buffer.alloc(NAME_BYTES)
    name.write(reader, 'latin1')
    const share = isExclusive ? EXCLUSIVE : SHARED
    const body = Buffer.concat([words(this.context), name, words(share, PROTOCOL_T1, 0, 0, 0)])
    const answer = await this.call(COMMANDS.connect, body)
    const tail = 4 + NAME_BYTES
    this.demand('connect', answer.readUInt32LE(tail + 16))
    const handle = answer.readUInt32LE(tail + 8)
    return new Card(this, handle, isExclusive)
  }

  close(): void {
    this.socket.destroy()
  }

  // ------------------------------------------------------------------------ of a card

  async disconnect(handle: number, isExclusive: boolean): Promise<void> {
    await this.call(COMMANDS.disconnect, words(handle, isExclusive ? RESET : LEAVE, 0))
  }

  async begin(handle: number): Promise<void> {
    const answer = await this.call(COMMANDS.begin, words(handle, 0))
    this.demand('transaction', answer.readUInt32LE(4))
  }

  async finish(handle: number): Promise<void> {
    await this.call(COMMANDS.end, words(handle, LEAVE, 0))
  }

  async transmit(handle: number, apdu: Buffer): Promise<Buffer> {
    const pci = [PROTOCOL_T1, PCI_BYTES] as const
    const head = words(handle, ...pci, apdu.length, ...pci, MOST_ANSWER_BYTES, 0)
    this.send(COMMANDS.transmit, head)
    this.socket.write(apdu)
    const answer = await this.take(head.length)
    this.demand('transmit', answer.readUInt32LE(28))
    return this.take(answer.readUInt32LE(24))
  }

  // -------------------------------------------------------------------------- the line

  private async call(command: number, body: Buffer): Promise<Buffer> {
    this.send(command, body)
    return this.take(body.length)
  }

  private send(command: number, body: Buffer): void {
    if (this.end !== undefined) throw new PcscError(this.end)
    this.socket.write(Buffer.concat([words(body.length, command), body]))
  }

  private async take(length: number): Promise<Buffer> {
    while (this.rest.length < length) {
      if (this.end !== undefined) throw new PcscError(this.end)
      await new Promise<void>((resolve) => {
        this.wake = resolve
      })
    }
    const found = Buffer.from(this.rest.subarray(0, length))
    this.rest = this.rest.subarray(length)
    return found
  }

  private demand(what: string, code: number): void {
    if (code !== 0) throw new PcscError(`${what}: 0x${code.toString(16)}`, code)
  }
}

export interface CardLine {
  /** Data and status word. */
  transmit(apdu: Buffer): Promise<Buffer>
}

export class Card implements CardLine {
  private readonly service: Pcsc
  private readonly handle: number
  private readonly isExclusive: boolean

  constructor(service: Pcsc, handle: number, isExclusive: boolean) {
    this.service = service
    this.handle = handle
    this.isExclusive = isExclusive
  }

  transmit(apdu: Buffer): Promise<Buffer> {
    return this.service.transmit(this.handle, apdu)
  }

  /** No other program changes what is selected, or uses a PIN that was given here. */
  async alone<T>(work: () => Promise<T>): Promise<T> {
    await this.service.begin(this.handle)
    try {
      return await work()
    } finally {
      await this.service.finish(this.handle)
    }
  }

  close(): Promise<void> {
    return this.service.disconnect(this.handle, this.isExclusive)
  }
}
