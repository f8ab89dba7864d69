// Ids: random ones for things whose id opens something, time-ordered ones for rows.
import { createHash, randomFillSync } from 'node:crypto'

const HEX = Buffer.from('0123456789abcdef')
const VERSION_4 = 0x34
const VERSION_7 = 0x37
/** Where the next id is written before it becomes a text: pieces of texts would be memory each. */
const nextId = Buffer.alloc(36, '-')
/** Digits of a UUID behind its version: 74 random bits, and the two of the variant. */
const BEHIND = [15, 16, 17, 19, 20, 21, 22, ...Array.from({ length: 12 }, (_, at) => 24 + at)]
const BEFORE = [0, 1, 2, 3, 4, 5, 6, 7, 9, 10, 11, 12]
const VERSION_PLACE = 14
const VARIANT_PLACE = 19
/** Random bytes for many ids: asking for them costs more than they do. */
const chance = { bytes: Buffer.alloc(4096), spent: 4096 }

/** A random UUID (version 4): 122 unguessable bits. */
export function randomId(): string {
  putChance(BEFORE)
  nextId[VERSION_PLACE] = VERSION_4
  putChance(BEHIND)
  return nextId.toString('latin1')
}

/** A UUID that sorts by its time (version 7), for rows that no outsider addresses. */
export function orderedId(unixMilliseconds: number): string {
  putHex(Math.floor(unixMilliseconds / 0x1_0000), 0, 8)
  putHex(unixMilliseconds % 0x1_0000, 9, 13)
  nextId[VERSION_PLACE] = VERSION_7
  putChance(BEHIND)
  return nextId.toString('latin1')
}

/** Two digits of a byte each. */
function putChance(places: readonly number[]): void {
  const { bytes } = chance
  const count = (places.length + 1) >>> 1
  if (chance.spent + count > bytes.length) {
    randomFillSync(bytes)
    chance.spent = 0
  }
  for (let index = 0; index < places.length; index += 1) {
    const byte = bytes[chance.spent + (index >>> 1)] ?? 0
    const digit = (index & 1) === 0 ? byte >>> 4 : byte & 0xf
    const place = places[index] ?? 0
    nextId[place] = HEX[place === VARIANT_PLACE ? 0x8 | (digit & 0x3) : digit] ?? 0
  }
  chance.spent += count
}

function putHex(value: number, from: number, to: number): void {
  let rest = value
  for (let at = to - 1; at >= from; at -= 1) {
    nextId[at] = HEX[rest & 0xf] ?? 0
    rest >>>= 4
  }
}

/** Of all names of this program. */
const NAMES = Buffer.from('6b1f3c0a5d5e4f0f9a4c7d1f0b2e8a11', 'hex')

/** A UUID that a name always has (version 5). */
export function namedId(name: string): string {
  const bytes = createHash('sha1').update(NAMES).update(name).digest().subarray(0, 16)
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x50
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  const hex = bytes.toString('hex')
  const parts = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20)]
  return `${parts.join('-')}-${hex.slice(20)}`
}

/** Letters and digits of the Base64 form of a UUID, in .NET order. */
export function shortId(id: string): string {
  return guidBytes(id)
    .toString('base64')
    .replace(/[^A-Za-z0-9]/g, '')
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

export function isUuid(value: string): boolean {
  return UUID.test(value)
}

/** Value of a hexadecimal digit, by its character code. */
const DIGITS = new Uint8Array(128)
for (const [value, digit] of [...'0123456789abcdef'].entries()) {
  DIGITS[digit.charCodeAt(0)] = value
  DIGITS[digit.toUpperCase().charCodeAt(0)] = value
}

const digitAt = (id: string, at: number): number => DIGITS[id.charCodeAt(at)] ?? 0

/** Where the 16 bytes of a UUID stand in its text, and where .NET puts them. */
const PLACES = [0, 2, 4, 6, 9, 11, 14, 16, 19, 21, 24, 26, 28, 30, 32, 34] as const
const GUID_ORDER = [3, 2, 1, 0, 5, 4, 7, 6, 8, 9, 10, 11, 12, 13, 14, 15] as const

/**
 * Writes the 16 bytes of a UUID in the order of its text. Several are written per receipt, and six
 * times as fast as Buffer reads hexadecimal text.
 */
export function putUuid(target: Buffer, id: string, at: number): void {
  for (let index = 0; index < PLACES.length; index += 1) {
    const place = PLACES[index] ?? 0
    target[at + index] = (digitAt(id, place) << 4) | digitAt(id, place + 1)
  }
}

/** The same in .NET order: the first three groups little endian, the rest as written. */
export function putGuid(target: Buffer, id: string, at: number): void {
  for (let index = 0; index < PLACES.length; index += 1) {
    const place = PLACES[index] ?? 0
    target[at + (GUID_ORDER[index] ?? 0)] = (digitAt(id, place) << 4) | digitAt(id, place + 1)
  }
}

/** The 16 bytes in .NET order. */
export function guidBytes(id: string): Buffer {
  const bytes = Buffer.allocUnsafe(16)
  putGuid(bytes, id, 0)
  return bytes
}
