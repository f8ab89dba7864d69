import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, it } from 'vitest'
import { Few } from '../../../src/core/sign/waiter.js'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

interface Busy {
  add(one: object): unknown
  delete(one: object): unknown
  [Symbol.iterator](): Iterator<object>
}

/**
 * How many of 200 things are still held after they came and went, three at a time. An iterator from
 * before holds the table that was there, as a dead table in the long-lived memory does.
 */
async function heldBy(busy: Busy): Promise<number> {
  const things: WeakRef<object>[] = []
  const pass = () => {
    const there: object[] = []
    for (let at = 0; at < 200; at += 1) {
      const thing = { at }
      things.push(new WeakRef(thing))
      busy.add(thing)
      there.push(thing)
      const oldest = at < 2 ? undefined : there.shift()
      if (oldest !== undefined) busy.delete(oldest)
    }
    for (const thing of there) busy.delete(thing)
  }
  const iterator = busy[Symbol.iterator]()
  pass()
  await new Promise((resolve) => setTimeout(resolve, 10))
  collect()
  const held = things.filter((thing) => thing.deref() !== undefined).length
  // the iterator lives until here
  iterator.next()
  return held
}

it('what came and went is not held by what was there before it, as by a busy Set', async () => {
  expect(await heldBy(new Few<object>())).toBe(0)
  expect(await heldBy(new Set<object>())).toBeGreaterThan(20)
})

it('it has what was put in and not taken out', () => {
  const few = new Few<string>()
  for (const one of ['a', 'b', 'c', 'd']) few.add(one)
  few.delete('b')
  few.delete('unknown')
  expect([...few].toSorted()).toEqual(['a', 'c', 'd'])
  few.delete('d')
  few.delete('a')
  few.delete('c')
  expect([...few]).toEqual([])
})
