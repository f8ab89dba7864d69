// TSE exports read without program code: ustar members, DER log messages (BSI TR-03151 chapter 2),
// signatures checked with Node's own crypto.
import { createHash, verify, X509Certificate } from 'node:crypto'

export interface LogMessage {
  /** SHA-256 of the key, hexadecimal. */
  serial: string
  counter: number
  /** Unix seconds. */
  time: number
  /** StartTransaction, …, or the name of a system operation. */
  operation: string
  clientId: string
  processType: string
  processData: string
  /** 0 for system messages. */
  transaction: number
  signature: string
  der: Buffer
}

const BLOCK = 512

/** Members of one or several archives behind each other. */
export function* tarMembers(tar: Buffer): Generator<{ name: string; content: Buffer }> {
  for (let at = 0; at + BLOCK <= tar.length; ) {
    const head = tar.subarray(at, at + BLOCK)
    at += BLOCK
    if (head[0] === 0) continue
    const text = (from: number, to: number) =>
      head.subarray(from, to).toString('latin1').replace(/\0.*$/s, '').trim()
    const sum = head.reduce((total, byte, place) => {
      return total + (place >= 148 && place < 156 ? 0x20 : byte)
    }, 0)
    if (Number.parseInt(text(148, 156), 8) !== sum) throw new Error(`header of ${text(0, 100)}`)
    const size = Number.parseInt(text(124, 136), 8)
    yield { name: text(0, 100), content: tar.subarray(at, at + size) }
    at += Math.ceil(size / BLOCK) * BLOCK
  }
}

interface Element {
  tag: number
  content: Buffer
  /** Behind the element. */
  end: number
}

/** Definite lengths up to three bytes: all that an emulator writes. */
function element(der: Buffer, at: number): Element {
  const tag = der[at] ?? 0
  const first = der[at + 1] ?? 0
  const bytes = first < 0x80 ? 0 : first & 0x7f
  const length = bytes === 0 ? first : der.readUIntBE(at + 2, bytes)
  const begin = at + 2 + bytes
  return { tag, content: der.subarray(begin, begin + length), end: begin + length }
}

function elements(content: Buffer): Element[] {
  const found: Element[] = []
  for (let at = 0; at < content.length; ) {
    const one = element(content, at)
    found.push(one)
    at = one.end
  }
  return found
}

const number = (content: Buffer): number => Number(BigInt(`0x${content.toString('hex') || '0'}`))

const TRANSACTION_OID = '04007f000703070101'

/** Throws when the message has no form, or its signature does not verify with the certificate. */
export function readLog(der: Buffer, certificates: ReadonlyMap<string, X509Certificate>) {
  const outer = element(der, 0)
  const parts = elements(outer.content)
  const [, type, operation] = parts
  const plain = parts.filter(({ tag }) => tag < 0x80)
  const [, , serial, algorithm, counter, time, signature] = plain
  if (signature === undefined || outer.end !== der.length) throw new Error('no log message')
  const input = outer.content.subarray(0, -(signature.content.length + 2))
  const name = serial?.content.toString('hex') ?? ''
  const key = certificates.get(name)?.publicKey
  if (key === undefined) throw new Error(`no certificate of ${name}`)
  const isP256 = algorithm?.content.toString('hex') === '060a04007f00070101040103'
  const proof = { key, dsaEncoding: 'ieee-p1363' } as const
  const holds = verify(isP256 ? 'sha256' : 'sha384', input, proof, signature.content)
  if (!holds) throw new Error(`signature of message ${number(counter?.content ?? Buffer.of())}`)
  const isTransaction = type?.content.toString('hex') === TRANSACTION_OID
  const tagged = (tag: number) =>
    (isTransaction ? parts.find((one) => one.tag === tag)?.content : undefined) ?? Buffer.of()
  const message: LogMessage = {
    serial: name,
    counter: number(counter?.content ?? Buffer.of()),
    time: number(time?.content ?? Buffer.of()),
    operation: operation?.content.toString('latin1') ?? '',
    clientId: tagged(0x81).toString('latin1'),
    processData: tagged(0x82).toString('utf8'),
    processType: tagged(0x83).toString('utf8'),
    transaction: number(tagged(0x85)),
    signature: signature.content.toString('base64'),
    der,
  }
  return message
}

/** SHA-256 of the public point, which is the end of the key: 65 bytes on P-256, 97 on P-384. */
export function serialOf({ publicKey }: X509Certificate): string {
  const spki = publicKey.export({ type: 'spki', format: 'der' })
  const point = spki.subarray(spki.length > 100 ? -97 : -65)
  return createHash('sha256').update(point).digest('hex')
}

/** Every message of the archives in a file; each signature is checked. */
export function readTar(tar: Buffer): LogMessage[] {
  const members = [...tarMembers(tar)]
  const certificates = new Map<string, X509Certificate>()
  for (const { name, content } of members) {
    if (!name.endsWith('_X509.cer')) continue
    const certificate = new X509Certificate(content)
    const serial = serialOf(certificate)
    if (name !== `${serial.toUpperCase()}_X509.cer`) throw new Error(`certificate ${name}`)
    certificates.set(serial, certificate)
  }
  return members
    .filter(({ name }) => name.endsWith('.log'))
    .map(({ content }) => readLog(content, certificates))
}
