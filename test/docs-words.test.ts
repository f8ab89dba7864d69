// Pages are for who meets the product for the first time: no letter of an interface before its
// name, and every command that stands in a line is one that there is, with options that it has.
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { allCommands } from '../src/cli/table.js'
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

const commands = new Map(
  Object.values(await allCommands()).flatMap((table) => Object.entries(table)),
)
const scripts: Record<string, string> = JSON.parse(readFileSync('package.json', 'utf8')).scripts
/** Words of the command line itself, and such as stand for any. */
const OWN = new Set(['help', 'version', 'completion', '--profile', 'COMMAND', '…'])
const EVERYWHERE = ['json', 'help']

/** Commands that stand in a line of text, in code type. */
const inLine = (page: string, of: string): string[] =>
  [
    ...readFileSync(page, 'utf8')
      .replace(/^```[\s\S]*?^```/gm, '')
      .matchAll(/`([^`\n]+)`/g),
  ]
    .map(([, code = '']) => code)
    .filter((code) => code.startsWith(of))

/** What is wrong with a line that begins with `npx fiskalwerk`. */
function wrongIn(line: string): string[] {
  const [first = '', second = ''] = line.split(' ').slice(2)
  if (first === '' || OWN.has(first)) return []
  const command = commands.get(`${first} ${second}`) ?? commands.get(first)
  const known = command ?? [...commands.keys()].some((name) => name.startsWith(`${first} `))
  if (known === false) return [`${line}: no such command`]
  const options = [...line.matchAll(/ --([\w-]+)/g)].map(([, option = '']) => option)
  const own = [...EVERYWHERE, ...Object.keys(command?.options ?? {})]
  return options.filter((one) => command !== undefined && !own.includes(one))
}

describe('commands in a line', () => {
  it('of the command line are ones that there are', () => {
    const lines = pages().flatMap((page) => inLine(page, 'npx fiskalwerk '))
    expect(lines.length).toBeGreaterThan(50)
    expect(lines.flatMap(wrongIn)).toEqual([])
  })

  it('of npm are scripts that there are', () => {
    const lines = pages().flatMap((page) => inLine(page, 'npm run '))
    expect(lines.length).toBeGreaterThan(10)
    const names = lines.map((line) => line.replace(/^npm run (-s )?/, '').split(/[ `]/)[0] ?? '')
    expect(names.filter((name) => scripts[name] === undefined)).toEqual([])
  })

  it.each([
    ['npx fiskalwerk doctor', 0],
    ['npx fiskalwerk queue registration --queue ID --json', 0],
    ['npx fiskalwerk doktor', 1],
    ['npx fiskalwerk demo --weather', 1],
  ])('%s has %i faults', (line, faults) => {
    expect(wrongIn(line)).toHaveLength(faults)
  })
})
