// Fonts as the web packs them (WOFF 1.0), unpacked.
import { inflateSync } from 'node:zlib'

const SIGNATURE = 0x774f4646
const HEADER = 44
const ENTRY = 20
const SFNT_HEADER = 12
const SFNT_ENTRY = 16

interface Table {
  tag: Buffer
  checksum: number
  data: Buffer
}

/** The font as it was before (WOFF 1.0, 3 to 5). Throws on what is no such file. */
export function unpackedFont(file: Buffer): Buffer {
  if (file.readUInt32BE(0) !== SIGNATURE) throw new Error('this is no WOFF file')
  const count = file.readUInt16BE(12)
  const tables = Array.from({ length: count }, (_, at) => tableAt(file, HEADER + at * ENTRY))
  const head = Buffer.alloc(SFNT_HEADER + count * SFNT_ENTRY)
  file.copy(head, 0, 4, 8)
  const power = Math.floor(Math.log2(count))
  head.writeUInt16BE(count, 4)
  head.writeUInt16BE(SFNT_ENTRY * 2 ** power, 6)
  head.writeUInt16BE(power, 8)
  head.writeUInt16BE(SFNT_ENTRY * (count - 2 ** power), 10)
  const parts: Buffer[] = [head]
  let offset = head.length
  tables.forEach(({ tag, checksum, data }, at) => {
    const entry = SFNT_HEADER + at * SFNT_ENTRY
    tag.copy(head, entry)
    head.writeUInt32BE(checksum, entry + 4)
    head.writeUInt32BE(offset, entry + 8)
    head.writeUInt32BE(data.length, entry + 12)
    const padding = Buffer.alloc(-data.length & 3)
    parts.push(data, padding)
    offset += data.length + padding.length
  })
  return Buffer.concat(parts)
}

function tableAt(file: Buffer, at: number): Table {
  const [offset, packed, length, checksum] = [4, 8, 12, 16].map((by) => file.readUInt32BE(at + by))
  const stored = file.subarray(offset, (offset ?? 0) + (packed ?? 0))
  return {
    tag: file.subarray(at, at + 4),
    checksum: checksum ?? 0,
    data: packed === length ? stored : inflateSync(stored),
  }
}
