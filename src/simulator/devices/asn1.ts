// DER as the strict simulators write it: of their own, so that no fault of the server's writer is
// repeated here.

/** One element; its length is told. */
export function tlv(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts)
  const size = content.length
  if (size < 0x80) return Buffer.concat([Buffer.of(tag, size), content])
  const octets = Math.ceil(size.toString(16).length / 2)
  const head = Buffer.alloc(2 + octets)
  head[0] = tag
  head[1] = 0x80 + octets
  head.writeUIntBE(size, 2, octets)
  return Buffer.concat([head, content])
}

/** One element whose length is not told, with its content in one piece (BER). */
export function inPieces(tag: number, content: Buffer): Buffer {
  return Buffer.concat([Buffer.of(tag, 0x80), tlv(0x04, content), Buffer.of(0, 0)])
}

/** A whole number from 0 on. */
export function whole(value: number | bigint, tag = 0x02): Buffer {
  const hex = value.toString(16)
  const octets = Buffer.from(hex.padStart(hex.length + (hex.length % 2), '0'), 'hex')
  const isNegative = (octets[0] ?? 0) >= 0x80
  return tlv(tag, isNegative ? Buffer.concat([Buffer.of(0), octets]) : octets)
}

/** `1.2.840.10045.4.3.2`. */
export function objectId(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number)
  const arcs = [first * 40 + second, ...rest].map((arc) => {
    const groups = [arc & 0x7f]
    for (let left = arc >> 7; left > 0; left >>= 7) groups.unshift((left & 0x7f) | 0x80)
    return Buffer.from(groups)
  })
  return tlv(0x06, ...arcs)
}

export const printable = (value: string, tag = 0x13): Buffer =>
  tlv(tag, Buffer.from(value, 'latin1'))
