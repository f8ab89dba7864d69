import { setImmediate as turn } from 'node:timers/promises'
import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import { createBeside } from '../../../../src/core/journal/beside/beside.js'
import { piecesOf } from '../../../../src/core/journal/beside/pieces.js'
import { createThreads } from '../../../../src/core/journal/beside/threads.js'

const closing: { close(): Promise<void> }[] = []
afterAll(async () => {
  await Promise.all(closing.map((one) => one.close()))
})

const PLACES = { most: 6, each: 2, waiting: 40, waitingEach: 40, waitMs: 60_000 }

function open(threads = 1, places = PLACES) {
  const died: unknown[] = []
  const beside = createBeside(
    places,
    createThreads({
      entry: new URL('../../../support/beside-thread.mjs', import.meta.url),
      threads,
      data: () => Promise.resolve(undefined),
      onBroken: (error) => died.push(error),
    }),
  )
  closing.push(beside)
  return { beside, died }
}

type Body = AsyncIterable<string | Uint8Array>

async function bytesOf(body: Body, most = Number.POSITIVE_INFINITY): Promise<Buffer> {
  const pieces: Buffer[] = []
  let read = 0
  for await (const piece of body) {
    pieces.push(Buffer.from(piece as Uint8Array))
    read += piece.length
    if (read >= most) break
  }
  return Buffer.concat(pieces)
}

const codeOf = (error: unknown) => Reflect.get(Object(error), 'code')

describe('orders of threads', () => {
  it('arrive as they were made, of whatever sizes the parts are', async () => {
    const { beside } = open()
    const part = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 300 }),
      fc.uint8Array({ maxLength: 300 }),
      // around the size of a piece
      fc.integer({ min: 65_500, max: 65_560 }).map((length) => 'é'.repeat(length)),
      fc.integer({ min: 65_520, max: 65_540 }).map((length) => `${'x'.repeat(length)}😀`),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(part, { maxLength: 12 }), async (parts) => {
        const { head, body } = await beside.stream({ do: 'pieces', parts }, { line: 'a' })
        expect(head).toEqual({ told: 1n })
        const expected = Buffer.concat(parts.map((one) => Buffer.from(one as string)))
        expect((await bytesOf(body)).equals(expected)).toBe(true)
      }),
      { numRuns: 25 },
    )
  })

  it('are refused with their own code, text and members', async () => {
    const { beside } = open()
    await expect(beside.call({ do: 'refuse' })).rejects.toMatchObject({
      ...{ code: 'FIELD_INVALID', kind: 'invalid', field: 'x' },
      message: 'x is not valid: expected y.',
    })
    await expect(beside.call({ do: 'break' })).rejects.toThrow('it broke')
    await expect(beside.stream({ do: 'x', no: () => 1 }, { line: 'a' })).rejects.toThrow('cloned')
    expect(beside.places.taken).toBe(0)
  })

  it('are no further ahead than the room that they have', async () => {
    let made = 0
    async function* endless() {
      for (;;) {
        made += 1
        yield new Uint8Array(65_536)
      }
    }
    const pieces = piecesOf(endless())
    await pieces.next()
    await pieces.next()
    expect(made).toBeLessThanOrEqual(2)
    const { beside } = open()
    const order = { do: 'pieces', count: 4000, bytes: 65_536 }
    const before = process.memoryUsage().arrayBuffers
    const { body } = await beside.stream(order, { line: 'a' })
    const reader = body[Symbol.asyncIterator]()
    await reader.next()
    for (let at = 0; at < 500; at += 1) await turn()
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(4 * 1024 * 1024)
    await reader.return?.()
  })

  it('are lost with their thread, which another one replaces', async () => {
    const { beside, died } = open()
    const running = await beside.stream({ do: 'pieces', count: 9999, bytes: 9999 }, { line: 'a' })
    const reading = bytesOf(running.body).catch(codeOf)
    expect(await beside.call({ do: 'die' }).catch(codeOf)).toBe('EXPORT_LOST')
    expect(await reading).toBe('EXPORT_LOST')
    expect([died.length, beside.places.taken]).toEqual([1, 0])
    expect(await beside.call({ do: 'open' })).toBe(0)
    // a process that ends by itself tells nobody why
    expect(await beside.call({ do: 'exit' }).catch(codeOf)).toBe('EXPORT_LOST')
    expect(await beside.call({ do: 'open' })).toBe(0)
  })

  it('end when they are closed', async () => {
    const { beside } = open()
    const { body } = await beside.stream({ do: 'pieces', count: 9999, bytes: 9999 }, { line: 'a' })
    const reading = bytesOf(body).catch(codeOf)
    await beside.close()
    expect(await reading).toBeOneOf(['EXPORT_LOST', expect.any(Buffer)])
    expect(await beside.call({ do: 'open' }).catch(codeOf)).toBe('EXPORT_LOST')
  })
})

const step = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom('whole', 'part', 'away', 'unread', 'refused') },
  { weight: 1, arbitrary: fc.constantFrom('die') },
)

it('leave no place and no body behind, however they end and whoever dies', async () => {
  const { beside } = open(2)
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ way: step, line: fc.constantFrom('a', 'b', 'c'), cut: fc.nat(9) }), {
        minLength: 6,
        maxLength: 25,
      }),
      async (steps) => {
        await Promise.all(
          steps.map(async ({ way, line, cut }) => {
            if (way === 'die') return beside.call({ do: 'die' }).catch(codeOf)
            if (way === 'refused') return beside.stream({ do: 'refuse' }, { line }).catch(codeOf)
            const away = new AbortController()
            const order = { do: 'pieces', count: 10, bytes: 50_000 }
            if (way === 'away') setTimeout(() => away.abort(), cut)
            const asked = { line, leaving: away.signal }
            const { body } = await beside.stream(order, asked).catch(() => ({ body: [] as never }))
            if (way === 'unread') return away.abort()
            return bytesOf(body, way === 'part' ? cut * 50_000 : undefined).catch(codeOf)
          }),
        )
        const over = { taken: 0, waiting: 0 }
        await expect.poll(() => ({ ...placesOf(beside) }), { timeout: 5_000 }).toEqual(over)
        // on both threads
        const open = await Promise.all([beside.call({ do: 'open' }), beside.call({ do: 'open' })])
        expect(open).toEqual([0, 0])
      },
    ),
    { numRuns: 15 },
  )
}, 60_000)

const placesOf = ({ places }: { places: { taken: number; waiting: number } }) => ({
  taken: places.taken,
  waiting: places.waiting,
})
