// Pages are for who meets the product for the first time: no letter of an interface before its name.
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { pages } from './support/page-blocks.js'

/** What the interface of each letter is called. */
const NAMES: Readonly<Record<string, RegExp>> = {
  A: /Dealer/,
  B: /Middleware/,
  C: /signing (service|device|unit)/i,
  D: /PosSystem/,
  E: /receipt/i,
  F: /Platform|who is told/,
}
const LETTERS = /\b[Gg]roups? ([A-F](?:(?:, | and | or )[A-F])*)\b/g
const EXPLAINED = 'glossary.md#interfaces'

/** Letters of a text that stand before anything says what they are. */
function unexplained(text: string): string[] {
  return [...text.matchAll(LETTERS)].flatMap(({ index, 1: found = '' }) => {
    const end = text.indexOf('\n', index)
    const before = text.slice(0, end < 0 ? undefined : end)
    if (before.includes(EXPLAINED)) return []
    return (found.match(/[A-F]/g) ?? []).filter((letter) => !NAMES[letter]?.test(before))
  })
}

/** Records of decisions are for who knows the code. */
const read = pages().filter((page) => !page.includes('decisions/'))

describe('letters of interfaces', () => {
  it.each(read)('%s names each before it uses it', (page) => {
    expect(unexplained(readFileSync(page, 'utf8'))).toEqual([])
  })

  it('are none in README, nor on the first page of a server', () => {
    expect(readFileSync('README.md', 'utf8')).not.toMatch(LETTERS)
    expect(readFileSync('src/api/shared/choices.ts', 'utf8')).not.toMatch(LETTERS)
  })

  it.each([
    ['How a register talks to group D.', ['D']],
    ['Over groups B and D.', ['B', 'D']],
    ['The PosSystem interface, which is group D; later group D.', []],
    ['[Letters](glossary.md#interfaces). Group C: a refusal.', []],
  ])('%s', (text, found) => {
    expect(unexplained(text)).toEqual(found)
  })
})
