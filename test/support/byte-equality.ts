// Bytes are compared as bytes: element by element, as toEqual does by itself, a megabyte takes two
// seconds. Set up before every test file.
import { expect } from 'vitest'

/** Undefined: others decide. Test files share their workers, and one tester is enough for all. */
function areSameBytes(one: unknown, other: unknown): boolean | undefined {
  if (!(one instanceof Uint8Array && other instanceof Uint8Array)) return undefined
  // a Buffer and other bytes are told apart as before
  if (one.constructor !== other.constructor) return undefined
  return Buffer.compare(one, other) === 0
}

const KNOWN = Symbol.for('fiskalwerk.byte-equality')
if (!Reflect.has(globalThis, KNOWN)) {
  Reflect.set(globalThis, KNOWN, true)
  expect.addEqualityTesters([areSameBytes])
}
