import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { LRUCache } from 'lru-cache'
import { expect, it } from 'vitest'

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

it('a bounded map holds nothing that was deleted, where a Map does', async () => {
  const bounded = new LRUCache<string, object>({ max: 10_000 })
  const { keyMap } = LRUCache.unsafeExposeInternals(bounded)
  expect(await heldBy(bounded, keyMap)).toBe(0)
  const plain = new Map<string, object>()
  expect(await heldBy(plain, plain)).toBeGreaterThan(100)
})
