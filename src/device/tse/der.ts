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

const CONSTRUCTED = 0x20
const OCTET_STRING = 0x04
const END = Buffer.of(0, 0)

/** The content as the one piece of an element whose length is not told. */
export function pieces(tag: number, content: Buffer): Buffer {
  const head = Buffer.of(tag | CONSTRUCTED, LONG)
  return Buffer.concat([head, element(OCTET_STRING, content), END])
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

/**
 * The elements that follow each other in these bytes; one in pieces has the tag and the content
 * that it would have in one. Throws where they do not fit.
 */
export function readElements(bytes: Buffer): Element[] {
  const found: Element[] = []
  let at = 0
  while (at < bytes.length) {
    const read = inPieces(bytes, at) ?? inOne(bytes, at)
    found.push(read.element)
    at = read.end
  }
  return found
}

interface Read {
  element: Element
  /** Place of the next one. */
  end: number
}

function inOne(bytes: Buffer, at: number): Read {
  const tag = bytes[at] ?? 0
  const first = bytes[at + 1] ?? 0
  const octets = first < LONG ? 0 : first - LONG
  const start = at + 2 + octets
  const isRead = first !== LONG && octets <= 3 && start <= bytes.length
  if (!isRead) throw new Error('a log message has an element without a length')
  const end = start + (octets === 0 ? first : bytes.readUIntBE(at + 2, octets))
  if (end > bytes.length) throw new Error('an element of a log message is longer than the message')
  return { element: { tag, content: bytes.subarray(start, end) }, end }
}

/** Undefined: its length is told. */
function inPieces(bytes: Buffer, at: number): Read | undefined {
  const tag = bytes[at] ?? 0
  if ((tag & CONSTRUCTED) === 0 || bytes[at + 1] !== LONG) return undefined
  const contents: Buffer[] = []
  let next = at + 2
  while (!bytes.subarray(next, next + 2).equals(END)) {
    const piece = inOne(bytes, next)
    if (piece.element.tag !== OCTET_STRING) {
      throw new Error('an element in pieces has a piece that is none, or no end')
    }
    contents.push(piece.element.content)
    next = piece.end
  }
  const content = Buffer.concat(contents)
  return { element: { tag: tag & ~CONSTRUCTED, content }, end: next + END.length }
}

/** The whole number of an INTEGER's octets. */
export function numberOf(octets: Buffer): number {
  return Number(BigInt(`0x${octets.toString('hex') || '0'}`))
}
