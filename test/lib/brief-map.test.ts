import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, it } from 'vitest'
import { BriefMap } from '../../src/lib/brief-map.js'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

interface Entries<V> {
  set(key: string, value: V): unknown
  delete(key: string): unknown
}

/**
 * How many of 200 values are still held after they were deleted. An iterator from before holds the
 * table that they were in, as a dead table in the long-lived memory does.
 */
async function heldBy(map: Entries<object>, table: Map<string, unknown>): Promise<number> {
  const values: WeakRef<object>[] = []
  const fill = () => {
    for (let at = 0; at < 200; at += 1) {
      const value = { at }
      values.push(new WeakRef(value))
      map.set(`early ${at}`, value)
    }
  }
  fill()
  const iterator = table.keys()
  iterator.next()
  // more of them: the entries move to a larger table
  for (let at = 0; at < 2000; at += 1) map.set(`late ${at}`, { at })
  for (let at = 0; at < 200; at += 1) map.delete(`early ${at}`)
  await new Promise((resolve) => setTimeout(resolve, 10))
  collect()
  const held = values.filter((value) => value.deref() !== undefined).length
  // the iterator lives until here
  iterator.next()
  return held
}

describe('a map of what comes and goes', () => {
  it('holds nothing that was deleted, where a Map does', async () => {
    const brief = new BriefMap()
    const { entries } = brief as unknown as { entries: Map<string, unknown> }
    expect(await heldBy(brief, entries)).toBe(0)
    const plain = new Map<string, object>()
    expect(await heldBy(plain, plain)).toBeGreaterThan(100)
  })

  it('is a map', () => {
    const map = new BriefMap<{ n: number }>()
    const one = { n: 1 }
    map.set('a', one)
    map.set('b', { n: 2 })
    expect(map.get('a')).toBe(one)
    expect([map.has('a'), map.has('c'), map.get('c')]).toEqual([true, false, undefined])
    map.set('a', { n: 3 })
    expect(map.get('a')).toEqual({ n: 3 })
    map.delete('a')
    map.delete('a')
    expect([map.has('a'), map.get('a')]).toEqual([false, undefined])
    expect(map.get('b')).toEqual({ n: 2 })
    map.clear()
    expect([map.has('b'), map.get('b')]).toEqual([false, undefined])
  })

  it('keeps so many, those that were set last', () => {
    const map = new BriefMap<{ n: number }>(2)
    for (const [n, key] of ['a', 'b', 'a', 'c'].entries()) map.set(key, { n })
    expect([map.get('a'), map.get('b'), map.get('c')]).toEqual([{ n: 2 }, undefined, { n: 3 }])
  })
})
