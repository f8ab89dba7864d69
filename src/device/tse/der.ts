// DER elements of the log messages: written when the TSE signs, read for the names of the export.
// By hand: the elements of a message follow inline under implicit context tags, which a general
// encoder has no place for, and a register waits for two messages per receipt.

export interface Element {
  tag: number
  content: Buffer
}

const LONG = 0x80

function header(tag: number, length: number): Buffer {
  if (length < LONG) return Buffer.of(tag, length)
  if (length < 0x100) return Buffer.of(tag, 0x81, length)
  if (length < 0x10000) return Buffer.of(tag, 0x82, length >> 8, length & 0xff)
  return Buffer.of(tag, 0x83, length >> 16, (length >> 8) & 0xff, length & 0xff)
}

/** One element with a definite length. Lengths from 16 MiB on do not occur. */
export function element(tag: number, content: Buffer): Buffer {
  return Buffer.concat([header(tag, content.length), content])
}

/** The octets of a whole number from 0 on: minimal, a leading zero where the top bit is set. */
export function integerOctets(value: number): Buffer {
  const hex = value.toString(16)
  const octets = Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex')
  return (octets[0] ?? 0) < LONG ? octets : Buffer.concat([Buffer.of(0), octets])
}

export function integer(tag: number, value: number): Buffer {
  return element(tag, integerOctets(value))
}

/** PrintableString; the caller knows that the text is one. */
export function text(tag: number, value: string): Buffer {
  return element(tag, Buffer.from(value, 'latin1'))
}

/** The elements that follow each other in these bytes. Throws where they do not fit. */
export function readElements(bytes: Buffer): Element[] {
  const found: Element[] = []
  let at = 0
  while (at < bytes.length) {
    const tag = bytes[at] ?? 0
    const first = bytes[at + 1] ?? 0
    const octets = first < LONG ? 0 : first - LONG
    const start = at + 2 + octets
    const isRead = first !== LONG && octets <= 3 && start <= bytes.length
    if (!isRead) throw new Error('a log message has an element without a definite length')
    const length = octets === 0 ? first : bytes.readUIntBE(at + 2, octets)
    at = start + length
    if (at > bytes.length) throw new Error('an element of a log message is longer than the message')
    found.push({ tag, content: bytes.subarray(start, at) })
  }
  return found
}

/** The whole number of an INTEGER's octets. */
export function numberOf(octets: Buffer): number {
  return Number(BigInt(`0x${octets.toString('hex') || '0'}`))
}
