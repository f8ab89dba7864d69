// A strict card of the kinds of a.sign RK CHIP: commands in (APDU), answers out, and the line on
// which a virtual reader (vpcd) asks it. It refuses what real ones refuse and counts wrong PINs.
import { connect, type Socket } from 'node:net'
import { createProvider, type Leaf, TEST_NAMES } from './chain.js'
import { signHash } from './sign-hash.js'

export type CardName = 'ACOS' | 'CardOS' | 'ACOS-ID'

interface Facts {
  atr: string
  application: string
  certificate: string
  reference: number
  /** 8 bytes. */
  pin(digits: string): string
}

/** The figure 2 and the length in one byte, then the digits. */
const packed = (digits: string): string => `2${digits.length}${digits}`.padEnd(16, 'F')
const ascii = (digits: string): string => Buffer.from(digits).toString('hex').padEnd(16, '0')

const FACTS: Readonly<Record<CardName, Facts>> = {
  ACOS: {
    ...{ atr: '3BBF11008131FE45455041', application: 'DF70', certificate: 'C002' },
    ...{ reference: 0x81, pin: ascii },
  },
  CardOS: {
    ...{ atr: '3BDF18008131FE58803190', application: 'DF01', certificate: 'C000' },
    ...{ reference: 0x81, pin: packed },
  },
  'ACOS-ID': {
    atr: '3BDF97008131FE4680319052410464050401AC73D622C0F9',
    ...{ application: 'DF01', certificate: 'C000', reference: 0x8a, pin: packed },
  },
}

const MOST_TRIES = 3
const OK = '9000'
/** Bytes behind the certificate in its file. */
const SPARE_BYTES = 40

export interface CardOptions {
  name?: CardName
  pin?: string
  leaf?: Leaf
}

export class RksvCard {
  readonly leaf: Leaf
  /** What no correct helper sends. */
  readonly offences: string[] = []
  signatures = 0
  wrongPins = 0
  tries = MOST_TRIES
  private readonly facts: Facts
  private readonly name: CardName
  private readonly pin: string
  /** Selected since the last reset. */
  private master = false
  private application = ''
  private file = ''
  private isVerified = false
  private hasEnvironment = false
  private hash: Buffer | undefined

  private constructor(leaf: Leaf, { name = 'ACOS-ID', pin = '123456' }: CardOptions) {
    this.leaf = leaf
    this.name = name
    this.pin = pin
    this.facts = FACTS[name]
  }

  static async make(options: CardOptions = {}): Promise<RksvCard> {
    const provider = await createProvider(TEST_NAMES, new Date())
    return new RksvCard(options.leaf ?? (await provider.issue(TEST_NAMES.subject)), options)
  }

  /** With the checksum of T=1 where it is missing. */
  get atr(): Buffer {
    return Buffer.from(this.facts.atr, 'hex')
  }

  reset(): void {
    this.master = false
    this.application = ''
    this.file = ''
    this.isVerified = false
    this.hasEnvironment = false
    this.hash = undefined
  }

  /** Data and status word. */
  answer(apdu: Buffer): Buffer {
    const head = apdu.subarray(0, 4).toString('hex').toUpperCase()
    const [data, status] = this.run(head, apdu)
    return Buffer.concat([data, Buffer.from(status, 'hex')])
  }

  private run(head: string, apdu: Buffer): [Buffer, string] {
    if (head === '00A4000C') return this.none(this.selectFile(bodyOf(apdu)))
    if (head.startsWith('00B0')) return this.readBinary(apdu.readUInt16BE(2))
    if (head.startsWith('002000')) return this.none(this.verify(apdu))
    if (head === '002241B6' && this.name === 'ACOS') return this.none(this.environment(apdu))
    if (head === '002A9081' && this.name === 'ACOS') return this.none(this.takeHash(apdu))
    if (head === '002A9E9A') return this.sign(apdu)
    return this.none(this.wrong(`command ${head}`, '6D00'))
  }

  private none(status: string): [Buffer, string] {
    return [Buffer.alloc(0), status]
  }

  private wrong(what: string, status: string): string {
    this.offences.push(`${what}: ${status}`)
    return status
  }

  private selectFile(file: Buffer | undefined): string {
    const id = file?.toString('hex').toUpperCase() ?? ''
    if (id.length !== 4) return this.wrong('select', '6700')
    if (id === '3F00') {
      this.reset()
      this.master = true
      return OK
    }
    if (!this.master) return this.wrong('select without the MF', '6A82')
    const { application, certificate } = this.facts
    if (id === application && this.application === '') this.application = id
    else if (id === certificate && this.application === application) this.file = id
    else return '6A82'
    return OK
  }

  private readBinary(offset: number): [Buffer, string] {
    if (this.file === '') return this.none('6986')
    const whole = Buffer.concat([this.leaf.der, Buffer.alloc(SPARE_BYTES, 0xff)])
    if (offset >= whole.length) return this.none('6B00')
    const part = whole.subarray(offset, offset + 256)
    return [part, part.length < 256 ? '6282' : OK]
  }

  private verify(apdu: Buffer): string {
    const { reference, pin } = this.facts
    const given = bodyOf(apdu)
    if (apdu[3] !== reference) return this.wrong('PIN of another kind', '6A88')
    if (this.application === '') return this.wrong('PIN before the application', '6A88')
    if (given?.length !== 8) return this.wrong('PIN', '6700')
    if (this.tries === 0) return '6983'
    if (given.toString('hex').toUpperCase() === pin(this.pin).toUpperCase()) {
      this.tries = MOST_TRIES
      this.isVerified = true
      return OK
    }
    this.tries -= 1
    this.wrongPins += 1
    return this.tries === 0 ? '6983' : `63C${this.tries}`
  }

  private environment(apdu: Buffer): string {
    if (bodyOf(apdu)?.toString('hex').toUpperCase() !== '840188800144') {
      return this.wrong('environment', '6A88')
    }
    this.hasEnvironment = true
    return OK
  }

  private takeHash(apdu: Buffer): string {
    if (!this.hasEnvironment) return this.wrong('hash before the environment', '6F05')
    const hash = bodyOf(apdu)
    if (hash?.length !== 32) return this.wrong('hash', '6700')
    this.hash = hash
    return OK
  }

  private sign(apdu: Buffer): [Buffer, string] {
    const isAcos = this.name === 'ACOS'
    const hash = isAcos ? this.hash : bodyOf(apdu)
    if (isAcos && !this.hasEnvironment) return this.none(this.wrong('signature', '6F05'))
    if (isAcos && hash === undefined) return this.none(this.wrong('signature', '6F03'))
    const isWhole = isAcos ? apdu.length === 5 : apdu.length === 38 && apdu[37] === 0x40
    if (!isWhole || hash?.length !== 32) return this.none(this.wrong('signature', '6700'))
    if (!this.isVerified) return this.none('6982')
    // VERIFY is good for one signature
    this.isVerified = false
    this.hash = undefined
    this.signatures += 1
    return [signHash(this.leaf.key, hash), OK]
  }
}

/** By Lc; undefined where it says something else than there is. */
function bodyOf(apdu: Buffer): Buffer | undefined {
  const length = apdu[4] ?? -1
  const isThere = apdu.length === 5 + length || apdu.length === 6 + length
  return isThere ? apdu.subarray(5, 5 + length) : undefined
}

// --------------------------------------------------------------------- the virtual reader

const POWER_OFF = 0
const POWER_ON = 1
const RESET = 2
const ATR = 4

/** Puts a card into the reader of vpcd: messages with their length before them. */
export async function plugIn(
  card: RksvCard,
  { host, port }: { host: string; port: number },
): Promise<() => void> {
  const socket = connect({ host, port, noDelay: true })
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve)
    socket.once('error', reject)
  })
  let rest = Buffer.alloc(0)
  socket.on('error', () => socket.destroy())
  socket.on('data', (bytes: Buffer) => {
    rest = Buffer.concat([rest, bytes])
    while (rest.length >= 2 && rest.length >= 2 + rest.readUInt16BE(0)) {
      const end = 2 + rest.readUInt16BE(0)
      said(card, socket, rest.subarray(2, end))
      rest = rest.subarray(end)
    }
  })
  return () => socket.destroy()
}

function said(card: RksvCard, socket: Socket, message: Buffer): void {
  const answer = (bytes: Buffer) => {
    const length = Buffer.alloc(2)
    length.writeUInt16BE(bytes.length)
    socket.write(Buffer.concat([length, bytes]))
  }
  const order = message.length === 1 ? message[0] : undefined
  if (order === undefined) answer(card.answer(message))
  else if (order === ATR) answer(card.atr)
  else if (order === POWER_OFF || order === POWER_ON || order === RESET) card.reset()
}
