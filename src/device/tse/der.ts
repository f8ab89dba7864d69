// DER elements of the log messages: written when the TSE signs, read for the names of the export.
// By hand: the elements of a message follow inline under implicit context tags, which a general
// encoder has no place for, and a register waits for two messages per receipt.

export interface Element {
  tag: number
  content: Buffer
}

const LONG = 0x80

/** Octets that tell a length, beside the first where that is not the length itself. */
function furtherOctets(length: number): number {
  if (length < LONG) return 0
  return length < 0x100 ? 1 : length < 0x10000 ? 2 : 3
}

/** Bytes of an element with so much content. */
export const elementLength = (length: number): number => 2 + furtherOctets(length) + length

/** Tag and length; the content is written behind them, from the place on that is returned. */
function begin(bytes: Buffer, tag: number, length: number): number {
  const further = furtherOctets(length)
  bytes[0] = tag
  bytes[1] = further === 0 ? length : LONG + further
  if (further > 0) bytes.writeUIntBE(length, 2, further)
  return 2 + further
}

/** One element with a definite length, of one content or several. From 16 MiB on: none occurs. */
export function element(tag: number, ...contents: readonly Buffer[]): Buffer {
  let length = 0
  for (const content of contents) length += content.length
  const bytes = Buffer.allocUnsafe(elementLength(length))
  let at = begin(bytes, tag, length)
  for (const content of contents) {
    bytes.set(content, at)
    at += content.length
  }
  return bytes
}

const CONSTRUCTED = 0x20
const OCTET_STRING = 0x04
const END = Buffer.of(0, 0)

/** The content as the one piece of an element whose length is not told. */
export function pieces(tag: number, content: Buffer): Buffer {
  const head = Buffer.of(tag | CONSTRUCTED, LONG)
  return Buffer.concat([head, element(OCTET_STRING, content), END])
}

/** A whole number from 0 on: minimal, a leading zero where the top bit is set. */
export function integer(tag: number, value: number): Buffer {
  let octets = 1
  for (let most = LONG; value >= most; most *= 0x100) octets += 1
  const bytes = Buffer.allocUnsafe(2 + octets)
  begin(bytes, tag, octets)
  // from the last octet on: more than 32 bits are for division alone
  let rest = value
  for (let at = 1 + octets; at >= 2; at -= 1) {
    bytes[at] = rest % 0x100
    rest = Math.floor(rest / 0x100)
  }
  return bytes
}

/** PrintableString; the caller knows that the text is one. */
export function text(tag: number, value: string): Buffer {
  const bytes = Buffer.allocUnsafe(elementLength(value.length))
  bytes.write(value, begin(bytes, tag, value.length), 'latin1')
  return bytes
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
