// How a file of a bundle is written: whatever pieces it comes in, its bytes, its hash and its
// packed form are those of the whole.
import { createHash } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inflateRawSync } from 'node:zlib'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { Gauge, writePacked, writePart } from '../../../src/core/event/inspection/part-file.js'

let root: string
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'fiskalwerk-files-'))
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

type Piece = string | Uint8Array

async function* given(pieces: Piece[]): AsyncGenerator<Piece> {
  yield* pieces
}

const wholeOf = (pieces: Piece[]) => Buffer.concat(pieces.map((piece) => Buffer.from(piece)))

/** Longer than a block and than what is written at once; halves of letters among them. */
const long = fc
  .record({
    unit: fc.constantFrom('a', 'ß', '€', '😀', 'x😀', '\ud83d', '\ude00', 'aß€😀'),
    times: fc.integer({ min: 1, max: 140_000 }),
  })
  .map(({ unit, times }) => unit.repeat(times))
const piece = fc.oneof(fc.string({ unit: 'binary' }), fc.uint8Array({ maxLength: 70_000 }), long)

it('has the bytes and the hash of all its pieces together, plain or packed', async () => {
  const path = join(root, 'file')
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { maxLength: 6 }), async (pieces) => {
      const whole = wholeOf(pieces)
      const sha256 = createHash('sha256').update(whole).digest('hex')
      const gauge = new Gauge()
      expect(await writePart(path, given(pieces), gauge)).toEqual({ bytes: whole.length, sha256 })
      expect(readFileSync(path).equals(whole)).toBe(true)
      const { packed, ...same } = await writePacked(path, given(pieces), gauge)
      expect(same).toEqual({ bytes: whole.length, sha256 })
      const found = readFileSync(path)
      expect(found.length).toBe(packed?.size)
      expect(inflateRawSync(found).equals(whole)).toBe(true)
      expect(gauge.bytes).toBe(2 * whole.length)
    }),
    { numRuns: 60 },
  )
})

it('is packed into the same bytes, whatever pieces it came in', async () => {
  const text = Array.from({ length: 90_000 }, (_, at) => `receipt ${at * 7919}\r\n`).join('')
  const packedOf = async (pieces: Piece[]) => {
    const path = join(root, 'same')
    await writePacked(path, given(pieces), new Gauge())
    return readFileSync(path)
  }
  const once = await packedOf([text])
  const cut = [text.slice(0, 7), text.slice(7, 300_000), Buffer.from(text.slice(300_000))]
  expect((await packedOf(cut)).equals(once)).toBe(true)
})

it('has no name before it is whole, and a fault of its pieces is told', async () => {
  const path = join(root, 'broken')
  async function* broken(): AsyncGenerator<Piece> {
    yield 'a'.repeat(600_000)
    throw new Error('away')
  }
  await expect(writePacked(path, broken(), new Gauge())).rejects.toThrow('away')
  const stopped = new Gauge()
  stopped.stop()
  await expect(writePart(path, given(['a']), stopped)).rejects.toThrow('left off')
  expect(existsSync(path)).toBe(false)
})
