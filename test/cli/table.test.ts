// A command is found by its first word without loading the others.
import { expect, it } from 'vitest'
import { GROUPS } from '../../src/cli/table.js'

const parts = Object.values(GROUPS).flat()

it('each part has just the commands that begin with its words', async () => {
  for (const { words, load } of parts) {
    const firsts = Object.keys(await load()).map((name) => name.split(' ')[0])
    expect([...new Set(firsts)].sort()).toEqual(words.toSorted())
  }
})

it('a first word belongs to one part', () => {
  const words = parts.flatMap((one) => one.words)
  expect(words).toEqual([...new Set(words)])
})
