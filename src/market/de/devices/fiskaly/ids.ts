// Ids that this server gives to what it asks for: the same for the same work, so that a call sent
// again is the same call.
import { sha256 } from '../../../../lib/hash.js'

/** In the form of a random UUID (version 4), made of what it stands for. */
export function workId(...parts: readonly string[]): string {
  const bytes = sha256(JSON.stringify(parts)).subarray(0, 16)
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  const hex = bytes.toString('hex')
  return [
    [0, 8],
    [8, 12],
    [12, 16],
    [16, 20],
    [20, 32],
  ]
    .map(([from, to]) => hex.slice(from, to))
    .join('-')
}
