// The commands of the three kinds of a.sign RK CHIP cards, and what their answers mean. Select,
// PIN and signature belong together: nothing of another program may come between.
import type { CardLine } from './pcsc.js'

export interface CardKind {
  name: string
  /** Beginnings of the answer to reset. */
  atrs: readonly string[]
  application: string
  /** File of the certificate: as the manual says, then as others read it. */
  certificates: readonly string[]
  pinReference: string
  /** Of a PIN of digits: 8 bytes. */
  pin(digits: string): Buffer
  sign(line: CardLine, hash: Buffer): Promise<Buffer>
  /** Not certified behind this day. */
  until?: string
}

/** The card said no, with this status word. */
export class CardRefusal extends Error {
  override name = 'CardRefusal'
  readonly status: string

  constructor(what: string, status: string) {
    super(`${what} was answered with ${status}`)
    this.status = status
  }
}

const hex = (text: string): Buffer => Buffer.from(text.replaceAll(' ', ''), 'hex')
const PIN_BYTES = 8

/** ASCII digits, filled with zeros. */
function asciiPin(digits: string): Buffer {
  const bytes = Buffer.alloc(PIN_BYTES)
  bytes.write(digits, 'latin1')
  return bytes
}

/** The figure 2 and the length, the digits, filled with F. */
function packedPin(digits: string): Buffer {
  return hex(`2${digits.length}${digits}`.padEnd(2 * PIN_BYTES, 'F'))
}

async function signAtOnce(line: CardLine, hash: Buffer): Promise<Buffer> {
  return ask(line, 'signature', Buffer.concat([hex('002A9E9A20'), hash, hex('40')]))
}

async function signInSteps(line: CardLine, hash: Buffer): Promise<Buffer> {
  await ask(line, 'hash', Buffer.concat([hex('002A908120'), hash]))
  return ask(line, 'signature', hex('002A9E9A00'))
}

const CARD_OS = {
  application: 'DF01',
  certificates: ['C000'],
  pin: packedPin,
  sign: signAtOnce,
} as const

export const KINDS: readonly CardKind[] = [
  {
    ...{ name: 'ACOS', application: 'DF70', certificates: ['C002', 'C000'], pinReference: '81' },
    atrs: ['3BBF11008131FE45455041', '3BBF11008131FE454D4341'],
    pin: asciiPin,
    async sign(line, hash) {
      await ask(line, 'environment', hex('002241B606 840188800144'))
      return signInSteps(line, hash)
    },
  },
  {
    ...{ name: 'CardOS 5.3', ...CARD_OS, pinReference: '81' },
    atrs: ['3BDF18008131FE588031B05202046405C903AC73B7B1D422', '3BDF18008131FE58803190'],
  },
  {
    ...{ name: 'ACOS-ID V2 or V3', ...CARD_OS, pinReference: '8A', until: '2025-06-07' },
    atrs: [
      '3BDF96FF910131FE4680319052410264050200AC73D622C017',
      '3BDF18FF910131FE4680319052410264050200AC73D622C099',
      '3BDF97008131FE4680319052410364050201AC73D622C0F8',
    ],
  },
  {
    ...{ name: 'ACOS-ID', ...CARD_OS, pinReference: '8A' },
    atrs: [
      '3BDF97008131FE4680319052410464050401AC73D622C0F9',
      '3BDF97008131FE468031905241026405C903AC73D622C030',
      '3BDF96FF918131FE468031905241026405C903AC73D622C05F',
      '3BDF18FF918131FE468031905241026405C903AC73D622C0D1',
    ],
  },
]

export function kindOf(atr: string): CardKind | undefined {
  return KINDS.find(({ atrs }) => atrs.some((one) => atr.startsWith(one)))
}

export async function select(line: CardLine, ...files: readonly string[]): Promise<void> {
  for (const file of ['3F00', ...files]) {
    await ask(line, `file ${file}`, hex(`00A4000C02${file}`))
  }
}

const MOST_CERTIFICATE_BYTES = 8 * 1024

/** The certificate of the key, DER. */
export async function certificateOf(line: CardLine, kind: CardKind): Promise<Buffer> {
  for (const [at, file] of kind.certificates.entries()) {
    try {
      await select(line, kind.application, file)
      return sequenceIn(await contentOf(line))
    } catch (error) {
      const isLast = at === kind.certificates.length - 1
      if (!(error instanceof CardRefusal) || isLast) throw error
    }
  }
  throw new CardRefusal('certificate', 'no file')
}

/** Until the card says that there is no more; the last answer may carry the last bytes. */
async function contentOf(line: CardLine): Promise<Buffer> {
  const parts: Buffer[] = []
  for (let at = 0; at < MOST_CERTIFICATE_BYTES; ) {
    const offset = at.toString(16).padStart(4, '0')
    const { data, status } = answerOf(await line.transmit(hex(`00B0${offset}00`)))
    if (data.length > 0) parts.push(data)
    if (status !== '9000' || data.length === 0) break
    at += data.length
  }
  return Buffer.concat(parts)
}

/** A file may be longer than what it holds. */
function sequenceIn(bytes: Buffer): Buffer {
  const isLong = bytes[0] === 0x30 && bytes[1] === 0x82 && bytes.length > 4
  const length = isLong ? 4 + bytes.readUInt16BE(2) : Number.POSITIVE_INFINITY
  if (length > bytes.length)
    throw new CardRefusal('certificate', 'not a certificate: not activated')
  return bytes.subarray(0, length)
}

const SIGNATURE_BYTES = 64

/** Give PIN and hash; r‖s. Throws CardRefusal; 63Cx and 6983: never again with this PIN. */
export async function signed(
  line: CardLine,
  kind: CardKind,
  { pin, hash }: { pin: string; hash: Buffer },
): Promise<Buffer> {
  await select(line, kind.application)
  const verify = hex(`002000${kind.pinReference}08`)
  await ask(line, 'PIN', Buffer.concat([verify, kind.pin(pin)]))
  const signature = await kind.sign(line, hash)
  if (signature.length === SIGNATURE_BYTES) return signature
  throw new CardRefusal('signature', `${signature.length} bytes`)
}

async function ask(line: CardLine, what: string, apdu: Buffer): Promise<Buffer> {
  const { data, status } = answerOf(await line.transmit(apdu))
  if (status === '9000') return data
  throw new CardRefusal(what, status)
}

function answerOf(bytes: Buffer): { data: Buffer; status: string } {
  if (bytes.length < 2) throw new CardRefusal('command', 'no status')
  const status = bytes.subarray(-2).toString('hex').toUpperCase()
  return { data: bytes.subarray(0, -2), status }
}
