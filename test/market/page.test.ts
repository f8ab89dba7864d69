// docs/new-market.md tells every part of the interface that a country implements.
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { isNode, parseModule, type SyntaxNode, walk } from '../support/tidy/syntax.js'

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')
const page = read('docs/new-market.md')
const sources = [
  ...['src/market/contract.ts', 'src/device/driver.ts', 'src/model/export-source.ts'],
  ...['src/case/traits.ts', 'src/model/rollout.ts'],
]
const programs = sources.map((path) => parseModule(path, read(path)))

interface Member {
  name: string
  optional: boolean
}

function membersOf(wanted: string): Member[] {
  const found: SyntaxNode[] = []
  const collect = (node: SyntaxNode) => {
    if (node.type === 'TSInterfaceDeclaration' && nameOf(node.id) === wanted) found.push(node)
  }
  for (const program of programs) walk(program, collect)
  const body = found[0]?.body
  const members = isNode(body) && Array.isArray(body.body) ? body.body.filter(isNode) : []
  return members.map(({ key, optional }) => ({ name: nameOf(key), optional: optional === true }))
}

const nameOf = (node: unknown) => (isNode(node) ? String(node.name) : '')

/** The first cell of each row of the parts: names, and whether it says that they may be missing. */
const parts = page.split('\n## ').find((section) => section.startsWith('2. ')) ?? ''
const [ofMarket = ''] = parts.split('\n| Of ')
const told = [...ofMarket.matchAll(/^\| (`[^|]+) \|/gm)].flatMap(([, cell = '']) =>
  [...cell.matchAll(/`(\w+)`/g)].map(([, name = '']) => ({
    name,
    optional: cell.endsWith('(may be missing)'),
  })),
)

const sorted = (list: Member[]) => list.sort((a, b) => (a.name < b.name ? -1 : 1))

it('the page has a row for each member of a market, and says which may be missing', () => {
  expect(sorted(told)).toEqual(sorted(membersOf('Market')))
})

const PARTS = [
  ...['QueueRules', 'Descriptions', 'Export', 'StatusName', 'Rollout'],
  ...['ReceiptInput', 'ReceiptOutcome'],
]

it('a market has at most twelve members, and its parts at most forty-one', () => {
  expect(membersOf('Market').length).toBeLessThanOrEqual(12)
  const counts = PARTS.map((name) => membersOf(name).length)
  expect(Math.min(...counts)).toBeGreaterThan(0)
  expect(counts.reduce((sum, count) => sum + count)).toBeLessThanOrEqual(41)
})

it('rules of pages and of templates are stated by every country, but for three', () => {
  const left = ['PageRules', 'ToldDocument', 'SignatureStyle', 'RolloutRules'].flatMap((wanted) => {
    const members = membersOf(wanted)
    expect(members.length).toBeGreaterThan(0)
    return members.filter(({ optional }) => optional).map(({ name }) => `${wanted}.${name}`)
  })
  // two taggings (Germany), all units of a table instead of one, rows in which nothing can be wrong
  expect(left).toEqual([
    'PageRules.readsAsV0',
    'RolloutRules.unitMember',
    'RolloutRules.unitFaultsOf',
  ])
})

it.each(['Driver', 'ExportSource', 'LegalFile', 'Tools', ...PARTS])(
  'the page names each member of %s',
  (name) => {
    const members = membersOf(name).map((one) => one.name)
    expect(members.length).toBeGreaterThan(0)
    const words = new Set([...page.matchAll(/`(\w+)(?:\(\))?`/g)].map(([, word]) => word))
    expect(members.filter((one) => !words.has(one))).toEqual([])
  },
)
