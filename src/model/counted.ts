// Rows of the market journal under the reference of an earlier receipt: what became of it.
import { sha256 } from '../lib/hash.js'

/** Kind of such a row; its number is the key of the reference. */
export const COUNTED = 'counted'

/** Whole numbers that a double holds exactly. */
const KEY_BYTES = 6
export const keyOf = (reference: string): number => sha256(reference).readUIntBE(0, KEY_BYTES)
