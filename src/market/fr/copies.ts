// Copies are counted by the reference of the original.
import { sha256 } from '../../lib/hash.js'

const CHARACTERS = 16

/** References are as long as a program likes; the state of a queue stays small. */
export function copyKey(reference: string): string {
  return sha256(reference).toString('base64').slice(0, CHARACTERS)
}
