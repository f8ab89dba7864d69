// How these tests compare bytes (test/support/byte-equality.ts).
import { expect, it } from 'vitest'

const BYTES = Buffer.alloc(200_000, 7)
const changedAt = (at: number): Buffer => {
  const bytes = Buffer.from(BYTES)
  bytes[at] = 8
  return bytes
}

it('bytes are equal when all of them are, wherever they stand', () => {
  expect(Buffer.from(BYTES)).toEqual(BYTES)
  expect({ of: [Buffer.from(BYTES)] }).toEqual({ of: [BYTES] })
  for (const at of [0, 100_000, 199_999]) {
    expect(changedAt(at)).not.toEqual(BYTES)
    expect({ of: [changedAt(at)] }).not.toEqual({ of: [BYTES] })
  }
  expect(BYTES.subarray(1)).not.toEqual(BYTES)
  expect(Buffer.alloc(0)).not.toEqual(Buffer.from('x'))
})

it('a Buffer is no other kind of bytes, as before', () => {
  const bytes = new Uint8Array([1, 2, 3])
  expect(Buffer.from(bytes)).not.toEqual(bytes)
  expect(new Uint8Array(Buffer.from(bytes))).toStrictEqual(bytes)
})
