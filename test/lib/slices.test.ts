// Long work in short pieces: what comes out is the same as in one, and others have their turns.
import fc from 'fast-check'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { sha256, sha256InSlices } from '../../src/lib/hash.js'
import { JsonError, type JsonOptions, parseJson, parseJsonInSlices } from '../../src/lib/json.js'
import { inSlices, mapInSlices, nextTurn } from '../../src/lib/slices.js'
import { parseXml, parseXmlInSlices, XmlError } from '../../src/lib/xml-read.js'

afterEach(() => {
  vi.restoreAllMocks()
})

/** Turns of the event loop while something is done. */
async function turnsOf(work: () => Promise<unknown>): Promise<number> {
  let turns = 0
  let done = false
  const count = (): void => {
    turns += 1
    if (!done) setImmediate(count)
  }
  setImmediate(count)
  await work()
  done = true
  return turns
}

/** A clock that jumps over the length of a piece whenever somebody looks at it. */
function hasty(): void {
  let now = 0
  vi.spyOn(performance, 'now').mockImplementation(() => {
    now += 1000
    return now
  })
}

describe('a turn of the event loop', () => {
  it('is given to one of those who wait, in their order', async () => {
    const order: number[] = []
    const wait = (number: number) => nextTurn().then(() => order.push(number))
    const all = Array.from({ length: 100 }, (_, number) => wait(number))
    const turns = await turnsOf(() => Promise.all(all))
    expect(order).toEqual(Array.from({ length: 100 }, (_, number) => number))
    expect(turns).toBeGreaterThanOrEqual(99)
  })

  it('is given to others between two pieces of long work', async () => {
    hasty()
    const text = JSON.stringify(Array.from({ length: 20_000 }, (_, at) => at))
    expect(await turnsOf(() => parseJsonInSlices(text))).toBeGreaterThan(50)
    const list = Array.from({ length: 3200 }, (_, at) => at)
    expect(await turnsOf(() => mapInSlices(list, String))).toBeGreaterThanOrEqual(99)
    expect(await turnsOf(() => sha256InSlices(Buffer.alloc(4_000_000)))).toBeGreaterThan(14)
    const xml = `<a>${'<b/>'.repeat(50_000)}</a>`
    expect(await turnsOf(() => parseXmlInSlices(xml))).toBeGreaterThan(40)
  })

  it('is not kept by work that throws', async () => {
    const broken = inSlices(() => {
      throw new Error('broken')
    })
    await expect(broken).rejects.toThrow('broken')
    await nextTurn()
  })
})

/** What a reader makes of a text: its value, or all that its error says. */
async function told(read: () => unknown): Promise<unknown> {
  try {
    return JSON.stringify(await read())
  } catch (error) {
    if (error instanceof JsonError) return [error.message, error.path, error.position]
    if (error instanceof XmlError) return error.message
    throw error
  }
}

describe('in pieces comes out what comes out at once', () => {
  it('of JSON, its faults and their places included', async () => {
    const parts = ['{', '}', '[', ']', ':', ',', '"a"', '"b":', '1', '-', 'null', ' ', '"\\u00e4"']
    const text = fc.array(fc.constantFrom(...parts), { maxLength: 12 }).map((all) => all.join(''))
    await fc.assert(
      fc.asyncProperty(text, fc.integer({ min: 0, max: 2000 }), async (middle, items) => {
        const front = Array.from({ length: items }, () => '{"a":[1,"x"]},').join('')
        const whole = `[${front}${middle}]`
        const options: JsonOptions = { trailingComma: true }
        const sliced = await told(() => parseJsonInSlices(whole, options))
        expect(sliced).toEqual(await told(() => parseJson(whole, options)))
      }),
      { numRuns: 100 },
    )
  })

  it('of JSON with too many values', async () => {
    const text = JSON.stringify(Array.from({ length: 999 }, (_, at) => at))
    for (const values of [1000, 999, 256, 1]) {
      const sliced = await told(() => parseJsonInSlices(text, { values }))
      expect(sliced).toEqual(await told(() => parseJson(text, { values })))
      expect(Array.isArray(sliced)).toBe(values < 1000)
    }
  })

  it('of XML, wherever a piece ends', async () => {
    const parts = ['<b>', '</b>', '<c x="1"/>', 'ä😀', '&amp;', '&#10;', '\r\n', '<![CDATA[', ']]>']
    const text = fc.array(fc.constantFrom(...parts), { maxLength: 8 }).map((all) => all.join(''))
    await fc.assert(
      fc.asyncProperty(text, fc.integer({ min: 4080, max: 4100 }), async (middle, length) => {
        const whole = `<a>${'x'.repeat(length)}${middle}</a>`
        expect(await told(() => parseXmlInSlices(whole))).toEqual(await told(() => parseXml(whole)))
      }),
      { numRuns: 300 },
    )
  })

  it('of a hash', async () => {
    for (const data of ['', 'ä', Buffer.alloc(1_000_001, 7)]) {
      expect(await sha256InSlices(data)).toEqual(sha256(data))
    }
  })
})
